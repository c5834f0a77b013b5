/*
 * Rule 2 of unwrapping: the limits that the clocks of the live threads give for the time elapsed
 * since a thread's last record, against walks over the graph of all events so far.
 */
#include "swept.h"
#include "sync/vicinity.h"

/* A vicinity in the midst of a trace. */
struct scene {
    struct events e;
    struct deaths deaths;
    struct rough rough; /* offsets of the events */
    struct vicinity vicinity;
    int64_t imprecision;
    uint32_t ppe;
    size_t stop; /* events passed */
};

static void draw_scene(struct random *r, struct scene *scene)
{
    csy_error error;
    int64_t x;
    *scene = (struct scene){.imprecision = random_between(r, 0, 100)};
    events_draw(r, &scene->e, scene->imprecision / 2);
    scene->deaths = deaths_draw(r, &scene->e);
    scene->stop = (size_t)random_between(r, 1, (int64_t)scene->e.n);
    scene->ppe = scene->deaths.tau;
    for (size_t i = 0; i < scene->e.n; i++)
        ck_ok(rough_place(&scene->rough, scene->e.thread[i], scene->e.local[i], &x, &error), error);
}

static bool is_dead(const struct scene *scene, size_t t, size_t i)
{
    return t != scene->ppe && scene->deaths.before[t] <= i;
}

static void pass(struct scene *scene)
{
    csy_error error;
    ck_ok(vicinity_init(&scene->vicinity, &scene->rough, scene->imprecision, THREADS_MAX, &error),
          error);
    for (size_t i = 0; i < scene->stop; i++) {
        uint32_t t = scene->e.thread[i];
        for (uint32_t dead = 0; dead < scene->e.nthreads; dead++)
            if (dead != scene->ppe && scene->deaths.before[dead] == i)
                ck_ok(vicinity_death(&scene->vicinity, dead, &error), error);
        ck_ok(vicinity_event(&scene->vicinity, t, t == scene->ppe, scene->e.x[i], &error), error);
    }
}

/* x of the last events, and L and U as vicinity.h defines them. */
static struct elapsed_limits define(const struct scene *scene, uint32_t j, const int64_t *end)
{
    static int64_t walks[THREADS_MAX * THREADS_MAX];
    struct events e = scene->e;
    int64_t last[THREADS_MAX];
    bool seen_ppe = false;
    struct elapsed_limits limits = {INT64_MIN, UNWRAP_NO_LIMIT};
    e.n = scene->stop;
    struct constraints c = graph_of(&e, PAIRS_IMMEDIATE);
    ck_assert(shortest_walks(&c, scene->imprecision, walks));
    for (size_t i = 0; i < e.n; i++) {
        last[e.thread[i]] = e.x[i];
        seen_ppe |= e.thread[i] == scene->ppe;
    }
    for (size_t k = 0; k < c.count; k++) {
        int64_t walk = walks[j * c.count + k];
        if (!is_dead(scene, k, scene->stop - 1) && walk != WALK_INF &&
            last[k] - walk - last[j] > limits.least_ticks)
            limits.least_ticks = last[k] - walk - last[j];
    }
    if (end && seen_ppe && walks[scene->ppe * c.count + j] != WALK_INF)
        limits.most_ticks =
            *end + scene->rough.offset[scene->ppe] + walks[scene->ppe * c.count + j] - last[j];
    constraints_fini(&c);
    return limits;
}

START_TEST(limits_follow_their_definition)
{
    int bounded = 0;
    for (int trial = 0; trial < 500; trial++) {
        static struct scene scene;
        struct random r = random_trial((uint64_t)trial);
        struct elapsed_limits got, want;
        int64_t end = random_between(&r, 0, 1000000);
        draw_scene(&r, &scene);
        pass(&scene);
        uint32_t j = scene.e.thread[random_between(&r, 0, (int64_t)scene.stop - 1)];
        if (!is_dead(&scene, j, scene.stop - 1)) {
            ck_assert(vicinity_limits(&scene.vicinity, j, 0, &end, &got));
            want = define(&scene, j, &end);
            ck_assert(got.least_ticks == want.least_ticks && got.most_ticks == want.most_ticks);
            bounded += got.most_ticks < UNWRAP_NO_LIMIT;
        }
        vicinity_fini(&scene.vicinity);
        rough_fini(&scene.rough);
    }
    ck_assert_int_gt(bounded, 100);
}
END_TEST

/* B runs 1000 ticks ahead while A is silent; when that has been asked too often, A is only asked
 * about when it is behind, or where there is an end. */
START_TEST(nobody_is_asked_in_vain)
{
    struct events e = {.n = 3, .nthreads = 2, .thread = {0, 1, 1}, .local = {0, 0, 1000}};
    struct rough rough = {0};
    struct vicinity v;
    struct elapsed_limits limits;
    csy_error error;
    int64_t x;
    ck_ok(vicinity_init(&v, &rough, 400, 8, &error), error);
    for (size_t i = 0; i < 3; i++) {
        ck_ok(rough_place(&rough, e.thread[i], e.local[i], &x, &error), error);
        ck_ok(vicinity_event(&v, e.thread[i], false, x, &error), error);
    }
    ck_assert(vicinity_limits(&v, 0, 0, NULL, &limits));
    ck_assert(limits.least_ticks == 1000 - 400);
    ck_assert(limits.most_ticks == UNWRAP_NO_LIMIT);
    ck_assert(vicinity_limits(&v, 0, 1000, NULL, &limits));
    v.consulted = VICINITY_FREELY;
    ck_assert(vicinity_limits(&v, 0, 0, NULL, &limits));
    ck_assert(!vicinity_limits(&v, 0, 1000, NULL, &limits));
    vicinity_fini(&v);
    rough_fini(&rough);
}
END_TEST

START_TEST(too_many_threads_are_given_up)
{
    struct rough rough = {0};
    struct vicinity v;
    struct elapsed_limits limits;
    csy_error error;
    int64_t end = 5;
    ck_ok(vicinity_init(&v, &rough, 400, 2, &error), error);
    for (uint32_t t = 0; t < 3; t++)
        ck_ok(vicinity_event(&v, t, t == 0, 0, &error), error);
    ck_assert(!vicinity_limits(&v, 0, 0, &end, &limits));
    vicinity_fini(&v);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("vicinity");
    tcase_add_test(tests, limits_follow_their_definition);
    tcase_add_test(tests, nobody_is_asked_in_vain);
    tcase_add_test(tests, too_many_threads_are_given_up);
    return unit_run();
}
