/* See tracer.h. */
#include "simulator/tracer.h"

#include "base/put.h"
#include "simulator/rows.h"

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

int64_t tracer_store_bytes(const struct tracing *tracing)
{
    return tracing->block * SPE_RECORD_BYTES * (tracing->flush == FLUSH_DOUBLE ? 2 : 1);
}

/* --- Rows --- */

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

/* Write the columns from `send` to `after`. They are filled for starts, ends, and barriers, and for
 * words to contexts if both ends of words are traced. */
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

/* Write the columns up to `buffer`. Times of a context count from its first record since it was
 * loaded on an SPE. */
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
    at = put_text(put_text(at, rows_event(record->event)), ",");
    if (record->has_begin)
        at = number_put(at, record->begun - zero);
    at = put_text(put_number(at, ",", record->stamped - zero), ",");
    tracer->nrows++;
    if (!tracer->tracing->per_core)
        return put_text(at, "trace");
    return context ? put_unsigned(at, "spe", context) : put_text(at, "ppe");
}

/* Write a row. A record of a page has the number of its block and, if `flushed` is not NULL, the
 * timestamp of the flush. */
static void write_row(struct tracer *tracer, uint32_t thread, uint32_t context,
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
        at = put_text(put_text(at, ","), rows_routine(record->event, record->payload));
    at = put_text(at, "\n");
    sink_advance(tracer->sink, (size_t)(at - start));
}

void tracer_write(struct tracer *tracer, uint32_t thread, uint32_t context,
                  const struct traced *record)
{
    write_row(tracer, thread, context, record, NULL, NULL);
}

void tracer_flush(struct tracer *tracer, uint32_t context, const int64_t *stamped)
{
    struct page *page = &tracer->pages[context];
    for (size_t i = 0; i < page->count; i++)
        write_row(tracer, context, context, &page->items[i], page,
                  i + 1 == page->count ? stamped : NULL);
    tracer_empty(tracer, context);
}

void tracer_empty(struct tracer *tracer, uint32_t context)
{
    struct page *page = &tracer->pages[context];
    page->count = 0;
    page->block++;
    tracer->cost.flushes++;
}

/* --- Pages --- */

bool tracer_begins_burst(struct tracer *tracer, uint32_t context, uint32_t stay)
{
    struct page *page = &tracer->pages[context];
    if (page->stay == stay)
        return false;
    page->stay = stay;
    page->burst_left = tracer->tracing->burst;
    return page->burst_left > 0;
}

void tracer_hold(struct tracer *tracer, uint32_t context, const struct traced *record, bool *full)
{
    struct page *page = &tracer->pages[context];
    page->items[page->count++] = *record;
    tracer->cost.records++;
    *full = page->burst_left > 0 || page->count == (size_t)tracer->tracing->block ||
            record->event == EVENT_SPE_EXIT;
    page->burst_left -= page->burst_left > 0;
}
