/* Least squares: against elimination by Gauss with pivots, in long double, on random events; the
 * order of elimination does not show, and neither do large numbers. */
#include "graphs.h"
#include "order/rebase.h"
#include "sync/methods/leastsq.h"

#include <string.h>

enum { N = THREADS_MAX };

static struct leastsq fit_of(const struct events *e)
{
    struct leastsq l;
    leastsq_init(&l);
    struct sink sink = leastsq_sink(&l);
    feed_line(e, &sink, LINE_NEIGHBOURS, 0);
    ck_assert_uint_eq(l.count, e->nthreads);
    return l;
}

static void draw_order(struct random *r, uint32_t *order, size_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        size_t at = (size_t)random_between(r, 0, i);
        order[i] = order[at];
        order[at] = i;
    }
}

/* One row of the normal equations for each neighbouring pair's end; the anchor's says that it is
 * 0. */
static void write_equations(const struct events *e, uint32_t anchor, long double m[N][N + 1])
{
    memset(m, 0, N * sizeof *m);
    for (size_t i = 1; i < e->n; i++) {
        uint32_t s = e->thread[i - 1], t = e->thread[i];
        long double d = (long double)(e->x[i - 1] - e->x[i]);
        m[t][t] += 1;
        m[t][s] -= 1;
        m[t][e->nthreads] += d;
        m[s][s] += 1;
        m[s][t] -= 1;
        m[s][e->nthreads] -= d;
    }
    memset(m[anchor], 0, sizeof m[anchor]);
    m[anchor][anchor] = 1;
}

static void swap_rows(long double *a, long double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        long double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

static void gauss(long double m[N][N + 1], size_t n)
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            best = __builtin_fabsl(m[i][k]) > __builtin_fabsl(m[best][k]) ? i : best;
        swap_rows(m[k], m[best], n + 1);
        for (size_t i = 0; i < n; i++) {
            long double factor = i == k ? 0 : m[i][k] / m[k][k];
            for (size_t j = k; j <= n && factor != 0; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (size_t k = 0; k < n; k++)
        m[k][n] /= m[k][k];
}

START_TEST(fits_are_those_of_gauss)
{
    static struct events e;
    static long double m[N][N + 1];
    size_t compared = 0, moved = 0;
    for (int trial = 0; trial < trials_of(400); trial++) {
        struct random r = random_trial((uint64_t)trial);
        uint32_t order[N];
        int64_t g[N], again[N];
        csy_error error;
        events_draw(&r, &e, random_between(&r, 0, 50));
        struct leastsq l = fit_of(&e);
        uint32_t anchor = (uint32_t)random_between(&r, 0, (int64_t)e.nthreads - 1);
        draw_order(&r, order, e.nthreads);
        ck_ok(leastsq_solve(&l, order, anchor, g, &error), error);
        draw_order(&r, order, e.nthreads);
        ck_ok(leastsq_solve(&l, order, anchor, again, &error), error);
        write_equations(&e, anchor, m);
        gauss(m, e.nthreads);
        for (size_t t = 0; t < e.nthreads; t++) {
            long double off = m[t][e.nthreads] - (long double)g[t];
            if (off < -0.5L - 1e-6L || off > 0.5L + 1e-6L || g[t] != again[t])
                ck_abort_msg("trial %d: thread %zu: %lld and %lld, want %Lf", trial, t,
                             (long long)g[t], (long long)again[t], m[t][e.nthreads]);
            compared++;
            moved += g[t] != 0;
        }
        leastsq_fini(&l);
    }
    ck_assert_uint_gt(compared, (size_t)trials_of(2000));
    ck_assert_uint_gt(moved, compared / 2);
}
END_TEST

/* Begin a line into *l. */
static struct line begin(struct leastsq *l)
{
    struct line line;
    leastsq_init(l);
    struct sink sink = leastsq_sink(l);
    line_init(&line, &sink, LINE_NEIGHBOURS, 0);
    return line;
}

static void take(struct line *line, uint32_t thread, int64_t x)
{
    csy_error error;
    struct point point = {.thread = thread, .x = x};
    ck_ok(line_event(line, &point, &error), error);
}

/* What A and B in turn say of B's offset has a mean; halves go up. */
START_TEST(means_of_two_threads)
{
    static const struct {
        size_t n;
        int64_t x[4], want;
    } cases[] = {{2, {4, 0, 0, 0}, 4},    {3, {4, 0, 6, 0}, 5},  {3, {4, 0, 7, 0}, 6},
                 {3, {-4, 0, -7, 0}, -5}, {4, {4, 0, 6, -1}, 6}, {4, {4, 0, 6, 1}, 5}};
    static const uint32_t order[] = {1, 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct leastsq l;
        csy_error error;
        int64_t g[2];
        struct line line = begin(&l);
        for (size_t k = 0; k < cases[i].n; k++)
            take(&line, k % 2, cases[i].x[k]);
        take(&line, (cases[i].n - 1) % 2, 99); /* neighbours of one thread say nothing */
        ck_ok(leastsq_solve(&l, order, 0, g, &error), error);
        ck_assert_int_eq(g[0], 0);
        ck_assert_int_eq(g[1], cases[i].want);
        leastsq_fini(&l);
    }
}
END_TEST

/* A chain whose links weigh 1 and 10^12 in turn and span almost all that x can: each step is
 * exact. */
START_TEST(weights_and_spans_far_apart)
{
    const int64_t far = X_MAX - 1;
    struct leastsq l;
    csy_error error;
    uint32_t order[N];
    int64_t g[N];
    struct line line = begin(&l);
    for (uint32_t t = 0; t < 8; t++) {
        order[t] = t;
        take(&line, t, t % 2 ? far : -far);
    }
    for (uint32_t t = 1; t < 8; t += 2) {
        l.threads[t].pairs[0].n = 1000000000000;
        l.threads[t].pairs[0].d_ticks *= 1000000000000;
    }
    ck_ok(leastsq_solve(&l, order, 0, g, &error), error);
    for (uint32_t t = 0; t < 8; t++)
        ck_assert_int_eq(g[t], t % 2 ? -2 * far : 0);
    l.threads[1].pairs[0].d_ticks = (int128)1 << 110;
    ck_refused(leastsq_solve(&l, order, 0, g, &error), CSY_INPUT, error,
               "the differences between clocks are too large for a fit");
    leastsq_fini(&l);
}
END_TEST

START_TEST(one_thread_stays)
{
    struct leastsq l;
    csy_error error;
    const uint32_t order[] = {0};
    int64_t g = 7;
    struct line line = begin(&l);
    take(&line, 0, 1);
    take(&line, 0, 5);
    ck_ok(leastsq_solve(&l, order, 0, &g, &error), error);
    ck_assert_int_eq(g, 0);
    leastsq_fini(&l);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("leastsq");
    tcase_add_test(tests, fits_are_those_of_gauss);
    tcase_add_test(tests, means_of_two_threads);
    tcase_add_test(tests, weights_and_spans_far_apart);
    tcase_add_test(tests, one_thread_stays);
    return unit_run();
}
