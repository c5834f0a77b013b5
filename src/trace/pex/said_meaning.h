/* What a document says of what its events mean, for src/meaning to read.  pex(5), Meaning. */
#ifndef TRACE_PEX_SAID_MEANING_H
#define TRACE_PEX_SAID_MEANING_H

#include "trace/pex/element.h"

#define SAID_TYPE UINT32_MAX        /* a recordType */
#define SAID_STATE (UINT32_MAX - 1) /* a state, which is of no type; as the next ones */
#define SAID_PLACE (UINT32_MAX - 2) /* or a trace_file that says where its context is */
#define SAID_TOPOLOGY (UINT32_MAX - 3)

struct said_meaning {
    struct element element;
    uint16_t id;    /* of the type */
    char *type;     /* its name, where events are told by names; else NULL */
    uint32_t field; /* its place, or SAID_TYPE, SAID_STATE */
};

struct said_meanings {
    struct said_meaning *items; /* in the order of the document */
    size_t count, capacity;
};

/* Keep an element if it has an attribute that says something; false without memory. */
bool said_meanings_add(struct said_meanings *said, const struct element *element, uint16_t id,
                       uint32_t field);

/* A copy of one at the end, of a type of that name, or NULL; false without memory. */
bool said_meanings_copy(struct said_meanings *said, const struct said_meaning *of, const char *type,
                        uint32_t field);

void said_meanings_fini(struct said_meanings *said);

#endif
