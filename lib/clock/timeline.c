/* See timeline.h. */
#include "clock/timeline.h"

#include "base/array.h"
#include "base/error.h"
#include "base/keys.h"
#include "base/texts.h"
#include "trace/steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Events of named threads --------------------------------------------------------------- */

enum { NUMBER_SLOTS = 64 };

/* A clock with a name. If the clock was set, there is a separate one for the records between two
 * settings, and for each record during which it was set. */
struct named_clock {
    uint32_t thread;
    uint32_t text;
    uint64_t before;
    uint32_t track; /* index of the track that has the name of the clock, or NO_THREAD */
};

struct names {
    struct threads *threads;
    const struct clock_steps *steps; /* the moments when clocks were set, or NULL */
    struct texts texts;
    struct keys clock_keys; /* maps a name and a segment to an index in `clocks` */
    struct named_clock *clocks;
    size_t clocks_capacity;
    struct keys guest_keys; /* maps a thread and the name of a track to an index in `guests` */
    uint32_t *guests;
    size_t guests_capacity;
    uint32_t last_thread, last_track;
    struct {
        uint32_t number, thread, track;
    } numbered[NUMBER_SLOTS]; /* cache of threads and tracks; `number` is 0 in a free slot */
};

csy_status names_new(struct threads *threads, const struct clock_steps *steps, struct names **out,
                     csy_error *error)
{
    struct names *names = calloc(1, sizeof *names);
    if (!names)
        return error_memory(error);
    names->threads = threads;
    names->steps = steps && steps->count > 0 ? steps : NULL;
    names->last_thread = NO_THREAD;
    *out = names;
    return CSY_OK;
}

void names_free(struct names *names)
{
    if (!names)
        return;
    texts_fini(&names->texts);
    keys_fini(&names->clock_keys);
    keys_fini(&names->guest_keys);
    FREE_ALL(names->clocks, names->guests, names);
}

/* A part of a clock's records. Usually, these are the records between two moments when the clock
 * was set; `number` is then even and equal to `before`. A record during which the clock may have
 * been set is a part of its own; `number` is then odd, and `before` is the number of the part
 * before it. */
struct segment {
    const char *name;
    size_t size;
    uint32_t text;
    uint64_t number, before;
};

static uint32_t thread_of(const struct names *names, uint32_t text, uint64_t number)
{
    uint32_t clock;
    bool known = keys_look(&names->clock_keys, keys_pair(text, (uint32_t)number), &clock);
    return known ? names->clocks[clock].thread : NO_THREAD;
}

/* Add the thread of a segment. The segment's first record is at `position`. */
static csy_status add_segment(struct names *names, const struct segment *segment, uint64_t position,
                              uint32_t *out, csy_error *error)
{
    enum { SUFFIX_MAX = 24 };
    uint64_t number = segment->number;
    size_t size = segment->size;
    bool set = number % 2;
    struct thread thread = {
        .kind = CSY_KIND_SPE,
        .context = CSY_NO_CONTEXT,
        .spe = CSY_NO_SPE,
        .split_from = NO_THREAD,
        .set = set,
        .set_before = set ? thread_of(names, segment->text, segment->before) : NO_THREAD,
        .set_after = set ? thread_of(names, segment->text, segment->before + 2) : NO_THREAD,
        .first_record = position,
        .name = malloc(size + SUFFIX_MAX)};
    if (!thread.name)
        return error_memory(error);
    memcpy(thread.name, segment->name, size);
    thread.name[size] = 0;
    if (number % 2)
        snprintf(thread.name + size, SUFFIX_MAX, "@%" PRIu64, number / 2);
    else if (number > 0)
        snprintf(thread.name + size, SUFFIX_MAX, "/%" PRIu64, number / 2 + 1);
    csy_status status = threads_add(names->threads, &thread, out, error);
    if (status)
        free(thread.name);
    for (size_t i = 0; names->steps && i + 1 < names->clock_keys.count && !set && !status; i++) {
        const struct named_clock *clock = &names->clocks[i];
        struct thread *one = &names->threads->items[clock->thread];
        if (clock->text != segment->text || !one->set)
            continue;
        if (clock->before == number)
            one->set_before = *out;
        else if (clock->before + 2 == number)
            one->set_after = *out;
    }
    return status;
}

/* Find or add a track with another name than its clock. */
static csy_status find_guest(struct names *names, const struct named_stamp *stamp, uint32_t thread,
                             uint32_t *track, csy_error *error)
{
    uint32_t text, guest;
    bool added;
    if (!texts_find(&names->texts, stamp->thread, stamp->thread_size, &text, &added) ||
        !ARRAY_RESERVE(names->guests, names->guests_capacity, names->guest_keys.count + 1) ||
        !keys_find(&names->guest_keys, keys_pair(thread, text), &guest, &added))
        return error_memory(error);
    csy_status status = added ? threads_add_track(names->threads, thread, stamp->thread,
                                                  stamp->thread_size, &names->guests[guest], error)
                              : CSY_OK;
    *track = names->guests[guest];
    return status;
}

static csy_status find_clock(struct names *names, struct event *event, csy_error *error)
{
    const struct named_stamp *stamp = &event->stamp;
    bool own =
        stamp->clock_size == 0 || (stamp->clock_size == stamp->thread_size &&
                                   memcmp(stamp->clock, stamp->thread, stamp->thread_size) == 0);
    struct segment segment = {.name = own ? stamp->thread : stamp->clock,
                              .size = own ? stamp->thread_size : stamp->clock_size};
    uint32_t number;
    bool added;
    if (names->steps)
        segment.number = clock_steps_segment(names->steps, segment.name, segment.size,
                                             event->position, event->local_ticks, &segment.before);
    if (segment.number > UINT32_MAX ||
        !texts_find(&names->texts, segment.name, segment.size, &segment.text, &added) ||
        !ARRAY_RESERVE(names->clocks, names->clocks_capacity, names->clock_keys.count + 1) ||
        !keys_find(&names->clock_keys, keys_pair(segment.text, (uint32_t)segment.number), &number,
                   &added))
        return error_memory(error);
    struct named_clock *clock = &names->clocks[number];
    csy_status status = CSY_OK;
    if (added) {
        *clock = (struct named_clock){NO_THREAD, segment.text, segment.before, NO_THREAD};
        status = add_segment(names, &segment, event->position, &clock->thread, error);
    }
    event->thread = clock->thread;
    if (!own && !status)
        return find_guest(names, stamp, clock->thread, &event->track, error);
    if (!status && clock->track == NO_THREAD)
        status = threads_add_track(names->threads, clock->thread, NULL, 0, &clock->track, error);
    event->track = clock->track;
    return status;
}

csy_status names_push(struct names *names, struct event *event, const struct csy_trace *trace,
                      csy_error *error)
{
    csy_status status = CSY_OK;
    uint32_t number = names->steps ? 0 : event->stamp.number, slot = number % NUMBER_SLOTS;
    event->local_ticks = event->stamp.time_ticks;
    if (event->stamp.same && names->last_thread != NO_THREAD && !names->steps) {
        event->thread = names->last_thread;
        event->track = names->last_track;
    } else if (number > 0 && names->numbered[slot].number == number) {
        event->thread = names->last_thread = names->numbered[slot].thread;
        event->track = names->last_track = names->numbered[slot].track;
    } else {
        /* This event has other names than the previous one. */
        const struct named_stamp *stamp = &event->stamp;
        size_t size = stamp->clock_size ? stamp->clock_size : stamp->thread_size;
        const char *clock = stamp->clock_size ? stamp->clock : stamp->thread;
        bool called_ppe = size == 3 && memcmp(clock, "ppe", 3) == 0;
        if (called_ppe && stamp->core == STAMP_CORE_SPE) {
            status =
                error_set(error, CSY_INPUT,
                          "%s \"ppe\" has the core \"spe\", but this name is reserved for the PPE",
                          stamp->clock_size ? "clock" : "thread");
            return trace_at_place(trace, event->place, status, error);
        }
        names->threads->cores |= stamp->core != STAMP_CORE_NONE;
        bool ppe = stamp->core == STAMP_CORE_PPE || (called_ppe && stamp->core == STAMP_CORE_NONE);
        status = ppe ? threads_add_ppe(names->threads, event->position, error) : CSY_OK;
        event->thread = names->threads->ppe;
        if (!status)
            status = ppe ? find_guest(names, stamp, event->thread, &event->track, error)
                         : find_clock(names, event, error);
        names->last_thread = status ? NO_THREAD : event->thread;
        names->last_track = event->track;
        if (!status && number > 0) {
            names->numbered[slot].number = number;
            names->numbered[slot].thread = event->thread;
            names->numbered[slot].track = event->track;
        }
    }
    if (!status)
        threads_note(names->threads, event->thread, event->position, event->local_ticks);
    return status;
}

/* --- Events of any format ------------------------------------------------------------------ */

struct timeline_rules timeline_default_rules(const struct csy_trace *trace)
{
    return (struct timeline_rules){.imprecision_ticks = unwrap_imprecision(trace->timebase_hz),
                                   .steps = &trace->steps};
}

csy_status timeline_init(struct timeline *timeline, struct csy_trace *trace,
                         const struct timeline_rules *rules, const struct unwrap_lore *known,
                         csy_error *error)
{
    *timeline = (struct timeline){.trace = trace, .rules = *rules};
    threads_init(&timeline->threads);
    csy_status status = trace_rewind(trace, error);
    if (status)
        return status;
    if (trace->granularity == GRANULARITY_NONE)
        return names_new(&timeline->threads, rules->steps, &timeline->names, error);
    const struct intervals_rules own = {.imprecision_ticks = rules->imprecision_ticks,
                                        .strict = rules->strict,
                                        .known = known,
                                        .closed = rules->closed,
                                        .closed_user = rules->closed_user,
                                        .notifier = trace->notifier,
                                        .partial = trace->partial,
                                        .order = trace->granularity};
    return intervals_new(&timeline->threads, &own, &timeline->intervals, error);
}

void timeline_fini(struct timeline *timeline)
{
    intervals_free(timeline->intervals);
    names_free(timeline->names);
    threads_fini(&timeline->threads);
}

/* Note in trace->stated which facts the events state. A latency of 0 has no effect. Neither has a
 * latency that applies to no receive, wait, predecessor, or group. */
static void note_stated(struct csy_trace *trace, const struct event_roles *roles)
{
    bool latency = roles->has_latency && roles->latency_ticks > 0 &&
                   roles->recv.size + roles->wait.size + roles->after.size + roles->leave.size +
                           roles->members.size >
                       0;
    trace->stated |= (latency ? STATED_LATENCY : 0U) |
                     (roles->has_latency_max && roles->recv.size > 0 ? STATED_LATENCY_MAX : 0U) |
                     (roles->same.size > 0 ? STATED_SAME : 0U) |
                     (roles->other_clock.size > 0 ? STATED_OTHER_TIME : 0U);
}

csy_status timeline_next(struct timeline *timeline, struct event *event, bool *more,
                         csy_error *error)
{
    struct csy_trace *trace = timeline->trace;
    event->position = timeline->records;
    event->file = 0;
    event->roles = NULL;
    event->bytes = NULL;
    event->size = 0;
    event->raw = (csy_text){0};
    event->record = NULL;
    event->row = NULL;
    event->stamp.interval = false; /* sources of a .pex do not set event->stamp */
    csy_status status = trace->source->next(trace, event, more, error);
    if (status || !*more)
        return status;
    event->track = event->ended = NO_THREAD;
    if (event->roles)
        note_stated(trace, event->roles);
    if (timeline->names) {
        status = names_push(timeline->names, event, trace, error);
        timeline->records += !status;
        return status;
    }
    if (timeline->rules.prepare)
        status = timeline->rules.prepare(timeline->rules.prepare_user, event->record, error);
    event->bytes = event->record->bytes;
    event->size = event->record->size;
    if (!status)
        status = intervals_push(timeline->intervals, trace->record_name, event, error);
    timeline->records += !status;
    return status;
}

csy_status timeline_describe(struct timeline *timeline, struct event *event, csy_error *error)
{
    struct csy_trace *trace = timeline->trace;
    return trace->source->describe ? trace->source->describe(trace, event, error) : CSY_OK;
}

csy_status timeline_finish(struct timeline *timeline, bool *again, struct unwrap_lore *learnt,
                           csy_clock_report *report, csy_error *error)
{
    csy_status status = CSY_OK;
    *again = false;
    *learnt = (struct unwrap_lore){0};
    *report = (csy_clock_report){0};
    if (timeline->intervals)
        status = intervals_check_files(timeline->intervals, timeline->trace->record_files, error);
    if (timeline->intervals && !status)
        status = intervals_finish(timeline->intervals, again, learnt, report, error);
    report->notifier = timeline->trace->notifier;
    return status;
}
