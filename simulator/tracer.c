/* See tracer.h. */
#include "simulator/tracer.h"

#include "base/put.h"
#include "simulator/routines.h"

#include <inttypes.h>
#include <stdlib.h>

bool tracer_init(struct tracer *tracer, const struct tracing *tracing, size_t ncontexts)
{
    tracer->tracing = tracing;
    tracer->npages = ncontexts + 1;
    tracer->pages = calloc(tracer->npages, sizeof *tracer->pages);
    for (size_t i = 0; tracer->pages && i < tracer->npages && tracing->block > 0; i++)
        if (!(tracer->pages[i].items =
                  calloc((size_t)tracing->block, sizeof *tracer->pages[i].items)))
            return false;
    return tracer->pages != NULL;
}

void tracer_fini(struct tracer *tracer)
{
    for (size_t i = 0; tracer->pages && i < tracer->npages; i++)
        free(tracer->pages[i].items);
    free(tracer->pages);
    tracer->pages = NULL;
}

/* --- Rows --- */

static const char *name_of(enum event event)
{
    return event == EVENT_E ? "ENTER" : event == EVENT_X ? "EXIT" : event_types[event].name;
}

static const char *routine_of(enum event event, const uint64_t *payload)
{
    return event == EVENT_E || event == EVENT_X ? routine_name(routine_at(payload[0])) : "";
}

void tracer_write_header(const struct tracer *tracer, int64_t timebase_hz)
{
    const struct tracing *tracing = tracer->tracing;
    sink_print(tracer->sink, "# timebase_hz=%" PRId64 "\n# order=partial\n", timebase_hz);
    if (tracing->block > 0 && tracing->flush != FLUSH_STAMPED)
        sink_print(tracer->sink, "# block_after=%s\n",
                   tracing->flush == FLUSH_NEXT ? "flush" : "block");
    sink_print(tracer->sink, "thread,location,core,event,begin,time,buffer%s%s%s\n",
               tracing->block > 0 ? ",block,flush" : "",
               tracing->per_core ? ",send,recv,enter,leave,id,after" : "",
               tracer->calls ? ",routine" : "");
}

/* Write the columns `send` to `after` of a CSV row. They have values for starts and ends of
 * contexts, for barriers, and, with LEVEL_FULL, for mailbox words from the PPE to contexts. */
static char *put_roles(char *at, struct tracer *tracer, uint32_t context,
                       const struct traced *record)
{
    uint32_t other = context ? context : (uint32_t)record->payload[0];
    bool words = (tracer->level & LEVEL_FULL) != 0;
    uint64_t barrier;
    switch (record->event) {
    case EVENT_IN_MBOX_WRITE:
    case EVENT_IN_MBOX_READ:
        if (!words)
            return put_text(at, ",,,,,,");
        at = put_unsigned(at, context ? ",,i" : ",i", other);
        return put_text(at, context ? ",,,," : ",,,,,");
    case EVENT_BARRIER:
        barrier = ++tracer->pages[context].barriers;
        at = put_unsigned(at, ",,,b", barrier);
        return put_text(put_unsigned(at, ",b", barrier), ",,");
    case EVENT_THREAD_START:
    case EVENT_SPE_EXIT:
        return put_text(put_unsigned(at, context ? ",,,,,e" : ",,,,,s", other), ",");
    case EVENT_SPE_ENTRY:
    case EVENT_THREAD_STOP:
        return put_unsigned(at, context ? ",,,,,,s" : ",,,,,,e", other);
    default:
        return put_text(at, ",,,,,,");
    }
}

/* Write the columns `thread` to `buffer` of a CSV row. On an SPE, time 0 is the first record since
 * the context was loaded. */
static char *put_row(char *at, struct tracer *tracer, uint32_t thread, uint32_t context,
                     const struct traced *record)
{
    int64_t zero = 0;
    if (context) {
        struct page *page = &tracer->pages[context];
        if (record->stay != page->stay_written) {
            truth_switch(tracer->truth, context, false);
            truth_switch(tracer->truth, context, true);
            page->stay_written = record->stay;
        }
        truth_record(tracer->truth, context, record->spe, tracer->nrows, record->decr,
                     record->clock, record->stamped);
        if (tracer->truth->failed)
            return at;
        const struct truth_context *c = &tracer->truth->contexts[context];
        zero = tracer->truth->rows[c->open - 1].first_ticks;
        at = put_unsigned(put_unsigned(at, "spe", context), ".", c->ordinals);
        at = put_text(put_unsigned(at, ",spe", context), ",spe,");
    } else
        at = put_text(put_unsigned(put_unsigned(at, "ppe", thread), ",ppe", thread), ",ppe,");
    at = put_text(put_text(at, name_of(record->event)), ",");
    if (record->has_begin)
        at = number_put(at, record->begun - zero);
    at = put_text(put_number(at, ",", record->stamped - zero), ",");
    tracer->nrows++;
    if (!tracer->tracing->per_core)
        return put_text(at, "trace");
    return context ? put_unsigned(at, "spe", context) : put_text(at, "ppe");
}

void tracer_write(struct tracer *tracer, uint32_t thread, uint32_t context,
                  const struct traced *record, const struct page *page, const int64_t *flushed)
{
    char *start = (char *)sink_room(tracer->sink, ROW_BYTES_MAX);
    char *at = put_row(start, tracer, thread, context, record);
    if (page)
        at = put_text(put_unsigned(at, ",", page->block), ",");
    else if (tracer->tracing->block > 0)
        at = put_text(at, ",,");
    if (flushed && !tracer->truth->failed) {
        const struct truth_context *c = &tracer->truth->contexts[context];
        at = number_put(at, *flushed - tracer->truth->rows[c->open - 1].first_ticks);
    }
    if (tracer->tracing->per_core)
        at = put_roles(at, tracer, context, record);
    if (tracer->calls)
        at = put_text(put_text(at, ","), routine_of(record->event, record->payload));
    at = put_text(at, "\n");
    sink_advance(tracer->sink, (size_t)(at - start));
}

/* --- Rows in partial order --- */

size_t rows_node(const struct rows_style *style, size_t rank)
{
    return rank * style->nodes / style->ranks;
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

/* Write the columns `send` to `after` of a CSV row: constraints on the order of events. */
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
    at = put_text(put_text(at, name_of(row->event)), ",");
    if (event_types[row->event].interval)
        at = number_put(at, row->begin_ticks);
    at = put_order(put_text(put_number(at, ",", row->time_ticks), ","), style, row);
    if (style->buffers)
        at = put_unsigned(at, ",node", node);
    if (style->calls)
        at = put_text(put_text(at, ","), routine_of(row->event, row->payload));
    at = put_text(at, "\n");
    sink_advance(sink, (size_t)(at - start));
}
