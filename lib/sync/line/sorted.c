/* Tests whether records are sorted by thread or by time. */
#include "sync/line/sorted.h"

enum {
    RECORDS_MIN = 13,
    RECORDS_A_THREAD = 4,
    FEW_MIN = 4, /* with fewer records, an order by time may be a coincidence */
    CHANGES_MIN = 3
};

/* Returns true if each thread ends before the next thread begins. */
static bool is_by_thread(const struct threads *threads)
{
    for (size_t t = 1; t < threads->count; t++)
        if (threads->items[t].first_record < threads->items[t - 1].last_record)
            return false;
    return true;
}

csy_sorted sorted_as(const struct threads *threads, uint64_t records, bool by_time)
{
    size_t n = threads->count;
    bool enough = n >= 2 && records >= RECORDS_MIN && records / RECORDS_A_THREAD >= n;
    return !enough                 ? CSY_SORTED_NOT
           : is_by_thread(threads) ? CSY_SORTED_BY_THREAD
           : by_time               ? CSY_SORTED_BY_TIME
                                   : CSY_SORTED_NOT;
}

/* Returns true if a limit of offset s minus offset t permits that both are equal. */
static bool allows(const int128 *rough, size_t s, size_t t, int64_t walk)
{
    return walk >= WALK_FAR || rough[s] - rough[t] + walk >= 0;
}

/* Returns true if all constraints permit equal clocks; valid only if nothing was left out or added.
 * O(T W) with a sweep, O(T^2) with the dense engine. */
static bool is_by_time(const struct csy_sync *sync)
{
    const int128 *rough = sync->survey.rough.offset;
    if (sync->imprecision.adjacent_steps_back > 0)
        return false; /* relax=paper permits steps back within a thread */
    if (!sync->bounds.dense.closure) {
        /* The sweep stores sums of constraints, including each constraint itself unless a smaller
         * sum replaces it. So a constraint is negative if and only if some sum is. */
        for (size_t i = 0; i < sync->bounds.sweep.count; i++) {
            const struct elimination *elimination = &sync->bounds.sweep.items[i];
            for (uint32_t k = 0; k < elimination->live; k++)
                if (!allows(rough, elimination->thread, elimination->ids[k], elimination->row[k]) ||
                    !allows(rough, elimination->ids[k], elimination->thread,
                            elimination->column[k]))
                    return false;
        }
        return true;
    }
    for (size_t s = 0; s < sync->bounds.dense.n; s++)
        for (size_t t = 0; t < sync->bounds.dense.n; t++)
            if (!allows(rough, s, t, dense_bound(&sync->bounds.dense, s, t)))
                return false;
    return true;
}

static bool may_be_by_time(const struct csy_sync *sync)
{
    return sync->method == CSY_METHOD_BHH && !sync->imprecision.conditional;
}

bool sorted_must_measure(const struct csy_sync *sync)
{
    /* With delta, constraints may permit equal clocks although records are not sorted by time. */
    bool loose = sync->drift || (sync->imprecision.added_ticks > 0 && sync->ordered);
    return loose && !sync->trace->source->buffer && may_be_by_time(sync) && is_by_time(sync);
}

void sorted_judge(struct csy_sync *sync, bool measured)
{
    size_t n = sync->survey.threads.count;
    if (sync->trace->source->buffer)
        return;
    bool by_time = may_be_by_time(sync) && (measured ? sync->by_time : is_by_time(sync));
    sync->order.sorted = sorted_as(&sync->survey.threads, sync->survey.records, by_time);
    sync->perhaps_sorted =
        by_time && sync->order.sorted == CSY_SORTED_NOT && sync->survey.records >= FEW_MIN &&
        (sync->order.neighbours >= CHANGES_MIN || (n > 1 && is_by_thread(&sync->survey.threads)));
}
