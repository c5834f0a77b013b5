/*
 * Rule 2 of unwrapping: the limits that the clocks of the live threads give for the time elapsed
 * since a thread's last record, against walks over the graph of all events so far.
 */
#include "swept.h"
#include "sync/closed_limits.h"

/* Closed limits in the midst of a trace. */
struct scene {
    struct events e;
    struct lasts lasts;
    struct rebase rough; /* offsets of the events */
    struct closed_limits closed;
    int64_t imprecision;
    uint32_t ppe;
    size_t stop; /* events passed */
};

static void draw_scene(struct random *r, struct scene *scene)
{
    csy_error error;
    int64_t x;
    *scene = (struct scene){.imprecision = random_between(r, 0, 100)};
    events_draw(r, &scene->e, random_chance(r, 80) ? scene->imprecision / 2 : scene->imprecision);
    scene->lasts = lasts_draw(r, &scene->e);
    scene->stop = (size_t)random_between(r, 1, (int64_t)scene->e.n);
    scene->ppe = scene->lasts.tau;
    for (size_t i = 0; i < scene->e.n; i++)
        ck_ok(rebase_place(&scene->rough, scene->e.thread[i], scene->e.local[i], &x, &error),
              error);
}

static bool is_dead(const struct scene *scene, size_t t, size_t i)
{
    return t != scene->ppe && scene->lasts.before[t] <= i;
}

/* Up to the scene's stop; asked after one event in `often`, or never, so that what is noted in
 * between is closed edge by edge or all at once. */
static void pass(struct scene *scene, struct random *r, int64_t often)
{
    csy_error error;
    struct elapsed_limits limits;
    struct line line;
    bool applies;
    ck_ok(closed_limits_init(&scene->closed, &scene->rough, scene->imprecision, &error), error);
    struct sink sink = closed_limits_sink(&scene->closed);
    line_init(&line, &sink, LINE_NEIGHBOURS, 0);
    scene->closed.ppe = scene->ppe;
    for (size_t i = 0; i < scene->stop; i++) {
        uint32_t t = scene->e.thread[i];
        for (uint32_t s = 0; s < scene->e.nthreads; s++)
            if (s != scene->ppe && scene->lasts.before[s] == i)
                ck_ok(line_ended(&line, s, &error), error);
        struct point point = {.thread = t, .x = scene->e.x[i]};
        ck_ok(line_event(&line, &point, &error), error);
        if (often > 0 && random_between(r, 1, often) == 1)
            ck_ok(closed_limits_of(&scene->closed, t, NULL, &limits, &applies, &error), error);
    }
}

/* L and U as sync/closed_limits.h defines them; false where the events contradict one another. */
static bool define(const struct scene *scene, uint32_t j, const int64_t *end,
                   struct elapsed_limits *out)
{
    static int64_t walks[THREADS_MAX * THREADS_MAX];
    struct events e = scene->e;
    int64_t last[THREADS_MAX];
    bool seen_ppe = false;
    struct elapsed_limits limits = {INT64_MIN, UNWRAP_NO_LIMIT};
    e.n = scene->stop;
    struct constraints c = graph_of(&e, LINE_NEIGHBOURS);
    bool feasible = shortest_walks(&c, scene->imprecision, walks);
    for (size_t i = 0; i < e.n; i++) {
        if (i > 0 && e.thread[i] == e.thread[i - 1]) /* constraints have no loops */
            feasible = feasible && e.x[i] + scene->imprecision >= e.x[i - 1];
        last[e.thread[i]] = e.x[i];
        seen_ppe |= e.thread[i] == scene->ppe;
    }
    for (size_t k = 0; k < c.count && feasible; k++) {
        int64_t walk = walks[j * c.count + k];
        if (walk != WALK_INF && last[k] - walk - last[j] > limits.least_ticks)
            limits.least_ticks = last[k] - walk - last[j];
    }
    if (feasible && end && seen_ppe && walks[scene->ppe * c.count + j] != WALK_INF)
        limits.most_ticks =
            *end + scene->rough.offset[scene->ppe] + walks[scene->ppe * c.count + j] - last[j];
    constraints_fini(&c);
    *out = limits;
    return feasible;
}

START_TEST(limits_follow_their_definition)
{
    int bounded = 0, contradictory = 0, past = 0;
    for (int trial = 0; trial < trials_of(4000); trial++) {
        static struct scene scene;
        struct random r = random_trial((uint64_t)trial);
        struct elapsed_limits got, want;
        csy_error error;
        bool applies;
        int64_t end = random_between(&r, 0, 1000000);
        draw_scene(&r, &scene);
        pass(&scene, &r, random_between(&r, 0, 4));
        uint32_t j = scene.e.thread[random_between(&r, 0, (int64_t)scene.stop - 1)];
        if (!is_dead(&scene, j, scene.stop - 1)) {
            ck_ok(closed_limits_of(&scene.closed, j, &end, &got, &applies, &error), error);
            ck_assert(applies == define(&scene, j, &end, &want));
            contradictory += !applies;
            ck_assert(!applies ||
                      (got.least_ticks == want.least_ticks && got.most_ticks == want.most_ticks));
            bounded += applies && got.most_ticks < UNWRAP_NO_LIMIT;
            for (size_t t = 0; t < scene.e.nthreads; t++)
                past += applies && is_dead(&scene, t, scene.stop - 1);
        }
        closed_limits_fini(&scene.closed);
        rebase_fini(&scene.rough);
    }
    ck_assert(bounded > trials_of(800) && contradictory > trials_of(100) && past > trials_of(800));
}
END_TEST

/* As many threads as anyone likes, and some die. */
START_TEST(any_number_of_threads)
{
    enum { MANY = 1000 };
    struct rebase rough = {0};
    struct closed_limits v;
    struct elapsed_limits limits;
    csy_error error;
    bool applies;
    int64_t x, end = 5;
    struct line line;
    ck_ok(closed_limits_init(&v, &rough, 400, &error), error);
    struct sink sink = closed_limits_sink(&v);
    line_init(&line, &sink, LINE_NEIGHBOURS, 0);
    v.ppe = 0;
    for (uint32_t t = 0; t < MANY; t++) {
        ck_ok(rebase_place(&rough, t, t == 0 ? 0 : 7 * t, &x, &error), error);
        struct point point = {.thread = t, .x = x};
        ck_ok(line_event(&line, &point, &error), error);
        if (t % 3 == 1)
            ck_ok(line_ended(&line, t, &error), error);
    }
    ck_ok(closed_limits_of(&v, 0, &end, &limits, &applies, &error), error);
    ck_assert(applies);
    ck_assert(limits.least_ticks == 0 && limits.most_ticks == 5);
    closed_limits_fini(&v);
    rebase_fini(&rough);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("closed_limits");
    tcase_add_test(tests, limits_follow_their_definition);
    tcase_add_test(tests, any_number_of_threads);
    return unit_run();
}
