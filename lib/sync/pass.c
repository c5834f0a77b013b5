/* Reads a trace once: finds its threads and counter wraps, and passes its events to a caller. */
#include "sync/pass.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "fast/fast.h"
#include "sync/closed_limits.h"

#include <stdlib.h>
#include <string.h>

void survey_fini(struct survey *survey)
{
    threads_fini(&survey->threads);
    unwrap_lore_fini(&survey->lore);
    rebase_fini(&survey->rough);
    free(survey->dropped);
    *survey = (struct survey){0};
}

csy_status survey_end(struct survey *survey, struct timeline *timeline, bool *again,
                      csy_error *error)
{
    const struct csy_trace *trace = timeline->trace;
    struct unwrap_lore learnt = {0};
    survey->cut = trace_cut(trace) ? *trace_cut(trace) : (csy_cut){0};
    if (survey->cut.text[0] && (trace->nrecord_files > 1 || trace->source->folder))
        survey->cut.records = timeline->records; /* records of all files of the trace */
    csy_status status = timeline_finish(timeline, again, &learnt, &survey->clock_report, error);
    survey->lore = learnt;
    if (status)
        return status;
    survey->records = timeline->records;
    survey->threads = timeline->threads;
    threads_init(&timeline->threads);
    return CSY_OK;
}

static csy_status take_event(struct taker *taker, struct line *line, const struct event *event,
                             int64_t x, csy_error *error)
{
    struct point point = {event->position, event->place, event->thread, event->local_ticks, x};
    csy_status status = line_event(line, &point, error);
    return status || !taker->observe ? status : taker->observe(taker->observer, event, error);
}

struct surveying {
    struct survey *survey;
    struct timeline timeline;
    struct taker *taker;
    const char *reference;
    /* index of the thread with this name, or NO_THREAD before its first event */
    uint32_t tau;
    bool alone, crowded; /* see struct first_pass */
    struct line line;
    /* limits of elapsed times, to find counter wraps (rule 2 in clock/unwrap.h), or NULL */
    struct closed_limits *limits;
    struct line near;
    /* sorted positions of the last record of each thread, if known from an earlier pass */
    uint64_t *lasts;
    size_t nlasts, next_last;
    struct fast *fast; /* faster reader of the most frequent records (fast/fast.h), or NULL */
};

static csy_status survey_event(struct surveying *s, const struct event *event, csy_error *error)
{
    struct survey *survey = s->survey;
    int64_t x;
    char name[THREAD_NAME_MAX];
    bool new = event->thread == survey->rough.count;
    if (s->alone) {
        csy_status alone =
            rebase_alone(&survey->rough, event->thread, event->local_ticks, &x, error);
        return alone ? alone : s->taker->observe(s->taker->observer, event, error);
    }
    csy_status status = rebase_place(&survey->rough, event->thread, event->local_ticks, &x, error);
    if (status)
        return status;
    if (new && s->reference &&
        strcmp(thread_name(&s->timeline.threads.items[event->thread], name), s->reference) == 0)
        s->tau = event->thread;
    const struct point *last = &s->line.last;
    survey->adjacent_steps_back += event->thread == last->thread && x < last->x;
    if (last->thread != LINE_NONE && event->thread != last->thread)
        disorder_note(&survey->rough.disorder, x - last->x);
    survey->greatest_x = x > survey->greatest_x ? x : survey->greatest_x;
    /* Rule 2 in clock/unwrap.h only helps if the times of events go back by this much. */
    if (survey->greatest_x - (int128)x > survey->rules.imprecision_ticks / 4)
        survey->behind = true;
    if (s->limits) {
        status = CSY_OK;
        struct point point = {event->position, event->place, event->thread, event->local_ticks, x};
        s->limits->ppe = s->timeline.threads.ppe;
        if (event->ended != NO_THREAD)
            status = line_ended(&s->near, event->ended, error);
        if (!status)
            status = line_event(&s->near, &point, error);
        if (!status && sorted_has(s->lasts, s->nlasts, &s->next_last, event->position))
            status = line_ended(&s->near, event->thread, error);
    }
    if (s->crowded)
        line_skip(&s->line, event->thread, x);
    if (status || s->crowded)
        return status;
    if (event->ended != NO_THREAD && event->ended != s->tau)
        status = line_ended(&s->line, event->ended, error);
    if (!status)
        status = take_event(s->taker, &s->line, event, x, error);
    if (!status && s->taker->sweep)
        s->crowded = sweep_live(s->taker->sweep->sweep) > PASS_CROWD;
    return status;
}

/* Returns true if s->fast can read the next records. It cannot if too many threads are live, or
 * after a contradiction in the sweep (the engine that removes threads after their last records). */
static bool is_fast(const struct surveying *s)
{
    return s->fast && !s->crowded && (!s->taker->sweep || s->taker->sweep->feasible);
}

static csy_status survey_events(struct surveying *s, const struct progress *progress,
                                csy_error *error)
{
    struct csy_trace *trace = s->timeline.trace;
    struct sweep *sweep = s->taker->sweep ? s->taker->sweep->sweep : NULL;
    struct event event;
    bool more = true;
    csy_status status = CSY_OK;
    const struct taker *taker = s->taker;
    /* s->fast can pass records to a sweep (engine that removes threads after their last records),
     * but not to another engine or to `observe`. */
    if ((taker->sweep || !taker->sink.engine) && !taker->observe && !s->limits &&
        !s->timeline.rules.prepare)
        status = fast_new(&s->timeline, &s->survey->rough, sweep, NULL, &s->fast, error);
    if (!status && s->fast && (!s->reference || strcmp(s->reference, "ppe") == 0))
        fast_take_turns(s->fast, s->taker->sweep, &s->tau, PASS_CROWD);
    while (!status && !(s->alone && sink_is_over(&taker->sink))) {
        uint64_t before = s->timeline.records;
        struct fast_taken taken = {0};
        if (is_fast(s))
            status = fast_run(s->fast, &(struct fast_job){.limit = UINT64_MAX}, &taken, error);
        if (taken.records > 0) {
            line_skip(&s->line, taken.thread, taken.x);
            if (taken.greatest_x > s->survey->greatest_x)
                s->survey->greatest_x = taken.greatest_x;
            if (s->timeline.records / PROGRESS_RECORDS > before / PROGRESS_RECORDS)
                progress_show(progress, trace);
        }
        if (!status)
            status = timeline_next(&s->timeline, &event, &more, error);
        if (status || !more)
            break;
        status = survey_event(s, &event, error);
        if (status) {
            status = trace_at_place(trace, event.place, status, error);
            break;
        }
        if (is_fast(s))
            fast_note(s->fast, &event, s->line.last.x);
        progress_note(progress, trace, event.position);
    }
    fast_free(s->fast);
    s->fast = NULL;
    return status;
}

/* Read the trace once. `known` (counter wraps of an earlier pass) and `limits` (of elapsed times,
 * by rule 2 of clock/unwrap.h) may be NULL. */
static csy_status survey_with(struct csy_trace *trace, struct survey *survey,
                              struct first_pass *first, const struct unwrap_lore *known,
                              struct closed_limits *limits, bool *overthrown, csy_error *error)
{
    struct taker taker = {.observe = NULL};
    struct timeline_rules rules = survey->rules;
    struct surveying s = {.survey = survey,
                          .taker = &taker,
                          .reference = first->reference,
                          .tau = NO_THREAD,
                          .alone = first->alone,
                          .limits = limits};
    if (limits && !rules.closed) {
        rules.closed = closed_limits_of;
        rules.closed_user = limits;
    }
    rebase_fini(&survey->rough);
    survey->adjacent_steps_back = 0;
    survey->greatest_x = 0;
    survey->behind = false;
    if (limits) {
        s.lasts = malloc((survey->threads.count + 1) * sizeof *s.lasts);
        if (!s.lasts)
            return error_memory(error);
        while (s.nlasts < survey->threads.count) {
            s.lasts[s.nlasts] = survey->threads.items[s.nlasts].last_record;
            s.nlasts++;
        }
        sort_numbers(s.lasts, s.nlasts);
    }
    csy_status status = first->start(first->user, &taker, error);
    if (!status) {
        struct sink near = limits ? closed_limits_sink(limits) : (struct sink){0};
        line_init(&s.line, &taker.sink, taker.pairs, 0);
        line_init(&s.near, &near, LINE_NEIGHBOURS, 0);
        status = timeline_init(&s.timeline, trace, &rules, known, error);
    }
    if (!status)
        status = survey_events(&s, first->progress, error);
    if (!status && !(s.alone && sink_is_over(&taker.sink))) {
        threads_fini(&survey->threads);
        status = survey_end(survey, &s.timeline, overthrown, error);
    }
    first->crowded = s.crowded;
    timeline_fini(&s.timeline);
    line_fini(&s.line);
    line_fini(&s.near);
    free(s.lasts);
    return status;
}

csy_status pass_survey(struct csy_trace *trace, struct survey *survey, struct first_pass *first,
                       csy_error *error)
{
    bool overthrown = false;
    struct closed_limits limits = {0};
    struct unwrap_lore known = survey->lore;
    bool fresh = known.nwindows == 0 && known.ngaps == 0;
    survey->lore = (struct unwrap_lore){0};
    csy_status status =
        survey_with(trace, survey, first, fresh ? NULL : &known, NULL, &overthrown, error);
    /* If no wraps of counters were assumed, strict unwrapping is not needed, because it would split
     * no thread. After a pass that ended early, `records` is 0. */
    if (!status && first->alone && survey->records > 0 && !overthrown &&
        survey->clock_report.assumed == 0)
        survey->rules.strict = false;
    /* Some numbers of counter wraps were wrong (overthrown) or only assumed. Reading the trace
     * again may find the right ones. */
    if (!status && fresh &&
        (overthrown ||
         (survey->clock_report.assumed > 0 && (survey->rules.strict || survey->behind)))) {
        known = survey->lore;
        survey->lore = (struct unwrap_lore){0};
        if (!trace->partial)
            status =
                closed_limits_init(&limits, &survey->rough, survey->rules.imprecision_ticks, error);
        if (!status)
            status = survey_with(trace, survey, first, &known, trace->partial ? NULL : &limits,
                                 &overthrown, error);
        closed_limits_fini(&limits);
    }
    unwrap_lore_fini(&known);
    return status;
}

csy_status pass_again(struct csy_trace *trace, const struct survey *survey, uint32_t tau,
                      struct taker *taker, const struct progress *progress, csy_error *error)
{
    struct timeline timeline;
    struct event event;
    struct line line;
    bool more = true, over = false;
    size_t next = 0;
    line_init(&line, &taker->sink, taker->pairs, 0);
    csy_status status = timeline_init(&timeline, trace, &survey->rules, &survey->lore, error);
    while (!status && !over) {
        status = timeline_next(&timeline, &event, &more, error);
        if (status || !more)
            break;
        if (event.thread >= survey->threads.count)
            status = trace_refuse_changed(trace, error);
        else if (!sorted_has(survey->dropped, survey->ndropped, &next, event.position)) {
            int64_t x = rebase_x(&survey->rough, event.thread, event.local_ticks);
            status = take_event(taker, &line, &event, x, error);
        }
        if (!status && event.thread != tau &&
            event.position == survey->threads.items[event.thread].last_record)
            status = line_ended(&line, event.thread, error);
        if (status)
            status = taker->observe ? status : trace_at_place(trace, event.place, status, error);
        over = sink_is_over(&taker->sink);
        if (!over)
            progress_note(progress, trace, event.position);
    }
    if (!status && !more && timeline.records != survey->records)
        status = trace_refuse_changed(trace, error);
    line_fini(&line);
    timeline_fini(&timeline);
    return status;
}
