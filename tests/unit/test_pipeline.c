/*
 * From bytes to offsets: random traces of which the truth is known.  Contexts are switched in and
 * out, decrementers wrap, everything sleeps for many wraps now and then; the bounds contain the
 * truth and, where nothing had to be assumed, every record stands where it really was.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define WRAP ((int64_t)1 << 32)

enum { RECORDS_MAX = 250, CONTEXTS = 5, TIMEBASE_HZ = 14318000 };

/* What the records really were. */
struct truth {
    size_t n;
    int64_t time[RECORDS_MAX];  /* on a perfect clock */
    int64_t stamp[RECORDS_MAX]; /* what its own clock, moved to that one, said */
    int stay[RECORDS_MAX];      /* of SPE records; -1 of the PPE's */
    struct buffer file;         /* an embedded .pex */
};

/* Where contexts are while a truth is drawn. */
struct world {
    struct random *r;
    int64_t now, jitter;
    int64_t zero[CONTEXTS]; /* when the decrementer reads 0 */
    int stay[CONTEXTS], stays;
    bool in[CONTEXTS];
    bool mute; /* without PPE records, and so without switches */
};

static void note(struct truth *truth, struct world *world, int stay)
{
    truth->time[truth->n] = world->now;
    truth->stamp[truth->n] = world->now + random_between(world->r, -world->jitter, world->jitter);
    truth->stay[truth->n++] = stay;
}

static void speak(struct truth *truth, struct world *world, uint32_t c)
{
    bool switches = !world->in[c] || random_chance(world->r, world->mute ? 0 : 4);
    if (switches) {
        world->in[c] = !world->in[c];
        world->stay[c] = world->stays++;
        world->zero[c] = world->now + (int64_t)(random_bits(world->r) >> 32);
    }
    if (switches && !world->mute) {
        note(truth, world, -1);
        uint64_t stamp = (uint64_t)truth->stamp[truth->n - 1];
        add_switch(&truth->file, world->in[c], stamp, c, c % 3);
        return;
    }
    note(truth, world, world->stay[c]);
    add_spe(&truth->file, c, (uint32_t)(world->zero[c] - truth->stamp[truth->n - 1]));
}

static void speak_ppe(struct truth *truth, struct world *world)
{
    if (world->mute)
        return;
    note(truth, world, -1);
    add_ppe(&truth->file, (uint64_t)truth->stamp[truth->n - 1]);
}

/* sleeps: in per cent of the records; silence: how often the PPE says nothing around them. */
static void draw_truth(struct random *r, struct truth *truth, int64_t jitter, int sleeps,
                       int silence, bool mute)
{
    struct world world = {
        .r = r, .now = random_between(r, 1, 9) * WRAP, .jitter = jitter, .mute = mute};
    size_t n = (size_t)random_between(r, 10, RECORDS_MAX - 5);
    int ppe = (int)random_between(r, 5, 40);
    *truth = (struct truth){.n = 0};
    buffer_text(&truth->file, "<pdt_trace version='1'><machine timebase_hz='14318000'/>"
                              "<trace_file/></pdt_trace>");
    buffer_add(&truth->file, "", 1);
    add_header(&truth->file, 0, UINT64_MAX);
    while (truth->n < n) {
        world.now += random_between(r, 0, 40);
        if (random_chance(r, sleeps)) {
            if (!random_chance(r, silence))
                speak_ppe(truth, &world);
            world.now += random_between(r, 0, 20 * WRAP);
            if (!random_chance(r, silence))
                speak_ppe(truth, &world);
        } else if (random_chance(r, ppe)) {
            speak_ppe(truth, &world);
        } else {
            speak(truth, &world, (uint32_t)random_between(r, 0, CONTEXTS - 1));
        }
    }
    speak_ppe(truth, &world);
}

/* A solved trace, whose file is gone again. */
struct solved {
    csy_trace *trace;
    csy_sync *sync;
};

static struct solved solve(const struct truth *truth, const csy_options *options)
{
    struct folder folder;
    struct solved solved;
    csy_error error;
    folder_open(&folder);
    const char *path = folder_file(&folder, "a.pex");
    file_write(path, truth->file.bytes, truth->file.size);
    ck_ok(csy_trace_open(path, CSY_FORMAT_AUTO, &solved.trace, &error), error);
    folder_close(&folder);
    ck_ok(csy_synchronize(solved.trace, options, &solved.sync, &error), error);
    return solved;
}

static void solved_free(struct solved *solved)
{
    csy_sync_free(solved->sync);
    csy_trace_free(solved->trace);
}

/* The thread of every record, and its local time. */
static void read_events(const struct solved *solved, size_t *thread, int64_t *local)
{
    csy_events *events;
    csy_event event;
    csy_error error;
    bool more;
    ck_ok(csy_events_open(solved->trace, solved->sync, &events, &error), error);
    for (;;) {
        ck_ok(csy_events_next(events, &event, &more, &error), error);
        if (!more)
            break;
        thread[event.record] = event.thread;
        local[event.record] = event.local_ticks;
    }
    csy_events_free(events);
}

/* Records of one thread are of one stay, and as far apart as its clock says. */
static void assert_intervals(const struct truth *truth, const size_t *thread, const int64_t *local,
                             int trial)
{
    for (size_t i = 0; i < truth->n; i++)
        for (size_t j = i + 1; j < truth->n; j++)
            if (thread[i] == thread[j] &&
                (truth->stay[i] != truth->stay[j] ||
                 local[j] - local[i] != truth->stamp[j] - truth->stamp[i]))
                ck_abort_msg("trial %d: records %zu and %zu of thread %zu", trial, i, j, thread[i]);
}

/* The bounds of every pair of threads contain the true difference of their offsets. */
static void assert_bounds(struct solved *solved, const struct truth *truth, int trial)
{
    size_t n = csy_nthreads(solved->sync);
    for (size_t s = 0; s < n; s++) {
        for (size_t t = 0; t < n; t++) {
            const csy_thread *a = csy_get_thread(solved->sync, s),
                             *b = csy_get_thread(solved->sync, t);
            int64_t true_a = a->kind == CSY_KIND_PPE ? 0 : truth->stamp[a->first_record];
            int64_t true_b = b->kind == CSY_KIND_PPE ? 0 : truth->stamp[b->first_record];
            int64_t lower, upper;
            csy_error error;
            ck_ok(csy_bounds(solved->sync, s, t, &lower, &upper, NULL, &error), error);
            if (true_a - true_b < lower || true_a - true_b > upper)
                ck_abort_msg("trial %d: threads %s and %s", trial, a->name, b->name);
        }
    }
}

/* Solve a truth and compare; returns whether it is known to be exact. */
static bool compare(const struct truth *truth, const csy_options *options, int trial)
{
    static size_t thread[RECORDS_MAX];
    static int64_t local[RECORDS_MAX];
    struct solved solved = solve(truth, options);
    const csy_clock_report *clock = csy_get_clock_report(solved.sync);
    bool exact = clock->assumed == 0;
    ck_assert_uint_eq(csy_records(solved.sync), truth->n);
    ck_assert_uint_eq(clock->lost_ins + clock->lost_outs + clock->stragglers, 0);
    if (exact) {
        read_events(&solved, thread, local);
        assert_intervals(truth, thread, local, trial);
        assert_bounds(&solved, truth, trial);
    }
    solved_free(&solved);
    return exact;
}

START_TEST(exact_clocks_that_sleep)
{
    csy_options options;
    int exact = 0;
    csy_options_init(&options);
    for (int trial = 0; trial < 200; trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct truth truth;
        int sleeps = (int)random_between(&r, 0, 10), silence = (int)random_between(&r, 0, 3) * 10;
        draw_truth(&r, &truth, 0, sleeps, silence, false);
        options.relax = random_chance(&r, 50) ? CSY_RELAX_NONE : CSY_RELAX_EXACT;
        exact += compare(&truth, &options, trial);
        buffer_free(&truth.file);
    }
    ck_assert_int_gt(exact, 60);
}
END_TEST

/* Strict unwrapping is right even where the PPE was silent through whole wraps. */
START_TEST(strict_answers_are_sound)
{
    csy_options options;
    csy_options_init(&options);
    options.unwrap = CSY_UNWRAP_STRICT;
    options.relax = CSY_RELAX_NONE;
    for (int trial = 0; trial < 200; trial++) {
        struct random r = random_trial(1000 + (uint64_t)trial);
        struct truth truth;
        draw_truth(&r, &truth, 0, (int)random_between(&r, 0, 15), (int)random_between(&r, 0, 100),
                   random_chance(&r, 10));
        ck_assert(compare(&truth, &options, trial));
        buffer_free(&truth.file);
    }
}
END_TEST

/* Stamps good to +-J: with delta = J the truth lies inside the bounds. */
START_TEST(imprecise_clocks)
{
    csy_options options;
    int exact = 0;
    csy_options_init(&options);
    options.relax = CSY_RELAX_GIVEN;
    for (int trial = 0; trial < 200; trial++) {
        struct random r = random_trial(2000 + (uint64_t)trial);
        struct truth truth;
        int64_t jitter = random_between(&r, 1, 200);
        draw_truth(&r, &truth, jitter, (int)random_between(&r, 0, 5), 0, false);
        options.delta = (csy_fraction){jitter, 1};
        options.engine = random_chance(&r, 50) ? CSY_ENGINE_SWEEP : CSY_ENGINE_DENSE;
        options.unwrap = random_chance(&r, 50) ? CSY_UNWRAP_STRICT : CSY_UNWRAP_ASSUME;
        exact += compare(&truth, &options, trial);
        buffer_free(&truth.file);
    }
    ck_assert_int_gt(exact, 60);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("pipeline");
    tcase_add_test(tests, exact_clocks_that_sleep);
    tcase_add_test(tests, strict_answers_are_sound);
    tcase_add_test(tests, imprecise_clocks);
    return unit_run();
}
