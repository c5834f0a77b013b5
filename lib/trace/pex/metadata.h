/*
 * The XML half of a trace: the description of its records in NAME.pex. pex(5), Metadata.
 *
 * The contents of the document are kept, and the places in its bytes that an output changes.
 * Elements of another namespace than the root's, and attributes with a namespace, are copied and
 * never read.
 */
#ifndef TRACE_PEX_METADATA_H
#define TRACE_PEX_METADATA_H

#include "base/real.h"
#include "trace/event.h"
#include "trace/pex/element.h"
#include "trace/pex/tags.h"

#include <stdbool.h>
#include <stdint.h>

/* --- Values of a payload as text ----------------------------------------------------------- */

/* The type of the 64 bits of a value. */
enum value_kind {
    VALUE_UNSIGNED, /* u64, and unknown types */
    VALUE_SIGNED,   /* i64 */
    VALUE_REAL,     /* f64: IEEE 754 */
    VALUE_ADDRESS
};

enum { VALUE_TEXT_MAX = REAL_TEXT_MAX };

/* Write a value at `at`, without a NUL, and return its end; there must be room for VALUE_TEXT_MAX
 * characters, which may all be overwritten.  A real number gets the fewest digits that read back
 * the same, with a point in any locale; otherwise "inf", "-inf", or "nan".  An address is written
 * as by number_put_address. */
char *value_put(char *at, enum value_kind kind, uint64_t bits);

/* True if its text is a decimal number. */
bool value_is_decimal(enum value_kind kind, uint64_t bits);

/* --- Meaning: for stat/meaning to read; cellsync-events(5), MEANING ----------------------- */

#define SAID_TYPE UINT32_MAX        /* a recordType */
#define SAID_STATE (UINT32_MAX - 1) /* a state, which has no type; the same for the next ones */
#define SAID_PLACE (UINT32_MAX - 2) /* or a trace_file that says where its context is */
#define SAID_TOPOLOGY (UINT32_MAX - 3)

struct said_meaning {
    struct element element;
    uint16_t id;    /* of the type */
    char *type;     /* its name, if events have names; otherwise NULL */
    uint32_t field; /* its place, or SAID_TYPE, SAID_STATE */
};

struct said_meanings {
    struct said_meaning *items; /* in the order of the document */
    size_t count, capacity;
};

/* A copy of one at the end, of a type of that name, or NULL; false without memory. */
bool said_meanings_copy(struct said_meanings *said, const struct said_meaning *of, const char *type,
                        uint32_t field);

void said_meanings_fini(struct said_meanings *said);

/* --- Recorded processes: cellsync-run(5), RUNS -------------------------------------------- */

enum said_complete {
    COMPLETE_UNSAID, /* it is no process of a run */
    COMPLETE_NO,
    COMPLETE_EXEC, /* the process went on as another program */
    COMPLETE_YES
};

struct said_process {
    enum said_complete complete;
    char *host, *clock_id; /* "" where they are not said */
    uint64_t pid, lost;
};

/* --- Addresses: cellsync-events(5), SYMBOLS ----------------------------------------------- */

/* Elements in the order of the document; none is refused when it is read. */
struct said_symbols {
    struct element *items; /* image, symbols and symbol */
    size_t count, capacity;
};

/* --- Threads of a synchronized .pex: pex(5), Synchronized traces --------------------------- */

struct table_thread {
    bool ppe;
    uint32_t context;
    uint32_t decr_first;
    uint64_t spe; /* or CSY_NO_SPE */
    uint64_t first_record, records;
    int64_t offset_ticks, earliest_ticks, latest_ticks;
};

/* In the order of first records, up to the first bad one. */
struct table_rows {
    struct table_thread *threads;
    size_t count, capacity;
    const char *fault; /* its fault, or NULL */
    bool fault_ppe;
    long fault_line;
};

void table_rows_fini(struct table_rows *rows);

/* --- Order: roles of recordTypes, and fields that hold keys; pex(5), Order of events ------- */

/* A field's place in the payload. */
#define FIELD_SELF UINT32_MAX       /* no field: who records */
#define FIELD_NONE (UINT32_MAX - 1) /* nothing is named */

/* A number that is said, or a field that holds it. */
struct said_number {
    bool is_there;
    uint32_t field; /* FIELD_NONE: it is */
    uint64_t value;
};

struct type_order {
    uint16_t id;
    uint32_t roles;         /* 1 << csy_end of each */
    uint32_t match, nmatch; /* fields of the key, among type_orders.fields */
    bool collective;        /* it enters and leaves, or has a kind */
    bool sync, before;      /* for a send; for the timestamp */
    enum collective_kind kind;
    uint32_t turn, instance, thread, root, sent, received; /* fields */
    uint32_t same, nsame;                                  /* fields of a moment's key; the same */
    uint32_t other_time;                                   /* the field with a time of the PPE */
    struct said_number latency, latency_max, capacity, within;
};

struct type_orders {
    struct type_order *items; /* sorted by id, once type_orders_sort was called */
    size_t count, capacity;
    uint32_t *fields;
    size_t nfields, fields_capacity;
    uint32_t nmatch_most; /* fields of a key */
    bool limit, compare;  /* types state limits; among them readings of the PPE's clock */
    bool moments;         /* and moments */
    char *fault;          /* the first fault, or NULL */
    long fault_line;
};

const struct type_order *type_orders_find(const struct type_orders *orders, uint16_t id);
/* True if any of them has a role besides spawn and join, or states a limit. */
bool type_orders_have_keys(const struct type_orders *orders);

/* --- The document -------------------------------------------------------------------------- */

/* A kind of record that the document describes. */
struct record_type {
    uint16_t id;
    uint32_t name;  /* its place among event_types.names */
    uint32_t field; /* its first, among event_types.fields */
    uint32_t nnamed, nfields;
    bool typed; /* a value of it is other than unsigned */
};

/* Events that have numbers for types: what types are called, and their fields. */
struct event_types {
    struct record_type *items; /* sorted by id */
    size_t count;
    uint32_t *fields; /* places of their names among `names` */
    uint8_t *kinds;   /* enum value_kind of each field */
    size_t nfields;
    bool typed;  /* a type is */
    char *names; /* texts that end in a NUL; the first is empty and stands for none */
    size_t names_size;
};

/* A thread of the PPE that the document names. */
struct listed_thread {
    uint32_t tid;
    uint32_t name; /* its place among event_types.names; 0: none */
};

/* Who @self is, where the document says so. */
struct listed_rank {
    bool spe;
    uint32_t id; /* tid or context */
    uint64_t rank;
};

/* A trace_file. */
struct said_file {
    char *href;   /* NULL: embedded */
    char *buffer; /* its name, which no other one has */
    bool gzip;
    bool has_rank;
    uint64_t rank;
    struct tag place; /* of its start tag */
    bool event80;     /* a log of one context: */
    uint32_t context;
    bool little; /* its byte order */
    bool ends;   /* its timestamps are ends */
    bool pages;  /* it has headers at regular distances */
};

/* Places where an output changes the document, as offsets in its bytes. */
struct places {
    size_t size;      /* of the document */
    char *prefix;     /* the prefix before the root's name, with its colon, or "" */
    struct tag clock; /* the first clock's; of no bytes where there is none */
    struct tag root_end;
    enum letters letters;
};

struct document_bytes;

struct metadata {
    uint64_t timebase_hz;
    char *machine;    /* "" where there is none */
    unsigned version; /* 1 or 2 */
    struct said_file *files;
    size_t nfiles; /* of version 1 one; others are carried */
    bool event80;  /* they are logs of contexts */
    enum granularity granularity;
    enum block_after block_after;
    bool sends_complete;         /* it states that no send is missing */
    uint64_t block_records;      /* of blocks without BUFFER_FLUSH, at most; 0: any number */
    struct said_process process; /* of version 2 */
    bool has_rank; /* a process element says who @self is, where nothing nearer does: */
    uint64_t rank;
    struct listed_rank *ranks; /* sorted */
    size_t nranks;
    struct type_orders orders; /* of version 2 */
    struct said_meanings meanings;
    struct said_symbols symbols;
    bool global;   /* clock kind="global": already synchronized */
    bool notifier; /* switch_source kind="notifier" */
    struct places places;
    struct element table;   /* the last synchronization element */
    struct table_rows rows; /* its rows, if the clock is global */
    struct event_types types;
    struct listed_thread *listed; /* by the last threads element */
    size_t nlisted;
};

/* Parse `size` bytes of XML; name is for messages.  The caller calls metadata_fini even after a
 * failure.  DTDs are refused, nothing is ever fetched.  What is kept is at most about as long as
 * the document. */
csy_status metadata_parse(const char *name, const char *xml, size_t size, struct metadata *out,
                          csy_error *error);
void metadata_fini(struct metadata *m);

/* For metadata_parse: read the n trace_file elements, of version 2 all of them. */
csy_status said_files_read(const struct document_bytes *src, const struct element *elements,
                           size_t n, bool second, const struct element *root, struct metadata *m);

/* Why a href is refused, or NULL: it must name a file below the document's folder. */
const char *said_href_fault(const char *href);

/* The rank of @self for a thread of the PPE, or a context, with records in that file. */
uint64_t metadata_self(const struct metadata *m, bool spe, uint32_t id, size_t file);

/* --- Types of events ----------------------------------------------------------------------- */

/* The type of this id, or NULL if the document does not describe it. */
const struct record_type *types_of_id(const struct event_types *types, uint16_t id);

/* The name of an event, or "".  The format's own names of group GENERAL are for the PPE's records
 * only. */
const char *types_event_name(const struct event_types *types, uint16_t id, bool spe);

/* The name of a field of a type, from 0; NULL: valueN, with N its place.  Names of a type's fields
 * differ. */
const char *types_field_name(const struct event_types *types, const struct record_type *type,
                             size_t field);

/* Names for readers: "0x0605" and "value2", written into text, if the document has none. */
enum { TYPE_TEXT_MAX = 32 };
const char *types_event_text(const struct event_types *types, uint16_t id, bool spe,
                             char text[TYPE_TEXT_MAX]);
const char *types_field_text(const struct event_types *types, uint16_t id, size_t field,
                             char text[TYPE_TEXT_MAX]);

/* The type of an id if some of its values are not unsigned; otherwise NULL. */
const struct record_type *types_typed(const struct event_types *types, uint16_t id);

/* The type of a value, counted from 0; without a type, unsigned. */
enum value_kind types_value_kind(const struct event_types *types, const struct record_type *type,
                                 size_t field);

/* A text of `names`; NULL for 0. */
const char *types_text(const struct event_types *types, uint32_t place);

#endif
