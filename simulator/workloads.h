/* The workloads. A workload has a program for the SPEs and a program for the main thread of the
 * PPE. Each program is a list of steps.
 *
 * A program determines how much data is moved, how long is computed, and how work is shared. The
 * costs of operations belong to the machine (machine.h). */
#ifndef PDTSIM_WORKLOADS_H
#define PDTSIM_WORKLOADS_H

#include "simulator/routines.h"

#include <cellsync/cellsync.h>

/* Steps of an SPE's program; a, b, and c are the arguments after the kind. */
enum op_kind {
    OP_ROUND,   /* begin a round; if there are no more rounds, continue after OP_AGAIN */
    OP_AGAIN,   /* go back to OP_ROUND */
    OP_LOOP,    /* repeat a times up to OP_NEXT; loops nest */
    OP_NEXT,    /* the end of the loop: go back to OP_LOOP */
    OP_TAKE,    /* take one of a pieces of work of this round; go to OP_TAKEN if all are taken */
    OP_TAKEN,   /* the end of the work on a piece: go to OP_TAKE */
    OP_COMPUTE, /* a cycles, b percent more or less; c: enum shape of the calls that do it */
    OP_GET,     /* read a bytes from memory, in tag group b, which c modifies (enum tag_turn) */
    OP_PUT,
    OP_WAIT,    /* wait for tag group b */
    OP_INBOX,   /* wait for a word from the PPE and read it */
    OP_OUTBOX,  /* write a word for the PPE; if a is set, to the interrupting mailbox */
    OP_BARRIER, /* wait at the barrier of all contexts */
    OP_LOCK,    /* take the mutex; there is only one */
    OP_UNLOCK,
    OP_SWAP, /* messages of a bytes to and from all neighbours; b: sends wait for their receives */
    OP_MEET, /* wait at a barrier of all ranks; nothing if a is 0 */
    OP_MARK, /* record an event of the outer loop of the program */
    OP_CALL, /* enter routine a */
    OP_RETURN,
    OP_END
};

/* The tag group of a transfer, for double buffering: group b (TAG_FIXED), b plus the parity of the
 * iteration of the innermost loop (TAG_THIS), or b plus the other parity (TAG_OTHER). */
enum tag_turn { TAG_FIXED, TAG_THIS, TAG_OTHER };

/* Steps of the program of the main thread. Those that concern contexts are done for all contexts in
 * turn. */
enum main_kind {
    MAIN_CREATE,  /* create and start contexts */
    MAIN_SEND,    /* send a word to each context */
    MAIN_RECEIVE, /* receive a word from each context; if a is set, from the interrupting mailbox */
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

/* The programs of the ranks of a cluster. They are made by cluster/script.h, not from lists of
 * steps. */
enum cluster_kind { CLUSTER_NONE, CLUSTER_SWEEP3D, CLUSTER_MD, CLUSTER_LB, CLUSTER_PINGPONG };

struct cluster_program {
    enum cluster_kind kind;
    int64_t bytes;            /* size of a message */
    int64_t compute, spread;  /* compute: cycles of a block; spread: its variation in percent */
    bool root_cell;           /* one SPE of each Cell sends messages for all SPEs of the Cell */
    bool little, ends, pages; /* variants of logs: cellsync-run(5), EVENT LOGS */
};

struct workload {
    const char *name, *summary;
    int64_t rounds;       /* number of rounds if --events was not given */
    int contexts_per_spe; /* number of contexts for each SPE if --contexts was not given */
    struct op spe[OPS_MAX], ppe[OPS_MAX];
    /* parameters of the workload that --workload can set, or NULL */
    const struct parameter *parameters;
    /* Contexts are ranks with their own SPEs on several nodes. */
    bool ranks;
    bool latencies, buffers; /* as in struct rows_style */
    struct cluster_program cluster;
};

/* Parse --workload: NAME or, with parameters, NAME:KEY=VALUE,...; CSY_USAGE with a message. */
csy_status workload_parse(const char *text, struct workload *out, csy_error *error);

/* True if a program of the workload calls this function. */
bool workload_calls(const struct workload *workload, enum routine routine);

/* The i-th workload, for --help. The first is the default. NULL after the last. */
const struct workload *workload_at(size_t i);

#endif
