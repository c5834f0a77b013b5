/*
 * Shortest walks in records: against chains of constraints enumerated by their number, over every
 * pair of records.  A walk must be made of such pairs, sum to the bound, and take no more of them
 * than any.
 */
#include "bounds/tight.h"
#include "graphs.h"

#include <stdlib.h>

/* How constraints are made. */
struct manner {
    int64_t added;
    bool all_pairs;
};

/* By brute force: the weight of the constraint between two threads, and which records first have
 * it. */
struct truth {
    const struct events *e;
    struct manner manner;
    int64_t weight[THREADS_MAX][THREADS_MAX]; /* with what is added; WALK_INF: none */
    size_t from[THREADS_MAX][THREADS_MAX], to[THREADS_MAX][THREADS_MAX];
};

static void truth_make(struct truth *truth, const struct events *e, struct manner manner)
{
    truth->e = e;
    truth->manner = manner;
    for (size_t s = 0; s < THREADS_MAX; s++)
        for (size_t t = 0; t < THREADS_MAX; t++)
            truth->weight[s][t] = WALK_INF;
    for (size_t i = 0; i < e->n; i++) {
        size_t end = manner.all_pairs || i + 2 > e->n ? e->n : i + 2;
        for (size_t j = i + 1; j < end; j++) {
            size_t s = e->thread[i], t = e->thread[j];
            int64_t weight = e->x[j] - e->x[i] + manner.added;
            if (s == t || weight >= truth->weight[s][t])
                continue;
            truth->weight[s][t] = weight;
            truth->from[s][t] = i;
            truth->to[s][t] = j;
        }
    }
}

/* least[t]: the least weight of a chain from a to t (or backwards: from t to a), and of how few
 * constraints it can be; WALK_INF where there is none. */
static void enumerate(const struct truth *truth, size_t a, bool backwards, int64_t *least,
                      size_t *fewest)
{
    size_t n = truth->e->nthreads;
    int64_t now[THREADS_MAX], next[THREADS_MAX];
    for (size_t t = 0; t < n; t++) {
        now[t] = least[t] = t == a ? 0 : WALK_INF;
        fewest[t] = 0;
    }
    for (size_t k = 1; k < n; k++) {
        for (size_t t = 0; t < n; t++) {
            next[t] = WALK_INF;
            for (size_t s = 0; s < n; s++) {
                int64_t weight = backwards ? truth->weight[t][s] : truth->weight[s][t];
                if (now[s] != WALK_INF && weight != WALK_INF && now[s] + weight < next[t])
                    next[t] = now[s] + weight;
            }
        }
        for (size_t t = 0; t < n; t++) {
            now[t] = next[t];
            if (next[t] < least[t]) {
                least[t] = next[t];
                fewest[t] = k;
            }
        }
    }
}

/* A constraint of the trace, told by the first records that have it. */
static void check_edge(const struct truth *truth, const struct edge *edge)
{
    const struct events *e = truth->e;
    uint64_t i = edge->from.position, j = edge->to.position;
    ck_assert_uint_lt(i, j);
    ck_assert_uint_lt(j, e->n);
    uint32_t s = e->thread[i], t = e->thread[j];
    ck_assert(edge->from.thread == s && edge->to.thread == t && s != t);
    ck_assert(edge->from.x == e->x[i] && edge->to.x == e->x[j]);
    ck_assert(edge->from.place == 7 * i && edge->to.place == 7 * j);
    ck_assert(edge->from.local_ticks == e->local[i] && edge->to.local_ticks == e->local[j]);
    ck_assert_uint_eq(i, truth->from[s][t]);
    ck_assert_uint_eq(j, truth->to[s][t]);
}

static void check_walk(const struct truth *truth, struct tight *tight, uint32_t from, uint32_t to,
                       int64_t least, size_t fewest)
{
    struct edge *edges;
    size_t n;
    csy_error error;
    int64_t sum = 0;
    ck_ok(tight_walk(tight, from, to, &edges, &n, &error), error);
    ck_assert_uint_eq(n, fewest);
    for (size_t i = 0; i < n; i++) {
        check_edge(truth, &edges[i]);
        ck_assert_uint_eq(edges[i].from.thread, i == 0 ? from : edges[i - 1].to.thread);
        sum += edges[i].to.x - edges[i].from.x + truth->manner.added;
    }
    if (n > 0)
        ck_assert_uint_eq(edges[n - 1].to.thread, to);
    if (least != WALK_INF)
        ck_assert_int_eq(sum, least);
    free(edges);
}

/* Every walk from a, or to a; how many there are. */
static int check_end(const struct truth *truth, enum tight_end which, uint32_t a,
                     const struct bound_row *row)
{
    const struct events *e = truth->e;
    bool backwards = which == TIGHT_TO;
    int64_t least[THREADS_MAX];
    size_t fewest[THREADS_MAX];
    int walks = 0;
    struct tight tight;
    enumerate(truth, a, backwards, least, fewest);
    tight_init(&tight, which, row, e->nthreads, truth->manner.added);
    struct sink sink = tight_sink(&tight);
    enum line_pairs all = a % 2 ? LINE_ALL : LINE_TIGHT; /* which leaves out no tight one */
    feed_line(e, &sink, truth->manner.all_pairs ? all : LINE_NEIGHBOURS, truth->manner.added);
    for (uint32_t t = 0; t < e->nthreads; t++) {
        ck_assert_int_eq(backwards ? bound_to(row, t) : bound_from(row, t), least[t]);
        if (t == a)
            continue;
        check_walk(truth, &tight, backwards ? t : a, backwards ? a : t, least[t], fewest[t]);
        walks += fewest[t] > 0;
    }
    tight_fini(&tight);
    return walks;
}

static int check_trace(const struct events *e, struct manner manner)
{
    static struct truth truth;
    struct constraints c = graph_of(e, manner.all_pairs ? LINE_ALL : LINE_NEIGHBOURS);
    struct bounds bounds = {.n = c.count};
    struct bound_rows rows;
    struct bound_row row;
    csy_error error;
    int walks = 0;
    truth_make(&truth, e, manner);
    ck_ok(dense_close(&c, manner.added, 1, &bounds.dense, &error), error);
    ck_ok(bound_rows_init(&rows, &bounds, &error), error);
    for (uint32_t a = 0; a < e->nthreads; a++) {
        ck_ok(bound_rows_get(&rows, a, &row, &error), error);
        walks += check_end(&truth, TIGHT_FROM, a, &row);
        walks += check_end(&truth, TIGHT_TO, a, &row);
    }
    bound_rows_fini(&rows);
    bounds_fini(&bounds);
    constraints_fini(&c);
    return walks;
}

/* Clocks that are exact, or are not and what that takes is added; neighbours, or all pairs. */
START_TEST(walks_are_shortest_and_of_first_records)
{
    int walks = 0;
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(120); trial++) {
        struct random r = random_trial(trial);
        struct events e;
        int64_t jitter = trial % 2 ? random_between(&r, 1, 15) : 0;
        events_draw(&r, &e, jitter);
        walks += check_trace(&e, (struct manner){2 * jitter, false});
        walks += check_trace(&e, (struct manner){2 * jitter, true});
    }
    ck_assert_int_gt(walks, trials_of(30000));
}
END_TEST

/* As many edges as make the list of them grow and be sorted in between: ties all over. */
START_TEST(equal_stamps_make_every_pair_tight)
{
    static struct events e;
    e = (struct events){.n = EVENTS_MAX, .nthreads = THREADS_MAX};
    for (size_t i = 0; i < e.n; i++)
        e.thread[i] = (uint32_t)(i % THREADS_MAX);
    ck_assert_int_eq(check_trace(&e, (struct manner){0, true}),
                     2 * THREADS_MAX * (THREADS_MAX - 1));
    check_trace(&e, (struct manner){0, false});
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("tight");
    tcase_add_test(tests, walks_are_shortest_and_of_first_records);
    tcase_add_test(tests, equal_stamps_make_every_pair_tight);
    return unit_run();
}
