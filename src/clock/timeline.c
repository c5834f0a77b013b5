/* The events of a trace, whatever its format. */
#include "clock/timeline.h"

#include "base/error.h"
#include "trace/cut.h"

#include <string.h>

struct timeline_rules timeline_default_rules(const struct csy_trace *trace)
{
    return (struct timeline_rules){.imprecision_ticks = unwrap_imprecision(trace->timebase_hz)};
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
    if (trace->format == CSY_FORMAT_CSV)
        return names_new(&timeline->threads, &timeline->names, error);
    status = intervals_new(&timeline->threads, rules->imprecision_ticks, rules->strict, known,
                           &timeline->intervals, error);
    if (status)
        return status;
    intervals_heed_notifier(timeline->intervals, trace->metadata.notifier);
    intervals_consult(timeline->intervals, rules->closed, rules->closed_user);
    return CSY_OK;
}

void timeline_fini(struct timeline *timeline)
{
    intervals_free(timeline->intervals);
    names_free(timeline->names);
    threads_fini(&timeline->threads);
}

static csy_status next_record(struct timeline *timeline, struct event *event, bool *more,
                              csy_error *error)
{
    struct csy_trace *trace = timeline->trace;
    csy_status status = record_read(&trace->records, &event->record, more, error);
    if (status || !*more)
        return status;
    if (timeline->rules.prepare)
        status = timeline->rules.prepare(timeline->rules.prepare_user, &event->record, error);
    if (status)
        return status;
    event->place = event->record.offset;
    event->bytes = event->record.bytes;
    event->size = event->record.size;
    status = intervals_push(timeline->intervals, &event->record, trace->record_name, &event->thread,
                            &event->local_ticks, error);
    event->track = NO_THREAD;
    event->ended = intervals_ended(timeline->intervals);
    return status;
}

/* What is wrong with the last row may be that it is cut off. */
static csy_status refuse_cut(struct csv_reader *reader, csy_error *error)
{
    if (error)
        memcpy(reader->cut.text, error->text, sizeof error->text);
    return cut_refuse(&reader->cut, "row", true, error);
}

static csy_status next_row(struct timeline *timeline, struct event *event, bool *more,
                           csy_error *error)
{
    struct csy_trace *trace = timeline->trace;
    struct csv_reader *reader = &trace->csv;
    csy_status status = csv_read(reader, &event->row, more, error);
    reader->cut.records = timeline->records;
    if (status == CSY_INPUT && reader->is_cut)
        return refuse_cut(reader, error);
    if (status || !*more)
        return status;
    event->place = event->row.line;
    event->bytes = (const uint8_t *)event->row.bytes;
    event->size = event->row.size;
    event->local_ticks = event->row.time_ticks;
    event->ended = NO_THREAD;
    return names_push(timeline->names, &event->row, timeline->records, trace->name, &event->thread,
                      &event->track, error);
}

csy_status timeline_next(struct timeline *timeline, struct event *event, bool *more,
                         csy_error *error)
{
    csy_status status = timeline->names ? next_row(timeline, event, more, error)
                                        : next_record(timeline, event, more, error);
    event->position = timeline->records;
    if (!status && *more)
        timeline->records++;
    return status;
}

csy_status timeline_finish(struct timeline *timeline, bool *again, struct unwrap_lore *learnt,
                           csy_clock_report *report, csy_error *error)
{
    csy_status status = CSY_OK;
    *again = false;
    *learnt = (struct unwrap_lore){0};
    *report = (csy_clock_report){0};
    if (timeline->intervals)
        status = intervals_finish(timeline->intervals, again, learnt, report, error);
    report->notifier = timeline->trace->metadata.notifier;
    return status;
}
