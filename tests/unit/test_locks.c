/* Who holds a lock for how long, and waits for whom, in a window and of some actors, against each
 * move of clocks that the records allow. */
#include "acting.h"

#include <cellsync/analysis.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TRIALS = 2000, MOVES_MAX = 12, LOCKS = 2 };
enum { HOLDS, HELD, WAITS, WAITED, FIGURES };

static const char *const columns[FIGURES] = {"holds", "held", "waits", "waited"};

/* Of a lock and who holds it. */
struct found {
    int64_t least[LOCKS][ACTING_THREADS][FIGURES], most[LOCKS][ACTING_THREADS][FIGURES];
    bool any, meant[ACTING_THREADS], released[LOCKS];
};

/* Waits get a lock, all else lets go of one. */
static int lock_of(const struct acting_event *event)
{
    return (int)(event->step % LOCKS);
}

static void name_of(size_t thread, char name[8])
{
    snprintf(name, 8, "%s", thread ? (const char[]){(char)('a' + thread), 0} : "ppe");
}

static void solve(const struct acting *a, csy_trace **trace, csy_sync **sync)
{
    struct buffer rows = {0};
    csy_error error;
    char text[128], path[32], name[8];
    buffer_text(&rows, "# timebase_hz=1000\nthread,event,begin,time,object\n");
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        int64_t offset = a->offsets[e->thread];
        bool waits = e->kind == ACTING_WAIT;
        name_of(e->thread, name);
        snprintf(text, sizeof text, "%s,%s,%lld,%lld,%d\n", name,
                 waits ? "MUTEX_LOCK" : "MUTEX_UNLOCK",
                 (long long)((waits ? e->begin : e->time) - offset), (long long)(e->time - offset),
                 lock_of(e));
        buffer_text(&rows, text);
    }
    int fd = file_of(rows.bytes, rows.size);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    ck_ok(csy_trace_open(path, NULL, trace, &error), error);
    close(fd);
    ck_ok(csy_trace_synchronize(*trace, NULL, sync, &error), error);
    buffer_free(&rows);
}

/* What of a time is in the window; false: nothing is. */
static bool cut(const struct acting_end ends[2], int64_t from, int64_t until, int64_t begin,
                int64_t end, int64_t *out)
{
    bool first = ends[0].kind != ACTING_END_NONE, last = ends[1].kind != ACTING_END_NONE;
    if ((first && last && from >= until) || (first && end <= from) || (last && begin >= until))
        return false;
    begin = first && begin < from ? from : begin;
    end = last && end > until ? until : end;
    *out = end - begin;
    return true;
}

static void look(const struct acting *a, const struct acting_end ends[2], const int64_t *x,
                 struct found *out)
{
    int64_t from = acting_end_time(a, &ends[0], x, false), time;
    int64_t until = acting_end_time(a, &ends[1], x, true);
    int64_t figures[LOCKS][ACTING_THREADS][FIGURES] = {{{0}}}, since[LOCKS][ACTING_THREADS];
    bool holds[LOCKS][ACTING_THREADS] = {{false}};
    size_t last[LOCKS] = {ACTING_THREADS, ACTING_THREADS};
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        int lock = lock_of(e);
        size_t thread = e->thread, holder = last[lock];
        int64_t begin = e->begin + x[thread], end = e->time + x[thread];
        if (e->kind == ACTING_WAIT) {
            bool waited = holder < ACTING_THREADS && holder != thread && end > begin;
            if (waited && out->meant[thread] && cut(ends, from, until, begin, end, &time)) {
                figures[lock][holder][WAITS]++;
                figures[lock][holder][WAITED] += time;
            }
            last[lock] = thread;
            holds[lock][thread] = true;
            since[lock][thread] = end;
            continue;
        }
        out->released[lock] = true;
        if (holds[lock][thread] && cut(ends, from, until, since[lock][thread], end, &time)) {
            figures[lock][thread][HOLDS]++;
            figures[lock][thread][HELD] += time;
        }
        holds[lock][thread] = false;
    }
    for (size_t lock = 0; lock < LOCKS; lock++)
        for (size_t thread = 0; thread < ACTING_THREADS; thread++)
            for (size_t i = 0; i < FIGURES; i++) {
                int64_t value = figures[lock][thread][i], *least = &out->least[lock][thread][i];
                int64_t *most = &out->most[lock][thread][i];
                *least = !out->any || value < *least ? value : *least;
                *most = !out->any || value > *most ? value : *most;
            }
    out->any = true;
}

/* Figures of holders that are not meant are none, but for the waits of others. */
static int compare(const csy_sheet *sheet, const struct found *want, int trial)
{
    bool told[LOCKS][ACTING_THREADS] = {{false}};
    int exact = 0;
    for (size_t row = 0; row < sheet->nrows; row++) {
        const csy_value *values = sheet->values + row * sheet->ncolumns;
        size_t lock = (size_t)(values[0].text[0] - '0');
        size_t thread = strcmp(values[1].text, "ppe") == 0 ? 0 : (size_t)(values[1].text[0] - 'a');
        told[lock][thread] = true;
        for (size_t i = 0; i < FIGURES; i++) {
            const csy_value *value = &values[2 + i];
            int64_t lo = want->least[lock][thread][i], hi = want->most[lock][thread][i];
            ck_assert_str_eq(sheet->columns[2 + i].name, columns[i]);
            ck_assert(value->none == (i < WAITS && !(want->meant[thread] && want->released[lock])));
            if (value->none)
                continue;
            ck_assert_msg(value->range.lo <= lo && hi <= value->range.hi,
                          "trial %d: %s of lock %zu by %zu in [%lld, %lld], but [%lld, %lld] is "
                          "attained",
                          trial, columns[i], lock, thread, (long long)value->range.lo,
                          (long long)value->range.hi, (long long)lo, (long long)hi);
            ck_assert(value->range.lo <= value->range.estimate &&
                      value->range.estimate <= value->range.hi);
            exact += value->range.lo == lo && value->range.hi == hi;
        }
    }
    for (size_t lock = 0; lock < LOCKS; lock++)
        for (size_t thread = 0; thread < ACTING_THREADS; thread++)
            ck_assert(told[lock][thread] ||
                      (want->most[lock][thread][WAITS] == 0 &&
                       (want->most[lock][thread][HOLDS] == 0 || !want->meant[thread])));
    return exact;
}

/* One or more of the threads, or all, which is NULL. */
static const char *draw_actors(const struct acting *a, struct random *r, struct found *out,
                               char names[8 * ACTING_THREADS])
{
    char name[8];
    size_t n = 0;
    bool all = random_chance(r, 40);
    names[0] = 0;
    while (n == 0)
        for (size_t i = 0; i < a->nthreads; i++) {
            out->meant[i] = all || random_chance(r, 50);
            name_of(i, name);
            if (out->meant[i])
                snprintf(names + strlen(names), 8 * ACTING_THREADS - strlen(names), "%s%s",
                         n++ ? "," : "", name);
        }
    return all ? NULL : names;
}

START_TEST(every_move)
{
    int tried = 0, some = 0, exact = 0;
    csy_error error;
    csy_meaning *meaning;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a;
        struct acting_end ends[2];
        struct found want = {.any = false};
        csy_trace *trace;
        csy_sync *sync;
        csy_analysis *analysis;
        int64_t x[ACTING_THREADS];
        char from[32], until[32], window[80], names[8 * ACTING_THREADS];
        acting_draw_flat(&r, 3, 8, 4, true, &a);
        solve(&a, &trace, &sync);
        int64_t most = acting_furthest(sync);
        for (int i = 0; i < 2; i++)
            acting_draw_end(&a, &r, &ends[i]);
        acting_write_end(&ends[0], from);
        acting_write_end(&ends[1], until);
        snprintf(window, sizeof window, "%s..%s", from, until);
        const char *actors = draw_actors(&a, &r, &want, names);
        bool few = csy_sync_nthreads(sync) == a.nthreads && most <= MOVES_MAX;
        csy_status status =
            few ? csy_sync_waits(sync, meaning, actors, window, &analysis, &error) : CSY_USAGE;
        if (status == CSY_OK) { /* else it ends before it begins */
            for (bool more = acting_first_move(&a, most, x); more;
                 more = acting_next_move(&a, most, x))
                look(&a, ends, x, &want);
            ck_assert(want.any);
            exact += compare(csy_analysis_sheet(analysis, 1), &want, trial);
            tried++;
            some += actors != NULL;
            csy_analysis_free(analysis);
        }
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    printf("%d windows, %d of them of some actors, %d ranges attained\n", tried, some, exact);
    ck_assert_of_trials(some * 8 > trials_of(TRIALS));
    ck_assert_of_trials(exact > tried);
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("locks");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_move);
    return unit_run();
}
