/* A scan that passes over plain records comes to what one comes to that decodes each. */
#include "called.h"
#include "instants/instants.h"

enum { TRIALS = 120, INSTANTS = 4 * CALLED_RECORDS_MAX };

static struct folder folder;

struct list {
    struct actor_instant items[INSTANTS];
    size_t n;
};

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct list *list = user;
    (void)error;
    ck_assert_uint_lt(list->n, INSTANTS);
    list->items[list->n++] = *instant;
    return CSY_OK;
}

static void same_moment(const struct moment *a, const struct moment *b)
{
    ck_assert_int_eq(a->global_ticks, b->global_ticks);
    ck_assert_int_eq(a->local_ticks, b->local_ticks);
    ck_assert_uint_eq(a->clock, b->clock);
}

static void same_list(const struct list *a, const struct list *b)
{
    ck_assert_uint_eq(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        const struct actor_instant *x = &a->items[i], *y = &b->items[i];
        ck_assert_uint_eq(x->record, y->record);
        ck_assert_uint_eq(x->actor, y->actor);
        same_moment(&x->at, &y->at);
        ck_assert_int_eq(x->state, y->state);
        ck_assert_int_eq(x->call, y->call);
        ck_assert_uint_eq(x->routine, y->routine);
    }
}

/* What a scan has found, and the merge after it. */
static void same(struct instants *a, struct instants *b)
{
    static struct list seen, decoded;
    csy_error error;
    ck_assert_uint_eq(a->records, b->records);
    same_moment(&a->first, &b->first);
    same_moment(&a->last, &b->last);
    ck_assert_int_eq(a->has_calls, b->has_calls);
    ck_assert_int_eq(a->has_begins, b->has_begins);
    ck_assert_int_eq(a->has_intervals, b->has_intervals);
    ck_assert_uint_eq(a->ahead, b->ahead);
    ck_assert_uint_eq(a->actors.count, b->actors.count);
    for (size_t i = 0; i < a->actors.count; i++) {
        const struct actor *x = &a->actors.items[i], *y = &b->actors.items[i];
        ck_assert_int_eq(x->kind, y->kind);
        ck_assert_uint_eq(x->id, y->id);
        ck_assert_uint_eq(x->nstays, y->nstays);
        for (size_t k = 0; k < x->nstays; k++)
            ck_assert_uint_eq(x->lasts[k], y->lasts[k]);
        ck_assert_uint_eq(x->calls.nmissed, y->calls.nmissed);
    }
    seen.n = decoded.n = 0;
    ck_ok(instants_merge(a, take, NULL, &seen, &error), error);
    ck_ok(instants_merge(b, take, NULL, &decoded, &error), error);
    same_list(&seen, &decoded);
}

START_TEST(same_scan)
{
    csy_error error;
    csy_meaning *meaning;
    size_t odd = 0;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct instants in, decoded;
        struct buffer records = {0};
        csy_trace *trace;
        csy_sync *sync;
        odd += called_draw(trial, 0, &records);
        called_open(&folder, trial, &records, &trace, &sync);
        ck_ok(instants_open(&in, sync, meaning, INSTANTS_AHEAD, 0, &error), error);
        ck_ok(instants_open(&decoded, sync, meaning, INSTANTS_AHEAD, MORE_LEAVES, &error), error);
        same(&in, &decoded);
        instants_fini(&in);
        instants_fini(&decoded);
        csy_sync_free(sync);
        csy_trace_free(trace);
        buffer_free(&records);
    }
    ck_assert_of_trials(odd > 0);
    csy_meaning_free(meaning);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("scan");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, same_scan);
    return unit_run();
}
