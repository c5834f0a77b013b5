/* Computes the profile of delta: how delta decreases as records are left out. */
#include "sync/line/drop.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "graph/exact.h"
#include "sync/methods/leastsq.h"

#include <inttypes.h>
#include <stdlib.h>

/* The trace is divided into stretches. From each stretch with contradictory constraints, one record
 * is left out. At first, there are STRETCHES stretches for each record to leave out, each of at
 * least STRETCH_RECORDS records. Then the number is divided by SHORTER in each pass over the trace,
 * until it is 1. */
enum { STRETCHES = 16, STRETCH_RECORDS = 64, SHORTER = 4 };

/* Reports suggest leaving records out if that divides delta by at least this factor. */
enum { WORTH_FACTOR = 10 };

/* A record that may be left out, because one of `length` contradictory constraints has it. The sum
 * of these constraints is violated by `asks` ticks, so 2 delta must be at least asks / length. */
struct candidate {
    uint64_t position;
    int128 asks;
    size_t length;
};

struct profiler {
    struct csy_trace *trace;
    struct csy_sync *sync;
    struct progress progress;
    bool sparing;                 /* true to read the trace only a limited number of times */
    struct drop_entries *entries; /* least delta for each number of left-out records; owned by the
                                   * caller */
    unsigned passes;
    int64_t *g; /* for each thread: offset by least squares, for times with rough offsets added
                 * (order/rebase.h) */
    struct leastsq leastsq;
    struct exact exact;
    /* Threads are numbered anew in each stretch (a range of records): thread t gets number[t],
     * and thread[n] is the thread with number n. */
    uint32_t *number, *thread;
    /* number[t] is valid if numbered_in[t] equals `begun` */
    uint64_t *numbered_in;
    uint64_t begun;
    uint32_t nnumbers;
    uint64_t nstretches, stretch;
    struct candidate *found;
    size_t nfound, capacity;
};

static csy_status pass(struct profiler *d, struct taker *taker, csy_error *error)
{
    d->passes++;
    return pass_again(d->trace, &d->sync->survey, (uint32_t)d->sync->reference, taker, &d->progress,
                      error);
}

/* Choose a record to leave out, from constraints that contradict each other. Each constraint
 * compares a record with an earlier one. Choose the record that is too early by most, but never the
 * first record of a thread. `numbered` is true if constraints use the numbers in d->number. */
static struct candidate choose(const struct profiler *d, bool numbered)
{
    const struct exact *exact = &d->exact;
    struct candidate chosen = {UINT64_MAX, -walk_weight(exact->witness, exact->nwitness),
                               exact->nwitness};
    int128 most = 0;
    for (size_t i = 0; i < exact->nwitness; i++) {
        const struct edge *edge = &exact->witness[i];
        uint32_t s = numbered ? d->thread[edge->from.thread] : edge->from.thread;
        uint32_t t = numbered ? d->thread[edge->to.thread] : edge->to.thread;
        uint64_t position = edge->to.position;
        int128 early = (int128)edge->from.x + d->g[s] - edge->to.x - d->g[t];
        if (position == d->sync->survey.threads.items[t].first_record)
            continue;
        if (chosen.position == UINT64_MAX || early > most ||
            (early == most && position < chosen.position)) {
            chosen.position = position;
            most = early;
        }
    }
    return chosen;
}

static csy_status begin_anew(struct profiler *d, csy_error *error)
{
    d->begun++;
    d->nnumbers = 0;
    return exact_begin(&d->exact, CSY_LIVE_THREADS_MAX, error);
}

static csy_status end_stretch(struct profiler *d, csy_error *error)
{
    csy_status status = d->exact.raised ? CSY_OK : exact_finish(&d->exact, error);
    if (status)
        return status;
    if (d->exact.raised) {
        if (!ARRAY_PUSH(d->found, d->nfound, d->capacity, choose(d, true)))
            return error_memory(error);
    }
    return begin_anew(d, error);
}

static csy_status note_round(void *user, const struct event *event, csy_error *error)
{
    struct profiler *d = user;
    uint32_t t = event->thread;
    uint64_t stretch =
        (uint64_t)((uint128)event->position * d->nstretches / d->sync->survey.records);
    csy_status status = stretch == d->stretch ? CSY_OK : end_stretch(d, error);
    d->stretch = stretch;
    if (status)
        return status;
    if (d->numbered_in[t] != d->begun) {
        d->numbered_in[t] = d->begun;
        d->number[t] = d->nnumbers;
        d->thread[d->nnumbers++] = t;
    }
    struct point point = {event->position, event->place, d->number[t], event->local_ticks,
                          rebase_x(&d->sync->survey.rough, t, event->local_ticks)};
    status = exact_event(&d->exact, &point, error);
    bool ends = event->position == d->sync->survey.threads.items[t].last_record;
    if (!status && !d->exact.raised && ends)
        status = exact_ended(&d->exact, d->number[t], error);
    return status || !d->exact.raised ? status : end_stretch(d, error);
}

static int by_asking(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    int128 x = a->asks * (int128)b->length, y = b->asks * (int128)a->length;
    return x != y ? (x < y) - (x > y) : COMPARE(a->position, b->position);
}

static csy_status leave_out(struct profiler *d, size_t n, csy_error *error)
{
    struct survey *survey = &d->sync->survey;
    if (!ARRAY_RESERVE(survey->dropped, survey->dropped_capacity, survey->ndropped + n))
        return error_memory(error);
    for (size_t i = 0; i < n; i++)
        survey->dropped[survey->ndropped++] = d->found[i].position;
    sort_numbers(survey->dropped, survey->ndropped);
    return CSY_OK;
}

static csy_status find_least(struct profiler *d, csy_fraction *twice, csy_error *error)
{
    struct taker taker = {.sink = exact_sink(&d->exact)};
    csy_status status;
    exact_fini(&d->exact);
    exact_init(&d->exact, (csy_fraction){0, 1}, true);
    do {
        status = exact_begin(&d->exact, CSY_LIVE_THREADS_MAX, error);
        if (!status)
            status = pass(d, &taker, error);
        if (!status)
            status = exact_finish(&d->exact, error);
    } while (!status && d->exact.raised);
    *twice = d->exact.twice;
    return status;
}

static bool is_spent(const struct profiler *d)
{
    bool few = d->sync->survey.threads.count <= DROP_FEW_THREADS;
    return d->sparing && d->passes >= (few ? DROP_PASSES_MAX : DROP_PASSES_MANY_THREADS);
}

/* Leave out records until `target` records are left out, or too many passes were made. `twice` is
 * twice the timestamp error that the remaining records require. */
static csy_status drop_up_to(struct profiler *d, uint64_t target, csy_fraction twice,
                             csy_error *error)
{
    const struct survey *survey = &d->sync->survey;
    csy_fraction level = twice;
    uint64_t most = survey->records / STRETCH_RECORDS, stretches = STRETCHES * target;
    uint64_t first = stretches < most ? stretches : most > 0 ? most : 1, found = 0;
    stretches = first;
    csy_status status = CSY_OK;
    if (d->exact.nwitness > 0) {
        if (!ARRAY_RESERVE(d->found, d->capacity, 1))
            return error_memory(error);
        d->found[0] = choose(d, false);
        status = leave_out(d, 1, error);
    }
    while (!status && survey->ndropped < target && !is_spent(d)) {
        csy_fraction out;
        bool fits = fraction_make(level.num, (int128)4 * level.den, &out);
        level = fits && out.num >= out.den ? out : (csy_fraction){0, 1};
        /* Find sets of constraints that contradict each other unless twice the timestamp error is
         * above `level`. No record is in two sets, because each search begins after the previous
         * set. Then leave out one record of each set, beginning with the sets that require the
         * greatest timestamp error. */
        struct taker taker = {.observe = note_round, .observer = d};
        exact_fini(&d->exact);
        exact_init(&d->exact, level, false);
        d->nfound = 0;
        d->nstretches = stretches;
        d->stretch = 0;
        status = begin_anew(d, error);
        if (!status)
            status = pass(d, &taker, error);
        if (!status)
            status = end_stretch(d, error);
        if (!status && d->nfound > 0)
            SORT(d->found, d->nfound, by_asking);
        uint64_t wanted = target - survey->ndropped;
        size_t n = d->nfound < wanted ? d->nfound : (size_t)wanted;
        if (!status && n > 0)
            status = leave_out(d, n, error);
        found += n;
        if (stretches == 1 && found == 0)
            break;
        found = stretches == 1 ? 0 : found;
        stretches = stretches == 1 ? first : stretches > SHORTER ? stretches / SHORTER : 1;
    }
    return status;
}

static csy_status add_entry(struct profiler *d, csy_fraction twice, csy_error *error)
{
    struct drop_entries *entries = d->entries;
    if (!ARRAY_RESERVE(entries->items, entries->capacity, entries->count + 1))
        return error_memory(error);
    csy_profile_entry *entry = &entries->items[entries->count++];
    entry->dropped = d->sync->survey.ndropped;
    return fraction_make(twice.num, (int128)2 * twice.den, &entry->delta)
               ? CSY_OK
               : error_set(error, CSY_INPUT, "%s: delta does not fit 64 bits", d->trace->name);
}

csy_status drop_check(const struct csy_sync *sync, uint64_t number, csy_error *error)
{
    uint64_t most = sync->survey.records / DROP_ONE_IN;
    return number <= most
               ? CSY_OK
               : error_set(error, CSY_USAGE,
                           "%s: --drop=%" PRIu64
                           " exceeds the limit of 1 %% of the records: %" PRIu64 " of %" PRIu64,
                           sync->trace->name, number, most, sync->survey.records);
}

csy_status drop_records(struct csy_trace *trace, struct csy_sync *sync, csy_fraction twice,
                        uint64_t most, bool sparing, struct drop_entries *entries, bool *cut_short,
                        csy_error *error)
{
    size_t n = sync->survey.threads.count;
    struct profiler d = {.trace = trace,
                         .sync = sync,
                         .progress = trace->progress,
                         .sparing = sparing,
                         .entries = entries};
    uint64_t limit = sync->survey.records / DROP_ONE_IN;
    d.progress.stage = "profiling";
    d.g = calloc(n, sizeof *d.g);
    d.number = malloc(n * sizeof *d.number);
    d.thread = malloc(n * sizeof *d.thread);
    d.numbered_in = calloc(n, sizeof *d.numbered_in);
    *cut_short = false;
    csy_status status = d.g && d.number && d.thread && d.numbered_in ? CSY_OK : error_memory(error);
    most = most < limit ? most : limit;
    if (!status)
        status = add_entry(&d, twice, error);
    if (!status && most > 0 && twice.num > 0) {
        struct taker taker = {.sink = leastsq_sink(&d.leastsq), .pairs = LINE_NEIGHBOURS};
        uint32_t anchor = (uint32_t)sync->reference;
        leastsq_init(&d.leastsq);
        status = pass(&d, &taker, error);
        uint32_t *order = status ? NULL : solution_last_order(sync, anchor);
        if (!status)
            status =
                order ? leastsq_solve(&d.leastsq, order, anchor, d.g, error) : error_memory(error);
        free(order);
    }
    if (!status && most > 0 && twice.num > 0)
        status = find_least(&d, &twice, error);
    while (!status && twice.num > 0 && sync->survey.ndropped < most) {
        uint64_t k = entries->items[entries->count - 1].dropped;
        uint64_t ten = 1;
        while (k >= 10 * ten)
            ten *= 10;
        uint64_t target = k == 0 ? 1 : k < 2 * ten ? 2 * ten : k < 5 * ten ? 5 * ten : 10 * ten;
        target = target < most ? target : most;
        *cut_short = is_spent(&d);
        if (*cut_short)
            break;
        status = drop_up_to(&d, target, twice, error);
        if (!status)
            status = find_least(&d, &twice, error);
        if (!status && (sync->survey.ndropped == target || twice.num == 0))
            status = add_entry(&d, twice, error);
    }
    leastsq_fini(&d.leastsq);
    exact_fini(&d.exact);
    FREE_ALL(d.g, d.number, d.thread, d.numbered_in, d.found);
    return status;
}

/* Returns the least number of records that divides delta by WORTH_FACTOR if left out, or 0. */
static uint64_t few_worth_leaving(const struct drop_entries *entries)
{
    csy_fraction whole = entries->items[0].delta;
    for (size_t i = 1; i < entries->count; i++) {
        csy_fraction left = entries->items[i].delta;
        if ((int128)left.num * WORTH_FACTOR * whole.den <= (int128)whole.num * left.den)
            return entries->items[i].dropped <= CSY_DROP_MAX ? entries->items[i].dropped : 0;
    }
    return 0;
}

csy_status csy_sync_profile_delta(csy_sync *sync, const csy_profile **out, csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    const csy_imprecision *imprecision = &sync->imprecision;
    csy_status status = solution_check_feasible(sync, error);
    struct survey *survey = &sync->survey;
    csy_fraction twice = {0, 1};
    bool large = !sync->partial && sync->method == CSY_METHOD_BHH &&
                 imprecision->relax == CSY_RELAX_EXACT &&
                 (int128)2 * imprecision->delta.num > imprecision->delta.den &&
                 (int128)2 * imprecision->delta.num >
                     (int128)sync->premises.step_ticks * imprecision->delta.den;
    if (!status && large && !sync->profile.entries) {
        struct drop_entries entries = {0};
        bool cut_short = false;
        if (!fraction_make((int128)2 * imprecision->delta.num, imprecision->delta.den, &twice))
            status = error_set(error, CSY_INPUT, "%s: delta does not fit 64 bits", trace->name);
        if (!status)
            status =
                drop_records(trace, sync, twice, UINT64_MAX, true, &entries, &cut_short, error);
        free(survey->dropped);
        survey->dropped = NULL;
        survey->ndropped = survey->dropped_capacity = 0;
        if (status)
            free(entries.items);
        else
            sync->profile =
                (csy_profile){entries.count, entries.items, cut_short, few_worth_leaving(&entries)};
    }
    if (!status)
        *out = &sync->profile;
    return status;
}
