/* The answer to a drawn trace by brute force. */
#include "brute.h"

#include <string.h>

/* -------------------------------------------------------------------------------- bounds */

void brute_constrain(struct brute *b, const struct drawn *d)
{
    b->d = d;
    b->n = d->nthreads;
    for (size_t s = 0; s < b->n; s++)
        for (size_t t = 0; t < b->n; t++)
            b->bound[s][t] = BRUTE_FAR;
    for (size_t j = 0; j < d->n; j++) {
        for (size_t i = 0; i < j; i++) {
            int128 *w = &b->bound[d->thread[i]][d->thread[j]];
            int128 apart = (int128)d->local[j] - d->local[i];
            *w = apart < *w ? apart : *w;
        }
    }
}

/* walk[k][t]: the least weight of k edges that end in t. */
static int128 walk[DRAWN_THREADS + 1][DRAWN_THREADS];

static void walk_all(const struct brute *b)
{
    for (size_t t = 0; t < b->n; t++)
        walk[0][t] = 0;
    for (size_t k = 1; k <= b->n; k++) {
        for (size_t t = 0; t < b->n; t++) {
            walk[k][t] = BRUTE_FAR;
            for (size_t s = 0; s < b->n; s++) {
                int128 sum = walk[k - 1][s] + b->bound[s][t];
                if (sum < BRUTE_FAR / 2 && sum < walk[k][t])
                    walk[k][t] = sum;
            }
        }
    }
}

/* R. Karp 1978: the least over t of the greatest over k < n of (walk[n][t] - walk[k][t]) / (n -
 * k). */
csy_fraction brute_least_twice(const struct brute *b)
{
    int128 num = 0, den = 1; /* -mean, or 0 */
    csy_fraction twice;
    walk_all(b);
    for (size_t t = 0; t < b->n; t++) {
        int128 worst_num = 0, worst_den = 0;
        for (size_t k = 0; k < b->n && walk[b->n][t] < BRUTE_FAR / 2; k++) {
            int128 apart = walk[b->n][t] - walk[k][t], edges = (int128)(b->n - k);
            if (walk[k][t] < BRUTE_FAR / 2 &&
                (worst_den == 0 || apart * worst_den > worst_num * edges)) {
                worst_num = apart;
                worst_den = edges;
            }
        }
        if (worst_den > 0 && -worst_num * den > num * worst_den) {
            num = -worst_num;
            den = worst_den;
        }
    }
    ck_assert(fraction_make(num, den, &twice));
    return twice;
}

static void close_bounds(struct brute *b, int64_t added_ticks)
{
    for (size_t s = 0; s < b->n; s++)
        for (size_t t = 0; t < b->n; t++)
            b->bound[s][t] += b->bound[s][t] < BRUTE_FAR ? added_ticks : 0;
    for (size_t t = 0; t < b->n; t++) {
        ck_assert(b->bound[t][t] >= 0);
        b->bound[t][t] = 0;
    }
    memcpy(b->edge, b->bound, sizeof b->edge);
    for (size_t k = 0; k < b->n; k++)
        for (size_t s = 0; s < b->n; s++)
            for (size_t t = 0; t < b->n && b->bound[s][k] < BRUTE_FAR; t++)
                if (b->bound[k][t] < BRUTE_FAR && b->bound[s][k] + b->bound[k][t] < b->bound[s][t])
                    b->bound[s][t] = b->bound[s][k] + b->bound[k][t];
    for (size_t t = 0; t < b->n; t++)
        ck_assert(b->bound[t][t] == 0);
}

/* ------------------------------------------------------------------------------- offsets */

static bool is_after(const struct brute *b, size_t t)
{
    return b->bound[t][b->tau] >= BRUTE_FAR;
}

static bool is_before(const struct brute *b, size_t t)
{
    return b->bound[b->tau][t] >= BRUTE_FAR;
}

static bool is_inside(const struct brute *b, size_t t)
{
    return !is_after(b, t) && !is_before(b, t);
}

static int128 latest_first(const struct brute *b, size_t t)
{
    int128 g = -BRUTE_FAR;
    for (size_t i = 0; i < b->n; i++)
        if (is_inside(b, i) && b->bound[i][t] < BRUTE_FAR && b->offset[i] - b->bound[i][t] > g)
            g = b->offset[i] - b->bound[i][t];
    return g;
}

static int128 earliest_last(const struct brute *b, size_t t)
{
    int128 g = BRUTE_FAR;
    for (size_t i = 0; i < b->n; i++)
        if (!is_before(b, i) && b->bound[t][i] < BRUTE_FAR && b->offset[i] + b->bound[t][i] < g)
            g = b->offset[i] + b->bound[t][i];
    return g;
}

/* To the middle of what the constraints of tau's component leave it. */
static void move(struct brute *b, size_t t)
{
    int128 least = -BRUTE_FAR, most = BRUTE_FAR;
    for (size_t i = 0; i < b->n; i++) {
        if (i == t || !is_inside(b, i))
            continue;
        if (b->edge[i][t] < BRUTE_FAR && b->offset[i] - b->edge[i][t] > least)
            least = b->offset[i] - b->edge[i][t];
        if (b->edge[t][i] < BRUTE_FAR && b->offset[i] + b->edge[t][i] < most)
            most = b->offset[i] + b->edge[t][i];
    }
    ck_assert(least <= most && least > -BRUTE_FAR && most < BRUTE_FAR);
    b->offset[t] = floor_div(least + most, 2);
}

/* Five times all but tau, in the order of their last records. */
static void move_all(struct brute *b)
{
    for (int sweep = 0; sweep < 5; sweep++)
        for (size_t i = 0; i < b->d->n; i++) {
            size_t t = b->d->thread[i];
            if (b->d->threads[t].last == i && t != b->tau && is_inside(b, t))
                move(b, t);
        }
}

/* [BHH08] eq. (9), perhaps moved, then the threads after tau's component, then those before. */
static void place(struct brute *b, csy_fraction alpha, csy_center center)
{
    b->unbounded = 0;
    for (size_t t = 0; t < b->n; t++) {
        if (is_inside(b, t))
            b->offset[t] = floor_div(alpha.num * b->bound[t][b->tau] -
                                         (alpha.den - alpha.num) * b->bound[b->tau][t],
                                     alpha.den);
        b->unbounded += !is_inside(b, t);
    }
    if (center == CSY_CENTER_LOCAL)
        move_all(b);
    for (size_t t = 0; t < b->n; t++)
        if (is_after(b, t))
            b->offset[t] = latest_first(b, t);
    for (size_t t = 0; t < b->n; t++)
        if (is_before(b, t))
            b->offset[t] = earliest_last(b, t);
}

/* The PPE's offset is 0; without a PPE the least global time is. */
static void shift(struct brute *b)
{
    const struct drawn *d = b->d;
    int128 origin = BRUTE_FAR;
    for (size_t i = 0; i < d->n; i++)
        if (b->offset[d->thread[i]] + d->local[i] < origin)
            origin = b->offset[d->thread[i]] + d->local[i];
    for (size_t t = 0; t < b->n; t++)
        if (d->threads[t].ppe)
            origin = b->offset[t];
    for (size_t t = 0; t < b->n; t++)
        b->offset[t] -= origin;
}

static void count_inversions(struct brute *b)
{
    const struct drawn *d = b->d;
    int128 greatest = -BRUTE_FAR;
    b->inversions = 0;
    b->largest_inversion = 0;
    for (size_t i = 0; i < d->n; i++) {
        int128 time = b->offset[d->thread[i]] + d->local[i];
        b->inversions += time < greatest;
        if (greatest - time > b->largest_inversion && greatest > -BRUTE_FAR)
            b->largest_inversion = greatest - time;
        greatest = time > greatest ? time : greatest;
    }
}

/* ------------------------------------------------------------------------------- figures */

static void count_in(csy_group *group, int128 sum)
{
    group->pairs++;
    if (sum >= BRUTE_FAR / 2)
        return;
    group->mean = mean_make(mean_sum(group->mean) + sum, group->mean.pairs + 1);
    if (sum > group->max_error_ticks)
        group->max_error_ticks = (int64_t)sum;
}

static void gather(struct brute *b)
{
    csy_group spe = {.max_error_ticks = -1}, ppe = spe, live = spe, successive = spe;
    for (size_t s = 0; s < b->n; s++) {
        for (size_t t = s + 1; t < b->n; t++) {
            const struct drawn_thread *x = &b->d->threads[s], *y = &b->d->threads[t];
            int128 sum = b->bound[s][t] + b->bound[t][s];
            count_in(x->ppe || y->ppe ? &ppe : &spe, sum);
            if (x->first <= y->last && y->first <= x->last)
                count_in(&live, sum);
            if (x->next == t)
                count_in(&successive, sum);
        }
    }
    b->summary = (csy_summary){
        .pairs = spe.pairs + ppe.pairs,
        .bounded = spe.mean.pairs + ppe.mean.pairs,
        .max_error_ticks =
            spe.max_error_ticks > ppe.max_error_ticks ? spe.max_error_ticks : ppe.max_error_ticks,
        .max_error_spe_ticks = spe.max_error_ticks,
        .error_ppe = ppe.mean,
        .error_spe = spe.mean,
        .live = live,
        .successive = successive,
        .unbounded_threads = b->unbounded,
    };
}

void brute_solve(struct brute *b, int64_t added_ticks, size_t tau, csy_fraction alpha,
                 csy_center center)
{
    b->tau = tau;
    close_bounds(b, added_ticks);
    place(b, alpha, center);
    shift(b);
    count_inversions(b);
    gather(b);
}

/* ---------------------------------------------------------------------------- comparison */

bool brute_fits(const struct brute *b)
{
    int128 least = b->offset[0], greatest = least;
    for (size_t t = 0; t < b->n; t++) {
        least = b->offset[t] < least ? b->offset[t] : least;
        greatest = b->offset[t] > greatest ? b->offset[t] : greatest;
    }
    int128 reach = greatest - least + ((int128)1 << 61);
    return fits_int64(greatest + reach) && fits_int64(least - reach);
}

static void compare_bounds(const struct brute *b, csy_sync *sync, const char *what)
{
    csy_error error;
    int64_t lower, upper, apart;
    for (size_t s = 0; s < b->n; s++) {
        for (size_t t = 0; t < b->n; t++) {
            int128 there = b->bound[s][t], back = b->bound[t][s], sum = there + back;
            ck_ok(csy_sync_bounds(sync, s, t, &lower, &upper, &apart, &error), error);
            if (upper != (there < BRUTE_FAR ? there : INT64_MAX) ||
                lower != (back < BRUTE_FAR ? -back : INT64_MIN) ||
                apart != (sum < BRUTE_FAR / 2 ? sum : -1))
                ck_abort_msg("%s: bounds of %zu and %zu: %lld to %lld", what, s, t,
                             (long long)lower, (long long)upper);
        }
    }
}

/* g[tau] - wbar(tau,t) and g[tau] + wbar(t,tau). */
static void compare_thread(const struct brute *b, const csy_sync *sync, size_t t, const char *what)
{
    const csy_thread *got = csy_sync_thread(sync, t);
    const struct drawn_thread *want = &b->d->threads[t];
    char name[DRAWN_NAME_MAX];
    int128 tau = b->offset[b->tau];
    int128 earliest = is_before(b, t) ? INT64_MIN : tau - b->bound[b->tau][t];
    int128 latest = is_after(b, t) ? INT64_MAX : tau + b->bound[t][b->tau];
    if (strcmp(got->name, drawn_name(b->d, t, name)) != 0 || got->first_record != want->first ||
        got->records != want->records)
        ck_abort_msg("%s: thread %zu is %s, not %s", what, t, got->name, name);
    if (got->offset_ticks != b->offset[t] || got->earliest_ticks != earliest ||
        got->latest_ticks != latest)
        ck_abort_msg("%s: thread %s: offset %lld, want %lld; %lld to %lld", what, got->name,
                     (long long)got->offset_ticks, (long long)b->offset[t],
                     (long long)got->earliest_ticks, (long long)got->latest_ticks);
}

static bool same_mean(csy_mean a, csy_mean b)
{
    return a.pairs == b.pairs && a.ticks == b.ticks && a.rest == b.rest;
}

/* Event errors are error bounds and 2 ceil(2 delta). */
static bool wider(csy_mean mean, csy_mean event, int64_t most, int64_t most_event, int64_t added)
{
    return event.pairs == mean.pairs && event.rest == mean.rest &&
           event.ticks == mean.ticks + (mean.pairs ? 2 * added : 0) &&
           most_event == (most < 0 ? -1 : most + 2 * added);
}

static bool event_errors_are_right(const csy_summary *s, int64_t added)
{
    return wider(s->error_ppe, s->event_error_ppe, s->max_error_ticks, s->max_event_error_ticks,
                 added) &&
           wider(s->error_spe, s->event_error_spe, s->max_error_spe_ticks,
                 s->max_event_error_spe_ticks, added) &&
           wider(s->live.mean, s->live.event_mean, s->live.max_error_ticks,
                 s->live.max_event_error_ticks, added) &&
           wider(s->successive.mean, s->successive.event_mean, s->successive.max_error_ticks,
                 s->successive.max_event_error_ticks, added);
}

static bool same_group(const csy_group *a, const csy_group *b)
{
    return a->pairs == b->pairs && a->max_error_ticks == b->max_error_ticks &&
           same_mean(a->mean, b->mean);
}

static bool same_summary(const csy_summary *a, const csy_summary *b)
{
    return a->pairs == b->pairs && a->bounded == b->bounded &&
           a->max_error_ticks == b->max_error_ticks &&
           a->max_error_spe_ticks == b->max_error_spe_ticks &&
           same_mean(a->error_ppe, b->error_ppe) && same_mean(a->error_spe, b->error_spe) &&
           same_group(&a->live, &b->live) && same_group(&a->successive, &b->successive) &&
           a->unbounded_threads == b->unbounded_threads;
}

void brute_compare(const struct brute *b, csy_sync *sync, const char *what)
{
    const csy_imprecision *imprecision = csy_sync_imprecision(sync);
    if (csy_sync_nthreads(sync) != b->n || csy_sync_reference(sync) != b->tau)
        ck_abort_msg("%s: other threads or another reference", what);
    for (size_t t = 0; t < b->n; t++)
        compare_thread(b, sync, t, what);
    compare_bounds(b, sync, what);
    if (!same_summary(csy_sync_summary(sync), &b->summary))
        ck_abort_msg("%s: other figures", what);
    if (!event_errors_are_right(csy_sync_summary(sync), imprecision->added_ticks))
        ck_abort_msg("%s: event errors are not error bounds and 2 added_ticks", what);
    if (imprecision->inversions != b->inversions ||
        imprecision->largest_inversion_ticks != b->largest_inversion)
        ck_abort_msg("%s: other inversions", what);
}
