/*
 * Senses: what the events of a trace mean, each kind looked up once.
 *
 * Of the documents that speak of a kind the last file goes first, then the others, the trace
 * itself and the built-in vocabulary; within one the first rule that says it.  pex(5), Meaning.
 */
#ifndef MEANING_SENSES_H
#define MEANING_SENSES_H

#include "base/texts.h"
#include "meaning/meaning.h"

#define SENSE_NO_FIELD UINT32_MAX

/* What events of a kind mean. */
struct sense {
    enum role role;
    enum state state; /* that they say, or STATE_UNSAID */
    uint32_t class;   /* of waits, a text of senses.classes, or NO_TEXT */
    uint32_t task;    /* the field that names a context */
};

struct senses {
    struct csy_trace *trace;
    const struct csy_meaning *meaning;
    struct rules own; /* of the trace */
    struct texts classes;
    struct texts names; /* of kinds without an id: items are in their order */
    struct sense *items;
    size_t count, capacity;
    uint32_t *by_id;       /* by core and id, 1 more than the item; 0: not looked up yet */
    uint32_t state_column; /* of a CSV, or SENSE_NO_FIELD */
};

/* Words of the trace that mean nothing are warnings of it (csy_trace_warning).  meaning must
 * outlive it. */
csy_status senses_init(struct senses *senses, struct csy_trace *trace,
                       const struct csy_meaning *meaning, csy_events *events, csy_error *error);
void senses_fini(struct senses *senses);

/* What an event means; *out holds until the next call. */
csy_status senses_find(struct senses *senses, csy_events *events, const csy_decoded *event,
                       struct sense *out, csy_error *error);

#endif
