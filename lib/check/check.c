/* Proofs for all file formats: of the order of events, of offsets, and of bounds. */
#include "check/check.h"

#include "base/array.h"
#include "base/error.h"
#include "sync/events.h"
#include "sync/line/drop.h"
#include "sync/measure.h"
#include "trace/offsets.h"

#include <inttypes.h>
#include <string.h>

csy_status check_measured(const struct check *check, const char *said, csy_error *error)
{
    const struct measured_offsets *offsets = check_source(check)->offsets;
    const char *name = check->trace->name;
    char text[48] = "";
    if (!said && !offsets)
        return CSY_OK;
    if (!said)
        return error_set(error, CSY_USAGE,
                         "%s: this trace was synchronized without --offsets; omit the option",
                         name);
    if (!offsets)
        return error_set(error, CSY_USAGE,
                         "%s: this trace was synchronized with measured offsets; pass the same "
                         "file with --offsets",
                         name);
    snprintf(text, sizeof text, "%zu:0x%08" PRIx32, offsets->count, offsets->crc32);
    return strcmp(text, said) == 0
               ? CSY_OK
               : error_set(error, CSY_INPUT,
                           "%s: this trace was synchronized with another file of offsets than %s",
                           name, offsets->name);
}

csy_status check_choices(const struct check *check, const char *where, const char *what,
                         csy_error *error)
{
    const struct table *table = &check->table;
    return table->ndropped == 0 && table->relax != CSY_RELAX_PAPER &&
                   table->center != CSY_CENTER_LOCAL
               ? CSY_OK
               : error_set(error, CSY_INPUT,
                           "%s: %s contains dropped records, relax=paper, or center=local, which "
                           "%s cannot have",
                           check->trace->name, where, what);
}

csy_status check_fail_at(const struct check *check, uint64_t position, const char *what,
                         csy_error *error)
{
    return error_set(error, CSY_CHECK, "%s: record %" PRIu64 ": %s", check->trace->name, position,
                     what);
}

csy_status check_fail_thread(const struct check *check, size_t t, const char *what,
                             csy_error *error)
{
    return error_set(error, CSY_CHECK, "%s: thread %zu: %s", check->trace->name, t, what);
}

csy_status check_dropped(struct check *check, uint64_t position, uint64_t first_record,
                         int64_t global_ticks, bool *dropped, csy_error *error)
{
    const struct table *table = &check->table;
    *dropped = sorted_has(table->dropped, table->ndropped, &check->next_dropped, position);
    if (*dropped)
        absent_add(&check->absent, global_ticks);
    else
        absent_other(&check->absent, global_ticks);
    return *dropped && position == first_record
               ? check_fail_at(check, position,
                               "this record is listed as dropped, but the first record of a thread "
                               "cannot be dropped",
                               error)
               : CSY_OK;
}

csy_status check_all_dropped(const struct check *check, csy_error *error)
{
    const struct table *table = &check->table;
    uint64_t records = check->survey.records, most = records / DROP_ONE_IN;
    if (table->ndropped > most)
        return error_set(error, CSY_CHECK,
                         "%s: %zu records are listed as dropped, but the limit is 1 %% of %" PRIu64,
                         check->trace->name, table->ndropped, records);
    if (table->ndropped > 0 && table->dropped[table->ndropped - 1] >= records)
        return error_set(error, CSY_CHECK,
                         "%s: record %" PRIu64
                         " is listed as dropped, but the number of records is only %" PRIu64,
                         check->trace->name, table->dropped[table->ndropped - 1], records);
    return CSY_OK;
}

bool check_order(struct check *check, size_t thread, int64_t global_ticks)
{
    uint64_t allowed = (uint64_t)check->table.added_ticks;
    bool paper = check->table.relax == CSY_RELAX_PAPER;
    bool neighbours = check->previous_thread == SIZE_MAX || check->previous_thread == thread ||
                      check->previous <= global_ticks ||
                      (uint64_t)check->previous - (uint64_t)global_ticks <= allowed;
    bool overall = check->inversions.greatest_ticks <= global_ticks ||
                   (uint64_t)check->inversions.greatest_ticks - (uint64_t)global_ticks <= allowed;
    inversions_note(&check->inversions, global_ticks);
    check->previous = global_ticks;
    check->previous_thread = thread;
    return neighbours && (overall || paper);
}

static bool is_one_sided(const struct table_thread *said)
{
    return said->earliest_ticks == INT64_MIN || said->latest_ticks == INT64_MAX;
}

static csy_status start(void *user, struct taker *taker, csy_error *error)
{
    (void)error;
    *taker = *(const struct taker *)user;
    return CSY_OK;
}

csy_status check_survey(struct check *check, const struct taker *taker,
                        const struct progress *progress, csy_error *error)
{
    struct first_pass first = {.start = start, .user = unconst(taker), .progress = progress};
    return pass_survey(check_source(check), &check->survey, &first, error);
}

csy_status check_begin_proofs(struct check *check, csy_error *error)
{
    bool one_sided = false;
    csy_status status = CSY_OK;
    for (size_t t = 0; t < check->table.rows.count; t++)
        one_sided |= is_one_sided(&check->table.rows.threads[t]);
    for (enum proof_end i = 0; i <= (one_sided ? PROOF_PLACED : PROOF_LATEST) && !status; i++)
        status = proof_init(&check->proofs[i], i, &check->table, error);
    return status;
}

csy_status check_prove(struct check *check, uint32_t thread, int64_t local_ticks, csy_error *error)
{
    csy_status status = CSY_OK;
    for (enum proof_end i = 0; i <= PROOF_PLACED && check->proofs[i].threads && !status; i++)
        status = proof_event(&check->proofs[i], thread, local_ticks, error);
    return status;
}

csy_status check_find_reference(const struct check *check, size_t *out, csy_error *error)
{
    char text[THREAD_NAME_MAX];
    for (size_t t = 0; t < check->survey.threads.count; t++) {
        const char *name = thread_name(&check->survey.threads.items[t], text);
        if (strcmp(name, check->table.reference) == 0) {
            *out = t;
            return CSY_OK;
        }
    }
    return error_set(error, CSY_CHECK, "%s: no thread has the name of the reference",
                     check->trace->name);
}

/* Returns true if global times keep the order of the buffer although delta allows exceptions. */
static bool keeps_order(const struct check *check)
{
    return check->table.ordered && check->inversions.count == 0;
}

/* Check that offsets are at the fraction alpha between their bounds. Exceptions: --center=local,
 * threads that lack a bound, and records when a clock may have been set. */
static csy_status check_offsets(const struct check *check, size_t tau, csy_error *error)
{
    const struct table *table = &check->table;
    const csy_fraction alpha = table->alpha;
    for (size_t t = 0; t < table->rows.count; t++) {
        const struct table_thread *said = &table->rows.threads[t];
        int64_t base = table->rows.threads[tau].offset_ticks;
        int128 before = (int128)base - said->earliest_ticks;
        int128 after = (int128)said->latest_ticks - base;
        int128 up = alpha.num * after - (alpha.den - alpha.num) * before;
        bool elsewhere = table->center == CSY_CENTER_LOCAL || is_one_sided(said) ||
                         check->survey.threads.items[t].set;
        bool same = keeps_order(check)
                        ? said->offset_ticks >= said->earliest_ticks &&
                              said->offset_ticks <= said->latest_ticks
                        : elsewhere || base + floor_div(up, alpha.den) == said->offset_ticks;
        if (!check->strict && !same)
            return check_fail_thread(
                check, t, "the offset of this thread is not at the fraction alpha of its bounds",
                error);
        if (said->ppe && said->offset_ticks != 0)
            return check_fail_thread(check, t, "the offset of the PPE is not 0", error);
    }
    return CSY_OK;
}

int128 check_least(const struct check *check)
{
    int128 least = 0;
    for (size_t t = 0; t < check->table.rows.count; t++) {
        int128 first = placement_global(check->table.rows.threads[t].offset_ticks,
                                        check->survey.threads.items[t].min_ticks);
        least = t == 0 || first < least ? first : least;
    }
    return least;
}

/* Check that global time is the time of the PPE. Without a PPE, the least global time must be 0. */
static csy_status check_origin(const struct check *check, csy_error *error)
{
    if (check->survey.threads.ppe == NO_THREAD && check_least(check) != 0)
        return error_set(error, CSY_CHECK, "%s: the smallest global time is not 0",
                         check->trace->name);
    return CSY_OK;
}

csy_status check_places(const struct check *check, size_t tau, csy_error *error)
{
    csy_status status = check_offsets(check, tau, error);
    return status ? status : check_origin(check, error);
}

csy_status check_prove_order(struct check *check, size_t tau, csy_error *error)
{
    if (check->drift)
        return check_drift_prove(check->drift, tau, error);
    csy_status status = check_partial_ends(check->partial, tau, error);
    return status ? status : check_places(check, tau, error);
}

csy_status check_set_end(struct check *check, size_t t, bool earliest, bool none, int128 by,
                         csy_error *error)
{
    struct table_thread *thread = &check->table.rows.threads[t];
    int128 end = none ? (earliest ? INT64_MIN : INT64_MAX) : thread->offset_ticks + by;
    *(earliest ? &thread->earliest_ticks : &thread->latest_ticks) = (int64_t)end;
    return fits_int64(end)
               ? CSY_OK
               : check_fail_thread(check, t, "the bounds of this thread do not fit 64 bits", error);
}

csy_status check_bounds(struct check *check, csy_error *error)
{
    size_t tau = 0;
    uint32_t ends[] = {NO_THREAD, NO_THREAD}, misplaced = NO_THREAD;
    csy_status status = check_find_reference(check, &tau, error);
    for (enum proof_end i = 0; i <= PROOF_LATEST && !status; i++)
        status = proof_finish(&check->proofs[i], (uint32_t)tau, &ends[i], error);
    uint32_t fault = ends[0] < ends[1] ? ends[0] : ends[1];
    if (!status && fault != NO_THREAD)
        status = check_fail_thread(
            check, fault, "the bounds of this thread are not those that the records prove", error);
    if (!status && check->table.ordered && check->inversions.count > 0)
        status = error_set(error, CSY_CHECK,
                           "%s: the offsets should keep the order of the records, but some records "
                           "are out of order",
                           check->trace->name);
    status = status ? status : check_offsets(check, tau, error);
    if (!status && check->proofs[PROOF_PLACED].threads && !keeps_order(check))
        status = proof_finish(&check->proofs[PROOF_PLACED], (uint32_t)tau, &misplaced, error);
    if (!status && misplaced != NO_THREAD)
        status = check_fail_thread(
            check, misplaced, "the offset of this thread does not agree with its one-sided bounds",
            error);
    status = status ? status : check_origin(check, error);
    return status;
}
