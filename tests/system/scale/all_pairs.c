/*
 * all_pairs - the figures of a trace again, by asking for the bounds of every pair of its threads.
 *
 * Usage: all_pairs TRACE   O(T^2 W).  Exit status 1 where the library's figures are others.
 */
#include <cellsync/cellsync.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct span {
    uint64_t first, last; /* records */
};

_Noreturn static void fail(const char *text)
{
    fprintf(stderr, "all_pairs: %s\n", text);
    exit(1);
}

static struct span *read_spans(const csy_sync *sync)
{
    csy_events *events;
    csy_event event;
    csy_error error;
    bool more = true;
    struct span *spans = calloc(csy_sync_nthreads(sync), sizeof *spans);
    if (!spans)
        fail("no memory");
    if (csy_events_open(sync, &events, &error))
        fail(error.text);
    while (more) {
        if (csy_events_next(events, &event, &more, &error))
            fail(error.text);
        if (more)
            spans[event.thread].last = event.record;
    }
    csy_events_free(events);
    for (size_t t = 0; t < csy_sync_nthreads(sync); t++)
        spans[t].first = csy_sync_thread(sync, t)->first_record;
    return spans;
}

/* What is counted here has the sum in the place of the mean. */
static void count_in(csy_group *group, int64_t error_ticks)
{
    group->pairs++;
    if (error_ticks < 0)
        return;
    group->mean.pairs++;
    group->mean.ticks += error_ticks;
    if (error_ticks > group->max_error_ticks)
        group->max_error_ticks = error_ticks;
}

/* Of all pairs: SPEs among themselves, SPEs and the PPE, those that are live together. */
struct figures {
    csy_group spe, ppe, live;
};

static void visit_pairs(csy_sync *sync, const struct span *spans, struct figures *f)
{
    csy_error error;
    int64_t lower, upper, apart;
    size_t n = csy_sync_nthreads(sync);
    for (size_t s = 0; s < n; s++) {
        bool ppe = csy_sync_thread(sync, s)->kind == CSY_KIND_PPE;
        for (size_t t = s + 1; t < n; t++) {
            if (csy_sync_bounds(sync, s, t, &lower, &upper, &apart, &error))
                fail(error.text);
            count_in(ppe || csy_sync_thread(sync, t)->kind == CSY_KIND_PPE ? &f->ppe : &f->spe,
                     apart);
            if (spans[s].first < spans[t].last && spans[t].first < spans[s].last)
                count_in(&f->live, apart);
        }
    }
}

static bool same_mean(csy_mean got, csy_mean counted)
{
    return got.pairs == counted.pairs &&
           got.ticks * (int64_t)got.pairs + (int64_t)got.rest == counted.ticks;
}

static bool is_same(const struct figures *f, const csy_summary *s)
{
    const csy_group *spe = &f->spe, *ppe = &f->ppe, *live = &f->live;
    return s->pairs == spe->pairs + ppe->pairs && s->bounded == spe->mean.pairs + ppe->mean.pairs &&
           s->max_error_spe_ticks == spe->max_error_ticks &&
           s->max_error_ticks == (spe->max_error_ticks > ppe->max_error_ticks
                                      ? spe->max_error_ticks
                                      : ppe->max_error_ticks) &&
           same_mean(s->error_spe, spe->mean) && same_mean(s->error_ppe, ppe->mean) &&
           s->live.pairs == live->pairs && s->live.max_error_ticks == live->max_error_ticks &&
           same_mean(s->live.mean, live->mean);
}

int main(int argc, char **argv)
{
    csy_trace *trace;
    csy_sync *sync;
    csy_error error;
    struct figures figures = {
        {.max_error_ticks = -1}, {.max_error_ticks = -1}, {.max_error_ticks = -1}};
    if (argc != 2)
        return 2;
    if (csy_trace_open(argv[1], NULL, &trace, &error))
        fail(error.text);
    if (csy_trace_synchronize(trace, NULL, &sync, &error))
        fail(error.text);
    struct span *spans = read_spans(sync);
    visit_pairs(sync, spans, &figures);
    if (!is_same(&figures, csy_sync_summary(sync)))
        fail("the library's figures are others");
    printf("%" PRIu64 " pairs one by one come to the figures of the report\n",
           figures.spe.pairs + figures.ppe.pairs);
    free(spans);
    csy_sync_free(sync);
    csy_trace_free(trace);
    return 0;
}
