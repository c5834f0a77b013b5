/*
 * The events of one location after another, by their raw timestamps.
 *
 * Each event of OTF2 is an event here, except begins: a region, from ENTER to LEAVE, and a
 * collective operation are one event each, with a begin, at their end.  A region without LEAVE ends
 * with the last record of its location.
 */
#ifndef TRACE_OTF2_EVENTS_H
#define TRACE_OTF2_EVENTS_H

#include "trace/event.h"
#include "trace/otf2/archive.h"

enum otf2_role { OTF2_NOTHING, OTF2_SEND, OTF2_RECV, OTF2_COLLECTIVE };

struct otf2_event {
    csy_text name;
    uint64_t place; /* its number in its file, from 0 */
    int64_t time_ticks, begin_ticks;
    bool interval;
    enum otf2_role role;
    uint32_t comm;
    uint32_t peer; /* of a message; of a collective operation its root */
    uint32_t tag;  /* of a collective operation which */
    bool posted;   /* it is known when: */
    int64_t posted_ticks;
    uint64_t bytes;          /* of a message */
    uint64_t sent, received; /* by a collective operation */
};

/* Counts for all locations so far. */
struct otf2_counts {
    uint64_t sends, receives, posts, collectives;
};

struct otf2_events;

/* From the first location on; the archive must stay. */
csy_status otf2_events_new(const struct otf2_archive *archive, bool salvage,
                           struct otf2_events **out, csy_error *error);
void otf2_events_free(struct otf2_events *events);

/* The next event, which holds until the one after it; NULL after the last.  CSY_INPUT, with the
 * file, where one cannot be read. */
csy_status otf2_events_next(struct otf2_events *events, const struct otf2_event **out,
                            csy_error *error);

/* The location of the last event, and the file that has it. */
const struct otf2_location *otf2_events_location(const struct otf2_events *events);
const char *otf2_events_file(const struct otf2_events *events);

/* True if a collective operation was requested at the location and never completed, so that its
 * communicator is unknown; and since when.  Known with the last event of a location. */
bool otf2_events_lost(const struct otf2_events *events, int64_t *since_ticks);

/* How many locations were read to their end. */
size_t otf2_events_done(const struct otf2_events *events);

struct otf2_counts otf2_events_counts(const struct otf2_events *events);

/* The place where the first location that is salvaged ends too early, in the order of the events;
 * or NULL. */
const csy_cut *otf2_events_cut(const struct otf2_events *events);

#endif
