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
    OP_ROUND,   /* begin a round; without a further round, continue after OP_AGAIN */
    OP_AGAIN,   /* go back to OP_ROUND */
    OP_LOOP,    /* repeat the steps before OP_NEXT a times; loops nest */
    OP_NEXT,    /* end of the loop: go back to OP_LOOP */
    OP_TAKE,    /* take one of the round's a pieces of work; if all are taken, go to OP_TAKEN */
    OP_TAKEN,   /* end of the work on a piece: go to OP_TAKE */
    OP_COMPUTE, /* compute a cycles +-b percent, in calls of shape c (enum shape) */
    OP_GET,     /* read a bytes from memory, in tag group b as modified by c (enum tag_turn) */
    OP_PUT,
    OP_WAIT,    /* wait for tag group b */
    OP_INBOX,   /* wait for a word from the PPE and read it */
    OP_OUTBOX,  /* write a word for the PPE; a: to the interrupting mailbox */
    OP_BARRIER, /* wait at the barrier of all contexts */
    OP_LOCK,    /* take the only mutex */
    OP_UNLOCK,
    OP_SWAP, /* exchange messages of a bytes with all neighbours; b: sends wait for receives */
    OP_MEET, /* wait at a barrier of all ranks, unless a is 0 */
    OP_MARK, /* record an event of the outer loop */
    OP_CALL, /* enter routine a */
    OP_RETURN,
    OP_END
};

/* The tag group of a transfer: b, or for double buffering b plus the parity of the iteration of the
 * innermost loop (TAG_THIS), or b plus the other parity (TAG_OTHER). */
enum tag_turn { TAG_FIXED, TAG_THIS, TAG_OTHER };

/* Steps of the main thread. A step about contexts handles one after the other. */
enum main_kind {
    MAIN_CREATE,  /* create and start contexts */
    MAIN_SEND,    /* send a word to each context */
    MAIN_RECEIVE, /* receive a word from each context; a: from the interrupting mailbox */
    MAIN_ROUND,
    MAIN_AGAIN,
    MAIN_MARK,
    MAIN_JOIN,
    MAIN_CALL, /* enter routine a */
    MAIN_RETURN,
    MAIN_END
};

struct op {
    int kind;
    int64_t a, b, c;
};

enum { OPS_MAX = 40, LOOPS_MAX = 3 };

struct parameter;

/* Kinds of cluster programs. cluster/script.h makes their steps. */
enum cluster_kind { CLUSTER_NONE, CLUSTER_SWEEP3D, CLUSTER_MD, CLUSTER_LB, CLUSTER_PINGPONG };

struct cluster_program {
    enum cluster_kind kind;
    int64_t bytes;            /* size of a message */
    int64_t compute, spread;  /* cycles for a block, and their variation in percent */
    bool root_cell;           /* one SPE of each Cell sends messages for the whole Cell */
    bool little, ends, pages; /* variants of logs: cellsync-run(5), EVENT LOGS */
};

struct workload {
    const char *name, *summary;
    int64_t rounds;       /* default of --events: number of rounds */
    int contexts_per_spe; /* default of --contexts: number of contexts for each SPE */
    struct op spe[OPS_MAX], ppe[OPS_MAX];
    /* parameters for --workload, or NULL */
    const struct parameter *parameters;
    /* contexts are ranks with their own SPEs on several nodes */
    bool ranks;
    bool latencies, buffers; /* as in struct rows_style */
    struct cluster_program cluster;
};

/* Parse --workload: NAME or NAME:KEY=VALUE,... Returns CSY_USAGE with a message on failure. */
csy_status workload_parse(const char *text, struct workload *out, csy_error *error);

/* Returns true if a program of the workload calls this function. */
bool workload_calls(const struct workload *workload, enum routine routine);

/* Returns the i-th workload, or NULL after the last. The first one is the default. */
const struct workload *workload_at(size_t i);

#endif
