/*
 * Skim: the events of a trace, but for plain records that say nothing to an analysis.
 *
 * Of these it is given those at which a writer is met on a clock for the first time, or once more
 * where other writers came in between; so it knows of all writers and clocks, in their order.
 */
#ifndef ANALYSIS_RUN_SKIM_H
#define ANALYSIS_RUN_SKIM_H

#include "meaning/senses.h"

/* Whether events of a kind say something to an analysis. */
typedef bool skim_matters(const struct senses *senses, const struct sense *sense);

/* To those of messages, as far as they are not told by the order of the trace, and of waits. */
skim_matters skim_messages, skim_waits;

/* Whether events of any kind that was met do. */
bool skim_any(const struct senses *senses, skim_matters *matters);

struct skim {
    csy_events *events;
    const struct senses *senses;
    skim_matters *matters;
    uint8_t *kinds; /* by core and id: what is known of the kind */
    struct skim_writer *writers;
};

/* Events and senses, to which the caller adds those of events that it is given, outlive it. */
csy_status skim_init(struct skim *skim, csy_events *events, const struct senses *senses,
                     skim_matters *matters, csy_error *error);
void skim_fini(struct skim *skim);

/* csy_events_read of what is left. */
csy_status skim_read(struct skim *skim, csy_decoded *out, size_t n, size_t *got, csy_error *error);

#endif
