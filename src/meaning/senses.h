/*
 * Senses: what the events of a trace mean, each kind looked up once.
 *
 * Of the documents that speak of a kind the last file goes first, then the others, the trace
 * itself and the built-in vocabulary; within one the first rule that says it.  pex(5), Meaning.
 */
#ifndef MEANING_SENSES_H
#define MEANING_SENSES_H

#include "base/texts.h"
#include "meaning/fields.h"
#include "meaning/meaning.h"
#include "meaning/routines.h"
#include "trace/pex/symbol_files.h"

#define SENSE_NO_FIELD UINT32_MAX

enum { SENSES_IDS = UINT16_MAX + 1 };

/* What events of a kind mean. */
struct sense {
    enum role role : 8;
    enum state state : 8; /* that they say, or STATE_UNSAID */
    bool timed;           /* they say what the actor has spent */
    bool plain;           /* they are of who records them alone */
    bool calls;           /* their intervals are calls of a routine */
    uint32_t class;       /* of waits, and calls that wait, a text of senses.classes, or NO_TEXT */
    uint32_t loop;        /* class of loops, a text of senses.loops, or NO_TEXT */
    uint32_t task;        /* the field that names a context */
    uint32_t routine;     /* where no field names one; NO_TEXT: the innermost */
    uint32_t kind;        /* of events, in senses.items */
};

/* Whether an interval of it may be a wait. */
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
    struct texts leaves;       /* what events do with which arguments */
    struct symbol_files files; /* that the trace names; with what it says itself: */
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

/* How many bytes an event is about: as it says, or its count of what has so many each; else
 * SENSES_NO_BYTES. */
uint64_t senses_bytes(const struct senses *senses, const struct sense *sense,
                      const csy_decoded *event);

/* What an event of an actor of that name does, with its arguments, where it is no call but does
 * something: a text of leaves, else NO_TEXT; and its bytes, as senses_bytes has them, or
 * SENSES_BYTELESS. */
csy_status senses_leaf(struct senses *senses, const csy_decoded *event, const struct sense *sense,
                       const char *self, uint32_t *out, uint64_t *bytes, csy_error *error);

/* What an event means; *out holds until the next call. */
csy_status senses_find(struct senses *senses, csy_events *events, const csy_decoded *event,
                       struct sense *out, csy_error *error);

/* The same of records of a kind that was met; NULL: it was not. */
static inline const struct sense *senses_known(const struct senses *senses, bool spe, uint16_t id)
{
    uint32_t known = senses->by_id[(spe ? SENSES_IDS : 0) + id];
    return known > 0 ? &senses->items[known - 1] : NULL;
}

/* The documents, the first one that counts first; NULL after the last. */
const struct rules *senses_document(const struct senses *senses, size_t i);

/* A field of events of this sense, which it may not have (meaning/fields.h). */
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
