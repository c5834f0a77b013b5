/* Proves the guarantees of a synchronized .pex (csy_check). See cellsync-model(7), Guarantees.
 *
 *   global records --undo with the table--> original records --clock--> events --> proofs
 *
 * The table of the file states each thread's offset, which gives back the original records. They
 * must have the checksum and the live intervals of the table. If their counters are unwrapped
 * again, the local times must match the global times. Inversions must be no larger than delta (the
 * timestamp error) allows. The bounds in the table must be the tightest that the constraints imply.
 * Memory depends only on the table. */
#include "check/check.h"

#include "base/array.h"
#include "base/crc.h"
#include "base/error.h"
#include "order/match.h"
#include "sync/events.h"
#include "sync/line/drop.h"
#include "sync/measure.h"
#include "trace/input.h"

#include <inttypes.h>
#include <stdlib.h>

static csy_status check_ordered_bounds(struct check *check, csy_error *error)
{
    size_t tau = 0;
    struct table_rows *rows = &check->table.rows;
    csy_status status = check_find_reference(check, &tau, error);
    status = status ? status : check_partial_order(check->partial, error);
    if (status)
        return status;
    int64_t *said = malloc((2 * rows->count + 1) * sizeof *said);
    if (!said)
        return error_memory(error);
    for (size_t t = 0; t < rows->count; t++) {
        said[2 * t] = rows->threads[t].earliest_ticks;
        said[2 * t + 1] = rows->threads[t].latest_ticks;
    }
    status = check_partial_ends(check->partial, tau, error);
    for (size_t t = 0; t < rows->count && !status; t++)
        if (said[2 * t] != rows->threads[t].earliest_ticks ||
            said[2 * t + 1] != rows->threads[t].latest_ticks)
            status = check_fail_thread(
                check, t, "the bounds of this thread are not those that the records prove", error);
    free(said);
    return status ? status : check_places(check, tau, error);
}

/* Restore the original record. Called for each record before its use. */
static csy_status restore(void *user, struct record *record, csy_error *error)
{
    struct check *check = user;
    const char *fault = restore_record(&check->restore, record);
    return fault ? check_fail_at(check, check->restore.global.position, fault, error) : CSY_OK;
}

/* For --unwrap=strict. cellsync then uses bounds to find the time between two records, as the
 * function type unwrap_closed (clock/unwrap.h) describes. Here, the offsets in the file give this
 * time, except for timestamp errors. */
static csy_status take_tables_word(void *user, uint32_t thread, const int64_t *end_ticks,
                                   struct elapsed_limits *out, bool *applies, csy_error *error)
{
    const struct check *check = user;
    (void)end_ticks, (void)error;
    *applies = true;
    if (thread != (size_t)(check->restore.said - check->table.rows.threads)) {
        /* In the file, another thread begins with this record. Limits that no time satisfies make
         * the unwrapper begin one here, too. */
        *out = (struct elapsed_limits){UNWRAP_NO_LIMIT, 0};
        return CSY_OK;
    }
    int128 local =
        placement_local(check->restore.said->offset_ticks, (int64_t)check->restore.global.stamp);
    int128 elapsed = local - check->last_ticks[thread];
    int64_t b = check->table.max_imprecision_ticks;
    *out = (struct elapsed_limits){elapsed + b, elapsed - b};
    return CSY_OK;
}

/* Store the local time of the thread's next record: the global time in the file minus the thread's
 * offset. */
static csy_status note_local(void *user, const struct event *event, csy_error *error)
{
    struct check *check = user;
    (void)event, (void)error;
    check->last_ticks[check->restore.said - check->table.rows.threads] = (int64_t)placement_local(
        check->restore.said->offset_ticks, (int64_t)check->restore.global.stamp);
    return CSY_OK;
}

static csy_status check_event(void *user, const struct event *event, csy_error *error)
{
    struct check *check = user;
    const struct record *r = &check->restore.global;
    size_t thread = (size_t)(check->restore.said - check->table.rows.threads);
    uint64_t position = event->position;
    check->crc32 = crc_add(check->crc32, event->bytes, event->size);
    /* The begin must be the end minus the length of the interval. With 64 bits, this includes whole
     * wraps of the decrementer. */
    bool begins = !r->spe ? true
                  : r->interval
                      ? r->begin == r->stamp - (uint64_t)record_interval_ticks(event->record)
                      : r->begin <= UINT32_MAX;
    int128 global = placement_global(check->restore.said->offset_ticks, event->local_ticks);
    const char *fault =
        event->thread != thread
            ? "this record belongs to another live interval than the table of threads states"
        : (uint64_t)global != r->stamp
            ? "the global time of this record is not its local time plus the offset of its thread"
        : !begins ? "the begin of this record does not agree with its duration by the local clock"
                  : NULL;
    if (fault)
        return check_fail_at(check, position, fault, error);
    if (check->partial)
        return check_partial_event(check->partial, event, (int64_t)r->stamp, error);
    bool dropped;
    csy_status status = check_dropped(check, position, check->restore.said->first_record,
                                      (int64_t)r->stamp, &dropped, error);
    if (status || dropped)
        return status;
    if (!check_order(check, thread, (int64_t)r->stamp))
        return check_fail_at(check, position,
                             "this record is before an earlier one by more than delta allows",
                             error);
    return check_prove(check, event->thread, event->local_ticks, error);
}

static csy_status compare_threads(const struct check *check, csy_error *error)
{
    const struct table *table = &check->table;
    const csy_clock_report *report = &check->survey.clock_report;
    if (check->crc32 != table->original_crc32)
        return error_set(error, CSY_CHECK,
                         "%s: the original records have CRC-32 0x%08" PRIx32
                         ", but the table of threads gives 0x%08" PRIx32 ": a file has changed",
                         check->trace->name, check->crc32, table->original_crc32);
    csy_status status = check_all_dropped(check, error);
    if (status)
        return status;
    if (check->survey.threads.count != table->rows.count || check->survey.records != table->records)
        return error_set(error, CSY_CHECK,
                         "%s: found %" PRIu64
                         " records of %zu threads, but the table of threads gives %" PRIu64
                         " records of %zu threads",
                         check->trace->name, check->survey.records, check->survey.threads.count,
                         table->records, table->rows.count);
    if (report->wraps != table->wraps || report->splits != table->splits ||
        report->assumed != table->assumed)
        return error_set(error, CSY_CHECK,
                         "%s: the numbers of wraps, splits, and assumed gaps are %" PRId64
                         ", %" PRIu64 ", and %" PRIu64 ", but the table of threads gives %" PRId64
                         ", %" PRIu64 ", and %" PRIu64,
                         check->trace->name, report->wraps, report->splits, report->assumed,
                         table->wraps, table->splits, table->assumed);
    for (size_t t = 0; t < table->rows.count; t++) {
        const struct thread *found = &check->survey.threads.items[t];
        const struct table_thread *said = &table->rows.threads[t];
        const char *fault =
            found->first_record != said->first_record || found->records != said->records
                ? "first_record or records in the table of threads is wrong for this thread"
            : !said->ppe && (found->decr_first != said->decr_first || found->spe != said->spe)
                ? "decr_first or spe in the table of threads is wrong for this thread"
                : NULL;
        if (fault)
            return check_fail_thread(check, t, fault, error);
    }
    return CSY_OK;
}

static csy_status check_trace(struct check *check, struct progress *progress, csy_error *error)
{
    csy_status status = table_check_provable(check->trace, error);
    status = status ? status : table_read(check->trace, &check->table, error);
    if (!status && check->table.rows.count == 0)
        status = error_set(error, CSY_INPUT, "%s: the table of threads in the .pex is empty",
                           check->trace->name);
    check->last_ticks = calloc(check->table.rows.count + 1, sizeof *check->last_ticks);
    if (!status && !check->last_ticks)
        status = error_memory(error);
    status = status ? status : absent_init(&check->absent, check->table.ndropped, error);
    if (!status && !check->trace->partial) {
        status = check_begin_proofs(check, error);
    } else if (!status) {
        struct check_rule *rule = &check->rule;
        status = table_read_latencies(check->trace, &rule->latency_ticks, &rule->latency_max_ticks,
                                      error);
        if (!status)
            status = check_measured(check, element_text(check->trace->table, "offsets"), error);
        if (!status)
            status = check_choices(check, "the element synchronization", "a partial order", error);
        status = status ? status : check_begin_order(check, error);
    }
    /* Read the original records and find the threads, then compare each record with the table. */
    const struct taker first = {.observe = note_local, .observer = check};
    struct taker taker = {.observe = check_event, .observer = check};
    struct timeline_rules *rules = &check->survey.rules;
    *rules = timeline_default_rules(check->trace);
    rules->imprecision_ticks = check->table.max_imprecision_ticks;
    rules->strict = check->table.strict;
    rules->closed = rules->strict ? take_tables_word : NULL;
    rules->closed_user = check;
    check->restore.table = &check->table;
    rules->prepare = restore;
    rules->prepare_user = check;
    status = status ? status : check_survey(check, &first, progress, error);
    check->inversions.greatest_ticks = INT64_MIN;
    check->previous_thread = SIZE_MAX;
    if (!status)
        status = pass_again(check->trace, &check->survey, NO_THREAD, &taker, progress, error);
    status = status ? status : compare_threads(check, error);
    if (!status)
        status = check->partial ? check_ordered_bounds(check, error) : check_bounds(check, error);
    return status ? status : trace_check_unchanged(check->trace, error);
}

static csy_status make_proof(struct check *check, csy_proof **out, csy_error *error)
{
    const struct csy_trace *trace = check->trace;
    const struct survey *survey = &check->survey;
    uint64_t in_place = 0;
    csy_proof *proof = malloc(sizeof *proof);
    if (!proof)
        return error_memory(error);
    absent_finish(&check->absent);
    for (size_t i = 0; i < check->absent.count; i++) {
        int64_t early = check->absent.items[i].early_ticks, size = early < 0 ? -early : early;
        in_place += size <= check->table.added_ticks;
    }
    *proof = (csy_proof){
        .format = trace->source->format,
        .columns = csv_reader_exact_global(&trace->lines, false) != CSV_NO_COLUMN,
        .beside = check->made_of != NULL,
        .records = survey->records,
        .threads = survey->threads.count,
        .tracks = survey->threads.ntracks,
        .inversions = check->inversions.count,
        .largest_inversion_ticks = check->inversions.largest_ticks,
        .allowed_inversion_ticks = check->table.added_ticks,
        .dropped = check->table.ndropped,
        .center = check->table.center,
        .ordered = check->table.ordered,
        .neighbours_only = check->table.relax == CSY_RELAX_PAPER,
        .assumed = check->table.assumed,
        .original_crc32 = check->crc32,
        .dropped_in_place = in_place,
        .unbounded = check->unbounded,
        .unplaced = check->unplaced,
        .sorted = !trace->source->buffer && !trace->partial
                      ? sorted_as(&survey->threads, survey->records, check->by_time)
                      : CSY_SORTED_NOT,
        .drift_ppb = CSY_NO_DRIFT,
        .wander_ppb = CSY_NO_DRIFT,
    };
    if (check->drift)
        check_drift_fill(check->drift, proof);
    *out = proof;
    return CSY_OK;
}

void csy_proof_free(csy_proof *proof)
{
    free(proof);
}

static csy_status prove(struct check *check, struct progress *progress, csy_error *error)
{
    const struct csy_trace *trace = check->trace;
    if (trace->is_global)
        return check_trace(check, progress, error);
    if (trace->source->facts)
        return check_archive(check, progress, error);
    if (trace->source->shaped)
        return check_csv(check, progress, error);
    return trace->source->rows_keep_order
               ? error_set(error, CSY_INPUT,
                           "%s: %s has no place for the bounds of clocks, so this file cannot be "
                           "checked. Write the events also as CSV (-o FILE.csv), and check the CSV",
                           trace->name, trace->source->title)
               : error_set(error, CSY_INPUT,
                           "%s: the file is not a .pex that was synchronized by cellsync",
                           trace->name);
}

csy_status csy_check(const char *path, const char *original, const csy_input *input,
                     csy_progress progress, void *user, csy_proof **out, csy_error *error)
{
    return csy_check_files(path, &original, original ? 1 : 0, input, progress, user, out, error);
}

csy_status csy_check_files(const char *path, const char *const *originals, size_t n,
                           const csy_input *input, csy_progress progress, void *user,
                           csy_proof **out, csy_error *error)
{
    csy_trace *trace;
    csy_input plain = input ? *input : (csy_input){.format = CSY_FORMAT_AUTO};
    if (n > 0)
        plain.offsets = NULL; /* measured offsets belong to the original trace, not to the CSV */
    csy_status status = csy_trace_open(path, &plain, &trace, error);
    if (status)
        return status;
    struct check *check = calloc(1, sizeof *check);
    struct progress shown = {progress, user, "checking"};
    if (!check) {
        csy_trace_free(trace);
        return error_memory(error);
    }
    check->trace = trace;
    check->rule.rate_ppb = CSY_NO_DRIFT;
    if (n > 0)
        status = check_beside_open(check, originals, n, input ? input->offsets : NULL, error);
    status = status ? status : prove(check, &shown, error);
    status = status ? status : make_proof(check, out, error);
    survey_fini(&check->survey);
    for (enum proof_end i = 0; i <= PROOF_PLACED; i++)
        proof_fini(&check->proofs[i]);
    table_fini(&check->table);
    absent_fini(&check->absent);
    check_partial_free(check->partial);
    check_drift_free(check->drift);
    match_free(check->match);
    points_fini(&check->points);
    csy_trace_free(check->made_of);
    FREE_ALL(check->order, check->last_ticks, check);
    csy_trace_free(trace);
    return status;
}
