/* What is skimmed of a trace is all that csy_events_read gives, but for plain records of kinds that
 * say nothing, whose writers were met on their clocks. */
#include "analysis/run/skim.h"
#include "support.h"
#include "sync/solution.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1024, WRITERS = 4096 };

/* Where each writer was last, 1 more than the thread. */
struct writers {
    uint32_t tids[WRITERS], threads[WRITERS];
    bool spes[WRITERS];
    size_t n;
};

struct reading {
    csy_events *events;
    struct event_kinds event_kinds;
    csy_decoded *batch;
    size_t next, n;
};

static void open_reading(struct reading *r, const csy_sync *sync, const csy_meaning *meaning)
{
    csy_error error;
    *r = (struct reading){.batch = calloc(MOST, sizeof *r->batch)};
    ck_assert(r->batch);
    ck_ok(csy_events_open(sync, &r->events, &error), error);
    ck_ok(event_kinds_init(&r->event_kinds, sync->trace, meaning, r->events, &error), error);
}

static void close_reading(struct reading *r)
{
    event_kinds_fini(&r->event_kinds);
    csy_events_free(r->events);
    free(r->batch);
}

/* The next event of all, or of the skim; NULL after the last. */
static const csy_decoded *next(struct reading *r, struct skim *skim, size_t most,
                               struct event_kind *event_kind)
{
    csy_error error;
    if (r->next == r->n) {
        r->next = 0;
        if (skim)
            ck_ok(skim_read(skim, r->batch, most, &r->n, &error), error);
        else
            ck_ok(csy_events_read(r->events, r->batch, most, &r->n, &error), error);
        ck_assert_uint_le(r->n, most);
    }
    const csy_decoded *event = r->n > 0 ? &r->batch[r->next++] : NULL;
    if (event)
        ck_assert(event_kinds_find(&r->event_kinds, r->events, event, event_kind));
    return event;
}

/* Whether its writer's last record was of the same clock; it is the last one now. */
static bool goes_on(struct writers *w, const csy_decoded *event)
{
    bool spe = event->core == CSY_CORE_SPE;
    size_t i = 0;
    while (i < w->n && (w->tids[i] != event->tid || w->spes[i] != spe))
        i++;
    if (i == w->n) {
        ck_assert_uint_lt(w->n, WRITERS);
        w->tids[w->n] = event->tid;
        w->spes[w->n] = spe;
        w->threads[w->n++] = 0;
    }
    bool on = w->threads[i] == event->thread + 1;
    w->threads[i] = event->thread + 1;
    return on;
}

static void assert_same(const csy_decoded *a, const csy_decoded *b)
{
    ck_assert_uint_eq(a->record, b->record);
    ck_assert_uint_eq(a->thread, b->thread);
    ck_assert_int_eq(a->global_ticks, b->global_ticks);
    ck_assert_int_eq(a->global_begin_ticks, b->global_begin_ticks);
    ck_assert_uint_eq(a->tid, b->tid);
    ck_assert_uint_eq(a->id, b->id);
    ck_assert_uint_eq(a->nfields, b->nfields);
    for (size_t i = 0; i < a->nfields; i++)
        ck_assert_uint_eq(a->values[i], b->values[i]);
}

/* How many are passed over; *left: are not. */
static size_t compare(const csy_sync *sync, const csy_meaning *meaning, skim_matters *matters,
                      size_t most, size_t *left)
{
    struct reading all, some;
    struct skim skim;
    struct event_kind event_kind, same;
    struct writers *writers = calloc(1, sizeof *writers);
    const csy_decoded *event, *given;
    csy_error error;
    size_t passed = 0;
    ck_assert(writers);
    open_reading(&all, sync, meaning);
    open_reading(&some, sync, meaning);
    ck_ok(skim_init(&skim, some.events, &some.event_kinds, matters, &error), error);
    given = next(&some, &skim, most, &same);
    while ((event = next(&all, NULL, MOST, &event_kind)) != NULL) {
        bool on = goes_on(writers, event);
        if (given && given->record == event->record) {
            assert_same(event, given);
            ck_assert_int_eq(event_kind.role, same.role);
            given = next(&some, &skim, most, &same);
            ++*left;
        } else {
            ck_assert(on && event_kind.plain && !matters(&all.event_kinds, &event_kind));
            passed++;
        }
    }
    ck_assert(!given);
    skim_fini(&skim);
    close_reading(&all);
    close_reading(&some);
    free(writers);
    return passed;
}

static bool nothing(const struct event_kinds *event_kinds, const struct event_kind *event_kind)
{
    (void)event_kinds;
    (void)event_kind;
    return false;
}

static bool everything(const struct event_kinds *event_kinds, const struct event_kind *event_kind)
{
    return !nothing(event_kinds, event_kind);
}

/* Every other kind. */
static bool some_kinds(const struct event_kinds *event_kinds, const struct event_kind *event_kind)
{
    (void)event_kinds;
    return event_kind->kind % 2;
}

static void skim_sample(const char *name, size_t passed[], size_t left[])
{
    static skim_matters *const all[] = {skim_messages, skim_waits, nothing, some_kinds, everything};
    static const size_t sizes[] = {1, 7, MOST};
    char path[4096];
    csy_error error;
    csy_trace *trace;
    csy_sync *sync;
    csy_meaning *meaning;
    csy_options options;
    options = options_default;
    snprintf(path, sizeof path, SAMPLES "/%s.pex", name);
    ck_ok(csy_meaning_new(&meaning, &error), error);
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    ck_ok(csy_trace_synchronize(trace, &options, &sync, &error), error);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
            passed[i] += compare(sync, meaning, all[i], sizes[j], &left[i]);
    csy_sync_free(sync);
    csy_trace_free(trace);
    csy_meaning_free(meaning);
}

START_TEST(silent_records_alone_are_passed_over)
{
    static const char *const samples[] = {"plain",      "jitter",     "embedded",    "rare-ppe",
                                          "steps-back", "stragglers", "long-sleeps", "switches-gz"};
    size_t passed[5] = {0}, left[5] = {0};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        skim_sample(samples[i], passed, left);
    for (size_t i = 0; i < 5; i++)
        ck_assert_uint_gt(left[i], 0);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_gt(passed[i], 0);
    ck_assert_uint_eq(passed[4], 0);
    ck_assert_uint_gt(passed[2], left[2]);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("skim");
    tcase_add_test(tests, silent_records_alone_are_passed_over);
    return unit_run();
}
