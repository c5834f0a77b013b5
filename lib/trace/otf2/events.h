/* The events of an archive, location by location, with raw timestamps.
 *
 * They are the events of OTF2, with two exceptions. A region, from ENTER to LEAVE, is one event at
 * its end, with a begin; without LEAVE it ends with the last record of its location. A collective
 * operation is also one event at its end, with a begin. */
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
    uint32_t peer; /* partner of a message, or root of a collective operation */
    uint32_t tag;  /* tag of a message, or collective operation */
    bool posted;   /* the receive was posted at posted_ticks */
    int64_t posted_ticks;
    uint64_t bytes;          /* size of a message */
    uint64_t sent, received; /* bytes of a collective operation */
};

struct otf2_counts {
    uint64_t sends, receives, posts, collectives;
};

struct otf2_events;

/* Begin to read events, from the first location on. The archive must outlive *out. */
csy_status otf2_events_new(const struct otf2_archive *archive, bool salvage,
                           struct otf2_events **out, csy_error *error);
void otf2_events_free(struct otf2_events *events);

/* Read the next event, which is valid until the next call. *out is NULL at the end. CSY_INPUT, with
 * the file, if an event cannot be read. */
csy_status otf2_events_next(struct otf2_events *events, const struct otf2_event **out,
                            csy_error *error);

/* Return the location of the last event, and the file that contains it. */
const struct otf2_location *otf2_events_location(const struct otf2_events *events);
const char *otf2_events_file(const struct otf2_events *events);

/* Returns true if the location requested a collective operation at *since_ticks that was never
 * completed, so its communicator is unknown. Only valid after the last event of the location. */
bool otf2_events_lost(const struct otf2_events *events, int64_t *since_ticks);

/* Returns the number of locations that were read completely. */
size_t otf2_events_done(const struct otf2_events *events);

struct otf2_counts otf2_events_counts(const struct otf2_events *events);

/* Returns the first place where events of a salvaged location end too early, or NULL. */
const csy_cut *otf2_events_cut(const struct otf2_events *events);

#endif
