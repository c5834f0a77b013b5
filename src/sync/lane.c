/* The fast lane. */
#include "sync/lane.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* A quarter of a wrap: how far a thread may move from its anchor, and PPE records stand apart. */
#define REACH ((uint32_t)1 << 30)

enum {
    LINES = 1024, /* by the low bits of the context id */
    LEDGER = 4096 /* PPE records in one run */
};

/* A live interval, or the PPE.  Anchored where the ordinary way left it: x = x0 + (decr0 - decr). */
struct line {
    uint32_t id; /* context */
    uint32_t decr0;
    int64_t x0;
    uint32_t slot; /* of the sweep; SWEEP_NONE: the line is not in use */
    uint32_t thread;
    /* Its last record in this run: */
    uint32_t decr;
    uint32_t window; /* index into the ledger of PPE records */
    uint64_t position;
    uint64_t records;
    int64_t shift; /* global time is x + shift */
};

struct lane {
    struct timeline *timeline;
    struct rough *rough;
    struct sweep *sweep;       /* or NULL */
    const csy_thread *offsets; /* or NULL */
    int64_t near_ticks;        /* B / 4 */
    int64_t greatest_x;
    struct line lines[LINES];
    struct line ppe; /* decr is not used */
    int64_t ppe_x;   /* of its last record */
    uint32_t *used;  /* indexes of lines that took records in this run */
    size_t nused, used_capacity;
    uint32_t nledger; /* PPE records of this run, behind the one that was last before it */
    int64_t ledger[LEDGER + 1];     /* their x */
    uint64_t ledger_at[LEDGER + 1]; /* their positions */
};

csy_status lane_new(struct timeline *timeline, struct rough *rough, struct sweep *sweep,
                    const csy_thread *offsets, struct lane **out, csy_error *error)
{
    struct lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        return error_memory(error);
    lane->timeline = timeline;
    lane->rough = rough;
    lane->sweep = sweep;
    lane->offsets = offsets;
    lane->near_ticks = timeline->rules.imprecision_ticks / 4;
    lane->greatest_x = -X_MAX;
    lane->ppe.slot = SWEEP_NONE;
    for (size_t i = 0; i < LINES; i++)
        lane->lines[i].slot = SWEEP_NONE;
    *out = lane;
    return CSY_OK;
}

void lane_free(struct lane *lane)
{
    if (!lane)
        return;
    free(lane->used);
    free(lane);
}

int64_t lane_greatest_x(const struct lane *lane)
{
    return lane->greatest_x;
}

/* A live interval has ended. */
static void forget_ended(struct lane *lane, uint32_t ended)
{
    if (ended == NO_THREAD)
        return;
    int64_t context = lane->timeline->threads.items[ended].context;
    struct line *line = &lane->lines[(uint64_t)context % LINES];
    if (line->thread == ended)
        line->slot = SWEEP_NONE;
}

static void set_line(struct lane *lane, struct line *line, const struct event *event, int64_t x,
                     bool usable)
{
    uint32_t slot = !usable ? SWEEP_NONE : lane->sweep ? sweep_slot(lane->sweep, event->thread) : 0;
    *line = (struct line){.id = event->record.thread,
                          .decr0 = (uint32_t)event->record.stamp,
                          .x0 = x,
                          .slot = slot,
                          .thread = event->thread};
    if (lane->offsets)
        line->shift = (int64_t)(lane->offsets[event->thread].offset_ticks -
                                lane->rough->offset[event->thread]);
}

/* A PPE record that is not near the others, or comes late, bounds no gap that it stands in. */
static void note_ppe(struct lane *lane, const struct event *event, int64_t x, bool near)
{
    bool late = lane->ppe.slot == SWEEP_NONE || (uint64_t)x - (uint64_t)lane->ppe_x >= REACH;
    set_line(lane, &lane->ppe, event, x, near);
    lane->ppe.x0 = (int64_t)(uint64_t)lane->rough->offset[event->thread]; /* x = x0 + time */
    lane->ppe_x = x;
    for (size_t i = 0; i < LINES && (late || !near); i++)
        lane->lines[i].slot = SWEEP_NONE;
}

void lane_note(struct lane *lane, const struct event *event, int64_t x)
{
    const struct record *record = &event->record;
    uint64_t apart = x > lane->greatest_x ? (uint64_t)x - (uint64_t)lane->greatest_x
                                          : (uint64_t)lane->greatest_x - (uint64_t)x;
    bool near = apart <= (uint64_t)lane->near_ticks || lane->greatest_x == -X_MAX;
    lane->greatest_x = x > lane->greatest_x ? x : lane->greatest_x;
    forget_ended(lane, event->ended);
    if (!record->spe) {
        note_ppe(lane, event, x, near);
        return;
    }
    bool goes_on = intervals_may_continue(lane->timeline->intervals, record->thread);
    bool bounded = lane->ppe.slot != SWEEP_NONE; /* a PPE record stands near before it */
    set_line(lane, &lane->lines[record->thread % LINES], event, x, near && goes_on && bounded);
}

/* What a run needs at hand. */
struct run {
    const uint8_t *at, *end;
    uint64_t position;
    int64_t *d;
    size_t stride;
    uint32_t previous; /* slot */
    int64_t previous_x, greatest_x;
    uint64_t until; /* position that the lane must not pass */
    uint8_t *out;   /* or NULL */
};

/* Whether the record at p (its header is all there) is well-formed, and of how many bytes; 0: no. */
static inline size_t plain_size(const uint8_t *p, size_t fixed)
{
    size_t size = load16(p);
    bool good = (size & 7) == 0 && p[3] <= RECORD_INTERVAL &&
                fixed + 8 * (size_t)load16(p + 6) <= size && size <= RECORD_BYTES_MAX;
    return good ? size : 0;
}

/* Constrain by the record before; false where the thread itself steps back. */
static inline bool constrain(struct run *run, uint32_t slot, int64_t x)
{
    int64_t *walk = &run->d[run->previous * run->stride + slot];
    int64_t edge = x - run->previous_x;
    if (slot == run->previous && edge < 0)
        return false;
    *walk = edge < *walk ? edge : *walk;
    run->previous = slot;
    run->previous_x = x;
    run->greatest_x = x > run->greatest_x ? x : run->greatest_x;
    return true;
}

/* The head of a record with global stamps, and what stands behind its own stamps. */
static inline void put_record(struct run *run, size_t size, size_t fixed, int64_t global_ticks,
                              uint64_t begin)
{
    uint8_t *out = run->out;
    memcpy(out, run->at, RECORD_PREFIX_BYTES);
    store16(out, (uint16_t)(size + RECORD_PPE_BYTES - fixed));
    store64(out + RECORD_PREFIX_BYTES, (uint64_t)global_ticks);
    store64(out + RECORD_PREFIX_BYTES + 8, begin);
    out += RECORD_PPE_BYTES;
    for (size_t at = fixed; at < size; at += 8, out += 8)
        memcpy(out, run->at + at, 8);
    run->out = out;
}

static inline void write_spe(struct run *run, const struct line *line, size_t size, int64_t x)
{
    struct record r = {.stamp = load32(run->at + RECORD_PREFIX_BYTES),
                       .begin = load32(run->at + RECORD_PREFIX_BYTES + 4)};
    int64_t global = x + line->shift;
    bool interval = run->at[3] & RECORD_INTERVAL;
    uint64_t begin = interval ? (uint64_t)global - (uint64_t)record_interval_ticks(&r) : r.begin;
    put_record(run, size, RECORD_SPE_BYTES, global, begin);
}

/* A PPE record moves by its offset, begin and all. */
static inline void write_ppe(struct run *run, const struct line *line, size_t size, int64_t x,
                             uint64_t stamp)
{
    uint64_t begin = load64(run->at + RECORD_PREFIX_BYTES + 8);
    int64_t global = x + line->shift;
    if (run->at[3] & RECORD_INTERVAL)
        begin += (uint64_t)global - stamp;
    put_record(run, size, RECORD_PPE_BYTES, global, begin);
}

static inline bool is_near(const struct lane *lane, const struct run *run, int64_t x)
{
    uint64_t near_ticks = (uint64_t)lane->near_ticks;
    return (uint64_t)x - (uint64_t)run->greatest_x + near_ticks <= 2 * near_ticks;
}

/* A plain SPE record; its size, or 0 where it is not plain. */
static inline size_t take_spe(struct lane *lane, struct run *run, bool writing)
{
    const uint8_t *p = run->at;
    uint32_t context = load32(p + 8);
    struct line *line = &lane->lines[context % LINES];
    uint32_t decr = load32(p + RECORD_PREFIX_BYTES), moved = line->decr0 - decr;
    int64_t x = line->x0 + moved;
    size_t size = plain_size(p, RECORD_SPE_BYTES);
    bool plain = size > 0 && size <= (size_t)(run->end - p) && line->id == context &&
                 line->slot != SWEEP_NONE && moved < REACH && is_near(lane, run, x);
    if (!plain || (!writing && !constrain(run, line->slot, x)))
        return 0;
    if (writing) {
        write_spe(run, line, size, x);
        run->greatest_x = x > run->greatest_x ? x : run->greatest_x;
    }
    if (line->records++ == 0)
        lane->used[lane->nused++] = context % LINES;
    line->decr = decr;
    line->window = lane->nledger;
    line->position = run->position;
    return size;
}

static inline size_t take_ppe(struct lane *lane, struct run *run, bool writing)
{
    const uint8_t *p = run->at;
    if ((size_t)(run->end - p) < RECORD_PPE_BYTES || lane->nledger == LEDGER)
        return 0;
    uint16_t id = load16(p + 4);
    uint64_t stamp = load64(p + RECORD_PREFIX_BYTES);
    int64_t x = (int64_t)(stamp + (uint64_t)lane->ppe.x0);
    size_t size = plain_size(p, RECORD_PPE_BYTES);
    bool plain = size > 0 && size <= (size_t)(run->end - p) && stamp <= INT64_MAX &&
                 id != ID_SWITCH_IN && id != ID_SWITCH_OUT && lane->ppe.slot != SWEEP_NONE &&
                 run->position < run->until && (uint64_t)(x - lane->ppe_x) < REACH &&
                 is_near(lane, run, x);
    if (!plain || (!writing && !constrain(run, lane->ppe.slot, x)))
        return 0;
    if (writing) {
        write_ppe(run, &lane->ppe, size, x, stamp);
        run->greatest_x = x > run->greatest_x ? x : run->greatest_x;
    }
    lane->ppe_x = x;
    lane->ppe.records++;
    lane->ppe.position = run->position;
    lane->nledger++;
    lane->ledger[lane->nledger] = x;
    lane->ledger_at[lane->nledger] = run->position;
    return size;
}

/* The ordinary way's view of a thread after this run: count, last record, greatest time. */
static void settle_thread(struct lane *lane, const struct line *line, int64_t x)
{
    struct thread *thread = &lane->timeline->threads.items[line->thread];
    int128 offset = lane->rough->offset[line->thread];
    int64_t most = (int64_t)(lane->greatest_x - offset);
    thread->records += line->records;
    thread->last_record = line->position;
    thread->last_ticks = (int64_t)(x - offset);
    if (most > thread->max_ticks)
        thread->max_ticks = most;
}

/* Bring clocks, threads, sweep and reader up to where the run has come. */
static csy_status settle(struct lane *lane, const struct run *run, uint64_t first_position,
                         csy_error *error)
{
    struct intervals *iv = lane->timeline->intervals;
    int128 ppe_offset = lane->rough->offset[lane->ppe.thread];
    csy_status status = CSY_OK;
    lane->greatest_x = run->greatest_x;
    uint64_t opened_at = lane->ledger_at[lane->nledger];
    if (lane->nledger > 0) {
        settle_thread(lane, &lane->ppe, lane->ppe_x);
        status = intervals_lane_ppe(iv, (int64_t)(lane->ledger[1] - ppe_offset),
                                    (int64_t)(lane->ppe_x - ppe_offset), opened_at, error);
    }
    for (size_t i = 0; i < lane->nused && !status; i++) {
        struct line *line = &lane->lines[lane->used[i]];
        int64_t x = line->x0 + (uint32_t)(line->decr0 - line->decr);
        bool open = line->window == lane->nledger;
        int64_t before = (int64_t)(lane->ledger[line->window] - ppe_offset);
        int64_t after = open ? 0 : (int64_t)(lane->ledger[line->window + 1] - ppe_offset);
        settle_thread(lane, line, x);
        status = intervals_lane_spe(iv, line->id, line->decr,
                                    lane->timeline->threads.items[line->thread].last_ticks, before,
                                    open ? NULL : &after, error);
        line->decr0 = line->decr;
        line->x0 = x;
        line->records = 0;
    }
    uint64_t in_window = run->position - (lane->nledger ? opened_at + 1 : first_position);
    intervals_lane_window(iv, in_window, run->greatest_x - lane->near_ticks - ppe_offset, REACH);
    lane->ppe.records = 0;
    return status;
}

static csy_status start_run(struct lane *lane, struct run *run, csy_error *error)
{
    struct record_reader *reader = &lane->timeline->trace->records;
    size_t have;
    csy_status status = bytes_peek(reader->bytes, RECORD_PREFIX_BYTES, &run->at, &have, error);
    if (status)
        return status;
    run->end = run->at + have;
    run->position = reader->next_position;
    run->previous = 0;
    if (lane->sweep)
        run->d = sweep_lane_begin(lane->sweep, &run->stride, &run->previous, &run->previous_x);
    run->greatest_x = lane->greatest_x;
    lane->nused = 0;
    lane->nledger = 0;
    lane->ledger[0] = lane->ppe_x;
    return CSY_OK;
}

/* Compiled twice, for each of what a pass is for. */
static inline __attribute__((always_inline)) void run_buffer(struct lane *lane, struct run *run,
                                                             uint64_t records_left, bool writing)
{
    while (run->end - run->at >= RECORD_SPE_BYTES && records_left > 0) {
        uint8_t core = run->at[2];
        size_t size = core == CORE_SPE   ? take_spe(lane, run, writing)
                      : core == CORE_PPE ? take_ppe(lane, run, writing)
                                         : 0;
        if (size == 0)
            break;
        run->at += size;
        run->position++;
        records_left--;
    }
}

/* How many records the header leaves. */
static uint64_t records_left(const struct record_reader *reader)
{
    uint64_t claimed = reader->header.records, next = reader->next_position;
    return claimed == RECORDS_UNKNOWN ? UINT64_MAX : claimed > next ? claimed - next : 0;
}

/* Whether the lane may be entered at all. */
static bool is_open(const struct lane *lane, uint64_t *until)
{
    return lane->ppe.slot != SWEEP_NONE && lane->greatest_x < X_MAX / 2 &&
           intervals_lane_open(lane->timeline->intervals, until);
}

csy_status lane_run(struct lane *lane, uint8_t *out, size_t room, struct lane_taken *taken,
                    csy_error *error)
{
    struct record_reader *reader = &lane->timeline->trace->records;
    struct run run = {.out = out};
    *taken = (struct lane_taken){0};
    if (!is_open(lane, &run.until))
        return CSY_OK;
    if (!ARRAY_RESERVE(lane->used, lane->used_capacity, LINES))
        return error_memory(error);
    csy_status status = start_run(lane, &run, error);
    if (status || run.previous == SWEEP_NONE)
        return status;
    const uint8_t *start = run.at;
    uint64_t first = run.position;
    size_t fits = room / RECORD_PPE_BYTES * RECORD_SPE_BYTES; /* no record grows by more */
    if (out && (size_t)(run.end - run.at) > fits)
        run.end = run.at + fits;
    if (out)
        run_buffer(lane, &run, records_left(reader), true);
    else
        run_buffer(lane, &run, records_left(reader), false);
    taken->records = run.position - first;
    if (taken->records == 0)
        return CSY_OK;
    taken->bytes = start;
    taken->size = (size_t)(run.at - start);
    taken->written = out ? (size_t)(run.out - out) : 0;
    status = settle(lane, &run, first, error);
    bytes_skip(reader->bytes, taken->size);
    reader->next_position = lane->timeline->records = run.position;
    if (lane->sweep) {
        sweep_lane_end(lane->sweep, run.previous, run.previous_x);
        lane->rough->previous_x = taken->previous_x = run.previous_x;
        taken->previous = sweep_thread(lane->sweep, run.previous);
    }
    return status;
}
