/* See rows.h. */
#include "simulator/rows.h"

#include "base/put.h"
#include "simulator/routines.h"

#include <inttypes.h>

size_t rows_node(const struct rows_style *style, size_t rank)
{
    return rank * style->nodes / style->ranks;
}

const char *rows_event(enum event event)
{
    return event == EVENT_E ? "ENTER" : event == EVENT_X ? "EXIT" : event_types[event].name;
}

const char *rows_routine(enum event event, const uint64_t *payload)
{
    return event == EVENT_E || event == EVENT_X ? routine_name(routine_at(payload[0])) : "";
}

void rows_write_header(struct sink *sink, const struct rows_style *style, int64_t timebase_hz)
{
    sink_print(sink, "# timebase_hz=%" PRId64 "\n# order=partial\n", timebase_hz);
    sink_print(sink,
               "thread,clock,event,begin,time,send,recv,latency,sync,enter,leave,id,after%s%s\n",
               style->buffers ? ",buffer" : "", style->calls ? ",routine" : "");
}

/* Write the name of the channel from one rank to another, such as 0>1. */
static char *put_channel(char *at, size_t from, size_t to)
{
    return put_unsigned(number_put_unsigned(at, from), ">", to);
}

/* Write the columns from `send` to `after`. */
static char *put_order(char *at, const struct rows_style *style, const struct row *row)
{
    uint64_t context = row->context ? row->context : row->payload[0];
    size_t me = row->context - 1, other = (size_t)row->payload[0];
    switch (row->event) {
    case EVENT_MPI_SEND:
        return put_text(put_channel(at, me, other), ",,,,,,,");
    case EVENT_MPI_SSEND:
        return put_text(put_channel(at, me, other), ",,,yes,,,,");
    case EVENT_MPI_RECV:
        at = put_text(put_channel(put_text(at, ","), other, me), ",");
        if (style->latencies)
            at = number_put(at, rows_node(style, me) == rows_node(style, other) ? style->near_ticks
                                                                                : style->far_ticks);
        return put_text(at, ",,,,,");
    case EVENT_MPI_BARRIER:
        at = put_unsigned(at, ",,,,b", row->payload[0]);
        return put_text(put_unsigned(at, ",b", row->payload[0]), ",,");
    case EVENT_THREAD_START:
    case EVENT_SPE_EXIT:
        return put_text(put_unsigned(at, row->context ? ",,,,,,e" : ",,,,,,s", context), ",");
    case EVENT_SPE_ENTRY:
    case EVENT_THREAD_STOP:
        return put_unsigned(at, row->context ? ",,,,,,,s" : ",,,,,,,e", context);
    default:
        return put_text(at, ",,,,,,,");
    }
}

void rows_write(struct sink *sink, const struct rows_style *style, const struct row *row)
{
    size_t node = row->context ? rows_node(style, row->context - 1) : 0;
    char *start = (char *)sink_room(sink, ROW_BYTES_MAX), *at;
    at = row->context ? put_unsigned(start, "rank", row->context - 1)
                      : put_unsigned(start, "ppe", row->thread);
    at = put_text(put_unsigned(at, ",node", node), ",");
    at = put_text(put_text(at, rows_event(row->event)), ",");
    if (event_types[row->event].interval)
        at = number_put(at, row->begin_ticks);
    at = put_order(put_text(put_number(at, ",", row->time_ticks), ","), style, row);
    if (style->buffers)
        at = put_unsigned(at, ",node", node);
    if (style->calls)
        at = put_text(put_text(at, ","), rows_routine(row->event, row->payload));
    at = put_text(at, "\n");
    sink_advance(sink, (size_t)(at - start));
}
