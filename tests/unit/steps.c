/* A trace in short, and what clock/intervals makes of it. */
#include "steps.h"

#include "support.h"

enum { STEP_BYTES = 48 }; /* a switch with its payload, where offsets are concerned */

/* The record of a step; bytes holds its payload. */
static struct record record_of(const struct step *step, uint64_t position, uint8_t *bytes)
{
    bool spe = step->kind == STEP_SPE;
    store64(bytes + RECORD_PPE_BYTES, step->context);
    store64(bytes + RECORD_PPE_BYTES + 8, step->spe);
    return (struct record){
        .position = position,
        .offset = FILE_HEADER_BYTES + STEP_BYTES * position,
        .bytes = bytes,
        .size = STEP_BYTES,
        .id = step->kind == STEP_IN    ? ID_SWITCH_IN
              : step->kind == STEP_OUT ? ID_SWITCH_OUT
                                       : 0x0105,
        .npayload = 2,
        .thread = spe ? step->context : 4711,
        .spe = spe,
        .stamp = spe ? step->decr : (uint64_t)step->time,
    };
}

struct rules {
    const struct step *steps;
    size_t n;
    int64_t imprecision_ticks;
    bool strict, notifier;
};

/* One pass; what it learnt, in *learnt, is the caller's even after a failure. */
static csy_status pass(const struct rules *rules, const struct unwrap_lore *known,
                       struct unwrap_lore *learnt, struct outcome *out, csy_error *error)
{
    struct intervals *iv;
    uint8_t bytes[STEP_BYTES] = {0};
    *learnt = (struct unwrap_lore){0};
    threads_init(&out->threads);
    const struct intervals_rules own = {.imprecision_ticks = rules->imprecision_ticks,
                                        .strict = rules->strict,
                                        .notifier = rules->notifier,
                                        .known = known};
    ck_ok(intervals_new(&out->threads, &own, &iv, error), *error);
    csy_status status = CSY_OK;
    for (size_t i = 0; !status && i < rules->n; i++) {
        struct record record = record_of(&rules->steps[i], i, bytes);
        struct event event = {.record = &record};
        status = intervals_push(iv, "a.trace", &event, error);
        out->thread[i] = event.thread;
        out->local[i] = event.local_ticks;
    }
    if (!status)
        status = intervals_finish(iv, &out->twice, learnt, &out->report, error);
    intervals_free(iv);
    return status;
}

static void assert_repeats(const struct rules *rules, const struct unwrap_lore *known,
                           const struct outcome *out)
{
    struct unwrap_lore learnt;
    struct outcome again;
    csy_error error;
    ck_ok(pass(rules, known, &learnt, &again, &error), error);
    ck_assert(!again.twice);
    ck_assert_uint_eq(again.threads.count, out->threads.count);
    for (size_t i = 0; i < rules->n; i++)
        if (again.thread[i] != out->thread[i] || again.local[i] != out->local[i])
            ck_abort_msg("step %zu is not repeated", i);
    unwrap_lore_fini(&learnt);
    threads_fini(&again.threads);
}

static csy_status run(const struct rules *rules, struct outcome *out, csy_error *error)
{
    struct unwrap_lore learnt, more;
    csy_status status = pass(rules, NULL, &learnt, out, error);
    if (!status && (out->twice || rules->strict)) {
        threads_fini(&out->threads);
        status = pass(rules, &learnt, &more, out, error);
        ck_assert_msg(!out->twice, "a third pass is asked for");
        out->twice = true;
        unwrap_lore_fini(&learnt);
        learnt = more;
    }
    if (!status)
        assert_repeats(rules, &learnt, out);
    unwrap_lore_fini(&learnt);
    return status;
}

csy_status steps_run(const struct step *steps, size_t n, int64_t imprecision_ticks, bool strict,
                     struct outcome *out, csy_error *error)
{
    struct rules rules = {steps, n, imprecision_ticks, strict, false};
    return run(&rules, out, error);
}

csy_status steps_run_notified(const struct step *steps, size_t n, int64_t imprecision_ticks,
                              struct outcome *out, csy_error *error)
{
    struct rules rules = {steps, n, imprecision_ticks, false, true};
    return run(&rules, out, error);
}
