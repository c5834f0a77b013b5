/* Searches for a clock that was set, and for wrong timestamps. */
#include "diagnosis/set_clock.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "graph/ageing.h"
#include "graph/reduce.h"
#include "sync/drift/drift.h"
#include "sync/partial_order.h"

#include <stdlib.h>
#include <string.h>

/* A cause explains a contradiction if at most 1/EXPLAINS of it remains. The size of a step is
 * computed at up to PLACES_SIZED places. A contradiction of less than CLEAR times the resolution
 * may come from imprecise timestamps. */
enum { POINTS_MOST = 100000, TESTS_MOST = 160, EXPLAINS = 8, PLACES_SIZED = 8, CLEAR = 20 };

/* A copy of the points for a test. The records of a clock from the cut on belong to a second clock,
 * and each wrong record belongs to a clock of its own. */
struct cutting {
    const struct csy_sync *sync;
    const struct points *points; /* the points of the solution */
    const uint32_t *order;
    struct points own; /* copy of the points with changed clocks */
    /* number of clocks of the trace; clock n has the records after the cut, and higher clocks have
     * one wrong record each */
    size_t n;
    int64_t rate, added, resolution;
    bool has_cut;
    /* the clock that is cut; its records from position `cut` on belong to clock n */
    uint32_t clock;
    uint64_t cut;
    size_t nbad;
    uint64_t bad[BAD_MOST];
    size_t tests;
    struct pairs pairs; /* ordered pairs of records in the last test */
    struct ageing ageing;
    struct ageing_cycle cycle;
};

static uint32_t label_of(const struct cutting *s, const struct instant *item)
{
    for (size_t i = 0; i < s->nbad; i++)
        if (item->position == s->bad[i])
            return (uint32_t)(s->n + 1 + i);
    bool after = s->has_cut && item->clock == s->clock && item->position >= s->cut;
    return after ? (uint32_t)s->n : item->clock;
}

/* Test whether no contradiction is left with this cut and these wrong records, if twice the
 * timestamp error is s->added. */
static csy_status test(struct cutting *s, bool *feasible, csy_error *error)
{
    size_t n = s->n + 1 + BAD_MOST, all = n + s->own.nhubs;
    uint32_t *rates = calloc(all + 1, sizeof *rates);
    uint64_t *prefer = calloc(n + 1, sizeof *prefer);
    csy_status status = rates && prefer ? CSY_OK : error_memory(error);
    for (size_t p = 0; p < s->own.count; p++)
        if (!instant_is_hub(&s->points->items[p]))
            s->own.items[p].clock = label_of(s, &s->points->items[p]);
    for (size_t t = 0; t < n && !status; t++) {
        rates[t] = t == s->sync->reference ? 0 : (uint32_t)s->rate;
        prefer[t] = t < s->n ? s->sync->survey.threads.items[t].records : 0;
    }
    free(s->cycle.pairs);
    s->cycle = (struct ageing_cycle){0};
    ageing_fini(&s->ageing);
    pairs_fini(&s->pairs);
    const struct reduce_window window = {knots_window(s->added, s->rate), rates,
                                         n <= REDUCE_PASSES_HUBS};
    const struct ageing_rule rule = {(uint32_t)s->sync->reference, (uint32_t)s->rate, prefer};
    if (!status)
        status = reduce_points(&s->own, s->order, n, &window, &s->pairs, error);
    if (!status)
        status = ageing_init(&s->ageing, &s->own, &s->pairs, &rule, error);
    if (!status)
        status = ageing_find(&s->ageing, s->added, true, &s->cycle, error);
    *feasible = !status && s->cycle.length == 0;
    s->tests++;
    free(rates);
    free(prefer);
    return status;
}

/* Find the two points of one clock that connect pair i of the last test's cycle with the next
 * pair. */
static void span_of(const struct cutting *s, size_t i, const struct instant **from,
                    const struct instant **to)
{
    size_t next = s->cycle.pairs[(i + 1) % s->cycle.length];
    *from = &s->own.items[s->pairs.items[s->cycle.pairs[i]].to];
    *to = &s->own.items[s->pairs.items[next].from];
}

/* --- A place on one clock --- */

/* The records of a clock, and the range of records in which the clock may have been set: after
 * record `low`, and at the latest before record `high`. */
struct cut_places {
    const struct instant **records; /* records, sorted by position in the trace */
    size_t count, low, high;
    size_t first, last; /* first and last record before which a step explains the contradiction */
};

static int by_position(const void *left, const void *right)
{
    const struct instant *a = *(const struct instant *const *)left;
    const struct instant *b = *(const struct instant *const *)right;
    if (a->position != b->position)
        return a->position < b->position ? -1 : 1;
    return (a > b) - (a < b);
}

/* List the points of a clock, one for each record. If the clock has several locations, *places has
 * no place for a cut. */
static csy_status list_places(const struct cutting *s, uint32_t clock, struct cut_places *places,
                              csy_error *error)
{
    uint32_t location = NO_LOCATION;
    *places = (struct cut_places){
        .records = malloc((s->points->count + 1) * sizeof(const struct instant *))};
    if (!places->records)
        return error_memory(error);
    for (size_t p = 0; p < s->points->count; p++) {
        const struct instant *item = &s->points->items[p];
        if (instant_is_hub(item) || item->clock != clock)
            continue;
        if (location != NO_LOCATION && item->location != location)
            return CSY_OK;
        location = item->location;
        places->records[places->count++] = item;
    }
    sort_pointers(places->records, places->count, by_position);
    size_t kept = 0;
    for (size_t i = 0; i < places->count; i++)
        if (i == 0 || places->records[i]->position != places->records[kept - 1]->position)
            places->records[kept++] = places->records[i];
    places->count = kept;
    places->high = kept > 0 ? kept - 1 : 0;
    return CSY_OK;
}

/* Returns the index in `places` of the record at this position of the trace. */
static size_t index_of(const struct cut_places *places, uint64_t position)
{
    size_t low = 0, high = places->count;
    BISECT(low, high, middle, places->records[middle]->position < position);
    return low;
}

/* Limit the range of places to those at which a cut breaks the cycle of the last test. Returns
 * false if no cut of this clock does. A place inside the range may also leave the cycle, because
 * the cycle may visit the clock several times. */
static bool narrow(const struct cutting *s, struct cut_places *places)
{
    size_t first = SIZE_MAX, last = 0;
    for (size_t i = 0; i < s->cycle.length; i++) {
        const struct instant *from, *to;
        span_of(s, i, &from, &to);
        if (instant_is_hub(from) || from->clock != to->clock ||
            (from->clock != s->clock && from->clock != s->n))
            continue;
        size_t a = index_of(places, from->position), b = index_of(places, to->position);
        size_t low = a < b ? a : b, high = a < b ? b : a;
        low = low > places->low ? low : places->low;
        high = high < places->high ? high : places->high;
        if (low >= high)
            continue;
        first = low < first ? low : first;
        last = high > last ? high : last;
    }
    places->low = first;
    places->high = last;
    return first < last;
}

static csy_status test_place(struct cutting *s, const struct cut_places *places, size_t at,
                             bool *feasible, csy_error *error)
{
    s->has_cut = true;
    s->cut = places->records[at]->position;
    return test(s, feasible, error);
}

/* Find where this clock may have been set. *found becomes true if a step explains the
 * contradiction; all such places are from places->first to places->last. */
static csy_status find_place(struct cutting *s, uint32_t clock, struct cut_places *places,
                             bool *found, csy_error *error)
{
    bool feasible = false, possible = true;
    csy_status status = list_places(s, clock, places, error);
    *found = false;
    s->clock = clock;
    s->has_cut = false;
    if (!status && places->count > 1)
        status = test(s, &feasible, error);
    possible = !status && places->count > 1 && !feasible && narrow(s, places);
    /* A cycle that remains after a cut at the last place rules out this place, and often other
     * places. */
    while (possible && !status && !*found && s->tests < TESTS_MOST) {
        status = test_place(s, places, places->high, found, error);
        possible = !status && (*found || narrow(s, places));
    }
    places->last = places->high;
    feasible = !*found;
    while (!status && !feasible && s->tests < TESTS_MOST) {
        status = test_place(s, places, places->low + 1, &feasible, error);
        if (!status && !feasible && !narrow(s, places))
            break; /* cannot happen, because a cut at the last place leaves no cycle */
    }
    places->first = places->low + 1;
    s->has_cut = false;
    return status;
}

/* --- Size --- */

static int64_t stamp_of(const struct instant *item)
{
    return item->hi != HI_NONE ? item->hi : item->lo;
}

struct set_size {
    size_t places; /* number of places where the clock may have been set */
    bool known;    /* true if the size of the step is known at all these places */
    int64_t least_ticks, most_ticks;
};

/* Add one place to the range of step sizes. The size is the local time between the records around
 * the place, minus the true time between them. It is positive if the clock was set forward. */
static csy_status add_size(struct cutting *s, const struct cut_places *places, size_t at,
                           struct set_size *out, csy_error *error)
{
    bool feasible, known = false;
    int128 least = 0, greatest = 0;
    int64_t before = stamp_of(places->records[at - 1]), after = stamp_of(places->records[at]);
    int128 apart = after > before ? (int128)after - before : (int128)before - after;
    csy_status status = test_place(s, places, at, &feasible, error);
    if (!status && feasible)
        status = ageing_between(&s->ageing, (struct ageing_moment){s->clock, before},
                                (struct ageing_moment){(uint32_t)s->n, after}, &known, &least,
                                &greatest, error);
    if (status || !feasible)
        return status;
    int128 low = floor_div(-greatest - apart * s->rate, RATE_UNIT);
    int128 high = ceil_div(-least + apart * s->rate, RATE_UNIT);
    bool first = out->places++ == 0;
    if (!known || !fits_int64(low) || !fits_int64(high)) {
        out->known = false;
        return CSY_OK;
    }
    out->least_ticks = first || low < out->least_ticks ? (int64_t)low : out->least_ticks;
    out->most_ticks = first || high > out->most_ticks ? (int64_t)high : out->most_ticks;
    return CSY_OK;
}

/* Find the range of step sizes over all places, if twice the timestamp error is `added`. The range
 * is unknown if there are more than PLACES_SIZED places. */
static csy_status find_size(struct cutting *s, const struct cut_places *places, int64_t added,
                            struct set_size *out, csy_error *error)
{
    int64_t before = s->added;
    csy_status status = CSY_OK;
    *out = (struct set_size){.known = true};
    s->added = added;
    for (size_t at = places->first; at <= places->last && at < places->first + PLACES_SIZED; at++)
        if (!status)
            status = add_size(s, places, at, out, error);
    s->added = before;
    out->known = out->known && out->places > 0 && places->last < places->first + PLACES_SIZED;
    return status;
}

static csy_status describe_step(struct cutting *s, const struct cut_places *places,
                                struct set_place *out, csy_error *error)
{
    const struct instant *before = places->records[places->first - 1];
    const struct instant *after = places->records[places->last];
    out->record_before = before->position;
    out->place_before = before->place;
    out->record_after = after->position;
    out->place_after = after->place;
    struct set_size size, fine;
    csy_status status = find_size(s, places, s->added, &size, error);
    if (!status)
        status = find_size(s, places, s->resolution, &fine, error);
    if (status)
        return status;
    out->sized = size.known;
    out->least_ticks = size.least_ticks;
    out->most_ticks = size.most_ticks;
    out->fine = fine.known;
    out->fine_least_ticks = fine.least_ticks;
    out->fine_most_ticks = fine.most_ticks;
    return CSY_OK;
}

/* --- Wrong timestamps --- */

/* List the records of the last test's cycle. A record may occur twice in the list. The caller frees
 * *out. */
static csy_status list_records(const struct cutting *s, uint64_t **out, size_t *count,
                               csy_error *error)
{
    uint64_t *records = malloc((2 * s->cycle.length + 1) * sizeof *records);
    *out = records;
    *count = 0;
    if (!records)
        return error_memory(error);
    for (size_t i = 0; i < s->cycle.length; i++) {
        const struct instant *from, *to;
        span_of(s, i, &from, &to);
        if (!instant_is_hub(from))
            records[(*count)++] = from->position;
        if (!instant_is_hub(to))
            records[(*count)++] = to->position;
    }
    return CSY_OK;
}

/* Try each record of the last test's cycle as one more wrong record. *found becomes true if a
 * record explains the contradiction. */
static csy_status add_bad(struct cutting *s, bool *found, csy_error *error)
{
    uint64_t *records;
    size_t count;
    csy_status status = list_records(s, &records, &count, error);
    s->nbad++;
    for (size_t i = 0; i < count && !status && !*found && s->tests < TESTS_MOST; i++) {
        s->bad[s->nbad - 1] = records[i];
        status = test(s, found, error);
    }
    s->nbad -= !*found;
    free(records);
    return status;
}

/* Try two wrong records. The first is in the cycle of the last test, and the second in a cycle that
 * remains without the first. */
static csy_status add_two_bad(struct cutting *s, bool *found, csy_error *error)
{
    uint64_t *records;
    size_t count;
    csy_status status = list_records(s, &records, &count, error);
    for (size_t i = 0; i < count && !status && !*found && s->tests < TESTS_MOST; i++) {
        s->nbad = 1;
        s->bad[0] = records[i];
        status = test(s, found, error);
        if (!status && !*found)
            status = add_bad(s, found, error);
    }
    free(records);
    return status;
}

static uint64_t place_of(const struct cutting *s, uint64_t position)
{
    for (size_t p = 0; p < s->points->count; p++)
        if (!instant_is_hub(&s->points->items[p]) && s->points->items[p].position == position)
            return s->points->items[p].place;
    return 0;
}

static csy_status find_all_bad(struct cutting *s, struct set_clock *out, csy_error *error)
{
    bool found = false;
    csy_status status = CSY_OK;
    s->tests = 0;
    for (size_t most = 1; most <= BAD_MOST && !found && !status; most++) {
        s->nbad = 0;
        status = test(s, &found, error);
        if (!status && !found)
            status = most == 1 ? add_bad(s, &found, error) : add_two_bad(s, &found, error);
    }
    out->nbad = found ? s->nbad : 0;
    out->exhausted |= s->tests >= TESTS_MOST;
    for (size_t i = 0; i < out->nbad; i++)
        out->bad_place[i] = place_of(s, s->bad[i]);
    return status;
}

/* --- The whole --- */

static csy_status search_clocks(struct cutting *s, struct set_clock *out, csy_error *error)
{
    uint32_t clocks[SET_CLOCKS_MOST];
    size_t count = 0;
    /* List the clocks that have two successive records of the cycle. */
    bool feasible;
    csy_status status = test(s, &feasible, error);
    for (size_t i = 0; i < s->cycle.length && !status; i++) {
        const struct instant *from, *to;
        span_of(s, i, &from, &to);
        bool is = !instant_is_hub(from) && from->position != to->position;
        for (size_t k = 0; k < count; k++)
            is = is && clocks[k] != from->clock;
        if (is && count < SET_CLOCKS_MOST)
            clocks[count++] = from->clock;
    }
    for (size_t i = 0; i < count && !status; i++) {
        struct cut_places places;
        bool found;
        s->tests = 0;
        status = find_place(s, clocks[i], &places, &found, error);
        out->exhausted |= s->tests >= TESTS_MOST;
        /* Of several clocks, name one first that is not the reference, because global time is the
         * time of the reference. */
        bool main = found && (out->nclocks == 0 || out->clocks[0] == s->sync->reference);
        size_t k = main ? 0 : out->nclocks;
        if (!status && found) {
            memmove(out->clocks + k + 1, out->clocks + k, (out->nclocks - k) * sizeof *out->clocks);
            memmove(out->at + k + 1, out->at + k, (out->nclocks - k) * sizeof *out->at);
            out->clocks[k] = clocks[i];
            out->at[k] = (struct set_place){0};
            status = describe_step(s, &places, &out->at[k], error);
        }
        out->nclocks += !status && found;
        free(places.records);
    }
    out->exhausted |= count == SET_CLOCKS_MOST;
    s->has_cut = false;
    return status;
}

csy_status set_clock_find(struct csy_sync *sync, struct drift_trial *trial, int64_t rate_ppb,
                          struct set_clock *out, csy_error *error)
{
    int64_t floor = solution_least_twice(sync) > 1 ? solution_least_twice(sync) : 1;
    *out = (struct set_clock){.nclocks = 0};
    struct cutting s = {.sync = sync, .n = sync->survey.threads.count, .rate = rate_ppb};
    s.points = drift_trial_points(trial, &s.order);
    if (!s.points || s.points->count > POINTS_MOST)
        return CSY_OK;
    const int64_t *rates;
    csy_status status =
        drift_trial_least(trial, rate_ppb, CSY_NO_DRIFT, floor, &out->twice, &rates, error);
    if (status || out->twice / CLEAR <= floor)
        return status;
    out->left = out->twice / EXPLAINS > floor ? out->twice / EXPLAINS : floor;
    s.added = out->left;
    s.resolution = out->resolution = floor;
    s.own = *s.points;
    s.own.items = malloc((s.points->count + 1) * sizeof *s.own.items);
    if (!s.own.items)
        return error_memory(error);
    memcpy(s.own.items, s.points->items, s.points->count * sizeof *s.own.items);
    status = search_clocks(&s, out, error);
    if (!status)
        status = find_all_bad(&s, out, error);
    free(s.cycle.pairs);
    ageing_fini(&s.ageing);
    pairs_fini(&s.pairs);
    free(s.own.items);
    return status;
}
