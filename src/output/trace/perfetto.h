/*
 * A Perfetto trace in the making: packets of TrackEvents.  cellsync-formats(5), Perfetto traces.
 *
 * trace_pftrace.c makes packets, tracks and what lies on them; perfetto_events.c has what records
 * and rows say.  Field numbers are those of Perfetto's protos/perfetto/trace; the tests decode what
 * is written by perfetto.proto, which names those that are used.
 */
#ifndef OUTPUT_TRACE_PERFETTO_H
#define OUTPUT_TRACE_PERFETTO_H

#include "output/encode/proto.h"
#include "output/trace/lives.h"
#include "output/trace/trace_out.h"
#include "output/trace/tracks.h"
#include "output/trace/writer.h"

/* Groups of tracks, which are their "processes", as of Chrome trace events. */
enum perfetto_group {
    PERFETTO_PPE = 1,
    PERFETTO_SPE,
    PERFETTO_CONTEXT,
    PERFETTO_ROWS,
    PERFETTO_CLOCKS /* and on, one a clock that several threads share */
};

/* Tracks of the same group and number: what happens on a thread, also what does not nest there;
 * below it its live intervals, and how far its clock can be off. */
enum { SET_MAIN, SET_ASIDE, SET_LIVE = 4, SET_COUNTER, PERFETTO_SETS };

/* Names of annotations; their numbers in the trace are these. */
enum perfetto_note {
    NOTE_RECORD = 1,
    NOTE_THREAD,
    NOTE_TICKS,
    NOTE_LOCAL,
    NOTE_STAMP,
    NOTE_BEGIN_TICKS,
    NOTE_BEGIN_LOCAL,
    NOTE_BEGIN_STAMP,
    NOTE_TID,
    NOTE_ID,
    NOTE_PC,
    NOTE_PAYLOAD,
    NOTE_ROW,
    NOTE_VALUES,
    NOTE_CONTEXT,
    NOTE_SPE,
    NOTE_CLOCK,
    NOTE_DECR_FIRST,
    NOTE_FIRST_RECORD,
    NOTE_RECORDS,
    NOTE_OFFSET_TICKS,
    NOTE_EARLIEST_TICKS,
    NOTE_LATEST_TICKS,
    NOTE_ROUTINE,
    NOTES_END /* names of fields follow */
};

enum perfetto_category {
    CATEGORY_PPE = 1,
    CATEGORY_SPE,
    CATEGORY_ROW,
    CATEGORY_SWITCH,
    CATEGORY_LIVE
};

/* What a name of an event has in the trace; perfetto_events.c. */
struct perfetto_names;

/* What was said of a clock so far. */
struct perfetto_clock {
    uint64_t group; /* uuid of the group of its threads, where several share it; 0: none yet */
    bool interned;  /* its name was */
};

struct perfetto {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const csy_output *output;
    struct selection selection;
    struct outfile *out;
    int64_t base_ticks; /* times have no sign */
    uint64_t nuuids;    /* of tracks so far */
    struct tracks tracks[PERFETTO_SETS];
    struct lives lives;
    struct perfetto_clock *clocks; /* one a thread, as of csy_thread */
    struct perfetto_names *names;
    struct proto packet, event, interned; /* in the making */
    bool begun;                           /* a packet was written */
    bool timed;                           /* one with a time: */
    int64_t first_ns;                     /* the least of these times */
    uint64_t facts_uuid;
    bool beyond; /* a time was beyond what a packet can say */
};

/* The track of a live interval, of a CSV's track; or by group and number.  Made where it is new. */
csy_status perfetto_thread_track(struct perfetto *p, size_t index, struct track **out,
                                 csy_error *error);
csy_status perfetto_track(struct perfetto *p, unsigned group, uint64_t number, struct track **out,
                          csy_error *error);

/* A track of one of the sets; main: what one below it is a part of, else its group is.  name, which
 * must stay, of one that is new; NULL: it is called by its number. */
csy_status perfetto_find_track(struct perfetto *p, unsigned set, const struct track *main,
                               unsigned group, uint64_t number, const char *name,
                               struct track **out, csy_error *error);

/* Its name, perhaps in text. */
enum { PERFETTO_NAME_MAX = 48 };
const char *perfetto_track_name(const struct track *track, char text[PERFETTO_NAME_MAX]);

/* The group of the rows of a clock; and a group, not of a clock, which is new. */
unsigned perfetto_row_group(const struct perfetto *p, size_t clock);
void perfetto_describe_group(struct perfetto *p, unsigned group, const char *name);

/* CSY_MEMORY, or CSY_INPUT where a time was beyond what can be said. */
csy_status perfetto_check(const struct perfetto *p, csy_error *error);

/* Make an event: then come its name and annotations in p->event, and names in p->interned that are
 * new; then perfetto_instant or perfetto_slice writes it.  Ticks are of global time. */
void perfetto_begin(struct perfetto *p, enum perfetto_category category);
csy_status perfetto_instant(struct perfetto *p, const struct track *track, int64_t ticks,
                            csy_error *error);

/* The same as the begin or the end of a routine's slice. */
csy_status perfetto_call(struct perfetto *p, const struct track *track, bool enter, int64_t ticks,
                         csy_error *error);

/* A slice lies on a track of its own, beside that one and of its name, where it would not nest. */
csy_status perfetto_slice(struct perfetto *p, struct track *track, struct slice slice,
                          csy_error *error);

/* The value of a counter from there on. */
csy_status perfetto_count(struct perfetto *p, const struct track *counter, int64_t ticks,
                          int64_t value, csy_error *error);

/* Facts of the trace as a whole: annotations of an instant on a track of its own, described first.
 * The instant comes last, at the least time that was written. */
void perfetto_describe_facts(struct perfetto *p, const char *name);
void perfetto_fact(struct perfetto *p, const char *key, const char *text);
void perfetto_fact_number(struct perfetto *p, const char *key, int64_t value);
void perfetto_fact_unsigned(struct perfetto *p, const char *key, uint64_t value);
csy_status perfetto_facts(struct perfetto *p, const char *name, csy_error *error);

/* Annotations of the event; note: an enum perfetto_note, or the number of a name that was
 * interned. */
void perfetto_note_unsigned(struct perfetto *p, unsigned note, uint64_t value);
void perfetto_note_number(struct perfetto *p, unsigned note, int64_t value);
void perfetto_note_address(struct perfetto *p, unsigned note, uint64_t value);
void perfetto_note_text(struct perfetto *p, unsigned note, const char *text, size_t size);
void perfetto_note_thread(struct perfetto *p, unsigned note, size_t thread); /* its name */

/* A dictionary, with entries, which proto_end(&p->event, mark) ends; the mark. */
size_t perfetto_dict_begin(struct perfetto *p, unsigned note);
void perfetto_dict_unsigned(struct perfetto *p, unsigned note, uint64_t value);
void perfetto_dict_address(struct perfetto *p, unsigned note, uint64_t value);
void perfetto_dict_number(struct perfetto *p, unsigned note, int64_t value);
void perfetto_dict_real(struct perfetto *p, unsigned note, uint64_t bits);

/* Name what has a number in the trace. */
enum { INTERNED_CATEGORY = 1, INTERNED_EVENT, INTERNED_NOTE, INTERNED_STRINGS = 29 };
void perfetto_intern(struct perfetto *p, unsigned kind, uint64_t number, const char *name,
                     size_t size);

/* The event's name: by its number, or as it is. */
void perfetto_name(struct perfetto *p, uint64_t number);
void perfetto_name_text(struct perfetto *p, const char *name, size_t size);

csy_status perfetto_names_new(struct perfetto_names **out, csy_error *error);
void perfetto_names_free(struct perfetto_names *names);

/* Of a struct perfetto. */
csy_status perfetto_draw_record(void *user, const struct event *source, const csy_event *event,
                                csy_error *error);
csy_status perfetto_draw_row(void *user, const struct event *source, const csy_event *event,
                             csy_error *error);

#endif
