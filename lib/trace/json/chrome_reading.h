/* The data that chrome.c reads, and in which chrome_tie.c finds the relations of events. */
#ifndef TRACE_JSON_CHROME_READING_H
#define TRACE_JSON_CHROME_READING_H

#include "trace/json/items.h"
#include "trace/json/json.h"

struct chrome_clocks;
struct chrome_counts;

enum { TEXT_ROOM = 256, NO_DOCUMENT_RANK = -1 };

/* A short text, cut to the size of the array. */
struct text {
    char bytes[TEXT_ROOM];
    size_t size;
};

/* A number in an event that may be missing. */
struct number {
    bool has;
    int64_t value;
};

enum operation {
    OPERATION_NONE,
    OPERATION_OF_ALL,    /* each member waits for all others */
    OPERATION_FROM_ROOT, /* each member waits for the root */
    OPERATION_TO_ROOT    /* the root waits for each member */
};

/* A rank's part in a collective operation. */
struct member {
    uint32_t item, document;
    uint32_t series; /* series of operations of one group */
    uint32_t launch; /* key of the launch of a kernel; otherwise NO_TEXT */
    uint32_t ranks;  /* ranks of the group, as a text of `lists`, or NO_TEXT */
    enum operation operation;
    struct number root; /* rank of the root in the group */
    struct number external;
    bool has_sequence;
    uint64_t sequence;
};

/* The root of a collective operation, from its record on the CPU, whose id the kernel has. */
struct named_root {
    uint32_t document;
    int64_t external, root;
};

/* An end of a flow, or of the relation between a launch and its kernel. */
struct end {
    uint32_t key, item;
    bool begins;
};

/* Work that a launch put on a lane. A lane is a stream of a GPU, or all streams of a context. */
struct work {
    uint32_t lane, item;
    /* key of the launch, later replaced by the track of the call */
    uint32_t launch;
    int64_t launch_ticks; /* begin of the call, set later */
};

/* A call that waits until the work on a lane is done. */
struct wait {
    uint32_t call; /* key of the call */
    uint32_t copy; /* the item for which the call waits; NO_TEXT: it waits for a lane */
    uint32_t lane;
    /* key of the call that recorded an event: later work is not waited for; NO_TEXT: this call */
    uint32_t record;
};

/* The end of item `from` precedes the end of item `to`. */
struct order {
    uint32_t from, to;
};

struct document {
    size_t first; /* first item of the document */
    const char *prefix;
    int64_t base_ticks, rank;
    bool has_step;
    int64_t step, step_ticks; /* first ProfilerStep */
    /* clock of the first process that is not a GPU, or NO_TEXT */
    uint32_t main_clock;
};

struct process {
    uint32_t document, clock;
    bool is_gpu, numbered;
    char *label;
};

struct thread_of {
    /* top: innermost open event whose end is a separate event, or NO_TEXT */
    uint32_t process, top;
    char *label;
};

struct reading {
    struct json_reading json;
    uint64_t first_place; /* place where the file begins */
    const char *prefix;   /* prefix for names in this file, or NULL */
    struct items *items;
    struct chrome_clocks *clocks;
    struct chrome_counts *counts;
    struct document *documents;
    size_t ndocuments, documents_capacity;
    struct process *processes; /* by process, as numbered in clocks->processes */
    size_t processes_capacity;
    struct texts threads; /* texts of the form "PROCESS THREAD" */
    struct thread_of *thread_of;
    size_t threads_capacity;
    uint32_t *below; /* by item: the open event that contains it */
    size_t below_capacity;
    struct texts series, keys, names; /* names: names of clocks as shown */
    struct member *members;
    size_t nmembers, members_capacity;
    struct end *ends;
    size_t nends, ends_capacity;
    struct texts lanes, lists; /* lists: texts with the ranks of groups */
    struct named_root *roots;
    size_t nroots, roots_capacity;
    struct work *work;
    size_t nwork, work_capacity;
    struct wait *waits;
    size_t nwaits, waits_capacity;
    struct order *orders;
    size_t norders, orders_capacity;
    uint64_t unclosed, unknown_roots;
    /* The event that is being read. */
    uint64_t place;
    char phase;
    bool has_time, has_duration, has_sequence, bare;
    struct number root, elements, external, context, stream, wait_stream;
    int64_t time_ticks, duration_ticks;
    uint64_t sequence;
    /* Process and thread of the previous event in the same document. */
    bool has_last;
    struct text last_process, last_thread;
    uint32_t last_process_number, last_thread_number;
    struct text process, thread, name, category, id, correlation, collective, group, label, ranks,
        sync, wait_record;
};

/* Find the relations of all items. Sorts ends, members, records, and work. */
csy_status chrome_tie(struct reading *r, csy_error *error);

#endif
