/* The fast lane. */
#include "fast/lane.h"

#include "base/error.h"
#include "clock/global.h"

#include <stdlib.h>

csy_status lane_new(struct timeline *timeline, struct rebase *rough, struct sweep *sweep,
                    const csy_thread *offsets, struct lane **out, csy_error *error)
{
    struct lane *lane = aligned_alloc(_Alignof(struct lane), sizeof *lane);
    if (!lane)
        return error_memory(error);
    *lane = (struct lane){.timeline = timeline,
                          .rough = rough,
                          .sweep = sweep,
                          .offsets = offsets,
                          .limit = UINT64_MAX};
    plain_init(&lane->plain, timeline->rules.imprecision_ticks / 4);
    *out = lane;
    return CSY_OK;
}

void lane_free(struct lane *lane)
{
    if (!lane)
        return;
    sweep_carry_fini(&lane->carry);
    free(lane);
}

int64_t lane_greatest_x(const struct lane *lane)
{
    return lane->plain.greatest_x;
}

/* A live interval has ended. */
static void forget_ended(struct lane *lane, uint32_t ended)
{
    if (ended == NO_THREAD)
        return;
    int64_t context = lane->timeline->threads.items[ended].context;
    uint32_t index = (uint32_t)context % PLAIN_LINES;
    struct plain_line *line = &lane->plain.lines[index];
    if (line->thread == ended)
        plain_free_line(line, index);
}

static void set_line(struct lane *lane, struct plain_line *line, const struct event *event,
                     int64_t x)
{
    uint32_t slot = lane->sweep ? sweep_slot(lane->sweep, event->thread) : event->thread;
    *line = (struct plain_line){.id = event->record->thread,
                                .slot = slot,
                                .decr0 = (uint32_t)event->record->stamp,
                                .thread = event->thread,
                                .x0 = x};
    if (lane->offsets)
        line->shift = placement_shift(lane->offsets[event->thread].offset_ticks,
                                      lane->rough->offset[event->thread]);
}

/* A PPE record that is not near the others, or comes late, bounds no gap that it stands in. */
static void note_ppe(struct lane *lane, const struct event *event, int64_t x, bool near)
{
    struct plain *plain = &lane->plain;
    bool late =
        plain->ppe.slot == SWEEP_NONE || (uint64_t)x - (uint64_t)plain->ppe_x >= PLAIN_REACH;
    set_line(lane, &plain->ppe, event, x);
    if (!near)
        plain->ppe.slot = SWEEP_NONE;
    plain->ppe.x0 = (int64_t)(uint64_t)lane->rough->offset[event->thread]; /* x = x0 + time */
    plain->ppe_x = x;
    for (uint32_t i = 0; i < PLAIN_LINES && (late || !near); i++)
        plain_free_line(&plain->lines[i], i);
}

void lane_note(struct lane *lane, const struct event *event, int64_t x)
{
    struct plain *plain = &lane->plain;
    const struct record *record = event->record;
    uint64_t apart = x > plain->greatest_x ? (uint64_t)x - (uint64_t)plain->greatest_x
                                           : (uint64_t)plain->greatest_x - (uint64_t)x;
    bool near = apart <= (uint64_t)plain->near_ticks || plain->greatest_x == -X_MAX;
    plain->greatest_x = x > plain->greatest_x ? x : plain->greatest_x;
    lane->previous = event->thread;
    lane->previous_x = x;
    forget_ended(lane, event->ended);
    if (!record->spe) {
        note_ppe(lane, event, x, near);
        return;
    }
    bool goes_on = intervals_may_continue(lane->timeline->intervals, record->thread);
    bool bounded = plain->ppe.slot != SWEEP_NONE; /* a PPE record stands near before it */
    uint32_t index = record->thread % PLAIN_LINES;
    set_line(lane, &plain->lines[index], event, x);
    if (!near || !goes_on || !bounded)
        plain_free_line(&plain->lines[index], index);
}

/* How many records there are to take, as far as that is said. */
static uint64_t limit_of(const struct lane *lane)
{
    uint64_t claimed = lane->timeline->trace->records.header.records;
    return claimed < lane->limit ? claimed : lane->limit; /* RECORDS_UNKNOWN is beyond any */
}

bool lane_enter(const struct lane *lane, struct plain_run *run, bool *carries)
{
    *carries = false;
    *run = (struct plain_run){.position = lane->timeline->trace->records.next_position,
                              .limit = limit_of(lane),
                              .previous = lane->previous,
                              .previous_x = lane->previous_x};
    if (lane->plain.ppe.slot == SWEEP_NONE || lane->plain.greatest_x >= X_MAX / 2 ||
        !intervals_lane_open(lane->timeline->intervals, &run->until))
        return false;
    if (lane->sweep)
        *carries = sweep_carries(lane->sweep, &run->stride, &run->previous, &run->previous_x);
    if (lane->sweep && !*carries)
        run->d = sweep_lane_begin(lane->sweep, &run->stride, &run->previous, &run->previous_x);
    return run->previous != SWEEP_NONE;
}

/* The ordinary way's view of a thread: count, last record, greatest time. */
static void settle_thread(struct lane *lane, const struct plain_line *line, int64_t x,
                          uint64_t shift)
{
    struct thread *thread = &lane->timeline->threads.items[line->thread];
    int128 offset = lane->rough->offset[line->thread];
    int64_t most = (int64_t)(lane->plain.greatest_x - offset);
    thread->records += line->records;
    thread->last_record = line->position + shift;
    thread->last_ticks = (int64_t)(x - offset);
    if (most > thread->max_ticks)
        thread->max_ticks = most;
}

static csy_status settle_spe(struct lane *lane, const struct plain *from,
                             const struct plain_stay *stay, uint64_t shift, csy_error *error)
{
    const struct plain_line *line = &from->lines[stay->line];
    struct plain_line *own = &lane->plain.lines[stay->line];
    int128 ppe_offset = lane->rough->offset[from->ppe.thread];
    int64_t before = (int64_t)(stay->before_x - ppe_offset);
    int64_t after = stay->has_after ? (int64_t)(stay->after_x - ppe_offset) : 0;
    settle_thread(lane, line, line->x0, shift);
    own->decr0 = line->decr0;
    own->x0 = line->x0;
    return intervals_lane_spe(lane->timeline->intervals, line->id, line->decr0,
                              lane->timeline->threads.items[line->thread].last_ticks, before,
                              stay->has_after ? &after : NULL, error);
}

/* The PPE's records, and then the others'. */
static csy_status settle_clocks(struct lane *lane, const struct plain *from, uint64_t end,
                                uint64_t first, uint64_t shift, csy_error *error)
{
    struct intervals *iv = lane->timeline->intervals;
    int128 ppe_offset = lane->rough->offset[from->ppe.thread];
    csy_status status = CSY_OK;
    uint64_t opened_at = from->ppe.position + shift;
    if (from->ppe.records > 0) {
        settle_thread(lane, &from->ppe, from->ppe_x, shift);
        lane->plain.ppe_x = from->ppe_x;
        status = intervals_lane_ppe(iv, (int64_t)(from->ppe_first_x - ppe_offset),
                                    (int64_t)(from->ppe_x - ppe_offset), opened_at, error);
    }
    for (uint32_t i = 0; i < from->nstays && !status; i++)
        status = settle_spe(lane, from, &from->stays[i], shift, error);
    uint64_t in_window = end - (from->ppe.records > 0 ? opened_at + 1 : first);
    if (lane->born_after == from->ppe.records)
        in_window -= lane->born; /* they have no gap */
    lane->born = 0;
    intervals_lane_window(
        iv, in_window, lane->plain.greatest_x - lane->plain.near_ticks - ppe_offset, PLAIN_REACH);
    return status;
}

csy_status lane_settle(struct lane *lane, const struct plain *from, const struct plain_run *run,
                       uint64_t first, uint64_t shift, csy_error *error)
{
    uint64_t end = run->position + shift;
    if (from->greatest_x > lane->plain.greatest_x)
        lane->plain.greatest_x = from->greatest_x;
    csy_status status = settle_clocks(lane, from, end, first, shift, error);
    lane->timeline->trace->records.next_position = lane->timeline->records = end;
    if (lane->sweep)
        sweep_lane_end(lane->sweep, run->previous, run->previous_x);
    disorder_add(&lane->rough->disorder,
                 &(struct disorder){end - first - run->same, run->wrong, -run->least_edge});
    lane->previous = lane->sweep ? sweep_thread(lane->sweep, run->previous) : run->previous;
    lane->previous_x = lane->rough->previous_x = run->previous_x;
    return status;
}

/* ---- Live intervals that end and begin */

void lane_take_turns(struct lane *lane, struct sweep_feed *feed, const uint32_t *tau, size_t crowd)
{
    lane->turns = true;
    lane->feed = feed;
    lane->tau = tau;
    lane->crowd = crowd;
}

/* The sweep's matrix and last event, after they may have changed. */
static void resume_sweep(const struct lane *lane, struct plain_run *run)
{
    run->d = sweep_lane_begin(lane->sweep, &run->stride, &run->previous, &run->previous_x);
}

/* A failure in the record at p. */
static bool fail(struct lane *lane, const uint8_t *p, csy_status status)
{
    struct csy_trace *trace = lane->timeline->trace;
    uint64_t place = bytes_offset(trace->bytes) + (uint64_t)(p - lane->bytes);
    lane->status = trace_at_place(trace, place, status, lane->error);
    return false;
}

/* A context is switched in. */
static bool take_in(struct lane *lane, struct plain_run *run, uint32_t context, uint64_t spe)
{
    struct intervals *iv = lane->timeline->intervals;
    if (!intervals_may_enter(iv, context) || !plain_take_switch(&lane->plain, run))
        return false;
    intervals_lane_in(iv, context, spe);
    return true;
}

/* The last record of a line has been taken before, in this run or another. */
static void end_thread(struct lane *lane, struct plain_line *line, uint64_t spe)
{
    uint32_t decr = line->records > 0 ? line->decr : line->decr0;
    int64_t x = line->x0 + (uint32_t)(line->decr0 - decr);
    int64_t local_ticks = (int64_t)(x - lane->rough->offset[line->thread]);
    if (line->records > 0)
        settle_thread(lane, line, x, 0);
    intervals_lane_out(lane->timeline->intervals, line->id, spe, decr, local_ticks);
    plain_end_line(&lane->plain, line);
}

/* A context is switched out, which ends its live interval.  The switch itself is taken first: the
 * same as the other way round, since the two are of different threads. */
static bool take_out(struct lane *lane, struct plain_run *run, uint32_t context, uint64_t spe)
{
    const uint8_t *p = run->at;
    struct plain_line *line = &lane->plain.lines[context % PLAIN_LINES];
    uint32_t thread = line->thread;
    if (line->id != context || thread == *lane->tau || !plain_take_switch(&lane->plain, run))
        return false;
    end_thread(lane, line, spe);
    if (!lane->sweep)
        return true;
    sweep_lane_end(lane->sweep, run->previous, run->previous_x);
    csy_status status = sweep_death(lane->sweep, thread, &lane->feed->feasible, lane->error);
    resume_sweep(lane, run);
    return status ? fail(lane, p, status) : lane->feed->feasible;
}

/* Whether the record begins a live interval where the one before it was, as its own time is not
 * known (order/rough.h). */
static bool may_begin(const struct lane *lane, const struct plain_run *run, uint32_t context)
{
    const struct plain_line *line = &lane->plain.lines[context % PLAIN_LINES];
    return line->slot == SWEEP_NONE && line->records == 0 &&
           intervals_may_begin(lane->timeline->intervals, context) &&
           plain_may_begin(&lane->plain, run, run->previous_x) &&
           (!lane->sweep || sweep_live(lane->sweep) < lane->crowd);
}

/* The first record of a live interval. */
static bool take_first(struct lane *lane, struct plain_run *run)
{
    const uint8_t *p = run->at;
    struct plain_line line = {.id = load32(p + 8), .decr0 = load32(p + RECORD_PREFIX_BYTES)};
    if (!may_begin(lane, run, line.id))
        return false;
    csy_status status = intervals_lane_birth(lane->timeline->intervals, line.id, line.decr0,
                                             run->position, &line.thread, lane->error);
    lane->rough->previous_x = run->previous_x;
    if (!status)
        status = rebase_place(lane->rough, line.thread, 0, &line.x0, lane->error);
    if (!status && lane->sweep) {
        sweep_lane_end(lane->sweep, run->previous, run->previous_x);
        status = sweep_event(lane->sweep, line.thread, line.x0, &lane->feed->feasible, lane->error);
        resume_sweep(lane, run);
    } else {
        run->previous = line.thread;
    }
    if (status)
        return fail(lane, p, status);
    line.slot = run->previous;
    plain_take_first(&lane->plain, run, &line);
    lane->born = lane->born_after == lane->plain.ppe.records ? lane->born + 1 : 1;
    lane->born_after = lane->plain.ppe.records;
    return true;
}

/* What ends and begins live intervals in the ordinary course of things; the rest goes the ordinary
 * way. */
static bool take_turn(void *user, struct plain_run *run)
{
    struct lane *lane = user;
    const uint8_t *p = run->at;
    uint16_t id = load16(p + 4);
    if (p[2] == CORE_SPE)
        return take_first(lane, run);
    if ((id != ID_SWITCH_IN && id != ID_SWITCH_OUT) || load16(p + 6) < 2 ||
        load32(p + RECORD_PPE_BYTES) != 0) /* a context beyond 32 bits */
        return false;
    uint32_t context = load32(p + RECORD_PPE_BYTES + 4);
    uint64_t spe = load64(p + RECORD_PPE_BYTES + 8);
    return id == ID_SWITCH_IN ? take_in(lane, run, context, spe)
                              : take_out(lane, run, context, spe);
}

csy_status lane_run(struct lane *lane, uint8_t *out, size_t room, struct lane_taken *taken,
                    csy_error *error)
{
    struct plain_run run;
    struct bytes *bytes = lane->timeline->trace->records.bytes;
    size_t have;
    bool carries;
    *taken = (struct lane_taken){0};
    if (!lane_enter(lane, &run, &carries))
        return CSY_OK;
    if (carries && !sweep_carry_room(&lane->carry, run.stride))
        return error_memory(error);
    csy_status status = bytes_peek(bytes, (size_t)2 * PLAIN_LOOKAHEAD, &taken->bytes, &have, error);
    if (status)
        return status;
    uint64_t first = run.position;
    run.at = taken->bytes;
    run.end = run.at +
              (out && PLAIN_ROOM(have) > room ? room / RECORD_PPE_BYTES * RECORD_SPE_BYTES : have);
    run.stop = run.end;
    run.out = out;
    if (carries) {
        sweep_carry_begin(&lane->carry, lane->sweep);
        run.carry = &lane->carry;
    }
    if (lane->turns && !carries) {
        run.turn = take_turn;
        run.user = lane;
        lane->bytes = taken->bytes;
        lane->error = error;
    }
    plain_begin(&lane->plain);
    plain_take(&lane->plain, &run);
    taken->records = run.position - first;
    if (lane->status || taken->records == 0)
        return lane->status;
    if (carries)
        sweep_carry_merge(lane->sweep, &lane->carry);
    taken->size = (size_t)(run.at - taken->bytes);
    taken->written = out ? (size_t)(run.out - out) : 0;
    status = lane_settle(lane, &lane->plain, &run, first, 0, error);
    bytes_skip(bytes, taken->size);
    taken->previous = lane->previous;
    taken->previous_x = lane->previous_x;
    return status;
}
