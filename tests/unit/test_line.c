/*
 * The order of one buffer: which pairs of events an engine is told, against the definitions by
 * brute search over all of them; and when it hears of births and eliminations.
 */
#include "graphs.h"

#include <stdlib.h>
#include <string.h>

enum { TOLD_MAX = 1 << 16 };

/* An engine that notes what it is told, pairs by the positions of their events. */
struct listener {
    const struct events *e;
    size_t npairs, nevents, nborn;
    struct {
        size_t i, j;
    } pairs[TOLD_MAX];
    uint32_t ended[THREADS_MAX];
    size_t ended_after[THREADS_MAX], nended; /* events told before */
    int64_t potential[THREADS_MAX];
    size_t over_after; /* events; 0: never */
    bool over;
};

static csy_status birth(void *engine, uint32_t thread, csy_error *error)
{
    struct listener *l = engine;
    (void)error;
    ck_assert_uint_eq(thread, l->nborn++);
    return CSY_OK;
}

static csy_status pair(void *engine, const struct point *from, const struct point *to,
                       csy_error *error)
{
    struct listener *l = engine;
    (void)error;
    ck_assert_uint_lt(from->position, to->position);
    ck_assert_uint_eq(to->position, l->nevents); /* of the event that follows */
    ck_assert(from->x == l->e->x[from->position] && to->x == l->e->x[to->position]);
    ck_assert(from->thread == l->e->thread[from->position] && from->place == 7 * from->position);
    ck_assert_uint_lt(l->npairs, TOLD_MAX);
    l->pairs[l->npairs].i = (size_t)from->position;
    l->pairs[l->npairs++].j = (size_t)to->position;
    return CSY_OK;
}

static csy_status event(void *engine, const struct point *event, csy_error *error)
{
    struct listener *l = engine;
    (void)error;
    ck_assert_uint_eq(event->position, l->nevents++);
    l->over = l->nevents == l->over_after;
    return CSY_OK;
}

static csy_status ended(void *engine, uint32_t thread, csy_error *error)
{
    struct listener *l = engine;
    (void)error;
    l->ended[l->nended] = thread;
    l->ended_after[l->nended++] = l->nevents;
    return CSY_OK;
}

static bool put(const void *engine, const struct point *event, int64_t *out)
{
    const struct listener *l = engine;
    *out = event->x + l->potential[event->thread];
    return true;
}

static struct sink sink_of(struct listener *l)
{
    return (struct sink){l, birth, pair, event, ended, put, &l->over};
}

static struct listener *listen(const struct events *e, enum line_pairs pairs, int64_t added)
{
    struct listener *l = calloc(1, sizeof *l);
    l->e = e;
    struct sink sink = sink_of(l);
    feed_line(e, &sink, pairs, added);
    ck_assert_uint_eq(l->nevents, e->n);
    ck_assert_uint_eq(l->nborn, e->nthreads);
    return l;
}

START_TEST(neighbours_are_next_to_each_other)
{
    for (int trial = 0; trial < trials_of(200); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct events e;
        events_draw(&r, &e, 10);
        struct listener *l = listen(&e, LINE_NEIGHBOURS, 0);
        ck_assert_uint_eq(l->npairs, e.n - 1);
        for (size_t k = 0; k < l->npairs; k++)
            ck_assert(l->pairs[k].i == k && l->pairs[k].j == k + 1);
        free(l);
    }
}
END_TEST

/* What is not told follows: the least weight of each two threads is, and by the first events that
 * have it. */
START_TEST(all_pairs_have_the_least_weights)
{
    for (int trial = 0; trial < trials_of(300); trial++) {
        struct random r = random_trial(1000 + (uint64_t)trial);
        struct events e;
        int64_t least[THREADS_MAX][THREADS_MAX];
        size_t first[THREADS_MAX][THREADS_MAX];
        memset(first, 0xff, sizeof first);
        events_draw(&r, &e, random_between(&r, 0, 60));
        struct listener *l = listen(&e, LINE_ALL, 0);
        for (size_t j = 0; j < e.n; j++)
            for (size_t i = 0; i < j; i++) {
                uint32_t s = e.thread[i], t = e.thread[j];
                int64_t weight = e.x[j] - e.x[i];
                if ((s == t && weight >= 0) || (first[s][t] != SIZE_MAX && least[s][t] <= weight))
                    continue;
                least[s][t] = weight;
                first[s][t] = i * EVENTS_MAX + j;
            }
        for (size_t k = 0; k < l->npairs; k++) {
            size_t i = l->pairs[k].i, j = l->pairs[k].j;
            uint32_t s = e.thread[i], t = e.thread[j];
            ck_assert(s != t || e.x[j] < e.x[i]);
            if (first[s][t] == i * EVENTS_MAX + j)
                first[s][t] = SIZE_MAX; /* told */
        }
        for (size_t s = 0; s < e.nthreads; s++)
            for (size_t t = 0; t < e.nthreads; t++)
                ck_assert(first[s][t] == SIZE_MAX);
        free(l);
    }
}
END_TEST

/* Potentials and what is added keep every pair, some with equality: these, of each two threads one
 * at least, and no others. */
START_TEST(tight_pairs_are_all_there)
{
    size_t tight = 0;
    for (int trial = 0; trial < trials_of(100); trial++) {
        struct random r = random_trial(2000 + (uint64_t)trial);
        struct events e;
        bool wanted[THREADS_MAX][THREADS_MAX] = {{false}};
        events_draw(&r, &e, random_between(&r, 0, 5));
        for (size_t i = 0; i < e.n; i++)
            e.x[i] &= ~(int64_t)15; /* so that many are equal */
        struct listener *l = calloc(1, sizeof *l);
        int64_t added = 0;
        l->e = &e;
        for (size_t t = 0; t < e.nthreads; t++)
            l->potential[t] = random_between(&r, -3, 3);
        for (size_t j = 0; j < e.n; j++)
            for (size_t i = 0; i < j; i++) {
                int64_t by =
                    e.x[i] + l->potential[e.thread[i]] - e.x[j] - l->potential[e.thread[j]];
                added = by > added ? by : added;
            }
        struct sink sink = sink_of(l);
        feed_line(&e, &sink, LINE_TIGHT, added);
        for (size_t j = 0; j < e.n; j++)
            for (size_t i = 0; i < j; i++)
                if (e.x[i] + l->potential[e.thread[i]] ==
                    e.x[j] + l->potential[e.thread[j]] + added)
                    wanted[e.thread[i]][e.thread[j]] = true;
        for (size_t k = 0; k < l->npairs; k++) {
            size_t i = l->pairs[k].i, j = l->pairs[k].j;
            ck_assert_int_eq(e.x[i] + l->potential[e.thread[i]],
                             e.x[j] + l->potential[e.thread[j]] + added);
            wanted[e.thread[i]][e.thread[j]] = false;
            tight++;
        }
        for (size_t s = 0; s < e.nthreads; s++)
            for (size_t t = 0; t < e.nthreads; t++)
                ck_assert(!wanted[s][t]);
        free(l);
    }
    ck_assert_uint_gt(tight, (size_t)trials_of(200));
}
END_TEST

static void step(struct line *line, uint64_t position, uint32_t thread, int64_t x)
{
    csy_error error;
    struct point point = {position, 7 * position, thread, x, x};
    ck_ok(line_event(line, &point, &error), error);
}

/* The next event is still constrained by a thread that had the last one. */
START_TEST(an_end_waits_for_the_next_neighbour)
{
    struct events e = {.n = 4, .nthreads = 2, .thread = {0, 1, 0, 0}, .x = {0, 1, 2, 3}};
    struct listener *l = calloc(1, sizeof *l);
    l->e = &e;
    for (int all = 0; all < 2; all++) {
        struct line line;
        struct sink sink = sink_of(l);
        csy_error error;
        *l = (struct listener){.e = &e};
        line_init(&line, &sink, all ? LINE_ALL : LINE_NEIGHBOURS, 0);
        step(&line, 0, 0, 0);
        step(&line, 1, 1, 1);
        ck_ok(line_ended(&line, 1, &error), error);
        ck_assert_uint_eq(l->nended, all ? 1 : 0);
        step(&line, 2, 0, 2);
        ck_assert_uint_eq(l->nended, 1);
        ck_assert(l->ended[0] == 1 && l->ended_after[0] == (all ? 2 : 3));
        step(&line, 3, 0, 3);
        ck_assert_uint_eq(l->nended, 1);
        line_fini(&line);
    }
    free(l);
}
END_TEST

START_TEST(nothing_comes_before_a_restart)
{
    struct events e = {
        .n = 6, .nthreads = 2, .thread = {0, 1, 0, 1, 0, 1}, .x = {9, 8, 7, 6, 5, 4}};
    struct listener *l = calloc(1, sizeof *l);
    struct line line;
    l->e = &e;
    struct sink sink = sink_of(l);
    line_init(&line, &sink, LINE_ALL, 0);
    for (size_t i = 0; i < e.n; i++) {
        if (i == 3)
            line_restart(&line);
        step(&line, i, e.thread[i], e.x[i]);
    }
    ck_assert_uint_gt(l->npairs, 4);
    for (size_t k = 0; k < l->npairs; k++)
        ck_assert((l->pairs[k].i < 3) == (l->pairs[k].j < 3));
    line_fini(&line);
    free(l);
}
END_TEST

START_TEST(an_engine_that_is_over_hears_of_births_only)
{
    struct random r = random_trial(1);
    struct events e;
    do
        events_draw(&r, &e, 10);
    while (e.nthreads < 5);
    struct listener *l = calloc(1, sizeof *l);
    l->e = &e;
    l->over_after = 3;
    struct sink sink = sink_of(l);
    feed_line(&e, &sink, LINE_ALL, 0);
    ck_assert_uint_eq(l->nevents, 3);
    ck_assert_uint_eq(l->nborn, e.nthreads);
    free(l);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("line");
    tcase_add_test(tests, neighbours_are_next_to_each_other);
    tcase_add_test(tests, all_pairs_have_the_least_weights);
    tcase_add_test(tests, tight_pairs_are_all_there);
    tcase_add_test(tests, an_end_waits_for_the_next_neighbour);
    tcase_add_test(tests, nothing_comes_before_a_restart);
    tcase_add_test(tests, an_engine_that_is_over_hears_of_births_only);
    return unit_run();
}
