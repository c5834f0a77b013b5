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

/* EXPLAINS: a cause (a clock that was set, or a wrong timestamp) explains a contradiction if at
 * most 1/EXPLAINS of it remains. CLEAR: causes are searched for only if the contradiction is at
 * least CLEAR times the resolution of timestamps. PLACES_SIZED: if a clock may have been set at
 * more places than this, the size of the step is not computed. TESTS_MOST: limit of tests for each
 * set of clocks. */
enum { POINTS_MOST = 100000, TESTS_MOST = 160, EXPLAINS = 8, PLACES_SIZED = 8, CLEAR = 20 };
enum { CLOCKS_TRIED = 16, CAUSES_MOST = 16, CYCLES_MOST = 256, SPANS_MOST = 2048 };

/* A possible cause: places where a clock was set (cuts), or records with wrong timestamps. A cut is
 * given by the record after it. Cuts of one clock are in order. */
struct cause {
    bool wrong; /* true for wrong timestamps, false for clocks that were set */
    size_t count, members[MEMBERS_MOST];
};

/* A contradictory cycle leads through several clocks. This is its part within one clock, from
 * cutting.records[from] to cutting.records[to]. */
struct span {
    size_t cycle, from, to;
    bool fits;
};

/* A possible cause: the clock was set before one of the records `first` to `last` (all of them
 * break the same contradictory cycles); or the record `first` has a wrong timestamp. `broken` has a
 * bit for each cycle: 1 if the cause breaks it. */
struct candidate {
    size_t first, last;
    uint64_t broken[CYCLES_MOST / 64];
};

struct set_size {
    size_t places; /* number of places where the clock may have been set */
    bool known;    /* true if it is known for all these places by how much the clock was set */
    int64_t least_ticks, most_ticks;
};

/* Steps that explain a contradiction. clocks[k] was set before a record first[k] to last[k]. */
struct explanation {
    size_t count;
    uint32_t clocks[MEMBERS_MOST];
    size_t first[MEMBERS_MOST], last[MEMBERS_MOST];
    /* `size`: by how much the clocks were set, if twice the timestamp error is cutting.added.
     * `fine`: the same, if it is cutting.resolution. */
    struct set_size size[MEMBERS_MOST], fine[MEMBERS_MOST];
};

/* State of the search. Each test changes a copy of the trace: the records after a clock was set
 * belong to another clock, and each record with a wrong timestamp has a clock of its own. */
struct cutting {
    const struct csy_sync *sync;
    const struct points *points;
    const uint32_t *order;
    struct points own;
    size_t n; /* number of clocks of the trace; clocks from number n on exist only in
                        * tests */
    int64_t rate, added, resolution;
    /* All records, sorted by clock. The records of one clock are in the order they were made: by
     * position if they are in one location, and otherwise by time. */
    const struct instant **records;
    size_t nrecords;
    uint32_t *rank; /* rank[p]: index in `records` of the record with points->items[p] */
    bool *several;  /* for each clock: true if its records are in several locations */
    /* For each clock: true if tests may assume that it was set. This is false if its records are in
     * several locations and the time of one of these goes back, because the order of its records is
     * then unknown. */
    bool *fits;
    struct cause cause;
    size_t tests;
    struct pairs pairs;
    struct ageing ageing;
    struct ageing_cycle cycle;
    struct span *spans; /* the parts of all contradictory cycles found so far */
    size_t nspans, ncycles;
    struct candidate *candidates[MEMBERS_MOST];
    struct explanation found[CAUSES_MOST];
    size_t nfound;
    bool exhausted; /* true if the search stopped before all causes were tried */
};

static uint32_t label_of(const struct cutting *s, const struct instant *item)
{
    uint32_t label = item->clock;
    for (size_t i = 0; i < s->cause.count; i++) {
        const struct instant *record = s->records[s->cause.members[i]];
        if (record->clock == item->clock &&
            (s->cause.wrong ? item->position == record->position
                            : s->rank[item - s->points->items] >= s->cause.members[i]))
            label = (uint32_t)(s->n + i);
    }
    return label;
}

static csy_status test(struct cutting *s, bool *feasible, csy_error *error)
{
    size_t n = s->n + MEMBERS_MOST, all = n + s->own.nhubs;
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

/* --- Records and cycles --- */

static int64_t stamp_of(const struct instant *item)
{
    return item->hi != HI_NONE ? item->hi : item->lo;
}

static int by_record(const void *left, const void *right)
{
    const struct instant *a = *(const struct instant *const *)left;
    const struct instant *b = *(const struct instant *const *)right;
    return 4 * COMPARE(a->clock, b->clock) + 2 * COMPARE(a->position, b->position) + COMPARE(a, b);
}

static int by_stamp(const void *left, const void *right)
{
    const struct instant *a = *(const struct instant *const *)left;
    const struct instant *b = *(const struct instant *const *)right;
    return 2 * COMPARE(stamp_of(a), stamp_of(b)) + COMPARE(a->position, b->position);
}

/* `greatest` must be INT64_MIN for each location, and is overwritten. */
static void judge_clocks(struct cutting *s, int64_t *greatest)
{
    for (size_t t = 0; t < s->n; t++)
        s->fits[t] = true;
    for (size_t i = 0; i < s->nrecords; i++) {
        const struct instant *item = s->records[i], *last = i > 0 ? s->records[i - 1] : item;
        int64_t stamp = stamp_of(item), *most = &greatest[item->location];
        s->several[item->clock] |= last->clock == item->clock && last->location != item->location;
        if (*most > stamp && (uint64_t)*most - (uint64_t)stamp > (uint64_t)s->resolution)
            s->fits[item->clock] = false;
        *most = stamp > *most ? stamp : *most;
    }
    for (size_t t = 0; t < s->n; t++)
        s->fits[t] = s->fits[t] || !s->several[t];
}

static csy_status list_records(struct cutting *s, csy_error *error)
{
    const struct points *points = s->points;
    size_t count = 0;
    uint32_t *index = malloc((points->count + 1) * sizeof *index);
    size_t nlocations = 0;
    for (size_t p = 0; p < points->count; p++)
        if (!instant_is_hub(&points->items[p]) && points->items[p].location >= nlocations)
            nlocations = (size_t)points->items[p].location + 1;
    int64_t *greatest = malloc((nlocations + 1) * sizeof *greatest);
    s->records = malloc((points->count + 1) * sizeof(const struct instant *));
    s->rank = malloc((points->count + 1) * sizeof *s->rank);
    s->fits = malloc((s->n + 1) * sizeof *s->fits);
    s->several = calloc(s->n + 1, sizeof *s->several);
    csy_status status = index && greatest && s->records && s->rank && s->fits && s->several
                            ? CSY_OK
                            : error_memory(error);
    for (size_t p = 0; p < points->count && !status; p++)
        if (!instant_is_hub(&points->items[p]))
            s->records[count++] = &points->items[p];
    sort_pointers(s->records, count, by_record);
    for (size_t i = 0; i < count; i++) {
        const struct instant *item = s->records[i], *last = NULL;
        if (s->nrecords > 0)
            last = s->records[s->nrecords - 1];
        if (!last || last->clock != item->clock || last->position != item->position)
            last = s->records[s->nrecords++] = item;
        s->rank[item - points->items] = (uint32_t)(last - points->items);
    }
    for (size_t i = 0; i < nlocations && !status; i++)
        greatest[i] = INT64_MIN;
    if (!status)
        judge_clocks(s, greatest);
    for (size_t i = 0, end; i < s->nrecords; i = end) {
        /* The loop above has set it: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        uint32_t clock = s->records[i]->clock;
        for (end = i; end < s->nrecords && s->records[end]->clock == clock; end++)
            ;
        if (s->several[clock])
            sort_pointers(s->records + i, end - i, by_stamp);
    }
    for (size_t i = 0; i < s->nrecords; i++)
        index[s->records[i] - points->items] = (uint32_t)i;
    for (size_t p = 0; p < points->count && !status; p++)
        if (!instant_is_hub(&points->items[p]))
            s->rank[p] = index[s->rank[p]];
    free(index);
    free(greatest);
    return status;
}

static void note_cycle(struct cutting *s)
{
    s->exhausted |= s->ncycles == CYCLES_MOST || s->cycle.length > SPANS_MOST - s->nspans;
    for (size_t i = 0; i < s->cycle.length && !s->exhausted; i++) {
        size_t next = s->cycle.pairs[(i + 1) % s->cycle.length];
        uint32_t p = s->pairs.items[s->cycle.pairs[i]].to, q = s->pairs.items[next].from;
        const struct instant *from = &s->points->items[p], *to = &s->points->items[q];
        if (!instant_is_hub(from) && from->clock == to->clock && from->position != to->position)
            s->spans[s->nspans++] =
                (struct span){s->ncycles, s->rank[p], s->rank[q], s->fits[from->clock]};
    }
    s->ncycles += !s->exhausted;
}

/* --- Candidates --- */

/* Mark the contradictory cycles that vanish if the candidate is the cause. If `wrong` is true, the
 * cause is a wrong timestamp, otherwise a clock that was set. */
static void note_broken(const struct cutting *s, struct candidate *candidate, bool wrong)
{
    for (size_t i = 0; i < s->nspans; i++) {
        const struct span *span = &s->spans[i];
        size_t low = span->from < span->to ? span->from : span->to;
        size_t high = span->from < span->to ? span->to : span->from;
        if (wrong ? candidate->first == low || candidate->first == high
                  : span->fits && candidate->first > low && candidate->last <= high)
            candidate->broken[span->cycle / 64] |= (uint64_t)1 << span->cycle % 64;
    }
}

static bool breaks_all(const struct cutting *s, const struct candidate *a,
                       const struct candidate *b)
{
    for (size_t i = 0; i < s->ncycles; i++)
        if (!((a->broken[i / 64] | b->broken[i / 64]) >> i % 64 & 1))
            return false;
    return true;
}

static int by_place(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    return COMPARE(a->last, b->last);
}

static size_t list_cuts(const struct cutting *s, uint32_t clock, struct candidate *out)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < s->nspans; i++)
        if (s->spans[i].fits && s->records[s->spans[i].from]->clock == clock) {
            out[count++] = (struct candidate){.last = s->spans[i].from};
            out[count++] = (struct candidate){.last = s->spans[i].to};
        }
    SORT(out, count, by_place);
    for (size_t i = 1; i < count; i++)
        if (out[i].last != out[i - 1].last)
            out[kept++] = (struct candidate){.first = out[i - 1].last + 1, .last = out[i].last};
    for (size_t i = 0; i < kept; i++)
        note_broken(s, &out[i], false);
    return kept;
}

/* --- Places of cuts --- */

struct run {
    size_t begin, end;
};

struct step_places {
    size_t count;
    uint32_t clocks[MEMBERS_MOST];
    size_t ncandidates[MEMBERS_MOST], nruns[MEMBERS_MOST];
    struct run runs[MEMBERS_MOST][CAUSES_MOST];
    size_t proven[MEMBERS_MOST][TESTS_MOST], nproven;
};

/* Returns true if the two candidates together explain all contradictory cycles. If only one clock
 * is tested, candidate i must explain them alone. */
static bool fit_together(const struct cutting *s, const struct step_places *places, size_t i,
                         size_t j)
{
    if (places->count == 1)
        return breaks_all(s, &s->candidates[0][i], &s->candidates[0][i]);
    return (i < j || places->clocks[0] != places->clocks[1]) &&
           breaks_all(s, &s->candidates[0][i], &s->candidates[1][j]);
}

/* Find a candidate of the other clock that, together with candidate i of clock k, explains all
 * contradictory cycles: the last such candidate if `last` is true, otherwise the first one. Returns
 * SIZE_MAX if there is none. */
static size_t find_partner(const struct cutting *s, const struct step_places *places, size_t k,
                           size_t i, bool last)
{
    if (places->count == 1)
        return fit_together(s, places, i, i) ? i : SIZE_MAX;
    size_t n = places->ncandidates[!k];
    for (size_t tried = 0; tried < n; tried++) {
        size_t j = last ? n - 1 - tried : tried;
        if (k == 0 ? fit_together(s, places, i, j) : fit_together(s, places, j, i))
            return j;
    }
    return SIZE_MAX;
}

static void list_runs(struct cutting *s, struct step_places *places)
{
    for (size_t k = 0; k < places->count; k++)
        places->ncandidates[k] = list_cuts(s, places->clocks[k], s->candidates[k]);
    for (size_t k = 0; k < places->count; k++) {
        struct run *runs = places->runs[k];
        size_t n = 0;
        for (size_t i = 0; i < places->ncandidates[k] && !s->exhausted; i++) {
            if (find_partner(s, places, k, i, false) == SIZE_MAX)
                continue;
            if (n > 0 && (places->count == 1 || runs[n - 1].end == i))
                runs[n - 1].end = i + 1;
            else if (n < CAUSES_MOST)
                runs[n++] = (struct run){i, i + 1};
            else
                s->exhausted = true;
        }
        places->nruns[k] = n;
    }
}

/* Test whether no contradiction is left if clock k was set at the last place of a run (if `last` is
 * true) or at the first one. *proven becomes false if a contradiction is left. */
static csy_status prove_end(struct cutting *s, struct step_places *places, size_t k,
                            const struct run *run, bool last, bool *proven, csy_error *error)
{
    size_t i = last ? run->end - 1 : run->begin;
    const struct candidate *own = &s->candidates[k][i];
    size_t at = last ? own->last : own->first;
    *proven = true;
    for (size_t n = 0; n < places->nproven; n++)
        if (places->proven[k][n] == at)
            return CSY_OK;
    s->exhausted |= s->tests == TESTS_MOST;
    *proven = false;
    if (s->exhausted)
        return CSY_OK;
    s->cause = (struct cause){.count = places->count};
    s->cause.members[k] = at;
    if (places->count > 1) {
        const struct candidate *other = &s->candidates[!k][find_partner(s, places, k, i, last)];
        s->cause.members[!k] = last ? other->last : other->first;
    }
    csy_status status = test(s, proven, error);
    if (!status && *proven) {
        for (size_t m = 0; m < places->count; m++)
            places->proven[m][places->nproven] = s->cause.members[m];
        places->nproven++;
    } else if (!status)
        note_cycle(s);
    return status;
}

static void add_explanations(struct cutting *s, const struct step_places *places)
{
    for (size_t a = 0; a < places->nruns[0]; a++)
        for (size_t b = 0; b < (places->count > 1 ? places->nruns[1] : 1); b++) {
            const struct run runs[] = {places->runs[0][a], places->runs[places->count > 1][b]};
            bool fit = places->count == 1;
            for (size_t i = runs[0].begin; i < runs[0].end && !fit; i++)
                for (size_t j = runs[1].begin; j < runs[1].end && !fit; j++)
                    fit = fit_together(s, places, i, j);
            s->exhausted |= fit && s->nfound == CAUSES_MOST;
            if (!fit || s->exhausted)
                continue;
            struct explanation *e = &s->found[s->nfound++];
            *e = (struct explanation){.count = places->count};
            for (size_t k = 0; k < places->count; k++) {
                e->clocks[k] = places->clocks[k];
                e->first[k] = s->candidates[k][runs[k].begin].first;
                e->last[k] = s->candidates[k][runs[k].end - 1].last;
            }
            s->exhausted |= places->count > 1 && e->clocks[0] == e->clocks[1] &&
                            e->first[1] <= e->last[0] && e->first[0] <= e->last[1];
        }
}

static csy_status find_places(struct cutting *s, struct step_places *places, csy_error *error)
{
    csy_status status = CSY_OK;
    s->tests = 0;
    for (bool proven = false; !proven && !status && !s->exhausted;) {
        list_runs(s, places);
        proven = true;
        for (unsigned last = 2; last-- > 0;)
            for (size_t k = 0; k < places->count; k++)
                for (size_t r = 0; r < places->nruns[k] && proven && !status; r++)
                    status = prove_end(s, places, k, &places->runs[k][r], last, &proven, error);
    }
    if (!status && !s->exhausted)
        add_explanations(s, places);
    return status;
}

/* Compute by how much the clock was set before record `at`, and extend the range *out to include
 * this size. The size is the local time between the records before and after the step, minus the
 * true time between them. It is positive if the clock was set forward. */
static csy_status add_size(struct cutting *s, size_t at, struct set_size *out, csy_error *error)
{
    bool known = false;
    int128 least = 0, greatest = 0;
    const struct instant *from = s->records[at - 1], *to = s->records[at];
    int64_t before = stamp_of(from), after = stamp_of(to);
    int128 apart = after > before ? (int128)after - before : (int128)before - after;
    csy_status status = ageing_between(
        &s->ageing, (struct ageing_moment){label_of(s, from), before},
        (struct ageing_moment){label_of(s, to), after}, &known, &least, &greatest, error);
    if (status)
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

/* Compute by how much each clock of the explanation was set, over all its places, if twice the
 * timestamp error is `added`. The sizes are not known if the explanation has more than PLACES_SIZED
 * places. */
static csy_status find_sizes(struct cutting *s, const struct explanation *e, int64_t added,
                             struct set_size *out, csy_error *error)
{
    int64_t before = s->added;
    csy_status status = CSY_OK;
    size_t nfirst = e->last[0] - e->first[0] + 1;
    size_t nplaces = e->count > 1 ? nfirst * (e->last[1] - e->first[1] + 1) : nfirst;
    s->added = added;
    s->cause = (struct cause){.count = e->count};
    for (size_t k = 0; k < e->count; k++)
        out[k] = (struct set_size){.known = true};
    for (size_t i = 0; i < nplaces && i < PLACES_SIZED && !status; i++) {
        bool feasible = false;
        s->cause.members[0] = e->first[0] + i % nfirst;
        if (e->count > 1)
            s->cause.members[1] = e->first[1] + i / nfirst;
        if (e->count > 1 && e->clocks[0] == e->clocks[1] &&
            s->cause.members[0] >= s->cause.members[1])
            continue;
        status = test(s, &feasible, error);
        for (size_t k = 0; k < e->count && feasible && !status; k++)
            status = add_size(s, s->cause.members[k], &out[k], error);
    }
    s->added = before;
    for (size_t k = 0; k < e->count; k++)
        out[k].known = out[k].known && out[k].places > 0 && nplaces <= PLACES_SIZED;
    return status;
}

/* --- Explanations --- */

/* Returns the number of clocks, at most CLOCKS_TRIED. */
static size_t list_clocks(struct cutting *s, uint32_t *clocks)
{
    size_t count = 0;
    for (size_t i = 0; i < s->nspans; i++) {
        uint32_t clock = s->records[s->spans[i].from]->clock;
        bool is = s->spans[i].fits;
        for (size_t k = 0; k < count; k++)
            is = is && clocks[k] != clock;
        s->exhausted |= is && count == CLOCKS_TRIED;
        if (is && count < CLOCKS_TRIED)
            clocks[count++] = clock;
    }
    return count;
}

static bool may_be_another(const struct cutting *s)
{
    for (size_t i = 0; i < s->nspans && s->spans[i].cycle == 0; i++) {
        size_t ncycles = 0;
        for (size_t k = 0; k < s->nspans && !s->spans[i].fits; k++)
            ncycles += s->spans[k].cycle == ncycles &&
                       s->records[s->spans[k].from]->clock == s->records[s->spans[i].from]->clock;
        if (ncycles == s->ncycles)
            return true;
    }
    return false;
}

/* Find all ways to explain the contradiction by a clock that was set once. If there is none, try
 * two clocks, or one clock that was set twice. The clock `spared` is not considered. */
static csy_status find_explanations(struct cutting *s, size_t spared, csy_error *error)
{
    uint32_t clocks[CLOCKS_TRIED];
    bool found;
    csy_status status = test(s, &found, error);
    if (status || found)
        return status;
    note_cycle(s);
    for (size_t members = 1; members <= MEMBERS_MOST && s->nfound == 0; members++)
        for (size_t j = 0; j < list_clocks(s, clocks) && !status; j++)
            for (size_t i = members > 1 ? 0 : j; i <= j && !status && !s->exhausted; i++) {
                struct step_places places = {.count = members, .clocks = {clocks[i], clocks[j]}};
                if (clocks[i] != spared && clocks[j] != spared)
                    status = find_places(s, &places, error);
            }
    s->exhausted |= s->nfound > 0 && may_be_another(s);
    for (size_t i = 0; i < s->nfound && !status && !s->exhausted; i++) {
        struct explanation *e = &s->found[i];
        status = find_sizes(s, e, s->added, e->size, error);
        if (!status)
            status = find_sizes(s, e, s->resolution, e->fine, error);
    }
    return status;
}

/* A step (a clock was set) that occurs in one or more explanations. Steps with the same `group`
 * exclude each other, and `among` is their number. */
struct part {
    uint32_t clock;
    size_t first, last, group, among;
    struct set_size size, fine;
};

static void join_sizes(struct set_size *a, const struct set_size *b)
{
    a->known = a->known && b->known;
    a->least_ticks = a->least_ticks < b->least_ticks ? a->least_ticks : b->least_ticks;
    a->most_ticks = a->most_ticks > b->most_ticks ? a->most_ticks : b->most_ticks;
}

static size_t list_parts(const struct cutting *s, struct part *parts)
{
    size_t n = 0;
    for (size_t i = 0; i < s->nfound; i++)
        for (size_t k = 0; k < s->found[i].count; k++) {
            const struct explanation *e = &s->found[i];
            struct part part = {.clock = e->clocks[k],
                                .first = e->first[k],
                                .last = e->last[k],
                                .size = e->size[k],
                                .fine = e->fine[k]};
            for (size_t p = 0; p < n;) {
                if (parts[p].clock != part.clock || parts[p].first > part.last ||
                    parts[p].last < part.first) {
                    p++;
                    continue;
                }
                part.first = parts[p].first < part.first ? parts[p].first : part.first;
                part.last = parts[p].last > part.last ? parts[p].last : part.last;
                join_sizes(&part.size, &parts[p].size);
                join_sizes(&part.fine, &parts[p].fine);
                memmove(parts + p, parts + p + 1, (--n - p) * sizeof *parts);
            }
            parts[n++] = part;
        }
    return n;
}

static bool has_part(const struct explanation *e, const struct part *part)
{
    for (size_t k = 0; k < e->count; k++)
        if (e->clocks[k] == part->clock && e->first[k] >= part->first && e->last[k] <= part->last)
            return true;
    return false;
}

static void group_parts(const struct cutting *s, struct part *parts, size_t n)
{
    for (size_t p = 0; p < n; p++)
        parts[p].group = p;
    for (size_t p = 0; p < n; p++)
        for (size_t q = 0; q < p; q++) {
            bool together = false;
            size_t from = parts[p].group, to = parts[q].group;
            for (size_t i = 0; i < s->nfound; i++)
                together |= has_part(&s->found[i], &parts[p]) && has_part(&s->found[i], &parts[q]);
            for (size_t i = 0; i < n && !together; i++)
                parts[i].group = parts[i].group == from ? to : parts[i].group;
        }
    for (size_t p = 0; p < n; p++)
        for (size_t q = 0; q < n; q++)
            parts[p].among += parts[p].group == parts[q].group;
}

static int64_t local_of(const struct cutting *s, const struct instant *item)
{
    return rebase_local(&s->sync->survey.rough, item->clock, stamp_of(item));
}

static struct set_place describe_step(const struct cutting *s, const struct part *part)
{
    bool several = s->several[part->clock];
    size_t first = part->first - 1, last = part->last;
    /* Records at the same time do not show on which side of the step they are. */
    while (several && first > 0 && s->records[first - 1]->clock == part->clock &&
           stamp_of(s->records[first]) == stamp_of(s->records[part->first]))
        first--;
    while (several && last + 1 < s->nrecords && s->records[last + 1]->clock == part->clock &&
           stamp_of(s->records[last]) == stamp_of(s->records[part->last - 1]))
        last++;
    const struct instant *before = s->records[first], *after = s->records[last];
    return (struct set_place){.clock = part->clock,
                              .several = several,
                              .before_ticks = local_of(s, before),
                              .after_ticks = local_of(s, after),
                              .among = part->among,
                              .record_before = before->position,
                              .place_before = before->place,
                              .record_after = after->position,
                              .place_after = after->place,
                              .sized = part->size.known,
                              .least_ticks = part->size.least_ticks,
                              .most_ticks = part->size.most_ticks,
                              .fine = part->fine.known,
                              .fine_least_ticks = part->fine.least_ticks,
                              .fine_most_ticks = part->fine.most_ticks};
}

static void keep_steps(struct cutting *s, struct set_clock *out)
{
    struct part parts[CAUSES_MOST * MEMBERS_MOST];
    size_t n = list_parts(s, parts);
    group_parts(s, parts, n);
    s->exhausted |= n > SET_STEPS_MOST;
    out->together = s->nfound > 0 ? s->found[0].count : 0;
    while (out->count < n && !s->exhausted) {
        size_t best = SIZE_MAX;
        for (size_t p = 0; p < n; p++)
            if (parts[p].among > 0 &&
                (best == SIZE_MAX ||
                 s->records[parts[p].first]->position < s->records[parts[best].first]->position))
                best = p;
        size_t group = parts[best].group, first = out->count;
        for (size_t p = 0; p < n; p++)
            if (parts[p].group == group) {
                out->at[out->count++] = describe_step(s, &parts[p]);
                parts[p].among = 0;
            }
        /* If the reference clock is the first of several alternatives, report another one first,
         * because global time is the time of the reference. */
        if (out->at[first].clock == s->sync->reference && out->count > first + 1) {
            struct set_place reference = out->at[first];
            out->at[first] = out->at[first + 1];
            out->at[first + 1] = reference;
        }
    }
}

/* --- Wrong timestamps --- */

/* Returns false if no `count` wrong timestamps explain all contradictory cycles. */
static bool choose_wrong(struct cutting *s, size_t count)
{
    struct candidate *items = s->candidates[0];
    s->cause = (struct cause){.wrong = true, .count = count};
    for (size_t i = 0; i < s->nspans; i++) {
        items[2 * i] = (struct candidate){.first = s->spans[i].from};
        items[2 * i + 1] = (struct candidate){.first = s->spans[i].to};
    }
    for (size_t i = 0; i < 2 * s->nspans; i++)
        note_broken(s, &items[i], true);
    for (size_t i = 0; i < 2 * s->nspans && s->spans[i / 2].cycle == 0; i++)
        for (size_t j = count > 1 ? 0 : i; j < (count > 1 ? 2 * s->nspans : i + 1); j++)
            if (breaks_all(s, &items[i], &items[j])) {
                s->cause.members[0] = items[i].first;
                s->cause.members[1] = items[j].first;
                return true;
            }
    return false;
}

/* Find one record, or two, that explain the contradiction if their timestamps are wrong. */
static csy_status find_wrong(struct cutting *s, struct set_clock *out, csy_error *error)
{
    bool found = false;
    csy_status status = CSY_OK;
    s->tests = 0;
    for (size_t count = 1; count <= MEMBERS_MOST && !found && !status; count++)
        while (!found && !status && !s->exhausted && choose_wrong(s, count)) {
            status = test(s, &found, error);
            if (!status && !found)
                note_cycle(s);
            s->exhausted |= s->tests >= TESTS_MOST;
        }
    out->nbad = found ? s->cause.count : 0;
    for (size_t i = 0; i < out->nbad; i++)
        out->bad_place[i] = s->records[s->cause.members[i]]->place;
    return status;
}

/* --- The whole --- */

static csy_status search(struct cutting *s, size_t spared, struct set_clock *out, csy_error *error)
{
    s->spans = malloc(SPANS_MOST * sizeof *s->spans);
    s->candidates[0] = malloc((size_t)2 * SPANS_MOST * sizeof **s->candidates);
    s->candidates[1] = malloc((size_t)2 * SPANS_MOST * sizeof **s->candidates);
    if (!s->spans || !s->candidates[0] || !s->candidates[1])
        return error_memory(error);
    csy_status status = list_records(s, error);
    if (!status)
        status = find_explanations(s, spared, error);
    if (!status)
        keep_steps(s, out);
    out->exhausted = s->exhausted;
    s->exhausted = false;
    if (!status)
        status = find_wrong(s, out, error);
    out->exhausted |= s->exhausted;
    return status;
}

csy_status set_clock_find(struct csy_sync *sync, struct drift_trial *trial, int64_t rate_ppb,
                          size_t spared, struct set_clock *out, csy_error *error)
{
    int64_t floor = solution_least_twice(sync) > 1 ? solution_least_twice(sync) : 1;
    *out = (struct set_clock){.count = 0};
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
    status = search(&s, spared, out, error);
    free(s.cycle.pairs);
    ageing_fini(&s.ageing);
    pairs_fini(&s.pairs);
    free(s.own.items);
    free(s.records);
    free(s.rank);
    free(s.several);
    free(s.fits);
    free(s.spans);
    free(s.candidates[0]);
    free(s.candidates[1]);
    return status;
}
