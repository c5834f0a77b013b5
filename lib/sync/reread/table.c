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

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const relaxations[] = {"exact", "paper", "none", "given", NULL};
static const char *const centers[] = {"reference", "local", NULL};
static const char *const unwrappings[] = {"assume", "strict", NULL};

/* Set *out to the index of `text` in `words`. Returns false if there is none, or `text` is NULL. */
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

/* Returns the quotation mark around a word in messages: "" if the word has an underscore. */
static const char *quote_of(const char *word)
{
    return strchr(word, '_') ? "" : "\"";
}

/* Read positions of dropped records, separated by `between`, into an empty table. Returns NULL, or
 * a description of the fault. *status is CSY_MEMORY if out of memory. */
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
    if (out->method == CSY_METHOD_BHH) /* old versions did not write "center" */
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
    uint64_t *keys = calloc(rows->count + 1, sizeof *keys);
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
    size_t low = 0; /* find the last thread of the context that begins at or before the record */
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
    size_t column = csv_reader_exact_global(&trace->lines, of_begin);
    const struct csv_field *field = &row->fields[column];
    if (column == trace->lines.columns.global[of_begin ? GLOBAL_BEGIN_DATE : GLOBAL_DATE]) {
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
