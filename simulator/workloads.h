/* The workloads: a program for the SPEs and one for the PPE's main thread, each a list of steps.
 *
 * A program determines how much it moves and computes, and how it shares work. The costs are the
 * machine's (machine.h). */
#ifndef PDTSIM_WORKLOADS_H
#define PDTSIM_WORKLOADS_H

#include "simulator/routines.h"

#include <cellsync/cellsync.h>

/* Steps of an SPE's program; a, b, and c are the arguments after the kind. */
enum op_kind {
    OP_ROUND,   /* begin a round, or continue after OP_AGAIN if there are no more */
    OP_AGAIN,   /* to OP_ROUND */
    OP_LOOP,    /* repeat a times up to OP_NEXT; loops nest */
    OP_NEXT,    /* to OP_LOOP */
    OP_TAKE,    /* take one of a pieces of work of this round; go to OP_TAKEN if all are taken */
    OP_TAKEN,   /* the end of the work on a piece: go to OP_TAKE */
    OP_COMPUTE, /* a cycles, b percent more or less; c: enum shape of the calls that do it */
    OP_GET,     /* a bytes from memory, in tag group b (c: see enum tag_turn) */
    OP_PUT,
    OP_WAIT,    /* wait for tag group b */
    OP_INBOX,   /* read a word */
    OP_OUTBOX,  /* write a word; a: to the interrupting mailbox */
    OP_BARRIER, /* of all contexts */
    OP_LOCK,    /* the only mutex */
    OP_UNLOCK,
    OP_SWAP, /* messages of a bytes to and from all neighbours; b: sends wait for their receives */
    OP_MEET, /* a barrier of all ranks, unless a is 0 */
    OP_MARK, /* an event of the program's outer loop */
    OP_CALL, /* enter routine a */
    OP_RETURN,
    OP_END
};

/* Double buffering: tag group b, b plus the parity of the innermost loop, or b plus the other
 * parity. */
enum tag_turn { TAG_FIXED, TAG_THIS, TAG_OTHER };

/* Steps of the main thread's program, each over all contexts in turn. */
enum main_kind {
    MAIN_CREATE,  /* create and start contexts */
    MAIN_SEND,    /* a word to each */
    MAIN_RECEIVE, /* a word from each; a: from the interrupting mailbox */
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

/* Programs of the ranks of a cluster (cluster/script.h), which are not lists of steps here. */
enum cluster_kind { CLUSTER_NONE, CLUSTER_SWEEP3D, CLUSTER_MD, CLUSTER_LB, CLUSTER_PINGPONG };

struct cluster_program {
    enum cluster_kind kind;
    int64_t bytes;            /* of a message */
    int64_t compute, spread;  /* cycles of a block; percent more or less */
    bool root_cell;           /* one SPE of each Cell sends for all */
    bool little, ends, pages; /* forms of logs: cellsync-run(5), EVENT LOGS */
};

struct workload {
    const char *name, *summary;
    int64_t rounds;       /* without --events */
    int contexts_per_spe; /* without --contexts */
    struct op spe[OPS_MAX], ppe[OPS_MAX];
    const struct parameter *parameters; /* or NULL */
    /* Contexts are ranks with their own SPEs on several nodes. */
    bool ranks;
    bool latencies, buffers; /* as in struct rows_style */
    struct cluster_program cluster;
};

/* Parse --workload: NAME or, with parameters, NAME:KEY=VALUE,...; CSY_USAGE with a message. */
csy_status workload_parse(const char *text, struct workload *out, csy_error *error);

/* True if it calls a routine. */
bool workload_calls(const struct workload *workload, enum routine routine);

/* The workloads for --help, beginning with the default; NULL after the last. */
const struct workload *workload_at(size_t i);

#endif
