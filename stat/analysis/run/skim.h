/* Reads the events of a trace one by one, for analyses that need no instants. A skim leaves out
 * plain records of kinds that do not matter. A skim still returns the first record of each writer
 * on each clock, and the next record of a writer after other writers. So the analysis sees all
 * writers and clocks in their order. */
#ifndef ANALYSIS_RUN_SKIM_H
#define ANALYSIS_RUN_SKIM_H

#include "meaning/senses.h"

/* Returns true if events of this kind matter to an analysis. */
typedef bool skim_matters(const struct senses *senses, const struct sense *sense);

/* skim_messages selects kinds of messages, except messages that follow from the trace's order. */
skim_matters skim_messages, skim_waits;

/* Returns true if some kind of event that has occurred matters. */
bool skim_any(const struct senses *senses, skim_matters *matters);

struct skim {
    csy_events *events;
    const struct senses *senses;
    skim_matters *matters;
    uint8_t *kinds; /* for each core and event id: whether the kind matters */
    struct skim_writer *writers;
};

/* Begin a skim, which uses `events` and `senses` until skim_fini. The caller adds the senses of the
 * events that skim_read returns. */
csy_status skim_init(struct skim *skim, csy_events *events, const struct senses *senses,
                     skim_matters *matters, csy_error *error);
void skim_fini(struct skim *skim);

/* Read events like csy_events_read, without the records that the skim leaves out. */
csy_status skim_read(struct skim *skim, csy_decoded *out, size_t n, size_t *got, csy_error *error);

typedef csy_status events_take(void *user, const csy_decoded *event, csy_error *error);

struct event_pass {
    const csy_sync *sync;
    csy_events *events;          /* events to read; NULL: the pass opens the events */
    uint64_t first;              /* position of the first event, if the pass opens them */
    const struct senses *senses; /* senses that `matters` gets */
    skim_matters *matters;       /* tells which kinds of events to pass; NULL: all kinds */
    /* read events one by one, so that `events->event` is the event that `take` receives */
    bool single;
    const bool *stop; /* a flag that `take` sets when no more events are needed, or NULL */
};

/* Pass all events to the function `take`, in the order of the trace. */
csy_status events_each(struct event_pass *pass, events_take *take, void *user, csy_error *error);

#endif
