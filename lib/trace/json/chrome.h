/*
 * Trace events of Chrome, as profilers write them: PyTorch (Kineto), VizTracer, Perfetto.
 *
 * Each process has a clock, and so has each GPU.  A file may contain several documents, such as the
 * profiles of the ranks of a job.  The order follows from
 *
 *   collectives   each member begins before any member ends: all_reduce, barrier, all_gather, and
 *                 reduce_scatter of gloo, or the kernels of NCCL.  Members of one operation have
 *                 the same process group (its name, and its ranks if stated) and Seq; without Seq,
 *                 the k-th operations of all ranks belong together, if each rank has as many of
 *                 them since the same ProfilerStep
 *   roots         a broadcast or scatter: the root begins before any member ends; a reduce or
 *                 gather: each member begins before the root ends.  Only if all members name the
 *                 same root: "Rank" of the operation, or of its record_param_comms, is a number in
 *                 "Process Group Ranks"
 *   flows         a flow with its begin `s` and its end `f` once each
 *   kernels       a kernel begins after its launch has begun, by `correlation`
 *   waiting       work of a GPU ends before a call ends that waits for it: a copy to pageable
 *                 memory; the work that the thread launched before on the stream or context that a
 *                 `cuda_sync` record names, or before the event was recorded that it names
 */
#ifndef TRACE_JSON_CHROME_H
#define TRACE_JSON_CHROME_H

#include "trace/json/items.h"
#include "trace/json/json.h"

/* Meanings of fields, for json_value.what. */
enum chrome_field {
    CHROME_NOTHING = JSON_WHAT_NONE,
    CHROME_DOCUMENT,
    CHROME_EVENT,
    CHROME_PHASE,
    CHROME_TIME,
    CHROME_DURATION,
    CHROME_PROCESS,
    CHROME_THREAD,
    CHROME_NAME,
    CHROME_CATEGORY,
    CHROME_ID,
    CHROME_CORRELATION,
    CHROME_COLLECTIVE,
    CHROME_GROUP,
    CHROME_SEQUENCE,
    CHROME_RANKS,    /* of the process group */
    CHROME_ELEMENTS, /* of the message */
    CHROME_ROOT,     /* the rank in the group; only operations with a root use it */
    CHROME_EXTERNAL, /* id of the operation on the CPU that launched it */
    CHROME_CONTEXT,
    CHROME_STREAM,
    CHROME_SYNC, /* which kind of waiting */
    CHROME_WAIT_STREAM,
    CHROME_WAIT_RECORD, /* correlation of the call that recorded the event */
    CHROME_LABEL,       /* the name that a metadata event gives */
    CHROME_BASE,
    CHROME_RANK,
    CHROME_CORRECTED, /* by cellsync */
    CHROME_WRITER     /* of the file */
};

extern const struct json_object chrome_root;

/* The decimals of times below a microsecond that are read. */
enum { CHROME_DECIMALS = 3 };

struct chrome_counts {
    uint64_t events, others, flows, reused_flows, launches, collectives, members, unclear, rooted,
        waits;
};

/* The clocks of processes, which the writer needs, too. */
struct chrome_clocks {
    struct texts processes; /* "DOCUMENT PROCESS" */
    uint32_t *clock_of;     /* by process */
    size_t capacity;
    int64_t *bases; /* by document: added to its times */
    size_t nbases, bases_capacity;
};

void chrome_clocks_fini(struct chrome_clocks *clocks);

/* The clock of a process of a document; NO_TEXT: it has no events. */
uint32_t chrome_clock(const struct chrome_clocks *clocks, size_t document, const char *process,
                      size_t size);

/* Read all events of items->parts, and find their relations.  name: of the trace. */
csy_status chrome_read(struct items *items, const char *name, struct chrome_clocks *clocks,
                       struct chrome_counts *counts, csy_error *error);

#endif
