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
    roles->shared = field.size == 6 && memcmp(field.at, "shared", 6) == 0;
    if (roles->sync || roles->shared || field.size == 0 ||
        (field.size == 2 && memcmp(field.at, "no", 2) == 0))
        return CSY_OK;
    return csv_refuse_field(reader, row->line, csv_order_names[CSV_SYNC], &field,
                            "want yes, shared, no or nothing", error);
}

/* A stamp, as ticks after the row's. */
static csy_status read_stamp(const struct csv_reader *reader, const struct csv_row *row,
                             struct csv_field stamp, int64_t *out, csy_error *error)
{
    const char *called = csv_order_names[CSV_FLUSH];
    char text[256];
    uint64_t least_hz = 0;
    int64_t ticks;
    enum csv_fault fault = csv_time_parse(&reader->scale, stamp.at, stamp.size, &ticks, &least_hz);
    if (fault)
        return csv_refuse_field(reader, row->line, called, &stamp,
                                csv_time_fault(&reader->scale, fault, stamp.at, stamp.size,
                                               least_hz, text, sizeof text),
                                error);
    return __builtin_sub_overflow(ticks, row->stamp.time_ticks, out)
               ? csv_refuse_field(reader, row->line, called, &stamp,
                                  "it is 2^63 ticks or more from the time", error)
               : CSY_OK;
}

/* "6", or "6/8" where the flush was between two stamps. */
static csy_status read_flush(const struct csv_reader *reader, const struct csv_row *row,
                             struct event_roles *roles, csy_error *error)
{
    struct csv_field field = field_of(reader, row, CSV_FLUSH);
    roles->flush = field.size > 0 ? FLUSH_STAMPED : FLUSH_NONE;
    if (field.size == 0)
        return CSY_OK;
    const char *slash = memchr(field.at, '/', field.size);
    struct csv_field lo = field, hi = field;
    if (slash) {
        lo.size = (size_t)(slash - field.at);
        hi.at = slash + 1;
        hi.size = field.size - lo.size - 1;
    }
    csy_status status = read_stamp(reader, row, lo, &roles->flush_lo, error);
    if (!status)
        status = read_stamp(reader, row, hi, &roles->flush_hi, error);
    return status || roles->flush_lo <= roles->flush_hi
               ? status
               : csv_refuse_field(reader, row->line, csv_order_names[CSV_FLUSH], &field,
                                  "the second stamp is before the first one", error);
}

csy_status csv_read_roles(struct csv_reader *reader, const struct csv_row *row,
                          struct event_roles *out, csy_error *error)
{
    csy_text *const keys[CSV_ORDER_COLUMNS] = {
        [CSV_LOCATION] = &out->location, [CSV_BUFFER] = &out->buffer, [CSV_BLOCK] = &out->block,
        [CSV_SEND] = &out->send,         [CSV_RECV] = &out->recv,     [CSV_ENTER] = &out->enter,
        [CSV_LEAVE] = &out->leave,       [CSV_ID] = &out->id,         [CSV_AFTER] = &out->after};
    csy_status status = CSY_OK;
    for (enum csv_order_column column = 0; column < CSV_ORDER_COLUMNS && !status; column++)
        if (keys[column])
            status = read_keys(reader, row, column, keys[column], error);
    if (!status)
        status = read_latency(reader, row, out, error);
    if (!status)
        status = read_flush(reader, row, out, error);
    return status ? status : read_sync(reader, row, out, error);
}
