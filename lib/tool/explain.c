/* Implements explain.h. See cellsync-report(7), Chains. */
#include "tool/explain.h"

#include "tool/show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ESCAPED_BYTES = 128 };

/* A solution, and two threads s and t of different clocks, which are compared. */
struct explainer {
    const csy_trace *trace;
    csy_sync *sync;
    size_t s, t;
};

static const char *name_of(const struct explainer *e, size_t thread, char text[ESCAPED_BYTES])
{
    csy_escape(text, ESCAPED_BYTES, csy_sync_thread(e->sync, thread)->name);
    return show_name(text, stdout);
}

/* Print which clock a thread runs on, unless the clock's name is also `name`, of `size` bytes. */
static void print_clock(const struct explainer *e, const char *name, size_t size, size_t thread)
{
    char clock[ESCAPED_BYTES], whole[2 * ESCAPED_BYTES], shown[ESCAPED_BYTES];
    const char *called = csy_sync_thread(e->sync, thread)->name;
    if (strlen(called) == size && memcmp(called, name, size) == 0)
        return;
    snprintf(whole, sizeof whole, "%.*s", (int)(size < sizeof whole ? size : sizeof whole), name);
    csy_escape(shown, sizeof shown, whole);
    printf("%s runs on the clock %s\n", show_name(shown, stdout), name_of(e, thread, clock));
}

/* Print a reading of a clock. If clocks drift, the reading need not be the time of a record. */
static void print_record(const struct explainer *e, uint64_t record, uint64_t place, size_t thread,
                         int64_t local_ticks, int64_t global_ticks)
{
    char name[ESCAPED_BYTES], where[CSY_PLACE_TEXT_MAX];
    bool drift = csy_sync_drift(e->sync) != NULL;
    int64_t moved = global_ticks - local_ticks - csy_sync_thread(e->sync, thread)->offset_ticks;
    if (!drift || record != CSY_NO_RECORD)
        printf("record %" PRIu64 " (%s) of ", record, csy_trace_place_text(e->trace, place, where));
    printf("%s at %" PRId64 ", global %" PRId64, name_of(e, thread, name), local_ticks,
           global_ticks);
    if (!drift && moved != 0)
        printf(" (moved forward by %" PRId64 ")", moved);
}

/* Print a chain (sequence of constraints). It limits g[s] - g[t], the difference of the offsets of
 * two clocks, from above if `upper` is true, otherwise from below. */
static void print_chain(const struct explainer *e, const csy_chain *chain, bool upper)
{
    char s[ESCAPED_BYTES], t[ESCAPED_BYTES];
    name_of(e, upper ? chain->s : chain->t, s);
    name_of(e, upper ? chain->t : chain->s, t);
    int64_t added = csy_sync_imprecision(e->sync)->added_ticks, slack = 0;
    if (chain->end_ticks == INT64_MAX) {
        const char *from = upper ? s : t, *to = upper ? t : s;
        printf("g[%s] - g[%s] has no %s limit, because no chain of records leads from %s to %s; a "
               "record of %s after a record of %s would give this limit\n",
               s, t, upper ? "upper" : "lower", from, to, to, from);
        return;
    }
    for (size_t i = 0; i < chain->length; i++)
        slack += chain->edges[i].slack_ticks;
    printf("g[%s] - g[%s] %s %" PRId64 ", from %zu constraint%s with %" PRId64
           " added to each; total slack %" PRId64 "\n",
           s, t, upper ? "<=" : ">=", upper ? chain->end_ticks : -chain->end_ticks, chain->length,
           chain->length == 1 ? "" : "s", added, slack);
    for (size_t i = 0; i < chain->length; i++) {
        char steps[CSY_STEPS_TEXT_MAX];
        const csy_witness_edge *c = &chain->edges[i].constraint;
        printf("  ");
        print_record(e, c->record_s, c->place_s, c->s, c->time_s, chain->edges[i].global_s);
        if (c->nsteps == 1 && c->steps->kind >= CSY_ORDER_LATENCY_MAX)
            printf("\n    at most %" PRId64 " after ", -c->latency_ticks);
        else
            printf("\n    before ");
        print_record(e, c->record_t, c->place_t, c->t, c->time_t, chain->edges[i].global_t);
        printf(": weight %" PRId64, c->weight_ticks);
        if (c->latency_ticks > 0)
            printf(", latency %" PRId64, c->latency_ticks);
        printf(", slack %" PRId64 "\n", chain->edges[i].slack_ticks);
        csy_steps_text(c, steps);
        if (c->nsteps > 0)
            printf("    by %s\n", show_name(steps, stdout));
    }
    /* A new record next to the constraint with the most slack would narrow the bound the most. */
    const csy_chain_edge *most = &chain->edges[0];
    for (size_t i = 1; i < chain->length; i++)
        if (chain->edges[i].slack_ticks > most->slack_ticks)
            most = &chain->edges[i];
    const csy_witness_edge *c = &most->constraint;
    name_of(e, c->s, s);
    name_of(e, c->t, t);
    if (most->slack_ticks == 0) {
        printf("  the offsets are at this end, so no further record can move the end\n");
        return;
    }
    printf("  to move this end closer by at most %" PRId64 ": ", most->slack_ticks);
    if (c->nsteps == 1 && c->steps->kind >= CSY_ORDER_LATENCY_MAX)
        printf("a limit below %" PRId64 "\n", -c->latency_ticks);
    else if (csy_sync_matched(e->sync))
        printf("a faster message from %s to %s\n", s, t);
    else
        printf("a record of %s after %" PRId64 " or of %s before %" PRId64
               ", between records %" PRIu64 " and %" PRIu64 "\n",
               s, c->time_s, t, c->time_t, c->record_s, c->record_t);
}

static csy_status print_errors(const struct explainer *e, csy_error *error)
{
    char time[CSY_TIME_TEXT_MAX];
    int64_t lower, upper, bound;
    const csy_imprecision *imprecision = csy_sync_imprecision(e->sync);
    uint64_t hz = csy_trace_timebase_hz(e->trace);
    csy_status status = csy_sync_bounds(e->sync, e->s, e->t, &lower, &upper, &bound, error);
    if (status)
        return status;
    if (bound < 0) {
        printf("error bound unlimited\n");
        return CSY_OK;
    }
    printf("error bound %" PRId64 " tick%s, %s\n", bound, bound == 1 ? "" : "s",
           csy_time_text((csy_fraction){bound, 1}, hz, time));
    if (imprecision->added_ticks == 0)
        return CSY_OK;
    bound = csy_sync_event_error(e->sync, bound);
    printf("event error %" PRId64 " tick%s, %s", bound, bound == 1 ? "" : "s",
           csy_time_text((csy_fraction){bound, 1}, hz, time));
    csy_time_text(imprecision->delta, hz, time);
    if (imprecision->conditional)
        printf(" at most, if no timestamp is off by more than %s, which is an estimate\n", time);
    else
        printf(" at most, if every timestamp is correct to within %s\n", time);
    return CSY_OK;
}

static const char *ticks_text(csy_fine ticks, char text[64])
{
    enum { MILLION = 1000000 };
    int64_t whole = ticks.ticks;
    uint32_t part = ticks.billionths / MILLION + (ticks.billionths % MILLION > 0);
    /* the value is whole + part / 1000 with part >= 0, so -0.5 has whole = -1 and part = 500 */
    bool below = whole < 0 && part > 0;
    if (part == 1000) {
        whole++;
        part = 0;
        below = false;
    }
    if (below)
        snprintf(text, 64, "%s%" PRId64 ".%03u", whole == -1 ? "-" : "", whole + 1, 1000 - part);
    else
        snprintf(text, 64, "%" PRId64 ".%03u", whole, part);
    return text;
}

static void print_passed(const struct explainer *e, size_t clock, int64_t from, int64_t to,
                         csy_fine passed)
{
    char name[ESCAPED_BYTES], again[ESCAPED_BYTES], text[64];
    if (from != to)
        printf("  %s at %" PRId64 " is at most %s after %s at %" PRId64 "\n",
               name_of(e, clock, name), from, ticks_text(passed, text), name_of(e, clock, again),
               to);
}

static void print_drift_chain(const struct explainer *e, const csy_drift_chain *chain,
                              csy_instant from, csy_instant to)
{
    char s[ESCAPED_BYTES], t[ESCAPED_BYTES], text[64], slack[64];
    printf("%s at most %s after %s: %zu constraint%s\n", name_of(e, chain->s, s),
           ticks_text(chain->most, text), name_of(e, chain->t, t), chain->length,
           chain->length == 1 ? "" : "s");
    int64_t reading = from.local_ticks;
    for (size_t i = 0; i < chain->length; i++) {
        const csy_drift_step *step = &chain->steps[i];
        print_passed(e, step->s, reading, step->time_s, step->passed);
        printf("  ");
        print_record(e, step->record_s, step->place_s, step->s, step->time_s, step->global_s);
        printf("\n    before ");
        print_record(e, step->record_t, step->place_t, step->t, step->time_t, step->global_t);
        printf(": at most %s after it, slack %s\n", ticks_text(step->most, text),
               ticks_text(step->slack, slack));
        reading = step->time_t;
    }
    print_passed(e, chain->t, reading, to.local_ticks, chain->passed);
}

static void print_drift(const struct explainer *e, const csy_drift_explanation *made)
{
    char s[ESCAPED_BYTES], t[ESCAPED_BYTES], text[64];
    name_of(e, e->s, s);
    name_of(e, e->t, t);
    if (!made->bounded) {
        printf("%s and %s do not limit each other, because no chain of records leads from one to "
               "the other and back\n",
               s, t);
        return;
    }
    csy_fine upper = made->upper.most, lower = made->lower.most, width = {0, 0};
    uint32_t parts = upper.billionths + lower.billionths;
    width.ticks = upper.ticks + lower.ticks + parts / 1000000000;
    width.billionths = parts % 1000000000;
    printf("at the worst of %d moments, global time %" PRId64 ", clock %s shows %" PRId64
           " and clock %s shows %" PRId64 "\n",
           CSY_DRIFT_MOMENTS, made->moment_ticks, s, made->s.local_ticks, t, made->t.local_ticks);
    print_drift_chain(e, &made->upper, made->s, made->t);
    print_drift_chain(e, &made->lower, made->t, made->s);
    printf("error bound %s ticks\n", ticks_text(width, text));
}

/* If the thread is a single record near which its clock may have been set, print the range of its
 * offset. The clock's other records limit it, too, but are in none of the printed chains. */
static void print_step(const struct explainer *e, size_t thread)
{
    char name[ESCAPED_BYTES], clock[ESCAPED_BYTES];
    const csy_thread *view = csy_sync_thread(e->sync, thread);
    const csy_drift *drift = csy_sync_drift(e->sync);
    int64_t earliest = view->earliest_ticks, latest = view->latest_ticks;
    bool inside = false;
    csy_step step;
    for (size_t i = 0; !inside && csy_sync_step(e->sync, i, &step); i++) {
        size_t size = strlen(step.clock);
        inside = strncmp(view->name, step.clock, size) == 0 && view->name[size] == '@' &&
                 strtoull(view->name + size + 1, NULL, 10) == view->first_record;
    }
    if (drift) {
        const csy_drift_clock *of = &drift->clocks[thread];
        inside = inside && of->bounded;
        earliest = of->first.earliest.ticks;
        latest = of->first.latest.ticks + (of->first.latest.billionths > 0);
    }
    if (!inside || earliest == INT64_MIN || latest == INT64_MAX)
        return;
    csy_escape(clock, sizeof clock, step.clock);
    printf("%s lies also within the range of %s before or after its step: its global time is its "
           "local time plus %" PRId64 " to %" PRId64 "\n",
           name_of(e, thread, name), show_name(clock, stdout), earliest, latest);
}

static csy_status explain(struct explainer *e, const char *pair, const char *second,
                          struct progress_line *progress, csy_error *error)
{
    csy_explanation *made = NULL;
    csy_drift_explanation *drifting = NULL;
    char text[CSY_WARNING_TEXT_MAX];
    csy_status status = csy_sync_drift(e->sync)
                            ? csy_sync_drift_explain(e->sync, e->s, e->t, &drifting, error)
                            : csy_sync_explain(e->sync, e->s, e->t, &made, error);
    progress_line_clear(progress);
    if (status || (!made && !drifting))
        return status;
    if (pair) {
        print_clock(e, pair, (size_t)(second - pair) - 1, e->s);
        print_clock(e, second, strlen(second), e->t);
    }
    bool bounded = false;
    if (drifting) {
        bounded = drifting->bounded;
        print_drift(e, drifting);
    } else {
        bounded = made->upper.end_ticks != INT64_MAX || made->lower.end_ticks != INT64_MAX;
        print_chain(e, &made->upper, true);
        print_chain(e, &made->lower, false);
        status = print_errors(e, error);
    }
    if (!status && bounded) {
        print_step(e, e->s);
        print_step(e, e->t);
    }
    for (size_t i = 0; !status && pair && bounded && csy_sync_condition_at(e->sync, i, text); i++)
        printf("bounds hold if %s\n", text);
    csy_explanation_free(made);
    csy_drift_explanation_free(drifting);
    return status;
}

csy_status explain_clocks(csy_trace *trace, csy_sync *sync, size_t s, size_t t,
                          struct progress_line *progress, csy_error *error)
{
    struct explainer e = {.trace = trace, .sync = sync, .s = s, .t = t};
    return explain(&e, NULL, NULL, progress, error);
}

csy_status explain_named(csy_trace *trace, csy_sync *sync, const char *pair,
                         struct progress_line *progress, csy_error *error)
{
    struct explainer e = {.trace = trace, .sync = sync};
    char text[ESCAPED_BYTES];
    int most = -1; /* largest number of valid names around a comma so far */
    csy_escape(text, sizeof text, pair);
    *error = (csy_error){.status = CSY_USAGE};
    snprintf(error->text, sizeof error->text,
             "--explain: '%s' is not of the form A,B with the names of two threads", text);
    /* Names may contain commas. The first comma with a valid name on each side separates the names.
     * If there is none, the error describes the comma with the most valid names. */
    for (const char *comma = strchr(pair, ','); comma; comma = strchr(comma + 1, ',')) {
        csy_error first = {CSY_OK, ""}, second = first;
        size_t size = (size_t)(comma - pair);
        const char *after = comma + 1;
        if (size == 0 || !*after)
            continue;
        csy_sync_find_thread(sync, pair, size, &e.s, &first);
        csy_sync_find_thread(sync, after, strlen(after), &e.t, &second);
        int found = !first.status + !second.status;
        if (found == 2 && e.s != e.t)
            return explain(&e, pair, after, progress, error);
        if (found <= most || (strncmp(pair, after, size) == 0 && strlen(after) == size))
            continue;
        most = found;
        csy_escape(text, sizeof text, found == 2 ? csy_sync_thread(sync, e.s)->name : "");
        snprintf(error->text, sizeof error->text, "--explain: %.800s%s",
                 first.status    ? first.text
                 : second.status ? second.text
                                 : "both run on the same clock: ",
                 text);
    }
    progress_line_clear(progress);
    return CSY_USAGE;
}
