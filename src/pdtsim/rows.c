/* The other format that is written: CSV in partial order. */
#include "pdtsim/rows.h"

#include "pdtsim/routines.h"

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

/* The columns send to sync of a message that this rank has sent, or one that it has got. */
static void write_message(struct sink *sink, const struct rows_style *style, const struct row *row)
{
    size_t me = row->context - 1, other = (size_t)row->payload[0];
    bool near = rows_node(style, me) == rows_node(style, other);
    if (row->event != EVENT_MPI_RECV)
        sink_print(sink, "%zu>%zu,,,%s", me, other, row->event == EVENT_MPI_SSEND ? "yes" : "");
    else if (style->latencies)
        sink_print(sink, ",%zu>%zu,%" PRId64 ",", other, me,
                   near ? style->near_ticks : style->far_ticks);
    else
        sink_print(sink, ",%zu>%zu,,", other, me);
}

/* The columns send to after. */
static void write_order(struct sink *sink, const struct rows_style *style, const struct row *row)
{
    uint64_t context = row->context ? row->context : row->payload[0];
    switch (row->event) {
    case EVENT_MPI_SEND:
    case EVENT_MPI_SSEND:
    case EVENT_MPI_RECV:
        write_message(sink, style, row);
        sink_print(sink, ",,,,");
        break;
    case EVENT_MPI_BARRIER:
        sink_print(sink, ",,,,b%" PRIu64 ",b%" PRIu64 ",,", row->payload[0], row->payload[0]);
        break;
    case EVENT_THREAD_START:
    case EVENT_SPE_EXIT:
        sink_print(sink, ",,,,,,%c%" PRIu64 ",", row->context ? 'e' : 's', context);
        break;
    case EVENT_SPE_ENTRY:
    case EVENT_THREAD_STOP:
        sink_print(sink, ",,,,,,,%c%" PRIu64, row->context ? 's' : 'e', context);
        break;
    default:
        sink_print(sink, ",,,,,,,");
    }
}

void rows_write(struct sink *sink, const struct rows_style *style, const struct row *row)
{
    size_t node = row->context ? rows_node(style, row->context - 1) : 0;
    if (row->context)
        sink_print(sink, "rank%" PRIu32, row->context - 1);
    else
        sink_print(sink, "ppe%" PRIu32, row->thread);
    sink_print(sink, ",node%zu,%s,", node, rows_event(row->event));
    if (event_types[row->event].interval)
        sink_print(sink, "%" PRId64, row->begin_ticks);
    sink_print(sink, ",%" PRId64 ",", row->time_ticks);
    write_order(sink, style, row);
    if (style->buffers)
        sink_print(sink, ",node%zu", node);
    if (style->calls)
        sink_print(sink, ",%s", rows_routine(row->event, row->payload));
    sink_print(sink, "\n");
}
