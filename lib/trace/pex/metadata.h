/* The XML part of a trace: the description of its records in NAME.pex. See pex(5), Metadata.
 * Elements outside the root's namespace, and attributes with a namespace, are not interpreted.
 * Outputs copy the document, and change it only at certain offsets (struct places). */
#ifndef TRACE_PEX_METADATA_H
#define TRACE_PEX_METADATA_H

#include "base/real.h"
#include "trace/event.h"
#include "trace/pex/document.h"

#include <stdbool.h>
#include <stdint.h>

/* --- Values of a payload as text ----------------------------------------------------------- */

enum value_kind {
    VALUE_UNSIGNED, /* type="u64", or an unknown type, or none */
    VALUE_SIGNED,   /* i64 */
    VALUE_REAL,     /* f64: IEEE 754 */
    VALUE_ADDRESS
};

enum { VALUE_TEXT_MAX = REAL_TEXT_MAX };

/* Write a value without a NUL into VALUE_TEXT_MAX bytes, and return the end of the text. A real
 * number has the fewest digits that restore it, or is "inf", "-inf", or "nan". */
char *value_put(char *at, enum value_kind kind, uint64_t bits);

bool value_is_decimal(enum value_kind kind, uint64_t bits);

/* --- Meaning: for stat/meaning to read; cellsync-events(5), MEANING ----------------------- */

#define SAID_TYPE UINT32_MAX        /* the element is a recordType */
#define SAID_STATE (UINT32_MAX - 1) /* the element is a state, outside of all recordTypes */
#define SAID_PLACE (UINT32_MAX - 2) /* the element states a place (node, cell, or spe) */
#define SAID_TOPOLOGY (UINT32_MAX - 3)

struct said_meaning {
    struct element element;
    uint16_t id;    /* id of the element's recordType */
    char *type;     /* name of the recordType if events of the trace have names; otherwise NULL */
    uint32_t field; /* index of the field in its recordType, or one of the constants SAID_TYPE to
                     * SAID_TOPOLOGY */
};

struct said_meanings {
    struct said_meaning *items; /* elements that explain events, in the order of the document */
    size_t count, capacity;
};

/* Append *of with another `type` (or NULL) and `field`. Returns false if memory runs out. */
bool said_meanings_copy(struct said_meanings *said, const struct said_meaning *of, const char *type,
                        uint32_t field);

void said_meanings_fini(struct said_meanings *said);

/* --- Recorded processes: cellsync-run(5), RUNS -------------------------------------------- */

enum said_complete {
    COMPLETE_UNSAID, /* the document does not describe a recorded process */
    COMPLETE_NO,
    COMPLETE_EXEC, /* the process went on as another program, after exec */
    COMPLETE_YES
};

struct said_process {
    enum said_complete complete;
    char *host, *clock_id; /* "" if the attribute is missing */
    uint64_t pid, lost;
};

/* --- Addresses: cellsync-events(5), SYMBOLS ----------------------------------------------- */

/* Elements about symbols, unchecked, in the order of the document. */
struct said_symbols {
    struct element *items; /* elements image, symbols, and symbol */
    size_t count, capacity;
};

/* --- Threads of a synchronized .pex: pex(5), Synchronized traces --------------------------- */

struct table_thread {
    bool ppe;
    uint32_t context;
    uint32_t decr_first;
    uint64_t spe; /* number of the SPE (a processor), or CSY_NO_SPE */
    uint64_t first_record, records;
    int64_t offset_ticks, earliest_ticks, latest_ticks;
};

/* The rows of a table of threads, up to the first invalid row, sorted by first record. */
struct table_rows {
    struct table_thread *threads;
    size_t count, capacity;
    const char *fault; /* fault of the first invalid row, or NULL */
    bool fault_ppe;
    long fault_line;
};

void table_rows_fini(struct table_rows *rows);

/* --- Order: roles of recordTypes, and fields that hold keys; pex(5), Order of events ------- */

#define FIELD_SELF UINT32_MAX       /* @self in a key: the rank of the event's thread */
#define FIELD_NONE (UINT32_MAX - 1) /* no field */

/* A number that is the same for all events of a type, or is in a field of each event. */
struct said_number {
    bool is_there;
    uint32_t field; /* index of the field with the number; FIELD_NONE: `value` */
    uint64_t value;
};

struct type_order {
    uint16_t id;
    uint32_t roles;         /* set of bits 1 << e, where e is a csy_end such as send or receive */
    uint32_t match, nmatch; /* fields that form the key, for example of a message: nmatch elements
                             * of type_orders.fields, from index `match` on */
    bool collective;        /* true if the event is a collective operation */
    bool sync, before;      /* sync: true if a send waits for its receive; before: true if the
                             * timestamp was taken before the event */
    enum collective_kind kind;
    uint32_t turn, instance, thread, root, sent, received; /* fields, or FIELD_NONE */
    uint32_t same, nsame;
    uint32_t other_time; /* field with a time of the PPE (main processor), or FIELD_NONE */
    struct said_number latency, latency_max, capacity, within;
};

struct type_orders {
    struct type_order *items; /* sorted by id after metadata_parse */
    size_t count, capacity;
    uint32_t *fields;
    size_t nfields, fields_capacity;
    uint32_t nmatch_most; /* greatest number of fields in a key */
    bool limit, compare;  /* limit: true if the values of some type's events may limit clock
                           * offsets; compare: true if some type has the attribute other_clock */
    bool moments;         /* true if a type has `same`, a moment that events share */
    char *fault;          /* first fault of the document, or NULL */
    long fault_line;
};

const struct type_order *type_orders_find(const struct type_orders *orders, uint16_t id);
/* Returns true if events of some type have a role that orders them, such as send or lock, apart
 * from spawn and join. Also returns true if `limit` is true. */
bool type_orders_have_keys(const struct type_orders *orders);

/* --- The document -------------------------------------------------------------------------- */

/* A recordType: a kind of record that the document describes. */
struct record_type {
    uint16_t id;
    uint32_t name;  /* index in event_types.names */
    uint32_t field; /* index in event_types.fields */
    uint32_t nnamed, nfields;
    bool typed; /* true if some fields are not unsigned integers */
};

/* Types of events with numeric ids, and their fields. */
struct event_types {
    struct record_type *items; /* sorted by id */
    size_t count;
    uint32_t *fields; /* index in `names` of each field's name */
    uint8_t *kinds;   /* enum value_kind of each field */
    size_t nfields;
    bool typed;  /* true if some values of any type are not unsigned integers */
    char *names; /* names, each with a NUL; index 0 means that there is no name */
    size_t names_size;
};

struct listed_thread {
    uint32_t tid;
    uint32_t name; /* index in event_types.names, or 0 if there is no name */
};

/* The rank of a PPE thread or an SPE context. In a key, @self stands for this rank. */
struct listed_rank {
    bool spe;
    uint32_t id; /* tid of a PPE thread, or context of an SPE */
    uint64_t rank;
};

struct said_file {
    char *href;   /* name of the file, or NULL if the .pex contains the records */
    char *buffer; /* unique name of the buffer */
    bool gzip;
    bool has_rank;
    uint64_t rank;
    struct tag place; /* start tag of the element */
    bool event80;     /* true if the file is an event log (event80) of the context `context` */
    uint32_t context;
    bool little; /* true if numbers in the log are little-endian */
    bool ends;   /* true if a timestamp is the end of its record, false if it is the begin */
    bool pages;  /* true if the log consists of pages with headers */
};

/* Byte offsets of the tags that a program must change or follow with new text when it writes a
 * changed copy of the document. */
struct places {
    size_t size;      /* size of the document in bytes */
    char *prefix;     /* namespace prefix of the root with a colon, or "" */
    struct tag clock; /* start tag of the first element clock; empty if there is none */
    struct tag root_end;
    enum letters letters;
};

struct metadata {
    uint64_t timebase_hz;
    char *machine;    /* name of the machine, or "" */
    unsigned version; /* version of the format: 1 or 2 */
    struct said_file *files;
    size_t nfiles; /* number of record files; version 1 reads only the first one */
    bool event80;  /* true if the files are event logs (event80) */
    enum granularity granularity;
    enum block_after block_after;
    bool sends_complete;         /* true if the document states that the trace has all sends */
    uint64_t block_records;      /* most records in a block, not counting its flush; 0: no limit */
    struct said_process process; /* set only in version 2 */
    bool has_rank; /* true if the process has a rank; its threads and files may have other ranks */
    uint64_t rank;
    struct listed_rank *ranks; /* sorted by `spe`, then by `id` */
    size_t nranks;
    struct type_orders orders; /* set only in version 2 */
    struct said_meanings meanings;
    struct said_symbols symbols;
    bool global;   /* true if cellsync has synchronized the trace already */
    bool notifier; /* true if the document has an element switch_source with kind="notifier" */
    struct places places;
    struct element table;   /* the document's last element with the name synchronization */
    struct table_rows rows; /* rows of `table`, if `global` is true */
    struct event_types types;
    struct listed_thread *listed; /* PPE threads in the last element threads */
    size_t nlisted;
};

/* Parse XML. Messages contain `name`. Call metadata_fini even after a failure. *out needs at most
 * about as much memory as the document. */
csy_status metadata_parse(const char *name, const char *xml, size_t size, struct metadata *out,
                          csy_error *error);
void metadata_fini(struct metadata *m);

/* Returns the rank for which @self stands in records of thread or context `id` in a file. */
uint64_t metadata_self(const struct metadata *m, bool spe, uint32_t id, size_t file);

/* --- Types of events ----------------------------------------------------------------------- */

const struct record_type *types_of_id(const struct event_types *types, uint16_t id);

/* Returns the name of an event, or "". The format defines names of some PPE events (GENERAL). */
const char *types_event_name(const struct event_types *types, uint16_t id, bool spe);

/* Returns the name of a field, which is unique in its type, or NULL if it has none. */
const char *types_field_name(const struct event_types *types, const struct record_type *type,
                             size_t field);

/* Return the name of an event or field, or write "0x0605" or "value2" into `text`. */
enum { TYPE_TEXT_MAX = 32 };
const char *types_event_text(const struct event_types *types, uint16_t id, bool spe,
                             char text[TYPE_TEXT_MAX]);
const char *types_field_text(const struct event_types *types, uint16_t id, size_t field,
                             char text[TYPE_TEXT_MAX]);

/* Returns the type with the id if some of its values are not unsigned integers, otherwise NULL. */
const struct record_type *types_typed(const struct event_types *types, uint16_t id);

/* Returns the kind of a value. If `type` is NULL, values are unsigned integers. */
enum value_kind types_value_kind(const struct event_types *types, const struct record_type *type,
                                 size_t field);

/* Returns the text at the index `place` of types->names, or NULL if `place` is 0. */
const char *types_text(const struct event_types *types, uint32_t place);

#endif
