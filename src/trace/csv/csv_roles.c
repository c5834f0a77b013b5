/* What rows of a CSV in partial order say of it. */
#include "trace/csv/csv_roles.h"

#include <string.h>

static struct csv_field field_of(const struct csv_reader *reader, const struct csv_row *row,
                                 enum csv_order_column column)
{
    size_t at = reader->columns.order[column];
    return at == CSV_NO_COLUMN ? (struct csv_field){NULL, 0, false}
                               : csv_field_trim(row->fields[at]);
}

static csy_status read_keys(struct csv_reader *reader, const struct csv_row *row,
                            enum csv_order_column column, csy_text *out, csy_error *error)
{
    *out = (csy_text){"", 0};
    size_t at = reader->columns.order[column];
    return at == CSV_NO_COLUMN
               ? CSY_OK
               : csv_read_name(reader, row, csv_order_names[column], at,
                               &reader->unquoted_keys[column], &out->bytes, &out->size, error);
}

static csy_status read_latency(const struct csv_reader *reader, const struct csv_row *row,
                               struct event_roles *roles, csy_error *error)
{
    struct csv_field field = field_of(reader, row, CSV_LATENCY);
    roles->has_latency = field.size > 0;
    roles->latency_ticks = 0;
    if (!roles->has_latency)
        return CSY_OK;
    csy_status status =
        csv_read_time(reader, row, csv_order_names[CSV_LATENCY], reader->columns.order[CSV_LATENCY],
                      &reader->duration, &roles->latency_ticks, error);
    return status || roles->latency_ticks >= 0
               ? status
               : csv_refuse_field(reader, row->line, csv_order_names[CSV_LATENCY], &field,
                                  "want none below 0", error);
}

static csy_status read_sync(const struct csv_reader *reader, const struct csv_row *row,
                            struct event_roles *roles, csy_error *error)
{
    struct csv_field field = field_of(reader, row, CSV_SYNC);
    roles->sync = field.size == 3 && memcmp(field.at, "yes", 3) == 0;
    if (roles->sync || field.size == 0 || (field.size == 2 && memcmp(field.at, "no", 2) == 0))
        return CSY_OK;
    return csv_refuse_field(reader, row->line, csv_order_names[CSV_SYNC], &field,
                            "want yes, no or nothing", error);
}

/* Places of records in a buffer are not those of their blocks: without these the order would be
 * another one. */
static csy_status refuse_block(const struct csv_reader *reader, const struct csv_row *row,
                               csy_error *error)
{
    struct csv_field field = field_of(reader, row, CSV_BLOCK);
    if (field.size == 0 || field_of(reader, row, CSV_BUFFER).size == 0)
        return CSY_OK;
    return csv_refuse_field(reader, row->line, csv_order_names[CSV_BLOCK], &field,
                            "blocks of a buffer are not read", error);
}

csy_status csv_read_roles(struct csv_reader *reader, const struct csv_row *row,
                          struct event_roles *out, csy_error *error)
{
    csy_text *const keys[CSV_ORDER_COLUMNS] = {[CSV_LOCATION] = &out->location,
                                               [CSV_BUFFER] = &out->buffer,
                                               [CSV_SEND] = &out->send,
                                               [CSV_RECV] = &out->recv,
                                               [CSV_ENTER] = &out->enter,
                                               [CSV_LEAVE] = &out->leave,
                                               [CSV_ID] = &out->id,
                                               [CSV_AFTER] = &out->after};
    csy_status status = refuse_block(reader, row, error);
    for (enum csv_order_column column = 0; column < CSV_ORDER_COLUMNS && !status; column++)
        if (keys[column])
            status = read_keys(reader, row, column, keys[column], error);
    if (!status)
        status = read_latency(reader, row, out, error);
    return status ? status : read_sync(reader, row, out, error);
}
