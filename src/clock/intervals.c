/* Records of a .pex -> live intervals and unwrapped local times. */
#include "clock/intervals.h"

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define WRAP ((int64_t)1 << 32)

enum { CACHE_SLOTS = 1024 };

enum residency { RESIDENCY_UNKNOWN, RESIDENCY_IN, RESIDENCY_OUT };

struct context {
    uint32_t id;
    enum residency residency;
    uint32_t thread;    /* its live interval, or NO_THREAD */
    uint32_t intervals; /* so far */
    bool written;       /* has records */
    uint64_t spe;       /* where its last IN put it, or CSY_NO_SPE */
    /* Its last record: */
    uint32_t decr;
    int64_t local_ticks;
    bool has_before, has_after;
    bool in_window;       /* no PPE record since */
    int64_t before_ticks; /* last PPE time before it */
    int64_t after_ticks;  /* first PPE time after it */
};

struct intervals {
    struct threads *threads;
    int64_t imprecision_ticks;
    void *tree; /* of struct context, by id */
    struct context *cache[CACHE_SLOTS];

    uint32_t ended; /* live interval that the present record ends, or NO_THREAD */

    bool has_ppe;
    int64_t ppe_ticks;             /* the last PPE time */
    struct context **in_window;    /* who wrote since */
    size_t nin_window, in_window_capacity;

    const struct ppe_windows *known;
    size_t next_known;
    bool end_known; /* of the present window */
    int64_t end_ticks;

    uint64_t opened_at; /* present window: the PPE record that opened it */
    uint64_t pending;   /* gaps taken in it provisionally */
    int128 end_least;   /* an end below this overthrows one of them */
    int128 end_assumed; /* an end from here on leaves one of them assumed */
    struct ppe_windows noted;

    csy_clock_report report;
};

int64_t intervals_imprecision(uint64_t timebase_hz)
{
    uint64_t ticks = timebase_hz / 100;
    return ticks < (uint64_t)IMPRECISION_MAX_TICKS ? (int64_t)ticks : IMPRECISION_MAX_TICKS;
}

static void open_window(struct intervals *iv, uint64_t position)
{
    iv->opened_at = position;
    iv->pending = 0;
    iv->end_least = INT64_MIN;
    iv->end_assumed = (int128)INT64_MAX + 1;
    const struct ppe_windows *known = iv->known;
    iv->end_known = known && iv->next_known < known->count &&
                    known->items[iv->next_known].opened_at == position;
    if (iv->end_known)
        iv->end_ticks = known->items[iv->next_known++].end_ticks;
}

csy_status intervals_new(struct threads *threads, int64_t imprecision_ticks,
                         const struct ppe_windows *known, struct intervals **out,
                         csy_error *error)
{
    struct intervals *iv = calloc(1, sizeof *iv);
    if (!iv)
        return error_memory(error);
    iv->threads = threads;
    iv->imprecision_ticks = imprecision_ticks;
    iv->known = known;
    *out = iv;
    return CSY_OK;
}

void intervals_free(struct intervals *iv)
{
    if (!iv)
        return;
    tdestroy(iv->tree, free);
    free(iv->in_window);
    free(iv->noted.items);
    free(iv);
}

static int compare_contexts(const void *a, const void *b)
{
    uint32_t x = ((const struct context *)a)->id, y = ((const struct context *)b)->id;
    return (x > y) - (x < y);
}

/* The context of this id, made when it is new. */
static csy_status context_find(struct intervals *iv, uint32_t id, struct context **out,
                               csy_error *error)
{
    struct context **slot = &iv->cache[id % CACHE_SLOTS];
    if (!*slot || (*slot)->id != id) {
        struct context key = {.id = id};
        struct context **found = tfind(&key, &iv->tree, compare_contexts);
        struct context *context = found ? *found : calloc(1, sizeof *context);
        if (!context)
            return error_memory(error);
        if (!found) {
            *context = (struct context){.id = id, .thread = NO_THREAD, .spe = CSY_NO_SPE};
            if (!tsearch(context, &iv->tree, compare_contexts)) {
                free(context);
                return error_memory(error);
            }
        }
        *slot = context;
    }
    *out = *slot;
    return CSY_OK;
}

/* A window has closed with a PPE record at `now`. */
static csy_status close_window(struct intervals *iv, int64_t now, csy_error *error)
{
    struct ppe_windows *noted = &iv->noted;
    if (iv->pending && (now < iv->end_least || now >= iv->end_assumed)) {
        if (!ARRAY_RESERVE(noted->items, noted->capacity, noted->count + 1))
            return error_memory(error);
        noted->items[noted->count++] = (struct ppe_window){iv->opened_at, now};
    }
    for (size_t i = 0; i < iv->nin_window; i++) {
        struct context *context = iv->in_window[i];
        context->after_ticks = now;
        context->has_after = true;
        context->in_window = false;
    }
    iv->nin_window = 0;
    return CSY_OK;
}

static csy_status take_ppe_time(struct intervals *iv, const struct record *record,
                                csy_error *error)
{
    int64_t now = (int64_t)record->stamp;
    csy_status status = close_window(iv, now, error);
    iv->has_ppe = true;
    iv->ppe_ticks = now;
    open_window(iv, record->position);
    return status;
}

/* The context's live interval is over. */
static void end_interval(struct intervals *iv, struct context *context)
{
    iv->ended = context->thread;
    context->thread = NO_THREAD;
}

static void switch_in(struct intervals *iv, struct context *context, uint64_t spe)
{
    if (context->residency == RESIDENCY_IN)
        iv->report.lost_outs++;
    if (context->residency != RESIDENCY_UNKNOWN)
        end_interval(iv, context);
    context->residency = RESIDENCY_IN;
    context->spe = spe;
    if (context->thread != NO_THREAD)
        iv->threads->items[context->thread].spe = spe;
}

static void switch_out(struct intervals *iv, struct context *context, uint64_t spe)
{
    if (context->residency == RESIDENCY_OUT)
        iv->report.lost_ins++;
    bool resident = context->residency != RESIDENCY_OUT && context->thread != NO_THREAD;
    if (resident && iv->threads->items[context->thread].spe == CSY_NO_SPE)
        iv->threads->items[context->thread].spe = spe;
    end_interval(iv, context);
    context->residency = RESIDENCY_OUT;
    context->spe = CSY_NO_SPE;
}

static csy_status take_switch(struct intervals *iv, const struct record *record, const char *name,
                              csy_error *error)
{
    const uint8_t *payload = record_payload(record, false);
    const char *which = record->id == ID_SWITCH_IN ? "SPE_SWITCH_IN" : "SPE_SWITCH_OUT";
    if (record->npayload < 2)
        return error_set(error, CSY_INPUT,
                         "%s: offset %" PRIu64 ": %s with %u payload values, want context and SPE",
                         name, record->offset, which, record->npayload);
    uint64_t id = load64(payload);
    if (id > UINT32_MAX)
        return error_set(error, CSY_INPUT,
                         "%s: offset %" PRIu64 ": %s of context %" PRIu64 ", beyond 32 bits", name,
                         record->offset, which, id);
    struct context *context;
    csy_status status = context_find(iv, (uint32_t)id, &context, error);
    if (status)
        return status;
    if (record->id == ID_SWITCH_IN)
        switch_in(iv, context, load64(payload + 8));
    else
        switch_out(iv, context, load64(payload + 8));
    return CSY_OK;
}

static csy_status take_ppe(struct intervals *iv, const struct record *record, const char *name,
                           uint32_t *thread, int64_t *local_ticks, csy_error *error)
{
    csy_status status = CSY_OK;
    if (iv->threads->ppe == NO_THREAD) {
        struct thread ppe = {.kind = CSY_KIND_PPE,
                             .context = CSY_NO_CONTEXT,
                             .spe = CSY_NO_SPE,
                             .first_record = record->position};
        status = threads_add(iv->threads, &ppe, thread, error);
    }
    *thread = iv->threads->ppe;
    *local_ticks = (int64_t)record->stamp;
    if (!status)
        status = take_ppe_time(iv, record, error);
    if (!status && (record->id == ID_SWITCH_IN || record->id == ID_SWITCH_OUT))
        status = take_switch(iv, record, name, error);
    return status;
}

/* What may have elapsed between two records of an interval, from the PPE stamps next to them. */
struct limits {
    int64_t least_ticks; /* L */
    bool has_most;
    int128 most_ticks;   /* U */
};

static struct limits find_limits(const struct intervals *iv, const struct context *context)
{
    struct limits limits = {0, false, 0};
    bool has_after = context->in_window ? iv->end_known : context->has_after;
    int64_t after = context->in_window ? iv->end_ticks : context->after_ticks;
    int128 least = iv->has_ppe && has_after ? (int128)iv->ppe_ticks - after : 0;
    limits.least_ticks = least > 0 ? (int64_t)least : 0;
    if (context->has_before && iv->end_known) {
        limits.has_most = true;
        limits.most_ticks = (int128)iv->end_ticks - context->before_ticks;
    }
    return limits;
}

/* The least r + m 2^32, m >= -1, that is not below least_ticks. */
static int128 least_elapsed(uint32_t r, int64_t least_ticks)
{
    if (r - WRAP >= least_ticks)
        return r - WRAP;
    if (r >= least_ticks)
        return r;
    return r + ceil_div((int128)least_ticks - r, WRAP) * WRAP;
}

/* Remember which ends of the present window would overthrow this elapsed time. */
static void take_provisionally(struct intervals *iv, const struct context *context, int128 elapsed)
{
    int128 base = (int128)context->before_ticks - iv->imprecision_ticks;
    int128 size = context->in_window && elapsed < 0 ? -elapsed : elapsed;
    iv->pending++;
    if (base + size > iv->end_least)
        iv->end_least = base + size;
    if (base + elapsed + WRAP < iv->end_assumed)
        iv->end_assumed = base + elapsed + WRAP;
}

/* How much time passed between the context's last record and this one; *split where no time does. */
static void unwrap_gap(struct intervals *iv, const struct context *context, uint32_t decr,
                       bool *split, int128 *elapsed)
{
    struct limits limits = find_limits(iv, context);
    int64_t b = iv->imprecision_ticks;
    uint32_t r = context->decr - decr;
    *elapsed = least_elapsed(r, limits.least_ticks - b);
    *split = limits.has_most && *elapsed > limits.most_ticks + b;
    if (*split)
        iv->report.splits++;
    else if (!context->has_before || (limits.has_most && *elapsed + WRAP <= limits.most_ticks + b))
        iv->report.assumed++;
    else if (!limits.has_most)
        take_provisionally(iv, context, *elapsed);
    if (!*split)
        iv->report.wraps += (int64_t)((*elapsed - r) >> 32) + (context->decr < decr);
}

static csy_status begin_interval(struct intervals *iv, struct context *context,
                                 const struct record *record, csy_error *error)
{
    bool straggler = context->residency == RESIDENCY_OUT;
    end_interval(iv, context);
    struct thread interval = {.kind = CSY_KIND_SPE,
                              .context = context->id,
                              .ordinal = ++context->intervals,
                              .spe = straggler ? CSY_NO_SPE : context->spe,
                              .decr_first = (uint32_t)record->stamp,
                              .first_record = record->position};
    iv->report.contexts += !context->written;
    iv->report.stragglers += straggler;
    context->written = true;
    context->local_ticks = 0;
    return threads_add(iv->threads, &interval, &context->thread, error);
}

static csy_status continue_interval(struct intervals *iv, struct context *context,
                                    const struct record *record, const char *name,
                                    csy_error *error)
{
    bool split;
    int128 elapsed;
    unwrap_gap(iv, context, (uint32_t)record->stamp, &split, &elapsed);
    if (split)
        return begin_interval(iv, context, record, error);
    int128 local = context->local_ticks + elapsed;
    if (!fits_int64(local))
        return error_set(error, CSY_INPUT,
                         "%s: offset %" PRIu64 ": the local time of context %" PRIu32
                         " leaves 64 bits",
                         name, record->offset, context->id);
    context->local_ticks = (int64_t)local;
    return CSY_OK;
}

static csy_status remember_record(struct intervals *iv, struct context *context, uint32_t decr,
                                  csy_error *error)
{
    context->decr = decr;
    context->has_before = iv->has_ppe;
    context->before_ticks = iv->ppe_ticks;
    context->has_after = false;
    if (!context->in_window) {
        if (!ARRAY_RESERVE(iv->in_window, iv->in_window_capacity, iv->nin_window + 1))
            return error_memory(error);
        iv->in_window[iv->nin_window++] = context;
        context->in_window = true;
    }
    iv->threads->items[context->thread].decr_last = decr;
    return CSY_OK;
}

static csy_status take_spe(struct intervals *iv, const struct record *record, const char *name,
                           uint32_t *thread, int64_t *local_ticks, csy_error *error)
{
    struct context *context;
    csy_status status = context_find(iv, record->thread, &context, error);
    if (status)
        return status;
    if (context->thread == NO_THREAD || context->residency == RESIDENCY_OUT)
        status = begin_interval(iv, context, record, error);
    else
        status = continue_interval(iv, context, record, name, error);
    if (!status)
        status = remember_record(iv, context, (uint32_t)record->stamp, error);
    *thread = context->thread;
    *local_ticks = context->local_ticks;
    return status;
}

csy_status intervals_push(struct intervals *iv, const struct record *record, const char *name,
                          uint32_t *thread, int64_t *local_ticks, csy_error *error)
{
    iv->ended = NO_THREAD;
    csy_status status = record->spe
                            ? take_spe(iv, record, name, thread, local_ticks, error)
                            : take_ppe(iv, record, name, thread, local_ticks, error);
    if (!status)
        threads_note(iv->threads, *thread, record->position, *local_ticks);
    return status;
}

uint32_t intervals_ended(const struct intervals *iv)
{
    return iv->ended;
}

void intervals_finish(struct intervals *iv, bool *again, struct ppe_windows *noted,
                      csy_clock_report *report)
{
    iv->report.assumed += iv->pending;
    *again = iv->noted.count > 0;
    *noted = iv->noted;
    iv->noted = (struct ppe_windows){0};
    *report = iv->report;
}
