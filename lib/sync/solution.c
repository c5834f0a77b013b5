/* Functions for the members of a solution, and public functions that return results. */
#include "sync/solution.h"

#include "base/array.h"
#include "base/error.h"
#include "base/near.h"
#include "base/sort.h"
#include "graph/exact.h"
#include "sync/drift_clocks.h"
#include "sync/partial_order.h"
#include "sync/reread/table.h"
#include "trace/source.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

csy_status solution_name_threads(struct csy_sync *sync, csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    size_t n = threads->count, ntracks = threads->ntracks, start = 0;
    if (n == 0)
        return error_set(error, CSY_INPUT, "%s: the trace has no records", sync->trace->name);
    sync->views = calloc(n, sizeof *sync->views);
    sync->names = malloc(n * THREAD_NAME_MAX);
    if (!sync->views || !sync->names)
        return error_memory(error);
    for (size_t t = 0; t < n; t++) {
        const struct thread *thread = &threads->items[t];
        sync->views[t] = (csy_thread){
            .name = thread_name(thread, sync->names + t * THREAD_NAME_MAX),
            .kind = thread->kind,
            .context = thread->context,
            .spe = thread->spe,
            .first_record = thread->first_record,
            .records = thread->records,
            .decr_first = thread->decr_first,
        };
    }
    /* Make the tracks with their names, and list the tracks of each thread. */
    if (ntracks == 0)
        return CSY_OK;
    sync->tracks = calloc(ntracks, sizeof *sync->tracks);
    sync->members = calloc(ntracks, sizeof *sync->members);
    if (!sync->tracks || !sync->members)
        return error_memory(error);
    for (size_t i = 0; i < ntracks; i++) {
        csy_thread *view = &sync->views[threads->tracks[i].thread];
        const char *name = threads->tracks[i].name;
        sync->tracks[i] = (csy_track){name ? name : view->name, threads->tracks[i].thread};
        view->nmembers++;
    }
    for (size_t t = 0; t < threads->count; t++) {
        sync->views[t].members = sync->members + start;
        start += sync->views[t].nmembers;
        sync->views[t].nmembers = 0;
    }
    for (size_t i = 0; i < ntracks; i++) {
        csy_thread *view = &sync->views[sync->tracks[i].thread];
        size_t at = (size_t)(view->members - sync->members) + view->nmembers++;
        sync->members[at] = sync->tracks[i].name;
    }
    return CSY_OK;
}

csy_status solution_choose_reference(struct csy_sync *sync, const char *name, csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    size_t most = 0;
    sync->reference_member = NULL;
    if (name) {
        bool member = false;
        csy_status status = csy_sync_find_thread(sync, name, strlen(name), &sync->reference, error);
        if (!status)
            member = strcmp(sync->views[sync->reference].name, name) != 0;
        for (size_t i = 0; member && !sync->reference_member; i++)
            if (strcmp(sync->tracks[i].name, name) == 0)
                sync->reference_member = sync->tracks[i].name;
        return status;
    }
    for (size_t t = 0; t < threads->count; t++)
        if (sync->views[t].records > sync->views[most].records)
            most = t;
    sync->reference = threads->ppe != NO_THREAD ? threads->ppe : most;
    return CSY_OK;
}

csy_status solution_shift_offsets(struct csy_sync *sync, const int64_t *g, csy_error *error)
{
    const struct survey *survey = &sync->survey;
    uint32_t ppe = survey->threads.ppe;
    int128 origin = 0;
    for (size_t t = 0; t < survey->threads.count; t++) {
        int128 least = survey->rough.offset[t] + g[t] + survey->threads.items[t].min_ticks;
        origin = t == 0 || least < origin ? least : origin;
    }
    if (ppe != NO_THREAD)
        origin = survey->rough.offset[ppe] + g[ppe];
    for (size_t t = 0; t < survey->threads.count; t++) {
        const struct thread *thread = &survey->threads.items[t];
        int128 offset = survey->rough.offset[t] + g[t] - origin;
        if (!fits_int64(offset) || offset == CSY_NO_OFFSET ||
            !fits_int64(offset + thread->min_ticks) || !fits_int64(offset + thread->max_ticks))
            return error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                             sync->trace->name);
        sync->views[t].offset_ticks = (int64_t)offset;
    }
    return CSY_OK;
}

csy_status solution_check_feasible(const struct csy_sync *sync, csy_error *error)
{
    if (sync->read)
        return error_set(error, CSY_USAGE,
                         "%s: the trace was already synchronized, so only offsets and global times "
                         "are available",
                         sync->trace->name);
    return sync->bounds.n || sync->method != CSY_METHOD_BHH
               ? CSY_OK
               : error_set(error, CSY_USAGE, "%s: infeasible: there are no offsets",
                           sync->trace->name);
}

csy_status solution_check_bounds(const struct csy_sync *sync, csy_error *error)
{
    if (sync->drift && sync->bounds.n > 0)
        return error_set(
            error, CSY_USAGE,
            "%s: with drift, only bounds to the reference are available, and they change with time",
            sync->trace->name);
    return sync->method == CSY_METHOD_BHH
               ? solution_check_feasible(sync, error)
               : error_set(error, CSY_USAGE, "%s: only --method=bhh gives bounds",
                           sync->trace->name);
}

csy_witness_edge solution_edge(const struct edge *edge)
{
    const struct point *s = &edge->from, *t = &edge->to;
    return (csy_witness_edge){
        .s = s->thread,
        .t = t->thread,
        .record_s = s->position,
        .record_t = t->position,
        .place_s = s->place,
        .place_t = t->place,
        .time_s = s->local_ticks,
        .time_t = t->local_ticks,
        .latency_ticks = edge->latency_ticks,
        .weight_ticks = t->local_ticks - s->local_ticks - edge->latency_ticks,
    };
}

static void free_witness(struct csy_sync *sync)
{
    for (size_t i = 0; i < sync->witness.length; i++)
        free(unconst(sync->witness_edges[i].steps));
    free(sync->witness_edges);
    sync->witness_edges = NULL;
    sync->witness = (csy_witness){0};
}

int64_t solution_drift_of(const struct csy_sync *sync, const struct edge *edges, size_t n,
                          int64_t added_ticks)
{
    const int128 unit = 1000000000;
    int128 apart = (int128)added_ticks * (int128)n, weight = walk_weight(edges, n) + apart;
    for (size_t i = 0; i < n; i++) {
        int128 by = (int128)edges[(i + 1) % n].from.local_ticks - edges[i].to.local_ticks;
        apart += edges[i].to.thread == sync->reference ? 0 : by < 0 ? -by : by;
    }
    int128 rate = weight < 0 && -weight < apart ? ceil_div(-weight * unit, apart) : 0;
    return rate < unit ? (int64_t)rate : 0;
}

csy_status solution_set_witness(struct csy_sync *sync, const struct edge *edges, size_t n,
                                csy_error *error)
{
    free_witness(sync);
    sync->witness_edges = calloc(n + 1, sizeof *sync->witness_edges);
    if (!sync->witness_edges)
        return error_memory(error);
    for (size_t i = 0; i < n; i++) {
        if (!fits_int64((int128)edges[i].to.local_ticks - edges[i].from.local_ticks -
                        edges[i].latency_ticks))
            return error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                             sync->trace->name);
        sync->witness_edges[i] = solution_edge(&edges[i]);
    }
    if (n == 0)
        return CSY_OK;
    int128 weight = walk_weight(edges, n);
    sync->witness.length = n;
    sync->witness.least_drift_ppb = solution_drift_of(sync, edges, n, 0);
    sync->witness.edges = sync->witness_edges;
    sync->witness.weight_ticks = (int64_t)weight;
    if (!fits_int64(weight) ||
        !fraction_make(-weight, (int128)2 * (int128)n, &sync->witness.least_delta))
        return error_set(error, CSY_INPUT, "delta does not fit 64 bits");
    return CSY_OK;
}

struct pair_tally_thread *solution_tally_threads(const struct csy_sync *sync)
{
    size_t n = sync->survey.threads.count;
    struct pair_tally_thread *threads = malloc(n * sizeof *threads);
    for (size_t t = 0; threads && t < n; t++) {
        const struct thread *thread = &sync->survey.threads.items[t];
        threads[t] = (struct pair_tally_thread){
            thread->first_record, thread->last_record,          thread->records,
            thread->next,         thread->kind == CSY_KIND_SPE, false};
        if (sync->partial) /* in partial order, no two threads count as live together */
            threads[t].first_record = threads[t].last_record = t;
    }
    return threads;
}

struct last_event {
    uint64_t position;
    uint32_t thread;
};

uint32_t *solution_last_order(const struct csy_sync *sync, size_t tau)
{
    size_t n = sync->survey.threads.count;
    struct last_event *last = malloc(n * sizeof *last);
    uint32_t *order = malloc(n * sizeof *order);
    if (!last || !order) {
        FREE_ALL(last, order);
        return NULL;
    }
    for (size_t t = 0; t < n; t++) {
        uint64_t position = sync->survey.threads.items[t].last_record;
        last[t] = (struct last_event){t == tau ? UINT64_MAX : position, (uint32_t)t};
    }
    SORT(last, n, compare_numbers);
    for (size_t k = 0; k < n; k++)
        order[k] = last[k].thread;
    free(last);
    return order;
}

int64_t solution_longest_ticks(const struct csy_sync *sync)
{
    const struct threads *threads = solution_lives(sync);
    int64_t longest = 0;
    for (size_t t = 0; threads && t < threads->count; t++) {
        const struct thread *thread = &threads->items[t];
        int64_t lived = thread->records > 1 ? thread->max_ticks - thread->min_ticks : 0;
        longest = lived > longest ? lived : longest;
    }
    return longest;
}

bool solution_end(int128 ticks, bool none, int64_t no_limit, int64_t *out)
{
    bool fits = ticks > INT64_MIN && ticks < INT64_MAX;
    *out = none || !fits ? no_limit : (int64_t)ticks;
    return none || fits;
}

csy_status solution_ends(const struct csy_sync *sync, size_t s, size_t t, int64_t there,
                         int64_t back, int64_t *lower_ticks, int64_t *upper_ticks, csy_error *error)
{
    int128 apart = sync->survey.rough.offset[s] - sync->survey.rough.offset[t];
    int64_t lower, upper;
    if (!solution_end(apart + there, there >= WALK_FAR, INT64_MAX, &upper) ||
        !solution_end(apart - back, back >= WALK_FAR, INT64_MIN, &lower))
        return error_set(error, CSY_INPUT, "%s: the bound between %s and %s leaves 64 bits",
                         sync->trace->name, sync->views[s].name, sync->views[t].name);
    *lower_ticks = lower;
    *upper_ticks = upper;
    return CSY_OK;
}

_Static_assert(2 * (int128)WALK_FAR + 2 * (int128)WALK_MAX <= INT64_MAX,
               "an error bound is the sum of two ends below WALK_FAR, and added_ticks is below "
               "WALK_MAX: event errors fit");

int64_t csy_sync_event_error(const csy_sync *sync, int64_t error_ticks)
{
    return error_ticks < 0 ? error_ticks : error_ticks + 2 * sync->imprecision.added_ticks;
}

void solution_event_ends(const struct csy_sync *sync, const csy_thread *clock, int64_t *earliest,
                         int64_t *latest)
{
    const csy_fraction delta = sync->imprecision.delta;
    int128 off = delta.num > 0 ? ceil_div(delta.num, delta.den) : 0;
    solution_end(clock->earliest_ticks - off, clock->earliest_ticks == INT64_MIN, INT64_MIN,
                 earliest);
    solution_end(clock->latest_ticks + off, clock->latest_ticks == INT64_MAX, INT64_MAX, latest);
}

void solution_free_diagnosis(struct diagnosis *diagnosis)
{
    if (!diagnosis)
        return;
    FREE_ALL(diagnosis->text, diagnosis->clocks, diagnosis->explanations, diagnosis->options,
             diagnosis);
}

void solution_reset(struct csy_sync *sync)
{
    bound_rows_fini(&sync->rows);
    bounds_fini(&sync->bounds);
    FREE_ALL(sync->views, sync->names, sync->tracks, sync->members, sync->times);
    free_witness(sync);
    solution_free_diagnosis(sync->diagnosis);
    sync->diagnosis = NULL;
    if (sync->advice)
        FREE_ALL(sync->advice->threads, sync->advice->gaps);
    free(sync->advice);
    sync->advice = NULL;
    if (sync->tracer)
        free(sync->tracer->clocks);
    free(sync->tracer);
    sync->tracer = NULL;
    free(sync->violations);
    sync->violations = NULL;
    free(sync->delays);
    sync->delays = NULL;
    sync->ndelays = 0;
    free(unconst(sync->profile.entries));
    sync->profile = (csy_profile){0};
    free(unconst(sync->dropped.records));
    sync->dropped = (csy_dropped){.asked = sync->dropped.asked};
    sync->survey.ndropped = 0;
    sync->views = NULL;
    sync->names = NULL;
    sync->tracks = NULL;
    sync->members = NULL;
}

void drift_free_peers(struct drift *drift)
{
    if (drift->peers)
        FREE_ALL(drift->peers->pairs, drift->peers->widths);
    free(drift->peers);
    drift->peers = NULL;
}

void drift_reset(struct drift *drift)
{
    drift_free_peers(drift);
    for (size_t t = 0; drift->clocks && t < drift->view.nclocks; t++)
        knots_fini(&drift->clocks[t]);
    FREE_ALL(drift->clocks, drift->shift, drift->views);
    ageing_fini(&drift->ageing);
    pairs_fini(&drift->pairs);
    points_fini(&drift->points);
    FREE_ALL(drift->order, drift->one_sided);
    *drift = (struct drift){0};
}

void partial_fini(struct partial *partial)
{
    match_free(partial->match);
    points_fini(&partial->points);
    points_fini(&partial->lives);
    free(partial->order);
    pairs_fini(&partial->pairs);
    free(partial->weight);
    struct walked *walked = partial->walked;
    if (walked) {
        for (struct walked_name *name = walked->names, *next; name; name = next) {
            next = name->next;
            free(name);
        }
        streams_found_fini(&walked->found);
        points_fini(&walked->points);
        free(walked);
    }
    directions_fini(&partial->directions);
    *partial = (struct partial){0};
}

size_t partial_hubs_most(const struct csy_trace *trace)
{
    return trace->source->archive ? REDUCE_PASSES_HUBS_AGAIN : REDUCE_PASSES_HUBS;
}

struct points *partial_points(struct partial *partial)
{
    return partial->walked ? &partial->walked->points : &partial->points;
}

void csy_sync_free(csy_sync *sync)
{
    while (sync) {
        csy_sync *again = sync->again;
        solution_reset(sync);
        survey_fini(&sync->survey);
        clock_steps_fini(&sync->steps);
        if (sync->partial)
            partial_fini(sync->partial);
        if (sync->drift)
            drift_reset(sync->drift);
        if (sync->table)
            table_fini(sync->table);
        FREE_ALL(sync->partial, sync->drift, sync->table, sync);
        sync = again;
    }
}

uint64_t csy_sync_records(const csy_sync *sync)
{
    return sync->survey.records;
}

size_t csy_sync_nthreads(const csy_sync *sync)
{
    return sync->survey.threads.count;
}

const csy_thread *csy_sync_thread(const csy_sync *sync, size_t index)
{
    return &sync->views[index];
}

size_t csy_sync_ntracks(const csy_sync *sync)
{
    return sync->survey.threads.ntracks;
}

const csy_track *csy_sync_track(const csy_sync *sync, size_t index)
{
    return &sync->tracks[index];
}

size_t csy_sync_reference(const csy_sync *sync)
{
    return sync->reference;
}

csy_fraction csy_sync_alpha(const csy_sync *sync)
{
    return sync->alpha;
}

csy_center csy_sync_center(const csy_sync *sync)
{
    return sync->center;
}

const csy_order *csy_sync_order(const csy_sync *sync)
{
    return &sync->order;
}

const csy_drift *csy_sync_drift(const csy_sync *sync)
{
    return sync->drift && sync->bounds.n > 0 ? &sync->drift->view : NULL;
}

const csy_matched *csy_sync_matched(const csy_sync *sync)
{
    return sync->matched;
}

const csy_imprecision *csy_sync_imprecision(const csy_sync *sync)
{
    return &sync->imprecision;
}

const csy_clock_report *csy_sync_clock_report(const csy_sync *sync)
{
    return &sync->survey.clock_report;
}

const csy_cut *csy_sync_cut(const csy_sync *sync)
{
    return sync->survey.cut.text[0] ? &sync->survey.cut : NULL;
}

csy_method csy_sync_method(const csy_sync *sync)
{
    return sync->method;
}

const csy_damage *csy_sync_damage(const csy_sync *sync)
{
    return sync->damage_measured ? &sync->damage : NULL;
}

const csy_correction *csy_sync_correction(const csy_sync *sync)
{
    return &sync->correction;
}

const csy_dropped *csy_sync_dropped(const csy_sync *sync)
{
    return &sync->dropped;
}

const csy_summary *csy_sync_summary(const csy_sync *sync)
{
    return &sync->summary;
}

const csy_witness *csy_sync_witness(const csy_sync *sync)
{
    return sync->witness.length ? &sync->witness : NULL;
}

csy_status solution_row(struct csy_sync *sync, size_t s, struct bound_row *row, csy_error *error)
{
    csy_status status = solution_check_bounds(sync, error);
    if (!status && !sync->rows.bounds)
        status = bound_rows_init(&sync->rows, &sync->bounds, error);
    return status ? status : bound_rows_get(&sync->rows, s, row, error);
}

csy_status solution_check_pair(const struct csy_sync *sync, size_t s, size_t t, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    csy_status status = solution_check_bounds(sync, error);
    if (status || (s < n && t < n))
        return status;
    return error_set(error, CSY_USAGE, "%s: thread %zu is asked for, the last of %zu is %zu",
                     sync->trace->name, s < n ? t : s, n, n - 1);
}

csy_status csy_sync_bounds(csy_sync *sync, size_t s, size_t t, int64_t *lower_ticks,
                           int64_t *upper_ticks, int64_t *error_ticks, csy_error *error)
{
    if (sync->again)
        sync = sync->again;
    if (!sync->read) {
        struct bound_row row;
        csy_status status = solution_check_pair(sync, s, t, error);
        if (!status)
            status = solution_row(sync, s, &row, error);
        if (status)
            return status;
        int64_t there = bound_from(&row, t), back = bound_to(&row, t);
        status = solution_ends(sync, s, t, there, back, lower_ticks, upper_ticks, error);
        if (!status && error_ticks)
            *error_ticks = walk_width(there, back);
        return status;
    }
    /* A synchronized .pex has only the bounds between the reference and the other clocks. */
    size_t n = sync->survey.threads.count, tau = sync->reference;
    if (sync->method != CSY_METHOD_BHH)
        return error_set(error, CSY_USAGE, "%s: only --method=bhh gives bounds", sync->trace->name);
    if (s >= n || t >= n || (s != tau && t != tau) || !sync->table)
        return error_set(error, CSY_USAGE,
                         "%s: the trace was already synchronized, so only a .pex has bounds, and "
                         "only between threads and the reference",
                         sync->trace->name);
    const csy_thread *view = &sync->views[s == tau ? t : s];
    int64_t base = sync->views[tau].offset_ticks;
    bool low = view->earliest_ticks == INT64_MIN, high = view->latest_ticks == INT64_MAX;
    int128 least = (int128)view->earliest_ticks - base, most = (int128)view->latest_ticks - base;
    bool turned = s == tau;
    if (!solution_end(turned ? -most : least, turned ? high : low, INT64_MIN, lower_ticks) ||
        !solution_end(turned ? -least : most, turned ? low : high, INT64_MAX, upper_ticks))
        return error_set(error, CSY_INPUT, "%s: a bound leaves 64 bits", sync->trace->name);
    if (error_ticks)
        *error_ticks = low || high || !fits_int64(most - least) ? -1 : (int64_t)(most - least);
    return CSY_OK;
}

bool csy_sync_step(const csy_sync *sync, size_t index, csy_step *out)
{
    if (index >= sync->steps.count)
        return false;
    const struct clock_step *step = &sync->steps.items[index];
    *out = (csy_step){step->clock, step->before,      step->after,     step->among,
                      step->sized, step->least_ticks, step->most_ticks};
    return true;
}

/* --- Finding a thread by its name ------------------------------------------------------------- */

static bool is_called(const char *called, const char *name, size_t size)
{
    return strncmp(called, name, size) == 0 && called[size] == 0;
}

csy_status csy_sync_find_thread(const csy_sync *sync, const char *name, size_t size, size_t *out,
                                csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    const csy_track *found = NULL;
    for (size_t t = 0; t < threads->count; t++)
        if (is_called(sync->views[t].name, name, size)) {
            *out = t;
            return CSY_OK;
        }
    for (size_t i = 0; i < threads->ntracks; i++) {
        const csy_track *track = &sync->tracks[i];
        if (!is_called(track->name, name, size))
            continue;
        if (found && found->thread != track->thread) {
            char shown[ERROR_ESCAPED_MAX], one[ERROR_ESCAPED_MAX], other[ERROR_ESCAPED_MAX];
            const char *first = sync->views[found->thread].name;
            const char *second = sync->views[track->thread].name;
            return error_set(error, CSY_USAGE,
                             "%s: threads named %s run on several clocks, such as %s and %s; give "
                             "the name of one clock",
                             sync->trace->name, error_escape(shown, name, size),
                             error_escape(one, first, strlen(first)),
                             error_escape(other, second, strlen(second)));
        }
        found = track;
    }
    if (!found) {
        char shown[ERROR_ESCAPED_MAX], meant[ERROR_ESCAPED_MAX] = "";
        struct near near = near_begin(name, size);
        for (size_t t = 0; t < sync->survey.threads.count; t++)
            near_try(&near, sync->views[t].name);
        for (size_t i = 0; i < sync->survey.threads.ntracks; i++)
            near_try(&near, sync->tracks[i].name);
        if (near.nearest)
            error_escape(meant, near.nearest, strlen(near.nearest));
        /* Quote a name that begins or ends with a blank. */
        const char *quote = size > 0 && (name[0] == ' ' || name[size - 1] == ' ') ? "'" : "";
        return error_set(error, CSY_USAGE, "%s: no %s has the name %s%s%s%s%s%s", sync->trace->name,
                         sync->survey.threads.ntracks > sync->survey.threads.count
                             ? "clock or thread"
                             : "thread",
                         quote, error_escape(shown, name, size), quote,
                         near.nearest ? "; did you mean " : "", meant, near.nearest ? "?" : "");
    }
    *out = found->thread;
    return CSY_OK;
}
