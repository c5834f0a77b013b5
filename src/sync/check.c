/*
 * csy_check: prove the guarantees on a synchronized .pex.  cellsync-model(7), Guarantees.
 *
 *   global records --undo by the table--> original records --clock, graph--> constraints
 *
 * The original records must have the CRC that the table gives, fall into the same live intervals and,
 * unwrapped afresh, have the local times that the global ones say (1).  Inversions stay within what
 * was allowed (2).  Offsets satisfy every constraint; bounds are those that Bellman and Ford find (4).
 */
#include "base/error.h"
#include "clock/intervals.h"
#include "graph/dense.h"
#include "graph/shortest.h"
#include "sync/events.h"
#include "sync/progress.h"
#include "sync/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct check {
    struct csy_trace *trace;
    struct table table;
    struct threads threads;
    struct ppe_windows windows;
    struct intervals *intervals;
    struct constraints constraints;
    struct rough rough;
    csy_clock_report clock_report;
    uint8_t original[RECORD_BYTES_MAX + 8];
    uint32_t crc32;
    uint64_t records;
    uint64_t inversions;
    int64_t greatest, largest_inversion_ticks;
    int64_t previous; /* global time and thread of the record before */
    uint32_t previous_thread;
};

static csy_status fail_at(const struct check *check, uint64_t position, const char *what,
                          csy_error *error)
{
    return error_set(error, CSY_CHECK, "%s: record %" PRIu64 ": %s", check->trace->name, position,
                     what);
}

static csy_status fail_thread(const struct check *check, size_t t, const char *what,
                              csy_error *error)
{
    return error_set(error, CSY_CHECK, "%s: thread %zu: %s", check->trace->name, t, what);
}

/* The record as it was before it was synchronized, in check->original. */
static struct record undo(struct check *check, const struct record *r,
                          const struct table_thread *thread)
{
    struct record raw = *r;
    uint64_t local = r->stamp - (uint64_t)thread->offset_ticks;
    uint64_t begin = r->begin;
    memcpy(check->original, r->bytes, RECORD_PREFIX_BYTES);
    raw.bytes = check->original;
    if (r->spe) {
        uint32_t decr = (uint32_t)(thread->decr_first - local);
        uint32_t decr_begin = r->interval ? (uint32_t)(decr + (r->stamp - begin)) : (uint32_t)begin;
        raw.size = r->size - 8;
        raw.stamp = decr;
        raw.begin = decr_begin;
        store32(check->original + 16, decr);
        store32(check->original + 20, decr_begin);
        memcpy(check->original + 24, r->bytes + 32, r->size - 32);
    } else {
        raw.stamp = local;
        raw.begin = r->interval ? begin - (uint64_t)thread->offset_ticks : begin;
        store64(check->original + 16, raw.stamp);
        store64(check->original + 24, raw.begin);
        memcpy(check->original + 32, r->bytes + 32, r->size - 32);
    }
    store16(check->original, (uint16_t)raw.size);
    return raw;
}

/* How far this record may stand below the greatest global time before it, or below its neighbour. */
static bool order_holds(struct check *check, uint32_t thread, int64_t global_ticks)
{
    int64_t allowed = check->table.added_ticks;
    int64_t before = check->largest_inversion_ticks;
    bool neighbours = check->records == 0 || thread == check->previous_thread ||
                      check->previous <= global_ticks ||
                      (uint64_t)check->previous - (uint64_t)global_ticks <= (uint64_t)allowed;
    inversions_note(&check->greatest, global_ticks, &check->inversions,
                    &check->largest_inversion_ticks);
    bool overall = check->largest_inversion_ticks <= allowed ||
                   check->largest_inversion_ticks == before;
    check->previous = global_ticks;
    check->previous_thread = thread;
    return neighbours && (overall || check->table.relax == CSY_RELAX_PAPER);
}

/* The begin stamp is the one that this record's own clock gives: undoing alone would not tell whole
 * wraps apart. */
static bool begin_holds(const struct record *r, const struct record *raw)
{
    if (!r->spe)
        return true;
    if (!r->interval)
        return r->begin <= UINT32_MAX;
    return r->begin == r->stamp - (uint64_t)record_interval_ticks(raw);
}

static csy_status check_record(struct check *check, const struct record *r, csy_error *error)
{
    const struct table_thread *expected = table_find(&check->table, r);
    if (!expected || expected->first_record > r->position)
        return fail_at(check, r->position, "the table has no thread for it", error);
    struct record raw = undo(check, r, expected);
    if (!r->spe && raw.stamp > INT64_MAX)
        return fail_at(check, r->position, "its PPE time would be negative", error);
    check->crc32 = (uint32_t)crc32(check->crc32, raw.bytes, raw.size);
    uint32_t thread;
    int64_t local;
    csy_status status = intervals_push(check->intervals, &raw, check->trace->record_name, &thread,
                                       &local, error);
    if (status)
        return status;
    if (thread != (size_t)(expected - check->table.threads))
        return fail_at(check, r->position, "it belongs to another live interval", error);
    if ((uint64_t)local + (uint64_t)expected->offset_ticks != r->stamp)
        return fail_at(check, r->position, "its global time is not its offset and local time",
                       error);
    if (!begin_holds(r, &raw))
        return fail_at(check, r->position, "its begin stamp is not what its own clock says", error);
    if (!order_holds(check, thread, (int64_t)r->stamp))
        return fail_at(check, r->position, "an inversion larger than delta allows", error);
    check->records++;
    int64_t x;
    status = rough_place(&check->rough, thread, local, &x, error);
    return status ? status : constraints_event(&check->constraints, thread, x, error);
}

static csy_status read_records(struct check *check, struct progress *progress, csy_error *error)
{
    struct csy_trace *trace = check->trace;
    struct record record;
    bool more;
    for (;;) {
        csy_status status = record_read(&trace->records, &record, &more, error);
        if (status || !more)
            return status;
        status = check_record(check, &record, error);
        if (status)
            return status;
        progress_note(progress, trace, record.position);
    }
}

static void forget_pass(struct check *check)
{
    intervals_free(check->intervals);
    check->intervals = NULL;
    constraints_fini(&check->constraints);
    rough_fini(&check->rough);
    threads_fini(&check->threads);
}

static csy_status read_trace(struct check *check, struct progress *progress, csy_error *error)
{
    struct csy_trace *trace = check->trace;
    enum constraint_pairs pairs =
        check->table.added_ticks > 0 && check->table.relax != CSY_RELAX_PAPER ? PAIRS_ALL
                                                                                : PAIRS_IMMEDIATE;
    forget_pass(check);
    threads_init(&check->threads);
    constraints_init(&check->constraints, pairs, CSY_DENSE_THREADS_MAX);
    check->crc32 = 0;
    check->records = check->inversions = 0;
    check->greatest = INT64_MIN;
    check->largest_inversion_ticks = 0;
    csy_status status = trace_rewind(trace, error);
    if (!status)
        status = intervals_new(&check->threads, intervals_imprecision(trace->timebase_hz),
                               &check->windows, &check->intervals, error);
    if (!status)
        status = read_records(check, progress, error);
    struct ppe_windows noted = {0};
    bool again;
    if (!status)
        intervals_finish(check->intervals, &again, &noted, &check->clock_report);
    free(noted.items);
    return status;
}

/* Which windows must be known comes out of a pass over the undone records; the table's own intervals
 * cannot be compared before that. */
static csy_status learn_windows(struct check *check, csy_error *error)
{
    struct csy_trace *trace = check->trace;
    struct record record;
    bool more = true, again;
    csy_clock_report report;
    csy_status status = intervals_new(&check->threads, intervals_imprecision(trace->timebase_hz),
                                      NULL, &check->intervals, error);
    while (!status && more) {
        status = record_read(&trace->records, &record, &more, error);
        const struct table_thread *thread =
            !status && more ? table_find(&check->table, &record) : NULL;
        if (!thread)
            continue;
        struct record raw = undo(check, &record, thread);
        uint32_t index;
        int64_t local;
        if (raw.spe || raw.stamp <= INT64_MAX)
            status = intervals_push(check->intervals, &raw, trace->record_name, &index, &local,
                                    error);
    }
    if (!status)
        intervals_finish(check->intervals, &again, &check->windows, &report);
    return status;
}

static csy_status compare_threads(const struct check *check, csy_error *error)
{
    const struct table *table = &check->table;
    const csy_clock_report *report = &check->clock_report;
    if (check->crc32 != table->original_crc32)
        return error_set(error, CSY_CHECK,
                         "%s: the original records have CRC-32 0x%08" PRIx32
                         ", the table says 0x%08" PRIx32,
                         check->trace->name, check->crc32, table->original_crc32);
    if (check->threads.count != table->count || check->records != table->records)
        return error_set(error, CSY_CHECK,
                         "%s: %" PRIu64 " records of %zu threads, the table has %" PRIu64
                         " of %zu",
                         check->trace->name, check->records, check->threads.count, table->records,
                         table->count);
    if (report->wraps != table->wraps || report->splits != table->splits ||
        report->assumed != table->assumed)
        return error_set(error, CSY_CHECK,
                         "%s: %" PRId64 " wraps, %" PRIu64 " splits and %" PRIu64
                         " gaps assumed, the table has %" PRId64 ", %" PRIu64 " and %" PRIu64,
                         check->trace->name, report->wraps, report->splits, report->assumed,
                         table->wraps, table->splits, table->assumed);
    for (size_t t = 0; t < table->count; t++) {
        const struct thread *found = &check->threads.items[t];
        const struct table_thread *said = &table->threads[t];
        if (found->first_record != said->first_record || found->records != said->records)
            return fail_thread(check, t, "the table counts its records otherwise", error);
        if (!said->ppe && (found->decr_first != said->decr_first || found->spe != said->spe))
            return fail_thread(check, t, "the table has another decr_first or spe", error);
    }
    return CSY_OK;
}

static csy_status find_reference(const struct check *check, size_t *out, csy_error *error)
{
    const char *name = check->table.reference;
    for (size_t t = 0; t < check->threads.count; t++) {
        const struct thread *thread = &check->threads.items[t];
        char text[64];
        snprintf(text, sizeof text, "spe%" PRId64 ".%" PRIu32, thread->context, thread->ordinal);
        if (strcmp(thread->kind == CSY_KIND_PPE ? "ppe" : text, name) == 0) {
            *out = t;
            return CSY_OK;
        }
    }
    return error_set(error, CSY_CHECK, "%s: the table's reference is none of its threads",
                     check->trace->name);
}

/* g[s] - g[t] <= w(s,t) + added for every pair: no order but what delta excuses is broken. */
static csy_status check_constraints(const struct check *check, csy_error *error)
{
    const struct constraints *c = &check->constraints;
    const struct table_thread *threads = check->table.threads;
    for (size_t s = 0; s < c->count; s++) {
        for (size_t t = 0; t < c->count; t++) {
            int64_t w = constraints_weight(c, s, t);
            if (s == t || w >= WALK_FAR)
                continue;
            int128 s_ticks = threads[s].offset_ticks - check->rough.offset[s];
            int128 t_ticks = threads[t].offset_ticks - check->rough.offset[t];
            if (s_ticks - t_ticks > (int128)w + check->table.added_ticks)
                return fail_thread(check, t, "its offset breaks a constraint", error);
        }
    }
    return CSY_OK;
}

/* One end of a thread's bound: tau's offset plus sign * distance, back between real clocks. */
static bool same_end(const struct check *check, size_t t, size_t tau, int sign, int64_t distance,
                     int64_t said)
{
    if (distance >= WALK_FAR)
        return said == (sign < 0 ? INT64_MIN : INT64_MAX);
    int128 end = check->table.threads[tau].offset_ticks + (int128)sign * distance +
                 check->rough.offset[t] - check->rough.offset[tau];
    return end == said;
}

static bool same_offset(const struct check *check, size_t t, size_t tau, int64_t from, int64_t to)
{
    const csy_fraction alpha = check->table.alpha;
    if (from >= WALK_FAR || to >= WALK_FAR)
        return true;
    int128 inside = floor_div(alpha.num * (int128)to - (alpha.den - alpha.num) * (int128)from, alpha.den);
    int128 offset = check->table.threads[tau].offset_ticks + inside + check->rough.offset[t] -
                    check->rough.offset[tau];
    return offset == check->table.threads[t].offset_ticks;
}

static csy_status compare_bounds(const struct check *check, size_t tau, const int64_t *from,
                                 const int64_t *to, csy_error *error)
{
    for (size_t t = 0; t < check->table.count; t++) {
        const struct table_thread *said = &check->table.threads[t];
        if (!same_end(check, t, tau, -1, from[t], said->earliest_ticks) ||
            !same_end(check, t, tau, 1, to[t], said->latest_ticks))
            return fail_thread(check, t, "its bound is not what an independent solver finds", error);
        if (!same_offset(check, t, tau, from[t], to[t]))
            return fail_thread(check, t, "its offset is not where alpha puts it", error);
        if (said->ppe && said->offset_ticks != 0)
            return fail_thread(check, t, "the PPE's offset is not 0", error);
    }
    return CSY_OK;
}

/* Global time is the PPE timebase; without a PPE the least global time is 0. */
static csy_status check_origin(const struct check *check, csy_error *error)
{
    int128 least = INT64_MAX;
    for (size_t t = 0; t < check->table.count; t++) {
        int128 first = (int128)check->table.threads[t].offset_ticks + check->threads.items[t].min_ticks;
        least = first < least ? first : least;
    }
    if (check->threads.ppe == NO_THREAD && least != 0)
        return error_set(error, CSY_CHECK, "%s: the least global time is not 0",
                         check->trace->name);
    return CSY_OK;
}

static csy_status check_bounds(const struct check *check, csy_error *error)
{
    const struct constraints *c = &check->constraints;
    size_t tau = 0;
    bool feasible = true;
    if (c->beyond_limit)
        return error_set(error, CSY_MEMORY, "%s: more than %d threads cannot be checked",
                         check->trace->name, CSY_DENSE_THREADS_MAX);
    int64_t *from = malloc(c->count * sizeof *from);
    int64_t *to = malloc(c->count * sizeof *to);
    csy_status status = from && to ? find_reference(check, &tau, error) : error_memory(error);
    if (!status)
        status = dense_check_range(c, check->table.added_ticks, error);
    if (!status) {
        shortest_from_and_to(c, check->table.added_ticks, tau, from, to, &feasible);
        status = feasible ? check_constraints(check, error)
                          : error_set(error, CSY_CHECK, "%s: infeasible with the table's delta",
                                      check->trace->name);
    }
    if (!status)
        status = compare_bounds(check, tau, from, to, error);
    if (!status)
        status = check_origin(check, error);
    free(from);
    free(to);
    return status;
}

static csy_status check_trace(struct check *check, struct progress *progress, csy_error *error)
{
    csy_status status = table_read(check->trace, &check->table, error);
    if (!status && check->table.count == 0)
        status = error_set(error, CSY_INPUT, "%s: the table has no threads", check->trace->name);
    if (!status)
        status = learn_windows(check, error);
    if (!status)
        status = read_trace(check, progress, error);
    if (!status)
        status = compare_threads(check, error);
    if (!status)
        status = check_bounds(check, error);
    return status;
}

csy_status csy_check(const char *path, csy_progress call, void *user, csy_proof *out,
                     csy_error *error)
{
    csy_trace *trace;
    csy_status status = csy_trace_open(path, CSY_FORMAT_AUTO, &trace, error);
    if (status)
        return status;
    struct check *check = calloc(1, sizeof *check);
    struct progress progress = {call, user, "checking"};
    if (!check) {
        status = error_memory(error);
    } else if (trace->format != CSY_FORMAT_PEX || !trace->metadata.global) {
        status = error_set(error, CSY_INPUT, "%s: not a synchronized .pex", trace->name);
    } else {
        check->trace = trace;
        threads_init(&check->threads);
        status = check_trace(check, &progress, error);
    }
    if (!status)
        *out = (csy_proof){
            .records = check->records,
            .threads = check->threads.count,
            .inversions = check->inversions,
            .largest_inversion_ticks = check->largest_inversion_ticks,
            .allowed_inversion_ticks = check->table.added_ticks,
            .original_crc32 = check->crc32,
        };
    if (check) {
        forget_pass(check);
        free(check->windows.items);
        table_fini(&check->table);
    }
    free(check);
    csy_trace_free(trace);
    return status;
}
