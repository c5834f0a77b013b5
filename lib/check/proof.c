/* Proves that bounds are the tightest that the constraints imply. */
#include "check/proof.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <stdlib.h>

/* stands for infinity in sums of a bound and a time */
#define FAR ((int128)1 << 100)

enum { FIRST_TIGHT = 1024 };

csy_status proof_init(struct proof *proof, enum proof_end which, const struct table *table,
                      csy_error *error)
{
    *proof = (struct proof){.which = which,
                            .table = table,
                            .all_pairs = table->added_ticks > 0 && table->relax != CSY_RELAX_PAPER,
                            .threads = calloc(table->rows.count + 1, sizeof *proof->threads),
                            .broken_from = NO_THREAD};
    for (size_t t = 0; proof->threads && t < table->rows.count; t++)
        proof->threads[t].end_ticks = which == PROOF_EARLIEST
                                          ? table->rows.threads[t].earliest_ticks
                                      : which == PROOF_LATEST ? table->rows.threads[t].latest_ticks
                                                              : table->rows.threads[t].offset_ticks;
    return proof->threads ? CSY_OK : error_memory(error);
}

void proof_fini(struct proof *proof)
{
    FREE_ALL(proof->threads, proof->leaders, proof->tight);
    *proof = (struct proof){0};
}

static bool is_bounded(const struct proof *proof, uint32_t t)
{
    int64_t end = proof->threads[t].end_ticks;
    return proof->which == PROOF_PLACED || (end != INT64_MIN && end != INT64_MAX);
}

static void sort_tight(struct proof *proof)
{
    size_t kept = 0;
    sort_numbers(proof->tight, proof->ntight);
    for (size_t i = 0; i < proof->ntight; i++)
        if (kept == 0 || proof->tight[kept - 1] != proof->tight[i])
            proof->tight[kept++] = proof->tight[i];
    proof->ntight = kept;
}

csy_status proof_event(struct proof *proof, uint32_t thread, int64_t local_ticks, csy_error *error)
{
    struct proof_thread *own = &proof->threads[thread];
    int64_t end = own->end_ticks;
    bool latest = proof->which == PROOF_LATEST;
    int128 place = is_bounded(proof, thread) ? (int128)end + local_ticks
                   : end == INT64_MIN        ? -FAR
                                             : FAR;
    /* `greatest` stands for all earlier events: if this event meets its constraint with it, it
     * meets all. */
    int128 limit = place + proof->table->added_ticks;
    bool applies = proof->nleaders > 0 && (proof->all_pairs || proof->leaders[0] != thread);
    if (applies && proof->greatest > limit && proof->broken_from == NO_THREAD) {
        proof->broken_from = latest ? thread : proof->leaders[0];
        proof->broken_to = latest ? proof->leaders[0] : thread;
    }
    if (applies && proof->greatest == limit && is_bounded(proof, thread)) {
        for (size_t i = own->met == proof->reign ? own->met_nleaders : 0; i < proof->nleaders;
             i++) {
            uint32_t s = proof->leaders[i];
            if (proof->ntight == proof->tight_capacity) {
                sort_tight(proof);
                size_t need = 2 * proof->ntight + FIRST_TIGHT;
                if (!ARRAY_RESERVE(proof->tight, proof->tight_capacity, need))
                    return error_memory(error);
            }
            proof->tight[proof->ntight++] =
                (uint64_t)(latest ? thread : s) << 32 | (latest ? s : thread);
        }
        own->met = proof->reign;
        own->met_nleaders = proof->nleaders;
    }
    if (!proof->all_pairs || proof->nleaders == 0 || place > proof->greatest) {
        proof->reign++;
        proof->nleaders = 0;
        proof->greatest = place;
    }
    if (place < proof->greatest || own->led == proof->reign)
        return CSY_OK;
    own->led = proof->reign;
    return ARRAY_PUSH(proof->leaders, proof->nleaders, proof->leaders_capacity, thread)
               ? CSY_OK
               : error_memory(error);
}

/* Follow constraints in `tight` from reached threads, and set `reached` for all threads found.
 * `waiting` is scratch memory with an entry for each thread. */
static void reach(const struct proof *proof, bool *reached, uint32_t *waiting)
{
    size_t nwaiting = 0;
    for (uint32_t t = 0; t < proof->table->rows.count; t++)
        if (reached[t])
            waiting[nwaiting++] = t;
    while (nwaiting > 0) {
        uint32_t from = waiting[--nwaiting];
        size_t i = 0, high = proof->ntight;
        BISECT(i, high, middle, proof->tight[middle] >> 32 < from);
        for (; i < proof->ntight && proof->tight[i] >> 32 == from; i++) {
            uint32_t to = (uint32_t)proof->tight[i];
            if (reached[to])
                continue;
            reached[to] = true;
            waiting[nwaiting++] = to;
        }
    }
}

static bool is_attained(const struct proof *proof, const bool *reached, uint32_t tau, uint32_t t)
{
    int64_t unbounded = proof->which == PROOF_EARLIEST ? INT64_MIN : INT64_MAX;
    return reached[t] || (t != tau && proof->threads[t].end_ticks == unbounded);
}

/* Returns a thread with an offset that violates the conditions at the head of proof.h, or
 * NO_THREAD. */
static uint32_t find_misplaced(struct proof *proof, bool *reached, uint32_t *waiting)
{
    const struct table_rows *rows = &proof->table->rows;
    for (uint32_t t = 0; t < rows->count; t++)
        reached[t] = rows->threads[t].earliest_ticks != INT64_MIN &&
                     rows->threads[t].latest_ticks != INT64_MAX;
    sort_tight(proof);
    reach(proof, reached, waiting);
    for (uint32_t t = 0; t < rows->count; t++)
        if (rows->threads[t].earliest_ticks == INT64_MIN)
            reached[t] = false;
        else if (!reached[t])
            return t;
    for (size_t i = 0; i < proof->ntight; i++) /* exchange from and to */
        proof->tight[i] = proof->tight[i] << 32 | proof->tight[i] >> 32;
    sort_tight(proof);
    reach(proof, reached, waiting);
    for (uint32_t t = 0; t < rows->count; t++)
        if (!reached[t])
            return t;
    return proof->broken_from;
}

csy_status proof_finish(struct proof *proof, uint32_t tau, uint32_t *fault, csy_error *error)
{
    size_t n = proof->table->rows.count;
    bool *reached = calloc(n, sizeof *reached);
    uint32_t *waiting = malloc(n * sizeof *waiting);
    csy_status status = reached && waiting ? CSY_OK : error_memory(error);
    if (!status && proof->which == PROOF_PLACED) {
        *fault = find_misplaced(proof, reached, waiting);
    } else if (!status) {
        sort_tight(proof);
        reached[tau] =
            proof->threads[tau].end_ticks == proof->table->rows.threads[tau].offset_ticks;
        reach(proof, reached, waiting);
        *fault = NO_THREAD;
        for (uint32_t t = 0; t < n && *fault == NO_THREAD; t++)
            *fault = is_attained(proof, reached, tau, t) ? NO_THREAD : t;
        if (proof->broken_from != NO_THREAD)
            *fault = is_attained(proof, reached, tau, proof->broken_from) ? proof->broken_to
                                                                          : proof->broken_from;
    }
    FREE_ALL(reached, waiting);
    return status;
}
