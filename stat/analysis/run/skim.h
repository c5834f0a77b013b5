/* Reads the events of a trace one by one. A skim leaves out records of kinds that do not matter to
 * an analysis. It keeps the first record of each writer (thread or SPE) on each clock, and each
 * record that follows a record of another writer, so that writers and clocks appear in their
 * order. */
#ifndef ANALYSIS_RUN_SKIM_H
#define ANALYSIS_RUN_SKIM_H

#include "meaning/event_kinds.h"

typedef bool skim_matters(const struct event_kinds *event_kinds,
                          const struct event_kind *event_kind);

/* Choices of the events to keep: skim_messages keeps the ends of messages; skim_waits keeps waits,
 * locks, and barriers. */
skim_matters skim_messages, skim_waits;

/* Returns true if `matters` selects the kind of some event that has occurred. */
bool skim_any(const struct event_kinds *event_kinds, skim_matters *matters);

struct skim {
    csy_events *events;
    const struct event_kinds *event_kinds;
    skim_matters *matters;
    uint8_t *kinds; /* for each core type and event id: whether the kind of event matters */
    struct skim_writer *writers;
};

/* Prepare to read the events of the kinds that `matters` selects; NULL selects all. `events` and
 * `event_kinds` must remain valid until skim_fini. For each event that skim_read returns, the
 * caller must call event_kinds_find. */
csy_status skim_init(struct skim *skim, csy_events *events, const struct event_kinds *event_kinds,
                     skim_matters *matters, csy_error *error);
void skim_fini(struct skim *skim);

/* Like csy_events_read, but leaves out records of kinds that were not selected (see the head of
 * this file). */
csy_status skim_read(struct skim *skim, csy_decoded *out, size_t n, size_t *got, csy_error *error);

typedef csy_status events_take(void *user, const csy_decoded *event, csy_error *error);

struct event_pass {
    const csy_sync *sync;
    csy_events *events; /* events to read, or NULL to open the events of `sync` */
    uint64_t first;     /* position of the first event; only used if `events` is NULL */
    const struct event_kinds *event_kinds; /* argument of `matters` */
    skim_matters *matters;                 /* NULL reads all kinds of events */
    bool single;      /* true to read events singly, so that `events->event` is the present one */
    const bool *stop; /* flag that `take` sets when no more events are needed, or NULL */
};

/* Pass the selected events to `take`, in the order of the trace. */
csy_status events_each(struct event_pass *pass, events_take *take, void *user, csy_error *error);

#endif
