/* The <synchronization> table of a synchronized .pex, read back. */
#include "sync/reread/table.h"

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "clock/unwrap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static csy_status refuse_line(const struct csy_trace *trace, long line, const char *name,
                              const char *what, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: line %ld: %s: %s", trace->name, line, name, what);
}

static csy_status refuse(const struct csy_trace *trace, const char *what, csy_error *error)
{
    const struct element *node = trace->table;
    return refuse_line(trace, node->line, node->text, what, error);
}

static bool read_relax(const struct element *node, csy_relax *out)
{
    static const struct {
        const char *word;
        csy_relax relax;
    } words[] = {{"exact", CSY_RELAX_EXACT},
                 {"paper", CSY_RELAX_PAPER},
                 {"none", CSY_RELAX_NONE},
                 {"given", CSY_RELAX_GIVEN}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (element_says(node, "relax", words[i].word)) {
            *out = words[i].relax;
            return true;
        }
    }
    return false;
}

static bool read_unwrap(const struct element *node, bool *strict)
{
    *strict = element_says(node, "unwrap", "strict");
    return *strict || element_says(node, "unwrap", "assume");
}

/* One that is not there is the reference: what older versions of the table leave out. */
static bool read_center(const struct element *node, csy_center *out)
{
    *out = element_says(node, "center", "local") ? CSY_CENTER_LOCAL : CSY_CENTER_REFERENCE;
    return *out == CSY_CENTER_LOCAL || element_says(node, "center", "reference") ||
           !element_text(node, "center");
}

const char *table_take_dropped(struct table *table, const char *text, char between,
                               csy_status *status)
{
    char *end;
    *status = CSY_OK;
    for (;; text = end + 1) {
        uint64_t last = table->ndropped ? table->dropped[table->ndropped - 1] : 0;
        errno = 0;
        unsigned long long position = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
        if (*text < '0' || *text > '9' || errno || (*end && *end != between))
            return "dropped is malformed";
        if (position == 0 || position <= last)
            return "the positions of dropped do not rise from 1";
        if (table->ndropped == CSY_DROP_MAX)
            return "dropped lists too many positions";
        if (!ARRAY_RESERVE(table->dropped, table->dropped_capacity, table->ndropped + 1)) {
            *status = CSY_MEMORY;
            return NULL;
        }
        table->dropped[table->ndropped++] = position;
        if (!*end)
            return NULL;
    }
}

static csy_status read_dropped(const struct csy_trace *trace, struct table *out, csy_error *error)
{
    csy_status status;
    const char *text = element_text(trace->table, "dropped");
    if (!text)
        return CSY_OK;
    const char *wrong = table_take_dropped(out, text, ' ', &status);
    if (status)
        return error_memory(error);
    if (!wrong && out->relax != CSY_RELAX_EXACT)
        wrong = "dropped is for relax exact";
    return wrong ? refuse(trace, wrong, error) : CSY_OK;
}

/* What only bhh writes; NULL, or the name of what is missing or malformed. */
static const char *read_bounding(const struct element *node, struct table *out)
{
    return !element_fraction(node, "alpha", &out->alpha)            ? "alpha"
           : !read_center(node, &out->center)                       ? "center"
           : !read_relax(node, &out->relax)                         ? "relax"
           : !element_fraction(node, "delta", &out->delta)          ? "delta"
           : !element_ticks(node, "added_ticks", &out->added_ticks) ? "added_ticks"
                                                                    : NULL;
}

/* The same of what every method writes. */
static const char *read_common(const struct element *node, struct table *out)
{
    uint64_t crc;
    if (!element_number(node, "original_crc32", &crc) || crc >> 32)
        return "original_crc32";
    out->original_crc32 = (uint32_t)crc;
    return !element_number(node, "records", &out->records)   ? "records"
           : !element_ticks(node, "wraps", &out->wraps)      ? "wraps"
           : !element_number(node, "splits", &out->splits)   ? "splits"
           : !element_number(node, "assumed", &out->assumed) ? "assumed"
           : !read_unwrap(node, &out->strict)                ? "unwrap"
           : !element_ticks(node, "max_imprecision", &out->max_imprecision_ticks) ||
                   out->max_imprecision_ticks < 0 ||
                   out->max_imprecision_ticks > UNWRAP_IMPRECISION_MAX
               ? "max_imprecision"
               : NULL;
}

static csy_status read_attributes(const struct csy_trace *trace, struct table *out,
                                  csy_error *error)
{
    const struct element *node = trace->table;
    bool bhh = out->method == CSY_METHOD_BHH;
    const char *reference = element_text(node, "reference"), *missing = NULL;
    if (reference && !(out->reference = strdup(reference)))
        return error_memory(error);
    if (bhh)
        missing = reference ? read_bounding(node, out) : "reference";
    if (!missing)
        missing = read_common(node, out);
    if (missing) {
        char text[64];
        snprintf(text, sizeof text, "%s is missing or malformed", missing);
        return refuse(trace, text, error);
    }
    if (out->alpha.num > out->alpha.den)
        return refuse(trace, "alpha is above 1", error);
    int64_t added;
    if (!fraction_twice_ceil(out->delta, &added) || added != out->added_ticks)
        return refuse(trace, "added_ticks is not 2 delta rounded up", error);
    if (out->relax == CSY_RELAX_NONE && out->delta.num != 0)
        return refuse(trace, "relax is none, and delta is not 0", error);
    return read_dropped(trace, out, error);
}

static csy_status take_rows(struct csy_trace *trace, struct table_rows *rows, csy_error *error)
{
    *rows = *trace->table_rows;
    *trace->table_rows = (struct table_rows){0};
    return rows->fault
               ? refuse_line(trace, rows->fault_line,
                             rows->fault_ppe ? "ppe_thread" : "live_interval", rows->fault, error)
               : CSY_OK;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static csy_status sort_by_context(struct table *out, csy_error *error)
{
    uint64_t *keys = malloc((out->rows.count + 1) * sizeof *keys); /* context, then thread */
    out->by_context = malloc((out->rows.count + 1) * sizeof *out->by_context);
    bool good = keys && out->by_context;
    for (uint32_t t = 0; good && t < out->rows.count; t++)
        if (!out->rows.threads[t].ppe)
            keys[out->nby_context++] = (uint64_t)out->rows.threads[t].context << 32 | t;
    if (good)
        qsort(keys, out->nby_context, sizeof *keys, compare_keys);
    for (size_t i = 0; good && i < out->nby_context; i++)
        out->by_context[i] = (uint32_t)keys[i];
    free(keys);
    return good ? CSY_OK : error_memory(error);
}

csy_status table_check_provable(const struct csy_trace *trace, csy_error *error)
{
    char text[ERROR_ESCAPED_MAX];
    const char *method = element_text(trace->table, "method");
    if (!method || strcmp(method, "bhh") == 0)
        return CSY_OK;
    return error_set(
        error, CSY_INPUT,
        "%s: synchronized by method %s, of which nothing can be proved: only bhh gives "
        "the guarantees that are checked",
        trace->name, error_escape(text, method, strlen(method)));
}

/* Lamport's methods move records one by one, and a .pex keeps their new times only: many traces
 * have the same ones, so that no table could say what local times were. */
static csy_status read_method(const struct csy_trace *trace, csy_method *out, csy_error *error)
{
    char text[ERROR_ESCAPED_MAX];
    const char *method = element_text(trace->table, "method");
    *out = method && strcmp(method, "lsq") == 0 ? CSY_METHOD_LSQ : CSY_METHOD_BHH;
    if (!method || *out == CSY_METHOD_LSQ || strcmp(method, "bhh") == 0)
        return CSY_OK;
    return error_set(error, CSY_INPUT,
                     "%s: synchronized by method %s, after which a .pex has no local times: only "
                     "bhh and lsq give every thread an offset",
                     trace->name, error_escape(text, method, strlen(method)));
}

csy_status table_read(struct csy_trace *trace, struct table *out, csy_error *error)
{
    *out = (struct table){.alpha = {1, 2}, .delta = {0, 1}};
    if (!trace->table->text)
        return error_set(error, CSY_INPUT,
                         "%s: the clock is global, but there is no synchronization element",
                         trace->name);
    csy_status status = read_method(trace, &out->method, error);
    if (!status)
        status = read_attributes(trace, out, error);
    if (!status)
        status = take_rows(trace, &out->rows, error);
    return status ? status : sort_by_context(out, error);
}

csy_status table_read_latency(const struct csy_trace *trace, int64_t *out, csy_error *error)
{
    const char *said = element_text(trace->table, "latency");
    uint64_t latency = 0;
    if (said && (!number_parse(said, &latency) || latency > INT64_MAX))
        return error_set(error, CSY_INPUT, "%s: synchronization: latency is malformed",
                         trace->name);
    *out = (int64_t)latency;
    return CSY_OK;
}

void table_fini(struct table *table)
{
    free(table->reference);
    table_rows_fini(&table->rows);
    free(table->by_context);
    free(table->dropped);
    *table = (struct table){0};
}

static const struct table_thread *find_ppe(const struct table *table)
{
    for (size_t t = 0; t < table->rows.count; t++)
        if (table->rows.threads[t].ppe)
            return &table->rows.threads[t];
    return NULL;
}

const struct table_thread *table_find(const struct table *table, const struct record *record)
{
    if (!record->spe)
        return find_ppe(table);
    size_t low = 0, high = table->nby_context; /* the last one not after the record */
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
