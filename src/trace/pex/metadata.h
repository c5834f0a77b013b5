/*
 * The XML half of a trace: what NAME.pex says about its records.  pex(5), Metadata.
 *
 * Of the document is kept what it says, and where in its bytes an output changes it.  Elements of
 * another namespace than the root's, and attributes of any, are carried and never read.
 */
#ifndef TRACE_PEX_METADATA_H
#define TRACE_PEX_METADATA_H

#include "trace/pex/field_values.h"
#include "trace/pex/said_meaning.h"
#include "trace/pex/said_process.h"
#include "trace/pex/said_symbols.h"
#include "trace/pex/table_rows.h"
#include "trace/pex/tags.h"
#include "trace/pex/type_order.h"

/* A kind of record that the document describes. */
struct record_type {
    uint16_t id;
    uint32_t name;  /* its place among metadata.names */
    uint32_t field; /* its first, among metadata.fields */
    uint32_t nnamed, nfields;
    bool typed; /* a value of it is other than unsigned */
};

/* A thread of the PPE that the document names. */
struct listed_thread {
    uint32_t tid;
    uint32_t name; /* its place among metadata.names; 0: none */
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
    bool ends;   /* its time stamps are those of ends */
    bool pages;  /* it has a header every so many records */
};

/* What the order of records in a file tells. */
enum granularity {
    GRANULARITY_RECORD, /* each took its place in the buffer when it was stamped */
    GRANULARITY_THREAD, /* those of one thread are in the order in which it wrote them */
    GRANULARITY_BLOCK   /* so are they, and blocks of them took their places in the buffer */
};

/* Where the document is changed.  Offsets in its bytes. */
struct places {
    size_t size;      /* of the document */
    char *prefix;     /* what is before the root's name, as written: nothing, or a prefix and : */
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
    struct element table;      /* the last synchronization element */
    struct table_rows rows;    /* its rows, if the clock is global */
    struct record_type *types; /* sorted by id */
    size_t ntypes;
    uint32_t *fields; /* places of their names among `names` */
    uint8_t *kinds;   /* of each an enum value_kind */
    size_t nfields;
    bool typed;                   /* a type is */
    struct listed_thread *listed; /* by the last threads element */
    size_t nlisted;
    char *names; /* texts that end in a NUL; the first is empty and stands for none */
    size_t names_size;
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

/* Who @self is of a thread of the PPE, or of a context, with records in that file. */
uint64_t metadata_self(const struct metadata *m, bool spe, uint32_t id, size_t file);

/* What is said of this id, or NULL. */
const struct record_type *metadata_type(const struct metadata *m, uint16_t id);

/* The name of a record's event, or NULL.  The format's own names of group GENERAL are for the PPE's
 * records only. */
const char *metadata_event_name(const struct metadata *m, uint16_t id, bool spe);

/* The name of a field of a type, from 0; NULL: valueN, with N its place.  Names of a type's fields
 * differ. */
const char *metadata_field_name(const struct metadata *m, const struct record_type *type,
                                size_t field);

/* The type of this id if a value of it is other than unsigned; else NULL. */
const struct record_type *metadata_typed(const struct metadata *m, uint16_t id);

/* What a value of such a type is, from 0; type NULL: unsigned. */
enum value_kind metadata_value_kind(const struct metadata *m, const struct record_type *type,
                                    size_t field);

/* A text of `names`; NULL for 0. */
const char *metadata_name(const struct metadata *m, uint32_t place);

#endif
