/* The rows of a synchronized trace's table. */
#include "trace/table_rows.h"

#include "base/array.h"
#include "trace/metadata.h"

#include <stdlib.h>
#include <string.h>

bool table_rows_has(const xmlNode *element)
{
    return metadata_is_called(element, element->parent, "live_interval") ||
           metadata_is_called(element, element->parent, "ppe_thread");
}

static bool read_live_interval(xmlNode *row, size_t index, struct table_thread *out)
{
    uint64_t id, context, decr;
    if (!metadata_number(row, "spe", &out->spe))
        out->spe = CSY_NO_SPE;
    bool good = metadata_number(row, "id", &id) && metadata_number(row, "ctx", &context) &&
                metadata_number(row, "decr_first", &decr) && id == index && context <= UINT32_MAX &&
                decr <= UINT32_MAX;
    out->context = good ? (uint32_t)context : 0;
    out->decr_first = good ? (uint32_t)decr : 0;
    return good;
}

static bool read_row(xmlNode *row, size_t index, struct table_thread *out)
{
    *out = (struct table_thread){.spe = CSY_NO_SPE,
                                 .ppe = strcmp((const char *)row->name, "ppe_thread") == 0};
    return (out->ppe || read_live_interval(row, index, out)) &&
           metadata_number(row, "first_record", &out->first_record) &&
           metadata_number(row, "records", &out->records) &&
           metadata_ticks(row, "offset", &out->offset_ticks) &&
           metadata_ticks(row, "earliest", &out->earliest_ticks) &&
           metadata_ticks(row, "latest", &out->latest_ticks);
}

csy_status table_rows_add(struct table_rows *rows, xmlNode *row, const char **fault)
{
    struct table_thread thread;
    *fault = NULL;
    if (!read_row(row, rows->count, &thread))
        *fault = "an attribute is missing or malformed";
    else if (rows->count && thread.first_record <= rows->threads[rows->count - 1].first_record)
        *fault = "not in the order of first records";
    if (*fault)
        return CSY_INPUT;
    if (!ARRAY_RESERVE(rows->threads, rows->capacity, rows->count + 1))
        return CSY_MEMORY;
    rows->threads[rows->count++] = thread;
    return CSY_OK;
}

void table_rows_fini(struct table_rows *rows)
{
    free(rows->threads);
    *rows = (struct table_rows){0};
}
