/* A scan that sees records of calls in the file comes to what one comes to that decodes each. */
#include "instants/instants.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 120, THREADS = 6, DEPTH = 8, RECORDS = 1500, LEAST = 300, ROUTINES = 3 };

enum {
    ENTER = 0x0109,
    EXIT = 0x0209,
    LEAVE = 0x0309,
    MARK = 0x0409,
    STALL = 0x0509,
    NONE = 0x0609,
    UNKNOWN = 0x0709
};

static const char document[] =
    "<pdt_trace version=\"1\"><machine name=\"m\" timebase_hz=\"1000\"/>"
    "<trace_file href=\"calls.trace\"/><pdtGroup name=\"CALLS\" id=\"0x09\">"
    "<recordType name=\"ENTER\" id=\"0x0109\" type=\"event\" role=\"enter\">"
    "<field name=\"routine\" type=\"u64\"/></recordType>"
    "<recordType name=\"EXIT\" id=\"0x0209\" type=\"event\" role=\"exit\">"
    "<field name=\"routine\" type=\"u64\"/></recordType>"
    "<recordType name=\"LEAVE\" id=\"0x0309\" type=\"event\" role=\"exit\"/>"
    "<recordType name=\"MARK\" id=\"0x0409\" type=\"event\"/>"
    "<recordType name=\"STALL\" id=\"0x0509\" type=\"interval\" role=\"wait\"/>"
    "<recordType name=\"NOISE\" id=\"0x0609\" type=\"event\" role=\"none\"/>"
    "</pdtGroup></pdt_trace>";

static struct folder folder;

/* A thread of the PPE, or a context, and what it is in. */
struct thread {
    bool spe;
    uint64_t stack[DEPTH];
    size_t depth;
};

struct program {
    struct random r;
    struct buffer *out;
    struct thread threads[THREADS];
    size_t nthreads, late; /* the last one writes from that record on */
    uint64_t now, gain;    /* 100 ppm for each number of a context */
};

static void put(struct program *p, size_t index, uint16_t id, bool named, uint64_t routine)
{
    bool spe = p->threads[index].spe, stall = id == STALL;
    size_t stamp = spe ? 4 : 8;
    uint64_t back = (uint64_t)random_between(&p->r, 0, 400),
             now = spe ? 0xffffff00 - p->now - p->now * index * p->gain / 10000 : p->now;
    buffer_number(p->out, (spe ? 24U : 32U) + (named ? 8U : 0U), 2);
    buffer_number(p->out, spe, 1);
    buffer_number(p->out, stall, 1);
    buffer_number(p->out, id, 2);
    buffer_number(p->out, named, 2);
    buffer_number(p->out, index, 4);
    buffer_number(p->out, 0, 4);
    buffer_number(p->out, now, stamp);
    buffer_number(p->out, !stall ? 0 : spe ? now + back : now > back ? now - back : 0, stamp);
    if (named)
        buffer_number(p->out, routine, 8);
}

/* It enters, exits, or at times marks. */
static void step(struct program *p, size_t index, bool marks)
{
    struct thread *t = &p->threads[index];
    if (marks && random_chance(&p->r, 3)) {
        put(p, index, MARK, false, 0);
    } else if (t->depth == 0 || (t->depth < DEPTH && random_chance(&p->r, 50))) {
        t->stack[t->depth] = (uint64_t)random_between(&p->r, 1, ROUTINES);
        put(p, index, ENTER, true, t->stack[t->depth++]);
    } else {
        bool named = random_chance(&p->r, 90);
        t->depth--;
        put(p, index, named ? EXIT : LEAVE, named, t->stack[t->depth]);
    }
}

/* What a glance must not pass over: a wait, what is left out, or an exit of what was not entered;
 * or what it does not know of until the scan has met one, which is false. */
static bool stumble(struct program *p, size_t index)
{
    static const uint16_t odd[] = {STALL, NONE, EXIT, UNKNOWN};
    uint16_t id = odd[random_between(&p->r, 0, 3)];
    put(p, index, id, id == EXIT, ROUTINES + 1);
    return id != UNKNOWN;
}

/* A trace; whether there is something in it that a glance must not pass over. */
static bool draw(int trial, struct buffer *out)
{
    struct program p = {
        .r = random_trial((uint64_t)trial), .out = out, .now = 1000, .gain = trial % 4 == 1};
    size_t n = (size_t)random_between(&p.r, LEAST, RECORDS);
    size_t odd = random_chance(&p.r, 40) ? (size_t)random_between(&p.r, 0, (int64_t)n - 1) : n;
    bool marks = random_chance(&p.r, 50), stumbles = false;
    p.nthreads = (size_t)random_between(&p.r, 2, THREADS);
    p.late = (size_t)random_between(&p.r, 0, (int64_t)n);
    for (size_t i = 1; i < p.nthreads; i++)
        p.threads[i].spe = random_chance(&p.r, 50);
    add_header(out, 0, n);
    for (size_t i = 0; i < n; i++) {
        size_t least = i % 50 == 0 ? 0 : 1, last = p.nthreads - (i < p.late ? 2 : 1);
        size_t index = (size_t)random_between(&p.r, 0, (int64_t)(last < least ? least : last));
        p.now += (uint64_t)random_between(&p.r, 1, 5) * (p.gain ? 1000 : 1);
        if (i % 50 == 0)
            index = 0; /* contexts are bounded by what the PPE records */
        if (i == odd)
            stumbles = stumble(&p, index);
        else
            step(&p, index, marks);
    }
    return stumbles;
}

struct list {
    struct actor_instant items[4 * RECORDS];
    size_t n;
};

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct list *list = user;
    (void)error;
    ck_assert_uint_lt(list->n, 4 * RECORDS);
    list->items[list->n++] = *instant;
    return CSY_OK;
}

static void same_moment(const struct moment *a, const struct moment *b)
{
    ck_assert_int_eq(a->global_ticks, b->global_ticks);
    ck_assert_int_eq(a->local_ticks, b->local_ticks);
    ck_assert_uint_eq(a->clock, b->clock);
}

static void same_list(const struct list *a, const struct list *b)
{
    ck_assert_uint_eq(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        const struct actor_instant *x = &a->items[i], *y = &b->items[i];
        ck_assert_uint_eq(x->record, y->record);
        ck_assert_uint_eq(x->actor, y->actor);
        same_moment(&x->at, &y->at);
        ck_assert_int_eq(x->state, y->state);
        ck_assert_int_eq(x->call, y->call);
        ck_assert_uint_eq(x->routine, y->routine);
    }
}

/* What a scan has found, and the merge after it. */
static void same(struct instants *a, struct instants *b)
{
    static struct list seen, decoded;
    csy_error error;
    ck_assert_uint_eq(a->records, b->records);
    same_moment(&a->first, &b->first);
    same_moment(&a->last, &b->last);
    ck_assert_int_eq(a->has_calls, b->has_calls);
    ck_assert_int_eq(a->has_begins, b->has_begins);
    ck_assert_int_eq(a->has_intervals, b->has_intervals);
    ck_assert_uint_eq(a->ahead, b->ahead);
    ck_assert_uint_eq(a->actors.count, b->actors.count);
    for (size_t i = 0; i < a->actors.count; i++) {
        const struct actor *x = &a->actors.items[i], *y = &b->actors.items[i];
        ck_assert_int_eq(x->kind, y->kind);
        ck_assert_uint_eq(x->id, y->id);
        ck_assert_uint_eq(x->nstays, y->nstays);
        for (size_t k = 0; k < x->nstays; k++)
            ck_assert_uint_eq(x->lasts[k], y->lasts[k]);
        ck_assert_uint_eq(x->calls.nmissed, y->calls.nmissed);
    }
    seen.n = decoded.n = 0;
    ck_ok(instants_merge(a, take, &seen, &error), error);
    ck_ok(instants_merge(b, take, &decoded, &error), error);
    same_list(&seen, &decoded);
}

/* Of some the last record is not where one offset of its clock puts it. */
static void solve(csy_trace *trace, int trial, csy_sync **sync)
{
    csy_options *options;
    csy_error error;
    ck_ok(csy_options_new(&options, &error), error);
    if (trial % 8 == 1)
        ck_ok(csy_options_set_drift(options, 500000, 0, &error), error);
    ck_ok(csy_options_set_monotonic(options, trial % 8 == 5, &error), error);
    ck_ok(csy_trace_synchronize(trace, options, sync, &error), error);
    csy_options_free(options);
}

START_TEST(same_scan)
{
    csy_error error;
    csy_meaning *meaning;
    size_t glanced = 0, odd = 0;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    file_write(folder_file(&folder, "calls.pex"), document, sizeof document - 1);
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct instants in, decoded;
        struct buffer records = {0};
        csy_trace *trace;
        csy_sync *sync;
        bool stumbles = draw(trial, &records);
        file_write(folder_file(&folder, "calls.trace"), records.bytes, records.size);
        ck_ok(csy_trace_open(folder_file(&folder, "calls.pex"), NULL, &trace, &error), error);
        solve(trace, trial, &sync);
        ck_ok(instants_open_more(&in, sync, meaning, INSTANTS_AHEAD, 0, &error), error);
        ck_ok(instants_open_more(&decoded, sync, meaning, INSTANTS_AHEAD, MORE_LEAVES, &error),
              error);
        ck_assert(!decoded.glanced && !(stumbles && in.glanced));
        glanced += in.glanced;
        odd += stumbles;
        same(&in, &decoded);
        instants_fini(&in);
        instants_fini(&decoded);
        csy_sync_free(sync);
        csy_trace_free(trace);
        buffer_free(&records);
    }
    ck_assert_of_trials(glanced > TRIALS / every_of_trials() / 3 && odd > 0);
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("glance");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, same_scan);
    return unit_run();
}
