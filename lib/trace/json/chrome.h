/* Trace events of Chrome, as profilers write them: PyTorch (Kineto), VizTracer, Perfetto.
 *
 * Each process has a clock, and so has each GPU. A file may contain several documents, such as the
 * profiles of the ranks of a job. These relations order events:
 *
 *   collectives   Each member begins before any member ends. The operations are all_reduce,
 *                 barrier, all_gather, and reduce_scatter of gloo, or the kernels of NCCL. Members
 *                 of one operation have the same process group (its name, and its ranks if stated)
 *                 and the same Seq. Without Seq, operations are counted from the same ProfilerStep,
 *                 if all ranks have the same number of operations.
 *   roots         In a broadcast or scatter, the root begins before any member ends. In a reduce or
 *                 gather, each member begins before the root ends. All members must name the same
 *                 root: "Rank" of the operation, or of its record_param_comms. This is an index in
 *                 "Process Group Ranks".
 *   flows         A flow goes from its event `s` to its event `f`. Each must occur once.
 *   kernels       A kernel begins after its launch has begun; `correlation` connects the two.
 *   waiting       A call that waits for work of a GPU ends after this work. The work is a copy to
 *                 pageable memory, or work that the thread launched earlier: on the stream or
 *                 context that a `cuda_sync` record names, or before the call that recorded the
 *                 event that the record names. */
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
    CHROME_RANKS,    /* ranks of the process group */
    CHROME_ELEMENTS, /* number of elements of the message */
    CHROME_ROOT,     /* rank of the operation's root in the group */
    CHROME_EXTERNAL, /* id that connects a GPU kernel with the CPU operation that launched it */
    CHROME_CONTEXT,
    CHROME_STREAM,
    CHROME_SYNC, /* kind of a waiting call */
    CHROME_WAIT_STREAM,
    CHROME_WAIT_RECORD, /* correlation id of the call that recorded the event */
    CHROME_LABEL,       /* name of a process or thread, in a metadata event */
    CHROME_BASE,
    CHROME_RANK,
    CHROME_CORRECTED, /* key of a file that cellsync has corrected */
    CHROME_WRITER,    /* name of the program that wrote the file */
    CHROME_FIELDS
};

extern const struct json_object chrome_root;

/* Number of decimals that are used in a time in microseconds. */
enum { CHROME_DECIMALS = 3 };

struct chrome_counts {
    uint64_t events, flows, reused_flows, launches, collectives, unclear, rooted, waits, backwards;
};

/* The clocks of processes, for the reader and the writer of Chrome JSON. */
struct chrome_clocks {
    struct texts processes; /* texts of the form "DOCUMENT PROCESS" */
    uint32_t *clock_of;     /* for each process in `processes`: number of its clock */
    int64_t *bases;         /* for each document: number of ticks that were added to its times */
    size_t nbases, bases_capacity;
};

/* The contents of a trace that was read from JSON, with the clocks of Chrome JSON. */
struct json_trace {
    struct items items;
    struct chrome_clocks clocks;
};

/* Returns the contents of a trace that a source in trace/json has read. */
const struct json_trace *json_trace_of(const struct csy_trace *trace);

void chrome_clocks_fini(struct chrome_clocks *clocks);

/* Returns the clock of a process of a document, or NO_TEXT if the process has no events. */
uint32_t chrome_clock(const struct chrome_clocks *clocks, size_t document, const char *process,
                      size_t size);

/* Read all events of items->parts, and find the relations between them. Messages contain `name`. */
csy_status chrome_read(struct items *items, const char *name, struct chrome_clocks *clocks,
                       struct chrome_counts *counts, csy_error *error);

#endif
