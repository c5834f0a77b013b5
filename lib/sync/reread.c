/* Reads the solution of a trace that was synchronized before. A .pex contains a table of offsets
 * and bounds, and its records have global timestamps. A CSV has a column of global times, so a pass
 * over its rows finds the threads and their offsets. The solution is not proved here; csy_check
 * does that. */
#include "sync/reread.h"

#include "base/array.h"
#include "base/error.h"
#include "clock/global.h"
#include "sync/options.h"
#include "sync/reread/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static csy_status set_facts(struct csy_sync *sync, const struct table *table, csy_error *error)
{
    csy_relax relax = table->relax;
    bool found = relax == CSY_RELAX_EXACT || relax == CSY_RELAX_PAPER;
    sync->alpha = table->alpha;
    sync->center = table->center;
    sync->imprecision = (csy_imprecision){.relax = relax,
                                          .delta = table->delta,
                                          .added_ticks = table->added_ticks,
                                          .conditional = found && table->delta.num > 0};
    csy_clock_report *report = &sync->survey.clock_report;
    report->wraps = table->wraps;
    report->splits = table->splits;
    report->assumed = table->assumed;
    if (table->ndropped == 0)
        return CSY_OK;
    csy_dropped_record *records = calloc(table->ndropped, sizeof *records);
    if (!records)
        return error_memory(error);
    for (size_t i = 0; i < table->ndropped; i++)
        records[i].record = table->dropped[i];
    sync->dropped = (csy_dropped){table->ndropped, table->ndropped, records};
    return CSY_OK;
}

/* Set the reference to the thread with this name, unless `name` is NULL. */
static csy_status find_reference(struct csy_sync *sync, const char *name, csy_error *error)
{
    char shown[ERROR_ESCAPED_MAX];
    csy_status status = solution_choose_reference(sync, name, NULL);
    return status == CSY_USAGE && name
               ? error_set(error, CSY_INPUT, "%s: no thread has the name of the reference, %s",
                           sync->trace->name, error_escape(shown, name, strlen(name)))
           : status ? error_memory(error)
                    : CSY_OK;
}

static csy_status read_pex(struct csy_trace *trace, struct csy_sync *sync, csy_error *error)
{
    struct table *table = sync->table = calloc(1, sizeof *table);
    struct table_rows *kept = trace->table_rows;
    if (!table)
        return error_memory(error);
    csy_status status = table_read(trace, table, error);
    if (!status && table->rows.count == 0)
        status = error_set(error, CSY_INPUT, "%s: the table of threads is empty", trace->name);
    if (!status) {
        size_t size = table->rows.count * sizeof *kept->threads;
        kept->threads = malloc(size + 1);
        if (!kept->threads)
            return error_memory(error);
        memcpy(kept->threads, table->rows.threads, size);
        kept->count = kept->capacity = table->rows.count;
    }
    sync->method = table->method;
    if (!status)
        status = set_facts(sync, table, error);
    if (!status) {
        struct threads *threads = &sync->survey.threads;
        csy_clock_report *report = &sync->survey.clock_report;
        status = CSY_OK;
        for (size_t t = 0; t < table->rows.count && !status; t++) {
            const struct table_thread *said = &table->rows.threads[t];
            uint32_t index;
            struct thread thread = {
                .kind = said->ppe ? CSY_KIND_PPE : CSY_KIND_SPE,
                .context = said->ppe ? CSY_NO_CONTEXT : (int64_t)said->context,
                .next = NO_THREAD,
                .decr_first = said->decr_first,
                .split_from = NO_THREAD,
                .spe = said->spe,
                .first_record = said->first_record,
                .last_record = said->first_record,
                .records = said->records,
            };
            status = threads_add(threads, &thread, &index, error);
        }
        uint32_t ordinal = 0;
        for (size_t i = 0; i < table->nby_context && !status; i++) {
            struct thread *thread = &threads->items[table->by_context[i]];
            bool first =
                i == 0 || threads->items[table->by_context[i - 1]].context != thread->context;
            ordinal = first ? 1 : ordinal + 1;
            thread->ordinal = ordinal;
            report->contexts += first;
        }
    }
    if (!status)
        status = solution_name_threads(sync, error);
    if (!status)
        status = find_reference(sync, table->reference, error);
    for (size_t t = 0; t < table->rows.count && !status; t++) {
        sync->views[t].offset_ticks = table->rows.threads[t].offset_ticks;
        sync->views[t].earliest_ticks = table->rows.threads[t].earliest_ticks;
        sync->views[t].latest_ticks = table->rows.threads[t].latest_ticks;
    }
    sync->survey.records = table->records;
    return status;
}

csy_status reread_record(const struct csy_sync *sync, struct timeline *timeline,
                         struct event *event, bool *more, csy_error *error)
{
    struct csy_trace *trace = timeline->trace;
    event->position = timeline->records;
    csy_status status = trace->source->next(trace, event, more, error);
    if (status)
        return status;
    if (*more ? timeline->records == sync->table->records
              : timeline->records < sync->table->records)
        return error_set(
            error, CSY_INPUT,
            "%s: the trace has %s %" PRIu64 " records, the number in the table of threads",
            trace->name, *more ? "more than the" : "fewer than the", sync->table->records);
    if (!*more)
        return CSY_OK;
    const struct table_thread *said = table_find(sync->table, event->record);
    if (!said || said->first_record > event->position)
        return trace_at_place(
            trace, event->place,
            error_set(error, CSY_INPUT, "the table of threads has no thread for this record"),
            error);
    event->thread = (uint32_t)(said - sync->table->rows.threads);
    event->track = event->ended = NO_THREAD;
    event->local_ticks =
        (int64_t)placement_local(said->offset_ticks, (int64_t)event->record->stamp);
    timeline->records++;
    return CSY_OK;
}

csy_status reread_global(const struct csy_sync *sync, const struct event *event, int64_t *global,
                         csy_error *error)
{
    const struct csy_trace *trace = sync->trace;
    if (sync->table) {
        *global = (int64_t)event->record->stamp;
        return CSY_OK;
    }
    if (table_read_global(trace, event->row, false, global))
        return CSY_OK;
    bool dated = trace->lines.columns.global[GLOBAL_TIME] == CSV_NO_COLUMN;
    return trace_at_place(
        trace, event->place,
        error_set(error, CSY_INPUT,
                  dated ? "global_date is not a date in the form that cellsync writes"
                        : "global_time is not a whole number of ticks"),
        error);
}

/* Find threads and records. A thread gets an offset if all its rows have the same one. */
static csy_status learn_rows(struct csy_trace *trace, struct csy_sync *sync, csy_error *error)
{
    struct timeline timeline;
    struct event event;
    bool more = true;
    int64_t *offsets = NULL;
    size_t capacity = 0, met = 0;
    csy_status status = timeline_init(&timeline, trace, &sync->survey.rules, NULL, error);
    while (!status && !(status = timeline_next(&timeline, &event, &more, error)) && more) {
        int64_t global = 0, offset;
        status = reread_global(sync, &event, &global, error);
        if (status)
            break;
        if (__builtin_sub_overflow(global, event.local_ticks, &offset))
            offset = CSY_NO_OFFSET;
        if (event.thread < met && offsets[event.thread] != offset)
            offsets[event.thread] = CSY_NO_OFFSET;
        if (event.thread == met && !ARRAY_PUSH(offsets, met, capacity, offset))
            status = error_memory(error);
        progress_note(&trace->progress, trace, event.position);
    }
    if (!status) {
        sync->survey.records = timeline.records;
        sync->survey.threads = timeline.threads;
        threads_init(&timeline.threads);
        status = solution_name_threads(sync, error);
    }
    for (size_t t = 0; t < met && !status; t++) {
        sync->views[t].offset_ticks = offsets[t];
        sync->views[t].earliest_ticks = INT64_MIN;
        sync->views[t].latest_ticks = INT64_MAX;
    }
    timeline_fini(&timeline);
    free(offsets);
    return status;
}

static csy_status read_csv(struct csy_trace *trace, struct csy_sync *sync, csy_error *error)
{
    const struct csv_reader *reader = &trace->lines;
    struct table table = {.alpha = {1, 2}, .delta = {0, 1}};
    csy_status status = CSY_OK;
    if (!csy_trace_has_solution(trace))
        return error_set(error, CSY_INPUT, "%s: %s", trace->name,
                         !trace->source->shaped
                             ? "the trace is not synchronized: its times are local"
                         : csy_trace_is_synchronized(trace)
                             ? "the columns global_time and global_date are missing "
                               "(--csv-time=seconds omits them)"
                             : "the trace is not synchronized: the column global_time is missing");
    char *text = malloc(reader->facts_size + 1);
    if (!text)
        return error_memory(error);
    if (reader->facts_size > 0) {
        const struct table_facts said = {csv_reader_facts(reader), TABLE_FACTS_LINE};
        if (csv_fact_find(said.facts, "method", text))
            method_find(text, &sync->method);
        if (sync->method == CSY_METHOD_BHH)
            status = table_read_facts(trace, &said, &table, text, error);
    }
    free(text);
    if (!status)
        status = set_facts(sync, &table, error);
    if (!status)
        status = learn_rows(trace, sync, error);
    if (!status)
        status = find_reference(sync, table.reference, error);
    table_fini(&table);
    return status;
}

bool csy_trace_has_solution(const csy_trace *trace)
{
    return trace->is_global || csv_reader_exact_global(&trace->lines, false) != CSV_NO_COLUMN;
}

csy_status csy_trace_read_solution(csy_trace *trace, csy_sync **out, csy_error *error)
{
    struct csy_sync *sync = calloc(1, sizeof *sync);
    if (!sync)
        return error_memory(error);
    sync->trace = trace;
    sync->read = true;
    sync->survey.rules = timeline_default_rules(trace);
    threads_init(&sync->survey.threads);
    csy_status status = clock_steps_copy(&sync->steps, &trace->steps, error);
    if (!status)
        status = trace->is_global ? read_pex(trace, sync, error) : read_csv(trace, sync, error);
    if (!status)
        status = trace_check_unchanged(trace, error);
    if (status)
        csy_sync_free(sync);
    else
        *out = sync;
    return status;
}
