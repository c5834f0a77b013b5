/* Senses: the meanings of a trace's events, looked up once for each kind.
 *
 * The last document added goes first, then the others, the trace itself, and the built-in
 * vocabulary. Within a document, the first rule for a kind counts. See cellsync-events(5),
 * MEANING. */
#ifndef MEANING_SENSES_H
#define MEANING_SENSES_H

#include "base/keys.h"
#include "base/texts.h"
#include "meaning/rules.h"
#include "trace/pex/symbol_files.h"
#include "trace/source.h"
#include "trace/symbols.h"

/* Places of fields in events. */

#define NO_COLUMN UINT32_MAX

/* Where events of a kind have a field, and how to read its value. */
struct field_at {
    enum field_where { AT_NOWHERE, AT_VALUE, AT_COLUMN, AT_WORD } where;
    /* index of the value or column; or of a word without a name */
    uint32_t place;
    const char *names[2]; /* names of a word in a rule; NULL: not stated */
    enum field_of of;
    uint64_t unit; /* bytes of an item, if it counts items; 0: unknown */
};

struct fields {
    struct field_at at[FIELD_ROLES];
};

/* Columns of a CSV with names that have a meaning; NO_COLUMN: missing. */
struct columns {
    uint32_t state, values, node, cell;
    uint32_t of_roles[FIELD_ROLES];
};

/* Get the value of a field as text, or as a number (negative ones modulo 2^64). Returns false if
 * the event has no such field or, for fields_number, no number there. In a .pex, all values are
 * numbers. A text is valid as long as the event. */
bool fields_text(const struct field_at *at, const struct columns *columns, const csy_decoded *event,
                 csy_text *out);
bool fields_number(const struct field_at *at, const struct columns *columns,
                   const csy_decoded *event, uint64_t *out);

/* Routines that events name, each with a number. */

/* Most routines. The last number stands for all others. */
enum { ROUTINES_MAX = 65536 };

struct routine {
    const char *name; /* name to show, if it differs from the key; or NULL */
    const char *file; /* NULL: unknown */
    uint32_t line;    /* 0: unknown */
};

/* All routines of a trace. Names in rules and symbols must outlive it. */
struct routines {
    struct texts keys; /* name of each routine; for a symbol with a known file, also the file */
    struct routine *items;
    size_t count, capacity;
    struct keys addresses;
    uint32_t *of_addresses; /* for each address in `addresses`, its routine */
    size_t addresses_capacity;
};

/* Find the number of a routine by its name; or of an address, by the symbol that contains it or, if
 * that is NULL, by text. Returns false if out of memory. */
bool routines_name(struct routines *routines, const char *name, size_t size, uint32_t *out);

/* The routine of an address that has occurred; otherwise NO_TEXT. */
static inline uint32_t routines_known(const struct routines *routines, uint64_t address)
{
    uint32_t index;
    return keys_look(&routines->addresses, address, &index) ? routines->of_addresses[index]
                                                            : NO_TEXT;
}

/* The name of a routine; *size is its length. */
const char *routines_text(const struct routines *routines, uint32_t routine, size_t *size);

#define SENSE_NO_FIELD UINT32_MAX

enum { SENSES_IDS = UINT16_MAX + 1 };

/* The meaning of events of one kind. */
struct sense {
    enum role role : 8;
    enum state state : 8; /* state that they report, or STATE_UNSAID */
    bool timed;           /* events have CPU times of the actor */
    bool plain;           /* events affect only their writers */
    bool calls;           /* their intervals are calls of a routine */
    /* of waits, also of calls that wait: a text of senses.classes, or NO_TEXT */
    uint32_t class;
    uint32_t loop;    /* class of loops: a text of senses.loops, or NO_TEXT */
    uint32_t task;    /* field with the number of a context */
    uint32_t routine; /* if no field names one; NO_TEXT: the innermost */
    uint32_t kind;    /* index in senses.items */
};

/* True if an interval with this sense may be a wait. */
static inline bool sense_may_wait(const struct sense *sense)
{
    return sense->class != NO_TEXT || sense->role == ROLE_STATE;
}

struct senses {
    struct csy_trace *trace;
    const struct csy_meaning *meaning;
    struct rules own; /* rules in the trace itself */
    struct texts classes, loops;
    struct texts names; /* names of kinds without an id, ordered as `items` */
    struct sense *items;
    struct fields *fields; /* for each kind in `items` */
    size_t count, capacity, fields_capacity;
    uint32_t *by_id;        /* for each core and id: index in `items` plus 1; 0: not looked up */
    struct columns columns; /* columns of a CSV that have a meaning */
    struct routines routines;
    bool leaves_wanted, children_wanted, times_wanted;
    struct texts leaves; /* events with their arguments */
    /* symbol files that the trace names, and symbols in the trace */
    struct symbol_files files;
    struct addresses addresses;
};

/* Initialize. Words in the trace without a known meaning become its warnings (csy_trace_warning).
 * `meaning` must outlive the senses. */
csy_status senses_init(struct senses *senses, struct csy_trace *trace,
                       const struct csy_meaning *meaning, csy_events *events, csy_error *error);
void senses_fini(struct senses *senses);

/* Find the routine that an event enters, exits, or calls. NO_TEXT: the innermost. */
csy_status senses_routine(struct senses *senses, const csy_decoded *event,
                          const struct sense *sense, uint32_t *out, csy_error *error);

#define SENSES_NO_BYTES UINT64_MAX       /* the number of bytes is unknown */
#define SENSES_BYTELESS (UINT64_MAX - 1) /* events of this kind have no bytes */

/* The number of bytes of an event, which it contains, or a count that it contains times the bytes
 * of an item. Otherwise SENSES_NO_BYTES. */
uint64_t senses_bytes(const struct senses *senses, const struct sense *sense,
                      const csy_decoded *event);

/* Set *out to the leaf of an event by the actor `self`, which is the event with its arguments;
 * NO_TEXT if it is a call or does nothing. *bytes is from senses_bytes, or SENSES_BYTELESS. */
csy_status senses_leaf(struct senses *senses, const csy_decoded *event, const struct sense *sense,
                       const char *self, uint32_t *out, uint64_t *bytes, csy_error *error);

/* Find the sense of an event. *out is valid until the next call. */
csy_status senses_find(struct senses *senses, csy_events *events, const csy_decoded *event,
                       struct sense *out, csy_error *error);

/* The sense of records with this core and id, if one has occurred; otherwise NULL. */
static inline const struct sense *senses_known(const struct senses *senses, bool spe, uint16_t id)
{
    uint32_t known = senses->by_id[(spe ? SENSES_IDS : 0) + id];
    return known > 0 ? &senses->items[known - 1] : NULL;
}

/* The i-th document in the order of search. NULL after the last. */
const struct rules *senses_document(const struct senses *senses, size_t i);

/* The field with this role, which may not exist (AT_NOWHERE). */
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

/* Write a number from senses_number at `at`, by the type of its field, and return its end, as
 * value_put does. An address in a text is written as one. */
char *senses_put_number(const struct senses *senses, const struct sense *sense,
                        const csy_decoded *event, enum field_role role, uint64_t value, char *at);

#endif
