/* What chrome.c reads, and chrome_tie.c relates. */
#ifndef TRACE_JSON_CHROME_READING_H
#define TRACE_JSON_CHROME_READING_H

#include "trace/json/items.h"
#include "trace/json/json.h"

struct chrome_clocks;
struct chrome_counts;

enum { TEXT_ROOM = 256, NO_DOCUMENT_RANK = -1 };

/* A short text, cut off at its room. */
struct text {
    char bytes[TEXT_ROOM];
    size_t size;
};

/* A number that an event may have. */
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

/* The member of a collective operation that a rank runs. */
struct member {
    uint32_t item, document;
    uint32_t series; /* which operation of which group */
    uint32_t launch; /* key of the launch of a kernel; NO_TEXT: it is no kernel */
    uint32_t ranks;  /* of the group, in `lists`; NO_TEXT: not stated */
    enum operation operation;
    struct number root; /* a rank in the group */
    struct number external;
    bool has_sequence;
    uint64_t sequence;
};

/* The root that the CPU's record of a collective operation names.  The kernel has its id. */
struct named_root {
    uint32_t document;
    int64_t external, root;
};

/* An end of a flow, or of a launch. */
struct end {
    uint32_t key, item;
    bool begins;
};

/* Work that a launch has put on a lane: a stream of a GPU, or all streams of a context. */
struct work {
    uint32_t lane, item;
    uint32_t launch;      /* key; later the track of its call, */
    int64_t launch_ticks; /* and the begin of its call */
};

/* A call that waits until a lane has done its work. */
struct wait {
    uint32_t call; /* key */
    uint32_t copy; /* the item that it waits for; NO_TEXT: a lane */
    uint32_t lane;
    uint32_t record; /* key of the call after whose work it does not wait; NO_TEXT: itself */
};

/* The end of an item precedes the end of another one. */
struct order {
    uint32_t from, to;
};

struct document {
    size_t first; /* item */
    const char *prefix;
    int64_t base_ticks, rank;
    bool has_step;
    int64_t step, step_ticks; /* the first step */
    uint32_t main_clock;      /* of its first process that is no GPU; NO_TEXT: none */
};

struct process {
    uint32_t document, clock;
    bool is_gpu, numbered;
    char *label;
};

struct thread_of {
    uint32_t process, top; /* the event that is open, of those with separate ends; or NO_TEXT */
    char *label;
};

struct reading {
    struct json_reading json;
    uint64_t first_place; /* of the file */
    const char *prefix;   /* of names in this file; NULL: none */
    struct items *items;
    struct chrome_clocks *clocks;
    struct chrome_counts *counts;
    struct document *documents;
    size_t ndocuments, documents_capacity;
    struct process *processes; /* by number in clocks->processes */
    size_t processes_capacity;
    struct texts threads; /* "PROCESS THREAD" */
    struct thread_of *thread_of;
    size_t threads_capacity;
    uint32_t *below; /* by item: the open event below it */
    size_t below_capacity;
    struct texts series, keys, names; /* names: of clocks, as printed */
    struct member *members;
    size_t nmembers, members_capacity;
    struct end *ends;
    size_t nends, ends_capacity;
    struct texts lanes, lists; /* lists: of the ranks of groups */
    struct named_root *roots;
    size_t nroots, roots_capacity;
    struct work *work;
    size_t nwork, work_capacity;
    struct wait *waits;
    size_t nwaits, waits_capacity;
    struct order *orders;
    size_t norders, orders_capacity;
    uint64_t unclosed, unknown_roots;
    /* The event that is read. */
    uint64_t place;
    char phase;
    bool has_time, has_duration, has_sequence, bare;
    struct number root, elements, external, context, stream, wait_stream;
    int64_t time_ticks, duration_ticks;
    uint64_t sequence;
    /* The process and the thread of the event before, in the same document. */
    bool has_last;
    struct text last_process, last_thread;
    uint32_t last_process_number, last_thread_number;
    struct text process, thread, name, category, id, correlation, collective, group, label, ranks,
        sync, wait_record;
};

/* Find the relations of all items.  Sorts ends, members, records, and work. */
csy_status chrome_tie(struct reading *r, csy_error *error);

#endif
