/*
 * The events of an archive, location by location, with their raw timestamps.
 *
 * Each event of OTF2 is an event here, with two exceptions. A region, from ENTER to LEAVE, is one
 * event at its end, with a begin. A collective operation is also one event at its end, with a
 * begin. A region without LEAVE ends with the last record of its location.
 */
#ifndef TRACE_OTF2_EVENTS_H
#define TRACE_OTF2_EVENTS_H

#include "trace/event.h"
#include "trace/otf2/archive.h"

enum otf2_role { OTF2_NOTHING, OTF2_SEND, OTF2_RECV, OTF2_COLLECTIVE };

struct otf2_event {
    csy_text name;
    uint64_t place; /* number of the event in its file, from 0 */
    int64_t time_ticks, begin_ticks;
    bool interval;
    enum otf2_role role;
    uint32_t comm;
    uint32_t peer; /* the partner of a message; the root of a collective operation */
    uint32_t tag;  /* the tag of a message; for a collective operation, the operation */
    bool posted;   /* the time of the posting of the receive is known: */
    int64_t posted_ticks;
    uint64_t bytes;          /* size of a message */
    uint64_t sent, received; /* bytes that a collective operation sent and received */
};

/* Numbers of events of all locations so far. */
struct otf2_counts {
    uint64_t sends, receives, posts, collectives;
};

struct otf2_events;

/* Begin to read events, from the first location on. The archive must outlive the result. */
csy_status otf2_events_new(const struct otf2_archive *archive, bool salvage,
                           struct otf2_events **out, csy_error *error);
void otf2_events_free(struct otf2_events *events);

/* Read the next event, which is valid until the next call. *out is NULL after the last event.
 * CSY_INPUT, with the file, if an event cannot be read. */
csy_status otf2_events_next(struct otf2_events *events, const struct otf2_event **out,
                            csy_error *error);

/* The location of the last event, and the file that contains the event. */
const struct otf2_location *otf2_events_location(const struct otf2_events *events);
const char *otf2_events_file(const struct otf2_events *events);

/* True if the location requested a collective operation that was never completed. The communicator
 * of the operation is then unknown. *since_ticks is the time of the request. This is known as soon
 * as the last event of a location was read. */
bool otf2_events_lost(const struct otf2_events *events, int64_t *since_ticks);

/* The number of locations that were read to their ends. */
size_t otf2_events_done(const struct otf2_events *events);

struct otf2_counts otf2_events_counts(const struct otf2_events *events);

/* The place where the events of the first salvaged location end too early, in the order in which
 * events are read; NULL if there is none. */
const csy_cut *otf2_events_cut(const struct otf2_events *events);

#endif
