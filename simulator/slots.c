/* See slots.h. */
#include "simulator/slots.h"

#include "simulator/activity.h"
#include "simulator/routines.h"
#include "simulator/vocabulary.h"

#include <string.h>

/* --- The activity of actors ---------------------------------------------------------------- */

enum { WORD_BYTES = 4 };

/* Note in the activity that a mailbox word passed between the main thread and a context. `sends` is
 * true at its sender, and false at its receiver. */
static void observe_word(const struct observer *observer, size_t actor, size_t other, bool sends,
                         int64_t time)
{
    activity_message(observer->activity, sends,
                     (struct activity_message){.word = true,
                                               .from = sends ? actor : other,
                                               .to = sends ? other : actor,
                                               .bytes = WORD_BYTES,
                                               .time = time});
}

/* Add a record to the activity of its actor. Its event began at `begin`. */
static void observe(const struct slots *slots, const struct writer *writer, enum event event,
                    int64_t begin, int64_t time, const uint64_t *payload)
{
    const struct observer *observer = &slots->observer;
    struct activity *activity = observer->activity;
    size_t actor = writer->context ? writer->context - 1
                                   : observer->ncontexts + writer->thread - observer->first_tid;
    size_t other = (size_t)payload[0];
    if (!activity)
        return;
    activity_record(activity, actor,
                    &(struct activity_record){writer->stay, event_types[event].wait, begin, time});
    bool switches = event == EVENT_THREAD_START || event == EVENT_SWITCH_IN ||
                    event == EVENT_SWITCH_OUT || event == EVENT_THREAD_STOP;
    if (switches && !writer->context && observer->places)
        activity_switch(activity, other - 1, event, time);
    if (event == EVENT_E)
        activity_enter(activity, actor, routine_name(routine_at(payload[0])), time);
    if (event == EVENT_X)
        activity_leave(activity, actor, time);
    if (event >= EVENT_MPI_SEND && event <= EVENT_MPI_RECV) { /* ranks are counted from 0 */
        bool receives = event == EVENT_MPI_RECV;
        size_t rank = writer->context - 1;
        activity_message(activity, !receives,
                         (struct activity_message){.from = receives ? other : rank,
                                                   .to = receives ? rank : other,
                                                   .tag = (int64_t)payload[1],
                                                   .bytes = (int64_t)payload[2],
                                                   .time = receives ? time : begin});
    }
    if (event == EVENT_IN_MBOX_WRITE)
        observe_word(observer, actor, other - 1, true, begin);
    if (event == EVENT_OUT_MBOX_READ)
        observe_word(observer, actor, other - 1, false, time);
    if (event == EVENT_OUT_MBOX_WRITE)
        observe_word(observer, actor, observer->ncontexts, true, begin);
    if (event == EVENT_IN_MBOX_READ)
        observe_word(observer, actor, observer->ncontexts, false, time);
}

enum { CORE_PPE = 0, CORE_SPE = 1, FLAG_INTERVAL = 1, RECORD_BYTES_MAX = 64 };

static uint8_t *put16(uint8_t *p, uint16_t value)
{
    p[0] = (uint8_t)(value >> 8);
    p[1] = (uint8_t)value;
    return p + 2;
}

static uint8_t *put32(uint8_t *p, uint32_t value)
{
    return put16(put16(p, (uint16_t)(value >> 16)), (uint16_t)value);
}

static uint8_t *put64(uint8_t *p, uint64_t value)
{
    return put32(put32(p, (uint32_t)(value >> 32)), (uint32_t)value);
}

/* Returns the reading of the writer's clock at a time in cycles. */
static int64_t shown_at(const struct slots *slots, const struct writer *writer, int64_t time)
{
    return writer->clock ? clock_read(writer->clock, slots->machine, time)
                         : slots->timebase + machine_ticks(slots->machine, time);
}

int64_t slots_lead(const struct slots *slots, const struct writer *writer, int64_t time)
{
    return shown_at(slots, writer, time) - slots->timebase - machine_ticks(slots->machine, time);
}

/* Reserve a slot, which is requested at `time`. Returns the time when the core reads its clock;
 * then the next slot can be reserved. */
static int64_t reserve(struct slots *slots, const struct writer *writer, int64_t time)
{
    bool spe = writer->context != 0;
    int64_t core = spe ? (int64_t)writer->spe : -1 - writer->cell;
    int64_t at = time > slots->free_at ? time : slots->free_at;
    at += core == slots->holder                ? LINE_OWN
          : slots->holder_cell == writer->cell ? LINE_SAME_CELL
                                               : LINE_OTHER_CELL;
    at += LINE_UPDATE + (spe ? SPE_STAMP : PPE_STAMP);
    slots->free_at = at;
    slots->holder = core;
    slots->holder_cell = writer->cell;
    return at;
}

/* Returns the timestamp for a slot that was requested at `asked` and reserved at `slot`. Sets
 * *error_ticks to the timestamp's error. */
static int64_t stamp(struct slots *slots, const struct writer *writer, int64_t asked, int64_t slot,
                     int64_t *error_ticks)
{
    int64_t good = shown_at(slots, writer, slot), early = 0;
    *error_ticks = 0;
    if (slots->late_percent && rng_below(&slots->rng, 100) < slots->late_percent)
        early = good - shown_at(slots, writer, asked);
    if (early > slots->latest_ticks)
        slots->latest_ticks = early;
    if (slots->jitter_ticks)
        *error_ticks = rng_below(&slots->rng, 2 * slots->jitter_ticks + 1) - slots->jitter_ticks;
    *error_ticks -= early;
    return good + *error_ticks;
}

static void write_record(struct slots *slots, const struct writer *writer,
                         const struct event_type *type, int64_t stamped, int64_t begun,
                         const uint64_t *payload)
{
    bool spe = writer->context != 0;
    uint8_t *start = sink_room(slots->sink, RECORD_BYTES_MAX), *p = start;
    p = put16(p, (uint16_t)((spe ? 24 : 32) + 8 * type->nfields));
    *p++ = spe ? CORE_SPE : CORE_PPE;
    *p++ = type->interval ? FLAG_INTERVAL : 0;
    p = put16(p, type->id);
    p = put16(p, type->nfields);
    p = put32(p, writer->thread);
    p = put32(p, 0x1000 + (uint32_t)(type - event_types) * 0x40); /* address of the call */
    if (spe) {
        p = put32(p, writer->decr_base - (uint32_t)stamped);
        p = put32(p, type->interval ? writer->decr_base - (uint32_t)begun : 0);
    } else {
        p = put64(p, (uint64_t)stamped);
        p = put64(p, type->interval ? (uint64_t)begun : 0);
    }
    for (int i = 0; i < type->nfields; i++)
        p = put64(p, payload[i]);
    sink_advance(slots->sink, (size_t)(p - start));
}

/* Note the record for the output of true offsets. For a CSV, its time is read from the clock of the
 * node. For a .pex, it is read from the decrementer of the SPE. */
static void note_truth(struct slots *slots, const struct writer *writer, enum event event,
                       int64_t stamped, const uint64_t *payload)
{
    if (slots->rows)
        truth_record(slots->truth, (uint32_t)slots->node + 1, 0, slots->count, 0, writer->clock,
                     stamped);
    else if (writer->context)
        truth_record(slots->truth, writer->context, writer->spe, slots->count,
                     writer->decr_base - (uint32_t)stamped, writer->clock, stamped);
    else if (event == EVENT_SWITCH_IN || event == EVENT_SWITCH_OUT)
        truth_switch(slots->truth, (uint32_t)payload[0], event == EVENT_SWITCH_IN);
}

/* Reserve a slot of the shared buffer or, if each core has a buffer, of the core's own buffer. */
static int64_t reserve_own(struct slots *slots, const struct writer *writer, int64_t time)
{
    bool own = slots->tracing->per_core && writer->context != 0;
    return own ? time + LINE_OWN + LINE_UPDATE + SPE_STAMP : reserve(slots, writer, time);
}

static void write_held(struct slots *slots, const struct writer *writer,
                       const struct traced *record)
{
    write_record(slots, writer, &event_types[record->event], record->stamped, record->begun,
                 record->payload);
    note_truth(slots, writer, record->event, record->stamped, record->payload);
    slots->count++;
}

/* Write a record that describes the flush of a block, if flushes have timestamps. */
static void write_flush(struct slots *slots, const struct writer *writer, size_t records,
                        int64_t time, int64_t stamped)
{
    struct traced flush = {.event = EVENT_BUFFER_FLUSH, .stamped = stamped, .begun = stamped};
    if (slots->tracing->flush != FLUSH_STAMPED)
        return;
    flush.payload[0] = records;
    flush.payload[2] = slots->tracer->pages[writer->context].block;
    write_held(slots, writer, &flush);
    observe(slots, writer, flush.event, time, time, flush.payload);
}

/* Flush a page. Its slot is requested at `time`, and its last record is complete at `ready`.
 * Returns the time when the context continues. */
static int64_t flush_page(struct slots *slots, const struct writer *writer, int64_t time,
                          int64_t ready)
{
    struct tracer *tracer = slots->tracer;
    struct page *page = &tracer->pages[writer->context];
    bool twice = slots->tracing->flush == FLUSH_DOUBLE;
    int64_t bytes = (int64_t)page->count * SPE_RECORD_BYTES, error_ticks;
    if (twice && page->written_at > ready) {
        tracer->cost.pauses++;
        tracer->cost.pause_cycles += page->written_at - ready;
        time = ready = page->written_at;
    }
    int64_t slot = reserve_own(slots, writer, time);
    int64_t stamped = stamp(slots, writer, time, slot, &error_ticks);
    bool shown =
        slots->tracing->flush == FLUSH_STAMPED && page->items[page->count - 1].stay == writer->stay;
    for (size_t i = 0; i < page->count && tracer->rows; i++)
        tracer_write(tracer, writer->context, writer->context, &page->items[i], page,
                     shown && i + 1 == page->count ? &stamped : NULL);
    if (!tracer->rows) {
        for (size_t i = 0; i < page->count; i++)
            write_held(slots, writer, &page->items[i]);
        write_flush(slots, writer, page->count, slot, stamped);
    }
    page->count = 0;
    page->block++;
    tracer->cost.flushes++;
    int64_t issued = (slot > ready ? slot : ready) + DMA_ISSUE;
    int64_t done = issued + DMA_LATENCY + bytes / DMA_BYTES_PER_CYCLE;
    page->written_at = done;
    return twice ? issued : done + CHANNEL;
}

/* Write a record into the page of its context, or directly if the writer has no page. Returns the
 * time when the core continues. */
static int64_t record_block(struct slots *slots, const struct writer *writer, enum event event,
                            int64_t begin, int64_t time, const uint64_t *payload)
{
    struct tracer *tracer = slots->tracer;
    bool spe = writer->context != 0, pages = spe && slots->tracing->block > 0;
    struct page *page = &tracer->pages[writer->context];
    if (pages) { /* request memory, and flush earlier records if a burst begins */
        if (slots->tracing->flush == FLUSH_DOUBLE && !page->asked)
            time += CHANNEL + INTERRUPT_WAKE + MMIO_READ + MMIO_WRITE + CHANNEL;
        page->asked = true;
        if (page->stay != writer->stay) { /* the first record since the context was loaded */
            page->stay = writer->stay;
            page->burst_left = slots->tracing->burst;
            if (page->burst_left > 0 && page->count > 0)
                time = flush_page(slots, writer, time, time);
        }
    }
    int64_t at = pages ? time + SPE_STAMP : reserve_own(slots, writer, time), error_ticks;
    int64_t stamped = stamp(slots, writer, time, at, &error_ticks);
    observe(slots, writer, event, begin, at, payload);
    struct traced record = {.event = event,
                            .stamped = stamped,
                            .begun = shown_at(slots, writer, begin) + error_ticks,
                            .has_begin = event_types[event].interval &&
                                         (!spe || begin >= writer->stay_begin),
                            .stay = writer->stay,
                            .spe = writer->spe,
                            .decr = writer->decr_base - (uint32_t)stamped,
                            .clock = writer->clock};
    memcpy(record.payload, payload, sizeof record.payload);
    if (record.begun > stamped)
        record.begun = stamped;
    slots->count += tracer->rows;
    if (pages) {
        int64_t ready = at + SPE_RECORD;
        page->items[page->count++] = record;
        tracer->cost.records++;
        bool full = page->burst_left > 0 || page->count == (size_t)slots->tracing->block ||
                    event == EVENT_SPE_EXIT;
        page->burst_left -= page->burst_left > 0;
        return full ? flush_page(slots, writer, time, ready) : ready;
    }
    if (tracer->rows) {
        tracer_write(tracer, writer->thread, writer->context, &record, NULL, NULL);
    } else {
        write_held(slots, writer, &record);
        write_flush(slots, writer, 1, at, stamped);
        page->block++;
    }
    return at + (spe ? SPE_RECORD : PPE_RECORD);
}

int64_t slots_record(struct slots *slots, struct writer *writer, enum event event, int64_t begin,
                     int64_t time, const uint64_t *payload)
{
    const struct event_type *type = &event_types[event];
    if (!(type->levels & slots->level) || slots->tracing->kind == TRACER_NONE)
        return time;
    if (slots->tracer)
        return record_block(slots, writer, event, begin, time, payload);
    bool hardware = slots->tracing->kind == TRACER_HARDWARE;
    int64_t slot = time > slots->free_at ? time : slots->free_at, error_ticks;
    if (hardware) /* a single store writes the record, and needs no slot */
        slots->free_at = slot;
    else
        slot = reserve(slots, writer, time);
    int64_t stamped = stamp(slots, writer, time, slot, &error_ticks);
    int64_t begun = shown_at(slots, writer, begin) + error_ticks;
    if (slots->steady) {
        /* The clock of a thread never steps back, so its timestamps must not decrease. A timestamp
         * that is raised to the previous one does not have a greater error than that. */
        if (begin >= writer->last && begun < writer->last_ticks)
            begun = writer->last_ticks;
        stamped = stamped < begun ? begun : stamped;
        stamped = stamped < writer->last_ticks ? writer->last_ticks : stamped;
        writer->last = slot;
        writer->last_ticks = stamped;
    }
    if (slots->rows)
        rows_write(slots->sink, slots->rows,
                   &(struct row){writer->thread, writer->context, event, stamped, begun, payload});
    else
        write_record(slots, writer, type, stamped, begun, payload);
    note_truth(slots, writer, event, stamped, payload);
    observe(slots, writer, event, begin, slot, payload);
    slots->count++;
    return slot + (hardware ? STORE_RECORD : writer->context ? SPE_RECORD : PPE_RECORD);
}

int64_t slots_imprecision_twice(const struct slots *slots)
{
    return 2 * slots->jitter_ticks + slots->latest_ticks + slots->apart;
}
