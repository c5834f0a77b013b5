/*
 * The workloads: a program for the SPEs and one for the PPE's main thread, each a list of steps.
 *
 * What stands here is what a program does: how much it moves and computes, how it shares work.
 * What that costs is the machine's (machine.h).
 */
#ifndef PDTSIM_WORKLOADS_H
#define PDTSIM_WORKLOADS_H

#include "pdtsim/routines.h"

#include <cellsync/cellsync.h>

/* Steps of an SPE's program; a, b, c are what follows the kind. */
enum op_kind {
    OP_ROUND,   /* begin a round, or go on after OP_AGAIN where there is none */
    OP_AGAIN,   /* to OP_ROUND */
    OP_LOOP,    /* a times, as far as OP_NEXT; loops nest */
    OP_NEXT,    /* to OP_LOOP */
    OP_TAKE,    /* take one of a pieces of work of this round; to OP_TAKEN where all are taken */
    OP_TAKEN,   /* the end of what is done with a piece: to OP_TAKE */
    OP_COMPUTE, /* a cycles, b percent more or less; c: enum shape, the calls that do it */
    OP_GET,     /* a bytes from memory, in tag group b (c: see enum tag_turn) */
    OP_PUT,
    OP_WAIT,    /* for tag group b */
    OP_INBOX,   /* read a word */
    OP_OUTBOX,  /* write one; a: to the interrupting mailbox */
    OP_BARRIER, /* of all contexts */
    OP_LOCK,    /* the one mutex */
    OP_UNLOCK,
    OP_SWAP, /* messages of a bytes with all neighbours; b: sends wait for their receives */
    OP_MEET, /* a barrier of all ranks, unless a is 0 */
    OP_MARK, /* an event of the program's outer loop */
    OP_CALL, /* enter routine a */
    OP_RETURN,
    OP_END
};

/* Double buffering: tag group b, b plus the parity of the innermost loop, or b plus the other
 * one. */
enum tag_turn { TAG_FIXED, TAG_THIS, TAG_OTHER };

/* Steps of the main thread's program, over all contexts one after the other. */
enum main_kind {
    MAIN_CREATE,  /* create and start them */
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

/* Programs of the ranks of a cluster (cluster/script.h), which are no lists of steps here. */
enum cluster_kind { CLUSTER_NONE, CLUSTER_SWEEP3D, CLUSTER_MD, CLUSTER_LB, CLUSTER_PINGPONG };

struct cluster_program {
    enum cluster_kind kind;
    int64_t bytes;            /* of a message */
    int64_t compute, spread;  /* cycles of a block, percent more or less */
    bool root_cell;           /* one SPE of each Cell sends for all */
    bool little, ends, pages; /* what the bytes of logs are like: pex(5), Event logs */
};

struct workload {
    const char *name, *summary;
    int64_t rounds;       /* without --events */
    int contexts_per_spe; /* without --contexts */
    struct op spe[OPS_MAX], ppe[OPS_MAX];
    const struct parameter *parameters; /* NULL: it takes none */
    /* Its contexts are ranks, each with an SPE of its own on one of several nodes. */
    bool ranks;
    bool latencies, buffers; /* as in struct rows_style */
    struct cluster_program cluster;
};

/* What --workload names, as NAME or, where it has parameters, NAME:KEY=VALUE,...; CSY_USAGE with a
 * message that says what is wrong. */
csy_status workload_parse(const char *text, struct workload *out, csy_error *error);

/* Whether it calls a routine. */
bool workload_calls(const struct workload *workload, enum routine routine);

/* The workloads for --help, the first being the default; NULL after the last. */
const struct workload *workload_at(size_t i);

#endif
