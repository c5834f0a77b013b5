/* See timeline.h. */
#include "clock/timeline.h"

#include "base/error.h"

#include <inttypes.h>

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
    if (trace->granularity == GRANULARITY_NONE) {
        status = names_new(&timeline->threads, &timeline->names, error);
        if (!status)
            names_set_steps(timeline->names, rules->steps);
        return status;
    }
    status = intervals_new(&timeline->threads, rules->imprecision_ticks, rules->strict, known,
                           &timeline->intervals, error);
    if (status)
        return status;
    intervals_heed_notifier(timeline->intervals, trace->notifier);
    intervals_consult(timeline->intervals, rules->closed, rules->closed_user);
    if (trace->partial)
        intervals_set_partial(timeline->intervals, trace->granularity);
    return CSY_OK;
}

void timeline_fini(struct timeline *timeline)
{
    intervals_free(timeline->intervals);
    names_free(timeline->names);
    threads_fini(&timeline->threads);
}

/* Note which values the event states. A latency of 0 has no effect, and neither has a latency
 * without the role that it belongs to. */
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
    if (!status && event->file != timeline->file) {
        timeline->file = event->file;
        status = intervals_begin_file(timeline->intervals, event->file, error);
    }
    if (!status)
        status = intervals_push(timeline->intervals, trace->record_name, event, error);
    event->ended = intervals_ended(timeline->intervals);
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
    const struct record_file *files = timeline->trace->record_files;
    struct uncut uncut;
    if (timeline->intervals && timeline->file > 0 &&
        intervals_find_uncut(timeline->intervals, &uncut))
        status =
            error_set(error, CSY_INPUT,
                      "%s: offset %" PRIu64 ": context %" PRIu32
                      " has records in buffer '%s', but the switch records of its %" PRIu64
                      " stays on SPEs are in buffer '%s'",
                      files[uncut.file].name, uncut.offset, uncut.context, files[uncut.file].buffer,
                      uncut.residencies, files[uncut.other_file].buffer);
    if (timeline->intervals && !status)
        status = intervals_finish(timeline->intervals, again, learnt, report, error);
    report->notifier = timeline->trace->notifier;
    return status;
}
