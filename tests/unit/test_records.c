/*
 * The quick way comes to what the ordinary way comes to.  The sweep goes it, the dense
 * engine does not: both must find the same live intervals, local times, offsets and bounds, in
 * traces whose clocks are mostly plain and now and then anything but; by one thread, and by three
 * in segments.  And what the lane writes, csy_check proves, which does without it.
 */
#include "measured.h"
#include "support.h"

#include "fast/fast.h"
#include "graph/constraints.h"
#include "sync/pass.h"
#include "trace/trace.h"

#include <string.h>

enum { CONTEXTS = 4, TIMEBASE_HZ = 14318000, B = TIMEBASE_HZ / 100 };

#define WRAP ((int64_t)1 << 32)
#define REACH ((int64_t)1 << 30) /* of the lane */

/* Clocks that go on together, each with an error of its own. */
struct world {
    struct random *r;
    struct buffer file;
    int64_t now, ppe_error;
    int64_t zero[CONTEXTS]; /* when the decrementer reads 0 */
    int64_t behind[CONTEXTS];
    int lagging; /* how often a context falls behind a little, in per cent */
    int switching;
    bool orderly; /* only contexts that are switched in speak, and they go on where they were */
    bool in[CONTEXTS];
    uint64_t records;
};

/* Around the distances that decide what is plain. */
static int64_t draw_distance(struct random *r)
{
    static const int64_t marks[] = {B / 4, B / 2, B, 2 * B, REACH, WRAP, WRAP - B, 2 * WRAP};
    int64_t mark = marks[random_between(r, 0, 7)];
    return mark + random_between(r, -2, 2) * random_between(r, 0, 1 + B / 50);
}

/* Something that is not plain, to a clock or to all of them. */
static void disturb(struct world *w)
{
    size_t c = (size_t)random_between(w->r, 0, CONTEXTS - 1);
    int64_t distance = draw_distance(w->r), near = distance % (3 * B);
    switch (random_between(w->r, 0, 5)) {
    case 0:
        w->now += distance;
        break;
    case 1:
        w->ppe_error += random_chance(w->r, 50) ? near : -near;
        break;
    case 2:
        w->zero[c] = w->now + (int64_t)(random_bits(w->r) >> 32);
        break;
    case 3:
        w->zero[c] += distance;
        break;
    default:
        w->zero[c] += random_chance(w->r, 50) ? near : -near;
        break;
    }
}

/* One of three threads of the PPE. */
static uint32_t tid_of(uint32_t number)
{
    return 4711 + number % 3;
}

static void speak_ppe(struct world *w, int64_t jitter)
{
    int64_t stamp = w->now + w->ppe_error + random_between(w->r, -jitter, jitter);
    uint32_t c = (uint32_t)random_between(w->r, 0, CONTEXTS - 1);
    if (!random_chance(w->r, w->switching)) {
        add_ppe_of(&w->file, tid_of(c), (uint64_t)stamp);
    } else {
        w->in[c] = !w->in[c] || (!w->orderly && random_chance(w->r, 5));
        add_switch(&w->file, w->in[c], (uint64_t)stamp, c, c);
    }
}

static void begin_file(struct buffer *file, uint64_t records)
{
    buffer_text(file, "<pdt_trace version='1'><machine timebase_hz='14318000'/>"
                      "<trace_file/></pdt_trace>");
    buffer_add(file, "", 1);
    add_header(file, 0, records);
}

/* Contexts may fall behind by less than B at a time, and catch up at once. */
static void speak_spe(struct world *w, int64_t jitter)
{
    uint32_t c = (uint32_t)random_between(w->r, 0, CONTEXTS - 1);
    if (w->orderly && !w->in[c]) {
        speak_ppe(w, jitter);
        return;
    }
    if (random_chance(w->r, w->lagging))
        w->behind[c] = random_chance(w->r, 30) ? 0 : w->behind[c] + random_between(w->r, 0, B);
    int64_t read = w->zero[c] + w->behind[c] - w->now + random_between(w->r, -jitter, jitter);
    add_spe(&w->file, c, (uint32_t)read);
}

static void draw_trace(struct random *r, struct world *w)
{
    static const int64_t jitters[] = {0, 0, 30, 300, B / 3, 2 * B};
    static const int64_t paces[] = {50, 300, B / 20, B / 5};
    int64_t jitter = random_between(r, 0, jitters[random_between(r, 0, 5)]);
    int64_t pace = paces[random_between(r, 0, 3)];
    int unruly = random_chance(r, 40) ? 0 : (int)random_between(r, 1, 8);
    int ppe = (int)random_between(r, 2, 60);
    size_t n = (size_t)random_between(r, 1, 300);
    *w = (struct world){.r = r, .now = 20 * WRAP, .lagging = random_chance(r, 50) ? 0 : 20};
    w->orderly = random_chance(r, 40);
    w->switching = random_chance(r, 50) ? 10 : 50;
    for (size_t c = 0; c < CONTEXTS; c++)
        w->zero[c] = w->now + (int64_t)(random_bits(r) >> 32);
    begin_file(&w->file, random_chance(r, 50) ? n : UINT64_MAX);
    while (w->records < n) {
        w->now += random_between(r, 0, pace);
        if (random_chance(r, unruly))
            disturb(w);
        if (random_chance(r, ppe))
            speak_ppe(w, jitter);
        else
            speak_spe(w, jitter);
        w->records++;
    }
}

struct solved {
    csy_trace *trace;
    csy_sync *sync;
};

/* segment_bytes: of what several threads take at a time; 0: one thread takes all.  delta: in ticks;
 * -1: to be estimated. */
static csy_status try_to_solve(const char *path, csy_engine engine, size_t segment_bytes,
                               int64_t delta, struct solved *solved, csy_error *error)
{
    csy_options options;
    options = options_default;
    options.engine = engine;
    options.measure = true;
    if (delta >= 0) {
        options.relax = CSY_RELAX_GIVEN;
        options.delta = (csy_fraction){delta, 1};
    }
    ck_ok(csy_trace_open(path, NULL, &solved->trace, error), *error);
    csy_trace_set_workers(solved->trace, segment_bytes ? 3 : 1);
    if (segment_bytes)
        solved->trace->segment_bytes = segment_bytes;
    solved->sync = NULL;
    return csy_trace_synchronize(solved->trace, &options, &solved->sync, error);
}

static struct solved solve(const char *path, csy_engine engine, size_t segment_bytes)
{
    struct solved solved;
    csy_error error;
    ck_ok(try_to_solve(path, engine, segment_bytes, -1, &solved, &error), error);
    return solved;
}

static void solved_free(struct solved *solved)
{
    csy_sync_free(solved->sync);
    csy_trace_free(solved->trace);
}

static bool same_clocks(const csy_clock_report *a, const csy_clock_report *b)
{
    return a->wraps == b->wraps && a->splits == b->splits && a->assumed == b->assumed &&
           a->lost_outs == b->lost_outs && a->lost_ins == b->lost_ins &&
           a->stragglers == b->stragglers && a->contexts == b->contexts;
}

static bool same_imprecision(const csy_imprecision *a, const csy_imprecision *b)
{
    return a->delta.num == b->delta.num && a->delta.den == b->delta.den &&
           a->added_ticks == b->added_ticks && a->inversions == b->inversions &&
           a->largest_inversion_ticks == b->largest_inversion_ticks &&
           a->adjacent_steps_back == b->adjacent_steps_back;
}

static bool same_thread(const csy_thread *a, const csy_thread *b)
{
    return strcmp(a->name, b->name) == 0 && a->spe == b->spe &&
           a->first_record == b->first_record && a->records == b->records &&
           a->decr_first == b->decr_first && a->offset_ticks == b->offset_ticks &&
           a->earliest_ticks == b->earliest_ticks && a->latest_ticks == b->latest_ticks;
}

static void compare(const struct solved *lane, const struct solved *ordinary, int trial)
{
    const csy_clock_report *a = csy_sync_clock_report(lane->sync);
    const csy_clock_report *b = csy_sync_clock_report(ordinary->sync);
    if (!same_clocks(a, b))
        ck_abort_msg("trial %d: wraps %d splits %d assumed %d, without the lane %d, %d and %d",
                     trial, (int)a->wraps, (int)a->splits, (int)a->assumed, (int)b->wraps,
                     (int)b->splits, (int)b->assumed);
    if (csy_sync_nthreads(lane->sync) != csy_sync_nthreads(ordinary->sync))
        ck_abort_msg("trial %d: other threads", trial);
    for (size_t t = 0; t < csy_sync_nthreads(lane->sync); t++)
        if (!same_thread(csy_sync_thread(lane->sync, t), csy_sync_thread(ordinary->sync, t)))
            ck_abort_msg("trial %d: thread %s", trial, csy_sync_thread(lane->sync, t)->name);
    const csy_order *c = csy_sync_order(lane->sync), *d = csy_sync_order(ordinary->sync);
    if (c->neighbours != d->neighbours || c->before.wrong != d->before.wrong ||
        c->before.largest_ticks != d->before.largest_ticks)
        ck_abort_msg("trial %d: %d of %d neighbours wrong, without the lane %d of %d", trial,
                     (int)c->before.wrong, (int)c->neighbours, (int)d->before.wrong,
                     (int)d->neighbours);
    if (!same_imprecision(csy_sync_imprecision(lane->sync), csy_sync_imprecision(ordinary->sync)))
        ck_abort_msg("trial %d: another delta", trial);
    assert_measured(lane->sync);
}

/* Records and table that the lane helped to write. */
static void assert_proved(const struct solved *solved, const char *path, int trial)
{
    csy_proof proof;
    csy_error error;
    const csy_output output = {.embed = true, .compress_level = -1};
    ck_ok(csy_sync_write_trace(solved->sync, path, &output, &error), error);
    csy_status status = prove(path, &proof, &error);
    if (status)
        ck_abort_msg("trial %d: %s", trial, error.text);
    ck_assert_uint_eq(proof.records, csy_sync_records(solved->sync));
}

static csy_status start_none(void *user, struct taker *taker, csy_error *error)
{
    (void)user;
    (void)error;
    *taker = (struct taker){0};
    return CSY_OK;
}

/* Constraints keep the lane away. */
static csy_status start_constraints(void *user, struct taker *taker, csy_error *error)
{
    (void)error;
    constraints_fini(user);
    constraints_init(user, CSY_DENSE_THREADS_MAX);
    *taker = (struct taker){.sink = constraints_sink(user)};
    return CSY_OK;
}

static struct survey survey_by(csy_trace *trace, pass_start start, void *user)
{
    struct survey survey = {.rules = timeline_default_rules(trace)};
    struct progress progress = {0};
    struct first_pass first = {.start = start, .user = user, .progress = &progress};
    csy_error error;
    ck_ok(pass_survey(trace, &survey, &first, &error), error);
    return survey;
}

static bool same_survey(const struct survey *a, const struct survey *b)
{
    bool same = a->threads.count == b->threads.count && a->records == b->records &&
                a->adjacent_steps_back == b->adjacent_steps_back &&
                a->rough.disorder.neighbours == b->rough.disorder.neighbours &&
                a->rough.disorder.wrong == b->rough.disorder.wrong &&
                a->rough.disorder.largest_ticks == b->rough.disorder.largest_ticks &&
                a->greatest_x == b->greatest_x && a->behind == b->behind &&
                same_clocks(&a->clock_report, &b->clock_report);
    for (size_t i = 0; i < a->threads.count && same; i++) {
        const struct thread *s = &a->threads.items[i], *t = &b->threads.items[i];
        same = s->context == t->context && s->decr_first == t->decr_first && s->next == t->next &&
               s->first_record == t->first_record && s->last_record == t->last_record &&
               s->records == t->records && s->last_ticks == t->last_ticks;
    }
    return same;
}

/* The lane without a taker of the events. */
static void compare_surveys(csy_trace *trace, int trial)
{
    struct constraints constraints;
    constraints_init(&constraints, CSY_DENSE_THREADS_MAX);
    struct survey lane = survey_by(trace, start_none, NULL);
    struct survey ordinary = survey_by(trace, start_constraints, &constraints);
    if (!same_survey(&lane, &ordinary))
        ck_abort_msg("trial %d: another survey", trial);
    survey_fini(&lane);
    survey_fini(&ordinary);
    constraints_fini(&constraints);
}

static int feasible, infeasible;

/* The same with a given delta, where it is enough. */
static void both_ways_at(const char *path, int64_t delta, int trial)
{
    struct solved lane, shared, ordinary;
    csy_error error;
    size_t bytes = 200 + 8 * (size_t)(trial % 100);
    csy_status want = try_to_solve(path, CSY_ENGINE_DENSE, 0, delta, &ordinary, &error);
    ck_assert_int_eq(try_to_solve(path, CSY_ENGINE_SWEEP, 0, delta, &lane, &error), want);
    ck_assert_int_eq(try_to_solve(path, CSY_ENGINE_SWEEP, bytes, delta, &shared, &error), want);
    if (want == CSY_OK) {
        compare(&lane, &ordinary, trial);
        compare(&shared, &ordinary, trial);
        feasible++;
    } else {
        ck_assert_int_eq(want, CSY_INFEASIBLE);
        infeasible++;
    }
    solved_free(&lane);
    solved_free(&shared);
    solved_free(&ordinary);
}

/* Solve a trace both ways, compare, and perhaps write and check it; the report of its clocks. */
static csy_clock_report both_ways(const struct buffer *file, bool prove, int trial)
{
    struct folder folder;
    folder_open(&folder);
    const char *path = folder_file(&folder, "a.pex");
    file_write(path, file->bytes, file->size);
    struct solved lane = solve(path, CSY_ENGINE_SWEEP, 0);
    struct solved ordinary = solve(path, CSY_ENGINE_DENSE, 0);
    struct solved shared = solve(path, CSY_ENGINE_SWEEP, 200 + 8 * (size_t)(trial % 100));
    compare(&lane, &ordinary, trial);
    compare(&shared, &ordinary, trial);
    both_ways_at(path, 1 + trial % 7, trial);
    both_ways_at(path, 1000000, trial);
    compare_surveys(lane.trace, trial);
    compare_surveys(shared.trace, trial);
    if (prove) {
        assert_proved(&lane, folder_file(&folder, "b.pex"), trial);
        assert_proved(&shared, folder_file(&folder, "b.pex"), trial);
    }
    solved_free(&shared);
    csy_clock_report report = *csy_sync_clock_report(lane.sync);
    solved_free(&lane);
    solved_free(&ordinary);
    folder_close(&folder);
    return report;
}

START_TEST(both_ways_come_to_the_same)
{
    int splits = 0, assumed = 0;
    for (int trial = 0; trial < trials_of(500); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct world w;
        draw_trace(&r, &w);
        csy_clock_report report = both_ways(&w.file, trial % 8 == 1, trial);
        splits += report.splits > 0;
        assumed += report.assumed > 0;
        buffer_free(&w.file);
    }
    ck_assert_int_gt(splits, trials_of(40));
    ck_assert_int_gt(assumed, trials_of(40));
    printf("%d at a given delta, %d more infeasible\n", feasible, infeasible);
    fflush(stdout);
    ck_assert_int_gt(feasible, trials_of(400));
    ck_assert_int_gt(infeasible, trials_of(20));
}
END_TEST

/* Ten records each of contexts that come and go: how many records a pass takes the ordinary way. */
static uint64_t count_ordinary(const char *path, bool sweeping)
{
    csy_trace *trace;
    csy_error error;
    struct timeline timeline;
    struct rebase rebase = {0};
    struct fast *fast;
    struct fast_taken taken;
    struct sweep_feed feed = {NULL, true};
    struct event event;
    uint64_t ordinary = 0;
    uint32_t tau = NO_THREAD;
    bool more = true;
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    struct timeline_rules rules = timeline_default_rules(trace);
    ck_ok(timeline_init(&timeline, trace, &rules, NULL, &error), error);
    if (sweeping)
        ck_ok(sweep_new(0, 10, &feed.sweep, &error), error);
    ck_ok(fast_new(&timeline, &rebase, feed.sweep, NULL, &fast, &error), error);
    fast_take_turns(fast, sweeping ? &feed : NULL, &tau, 8);
    for (;;) {
        int64_t x;
        ck_ok(fast_run(fast, &(struct fast_job){.limit = UINT64_MAX}, &taken, &error), error);
        ck_ok(timeline_next(&timeline, &event, &more, &error), error);
        if (!more)
            break;
        ck_ok(rebase_place(&rebase, event.thread, event.local_ticks, &x, &error), error);
        if (sweeping && event.ended != NO_THREAD)
            ck_ok(sweep_ended(feed.sweep, event.ended, &feed.feasible, &error), error);
        if (sweeping)
            ck_ok(sweep_event(feed.sweep, event.thread, x, &feed.feasible, &error), error);
        fast_note(fast, &event, x);
        ordinary++;
    }
    ck_assert(feed.feasible);
    fast_free(fast);
    sweep_free(feed.sweep);
    rebase_fini(&rebase);
    timeline_fini(&timeline);
    csy_trace_free(trace);
    return ordinary;
}

START_TEST(live_intervals_begin_and_end_in_the_lane)
{
    enum { INTERVALS = 2000, LIVE = 3 };
    struct buffer file = {0};
    struct folder folder;
    folder_open(&folder);
    const char *path = folder_file(&folder, "a.pex");
    uint64_t now = 1000000;
    begin_file(&file, UINT64_MAX);
    for (uint32_t i = 0; i < INTERVALS; i++) {
        add_switch(&file, true, now++, i, i % LIVE);
        for (uint32_t k = 0; k < 12; k++) {
            uint32_t c = i - k % LIVE % (i + 1);
            if (k == 6)
                add_ppe(&file, now++);
            add_spe(&file, c, (uint32_t)(1000 * c - now++));
        }
        if (i >= LIVE - 1)
            add_switch(&file, false, now++, i - (LIVE - 1), i % LIVE);
    }
    file_write(path, file.bytes, file.size);
    ck_assert_uint_lt(count_ordinary(path, false), 40); /* the first one, and the end's */
    ck_assert_uint_lt(count_ordinary(path, true), 40);
    buffer_free(&file);
    folder_close(&folder);
}
END_TEST

/* The decrementer falls behind by 0.9 B in each of three gaps, each of which that may still be
 * imprecise, and is then written: it catches up at once.  The record that does stands near the
 * others, the one before it did not. */
START_TEST(written_decrementers_that_catch_up)
{
    struct buffer file = {0};
    int64_t now = 1000000000, behind = 0;
    begin_file(&file, UINT64_MAX);
    for (int i = 0; i < 5; i++) {
        add_ppe(&file, (uint64_t)now - 10);
        add_spe(&file, 1, (uint32_t)(behind - now));
        add_ppe(&file, (uint64_t)now + 10);
        now += 2000000;
        behind = i < 3 ? behind + B * 9 / 10 : 0;
    }
    ck_assert_uint_eq(both_ways(&file, true, 0).splits, 1);
    buffer_free(&file);
}
END_TEST

/* The PPE steps back by 10 B between two records, so that no time can have passed between them. */
START_TEST(ppe_records_that_step_back)
{
    static const int64_t ppe_times[] = {0, 10, -10 * B, 20, 30, 40};
    struct buffer file = {0};
    int64_t now = 1000000000;
    begin_file(&file, UINT64_MAX);
    for (int i = 0; i < 6; i++) {
        add_ppe(&file, (uint64_t)(now + ppe_times[i]));
        if (i != 2)
            add_spe(&file, 1, (uint32_t)(-now - 5 - 10 * i));
    }
    both_ways(&file, true, 0);
    buffer_free(&file);
}
END_TEST

/* The header counts 100 plain records of 200: no more are taken, however many are at hand. */
START_TEST(records_behind_the_count)
{
    for (size_t segment_bytes = 0; segment_bytes <= 1000; segment_bytes += 500) {
        struct buffer file = {0};
        struct folder folder;
        csy_trace *trace;
        csy_sync *sync;
        csy_error error;
        csy_options options;
        char want[400];
        options = options_default;
        folder_open(&folder);
        const char *path = folder_file(&folder, "a.pex");
        begin_file(&file, 100);
        size_t after = file.size + (size_t)50 * (RECORD_PPE_BYTES + RECORD_SPE_BYTES);
        for (uint32_t i = 0; i < 100; i++) {
            add_ppe(&file, 1000 + 20 * i);
            add_spe(&file, 1, 90000 - 20 * i);
        }
        file_write(path, file.bytes, file.size);
        snprintf(want, sizeof want,
                 "%s: offset %zu: more bytes follow after 100 records, the number in the header",
                 path, after);
        ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
        csy_trace_set_workers(trace, segment_bytes ? 3 : 1);
        trace->segment_bytes = segment_bytes ? segment_bytes : trace->segment_bytes;
        ck_refused(csy_trace_synchronize(trace, &options, &sync, &error), CSY_INPUT, error, want);
        csy_trace_free(trace);
        folder_close(&folder);
        buffer_free(&file);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("records");
    tcase_add_test(tests, records_behind_the_count);
    tcase_add_test(tests, both_ways_come_to_the_same);
    tcase_add_test(tests, live_intervals_begin_and_end_in_the_lane);
    tcase_add_test(tests, written_decrementers_that_catch_up);
    tcase_add_test(tests, ppe_records_that_step_back);
    return unit_run();
}
