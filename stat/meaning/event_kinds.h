/* Event kinds are the meanings of a trace's events. Each kind of events is looked up only once, in
 * these places: the documents, the last one first; the trace itself; and the built-in vocabulary.
 * Within a document, the first rule takes precedence. See cellsync-events(5), MEANING. */
#ifndef MEANING_EVENT_KINDS_H
#define MEANING_EVENT_KINDS_H

#include "base/keys.h"
#include "base/texts.h"
#include "meaning/rules.h"
#include "trace/addresses.h"
#include "trace/pex/record_files.h"
#include "trace/source.h"

#define NO_COLUMN UINT32_MAX

/* The place of a field in events of one kind, and how to interpret its value. */
struct field_at {
    enum field_where { AT_NOWHERE, AT_VALUE, AT_COLUMN, AT_WORD } where;
    uint32_t place;       /* index of the value, of the column, or of the unnamed word */
    const char *names[2]; /* possible names of the word, or NULL */
    enum field_of of;
    uint64_t unit; /* size of an item in bytes if the field counts items, or 0 if unknown */
};

struct fields {
    struct field_at at[FIELD_ROLES];
};

/* Columns of a CSV with special names. A missing column is NO_COLUMN. */
struct columns {
    uint32_t state, values, node, cell;
    uint32_t of_roles[FIELD_ROLES];
};

/* fields_text gets a field as a text, which is valid as long as the event. fields_number gets it as
 * a number, modulo 2^64 if negative. Both return false without such a value. Events of a .pex have
 * only numbers. */
bool fields_text(const struct field_at *at, const struct columns *columns, const csy_decoded *event,
                 csy_text *out);
bool fields_number(const struct field_at *at, const struct columns *columns,
                   const csy_decoded *event, uint64_t *out);

/* Greatest number of routines. Further routines share one number, "other". */
enum { ROUTINES_MAX = 65536 };

struct routine {
    const char *name; /* name to show, or NULL to show the routine's text in `keys` */
    const char *file; /* source file, or NULL if unknown */
    uint32_t line;    /* line in the source file, or 0 if unknown */
};

/* All routines of a trace. The names in rules and symbols must outlive this struct. */
struct routines {
    struct texts keys; /* for each routine: its name, followed by its source file if known */
    struct routine *items;
    size_t count, capacity;
    struct keys addresses;
    uint32_t *of_addresses; /* for each address in `addresses`: number of its routine */
    size_t addresses_capacity;
};

/* Find or add the routine with a name. Returns false if out of memory. */
bool routines_name(struct routines *routines, const char *name, size_t size, uint32_t *out);

/* Returns the routine at an address, or NO_TEXT if no event has had this address. */
static inline uint32_t routines_known(const struct routines *routines, uint64_t address)
{
    uint32_t index;
    return keys_look(&routines->addresses, address, &index) ? routines->of_addresses[index]
                                                            : NO_TEXT;
}

/* Returns the name of a routine, without a NUL at the end. *size becomes the length of the name. */
const char *routines_text(const struct routines *routines, uint32_t routine, size_t *size);

#define EVENT_KIND_NO_FIELD UINT32_MAX

enum { EVENT_KINDS_IDS = UINT16_MAX + 1 };

struct event_kind {
    enum role role : 8;
    enum state state : 8; /* the state of the actor that the events report, or STATE_UNSAID */
    bool timed;           /* true if the events contain the CPU times of the actor */
    bool plain;           /* true if these events only concern the actor that has written them */
    bool calls;           /* true if such an event, when it is an interval, is a call of a
                           * routine */
    uint32_t class;       /* index of the kind of waiting in event_kinds.classes, or NO_TEXT */
    uint32_t loop;        /* kind of loop, as index in event_kinds.loops, or NO_TEXT */
    uint32_t task;    /* index of the field with the number of a context, or EVENT_KIND_NO_FIELD */
    uint32_t routine; /* the routine if no field names one, or NO_TEXT for the innermost routine */
    uint32_t kind;    /* index of this event kind in event_kinds.items */
};

/* Returns true if the actor may wait during an interval with this event kind. */
static inline bool event_kind_may_wait(const struct event_kind *event_kind)
{
    return event_kind->class != NO_TEXT || event_kind->role == ROLE_STATE;
}

struct event_kinds {
    struct csy_trace *trace;
    const struct csy_meaning *meaning;
    struct rules own; /* the rules that the trace itself contains */
    struct texts classes, loops;
    struct texts names; /* names of kinds without an id, numbered like `items` */
    struct event_kind *items;
    struct fields *fields; /* for each kind in `items`: where its events have fields */
    size_t count, capacity, fields_capacity;
    uint32_t *by_id; /* for each core and id: index in `items` plus 1, or 0 if not looked up yet */
    struct columns columns; /* columns of a CSV with special names */
    struct routines routines;
    bool leaves_wanted, children_wanted, times_wanted;
    struct texts leaves;       /* events with their arguments, as texts; see event_kinds_leaf */
    struct symbol_files files; /* symbol files that the trace names */
    struct addresses addresses;
};

/* Unknown words in documents become warnings. `meaning` must outlive the event_kinds. */
csy_status event_kinds_init(struct event_kinds *event_kinds, struct csy_trace *trace,
                            const struct csy_meaning *meaning, csy_events *events,
                            csy_error *error);
void event_kinds_fini(struct event_kinds *event_kinds);

/* Find the routine of an event. *out becomes NO_TEXT for the innermost routine. This function,
 * event_kinds_leaf, and event_kinds_find return false if out of memory. */
bool event_kinds_routine(struct event_kinds *event_kinds, const csy_decoded *event,
                         const struct event_kind *event_kind, uint32_t *out);

#define EVENT_KINDS_NO_BYTES UINT64_MAX       /* the number of bytes is unknown */
#define EVENT_KINDS_BYTELESS (UINT64_MAX - 1) /* events of this kind have no bytes */

/* Returns the number of bytes that an event transfers, or EVENT_KINDS_NO_BYTES if it is unknown. */
uint64_t event_kinds_bytes(const struct event_kinds *event_kinds,
                           const struct event_kind *event_kind, const csy_decoded *event);

/* Describe an event with its arguments, such as "MPI_SEND(0,1,64)", for the end of a call path.
 * *out becomes an index in event_kinds->leaves. It is NO_TEXT unless the event waits, posts, or
 * releases. `self` names the actor. *bytes becomes event_kinds_bytes, or EVENT_KINDS_BYTELESS. */
bool event_kinds_leaf(struct event_kinds *event_kinds, const csy_decoded *event,
                      const struct event_kind *event_kind, const char *self, uint32_t *out,
                      uint64_t *bytes);

bool event_kinds_find(struct event_kinds *event_kinds, csy_events *events, const csy_decoded *event,
                      struct event_kind *out);

/* Returns the result of event_kinds_find for this id, or NULL if it was not called. */
static inline const struct event_kind *event_kinds_known(const struct event_kinds *event_kinds,
                                                         bool spe, uint16_t id)
{
    uint32_t known = event_kinds->by_id[(spe ? EVENT_KINDS_IDS : 0) + id];
    return known > 0 ? &event_kinds->items[known - 1] : NULL;
}

/* Returns the document that is searched i-th, or NULL after the last one. */
const struct rules *event_kinds_document(const struct event_kinds *event_kinds, size_t i);

/* Returns where an event of this kind contains the field with the given role. The result has
 * AT_NOWHERE if there is no such field. */
static inline const struct field_at *event_kinds_field(const struct event_kinds *event_kinds,
                                                       const struct event_kind *event_kind,
                                                       enum field_role role)
{
    return &event_kinds->fields[event_kind->kind].at[role];
}

static inline bool event_kinds_text(const struct event_kinds *event_kinds,
                                    const struct event_kind *event_kind, const csy_decoded *event,
                                    enum field_role role, csy_text *out)
{
    return fields_text(event_kinds_field(event_kinds, event_kind, role), &event_kinds->columns,
                       event, out);
}

static inline bool event_kinds_number(const struct event_kinds *event_kinds,
                                      const struct event_kind *event_kind, const csy_decoded *event,
                                      enum field_role role, uint64_t *out)
{
    return fields_number(event_kinds_field(event_kinds, event_kind, role), &event_kinds->columns,
                         event, out);
}

/* Write a number in the format of its field; addresses are hexadecimal. Returns the end. */
char *event_kinds_put_number(const struct event_kinds *event_kinds,
                             const struct event_kind *event_kind, const csy_decoded *event,
                             enum field_role role, uint64_t value, char *at);

#endif
