/* The workloads. A workload has a program for the SPEs and one for the main thread of the PPE, each
 * a list of steps.
 *
 * Programs determine how much data is moved and computed, and how work is shared. The costs of
 * operations belong to the machine (machine.h). */
#ifndef PDTSIM_WORKLOADS_H
#define PDTSIM_WORKLOADS_H

#include "simulator/routines.h"

#include <cellsync/cellsync.h>

/* Steps of an SPE's program, with arguments a, b, and c. */
enum op_kind {
    OP_ROUND,   /* begin a round, or go to the step after OP_AGAIN if there is no further round */
    OP_AGAIN,   /* go back to OP_ROUND */
    OP_LOOP,    /* repeat the steps up to OP_NEXT `a` times; loops can be nested */
    OP_NEXT,    /* end of the loop: go back to OP_LOOP */
    OP_TAKE,    /* take one of `a` pieces of work; if none is left, continue after OP_TAKEN */
    OP_TAKEN,   /* end of the steps for one piece of work: go back to OP_TAKE */
    OP_COMPUTE, /* compute for `a` cycles, +- b percent, in calls of shape c (enum shape) */
    OP_GET,     /* read `a` bytes from memory; b and c (enum tag_turn) give the tag group */
    OP_PUT,
    OP_WAIT,    /* wait for tag group b */
    OP_INBOX,   /* wait for a word from the PPE and read it */
    OP_OUTBOX,  /* write a word for the PPE; a: 1 if the mailbox interrupts the PPE, or 0 */
    OP_BARRIER, /* wait at the barrier of all contexts */
    OP_LOCK,    /* take the only mutex */
    OP_UNLOCK,
    OP_SWAP, /* exchange `a` bytes with each neighbour; b: 1 if sends wait for receives */
    OP_MEET, /* wait at a barrier of all ranks, unless a is 0 */
    OP_MARK, /* record EVENT_OUTER_LOOP */
    OP_CALL, /* enter the function a (enum routine) */
    OP_RETURN,
    OP_END
};

/* The tag group of a transfer. TAG_FIXED: group b. TAG_THIS and TAG_OTHER are for double buffering:
 * in each iteration of the innermost loop, they are the groups b and b + 1, and they are exchanged
 * after each iteration. */
enum tag_turn { TAG_FIXED, TAG_THIS, TAG_OTHER };

/* Steps of the main thread. A step that concerns contexts handles one context after the other. */
enum main_kind {
    MAIN_CREATE,  /* create and start all SPE contexts */
    MAIN_SEND,    /* send a word to each context */
    MAIN_RECEIVE, /* receive a word from each context; a: 1 if its mailbox interrupts, or 0 */
    MAIN_ROUND,
    MAIN_AGAIN,
    MAIN_MARK,
    MAIN_JOIN,
    MAIN_CALL, /* enter the function `a`, an enum routine */
    MAIN_RETURN,
    MAIN_END
};

struct op {
    int kind;
    int64_t a, b, c;
};

enum { OPS_MAX = 40, LOOPS_MAX = 3 };

struct parameter;

/* Kinds of cluster programs; cluster/script.h makes their steps. */
enum cluster_kind { CLUSTER_NONE, CLUSTER_SWEEP3D, CLUSTER_MD, CLUSTER_LB, CLUSTER_PINGPONG };

struct cluster_program {
    enum cluster_kind kind;
    int64_t bytes;
    int64_t compute, spread;  /* cycles for a block, and their variation in percent */
    bool root_cell;           /* true if one SPE of each Cell sends messages for the whole Cell */
    bool little, ends, pages; /* true if logs are little-endian, have timestamps of the ends of
                               * events, or consist of pages */
};

struct workload {
    const char *name, *summary;
    int64_t rounds;       /* number of rounds if --events is not given */
    int contexts_per_spe; /* contexts for each SPE if --contexts is not given */
    struct op spe[OPS_MAX], ppe[OPS_MAX];
    /* parameters that --workload accepts, or NULL */
    const struct parameter *parameters;
    /* true if contexts are ranks, which have their own SPEs on several nodes */
    bool ranks;
    bool latencies, buffers; /* true if rows contain latencies, or buffers (struct rows_style) */
    struct cluster_program cluster;
};

/* Parse --workload: NAME or NAME:KEY=VALUE,... Returns CSY_USAGE with a message on failure. */
csy_status workload_parse(const char *text, struct workload *out, csy_error *error);

/* Returns true if a program of the workload calls this function. */
bool workload_calls(const struct workload *workload, enum routine routine);

/* Returns the i-th workload, or NULL after the last. The first one is the default. */
const struct workload *workload_at(size_t i);

#endif
