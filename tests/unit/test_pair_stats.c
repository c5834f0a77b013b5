/*
 * Tallies out of the records of a sweep: against all bounds by Floyd and Warshall over every pair
 * of records, and against the rows of the same sweep.
 *
 * Lines of events are drawn with 1 to 20 threads live at once, bursts, a PPE that falls silent,
 * places that no thread has records on both sides of, any thread as the reference, imprecise
 * stamps, and threads that die as soon as they can or at any time later.
 */
#include "bounds/pair_stats.h"
#include "bounds/statistics.h"
#include "graph/sweep.h"
#include "order/rebase.h"
#include "support.h"

#include <stdlib.h>

enum {
    SLOTS_MAX = 20,
    EVENTS_MAX = 8000,
    TRIALS = 4000,
    LONG_TRIALS = 8,
    LONG = 4000,
    WORKER_TRIALS = 60
};

#define NO_LIMIT ((size_t)1 << 30)

/* A trace in one line, and when its threads die. */
struct line {
    size_t n, nthreads;
    uint32_t thread[EVENTS_MAX];
    int64_t x[EVENTS_MAX];
    int64_t added_ticks;
    uint32_t tau;
    size_t
        last[EVENTS_MAX]; /* by thread: it is eliminated before this event; n: when all is over */
    struct pair_tally_thread threads[EVENTS_MAX];
};

/* How a line is drawn. */
struct manner {
    size_t nslots;
    int64_t jitter, step;          /* 0 to step ticks pass between events */
    int change, cut;               /* chance per cent that a slot gets a new thread, or all do */
    int burst;                     /* that the same thread goes on */
    int ppe;                       /* that the PPE, slot 0, speaks */
    int late;                      /* that a thread is eliminated later than it could */
    size_t silent_from, silent_to; /* events between which the PPE does not */
};

static struct manner draw_manner(struct random *r, size_t n)
{
    struct manner m = {
        .nslots = (size_t)random_between(r, 1, random_chance(r, 50) ? 4 : SLOTS_MAX),
        .jitter = random_chance(r, 50) ? 0 : random_between(r, 1, 30),
        .step = random_chance(r, 80) ? 20 : 0,
        .change = (int)random_between(r, 0, 30),
        .cut = random_chance(r, 30) ? 3 : 0,
        .burst = (int)random_between(r, 0, 60),
        .ppe = (int)random_between(r, 0, 40),
        .late = random_chance(r, 50) ? 0 : (int)random_between(r, 0, 100),
    };
    if (random_chance(r, 50)) {
        m.silent_from = (size_t)random_between(r, 0, (int64_t)n);
        m.silent_to = (size_t)random_between(r, 0, (int64_t)n);
    }
    return m;
}

/* The thread that has a slot, a new one where it has none. */
static uint32_t thread_at(struct line *line, uint32_t *slots, uint32_t *latest, size_t slot)
{
    if (slots[slot] != NO_THREAD)
        return slots[slot];
    uint32_t t = (uint32_t)line->nthreads++;
    line->threads[t] = (struct pair_tally_thread){.next = NO_THREAD, .spe = slot > 0};
    if (latest[slot] != NO_THREAD)
        line->threads[latest[slot]].next = t;
    return slots[slot] = latest[slot] = t;
}

static size_t draw_slot(struct random *r, const struct manner *m, size_t event, size_t previous)
{
    bool silent = event >= m->silent_from && event < m->silent_to;
    if (event > 0 && random_chance(r, m->burst) && !(silent && previous == 0))
        return previous;
    if (!silent && random_chance(r, m->ppe))
        return 0;
    return (size_t)random_between(r, silent && m->nslots > 1, (int64_t)m->nslots - 1);
}

static void note_event(struct line *line, uint32_t t, int64_t x)
{
    struct pair_tally_thread *thread = &line->threads[t];
    if (thread->records++ == 0)
        thread->first_record = line->n;
    thread->last_record = line->n;
    line->thread[line->n] = t;
    line->x[line->n++] = x;
}

static void draw_lasts(struct random *r, struct line *line, const struct manner *m)
{
    for (size_t t = 0; t < line->nthreads; t++) {
        int64_t least = (int64_t)line->threads[t].last_record + 1, n = (int64_t)line->n;
        line->last[t] = (size_t)least;
        if (random_chance(r, m->late))
            line->last[t] = (size_t)(random_chance(r, 50) ? n : random_between(r, least, n));
    }
    line->tau =
        (uint32_t)random_between(r, 0, random_chance(r, 50) ? 0 : (int64_t)line->nthreads - 1);
    line->last[line->tau] = line->n;
}

static void draw_line(struct random *r, const struct manner *m, size_t n, struct line *line)
{
    static int64_t offsets[EVENTS_MAX];
    uint32_t slots[SLOTS_MAX], latest[SLOTS_MAX];
    int64_t now = 0;
    size_t slot = 0;
    line->n = line->nthreads = 0;
    line->added_ticks = 2 * m->jitter + (random_chance(r, 20) ? 3 : 0);
    for (size_t i = 0; i < SLOTS_MAX; i++)
        slots[i] = latest[i] = NO_THREAD;
    for (size_t i = 0; i < n; i++)
        offsets[i] = random_between(r, -1000, 1000);
    for (size_t i = 0; i < n; i++) {
        bool cut = random_chance(r, m->cut);
        for (size_t k = 0; k < m->nslots; k++)
            if (cut || (k == slot && k > 0 && random_chance(r, m->change)))
                slots[k] = NO_THREAD;
        slot = draw_slot(r, m, i, slot);
        uint32_t t = thread_at(line, slots, latest, slot);
        note_event(line, t, now + offsets[t] + random_between(r, -m->jitter, m->jitter));
        now += random_between(r, 0, m->step);
    }
    draw_lasts(r, line, m);
}

static int compare_lasts(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]) + 2 * ((x[1] > y[1]) - (x[1] < y[1])) * (x[0] == y[0]);
}

static struct bounds sweep_line(const struct line *line)
{
    static size_t lasts[EVENTS_MAX][2]; /* when, who */
    struct bounds bounds = {.n = line->nthreads};
    struct sweep *sweep;
    bool feasible = true;
    csy_error error;
    size_t next = 0;
    for (size_t t = 0; t < line->nthreads; t++) {
        lasts[t][0] = line->last[t];
        lasts[t][1] = t;
    }
    qsort(lasts, line->nthreads, sizeof lasts[0], compare_lasts);
    ck_ok(sweep_new(line->added_ticks, EVENTS_MAX, &sweep, &error), error);
    for (size_t i = 0; i < line->n; i++) {
        for (; next < line->nthreads && lasts[next][0] == i; next++)
            ck_ok(sweep_ended(sweep, (uint32_t)lasts[next][1], &feasible, &error), error);
        ck_ok(sweep_event(sweep, line->thread[i], line->x[i], &feasible, &error), error);
    }
    ck_ok(sweep_finish(sweep, line->tau, &bounds.sweep, &feasible, &error), error);
    ck_assert(feasible);
    sweep_free(sweep);
    return bounds;
}

/* All bounds, from every pair of records. */
static int64_t *close_line(const struct line *line)
{
    size_t n = line->nthreads;
    int64_t *w = malloc(n * n * sizeof *w);
    ck_assert_ptr_nonnull(w);
    for (size_t i = 0; i < n * n; i++)
        w[i] = i % (n + 1) == 0 ? 0 : WALK_INF;
    for (size_t j = 0; j < line->n; j++)
        for (size_t i = 0; i < j; i++)
            walk_lower(&w[line->thread[i] * n + line->thread[j]],
                       line->x[j] - line->x[i] + line->added_ticks);
    for (size_t k = 0; k < n; k++)
        for (size_t s = 0; s < n; s++)
            for (size_t t = 0; t < n; t++)
                walk_lower(&w[s * n + t], walk_add(w[s * n + k], w[k * n + t]));
    return w;
}

static struct tallies tally_line(const struct line *line)
{
    size_t n = line->nthreads;
    int64_t *w = close_line(line);
    struct tallies tallies = tallies_none();
    for (size_t s = 0; s < n; s++) {
        for (size_t t = s + 1; t < n; t++) {
            const struct pair_tally_thread *a = &line->threads[s], *b = &line->threads[t];
            int64_t sum = walk_add(w[s * n + t], w[t * n + s]), bound = sum >= WALK_FAR ? -1 : sum;
            pair_tally_take(a->spe && b->spe ? &tallies.spe : &tallies.other, bound);
            if (!(a->last_record < b->first_record || b->last_record < a->first_record))
                pair_tally_take(&tallies.live, bound);
            if (a->next == t)
                pair_tally_take(&tallies.successive, bound);
        }
    }
    free(w);
    return tallies;
}

static void print_tally(const char *whose, const struct pair_tally *tally)
{
    printf("%s: %llu of %llu pairs, most %lld, sum %lld\n", whose,
           (unsigned long long)tally->bounded, (unsigned long long)tally->pairs,
           (long long)tally->most_ticks, (long long)tally->sum_ticks);
}

static void compare(const char *what, int trial, const struct pair_tally *got,
                    const struct pair_tally *want)
{
    if (got->pairs == want->pairs && got->bounded == want->bounded &&
        got->most_ticks == want->most_ticks && got->sum_ticks == want->sum_ticks)
        return;
    print_tally("got", got);
    print_tally("want", want);
    fflush(stdout);
    ck_abort_msg("trial %d: %s", trial, what);
}

/* Pairs that are not bounded are counted in the groups only. */
static void compare_all(int trial, const struct tallies *got, struct tallies want)
{
    compare("live", trial, &got->live, &want.live);
    compare("successive", trial, &got->successive, &want.successive);
    want.spe.pairs = got->spe.pairs;
    want.other.pairs = got->other.pairs;
    compare("SPE", trial, &got->spe, &want.spe);
    compare("other", trial, &got->other, &want.other);
}

static struct tallies gather(const struct bounds *bounds, const struct line *line)
{
    struct tallies got;
    csy_error error;
    const struct pair_effort effort = {.bytes_max = NO_LIMIT, .workers = 1};
    ck_ok(pair_stats_gather(&bounds->sweep, line->threads, &effort, &got, &error), error);
    return got;
}

/* By several workers, who know the walks to the thread that has most records; in one chunk, or
 * many. */
static struct tallies gather_by(unsigned workers, size_t chunk, const struct bounds *bounds,
                                const struct line *line)
{
    static int64_t to[EVENTS_MAX], from[EVENTS_MAX];
    struct tallies got;
    csy_error error;
    struct pair_known known = {0, to, from};
    for (uint32_t t = 0; t < line->nthreads; t++)
        if (line->threads[t].records > line->threads[known.thread].records)
            known.thread = t;
    for (uint32_t t = 0; t < line->nthreads; t++)
        to[t] = from[t] = t == known.thread ? 0 : WALK_INF;
    ck_ok(bounds_to(bounds, to, &error), error);
    ck_ok(bounds_from(bounds, from, &error), error);
    const struct pair_effort effort = {
        .bytes_max = NO_LIMIT, .workers = workers, .known = &known, .chunk = chunk};
    ck_ok(pair_stats_gather(&bounds->sweep, line->threads, &effort, &got, &error), error);
    return got;
}

static struct tallies gather_by_rows(const struct bounds *bounds, const struct line *line)
{
    struct tallies got;
    csy_error error;
    ck_ok(statistics_by_rows(bounds, line->threads, &got, &error), error);
    return got;
}

START_TEST(tallies_are_those_of_all_pairs)
{
    static struct line line;
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        size_t n = (size_t)random_between(&r, 1, random_chance(&r, 90) ? 60 : 200);
        struct manner m = draw_manner(&r, n);
        draw_line(&r, &m, n, &line);
        struct bounds bounds = sweep_line(&line);
        struct tallies want = tally_line(&line), rows = gather_by_rows(&bounds, &line);
        struct tallies got = gather(&bounds, &line);
        compare_all(trial, &rows, want);
        compare_all(trial, &got, want);
        bounds_fini(&bounds);
    }
}
END_TEST

/* Long enough for columns to come and go. */
START_TEST(long_lines_agree_with_their_rows)
{
    static struct line line;
    for (int trial = 0; trial < trials_of(LONG_TRIALS); trial++) {
        struct random r = random_trial((uint64_t)(TRIALS + trial));
        struct manner m = draw_manner(&r, LONG);
        m.nslots = (size_t)random_between(&r, 2, SLOTS_MAX);
        m.change = 8;
        draw_line(&r, &m, LONG, &line);
        struct bounds bounds = sweep_line(&line);
        struct tallies want = gather_by_rows(&bounds, &line), got = gather(&bounds, &line);
        compare_all(trial, &got, want);
        bounds_fini(&bounds);
    }
}
END_TEST

/* However many walks there are, and whether they have guessed rightly or not. */
START_TEST(workers_come_to_the_same)
{
    static struct line line;
    int right = 0, wrong = 0;
    for (int trial = 0; trial < trials_of(WORKER_TRIALS); trial++) {
        struct random r = random_trial((uint64_t)(3 * TRIALS + trial));
        struct manner m = draw_manner(&r, EVENTS_MAX);
        if (random_chance(&r, 50)) /* savings do not reach far */
            m = (struct manner){.nslots = 4, .step = 20, .change = 30, .ppe = 30};
        m.cut = 0;
        draw_line(&r, &m, EVENTS_MAX, &line);
        struct bounds bounds = sweep_line(&line);
        size_t chunk = (size_t)random_between(&r, 1, random_chance(&r, 20) ? 8 : 150);
        struct tallies want = gather_by(1, chunk, &bounds, &line);
        compare_all(trial, &want, gather(&bounds, &line));
        ck_assert_uint_eq(want.walks, 1);
        for (unsigned workers = 2; workers < 6; workers++) {
            struct tallies got = gather_by(workers, chunk, &bounds, &line);
            compare_all(trial, &got, want);
            ck_assert_int_eq(got.quadratic, want.quadratic);
            right += got.walks == workers;
            wrong += got.walks < workers;
        }
        bounds_fini(&bounds);
    }
    printf("%d guesses were right, %d were not\n", right, wrong);
    fflush(stdout);
    ck_assert_int_ge(right, trials_of(WORKER_TRIALS) / 10);
    ck_assert_int_ge(wrong, trials_of(WORKER_TRIALS) / 10);
}
END_TEST

/* Quadratic where the PPE is silent, not where it speaks; and memory has its limit. */
START_TEST(cost_is_told)
{
    static struct line line;
    csy_error error;
    struct random r = random_trial(TRIALS + LONG_TRIALS);
    struct tallies tallies;
    for (int silent = 0; silent < 2; silent++) {
        struct manner m = {.nslots = 9, .step = 20, .change = 20, .ppe = 10};
        if (silent)
            m.silent_to = EVENTS_MAX;
        draw_line(&r, &m, EVENTS_MAX, &line);
        struct bounds bounds = sweep_line(&line);
        tallies = gather(&bounds, &line);
        ck_assert(tallies.quadratic == silent);
        const struct pair_effort effort = {.bytes_max = silent ? 99999 : 999, .workers = 1};
        ck_refused(pair_stats_gather(&bounds.sweep, line.threads, &effort, &tallies, &error),
                   CSY_MEMORY, error, "no memory");
        bounds_fini(&bounds);
    }
}
END_TEST

/* Each thread begins far below where the one before it ends: the n-th is n times as far off. */
START_TEST(walks_beyond_the_range_are_refused)
{
    static struct line line;
    csy_error error;
    struct tallies tallies;
    note_event(&line, 0, 1 - X_MAX);
    for (uint32_t t = 1; t < 5; t++) {
        note_event(&line, t, 1 - X_MAX);
        note_event(&line, t - 1, X_MAX - 1);
        line.last[t - 1] = line.n;
    }
    line.nthreads = 5;
    line.tau = 4;
    line.last[4] = line.n;
    for (uint32_t t = 0; t < 5; t++)
        line.threads[t].next = NO_THREAD;
    struct bounds bounds = sweep_line(&line);
    const struct pair_effort effort = {.bytes_max = NO_LIMIT, .workers = 1};
    ck_refused(pair_stats_gather(&bounds.sweep, line.threads, &effort, &tallies, &error), CSY_INPUT,
               error, "the differences between clocks are too large for 64-bit arithmetic");
    bounds_fini(&bounds);
}
END_TEST

/* T1@0 T2@0 T3@3 T1@10 T1@16 T3@10 T2@10: wbar(1,2) = -6, wbar(2,1) = 10; cellsync-model(7). */
START_TEST(the_known_answer)
{
    static struct line line = {.n = 7,
                               .nthreads = 3,
                               .thread = {0, 1, 2, 0, 0, 2, 1},
                               .x = {0, 0, 3, 10, 16, 10, 10},
                               .last = {7, 7, 6},
                               .threads = {{0, 4, 3, NO_THREAD, false, false},
                                           {1, 6, 2, 2, true, false},
                                           {2, 5, 2, NO_THREAD, true, false}}};
    struct bounds bounds = sweep_line(&line);
    struct tallies got = gather(&bounds, &line);
    compare_all(0, &got,
                (struct tallies){.spe = {1, 1, 3, 3},
                                 .other = {2, 2, 4, 5},
                                 .live = {3, 3, 4, 8},
                                 .successive = {1, 1, 3, 3}});
    bounds_fini(&bounds);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("pair_stats");
    tcase_add_test(tests, tallies_are_those_of_all_pairs);
    tcase_add_test(tests, long_lines_agree_with_their_rows);
    tcase_add_test(tests, workers_come_to_the_same);
    tcase_add_test(tests, cost_is_told);
    tcase_add_test(tests, walks_beyond_the_range_are_refused);
    tcase_add_test(tests, the_known_answer);
    return unit_run();
}
