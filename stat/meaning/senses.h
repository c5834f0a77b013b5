/*
 * Senses: the meanings of events of a trace, each kind looked up once.
 *
 * The last document that was added goes first, then the others, the trace itself, and the built-in
 * vocabulary; within a document the first rule for a kind counts. cellsync-events(5), MEANING.
 */
#ifndef MEANING_SENSES_H
#define MEANING_SENSES_H

#include "base/keys.h"
#include "base/texts.h"
#include "meaning/meaning.h"
#include "meaning/rules.h"
#include "trace/pex/symbol_files.h"
#include "trace/source.h"
#include "trace/symbols.h"

/* Places of fields in events. */

#define NO_COLUMN UINT32_MAX

/* A field of events of a kind. */
struct field_at {
    enum field_where { AT_NOWHERE, AT_VALUE, AT_COLUMN, AT_WORD } where;
    uint32_t place;       /* of the value or column; of a word where words have no names */
    const char *names[2]; /* of a word, from a rule; NULL: not said */
    enum field_of of;
    uint64_t unit; /* bytes of a counted item; 0: unknown */
};

struct fields {
    struct field_at at[FIELD_ROLES];
};

/* Columns of a CSV with a meaning by their names, or NO_COLUMN. */
struct columns {
    uint32_t state, values, node, cell;
    uint32_t of_roles[FIELD_ROLES];
};

/* Get the value of a field as a text, or as a number (negative numbers modulo 2^64).  Returns false
 * if the event has no such field, or if it is not a number.  Values of a .pex are numbers only.  A
 * text is valid as long as the event. */
bool fields_text(const struct field_at *at, const struct columns *columns, const csy_decoded *event,
                 csy_text *out);
bool fields_number(const struct field_at *at, const struct columns *columns,
                   const csy_decoded *event, uint64_t *out);

/* Routines that events name: each once, by a number. */

/* The last number stands for all others. */
enum { ROUTINES_MAX = 65536 };

struct routine {
    const char *name; /* shown where it is not the key's text; NULL: it is */
    const char *file; /* NULL: not known */
    uint32_t line;    /* 0: not known */
};

/* Names that rules and symbols give must outlive it. */
struct routines {
    struct texts keys; /* name, and the file of a symbol that has one */
    struct routine *items;
    size_t count, capacity;
    struct keys addresses;
    uint32_t *of_addresses; /* by their numbers */
    size_t addresses_capacity;
};

/* The number of a routine by its name; or, of an address, by the symbol that it is in, or where
 * there is none (NULL) by text.  False on no memory. */
bool routines_name(struct routines *routines, const char *name, size_t size, uint32_t *out);

/* The number of an address that was met; NO_TEXT: it was not. */
static inline uint32_t routines_known(const struct routines *routines, uint64_t address)
{
    uint32_t index;
    return keys_look(&routines->addresses, address, &index) ? routines->of_addresses[index]
                                                            : NO_TEXT;
}

/* Its name, size bytes. */
const char *routines_text(const struct routines *routines, uint32_t routine, size_t *size);

#define SENSE_NO_FIELD UINT32_MAX

enum { SENSES_IDS = UINT16_MAX + 1 };

/* The meaning of a kind of events. */
struct sense {
    enum role role : 8;
    enum state state : 8; /* that they say, or STATE_UNSAID */
    bool timed;           /* they record the time that the actor has spent */
    bool plain;           /* they concern only their writers */
    bool calls;           /* their intervals are calls of a routine */
    uint32_t class;       /* of waits, and calls that wait, a text of senses.classes, or NO_TEXT */
    uint32_t loop;        /* class of loops, a text of senses.loops, or NO_TEXT */
    uint32_t task;        /* the field that names a context */
    uint32_t routine;     /* where no field names one; NO_TEXT: the innermost */
    uint32_t kind;        /* of events, in senses.items */
};

/* True if an interval of it may be a wait. */
static inline bool sense_may_wait(const struct sense *sense)
{
    return sense->class != NO_TEXT || sense->role == ROLE_STATE;
}

struct senses {
    struct csy_trace *trace;
    const struct csy_meaning *meaning;
    struct rules own; /* of the trace */
    struct texts classes, loops;
    struct texts names; /* of kinds without an id: items are in their order */
    struct sense *items;
    struct fields *fields; /* of these */
    size_t count, capacity, fields_capacity;
    uint32_t *by_id;        /* by core and id, 1 more than the item; 0: not looked up yet */
    struct columns columns; /* of a CSV */
    struct routines routines;
    bool leaves_wanted, children_wanted, times_wanted;
    struct texts leaves;       /* events with their arguments */
    struct symbol_files files; /* named by the trace; with its own symbols: */
    struct addresses addresses;
};

/* Words of the trace that mean nothing are warnings of it (csy_trace_warning).  meaning must
 * outlive it. */
csy_status senses_init(struct senses *senses, struct csy_trace *trace,
                       const struct csy_meaning *meaning, csy_events *events, csy_error *error);
void senses_fini(struct senses *senses);

/* The routine of an event that means to enter, exit or call one; NO_TEXT: the innermost. */
csy_status senses_routine(struct senses *senses, const csy_decoded *event,
                          const struct sense *sense, uint32_t *out, csy_error *error);

#define SENSES_NO_BYTES UINT64_MAX       /* it is not said how many */
#define SENSES_BYTELESS (UINT64_MAX - 1) /* such an event is about none */

/* The bytes of an event: its own number, or its count times the bytes of each; otherwise
 * SENSES_NO_BYTES. */
uint64_t senses_bytes(const struct senses *senses, const struct sense *sense,
                      const csy_decoded *event);

/* Set *out to the leaf of an event by an actor named self: the event with its arguments, or NO_TEXT
 * if it is a call or does nothing.  *bytes is from senses_bytes, or SENSES_BYTELESS. */
csy_status senses_leaf(struct senses *senses, const csy_decoded *event, const struct sense *sense,
                       const char *self, uint32_t *out, uint64_t *bytes, csy_error *error);

/* Find the sense of an event; *out is valid until the next call. */
csy_status senses_find(struct senses *senses, csy_events *events, const csy_decoded *event,
                       struct sense *out, csy_error *error);

/* The same of records of a kind that was met; NULL: it was not. */
static inline const struct sense *senses_known(const struct senses *senses, bool spe, uint16_t id)
{
    uint32_t known = senses->by_id[(spe ? SENSES_IDS : 0) + id];
    return known > 0 ? &senses->items[known - 1] : NULL;
}

/* The documents in the order in which they count; NULL after the last. */
const struct rules *senses_document(const struct senses *senses, size_t i);

/* A field of events of this sense, which it may not have (meaning/senses.h). */
static inline const struct field_at *senses_field(const struct senses *senses,
                                                  const struct sense *sense, enum field_role role)
{
    return &senses->fields[sense->kind].at[role];
}

static inline bool senses_text(const struct senses *senses, const struct sense *sense,
                               const csy_decoded *event, enum field_role role, csy_text *out)
{
    return fields_text(senses_field(senses, sense, role), &senses->columns, event, out);
}

static inline bool senses_number(const struct senses *senses, const struct sense *sense,
                                 const csy_decoded *event, enum field_role role, uint64_t *out)
{
    return fields_number(senses_field(senses, sense, role), &senses->columns, event, out);
}

/* Write what senses_number gave at `at`, and return its end, as value_put does: by the type of the
 * field; of a text, an address that is written as one. */
char *senses_put_number(const struct senses *senses, const struct sense *sense,
                        const csy_decoded *event, enum field_role role, uint64_t value, char *at);

#endif
