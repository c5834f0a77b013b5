/* Senses are the meanings of a trace's events, looked up once for each kind of events. The last
 * document added goes first, then the other documents, the trace itself, and the built-in
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

/* These functions find fields in events. */

#define NO_COLUMN UINT32_MAX

/* The place where events of a kind have a field, and how to read the value of this field. */
struct field_at {
    enum field_where { AT_NOWHERE, AT_VALUE, AT_COLUMN, AT_WORD } where;
    /* index of the value or column; for a word without a name, index of the word */
    uint32_t place;
    const char *names[2]; /* names of the word according to rules; NULL: not stated */
    enum field_of of;
    uint64_t unit; /* bytes of an item, if the field counts items; 0: unknown */
};

struct fields {
    struct field_at at[FIELD_ROLES];
};

/* Columns of a CSV whose names have a meaning. NO_COLUMN means that the column is missing. */
struct columns {
    uint32_t state, values, node, cell;
    uint32_t of_roles[FIELD_ROLES];
};

/* Get the value of a field as a text, or as a number (a negative number modulo 2^64). Returns false
 * if the event has no such field or, for fields_number, no number there. In a .pex, all values are
 * numbers. A text is valid as long as the event. */
bool fields_text(const struct field_at *at, const struct columns *columns, const csy_decoded *event,
                 csy_text *out);
bool fields_number(const struct field_at *at, const struct columns *columns,
                   const csy_decoded *event, uint64_t *out);

/* Each routine that events name has a number. */

/* The greatest number of routines. The last number stands for all other routines. */
enum { ROUTINES_MAX = 65536 };

struct routine {
    const char *name; /* name to show; NULL: the key is the name */
    const char *file; /* NULL: unknown */
    uint32_t line;    /* 0: unknown */
};

/* All routines of a trace. Names in rules and symbols must outlive this struct. */
struct routines {
    /* for each routine: its name; for a symbol with a known file, also the file */
    struct texts keys;
    struct routine *items;
    size_t count, capacity;
    struct keys addresses;
    uint32_t *of_addresses; /* for each address in `addresses`: its routine */
    size_t addresses_capacity;
};

/* Find the number of the routine with a name. Returns false if out of memory. */
bool routines_name(struct routines *routines, const char *name, size_t size, uint32_t *out);

/* Find the routine at an address that has occurred. Returns NO_TEXT for other addresses. */
static inline uint32_t routines_known(const struct routines *routines, uint64_t address)
{
    uint32_t index;
    return keys_look(&routines->addresses, address, &index) ? routines->of_addresses[index]
                                                            : NO_TEXT;
}

/* Find the name of a routine. *size is the length of the name. */
const char *routines_text(const struct routines *routines, uint32_t routine, size_t *size);

#define SENSE_NO_FIELD UINT32_MAX

enum { SENSES_IDS = UINT16_MAX + 1 };

/* The meaning of events of one kind. */
struct sense {
    enum role role : 8;
    enum state state : 8; /* state that the events report, or STATE_UNSAID */
    bool timed;           /* the events have CPU times of the actor */
    bool plain;           /* the events affect only their writers */
    bool calls;           /* intervals of the events are calls of a routine */
    /* class of waits, also of calls that wait: a text of senses.classes, or NO_TEXT */
    uint32_t class;
    uint32_t loop;    /* class of loops: a text of senses.loops, or NO_TEXT */
    uint32_t task;    /* index of the field with the number of a context */
    uint32_t routine; /* routine if no field names one; NO_TEXT: the innermost routine */
    uint32_t kind;    /* index of this sense in senses.items */
};

/* Returns true if an interval with this sense may be a wait. */
static inline bool sense_may_wait(const struct sense *sense)
{
    return sense->class != NO_TEXT || sense->role == ROLE_STATE;
}

struct senses {
    struct csy_trace *trace;
    const struct csy_meaning *meaning;
    struct rules own; /* rules in the trace itself */
    struct texts classes, loops;
    struct texts names; /* names of kinds of events without an id, ordered as `items` */
    struct sense *items;
    struct fields *fields; /* for each kind of events in `items`: its fields */
    size_t count, capacity, fields_capacity;
    uint32_t *by_id; /* for each core and id: index in `items` plus 1; 0: not looked up yet */
    struct columns columns; /* columns of a CSV that have a meaning */
    struct routines routines;
    bool leaves_wanted, children_wanted, times_wanted;
    struct texts leaves; /* texts of events with their arguments */
    /* symbol files that the trace names, and symbols in the trace */
    struct symbol_files files;
    struct addresses addresses;
};

/* Initialize. Words in the trace without a known meaning become warnings of the trace
 * (csy_trace_warning). `meaning` must outlive the senses. */
csy_status senses_init(struct senses *senses, struct csy_trace *trace,
                       const struct csy_meaning *meaning, csy_events *events, csy_error *error);
void senses_fini(struct senses *senses);

/* Find the routine that an event enters, exits, or calls. NO_TEXT means the innermost routine. */
csy_status senses_routine(struct senses *senses, const csy_decoded *event,
                          const struct sense *sense, uint32_t *out, csy_error *error);

#define SENSES_NO_BYTES UINT64_MAX       /* the number of bytes is unknown */
#define SENSES_BYTELESS (UINT64_MAX - 1) /* events of this kind have no bytes */

/* Find the number of bytes of an event. The event contains this number, or a count of items with a
 * known size. Returns SENSES_NO_BYTES if the number is unknown. */
uint64_t senses_bytes(const struct senses *senses, const struct sense *sense,
                      const csy_decoded *event);

/* Set *out to the leaf of an event by the actor `self`. The leaf is the event with its arguments,
 * or NO_TEXT if the event is a call or does nothing. *bytes is from senses_bytes, or
 * SENSES_BYTELESS. */
csy_status senses_leaf(struct senses *senses, const csy_decoded *event, const struct sense *sense,
                       const char *self, uint32_t *out, uint64_t *bytes, csy_error *error);

/* Find the sense of an event. *out is valid until the next call of this function. */
csy_status senses_find(struct senses *senses, csy_events *events, const csy_decoded *event,
                       struct sense *out, csy_error *error);

/* Returns the sense of records with this core and id, or NULL if no such record has occurred. */
static inline const struct sense *senses_known(const struct senses *senses, bool spe, uint16_t id)
{
    uint32_t known = senses->by_id[(spe ? SENSES_IDS : 0) + id];
    return known > 0 ? &senses->items[known - 1] : NULL;
}

/* Returns the i-th document in the order of search, or NULL after the last one. */
const struct rules *senses_document(const struct senses *senses, size_t i);

/* Returns the field with this role. AT_NOWHERE means that there is no such field. */
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

/* Write a number from senses_number to `at`, by the type of its field. Returns the end of the
 * number, as value_put does. An address in a text is written as an address. */
char *senses_put_number(const struct senses *senses, const struct sense *sense,
                        const csy_decoded *event, enum field_role role, uint64_t value, char *at);

#endif
