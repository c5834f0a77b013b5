/* Computes how additional records would narrow the bounds to the reference.
 *
 * The thread and the reference each write K additional records in one buffer, which shows the order
 * of these records. Suppose that the offset of the thread's clock is in [lo, lo + R]. Let x be the
 * local time of an additional record of the thread, and b the time of one of the reference. The
 * record of the thread is first if and only if the offset is at most b - x. There are K^2 such
 * differences b - x, which divide the range of length R into K^2 + 1 parts at most. With
 *
 *   x[i] = x[0] + i f      b[j] = b[0] + j K f      b[0] - x[0] = lo + K f
 *
 * the differences are lo + f, lo + 2 f, ... lo + K^2 f. If f = ceil(R / (K^2 + 1)), no part is
 * longer than f, so the records reduce the error from R to f.
 *
 * This holds if records are written when they are due. If cores share a buffer, a record may have
 * to wait for the record in progress and for another record due at the same time. This delay moves
 * each end of a part, so f must not be less than the delay. A core writes a record in less time
 * than between two of its records and, with such a buffer, in less than a microsecond. */
#include "advice/spans.h"
#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "base/sort.h"
#include "clock/timeline.h"
#include "sync/drift/drift.h"
#include "sync/placement.h"

#include <stdlib.h>

enum { ADVICE_GAPS_MAX = 10 };

struct gap_search {
    const struct csy_sync *sync;
    size_t thread;
    uint64_t events;
    int128 rates; /* width of the range of the clock's rate, in units of 1/RATE_UNIT */
    int128 least; /* least error_at of all local times when a message determines the clock's
                   * bounds */
};

/* Returns how inexactly the offset of the clock is known at a local time: its greatest possible
 * value minus its least one, in units of 1/AGE_UNIT tick. */
static int128 error_at(const struct gap_search *search, int64_t local_ticks)
{
    int128 least = 0, greatest = 0;
    drift_bounds(search->sync, search->thread, local_ticks, &least, &greatest);
    return greatest - least;
}

static bool is_longer(const csy_advised_gap *a, const csy_advised_gap *b)
{
    int128 left = (int128)a->end_local_ticks - a->begin_local_ticks;
    int128 right = (int128)b->end_local_ticks - b->begin_local_ticks;
    if (left != right)
        return left > right;
    return a->thread != b->thread ? a->thread < b->thread
                                  : a->begin_local_ticks < b->begin_local_ticks;
}

static void insert_gap(csy_advised_gap gaps[ADVICE_GAPS_MAX], size_t *n, csy_advised_gap gap)
{
    size_t i = *n;
    if (i == ADVICE_GAPS_MAX && !is_longer(&gap, &gaps[--i]))
        return;
    for (; i > 0 && is_longer(&gap, &gaps[i - 1]); i--)
        gaps[i] = gaps[i - 1];
    gaps[i] = gap;
    *n += *n < ADVICE_GAPS_MAX;
}

/* Describe the time from `begin` to `end` on the clock, during which no message narrows its bounds.
 * at_end: true if it begins or ends at the clock's first or last record. */
static csy_advised_gap describe_gap(const struct gap_search *search, int64_t begin, int64_t end,
                                    bool at_end)
{
    int128 length = (int128)end - begin, grown = search->rates * length;
    int128 u = error_at(search, begin), v = error_at(search, end);
    int128 most = at_end ? (u > v ? u : v) : (u + v + grown) / 2;
    int128 parts = at_end ? 2 * (int128)search->events + 1 : 2 * ((int128)search->events + 1);
    int128 then = search->least + ceil_div(grown, parts);
    return (csy_advised_gap){.thread = search->thread,
                             .begin_local_ticks = begin,
                             .end_local_ticks = end,
                             .at_end = at_end,
                             .error_ticks = nearest_int64(ceil_div(most, AGE_UNIT)),
                             .then_ticks =
                                 nearest_int64(ceil_div(then < most ? then : most, AGE_UNIT))};
}

static void find_gaps(struct gap_search *search, csy_advised_gap gaps[ADVICE_GAPS_MAX], size_t *n)
{
    const struct ageing *ageing = &search->sync->drift->ageing;
    const struct thread *life = &search->sync->survey.threads.items[search->thread];
    const uint32_t *node = ageing->sorted + ageing->first_of[search->thread];
    size_t count = ageing->first_of[search->thread + 1] - ageing->first_of[search->thread];
    int128 offset = search->sync->survey.rough.offset[search->thread];
    int64_t first = life->first_ticks < life->last_ticks ? life->first_ticks : life->last_ticks;
    int64_t last = life->first_ticks < life->last_ticks ? life->last_ticks : life->first_ticks;
    int64_t before = first;
    for (size_t i = 0; i < count; i++) {
        int128 error = error_at(search, (int64_t)(ageing->reading[node[i]] - offset));
        search->least = i == 0 || error < search->least ? error : search->least;
    }
    for (size_t i = 0; i < count; i++) {
        int64_t local = (int64_t)(ageing->reading[node[i]] - offset);
        if (local > before)
            insert_gap(gaps, n, describe_gap(search, before, local, i == 0));
        before = local > before ? local : before;
    }
    if (count > 0 && last > before)
        insert_gap(gaps, n, describe_gap(search, before, last, true));
}

/* Returns the error, in ticks, after k records are added to the thread and k to the reference. */
static int64_t fine_ticks_of(int64_t error_ticks, uint64_t k)
{
    return (int64_t)ceil_div(error_ticks, (int128)k * (int128)k + 1);
}

/* Set *late to the delay in ticks that an additional record may have: twice the least time between
 * two records of a thread, at most about 2 us. 0 for other traces than a .pex in one buffer. */
static csy_status find_late(const struct csy_sync *sync, int64_t *late, csy_error *error)
{
    enum { PER_SECOND = 1000000 };
    *late = 0;
    if (sync->tracks || sync->partial || sync->drift || sync->read)
        return CSY_OK;
    /* find the least difference between successive times of a thread among the first records */
    enum { RECORDS_MAX = 1 << 20 };
    const struct survey *survey = &sync->survey;
    struct timeline timeline;
    struct event event;
    bool more = true;
    int64_t *last = malloc((survey->threads.count + 1) * sizeof *last);
    if (!last)
        return error_memory(error);
    *late = INT64_MAX;
    for (size_t t = 0; t < survey->threads.count; t++)
        last[t] = INT64_MIN;
    csy_status status = timeline_init(&timeline, sync->trace, &survey->rules, &survey->lore, error);
    for (size_t i = 0; i < RECORDS_MAX && !status; i++) {
        status = timeline_next(&timeline, &event, &more, error);
        if (!status && more && event.thread >= survey->threads.count)
            status = trace_refuse_changed(sync->trace, error);
        if (status || !more)
            break;
        int64_t *before = &last[event.thread];
        int128 by = *before == INT64_MIN ? -1 : (int128)event.local_ticks - *before;
        if (by >= 0 && by < *late)
            *late = (int64_t)by;
        *before = event.local_ticks;
    }
    timeline_fini(&timeline);
    free(last);
    uint64_t most = sync->trace->timebase_hz / PER_SECOND + 1;
    *late = 2 * (*late > (int64_t)most ? (int64_t)most : *late);
    return status;
}

/* Compare by descending error. Threads without an error (-1) come first. */
static int by_error(const void *a, const void *b)
{
    const csy_advised *p = a, *q = b;
    /* an error of -1 (no bounds) becomes the greatest number */
    uint64_t left = (uint64_t)p->error_ticks, right = (uint64_t)q->error_ticks;
    return COMPARE_THEN(right, left, COMPARE(p->thread, q->thread));
}

/* Compute when the thread and the reference should write k additional records each. `rank` is the
 * number of the thread among n threads; it shifts the records, so that different threads write at
 * different times. `late` is the greatest delay of a record in ticks. */
static void plan(const struct csy_sync *sync, csy_advised *advised, uint64_t k, size_t rank,
                 size_t n, int64_t late)
{
    const csy_thread *view = &sync->views[advised->thread];
    int64_t added = sync->imprecision.added_ticks;
    int64_t error = view->latest_ticks - view->earliest_ticks;
    int128 window = (int128)advised->end_ticks - advised->begin_ticks;
    advised->fine_ticks = fine_ticks_of(error, k);
    if (advised->fine_ticks < late)
        advised->fine_ticks = late < fine_ticks_of(error, 1) ? late : fine_ticks_of(error, 1);
    advised->coarse_ticks = nearest_int64((int128)advised->fine_ticks * (int128)k);
    int64_t span = nearest_int64((int128)advised->fine_ticks * (int128)k * (int128)(k - 1));
    advised->room = window >= span;
    if (!advised->room)
        return;
    int128 begin = advised->begin_ticks + (window - span) * (int128)(rank + 1) / (int128)(n + 1);
    int128 own = begin - view->earliest_ticks - advised->coarse_ticks;
    int128 reference = begin - sync->views[sync->reference].offset_ticks;
    advised->room = fits_int64(own) && fits_int64(reference);
    if (!advised->room)
        return;
    advised->thread_ticks = (int64_t)own;
    advised->reference_ticks = (int64_t)reference;
    int128 then = advised->fine_ticks + 2 * ((int128)late + added);
    advised->then_ticks = csy_sync_event_error(sync, then < error ? (int64_t)then : error);
}

/* Compute the mean and the greatest value of then_ticks over all bounded threads. */
static void sum_up(const struct csy_sync *sync, csy_advice *advice, const csy_advised *threads)
{
    int128 sum = 0, two[2] = {-1, -1};
    uint64_t bounded = 0;
    for (size_t i = advice->unbounded; i < advice->count; i++, bounded++) {
        int64_t then = threads[i].then_ticks;
        sum += then;
        int128 less = then < two[0] ? then : two[0];
        two[1] = less > two[1] ? less : two[1];
        two[0] = then > two[0] ? then : two[0];
    }
    const csy_summary *summary = &sync->summary;
    int64_t known = summary->uncomputed_steps ? -1 : summary->max_event_error_spe_ticks;
    advice->mean_ticks = mean_make(sum, bounded);
    advice->max_ticks = (int64_t)two[0];
    advice->max_spe_ticks =
        bounded < 2 ? -1 : nearest_int64(two[0] + two[1] - csy_sync_event_error(sync, 0));
    if (advice->max_spe_ticks >= 0 && known >= 0 && known < advice->max_spe_ticks)
        advice->max_spe_ticks = known;
}

csy_status csy_sync_advise(csy_sync *sync, const csy_advice **out, csy_error *error)
{
    struct spans spans;
    csy_status status =
        sync->drift ? solution_check_feasible(sync, error) : solution_check_bounds(sync, error);
    if (!status && sync->advise == 0)
        return error_set(error, CSY_USAGE, "no advice was requested");
    if (status || sync->advice) {
        *out = status ? NULL : &sync->advice->view;
        return status;
    }
    int64_t late;
    status = find_late(sync, &late, error);
    status = status ? status : spans_init(&spans, sync, error);
    if (status)
        return status;
    struct advice *advice = calloc(1, sizeof *advice);
    csy_advised *threads = calloc(spans.n, sizeof *threads);
    csy_advised_gap *gaps = calloc(ADVICE_GAPS_MAX, sizeof *gaps);
    status = advice && threads && gaps ? CSY_OK : error_memory(error);
    if (status) {
        FREE_ALL(advice, threads, gaps);
    } else {
        csy_advice *view = &advice->view;
        *advice = (struct advice){.threads = threads, .gaps = gaps};
        *view = (csy_advice){
            .events = sync->advise, .late_ticks = late, .threads = threads, .gaps = gaps};
        const struct span *reference = &spans.items[sync->reference];
        for (size_t t = 0; t < spans.n; t++) {
            const csy_thread *thread = &sync->views[t];
            const struct span *own = &spans.items[t];
            int64_t bound = own->bound == BOUND_NONE ? -1 : own->bound;
            if (t != sync->reference)
                threads[view->count++] = (csy_advised){
                    .thread = t,
                    .after_reference = thread->earliest_ticks != INT64_MIN,
                    .before_reference = thread->latest_ticks != INT64_MAX,
                    .begin_ticks = own->begin > reference->begin ? own->begin : reference->begin,
                    .end_ticks = own->end < reference->end ? own->end : reference->end,
                    .error_ticks = bound,
                    .then_ticks = bound};
        }
        SORT(threads, view->count, by_error);
        while (view->unbounded < view->count && threads[view->unbounded].error_ticks < 0)
            view->unbounded++;
        size_t bounded = view->count - view->unbounded;
        for (size_t i = 0; i < bounded && !sync->partial && !sync->drift; i++)
            plan(sync, &threads[view->unbounded + i], view->events, i, bounded, late);
        sum_up(sync, view, threads);
        for (size_t t = 0; sync->drift && t < sync->survey.threads.count; t++) {
            const struct ageing_rate *rate = &sync->drift->ageing.rates[t];
            struct gap_search search = {.sync = sync,
                                        .thread = t,
                                        .events = view->events,
                                        .rates = (int128)rate->greatest - rate->least};
            if (t != sync->reference && sync->drift->views[t].bounded)
                find_gaps(&search, gaps, &view->ngaps);
        }
        sync->advice = advice;
        *out = view;
    }
    spans_fini(&spans);
    return status;
}
