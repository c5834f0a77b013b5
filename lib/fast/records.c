/* The fast path for records of a .pex: a loop over plain records. A record is plain if its clock
 * had a record shortly before, and if its time is near the times of its neighbours.
 *
 * A live interval is an SPE context between two switches. A struct plain_line has its state: at the
 * time x0, its decrementer was decr0. The decrementer counts down, so a record with the decrementer
 * decr is at x = x0 + (decr0 - decr). A record of the PPE is at x = its time + ppe.x0. Each x is a
 * local time plus a rough offset, an estimate of the clock's offset (order/rebase.h).
 *
 * The loop adds records of known live intervals to a run, or writes them with global timestamps. It
 * changes only struct plain, struct plain_cursor, and struct run, so several loops may run at once
 * (fast/fast.c). */
#include "base/array.h"
#include "base/crc.h"
#include "base/error.h"
#include "clock/global.h"
#include "fast/fast.h"
#include "fast/kind.h"
#include "io/range.h"
#include "order/rebase.h"
#include "trace/pex/record.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A record is taken only if it is less than this many ticks after x0 of its live interval. A PPE
 * record must be less than this many ticks after the previous PPE record. This is a quarter of the
 * decrementer's range. */
#define PLAIN_REACH ((uint32_t)1 << 30)

enum {
    PLAIN_LINES = FAST_CONTEXTS, /* size of the table of contexts */
    PLAIN_LEDGER = 4096          /* greatest number of PPE records in a run */
};

/* The clock of a live interval or of the PPE. The struct fits into one cache line of the
 * processor. */
struct plain_line {
    /* id of a context. An unused item has an id that belongs elsewhere in the table, so no context
     * matches it. */
    _Alignas(64) uint32_t id;
    /* SWEEP_NONE if this item is unused */
    uint32_t slot;
    uint32_t decr0;
    uint32_t thread;
    int64_t x0;
    int64_t shift;
    /* The members below describe the records of the present run (fast/kind.h). */
    uint64_t records;
    uint64_t position; /* position of the last record */
    uint32_t decr;     /* decrementer of the last record; unused for the PPE */
    uint32_t stay;
};

/* A live interval that has records in the present run. */
struct plain_stay {
    uint32_t line;
    uint32_t first_decr;
    int64_t first_x;
    bool has_before, has_after;
    /* times of the last PPE record before, and the first one after, the last record of the live
     * interval */
    int64_t before_x, after_x;
};

struct plain {
    int64_t near_ticks;
    int64_t greatest_x;
    struct plain_line ppe;
    int64_t ppe_x;
    struct plain_line lines[PLAIN_LINES];

    /* The members below describe the records of the present run (fast/kind.h). They are not
     * copied to a worker. */
    int64_t ppe_first_x;
    uint32_t nstays;
    /* ledger[1] to ledger[nledger] are the PPE records of the present run */
    uint32_t nledger;
    struct plain_stay stays[PLAIN_LINES];
    int64_t ledger[PLAIN_LEDGER + 1];
    uint64_t ledger_at[PLAIN_LEDGER + 1];
};

/* Upper limit for the size of written records, if the original records have `bytes` bytes. */
#define PLAIN_ROOM(bytes) ((bytes) / RECORD_SPE_BYTES * RECORD_PPE_BYTES)

struct plain_cursor {
    const uint8_t *at, *end; /* available bytes */
    const uint8_t *stop;     /* records that begin at or after this address are not taken */
    uint64_t position;
    uint64_t until; /* PPE records at or after this position are not taken */
    uint64_t limit; /* records are taken only before this position */
    int64_t greatest_x;
    int64_t ppe_x;
    uint32_t nledger;
    uint8_t *out;   /* for WRITING: memory of PLAIN_ROOM(available bytes) */
    int64_t *times; /* for TIMING: receives global times; has room for all records before `limit` */
    /* Called for each record that the loop cannot take, unless NULL. Returns true if it took the
     * record. */
    bool (*turn)(void *user, struct plain_cursor *cursor, struct run *run);
    void *user;
};

static inline int64_t plain_time(const struct plain_line *line, int64_t x, enum purpose purpose)
{
    return purpose == MEASURING ? (int64_t)placement_global(line->shift, x) : x;
}

/* Payloads of up to FEW_BYTES bytes are copied as FEW_BYTES bytes. The loop ends SHORT bytes before
 * the end of the buffer, so these can be read, and PLAIN_ROOM has room to write them. */
enum { SHORT = FAST_LOOKAHEAD, FEW_BYTES = 32 };

/* A record is assumed to begin at an offset where GUESS_RECORDS successive records look right. */
enum { GUESS_RECORDS = 16 };

static void plain_free_line(struct plain_line *line, uint32_t index)
{
    line->id = ~index;
    line->slot = SWEEP_NONE;
}

static void plain_begin(struct plain *plain)
{
    for (uint32_t i = 0; i < plain->nstays; i++)
        plain->lines[plain->stays[i].line].records = 0;
    plain->nstays = plain->nledger = 0;
    plain->ppe.records = 0;
}

/* Mask of a record's first eight bytes: its size must be a multiple of 8, core and flags valid. */
#define HEAD_MASK UINT64_C(0x0007fffe00000000)
#define HEAD_OF(core) ((uint64_t)(core) << 40)

/* Returns the size of the record at c->at, or 0 if it is wrong. `head` is the record's first bytes.
 * Most sizes fit one byte, which the processor reads early to find the next record. */
static inline size_t plain_size(const struct plain_cursor *c, uint64_t head, size_t fixed)
{
    size_t size = c->at[1];
    if (__builtin_expect(c->at[0] != 0, 0)) {
        size = load16(c->at);
        if (size > RECORD_BYTES_MAX || size > (size_t)(c->end - c->at))
            return 0;
    }
    return fixed + 8 * (size_t)(uint16_t)head <= size ? size : 0;
}

/* Write the head of a record with global timestamps, and the bytes after its timestamps. */
static inline void put_record(struct plain_cursor *c, size_t size, size_t fixed,
                              int64_t global_ticks, uint64_t begin)
{
    uint8_t *out = c->out;
    memcpy(out, c->at, RECORD_PREFIX_BYTES);
    store16(out, (uint16_t)(size + RECORD_PPE_BYTES - fixed));
    store64(out + RECORD_PREFIX_BYTES, (uint64_t)global_ticks);
    store64(out + RECORD_PREFIX_BYTES + 8, begin);
    out += RECORD_PPE_BYTES;
    c->out = out + (size - fixed);
    if (__builtin_expect(size - fixed <= FEW_BYTES, 1)) {
        memcpy(out, c->at + fixed, FEW_BYTES); /* faster than copying the exact size */
        return;
    }
    for (size_t at = fixed; at < size; at += 8, out += 8)
        memcpy(out, c->at + at, 8);
}

static inline bool is_near(const struct plain *plain, int64_t greatest_x, int64_t x)
{
    uint64_t near_ticks = (uint64_t)plain->near_ticks;
    return (uint64_t)x - (uint64_t)greatest_x + near_ticks <= 2 * near_ticks;
}

static inline bool run_record(struct run *run, const struct plain_line *line, int64_t x,
                              enum purpose purpose)
{
    return purpose >= WRITING || run_event(run, line->slot, plain_time(line, x, purpose), purpose);
}

static void begin_stay(struct plain *plain, struct plain_line *line, uint32_t decr, int64_t x)
{
    line->stay = plain->nstays;
    plain->stays[plain->nstays++] = (struct plain_stay){
        .line = (uint32_t)(line - plain->lines), .first_decr = decr, .first_x = x};
}

static inline size_t take_spe(struct plain *plain, struct plain_cursor *c, struct run *run,
                              uint64_t head, enum purpose purpose)
{
    const uint8_t *p = c->at;
    uint32_t context = record_writer_at(p);
    struct plain_line *line = &plain->lines[context % PLAIN_LINES];
    uint32_t decr = load32(p + RECORD_PREFIX_BYTES), moved = line->decr0 - decr;
    int64_t x = line->x0 + moved;
    size_t size = plain_size(c, head, RECORD_SPE_BYTES);
    if (size == 0 || line->id != context || moved >= PLAIN_REACH ||
        !is_near(plain, c->greatest_x, x) || !run_record(run, line, x, purpose))
        return 0;
    c->greatest_x = x > c->greatest_x ? x : c->greatest_x;
    if (purpose == WRITING) {
        struct record r = {.spe = true,
                           .interval = p[3] & RECORD_INTERVAL,
                           .stamp = decr,
                           .begin = load32(p + RECORD_PREFIX_BYTES + 4)};
        int64_t global = (int64_t)placement_global(line->shift, x);
        put_record(c, size, RECORD_SPE_BYTES, global, placement_begin(&r, global, 0));
    }
    if (purpose == TIMING)
        *c->times++ = (int64_t)placement_global(line->shift, x);
    if (__builtin_expect(line->records == 0, 0))
        begin_stay(plain, line, decr, x);
    line->records++;
    line->decr = decr;
    line->position = c->position;
    return size;
}

static inline bool is_switch(uint64_t head)
{
    uint16_t id = (uint16_t)(head >> 16);
    return id == ID_SWITCH_IN || id == ID_SWITCH_OUT;
}

static inline size_t take_ppe(struct plain *plain, struct plain_cursor *c, struct run *run,
                              uint64_t head, enum purpose purpose)
{
    uint64_t stamp = load64(c->at + RECORD_PREFIX_BYTES);
    int64_t x = (int64_t)(stamp + (uint64_t)plain->ppe.x0);
    size_t size = plain_size(c, head, RECORD_PPE_BYTES);
    if (size == 0 || stamp > INT64_MAX || c->nledger == PLAIN_LEDGER || c->position >= c->until ||
        (uint64_t)x - (uint64_t)c->ppe_x >= PLAIN_REACH || !is_near(plain, c->greatest_x, x) ||
        !run_record(run, &plain->ppe, x, purpose))
        return 0;
    c->greatest_x = x > c->greatest_x ? x : c->greatest_x;
    if (purpose == WRITING) {
        struct record r = {.interval = c->at[3] & RECORD_INTERVAL,
                           .begin = load64(c->at + RECORD_PREFIX_BYTES + 8)};
        int64_t global = (int64_t)placement_global(plain->ppe.shift, x);
        put_record(c, size, RECORD_PPE_BYTES, global, placement_begin(&r, global, (int64_t)stamp));
    }
    if (purpose == TIMING)
        *c->times++ = (int64_t)placement_global(plain->ppe.shift, x);
    c->ppe_x = x;
    c->nledger++;
    plain->ledger[c->nledger] = x;
    plain->ledger_at[c->nledger] = c->position;
    return size;
}

/* The loop changes copies of members of `plain` in its cursor, so that they can be in registers. */
static inline void begin_loop(const struct plain *plain, struct plain_cursor *c)
{
    c->greatest_x = plain->greatest_x;
    c->ppe_x = plain->ppe_x;
    c->nledger = plain->nledger;
}

static inline void end_loop(struct plain *plain, const struct plain_cursor *c)
{
    uint32_t first = plain->nledger + 1;
    plain->greatest_x = c->greatest_x;
    if (c->nledger < first)
        return;
    if (plain->ppe.records == 0)
        plain->ppe_first_x = plain->ledger[first];
    plain->ppe.records += c->nledger - plain->nledger;
    plain->ppe.position = plain->ledger_at[c->nledger];
    plain->ppe_x = c->ppe_x;
    plain->nledger = c->nledger;
}

/* Returns the address where the loop must stop. If a record begins before this address, its
 * timestamps can be read, and its position is below the limit. If the record is also shorter than
 * 256 bytes, all its bytes can be read. */
static const uint8_t *find_stop(const struct plain_cursor *c)
{
    size_t have = (size_t)(c->end - c->at);
    size_t most = have > SHORT ? have - SHORT : 0;
    uint64_t left = c->limit - c->position;
    if (left < have / RECORD_SPE_BYTES && left * RECORD_SPE_BYTES < most)
        most = (size_t)left * RECORD_SPE_BYTES;
    return c->stop - c->at < (ptrdiff_t)most ? c->stop : c->at + most;
}

/* The compiler makes a separate loop for each constant `purpose`. */
static inline __attribute__((always_inline)) void take_for_purpose(struct plain *plain,
                                                                   struct plain_cursor *cursor,
                                                                   struct run *run,
                                                                   enum purpose purpose)
{
    struct plain_cursor c = *cursor; /* local copies can be in registers */
    struct run r = *run;
    const uint8_t *stop = find_stop(cursor);
    begin_loop(plain, &c);
    while (c.at < stop) {
        uint64_t head = load64(c.at);
        size_t size = 0;
        if ((head & HEAD_MASK) == HEAD_OF(CORE_SPE))
            size = take_spe(plain, &c, &r, head, purpose);
        else if ((head & HEAD_MASK) == HEAD_OF(CORE_PPE) && !is_switch(head))
            size = take_ppe(plain, &c, &r, head, purpose);
        if (size == 0)
            break;
        c.at += size;
        c.position++;
    }
    end_loop(plain, &c);
    r.records += c.position - cursor->position;
    *cursor = c;
    *run = r;
}

static void take_for(struct plain *plain, struct plain_cursor *cursor, struct run *run)
{
    if (run->purpose == READING)
        take_for_purpose(plain, cursor, run, READING);
    else if (run->purpose == CONSTRAINING)
        take_for_purpose(plain, cursor, run, CONSTRAINING);
    else if (run->purpose == CARRYING)
        take_for_purpose(plain, cursor, run, CARRYING);
    else if (run->purpose == MEASURING)
        take_for_purpose(plain, cursor, run, MEASURING);
    else if (run->purpose == WRITING)
        take_for_purpose(plain, cursor, run, WRITING);
    else
        take_for_purpose(plain, cursor, run, TIMING);
}

/* Take the next record if it is a PPE record, even if it is a context switch. */
static bool plain_take_switch(struct plain *plain, struct plain_cursor *c, struct run *run)
{
    uint64_t head = load64(c->at);
    size_t size = 0;
    begin_loop(plain, c);
    if ((head & HEAD_MASK) == HEAD_OF(CORE_PPE))
        size = take_ppe(plain, c, run, head, run->purpose == CONSTRAINING ? CONSTRAINING : READING);
    end_loop(plain, c);
    c->at += size;
    c->position += size > 0;
    run->records += size > 0;
    return size > 0;
}

static void plain_take(struct plain *plain, struct plain_cursor *cursor, struct run *run)
{
    bool ppe_before = plain->ppe.records > 0;
    int64_t ppe_x = plain->ppe_x;
    uint64_t first = cursor->position;
    plain->nledger = 0;
    do
        take_for(plain, cursor, run);
    while (cursor->turn && cursor->at < find_stop(cursor) &&
           cursor->turn(cursor->user, cursor, run));
    for (uint32_t i = 0; i < plain->nstays; i++) {
        struct plain_line *line = &plain->lines[plain->stays[i].line];
        struct plain_stay *stay = &plain->stays[i];
        uint32_t before = 0, end = plain->nledger;
        if (line->position >= first) {
            BISECT(before, end, middle, plain->ledger_at[middle + 1] < line->position);
            stay->has_before = before > 0 || ppe_before;
            stay->before_x = before > 0 ? plain->ledger[before] : ppe_x;
            stay->has_after = false;
        }
        if (!stay->has_after && before < plain->nledger) {
            stay->has_after = true;
            stay->after_x = plain->ledger[before + 1];
        }
        line->x0 += (uint32_t)(line->decr0 - line->decr);
        line->decr0 = line->decr;
    }
}

/* Returns false if the clock of the record at p is not known. */
static bool plain_look(const struct plain *plain, const uint8_t *p, size_t have,
                       const struct plain_line **line, int64_t *x)
{
    if (have < RECORD_PPE_BYTES)
        return false;
    if (p[2] == CORE_PPE) {
        *line = &plain->ppe;
        *x = (int64_t)(load64(p + RECORD_PREFIX_BYTES) + (uint64_t)plain->ppe.x0);
    } else {
        uint32_t context = record_writer_at(p);
        *line = &plain->lines[context % PLAIN_LINES];
        *x = (*line)->x0 + (uint32_t)((*line)->decr0 - load32(p + RECORD_PREFIX_BYTES));
        if ((*line)->id != context)
            return false;
    }
    return (*line)->slot != SWEEP_NONE;
}

/* Returns true if the bytes look like successive records at similar times. */
static bool plain_looks_right(const struct plain *plain, const uint8_t *p, const uint8_t *end)
{
    uint64_t near_ticks = (uint64_t)plain->near_ticks;
    const struct plain_line *line;
    int64_t x, before = 0;
    for (int i = 0; i < GUESS_RECORDS && end - p >= RECORD_PPE_BYTES; i++) {
        size_t size = record_size_at(p),
               fixed = record_is_spe_at(p) ? RECORD_SPE_BYTES : RECORD_PPE_BYTES;
        if (p[2] > CORE_SPE || p[3] > RECORD_INTERVAL || size % 8 != 0 ||
            size < fixed + 8 * (size_t)record_nvalues_at(p) ||
            !plain_look(plain, p, RECORD_PPE_BYTES, &line, &x) ||
            (i > 0 && (uint64_t)x - (uint64_t)before + near_ticks > 2 * near_ticks))
            return false;
        before = x;
        if (size > (size_t)(end - p))
            return true;
        p += size;
    }
    return true;
}

struct records {
    struct fast fast;
    struct plain plain;
    struct fast_threads threads;
    struct context_run contexts[PLAIN_LINES];
    uint64_t born, born_after;
    const uint8_t *bytes; /* first byte of the run */
    csy_status status;
    csy_error *error;
    /* memory for the segments of each worker, which is kept to avoid fragmentation */
    struct stretch *rooms[FAST_WORKERS_MAX];
};

static struct records *records_of(struct fast *fast)
{
    return (void *)fast;
}

static const struct plain *known(const struct fast *fast)
{
    return &((const struct records *)(const void *)fast)->plain;
}

csy_status records_new(struct timeline *timeline, struct fast **out, csy_error *error)
{
    struct records *records = aligned_alloc(_Alignof(struct records), sizeof *records);
    if (!records)
        return error_memory(error);
    records->fast = (struct fast){.kind = &fast_records};
    records->born = records->born_after = 0;
    records->status = CSY_OK;
    memset(records->rooms, 0, sizeof records->rooms);
    struct plain *plain = &records->plain;
    /* `stays` and the members after it are large, and are written before they are read. */
    memset(plain, 0, offsetof(struct plain, stays));
    plain->near_ticks = timeline->rules.imprecision_ticks / 4;
    plain->greatest_x = -X_MAX;
    plain->ppe.slot = SWEEP_NONE;
    for (uint32_t i = 0; i < PLAIN_LINES; i++)
        plain_free_line(&plain->lines[i], i);
    *out = &records->fast;
    return CSY_OK;
}

static void free_records(struct fast *fast)
{
    for (size_t i = 0; i < FAST_WORKERS_MAX; i++)
        free(records_of(fast)->rooms[i]);
    free(records_of(fast));
}

static void set_line(const struct fast *fast, struct plain_line *line, const struct event *event,
                     int64_t x)
{
    *line = (struct plain_line){.id = event->record->thread,
                                .slot = fast_slot(fast, event->thread),
                                .decr0 = (uint32_t)event->record->stamp,
                                .thread = event->thread,
                                .x0 = x,
                                .shift = fast_shift(fast, event->thread)};
}

static void note_record(struct fast *fast, const struct event *event, int64_t x)
{
    struct records *records = records_of(fast);
    struct plain *plain = &records->plain;
    const struct record *record = event->record;
    uint64_t apart = x > plain->greatest_x ? (uint64_t)x - (uint64_t)plain->greatest_x
                                           : (uint64_t)plain->greatest_x - (uint64_t)x;
    bool near = apart <= (uint64_t)plain->near_ticks || plain->greatest_x == -X_MAX;
    raise_ticks(&plain->greatest_x, x);
    if (event->ended != NO_THREAD) {
        uint32_t index =
            (uint32_t)fast->timeline->threads.items[event->ended].context % PLAIN_LINES;
        if (plain->lines[index].thread == event->ended)
            plain_free_line(&plain->lines[index], index);
    }
    if (!record->spe) {
        /* If this PPE record is late, or far from other records, forget the clocks of all contexts.
         * Each context then needs a record on the ordinary path first. */
        bool late =
            plain->ppe.slot == SWEEP_NONE || (uint64_t)x - (uint64_t)plain->ppe_x >= PLAIN_REACH;
        records->threads.ppe = event->thread;
        set_line(fast, &plain->ppe, event, x);
        if (!near)
            plain->ppe.slot = SWEEP_NONE;
        plain->ppe.x0 = (int64_t)(uint64_t)fast->rebase->offset[event->thread];
        plain->ppe_x = x;
        for (uint32_t i = 0; i < PLAIN_LINES && (late || !near); i++)
            plain_free_line(&plain->lines[i], i);
        return;
    }
    bool goes_on = intervals_may_continue(fast->timeline->intervals, record->thread);
    bool bounded = plain->ppe.slot != SWEEP_NONE;
    uint32_t index = record->thread % PLAIN_LINES;
    set_line(fast, &plain->lines[index], event, x);
    records->threads.spe[index] = event->thread;
    if (!near || !goes_on || !bounded)
        plain_free_line(&plain->lines[index], index);
}

static bool is_open(const struct fast *fast)
{
    uint64_t until;
    return known(fast)->ppe.slot != SWEEP_NONE && known(fast)->greatest_x < X_MAX / 2 &&
           intervals_may_run(fast->timeline->intervals, &until);
}

const struct fast_threads *fast_threads(const struct fast *fast)
{
    return &((const struct records *)(const void *)fast)->threads;
}

static uint64_t limit_of(const struct fast *fast)
{
    uint64_t claimed = fast->timeline->trace->records.header.records;
    return claimed < fast->job.limit ? claimed : fast->job.limit;
}

static void settle_thread(const struct fast *fast, const struct plain_line *line, int64_t x,
                          uint64_t first)
{
    int128 offset = fast->rebase->offset[line->thread];
    int64_t last = (int64_t)(x - offset);
    threads_take_run(&fast->timeline->threads, line->thread,
                     &(struct thread_run){line->records, line->position + first, last, last,
                                          (int64_t)(known(fast)->greatest_x - offset)});
}

/* Update threads and live intervals after `records` records were taken. Positions in `from` are
 * relative to position `first`. */
static csy_status settle_clocks(struct fast *fast, const struct plain *from, uint64_t records,
                                uint64_t first, csy_error *error)
{
    struct timeline *timeline = fast->timeline;
    struct plain *own = &records_of(fast)->plain;
    struct context_run *contexts = records_of(fast)->contexts;
    int128 ppe_offset = fast->rebase->offset[from->ppe.thread];
    uint64_t end = timeline->records + records;
    struct intervals_run run = {
        .contexts = contexts, .ncontexts = from->nstays, .pending = records};
    raise_ticks(&own->greatest_x, from->greatest_x);
    fast->greatest_x = own->greatest_x;
    if (from->ppe.records > 0) {
        settle_thread(fast, &from->ppe, from->ppe_x, first);
        own->ppe_x = from->ppe_x;
        run.ppe_records = from->ppe.records;
        run.ppe_first_ticks = (int64_t)(from->ppe_first_x - ppe_offset);
        run.ppe_last_ticks = (int64_t)(from->ppe_x - ppe_offset);
        run.ppe_position = from->ppe.position + first;
        run.pending = end - run.ppe_position - 1;
    }
    if (records_of(fast)->born_after == from->ppe.records)
        run.pending -= records_of(fast)->born;
    records_of(fast)->born = 0;
    for (uint32_t i = 0; i < from->nstays; i++) {
        const struct plain_stay *stay = &from->stays[i];
        const struct plain_line *line = &from->lines[stay->line];
        settle_thread(fast, line, line->x0, first);
        own->lines[stay->line].decr0 = line->decr0;
        own->lines[stay->line].x0 = line->x0;
        contexts[i] = (struct context_run){
            .context = line->id,
            .decr = line->decr0,
            .local_ticks = timeline->threads.items[line->thread].last_ticks,
            .before_ticks = (int64_t)(stay->before_x - ppe_offset),
            .has_after = stay->has_after,
            .after_ticks = stay->has_after ? (int64_t)(stay->after_x - ppe_offset) : 0,
        };
    }
    run.end_least_ticks = own->greatest_x - own->near_ticks - ppe_offset;
    run.end_reach_ticks = PLAIN_REACH;
    timeline->trace->records.next_position = timeline->records = end;
    return intervals_take_run(timeline->intervals, &run, error);
}

static void resume_sweep(const struct fast *fast, struct run *run)
{
    sweep_run_begin(&run->sweep, fast->sweep, false);
    fast_last(fast, &run->ends.last, &run->ends.last_x);
}

/* Set the error of the record at p. Returns false. */
static bool fail(struct records *records, const uint8_t *p, csy_status status)
{
    struct csy_trace *trace = records->fast.timeline->trace;
    uint64_t place = bytes_offset(trace->bytes) + (uint64_t)(p - records->bytes);
    records->status = trace_at_place(trace, place, status, records->error);
    return false;
}

/* Take a switch OUT, and end its live interval. Returns false to use the ordinary path or on
 * failure. */
static bool take_out(struct records *records, struct plain_cursor *cursor, struct run *run,
                     uint32_t context, uint64_t spe)
{
    struct fast *fast = &records->fast;
    const uint8_t *p = cursor->at;
    struct plain_line *line = &records->plain.lines[context % PLAIN_LINES];
    uint32_t thread = line->thread;
    if (line->id != context || thread == *fast->tau ||
        !plain_take_switch(&records->plain, cursor, run))
        return false;
    uint32_t decr = line->records > 0 ? line->decr : line->decr0;
    int64_t x = line->x0 + (uint32_t)(line->decr0 - decr);
    if (line->records > 0) {
        settle_thread(fast, line, x, 0);
        struct plain_stay *gone = &records->plain.stays[line->stay];
        *gone = records->plain.stays[--records->plain.nstays];
        records->plain.lines[gone->line].stay = line->stay;
    }
    intervals_leave(fast->timeline->intervals, line->id, spe, decr,
                    (int64_t)(x - fast->rebase->offset[thread]));
    line->records = 0;
    plain_free_line(line, context % PLAIN_LINES);
    if (!fast->sweep)
        return true;
    sweep_take_run(fast->sweep, &run->sweep, &run->ends);
    csy_status status = sweep_ended(fast->sweep, thread, &fast->feed->feasible, records->error);
    resume_sweep(fast, run);
    return status ? fail(records, p, status) : fast->feed->feasible;
}

/* Take the first record of a live interval. The offset of its clock is not known yet, so the record
 * gets the x of the previous record. Returns false to use the ordinary path or on failure. */
static bool take_first(struct records *records, struct plain_cursor *cursor, struct run *run)
{
    struct fast *fast = &records->fast;
    const uint8_t *p = cursor->at;
    struct plain *plain = &records->plain;
    struct plain_line line = {.id = record_writer_at(p), .decr0 = load32(p + RECORD_PREFIX_BYTES)};
    struct plain_line *own = &plain->lines[line.id % PLAIN_LINES];
    uint64_t head = load64(p);
    if (own->slot != SWEEP_NONE || own->records > 0 ||
        !intervals_may_begin(fast->timeline->intervals, line.id) ||
        (head & HEAD_MASK) != HEAD_OF(CORE_SPE) ||
        !is_near(plain, plain->greatest_x, run->ends.last_x) ||
        plain_size(cursor, head, RECORD_SPE_BYTES) == 0 ||
        (fast->sweep && sweep_live(fast->sweep) >= fast->crowd))
        return false;
    csy_status status = intervals_begin(fast->timeline->intervals, line.id, line.decr0,
                                        cursor->position, &line.thread, records->error);
    fast->rebase->previous_x = run->ends.last_x;
    if (!status)
        status = rebase_place(fast->rebase, line.thread, 0, &line.x0, records->error);
    if (!status && fast->sweep) {
        sweep_take_run(fast->sweep, &run->sweep, &run->ends);
        status =
            sweep_event(fast->sweep, line.thread, line.x0, &fast->feed->feasible, records->error);
        resume_sweep(fast, run);
    } else {
        run->ends.last = line.thread;
    }
    if (status)
        return fail(records, p, status);
    line.slot = run->ends.last;
    *own = line;
    begin_stay(plain, own, line.decr0, line.x0);
    own->records = 1;
    own->decr = line.decr0;
    own->position = cursor->position++;
    cursor->at += record_size_at(p);
    run->records++;
    records->born = records->born_after == plain->ppe.records ? records->born + 1 : 1;
    records->born_after = plain->ppe.records;
    return true;
}

/* Returns false if the fast path cannot take this record, or on failure. */
static bool take_turn(void *user, struct plain_cursor *cursor, struct run *run)
{
    struct records *records = user;
    const uint8_t *p = cursor->at;
    uint16_t id = record_id_at(p);
    if (record_is_spe_at(p))
        return take_first(records, cursor, run);
    if ((id != ID_SWITCH_IN && id != ID_SWITCH_OUT) || record_nvalues_at(p) < 2 ||
        load32(p + RECORD_PPE_BYTES) != 0) /* the context id exceeds 32 bits */
        return false;
    uint32_t context = load32(p + RECORD_PPE_BYTES + 4);
    uint64_t spe = load64(p + RECORD_PPE_BYTES + 8);
    if (id == ID_SWITCH_OUT)
        return take_out(records, cursor, run, context, spe);
    struct intervals *intervals = records->fast.timeline->intervals;
    if (!intervals_may_enter(intervals, context) ||
        !plain_take_switch(&records->plain, cursor, run))
        return false;
    intervals_enter(intervals, context, spe);
    return true;
}

static csy_status take_records(struct fast *fast, struct fast_taken *taken, csy_error *error)
{
    uint8_t *out = fast->job.purpose == WRITING ? fast->job.out : NULL;
    struct plain *plain = &records_of(fast)->plain;
    struct bytes *bytes = fast->timeline->trace->bytes;
    struct plain_cursor cursor = {.position = fast->timeline->records, .limit = limit_of(fast)};
    size_t have;
    if (!run_begin(&fast->run, fast) ||
        !intervals_may_run(fast->timeline->intervals, &cursor.until))
        return CSY_OK;
    csy_status status = bytes_peek(bytes, (size_t)2 * FAST_LOOKAHEAD, &taken->bytes, &have, error);
    if (status)
        return status;
    cursor.at = taken->bytes;
    cursor.end = cursor.at + (out && PLAIN_ROOM(have) > fast->job.room
                                  ? fast->job.room / RECORD_PPE_BYTES * RECORD_SPE_BYTES
                                  : have);
    cursor.stop = cursor.end;
    cursor.out = out;
    cursor.times = fast->job.times;
    if (fast->turns && (fast->job.purpose == READING || fast->job.purpose == CONSTRAINING)) {
        cursor.turn = take_turn;
        cursor.user = records_of(fast);
        records_of(fast)->bytes = taken->bytes;
        records_of(fast)->error = error;
    }
    plain_begin(plain);
    plain_take(plain, &cursor, &fast->run);
    taken->records = fast->run.records;
    if (records_of(fast)->status || taken->records == 0)
        return records_of(fast)->status;
    taken->size = (size_t)(cursor.at - taken->bytes);
    taken->written = out ? (size_t)(cursor.out - out) : 0;
    status = settle_clocks(fast, plain, taken->records, 0, error);
    run_settle(&fast->run, fast);
    bytes_skip(bytes, taken->size);
    return status;
}

enum { READ_BYTES = 256 * 1024, REST_BYTES = RECORD_BYTES_MAX + FAST_LOOKAHEAD };

struct stretch {
    struct segment segment;
    struct plain plain;
    /* cursor.position is 0 at the first record of the segment */
    struct plain_cursor cursor;
    struct range file;
    int64_t first_x;
    uint64_t base; /* file offset of buffer[0] */
    size_t first, last;
    bool summing;
    uint8_t buffer[READ_BYTES + REST_BYTES];
};

static void free_stretch(struct segment *segment)
{
    run_fini(&segment->run);
    free(segment->out);
}

static struct segment *new_stretch(struct fast *fast, unsigned worker)
{
    const struct csy_trace *trace = fast->timeline->trace;
    struct stretch **room = &records_of(fast)->rooms[worker];
    if (!*room)
        *room = aligned_alloc(_Alignof(struct stretch), sizeof **room);
    struct stretch *g = *room;
    if (!g)
        return NULL;
    g->segment = (struct segment){.fast = fast};
    g->plain.nstays = 0;
    g->file = (struct range){.fd = trace->record_fd < 0 ? trace->fd : trace->record_fd,
                             .name = trace->record_name};
    g->summing = bytes_is_summing(trace->bytes);
    bool good = run_new(&g->segment.run, true, fast->job.purpose);
    if (fast->job.purpose == WRITING)
        g->segment.out = malloc(PLAIN_ROOM(trace->segment_bytes + RECORD_BYTES_MAX));
    if (good && (fast->job.purpose != WRITING || g->segment.out))
        return &g->segment;
    free_stretch(&g->segment);
    return NULL;
}

static void prepare_stretch(struct segment *segment)
{
    struct stretch *g = (void *)segment;
    plain_begin(&records_of(segment->fast)->plain);
    memcpy(&g->plain, known(segment->fast), offsetof(struct plain, ppe_first_x));
}

/* Read more bytes, even beyond the segment, until its last record is complete. Returns false at the
 * end of the file, or after an error. */
static bool read_on(struct stretch *g)
{
    size_t got = 0, rest = g->last - g->first;
    uint64_t enough = g->segment.end + UINT64_C(2) * FAST_LOOKAHEAD;
    memmove(g->buffer, g->buffer + g->first, rest);
    g->base += g->first;
    g->first = 0;
    g->last = rest;
    uint64_t size = g->file.next < enough ? enough - g->file.next : RECORD_BYTES_MAX;
    if (size > READ_BYTES)
        size = READ_BYTES;
    if (range_read(&g->file, g->buffer + g->last, (size_t)size, &got, NULL))
        return false;
    g->last += got;
    return got > 0;
}

/* Find the segment's first record: the first multiple of 8 bytes that looks like one. */
static bool find_first(struct stretch *g)
{
    struct segment *segment = &g->segment;
    const struct plain_line *line;
    int64_t x;
    while (segment->number > 0 &&
           !plain_looks_right(&g->plain, g->buffer + g->first, g->buffer + g->last)) {
        g->first += 8;
        if (g->first > RECORD_BYTES_MAX || g->last - g->first < RECORD_PPE_BYTES)
            return false;
    }
    segment->from = segment->to = g->base + g->first;
    if (!plain_look(&g->plain, g->buffer + g->first, g->last - g->first, &line, &x) ||
        !run_begin_apart(&segment->run, segment->fast))
        return false;
    run_set_first(&segment->run, line->slot, plain_time(line, x, segment->run.purpose));
    g->plain.greatest_x = x;
    g->first_x = x;
    return true;
}

static void take_stretch(struct segment *segment)
{
    struct stretch *g = (void *)segment;
    g->base = g->file.next = segment->start;
    g->first = g->last = 0;
    plain_begin(&g->plain);
    if (!read_on(g) || !find_first(g))
        return;
    g->plain.near_ticks /= 2;
    g->cursor =
        (struct plain_cursor){.until = UINT64_MAX, .limit = UINT64_MAX, .out = segment->out};
    do {
        const uint8_t *start = g->buffer + g->first;
        uint64_t left = segment->end - g->base;
        g->cursor.at = start;
        g->cursor.end = g->buffer + g->last;
        g->cursor.stop = left < g->last ? g->buffer + left : g->cursor.end;
        plain_take(&g->plain, &g->cursor, &segment->run);
        g->first = (size_t)(g->cursor.at - g->buffer);
        if (g->summing)
            segment->crc = crc_add(segment->crc, start, (size_t)(g->cursor.at - start));
    } while (g->base + g->first < segment->end && g->last - g->first <= REST_BYTES && read_on(g));
    segment->to = g->base + g->first;
    segment->written = segment->out ? (size_t)(g->cursor.out - segment->out) : 0;
}

/* The worker did not know the greatest x of earlier records, and assumed the x of its first record
 * instead. It allowed only half of near_ticks around this x. The real greatest x may differ by the
 * other half. */
static bool stretch_holds(const struct segment *segment)
{
    const struct stretch *g = (const void *)segment;
    const struct plain *plain = &g->plain, *so_far = known(segment->fast);
    uint64_t near_ticks = (uint64_t)plain->near_ticks, until;
    uint64_t position = segment->fast->timeline->records;
    intervals_may_run(segment->fast->timeline->intervals, &until);
    if (segment->run.records > limit_of(segment->fast) - position ||
        (uint64_t)g->first_x - (uint64_t)so_far->greatest_x + near_ticks > 2 * near_ticks)
        return false;
    if (plain->ppe.records > 0 &&
        ((uint64_t)plain->ppe_first_x - (uint64_t)so_far->ppe_x >= PLAIN_REACH ||
         position + plain->ppe.position >= until))
        return false;
    for (uint32_t i = 0; i < plain->nstays; i++) {
        const struct plain_stay *stay = &plain->stays[i];
        const struct plain_line *taken = &plain->lines[stay->line];
        const struct plain_line *line = &so_far->lines[stay->line];
        uint32_t moved = line->decr0 - stay->first_decr;
        if (line->id != taken->id || line->slot != taken->slot || line->thread != taken->thread ||
            moved >= PLAIN_REACH || line->x0 + moved != stay->first_x)
            return false;
    }
    return true;
}

static csy_status settle_stretch(struct segment *segment, csy_error *error)
{
    struct stretch *g = (void *)segment;
    struct fast *fast = segment->fast;
    for (uint32_t i = 0; i < g->plain.nstays; i++)
        if (!g->plain.stays[i].has_before)
            g->plain.stays[i].before_x = known(fast)->ppe_x;
    return settle_clocks(fast, &g->plain, segment->run.records, fast->timeline->records, error);
}

const struct fast_kind fast_records = {
    .writes = true,
    .is_open = is_open,
    .note = note_record,
    .take = take_records,
    .free = free_records,
    .segment_new = new_stretch,
    .segment_free = free_stretch,
    .segment_prepare = prepare_stretch,
    .segment_take = take_stretch,
    .segment_holds = stretch_holds,
    .segment_settle = settle_stretch,
};
