/* Reads how cellsync synchronized a trace: from the table <synchronization> of a .pex, or from the
 * line "# cellsync ..." of a CSV. */
#include "sync/reread/table.h"

#include "base/array.h"
#include "base/dates.h"
#include "base/error.h"
#include "base/number.h"
#include "base/sort.h"
#include "clock/global.h"
#include "clock/unwrap.h"
#include "sync/method.h"
#include "sync/reread.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const relaxations[] = {"exact", "paper", "none", "given", NULL};
static const char *const centers[] = {"reference", "local", NULL};
static const char *const unwrappings[] = {"assume", "strict", NULL};

/* Set *out to the index of `text` in `words`. Returns false if `text` is NULL or not found. */
static bool take_word(const char *text, const char *const *words, int *out)
{
    for (*out = 0; words[*out]; ++*out)
        if (text && strcmp(text, words[*out]) == 0)
            return true;
    return false;
}

static csy_status refuse(const struct csy_trace *trace, const char *what, csy_error *error)
{
    const struct element *node = trace->table;
    return error_set(error, CSY_INPUT, "%s: line %ld: %s: %s", trace->name, node->line, node->text,
                     what);
}

/* Returns the quotation mark to put around a word in messages: "" if the word has an underscore. */
static const char *quote_of(const char *word)
{
    return strchr(word, '_') ? "" : "\"";
}

/* Read positions of dropped records, separated by the character `between`, into an empty table.
 * Returns NULL, or a text that tells what is wrong. *status is CSY_MEMORY if out of memory. */
static const char *take_dropped(struct table *table, const char *text, char between,
                                csy_status *status)
{
    char *end;
    *status = CSY_OK;
    for (;; text = end + 1) {
        uint64_t last = table->ndropped ? table->dropped[table->ndropped - 1] : 0;
        errno = 0;
        unsigned long long position = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
        if (*text < '0' || *text > '9' || errno || (*end && *end != between))
            return "\"dropped\" is malformed";
        if (position == 0 || position <= last)
            return "the positions in \"dropped\" do not rise from 1";
        if (table->ndropped == CSY_DROP_MAX)
            return "\"dropped\" lists too many positions";
        if (!ARRAY_PUSH(table->dropped, table->ndropped, table->dropped_capacity, position)) {
            *status = CSY_MEMORY;
            return NULL;
        }
        if (!*end)
            return table->relax == CSY_RELAX_EXACT
                       ? NULL
                       : "\"dropped\" requires \"relax\" to be \"exact\"";
    }
}

static csy_status read_attributes(const struct csy_trace *trace, struct table *out,
                                  csy_error *error)
{
    const struct element *node = trace->table;
    const char *reference = element_text(node, "reference"), *unwrap = element_text(node, "unwrap");
    const char *center = element_text(node, "center"), *dropped = element_text(node, "dropped");
    const char *fault = NULL;
    int relax = CSY_RELAX_EXACT, about = CSY_CENTER_REFERENCE, strict = 0;
    uint64_t crc = 0;
    int64_t added;
    csy_status status = CSY_OK;
    if (reference && !(out->reference = strdup(reference)))
        return error_memory(error);
    if (out->method == CSY_METHOD_BHH) /* tables of old versions do not state a center */
        fault = !reference                                      ? "reference"
                : !element_fraction(node, "alpha", &out->alpha) ? "alpha"
                : !take_word(center ? center : "reference", centers, &about) ? "center"
                : !take_word(element_text(node, "relax"), relaxations, &relax) ? "relax"
                : !element_fraction(node, "delta", &out->delta)                ? "delta"
                : !element_ticks(node, "added_ticks", &out->added_ticks)       ? "added_ticks"
                                                                               : NULL;
    if (!fault)
        fault = !element_number(node, "original_crc32", &crc) || crc >> 32 ? "original_crc32"
                : !element_number(node, "records", &out->records)          ? "records"
                : !element_ticks(node, "wraps", &out->wraps)               ? "wraps"
                : !element_number(node, "splits", &out->splits)            ? "splits"
                : !element_number(node, "assumed", &out->assumed)          ? "assumed"
                : !take_word(unwrap, unwrappings, &strict)                 ? "unwrap"
                : !element_ticks(node, "max_imprecision", &out->max_imprecision_ticks) ||
                        out->max_imprecision_ticks < 0 ||
                        out->max_imprecision_ticks > UNWRAP_IMPRECISION_MAX
                    ? "max_imprecision"
                    : NULL;
    if (fault) {
        char text[64];
        const char *quote = quote_of(fault);
        snprintf(text, sizeof text, "%s%s%s is missing or malformed", quote, fault, quote);
        return refuse(trace, text, error);
    }
    out->center = (csy_center)about;
    out->relax = (csy_relax)relax;
    out->strict = strict;
    out->original_crc32 = (uint32_t)crc;
    if (out->alpha.num > out->alpha.den)
        fault = "\"alpha\" is above 1";
    else if (!fraction_twice_ceil(out->delta, &added) || added != out->added_ticks)
        fault = "added_ticks is not 2 delta rounded up";
    else if (out->relax == CSY_RELAX_NONE && out->delta.num != 0)
        fault = "\"relax\" is \"none\", but \"delta\" is not 0";
    else if (dropped)
        fault = take_dropped(out, dropped, ' ', &status);
    return status ? error_memory(error) : fault ? refuse(trace, fault, error) : CSY_OK;
}

csy_status table_check_provable(const struct csy_trace *trace, csy_error *error)
{
    char text[ERROR_ESCAPED_MAX];
    const char *method = element_text(trace->table, "method");
    if (!method || strcmp(method, "bhh") == 0)
        return CSY_OK;
    return error_set(error, CSY_INPUT,
                     "%s: the trace was synchronized with --method=%s, but only results of "
                     "--method=bhh can be checked",
                     trace->name, error_escape(text, method, strlen(method)));
}

csy_status table_read(struct csy_trace *trace, struct table *out, csy_error *error)
{
    char text[ERROR_ESCAPED_MAX];
    struct table_rows *rows = &out->rows;
    *out = (struct table){.alpha = {1, 2}, .delta = {0, 1}};
    if (!trace->table->text)
        return error_set(error, CSY_INPUT,
                         "%s: the clock is global, but there is no synchronization element",
                         trace->name);
    /* Lamport's methods move single records, so local times cannot be restored from a .pex. */
    const char *method = element_text(trace->table, "method");
    out->method = method && strcmp(method, "lsq") == 0 ? CSY_METHOD_LSQ : CSY_METHOD_BHH;
    if (method && out->method == CSY_METHOD_BHH && strcmp(method, "bhh") != 0)
        return error_set(error, CSY_INPUT,
                         "%s: the trace was synchronized with --method=%s, which leaves no local "
                         "times in a .pex; only --method=bhh and --method=lsq give every thread an "
                         "offset",
                         trace->name, error_escape(text, method, strlen(method)));
    csy_status status = read_attributes(trace, out, error);
    if (status)
        return status;
    *rows = *trace->table_rows;
    *trace->table_rows = (struct table_rows){0};
    if (rows->fault)
        return error_set(error, CSY_INPUT, "%s: line %ld: %s: %s", trace->name, rows->fault_line,
                         rows->fault_ppe ? "ppe_thread" : "live_interval", rows->fault);
    uint64_t *keys = calloc(rows->count + 1, sizeof *keys); /* context << 32, plus thread index */
    out->by_context = malloc((rows->count + 1) * sizeof *out->by_context);
    bool good = keys && out->by_context;
    for (uint32_t t = 0; good && t < rows->count; t++)
        if (!rows->threads[t].ppe)
            keys[out->nby_context++] = (uint64_t)rows->threads[t].context << 32 | t;
    if (good)
        sort_numbers(keys, out->nby_context);
    for (size_t i = 0; good && i < out->nby_context; i++)
        out->by_context[i] = (uint32_t)keys[i];
    free(keys);
    return good ? CSY_OK : error_memory(error);
}

static csy_status read_latency(const struct csy_trace *trace, const char *called, int64_t *out,
                               csy_error *error)
{
    const char *said = element_text(trace->table, called);
    uint64_t latency = (uint64_t)*out;
    if (said && (!number_parse(said, &latency) || latency > INT64_MAX))
        return error_set(error, CSY_INPUT, "%s: synchronization: %s is malformed", trace->name,
                         called);
    *out = (int64_t)latency;
    return CSY_OK;
}

csy_status table_read_latencies(const struct csy_trace *trace, int64_t *least, int64_t *most,
                                csy_error *error)
{
    *least = 0;
    *most = INT64_MAX;
    csy_status status = read_latency(trace, "latency", least, error);
    return status ? status : read_latency(trace, "max_latency", most, error);
}

void table_fini(struct table *table)
{
    free(table->reference);
    table_rows_fini(&table->rows);
    FREE_ALL(table->by_context, table->dropped);
    *table = (struct table){0};
}

const struct table_thread *table_find(const struct table *table, const struct record *record)
{
    for (size_t t = 0; !record->spe && t < table->rows.count; t++)
        if (table->rows.threads[t].ppe)
            return &table->rows.threads[t];
    size_t low = 0; /* find the context's last thread that does not begin after the record */
    size_t high = record->spe ? table->nby_context : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct table_thread *thread = &table->rows.threads[table->by_context[middle]];
        bool after = thread->context > record->thread ||
                     (thread->context == record->thread && thread->first_record > record->position);
        if (after)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0)
        return NULL;
    const struct table_thread *thread = &table->rows.threads[table->by_context[low - 1]];
    return thread->context == record->thread ? thread : NULL;
}

const char *restore_record(struct restore *restore, struct record *record)
{
    const struct record *global = &restore->global;
    uint8_t *original = restore->original;
    restore->global = *record;
    const struct table_thread *said = restore->said = table_find(restore->table, record);
    if (!said || said->first_record > record->position)
        return "the table of threads has no thread for this record";
    uint64_t local = (uint64_t)placement_local(said->offset_ticks, (int64_t)global->stamp);
    memcpy(original, global->bytes, RECORD_PREFIX_BYTES);
    record->bytes = original;
    if (record->spe) {
        uint32_t decr = (uint32_t)(said->decr_first - local);
        record->size = global->size - 8;
        record->stamp = decr;
        record->begin =
            (uint32_t)(record->interval ? decr + (global->stamp - global->begin) : global->begin);
        store32(original + 16, decr);
        store32(original + 20, (uint32_t)record->begin);
        memcpy(original + 24, global->bytes + 32, global->size - 32);
    } else {
        record->stamp = local;
        if (record->interval)
            record->begin = (uint64_t)placement_local(said->offset_ticks, (int64_t)global->begin);
        store64(original + 16, record->stamp);
        store64(original + 24, record->begin);
        memcpy(original + 32, global->bytes + 32, global->size - 32);
    }
    store16(original, (uint16_t)record->size);
    return !record->spe && record->stamp > INT64_MAX
               ? "the local time of this PPE record would be negative"
               : NULL;
}

static csy_status refuse_facts(const struct csy_trace *trace, const struct table_facts *said,
                               const char *what, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: %s: %s", trace->name, said->where, what);
}

static csy_status refuse_fact(const struct csy_trace *trace, const struct table_facts *said,
                              const char *key, csy_error *error)
{
    const char *quote = quote_of(key);
    return error_set(error, CSY_INPUT, "%s: %s: %s%s%s is missing or malformed", trace->name,
                     said->where, quote, key, quote);
}

csy_status table_read_facts(const struct csy_trace *trace, const struct table_facts *said,
                            struct table *table, char *text, csy_error *error)
{
    const struct csv_facts facts = said->facts;
    int relax = CSY_RELAX_EXACT, center = CSY_CENTER_REFERENCE;
    uint64_t crc;
    char digits[NUMBER_DIGITS_MAX + 1];
    csy_status status;
    if (!csv_fact_find(facts, "alpha", text) || !fraction_parse(text, INT64_MAX, &table->alpha) ||
        table->alpha.num > table->alpha.den)
        return refuse_fact(trace, said, "alpha", error);
    if (!csv_fact_find(facts, "delta", text) || !fraction_parse(text, INT64_MAX, &table->delta) ||
        !fraction_twice_ceil(table->delta, &table->added_ticks))
        return refuse_fact(trace, said, "delta", error);
    *number_put(digits, table->added_ticks) = 0;
    if (!csv_fact_find(facts, "added_ticks", text) || strcmp(text, digits) != 0)
        return refuse_facts(trace, said, "added_ticks is not 2 delta rounded up", error);
    if (csv_fact_find(facts, "original_crc32", text)) {
        if (!number_parse(text, &crc) || crc >> 32)
            return refuse_fact(trace, said, "original_crc32", error);
        table->original_crc32 = (uint32_t)crc;
    }
    if (csv_fact_find(facts, "assumed", text) && !number_parse(text, &table->assumed))
        return refuse_fact(trace, said, "assumed", error);
    if (csv_fact_find(facts, "relax", text) && !take_word(text, relaxations, &relax))
        return refuse_fact(trace, said, "relax", error);
    table->relax = (csy_relax)relax;
    if (table->relax == CSY_RELAX_NONE && table->delta.num != 0)
        return refuse_facts(trace, said, "\"relax\" is \"none\", but \"delta\" is not 0", error);
    if (csv_fact_find(facts, "center", text) && !take_word(text, centers, &center))
        return refuse_fact(trace, said, "center", error);
    table->center = (csy_center)center;
    table->ordered = csv_fact_find(facts, "placed", text);
    if (table->ordered && strcmp(text, "order") != 0)
        return refuse_fact(trace, said, "placed", error);
    if (!csv_fact_find(facts, "reference", text) || !csv_fact_unescape(text))
        return refuse_fact(trace, said, "reference", error);
    if (!(table->reference = strdup(text)))
        return error_memory(error);
    if (!csv_fact_find(facts, "dropped", text))
        return CSY_OK;
    const char *wrong = take_dropped(table, text, ',', &status);
    return status ? error_memory(error) : wrong ? refuse_facts(trace, said, wrong, error) : CSY_OK;
}

char *table_put_date(const struct csy_trace *trace, int64_t global_ticks, char *at)
{
    int64_t ticks;
    if (!date_fits(trace->timebase_hz) ||
        __builtin_add_overflow(global_ticks, trace->lines.epoch_ticks, &ticks))
        return NULL;
    return date_put(at, trace->timebase_hz, ticks);
}

bool table_read_global(const struct csy_trace *trace, const struct csv_row *row, bool of_begin,
                       int64_t *out)
{
    const size_t *columns = trace->lines.columns.global;
    size_t column = csv_reader_exact_global(&trace->lines, of_begin);
    const struct csv_field *field = &row->fields[column];
    if (column == columns[of_begin ? GLOBAL_BEGIN_DATE : GLOBAL_DATE]) {
        char again[DATE_TEXT_MAX];
        struct csv_scale scale;
        uint64_t least_hz;
        int64_t ticks;
        csv_scale_init(&scale, CSV_STAMPS, trace->timebase_hz, '.');
        if (field->quoted || csv_time_parse(&scale, field->at, field->size, &ticks, &least_hz) ||
            __builtin_sub_overflow(ticks, trace->lines.epoch_ticks, out))
            return false;
        const char *end = table_put_date(trace, *out, again);
        return end && (size_t)(end - again) == field->size &&
               memcmp(again, field->at, field->size) == 0;
    }
    char text[NUMBER_DIGITS_MAX + 1], again[NUMBER_DIGITS_MAX];
    uint64_t size;
    bool negative = field->size > 0 && *field->at == '-';
    if (field->quoted || field->size >= sizeof text)
        return false;
    memcpy(text, field->at, field->size);
    text[field->size] = 0;
    if (!number_parse(text + negative, &size) || size > (uint64_t)INT64_MAX + negative)
        return false;
    *out = (int64_t)(negative ? -size : size);
    return (size_t)(number_put(again, *out) - again) == field->size &&
           memcmp(again, text, field->size) == 0;
}

/* --- The solution of a synchronized trace ----------------------------------------------------- */

/* A .pex contains a table of offsets and bounds, and its records have global timestamps. A CSV has a
 * column of global times, so a pass over its rows finds the threads and their offsets. The solution
 * is not proved here; csy_check does that. */

static csy_status refuse_trace(const struct csy_trace *trace, const char *what, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: %s", trace->name, what);
}

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
        status = refuse_trace(trace, "the table of threads is empty", error);
    if (!status) { /* move the rows to the new table, and leave a copy in the trace */
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

/* Find threads and records. A thread has an offset if all its rows have the same one. */
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
        return refuse_trace(
            trace,
            !trace->source->shaped ? "the trace is not synchronized: its times are local"
            : csy_trace_is_synchronized(trace)
                ? "the columns global_time and global_date are missing "
                  "(--csv-time=seconds omits them)"
                : "the trace is not synchronized: the column global_time is missing",
            error);
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
