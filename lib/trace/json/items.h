/* The contents of a JSON trace in memory: spans, or slices of a profiler, in the order of the file.
 *
 * Each item has a begin and an end on a clock. Items of one clock are not ordered. Roles order
 * items of different clocks. Items with the same key belong to one message or one group:
 *
 *   ITEM_SEND        the message is sent at the begin of the item
 *   ITEM_SEND_END    the message is sent at the end of the item
 *   ITEM_RECV_BEGIN  the message is received at the begin of the item
 *   ITEM_RECV_END    the message is received at the end of the item
 *   ITEM_ENTER       the item begins before any item ends that leaves the group
 *   ITEM_LEAVE       the item ends after all items have begun that enter the group
 *
 * Memory: 44 bytes for each item, 4 bytes for each role, and each name once. A span needs another
 * 16 bytes of ids, and up to 11 bytes in the table of ids, until roles are known. */
#ifndef TRACE_JSON_ITEMS_H
#define TRACE_JSON_ITEMS_H

#include "base/texts.h"
#include "trace/json/json.h"
#include "trace/trace.h"

enum item_role {
    ITEM_SEND,
    ITEM_SEND_END,
    ITEM_RECV_BEGIN,
    ITEM_RECV_END,
    ITEM_ENTER,
    ITEM_LEAVE,
    ITEM_ROLES
};

enum { ITEM_ROLE_BITS = 3, ITEMS_MAX = INT32_MAX };

struct json_item {
    int64_t begin_ticks, end_ticks;
    uint64_t place; /* offset of the item in the file */
    uint32_t name;  /* number of the item's name in items.names */
    uint32_t track;
    uint8_t kind;   /* enum span_kind for a span, enum slice_kind for a slice */
    uint16_t flags; /* flags, which the reader of the format defines */
    uint32_t tag;   /* a value that only the reader of the format uses */
};

struct json_track {
    uint32_t clock;
    /* name of the track, or NULL until all files were read */
    char *name;
    uint32_t steps; /* greatest number of decimals of a begin in seconds */
    uint64_t items;
};

struct json_clock {
    char *name;
    uint64_t steps; /* steps per second; as fine as the decimals of the track that has the fewest */
};

/* A file of the trace. */
struct json_part {
    struct csy_trace *trace;
    size_t first;
    size_t document; /* for Chrome JSON: number of the file's first document */
};

struct items {
    struct json_item *all;
    size_t count, capacity;
    struct texts names, clock_names;
    struct json_track *tracks;
    size_t ntracks, tracks_capacity;
    struct json_clock *clocks;
    size_t nclocks, clocks_capacity;
    /* The roles of item i are roles[first_role[i]] to roles[first_role[i + 1] - 1]. */
    uint32_t *first_role;
    uint32_t *roles; /* key << ITEM_ROLE_BITS | enum item_role */
    uint32_t nkeys;
    struct json_part *parts;
    size_t nparts;
    /* for the file being read: event.place of its first byte; prefix for clock names, or NULL */
    uint64_t first_place;
    const char *prefix;
};

/* Places of items in file number k begin at k << ITEMS_PART_SHIFT. */
enum { ITEMS_PART_SHIFT = 44 };

/* Read the file of a part, and note where its items begin. Sets json->name. */
csy_status items_read_part(struct items *items, size_t part, struct json_reading *json,
                           csy_error *error);

void items_fini(struct items *items);

csy_status items_add(struct items *items, const struct json_item *item, const char *name,
                     size_t name_size, csy_error *error);

csy_status items_add_track(struct items *items, uint32_t clock, uint32_t *out, csy_error *error);

/* Add a clock with the name PREFIX/NAME, or NAME if the prefix is NULL. A number is appended if
 * another clock has the same name. */
csy_status items_add_clock(struct items *items, const char *prefix, const char *name, uint32_t *out,
                           csy_error *error);

static inline uint32_t items_clock(const struct items *items, size_t item)
{
    return items->tracks[items->all[item].track].clock;
}

/* Give an item a role, such as ITEM_SEND. Only the callback of items_tie may call this function. */
void items_role(struct items *items, size_t item, enum item_role role, uint32_t key);

/* Find the roles (send, receive, and so on) of all items. `tie` must call items_role for each role,
 * and set items->nkeys to the number of keys. It is called twice: first to count the roles, then to
 * store them. */
csy_status items_tie(struct items *items, void (*tie)(struct items *items, void *user), void *user,
                     csy_error *error);

/* Returns the number of events of an item: 1, and 1 each if its begin receives or its end sends. */
unsigned items_parts(const struct items *items, size_t item);

/* Set json_clock.steps of all clocks, from the decimals of the begins on their tracks. */
void items_find_steps(struct items *items);

/* --- Spans -----------------------------------------------------------------------------------
 *
 * Spans of distributed tracing, in OTLP JSON (OpenTelemetry), Jaeger, and Zipkin. For each format,
 * a tree of field names gives the meanings of fields.
 *
 * The order of events follows from calls. A span begins after its parent has begun. A server span
 * begins before its client span ends, if the client got an answer. It may end later, because a
 * server can send the answer before its span ends.
 *
 * The clock of a span is named by an attribute of its resource: host.name, otherwise k8s.node.name,
 * otherwise service.instance.id. Without these attributes, each resource has its own clock. */

/* Meanings of fields, for json_value.what. */
enum span_field {
    SPAN_NOTHING = JSON_WHAT_NONE,
    SPAN_RESOURCE, /* object with the spans of one resource */
    SPAN_RESOURCE_ATTRIBUTE,
    SPAN_KEY, /* key of an attribute */
    SPAN_VALUE,
    SPAN_SPAN,
    SPAN_TRACE_ID,
    SPAN_ID,
    SPAN_PARENT_ID,
    SPAN_NAME,
    SPAN_KIND,
    SPAN_BEGIN,
    SPAN_END,
    SPAN_DURATION,
    SPAN_STATUS,
    SPAN_LINK,
    SPAN_LINK_TRACE_ID,
    SPAN_LINK_ID,
    SPAN_LINK_TYPE,
    SPAN_TIME,          /* time of an event inside a span */
    SPAN_ATTRIBUTES,    /* object or array that can get attributes */
    SPAN_ATTRIBUTE_KEY, /* key of an attribute of a span */
    SPAN_TAG,           /* an object with a key and its value */
    SPAN_PROCESS_ID,
    SPAN_PROCESS, /* a key with an object that describes a resource */
    SPAN_SERVICE,
    SPAN_ADDRESS,
    SPAN_TRACE /* object with the spans and processes of one trace */
};

enum span_kind {
    SPAN_KIND_UNKNOWN,
    SPAN_KIND_INTERNAL,
    SPAN_KIND_SERVER,
    SPAN_KIND_CLIENT,
    SPAN_KIND_PRODUCER,
    SPAN_KIND_CONSUMER
};

/* Flags of an item. */
enum {
    SPAN_UNTIMED = 1,   /* the span has no begin, so it is not an event */
    SPAN_OPEN = 2,      /* the span has no end */
    SPAN_FAILED = 4,    /* the span ended with an error */
    SPAN_AMBIGUOUS = 8, /* other spans have the same id */
    SPAN_COPY = 16,     /* the span is a copy of another span */
    SPAN_ON_PATH = 32,  /* set only during the search for spans that are their own ancestors */
    SPAN_SEEN = 64,
    SPAN_HALF = 128,    /* the span is a server span, and its client span has the same id */
    SPAN_FOLLOWS = 256, /* the span's parent does not wait for the span */
    SPAN_ASKS = 512     /* the span is the parent of a server span without a begin */
};

/* Returns the tree of fields of a document. *root_what is set to json_reading.root_what. */
const struct json_object *spans_root(csy_format format, unsigned *root_what);

/* Returns the number of decimals of a time in seconds, at most 9. A tick is 10^-9 s. */
unsigned spans_decimals(csy_format format);

struct spans_counts {
    uint64_t spans, untimed, backwards, copies, ambiguous, orphans, cyclic, crossing;
    uint64_t foreign; /* number of JSON documents without a key of this format */
    size_t resources; /* number of clocks that no host, node, or instance names */
};

/* Read all spans of items->parts, and find their relations. Items with the flag SPAN_UNTIMED are
 * not events. */
csy_status spans_read(struct items *items, csy_format format, bool nested,
                      struct spans_counts *counts, csy_error *error);

/* --- Trace events of Chrome ------------------------------------------------------------------
 *
 * Trace events of Chrome, as profilers write them: PyTorch (Kineto), VizTracer, Perfetto.
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
    CHROME_RANKS,    /* ranks of the members of the operation's group */
    CHROME_ELEMENTS, /* number of elements of the message */
    CHROME_ROOT,     /* rank of the operation's root in the group */
    CHROME_EXTERNAL, /* id that connects a GPU kernel with the CPU operation that launched it */
    CHROME_CONTEXT,
    CHROME_STREAM,
    CHROME_SYNC, /* kind of a waiting call */
    CHROME_WAIT_STREAM,
    CHROME_WAIT_RECORD, /* id of the call that recorded the awaited CUDA event */
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
    uint64_t unnamed; /* kernels of NCCL that do not state their operation */
};

/* The clock of each process of a Chrome JSON file. */
struct chrome_clocks {
    struct texts processes; /* texts of the form "DOCUMENT PROCESS" */
    uint32_t *clock_of;     /* for each process in `processes`: number of its clock */
    int64_t *bases;         /* for each document: ticks that were added to its times
                             * (CHROME_BASE) */
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
