/* One pass over a trace. */
#include "sync/pass.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void survey_fini(struct survey *survey)
{
    threads_fini(&survey->threads);
    free(survey->windows.items);
    rough_fini(&survey->rough);
    *survey = (struct survey){0};
}

static csy_status take_event(struct taker *taker, const struct event *event, int64_t x,
                             csy_error *error)
{
    if (taker->exact) {
        struct walk_point point = {event->position, event->place, event->thread,
                                   event->local_ticks, x};
        return exact_event(taker->exact, &point, error);
    }
    if (taker->constraints)
        return constraints_event(taker->constraints, event->thread, x, error);
    if (taker->sweep && *taker->feasible)
        return sweep_event(taker->sweep, event->thread, x, taker->feasible, error);
    return CSY_OK;
}

static csy_status take_death(struct taker *taker, uint32_t thread, csy_error *error)
{
    if (taker->exact)
        return exact_death(taker->exact, thread, error);
    if (taker->sweep && *taker->feasible)
        return sweep_death(taker->sweep, thread, taker->feasible, error);
    return CSY_OK;
}

/* Say where, if the layer that failed could not. */
static csy_status at_place(const struct csy_trace *trace, const struct event *event,
                           csy_status status, csy_error *error)
{
    if (status != CSY_INPUT || !error)
        return status;
    csy_error inner = *error;
    bool csv = trace->format == CSY_FORMAT_CSV;
    return error_set(error, status, "%s: %s %" PRIu64 ": %s",
                     csv ? trace->name : trace->record_name, csv ? "line" : "offset",
                     event->place, inner.text);
}

/* The name of a live interval, for a reference that is told by name. */
static bool is_called(const struct thread *thread, const char *name)
{
    char text[64];
    if (thread->name)
        return strcmp(thread->name, name) == 0;
    snprintf(text, sizeof text, "spe%" PRId64 ".%" PRIu32, thread->context, thread->ordinal);
    return strcmp(thread->kind == CSY_KIND_PPE ? "ppe" : text, name) == 0;
}

struct surveying {
    struct survey *survey;
    struct timeline timeline;
    struct taker *taker;
    const char *reference;
    uint32_t tau; /* the thread called reference, or NO_THREAD */
    bool crowded;
    uint32_t previous;
    int64_t previous_x;
};

static csy_status survey_event(struct surveying *s, const struct event *event, csy_error *error)
{
    struct survey *survey = s->survey;
    int64_t x;
    bool new = event->thread == survey->rough.count;
    csy_status status =
        rough_place(&survey->rough, event->thread, event->local_ticks, &x, error);
    if (status)
        return status;
    if (new && s->reference && is_called(&s->timeline.threads.items[event->thread], s->reference))
        s->tau = event->thread;
    survey->adjacent_steps_back += event->thread == s->previous && x < s->previous_x;
    s->previous = event->thread;
    s->previous_x = x;
    if (s->crowded)
        return CSY_OK;
    if (event->ended != NO_THREAD && event->ended != s->tau)
        status = take_death(s->taker, event->ended, error);
    if (!status)
        status = take_event(s->taker, event, x, error);
    if (!status && s->taker->sweep)
        s->crowded = sweep_live(s->taker->sweep) > PASS_CROWD;
    return status;
}

static csy_status survey_events(struct surveying *s, const struct progress *progress,
                                csy_error *error)
{
    struct csy_trace *trace = s->timeline.trace;
    bool pex = trace->format == CSY_FORMAT_PEX;
    struct event event;
    bool more;
    for (;;) {
        csy_status status = timeline_next(&s->timeline, &event, &more, error);
        if (status || !more)
            return status;
        if (pex)
            s->survey->original_crc32 =
                (uint32_t)crc32(s->survey->original_crc32, event.bytes, (unsigned)event.size);
        status = survey_event(s, &event, error);
        if (status)
            return at_place(trace, &event, status, error);
        progress_note(progress, trace, event.position);
    }
}

/* One attempt; *again where windows were learnt in it. */
static csy_status survey_once(struct csy_trace *trace, struct surveying *s,
                              const struct progress *progress, bool *again, csy_error *error)
{
    struct survey *survey = s->survey;
    struct ppe_windows noted;
    csy_status status = timeline_init(&s->timeline, trace, &survey->windows, error);
    if (!status)
        status = survey_events(s, progress, error);
    if (!status) {
        timeline_finish(&s->timeline, again, &noted, &survey->clock_report);
        if (*again) {
            free(survey->windows.items);
            survey->windows = noted;
        } else {
            survey->records = s->timeline.records;
            survey->threads = s->timeline.threads;
            threads_init(&s->timeline.threads);
        }
    }
    timeline_fini(&s->timeline);
    return status;
}

csy_status pass_survey(struct csy_trace *trace, const char *reference, struct survey *survey,
                       pass_start start, void *user, struct taker *taker, bool *crowded,
                       const struct progress *progress, csy_error *error)
{
    bool again = true;
    csy_status status = CSY_OK;
    while (again && !status) {
        struct surveying s = {.survey = survey,
                              .taker = taker,
                              .reference = reference,
                              .tau = NO_THREAD,
                              .previous = NO_THREAD};
        rough_fini(&survey->rough);
        survey->original_crc32 = 0;
        survey->adjacent_steps_back = 0;
        again = false;
        status = start(user, taker, error);
        if (!status)
            status = survey_once(trace, &s, progress, &again, error);
        *crowded = s.crowded;
    }
    return status;
}

static csy_status event_again(const struct survey *survey, uint32_t tau, struct taker *taker,
                              const struct event *event, csy_error *error)
{
    const struct thread *thread = &survey->threads.items[event->thread];
    int64_t x = rough_x(&survey->rough, event->thread, event->local_ticks);
    csy_status status = take_event(taker, event, x, error);
    bool dies = event->position == thread->last_record && event->thread != tau;
    bool over = taker->exact && !taker->exact->raises && taker->exact->raised;
    return status || !dies || over ? status : take_death(taker, event->thread, error);
}

static csy_status refuse_changed(const struct csy_trace *trace, csy_error *error)
{
    return error_set(error, CSY_IO, "%s: the trace has changed while it was read", trace->name);
}

csy_status pass_again(struct csy_trace *trace, const struct survey *survey, uint32_t tau,
                      struct taker *taker, const struct progress *progress, csy_error *error)
{
    struct timeline timeline;
    struct event event;
    bool more = true;
    csy_status status = timeline_init(&timeline, trace, &survey->windows, error);
    while (!status) {
        status = timeline_next(&timeline, &event, &more, error);
        if (status || !more)
            break;
        if (event.thread >= survey->threads.count)
            status = refuse_changed(trace, error);
        else
            status = event_again(survey, tau, taker, &event, error);
        if (taker->exact && !taker->exact->raises && taker->exact->raised)
            break;
        progress_note(progress, trace, event.position);
    }
    if (!status && !more && timeline.records != survey->records)
        status = refuse_changed(trace, error);
    timeline_fini(&timeline);
    return status;
}
