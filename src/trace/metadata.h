/*
 * The XML half of a trace: what NAME.pex says about its records.  pex(5), Metadata.
 *
 * The document is kept as it was parsed, so that everything in it can be written again.  Elements
 * of another namespace than the root's, and attributes of any, are carried and never read.
 */
#ifndef TRACE_METADATA_H
#define TRACE_METADATA_H

#include "trace/table_rows.h"

/* No document is longer. */
enum { DOCUMENT_BYTES_MAX = 256 * 1024 * 1024 };

/* A payload value that the document describes. */
struct record_field {
    const char *name; /* belongs to the document; NULL: valueN, with N its place from 0 */
    size_t order;
};

/* A kind of record that the document describes. */
struct record_type {
    uint16_t id;
    size_t order;     /* in the document */
    const char *name; /* belongs to the document */
    size_t field;     /* its first, among metadata.fields; names differ */
    size_t nfields;
};

struct metadata {
    xmlDoc *doc;
    uint64_t timebase_hz;
    char *machine; /* "" where there is none */
    char *href;    /* NULL: embedded */
    bool gzip;
    bool global;   /* clock kind="global": already synchronized */
    bool notifier; /* switch_source kind="notifier" */
    /* Rows of a table behind a global clock are taken out of the document, up to a bad one. */
    const xmlNode *clock; /* the first one */
    const xmlNode *table; /* the synchronization element that had the rows */
    struct table_rows rows;
    bool rows_stay;            /* there was a bad one */
    struct record_type *types; /* sorted by id */
    size_t ntypes;
    struct record_field *fields;
    size_t nfields;
};

/* Parse `size` bytes of XML; name is for messages.  The caller calls metadata_fini even after a
 * failure.  DTDs are refused, nothing is ever fetched. */
csy_status metadata_parse(const char *name, const char *xml, size_t size, struct metadata *out,
                          csy_error *error);
void metadata_fini(struct metadata *m);

/* What is said of this id, or NULL. */
const struct record_type *metadata_type(const struct metadata *m, uint16_t id);

/* The name of a record's event, or NULL.  The format's own names of group GENERAL are for the PPE's
 * records only. */
const char *metadata_event_name(const struct metadata *m, uint16_t id, bool spe);

/* Whether node is an element of this name and of the namespace of kin, which is one of ours. */
bool metadata_is_called(const xmlNode *node, const xmlNode *kin, const char *name);

/* The first such child of an element of ours, or NULL. */
xmlNode *metadata_child(const xmlNode *parent, const char *name);

/* The root's last child element called `name`, or NULL. */
xmlNode *metadata_last_child(const struct metadata *m, const char *name);

/* An attribute that holds a number (decimal, or hexadecimal behind 0x); false where it is missing
 * or holds something else. */
bool metadata_number(xmlNode *node, const char *attribute, uint64_t *out);

/* An attribute that holds signed ticks, or -inf (INT64_MIN) or inf (INT64_MAX). */
bool metadata_ticks(xmlNode *node, const char *attribute, int64_t *out);

/* An attribute that holds a fraction: "3" or "7/2". */
bool metadata_fraction(xmlNode *node, const char *attribute, csy_fraction *out);

/* A copy of an attribute's value, or NULL; the caller frees it with xmlFree. */
char *metadata_text(xmlNode *node, const char *attribute);

/* Whether an attribute is there and holds this text. */
bool metadata_is(xmlNode *node, const char *attribute, const char *text);

#endif
