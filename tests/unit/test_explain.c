/*
 * csy_sync_explain against brute force over every pair of records: chains that sum to the bounds
 * and take as few constraints as there can be, and what moving a record, or one more, does to the
 * bound that they explain.
 */
#include "brute.h"

#include <string.h>

/* A drawn trace, solved by both. */
struct explained {
    struct drawn d;
    struct brute links, bounds; /* what chains are made of; all pairs, closed */
    int64_t added;
    csy_trace *trace;
    csy_sync *sync;
};

/* What was met. */
struct met {
    int chains, missing, relaxed, moved, inserted, several;
};

/* Close the bounds, each raised by added; false where they contradict one another. */
static bool close_bounds(struct brute *b, int64_t added)
{
    for (size_t s = 0; s < b->n; s++)
        for (size_t t = 0; t < b->n; t++)
            if (b->bound[s][t] < BRUTE_FAR)
                b->bound[s][t] += added;
    for (size_t k = 0; k < b->n; k++) {
        for (size_t s = 0; s < b->n; s++)
            for (size_t t = 0; t < b->n && b->bound[s][k] < BRUTE_FAR; t++)
                if (b->bound[k][t] < BRUTE_FAR && b->bound[s][k] + b->bound[k][t] < b->bound[s][t])
                    b->bound[s][t] = b->bound[s][k] + b->bound[k][t];
        for (size_t t = 0; t < b->n; t++)
            if (b->bound[t][t] < 0)
                return false;
    }
    return true;
}

static int128 offset_of(const struct explained *x, size_t t)
{
    return csy_sync_thread(x->sync, t)->offset_ticks;
}

/* Constraints of neighbours only, which say the same where nothing is added. */
static void link_neighbours(struct brute *b)
{
    const struct drawn *d = b->d;
    for (size_t s = 0; s < b->n; s++)
        for (size_t t = 0; t < b->n; t++)
            b->bound[s][t] = BRUTE_FAR;
    for (size_t i = 0; i + 1 < d->n; i++) {
        int128 *w = &b->bound[d->thread[i]][d->thread[i + 1]];
        int128 apart = (int128)d->local[i + 1] - d->local[i];
        *w = apart < *w ? apart : *w;
    }
}

/* False where the trace is refused, which is another test's to judge. */
static bool explained_draw(struct random *r, struct explained *x)
{
    csy_options options;
    csy_error error;
    drawn_trace(r, random_chance(r, 60) ? 0 : random_between(r, 1, 9), &x->d);
    options = options_default;
    if (drawn_solve(&x->d, &options, &x->trace, &x->sync, &error)) {
        buffer_free(&x->d.file);
        return false;
    }
    x->added = csy_sync_imprecision(x->sync)->added_ticks;
    brute_constrain(&x->links, &x->d);
    x->bounds = x->links;
    ck_assert(close_bounds(&x->bounds, x->added));
    if (x->added == 0)
        link_neighbours(&x->links);
    return true;
}

static void explained_free(struct explained *x)
{
    csy_sync_free(x->sync);
    csy_trace_free(x->trace);
    buffer_free(&x->d.file);
}

/* The fewest constraints of a chain from s to t that sums to the bound. */
static size_t fewest(const struct explained *x, size_t s, size_t t)
{
    static int128 now[DRAWN_THREADS], next[DRAWN_THREADS];
    const struct brute *c = &x->links;
    for (size_t i = 0; i < c->n; i++)
        now[i] = i == s ? 0 : BRUTE_FAR;
    for (size_t k = 1; k < c->n; k++) {
        for (size_t j = 0; j < c->n; j++) {
            next[j] = BRUTE_FAR;
            for (size_t i = 0; i < c->n; i++)
                if (i != j && now[i] < BRUTE_FAR && c->bound[i][j] < BRUTE_FAR &&
                    now[i] + c->bound[i][j] + x->added < next[j])
                    next[j] = now[i] + c->bound[i][j] + x->added;
        }
        memcpy(now, next, sizeof now);
        if (now[t] == x->bounds.bound[s][t])
            return k;
    }
    return 0;
}

static void check_edge(const struct explained *x, const csy_chain_edge *edge)
{
    const csy_witness_edge *c = &edge->constraint;
    const struct drawn *d = &x->d;
    ck_assert(c->record_s < c->record_t && c->record_t < d->n);
    ck_assert(d->thread[c->record_s] == c->s && d->thread[c->record_t] == c->t);
    ck_assert(d->local[c->record_s] == c->time_s && d->local[c->record_t] == c->time_t);
    ck_assert((int128)c->weight_ticks == (int128)c->time_t - c->time_s);
    ck_assert((int128)edge->slack_ticks ==
              (int128)c->weight_ticks + x->added - (offset_of(x, c->s) - offset_of(x, c->t)));
    ck_assert_int_ge(edge->slack_ticks, 0);
}

/* It leads from s to t, sums to the bound, and is as short as can be; what it leaves the offsets is
 * its slack. */
static void check_chain(const struct explained *x, const csy_chain *chain, size_t s, size_t t)
{
    int128 sum = 0, slack = 0;
    ck_assert(chain->s == s && chain->t == t);
    ck_assert(chain->end_ticks == (int64_t)x->bounds.bound[s][t]);
    ck_assert_uint_eq(chain->length, fewest(x, s, t));
    for (size_t i = 0; i < chain->length; i++) {
        const csy_chain_edge *edge = &chain->edges[i];
        check_edge(x, edge);
        ck_assert_uint_eq(edge->constraint.s, i == 0 ? s : chain->edges[i - 1].constraint.t);
        sum += edge->constraint.weight_ticks + x->added;
        slack += edge->slack_ticks;
    }
    ck_assert_uint_eq(chain->edges[chain->length - 1].constraint.t, t);
    ck_assert(sum == chain->end_ticks);
    ck_assert(slack == chain->end_ticks - (offset_of(x, s) - offset_of(x, t)));
}

/* Bounds of a trace that differs in one record; false where it contradicts itself. */
static bool bounds_of(const struct explained *x, const struct drawn *d, struct brute *out)
{
    brute_constrain(out, d);
    return close_bounds(out, x->added);
}

/* The k-th constraint's first record later by some, or its second earlier: the bound comes closer
 * by at least as much, unless the record is the end of another constraint of the chain, too. */
static void move_record(struct random *r, const struct explained *x, const csy_chain *chain,
                        size_t k, struct met *met)
{
    static struct drawn d;
    static struct brute moved;
    const csy_witness_edge *c = &chain->edges[k].constraint;
    bool first = random_chance(r, 50);
    int64_t by = random_between(r, 1, 20);
    if (first ? k > 0 && chain->edges[k - 1].constraint.record_t == c->record_s
              : k + 1 < chain->length && chain->edges[k + 1].constraint.record_s == c->record_t)
        return;
    d = x->d;
    int64_t *local = &d.local[first ? c->record_s : c->record_t];
    if (__builtin_add_overflow(*local, first ? by : -by, local) || !bounds_of(x, &d, &moved))
        return;
    ck_assert(moved.bound[chain->s][chain->t] <= (int128)chain->end_ticks - by);
    met->moved++;
}

/* One more record of the first one's thread, immediately before the second and so much later than
 * the first. */
static bool insert_record(const struct explained *x, const csy_witness_edge *edge, int64_t later,
                          struct brute *out)
{
    static struct drawn d;
    d = x->d;
    size_t at = (size_t)edge->record_t;
    memmove(d.local + at + 1, d.local + at, (d.n - at) * sizeof *d.local);
    memmove(d.thread + at + 1, d.thread + at, (d.n - at) * sizeof *d.thread);
    d.thread[at] = (uint32_t)edge->s;
    d.local[at] = edge->time_s + later;
    d.n++;
    return bounds_of(x, &d, out);
}

/* So much closer can one more record bring the bound, the offsets staying what they are; no
 * more. */
static void use_slack(const struct explained *x, const csy_chain *chain, const csy_chain_edge *edge,
                      struct met *met)
{
    static struct brute more;
    const csy_witness_edge *c = &edge->constraint;
    int64_t unused;
    if (x->added > 0 || x->d.n == DRAWN_RECORDS ||
        __builtin_add_overflow(c->time_s, edge->slack_ticks + 1, &unused))
        return;
    int128 apart = offset_of(x, chain->s) - offset_of(x, chain->t);
    ck_assert(insert_record(x, c, edge->slack_ticks, &more));
    ck_assert(more.bound[chain->s][chain->t] <= (int128)chain->end_ticks - edge->slack_ticks);
    ck_assert(more.bound[chain->s][chain->t] >= apart);
    if (insert_record(x, c, edge->slack_ticks + 1, &more))
        ck_assert(more.bound[c->s][c->t] < offset_of(x, c->s) - offset_of(x, c->t));
    met->inserted++;
}

static void try_chain(struct random *r, const struct explained *x, const csy_chain *chain, size_t s,
                      size_t t, struct met *met)
{
    if (x->bounds.bound[s][t] >= BRUTE_FAR) {
        ck_assert(chain->end_ticks == INT64_MAX && chain->length == 0);
        met->missing++;
        return;
    }
    check_chain(x, chain, s, t);
    size_t k = (size_t)random_between(r, 0, (int64_t)chain->length - 1);
    move_record(r, x, chain, k, met);
    use_slack(x, chain, &chain->edges[k], met);
    met->chains++;
    met->relaxed += x->added > 0;
    met->several += chain->length > 1;
}

START_TEST(chains_are_what_sets_the_bounds)
{
    static struct explained x;
    struct met met = {0};
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(300); trial++) {
        struct random r = random_trial(trial);
        csy_explanation *why;
        csy_error error;
        if (!explained_draw(&r, &x))
            continue;
        for (int pair = 0; pair < 4 && x.d.nthreads > 1; pair++) {
            size_t s = (size_t)random_between(&r, 0, (int64_t)x.d.nthreads - 1);
            size_t t =
                (s + (size_t)random_between(&r, 1, (int64_t)x.d.nthreads - 1)) % x.d.nthreads;
            ck_ok(csy_sync_explain(x.sync, s, t, &why, &error), error);
            try_chain(&r, &x, &why->upper, s, t, &met);
            try_chain(&r, &x, &why->lower, t, s, &met);
            csy_explanation_free(why);
        }
        explained_free(&x);
    }
    printf(
        "%d chains, %d of several constraints, %d with delta > 0; %d ends without one; %d records "
        "moved, %d inserted\n",
        met.chains, met.several, met.relaxed, met.missing, met.moved, met.inserted);
    ck_assert(met.several > trials_of(200) && met.relaxed > trials_of(100) &&
              met.missing > trials_of(100) && met.moved > trials_of(200) &&
              met.inserted > trials_of(200));
}
END_TEST

START_TEST(what_is_no_pair_is_refused)
{
    static const char text[] = "thread,time\na,1\nb,2\na,3\n";
    struct drawn d = {.csv = true};
    csy_options options;
    csy_trace *trace;
    csy_sync *sync;
    csy_explanation *why;
    csy_error error;
    buffer_text(&d.file, text);
    options = options_default;
    ck_ok(drawn_solve(&d, &options, &trace, &sync, &error), error);
    const size_t bad[][2] = {{0, 0}, {0, 2}, {2, 1}, {SIZE_MAX, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(csy_sync_explain(sync, bad[i][0], bad[i][1], &why, &error), CSY_USAGE);
        ck_assert_ptr_nonnull(strstr(error.text, i == 0
                                                     ? ": a bound is between two different threads"
                                                     : " is asked for, the last of 2 is 1"));
    }
    ck_ok(csy_sync_explain(sync, 1, 0, &why, &error), error);
    ck_assert(why->upper.end_ticks == 1 && why->lower.end_ticks == 1);
    csy_explanation_free(why);
    csy_explanation_free(NULL);
    csy_sync_free(sync);
    csy_trace_free(trace);
    buffer_free(&d.file);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("explain");
    tcase_add_test(tests, chains_are_what_sets_the_bounds);
    tcase_add_test(tests, what_is_no_pair_is_refused);
    return unit_run();
}
