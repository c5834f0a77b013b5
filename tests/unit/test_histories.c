/* Ranges of concurrency where stamps are off: searched for histories that these allow, of which one
 * is outside. */
#include "acting.h"

#include <cellsync/analysis.h>

enum { TRIALS = 600, STEPS = 60, DELTA_MAX = 2 };

/* What may have been: how far each clock and each stamp is off. */
struct history {
    int64_t x[ACTING_THREADS], end[ACTING_EVENTS], begin[ACTING_EVENTS];
};

/* The program that it would have been; false where the buffer, or an actor, has another order. */
static bool make(const struct acting *told, const struct history *h, struct acting *out)
{
    int64_t last[ACTING_THREADS];
    *out = *told;
    for (size_t t = 0; t < told->nthreads; t++)
        last[t] = INT64_MIN;
    for (size_t i = 0; i < told->n; i++) {
        struct acting_event *e = &out->events[i];
        e->time += h->x[e->thread] + h->end[i];
        e->begin = e->kind == ACTING_WAIT ? e->begin + h->x[e->thread] + h->begin[i] : e->time;
        if ((i > 0 && e->time < out->events[i - 1].time) || e->begin > e->time ||
            e->begin < last[e->thread])
            return false;
        last[e->thread] = e->time;
    }
    return true;
}

static void vary(struct random *r, const struct acting *told, int64_t delta, struct history *h)
{
    size_t event = (size_t)random_between(r, 0, (int64_t)told->n - 1);
    if (random_chance(r, 30))
        h->x[random_between(r, 0, (int64_t)told->nthreads - 1)] += random_chance(r, 50) ? 1 : -1;
    else if (random_chance(r, 50))
        h->end[event] = random_chance(r, 50) ? delta : -delta;
    else
        h->begin[event] = random_chance(r, 50) ? delta : -delta;
}

static const csy_range *cell(const csy_analysis *analysis, size_t level, size_t column)
{
    static const csy_range nothing = {0, 0, 0, CSY_RANGE_CLOCK};
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
    return level < sheet->nrows ? &sheet->values[level * sheet->ncolumns + column].range : &nothing;
}

static void check(const struct acting *told, const int64_t *times, const csy_analysis *analysis,
                  int trial)
{
    for (size_t i = 1; i <= told->nthreads; i++) {
        const csy_range *at_least = cell(analysis, i, 3), *time = cell(analysis, i, 1);
        int64_t exactly = times[i] - times[i + 1];
        ck_assert_msg(at_least->lo <= times[i] && times[i] <= at_least->hi,
                      "trial %d: at least %zu in [%lld, %lld], but may have been %lld", trial, i,
                      (long long)at_least->lo, (long long)at_least->hi, (long long)times[i]);
        ck_assert_msg(time->lo <= exactly && exactly <= time->hi,
                      "trial %d: exactly %zu in [%lld, %lld], but may have been %lld", trial, i,
                      (long long)time->lo, (long long)time->hi, (long long)exactly);
    }
}

/* From what was, step by step to where so many are active for longer, or less long. */
static void search(struct random *r, const struct acting *told, const struct history *truth,
                   int64_t delta, const csy_analysis *analysis, int trial)
{
    static const int64_t nothing[ACTING_THREADS];
    struct history now = *truth;
    struct acting made;
    int64_t times[ACTING_THREADS + 2], best = INT64_MIN;
    int64_t level = random_between(r, 1, (int64_t)told->nthreads);
    int64_t sign = random_chance(r, 50) ? 1 : -1;
    for (int step = 0; step < STEPS; step++) {
        struct history next = now;
        if (step > 0)
            vary(r, told, delta, &next);
        if (!make(told, &next, &made))
            continue;
        acting_levels(&made, nothing, times);
        check(told, times, analysis, trial);
        if (sign * times[level] >= best) {
            best = sign * times[level];
            now = next;
        }
    }
}

START_TEST(histories)
{
    csy_error error;
    csy_meaning *meaning;
    const csy_concurrency asked = {.units = CSY_UNITS_ACTORS};
    ck_ok(csy_meaning_new(&meaning, &error), error);
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a, told;
        struct history truth = {.x = {0}};
        csy_trace *trace;
        csy_sync *sync;
        csy_analysis *analysis;
        int64_t delta = 1 + trial % DELTA_MAX;
        acting_draw_flat(&r, trial % 3 ? 2 : 3, 5, 12, true, &a);
        told = a;
        for (size_t i = 0; i < a.n; i++) { /* stamps are off, what was is the other way round */
            struct acting_event *e = &told.events[i];
            truth.end[i] = random_between(&r, -delta, delta);
            truth.begin[i] = e->kind == ACTING_WAIT ? random_between(&r, -delta, delta) : 0;
            e->time -= truth.end[i];
            e->begin -= truth.begin[i];
            if (e->begin > e->time) {
                truth.begin[i] += e->begin - e->time;
                e->begin = e->time;
            }
        }
        acting_solve_off(&told, NULL, delta, &trace, &sync);
        ck_ok(csy_sync_concurrency(sync, meaning, &asked, &analysis, &error), error);
        for (int i = 0; i < 6; i++)
            search(&r, &told, &truth, delta, analysis, trial);
        csy_analysis_free(analysis);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("histories");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, histories);
    return unit_run();
}
