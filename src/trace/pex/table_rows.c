/* The rows of a synchronized trace's table. */
#include "trace/pex/table_rows.h"

#include "base/array.h"

#include <stdlib.h>

bool table_rows_has(const struct element *element)
{
    return element_is(element, "live_interval") || element_is(element, "ppe_thread");
}

static bool read_live_interval(const struct element *row, size_t index, struct table_thread *out)
{
    uint64_t id, context, decr;
    if (!element_number(row, "spe", &out->spe))
        out->spe = CSY_NO_SPE;
    bool good = element_number(row, "id", &id) && element_number(row, "ctx", &context) &&
                element_number(row, "decr_first", &decr) && id == index && context <= UINT32_MAX &&
                decr <= UINT32_MAX;
    out->context = good ? (uint32_t)context : 0;
    out->decr_first = good ? (uint32_t)decr : 0;
    return good;
}

static bool read_row(const struct element *row, size_t index, struct table_thread *out)
{
    *out = (struct table_thread){.spe = CSY_NO_SPE, .ppe = element_is(row, "ppe_thread")};
    return (out->ppe || read_live_interval(row, index, out)) &&
           element_number(row, "first_record", &out->first_record) &&
           element_number(row, "records", &out->records) &&
           element_ticks(row, "offset", &out->offset_ticks) &&
           element_ticks(row, "earliest", &out->earliest_ticks) &&
           element_ticks(row, "latest", &out->latest_ticks);
}

bool table_rows_add(struct table_rows *rows, const struct element *row)
{
    struct table_thread thread;
    if (rows->fault)
        return true;
    if (!read_row(row, rows->count, &thread))
        rows->fault = "an attribute is missing or malformed";
    else if (rows->count && thread.first_record <= rows->threads[rows->count - 1].first_record)
        rows->fault = "not in the order of first records";
    rows->fault_ppe = thread.ppe;
    rows->fault_line = row->line;
    if (rows->fault)
        return true;
    if (!ARRAY_RESERVE(rows->threads, rows->capacity, rows->count + 1))
        return false;
    rows->threads[rows->count++] = thread;
    return true;
}

void table_rows_fini(struct table_rows *rows)
{
    free(rows->threads);
    *rows = (struct table_rows){0};
}
