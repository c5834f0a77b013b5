/* Calls that are given at once are those that are given one by one, and come to the same in a
 * profile. */
#include "analysis/calls/profile.h"
#include "called.h"

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 150 };

static struct folder folder;

static void gather(struct profile *p, struct instants *in, csy_sync *sync,
                   const csy_meaning *meaning, csy_per per, bool at_once)
{
    csy_error error;
    *p = (struct profile){.per = per};
    ck_ok(instants_open(in, sync, meaning, INSTANTS_AHEAD, 0, &error), error);
    ck_ok(profile_begin(p, in, &error), error);
    ck_ok(instants_merge(in, profile_take, at_once ? profile_take_calls : NULL, p, &error), error);
    ck_ok(profile_end(p, &error), error);
}

static void same_range(const csy_range *a, const csy_range *b)
{
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_int_eq(a->estimate, b->estimate);
    ck_assert_int_eq(a->lo, b->lo);
    ck_assert_int_eq(a->hi, b->hi);
}

static void same_row(const struct profile_row *a, const struct profile_row *b)
{
    ck_assert_uint_eq(a->routine, b->routine);
    ck_assert_uint_eq(a->group, b->group);
    ck_assert_uint_eq(a->actor, b->actor);
    ck_assert_uint_eq(a->calls, b->calls);
    ck_assert_uint_eq(a->recursive, b->recursive);
    ck_assert_uint_eq(a->open, b->open);
    ck_assert_uint_eq(a->implied, b->implied);
    ck_assert_uint_eq(a->descendants, b->descendants);
    ck_assert_uint_eq(a->concurrent, b->concurrent);
    ck_assert_int_eq(a->most_inside, b->most_inside);
    same_range(&a->least, &b->least);
    same_range(&a->greatest, &b->greatest);
}

/* How often times between two moments were added, and what they come to. */
static void same_forms(struct profile *a, struct profile *b)
{
    csy_error error;
    size_t n = a->nrows * FORMS;
    csy_range *x = malloc((n + 1) * sizeof *x), *y = malloc((n + 1) * sizeof *y);
    ck_assert(x && y);
    ck_ok(forms_ranges(&a->forms, n, &a->moves, a->moves.sync, x, &error), error);
    ck_ok(forms_ranges(&b->forms, n, &b->moves, b->moves.sync, y, &error), error);
    for (size_t i = 0; i < n; i++) {
        uint64_t s = i < a->forms.count ? a->forms.items[i].crossings : 0;
        uint64_t t = i < b->forms.count ? b->forms.items[i].crossings : 0;
        ck_assert_uint_eq(s, t);
        same_range(&x[i], &y[i]);
    }
    free(x);
    free(y);
}

static void same(struct profile *a, struct profile *b)
{
    ck_assert_uint_eq(a->nrows, b->nrows);
    ck_assert_uint_eq(a->ignored, b->ignored);
    for (size_t i = 0; i < a->nrows; i++)
        same_row(&a->rows[i], &b->rows[i]);
    same_forms(a, b);
    lengths_sort(&a->lengths);
    lengths_sort(&b->lengths);
    ck_assert_uint_eq(a->lengths.count, b->lengths.count);
    ck_assert_mem_eq(a->lengths.bins, b->lengths.bins, a->lengths.count * sizeof *a->lengths.bins);
}

START_TEST(same_profile)
{
    static const csy_per pers[] = {CSY_PER_ALL, CSY_PER_ACTOR, CSY_PER_UNIT};
    csy_error error;
    csy_meaning *meaning;
    size_t ignored = 0, alone = 0;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct profile p, q;
        struct instants of_p, of_q;
        struct buffer records = {0};
        csy_trace *trace;
        csy_sync *sync;
        csy_per per = pers[trial % 3];
        called_draw(trial, trial / 3 % 2 * 4, &records);
        called_open(&folder, trial, &records, &trace, &sync);
        gather(&p, &of_p, sync, meaning, per, true);
        gather(&q, &of_q, sync, meaning, per, false);
        ignored += p.ignored;
        alone += p.forms.items[FORM_ALONE].ticks > 0;
        same(&p, &q);
        profile_fini(&p);
        profile_fini(&q);
        instants_fini(&of_p);
        instants_fini(&of_q);
        csy_sync_free(sync);
        csy_trace_free(trace);
        buffer_free(&records);
    }
    ck_assert_of_trials(ignored > 0 && alone > 0);
    csy_meaning_free(meaning);
}
END_TEST

/* Calls that were given, and how many of them at once. */
struct told_calls {
    struct actor_call calls[CALLED_RECORDS_MAX];
    size_t n, at_once;
};

static csy_status take_one(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct told_calls *told = user;
    (void)error;
    if (instant->call != CALL_NONE)
        told->calls[told->n++] = (struct actor_call){instant->at, instant->actor, instant->routine,
                                                     instant->call == CALL_ENTER};
    return CSY_OK;
}

static csy_status take_many(void *user, const struct actor_call *calls, size_t n, csy_error *error)
{
    struct told_calls *told = user;
    (void)error;
    memcpy(told->calls + told->n, calls, n * sizeof *calls);
    told->n += n;
    told->at_once += n;
    return CSY_OK;
}

static void give(csy_sync *sync, const csy_meaning *meaning, bool at_once, struct told_calls *out)
{
    struct instants in;
    csy_error error;
    out->n = out->at_once = 0;
    ck_ok(instants_open(&in, sync, meaning, INSTANTS_AHEAD, 0, &error), error);
    ck_ok(instants_merge(&in, take_one, at_once ? take_many : NULL, out, &error), error);
    instants_fini(&in);
}

/* Where the PPE's clock is the only one, and where it is not. */
START_TEST(same_calls)
{
    static struct told_calls p, q;
    csy_error error;
    csy_meaning *meaning;
    size_t alone = 0, others = 0;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct buffer records = {0};
        csy_trace *trace;
        csy_sync *sync;
        called_draw(trial, trial / 3 % 2 * 4, &records);
        called_open(&folder, trial, &records, &trace, &sync);
        give(sync, meaning, true, &p);
        give(sync, meaning, false, &q);
        *(csy_sync_nthreads(sync) == 1 ? &alone : &others) += p.at_once;
        ck_assert_uint_eq(p.n, q.n);
        for (size_t i = 0; i < p.n; i++) {
            const struct actor_call *a = &p.calls[i], *b = &q.calls[i];
            ck_assert(a->actor == b->actor && a->routine == b->routine && a->enters == b->enters);
            ck_assert(a->at.clock == b->at.clock);
            ck_assert_int_eq(a->at.local_ticks, b->at.local_ticks);
            ck_assert_int_eq(a->at.global_ticks, b->at.global_ticks);
        }
        csy_sync_free(sync);
        csy_trace_free(trace);
        buffer_free(&records);
    }
    ck_assert_of_trials(alone > 0 && others > 0);
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("profile");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, same_calls);
    tcase_add_test(tests, same_profile);
    return unit_run();
}
