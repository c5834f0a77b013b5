/* Ranks that run on the SPEs of a cluster. */
#include "pdtsim/cluster/ranks.h"

#include "base/array.h"
#include "base/error.h"
#include "pdtsim/cluster/seconds.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Beyond it, about a year, sums of times could overflow. */
#define END_OF_TIME (INT64_C(1) << 57)

enum { PAGE_BYTES = SPOOL_PAGE_RECORDS * SPOOL_RECORD_BYTES, CALL_SITE = 0x40 };

/* Addresses in a local store, and in memory. */
enum { FIRST_FUNCTION = 0x1000, FUNCTION_BYTES = 0x400, BUFFERS = 0x8000 };
#define HEAP UINT64_C(0x100000000)

/* Which number MPI_DOUBLE has there, the paper does not say. */
enum { DATATYPE_DOUBLE = 1, DOUBLE_BYTES = 8 };

uint64_t ranks_address(size_t function)
{
    return FIRST_FUNCTION + (uint64_t)function * FUNCTION_BYTES;
}

/* --- Making --------------------------------------------------------------------------------- */

static bool is_traced(const struct ranks *r, enum step_kind kind)
{
    unsigned level = r->options->level;
    bool functions = level == LEVEL_FULL || r->options->calls;
    return script_is_traced(kind, functions, level >= LEVEL_STALLS);
}

/* So many rounds that there are that many records. */
static int64_t count_rounds(const struct ranks *r)
{
    int64_t events = r->options->events, once = 0, each = 0;
    if (events == 0)
        return r->options->workload.rounds;
    for (size_t i = 0; i < r->places.ranks; i++) {
        const struct script *script = &r->ranks[i].script;
        size_t again = script->round;
        while (script->steps[again].kind != STEP_AGAIN)
            again++;
        for (size_t s = 0; s < script->count; s++)
            *(s < script->round || s > again ? &once : &each) +=
                is_traced(r, script->steps[s].kind);
    }
    return events <= once + each || each == 0 ? 1 : (events - once + each - 1) / each;
}

/* The PPE of a Cell starts its SPEs one after the other. */
static int64_t start_of(const struct ranks *r, size_t rank, int64_t launched)
{
    int64_t turn = (int64_t)(rank % r->places.per_node % r->places.per_cell);
    return launched + (turn + 1) * (CONTEXT_CREATE + SPE_START);
}

static csy_status place_ranks(struct ranks *r, csy_error *error)
{
    int64_t launched = 0;
    for (size_t i = 0; i < r->places.ranks; i++) {
        struct rank *rank = &r->ranks[i];
        struct node_of_ranks *node = &r->nodes[places_node(&r->places, i)];
        if (i % r->places.per_node == 0) {
            /* That of the first node keeps true time. */
            struct clock_range range = i ? r->options->range : (struct clock_range){0, 0};
            node->clock = clock_draw(&r->rng, range, 0);
            launched = rng_below(&r->rng, LAUNCH_CYCLES);
        }
        int64_t start = start_of(r, i, launched);
        rank->zero_ticks = clock_read(&node->clock, r->machine, start);
        if (!script_make(&r->options->workload, r->options->calls, &r->places, i, &rank->script))
            return error_memory(error);
        queue_set(&r->queue, i, start + ROOM_CALL);
    }
    r->rounds = count_rounds(r);
    return CSY_OK;
}

csy_status ranks_new(const struct options *options, struct spool *spool, struct ranks **out,
                     csy_error *error)
{
    struct ranks *r = calloc(1, sizeof *r);
    if (!r)
        return error_memory(error);
    *out = r;
    r->options = options;
    r->machine = options->machine;
    r->places = places_make(options->nnodes, options->nspes);
    r->nnodes = options->nnodes;
    r->rng.state = options->seed;
    r->spool = spool;
    csy_status status = options->truth_activity
                            ? activity_new(r->machine, 0, r->places.ranks, 0, &r->activity, error)
                            : CSY_OK;
    if (status)
        return status;
    r->ranks = calloc(r->places.ranks, sizeof *r->ranks);
    r->nodes = calloc(r->nnodes, sizeof *r->nodes);
    if (!r->ranks || !r->nodes || !queue_init(&r->queue, r->places.ranks))
        return error_memory(error);
    return place_ranks(r, error);
}

void ranks_free(struct ranks *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->places.ranks && r->ranks; i++)
        script_fini(&r->ranks[i].script);
    for (size_t i = 0; i < r->nmeetings; i++)
        free(r->meetings[i].times);
    free(r->meetings);
    activity_free(r->activity);
    queue_fini(&r->queue);
    free(r->ranks);
    free(r->nodes);
    free(r);
}

/* --- Logs ----------------------------------------------------------------------------------- */

static void put(uint8_t *at, uint64_t value, size_t size, bool little)
{
    for (size_t i = 0; i < size; i++)
        at[little ? i : size - 1 - i] = (uint8_t)(value >> 8 * i);
}

static void put_seconds(uint8_t *at, int64_t ticks, const struct ranks *r)
{
    uint64_t bits = seconds_bits(ticks, r->machine->timebase_hz);
    put(at, bits, sizeof bits, r->options->workload.cluster.little);
}

/* What is there for the reader. */
static void put_data(uint8_t *at, const struct step *step, bool little)
{
    enum { DATA = 8 };
    int32_t data[DATA] = {0};
    if (step->kind >= STEP_MFC_PUT) {
        uint64_t address = HEAP + (uint64_t)step->tag * 0x100000;
        data[0] = BUFFERS + step->tag * 0x4000;
        data[2] = (int32_t)step->amount;
        data[3] = step->tag;
        data[4] = (int32_t)(address >> 32);
        data[5] = (int32_t)(uint32_t)address;
    } else if (step->kind >= STEP_MPI_SEND) {
        data[0] = step->peer;
        data[1] = (int32_t)step->amount;
        data[2] = (int32_t)(step->amount / DOUBLE_BYTES);
        data[3] = DATATYPE_DOUBLE;
        data[4] = step->tag;
    }
    for (size_t i = 0; i < DATA; i++)
        put(at + 4 * i, (uint32_t)data[i], 4, little);
}

/* By the rank's own clock, somewhat wrong where that is asked for; stamps do not go down. */
static int64_t stamp(struct ranks *r, size_t index, int64_t cycles)
{
    struct rank *rank = &r->ranks[index];
    int64_t jitter = r->options->jitter_ticks;
    const struct clock *clock = &r->nodes[places_node(&r->places, index)].clock;
    int64_t shown = clock_read(clock, r->machine, cycles) - rank->zero_ticks;
    if (jitter)
        shown += rng_below(&r->rng, 2 * jitter + 1) - jitter;
    if (shown < rank->last_ticks)
        shown = rank->last_ticks;
    return rank->last_ticks = shown;
}

static enum activity_wait wait_of(enum step_kind kind)
{
    return kind >= STEP_MFC_PUT       ? WAIT_DMA
           : kind == STEP_MPI_BARRIER ? WAIT_BARRIER
           : kind >= STEP_MPI_SEND    ? WAIT_MESSAGE
                                      : WAIT_NONE;
}

/* What a step that has ended says of the activity of ranks. */
static void note_step(const struct ranks *r, size_t index, const struct step *step, int64_t now)
{
    const struct options *options = r->options;
    int64_t begin = r->ranks[index].begin;
    struct activity_record record = {0, wait_of(step->kind), begin, now};
    activity_record(r->activity, index, &record);
    if (step->kind == STEP_E)
        activity_enter(r->activity, index,
                       script_function(&options->workload, options->calls, (size_t)step->amount),
                       now);
    if (step->kind == STEP_X)
        activity_leave(r->activity, index, now);
    bool send = step->kind == STEP_MPI_SEND;
    if (!send && step->kind != STEP_MPI_RECV)
        return;
    size_t other = (size_t)step->peer;
    activity_message(r->activity, send,
                     (struct activity_message){.from = send ? index : other,
                                               .to = send ? other : index,
                                               .tag = step->tag,
                                               .bytes = step->amount,
                                               .time = send ? begin : now});
}

/* Log a step that has ended; returns when the rank goes on. */
static int64_t log_step(struct ranks *r, size_t index, const struct step *step, int64_t now)
{
    struct rank *rank = &r->ranks[index];
    const struct cluster_program *program = &r->options->workload.cluster;
    bool little = program->little, function = step->kind == STEP_E || step->kind == STEP_X;
    uint8_t record[SPOOL_RECORD_BYTES] = {0};
    if (!is_traced(r, step->kind))
        return now;
    if (r->activity)
        note_step(r, index, step, now);
    int64_t begin = stamp(r, index, rank->begin), end = stamp(r, index, now);
    put_seconds(record, program->ends ? end : begin, r);
    put_seconds(record + 8, end - begin, r);
    put(record + 16, (uint64_t)step->kind, 4, little);
    if (function) {
        put(record + 24, ranks_address((size_t)step->amount), 8, little);
        put(record + 32, ranks_address((size_t)step->peer) + CALL_SITE, 8, little);
    }
    put(record + 40, 1, 2, little);
    put_data(record + 48, step, little);
    now += LOG_CALL;
    if (!spool_add(r->spool, index, record))
        return now;
    /* A page is full: it goes to memory, once the one before has got there. */
    int64_t from = now < rank->dumped_at ? rank->dumped_at : now;
    rank->pause_cycles += from - now;
    rank->dumped_at = from + DMA_LATENCY + PAGE_BYTES / DMA_BYTES_PER_CYCLE;
    return from + DMA_ISSUE;
}

/* --- Messages ------------------------------------------------------------------------------- */

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Both wait for each other: say when each goes on. */
static void transfer(struct ranks *r, size_t from, size_t to, int64_t bytes)
{
    struct rank *sender = &r->ranks[from], *receiver = &r->ranks[to];
    enum distance distance = places_distance(&r->places, from, to);
    int64_t latency = wire_latency(r->machine, distance);
    int64_t moves = wire_transfer(r->machine, distance, bytes);
    int64_t begin = later(sender->begin, receiver->begin + latency / 2);
    if (distance == OTHER_NODE) {
        struct node_of_ranks *out = &r->nodes[places_node(&r->places, from)];
        struct node_of_ranks *in = &r->nodes[places_node(&r->places, to)];
        int64_t busy = wire_link(r->machine, bytes);
        begin = later(begin, later(out->out_free_at, in->in_free_at));
        out->out_free_at = in->in_free_at = begin + busy;
    }
    sender->waiting = receiver->waiting = WAITS_NOT;
    queue_set(&r->queue, from, begin + moves + SEND_CALL);
    queue_set(&r->queue, to, begin + latency + moves);
}

/* A send or a receive begins; it ends once the other one has begun. */
static void begin_message(struct ranks *r, size_t index, const struct step *step)
{
    bool sends = step->kind == STEP_MPI_SEND;
    size_t other = (size_t)step->peer;
    const struct rank *partner = &r->ranks[other];
    const struct step *theirs = &partner->script.steps[partner->at];
    r->ranks[index].waiting = sends ? WAITS_TO_SEND : WAITS_TO_RECEIVE;
    if (partner->waiting != (sends ? WAITS_TO_RECEIVE : WAITS_TO_SEND) ||
        theirs->peer != (int32_t)index)
        return;
    assert(theirs->tag == step->tag && theirs->amount == step->amount);
    transfer(r, sends ? index : other, sends ? other : index, step->amount);
}

/* --- Collective operations ------------------------------------------------------------------ */

static struct meeting *find_meeting(struct ranks *r, size_t number)
{
    size_t at = number - r->first_meeting, n = r->places.ranks;
    if (at < r->nmeetings)
        return &r->meetings[at];
    int64_t *times = malloc(n * sizeof *times);
    if (!times || !ARRAY_RESERVE(r->meetings, r->meetings_capacity, r->nmeetings + 1)) {
        free(times);
        r->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        times[i] = NEVER;
    r->meetings[r->nmeetings] = (struct meeting){0, times};
    return &r->meetings[r->nmeetings++];
}

/* What is before all others is over. */
static void end_meetings(struct ranks *r)
{
    size_t over = 0;
    while (over < r->nmeetings && r->meetings[over].arrived == r->places.ranks)
        free(r->meetings[over++].times);
    memmove(r->meetings, r->meetings + over, (r->nmeetings - over) * sizeof *r->meetings);
    r->nmeetings -= over;
    r->first_meeting += over;
}

static int64_t hop(const struct ranks *r, enum distance distance, int64_t bytes)
{
    return wire_latency(r->machine, distance) + wire_transfer(r->machine, distance, bytes);
}

/* From a rank to the first one, or back. */
static int64_t path(const struct ranks *r, size_t rank, int64_t bytes)
{
    const struct places *p = &r->places;
    size_t on_node = rank % p->per_node;
    return (on_node % p->per_cell ? hop(r, SAME_CELL, bytes) : 0) +
           (on_node >= p->per_cell ? hop(r, SAME_NODE, bytes) : 0) +
           (rank >= p->per_node ? hop(r, OTHER_NODE, bytes) : 0);
}

/* When what all give is at the first one. */
static int64_t gathered_at(const struct ranks *r, const struct meeting *meeting, int64_t bytes)
{
    int64_t at = 0;
    for (size_t i = 0; i < r->places.ranks; i++)
        at = later(at, meeting->times[i] + path(r, i, bytes));
    return at;
}

/* All have come. */
static int64_t meet_all(struct ranks *r, const struct meeting *meeting, const struct step *step,
                        size_t index)
{
    int64_t gathered = gathered_at(r, meeting, step->amount) + MEET_CALL;
    if (step->kind == STEP_MPI_REDUCE) {
        if (index != ROOT)
            queue_set(&r->queue, ROOT, gathered);
        return gathered;
    }
    for (size_t i = 0; i < r->places.ranks; i++)
        if (i != index)
            queue_set(&r->queue, i, gathered + path(r, i, step->amount));
    return gathered + path(r, index, step->amount);
}

/* The root has something for all. */
static void give_all(struct ranks *r, const struct meeting *meeting, const struct step *step)
{
    int64_t given = meeting->times[ROOT] + MEET_CALL;
    for (size_t i = 0; i < r->places.ranks; i++)
        if (i != ROOT && meeting->times[i] != NEVER)
            queue_set(&r->queue, i, given + path(r, i, step->amount));
}

/* When a rank that has come goes on, or NEVER. */
static int64_t meet(struct ranks *r, size_t index, const struct step *step, int64_t now)
{
    struct meeting *meeting = find_meeting(r, r->ranks[index].meetings++);
    if (!meeting)
        return NEVER;
    int64_t ends = NEVER, root_at = meeting->times[ROOT];
    meeting->times[index] = now;
    bool all = ++meeting->arrived == r->places.ranks;
    if (step->kind == STEP_MPI_BCAST) {
        if (index == ROOT)
            give_all(r, meeting, step);
        if (index == ROOT)
            ends = now + MEET_CALL;
        else if (root_at != NEVER)
            ends = later(now, root_at + path(r, index, step->amount)) + MEET_CALL;
    } else if (all) {
        ends = meet_all(r, meeting, step, index);
    }
    if (step->kind == STEP_MPI_REDUCE && index != ROOT)
        ends = now + MEET_CALL;
    if (all)
        end_meetings(r);
    return ends;
}

/* --- Steps ---------------------------------------------------------------------------------- */

/* When a recorded step that has begun ends, or NEVER. */
static int64_t begin_step(struct ranks *r, size_t index, const struct step *step, int64_t now)
{
    switch (step->kind) {
    case STEP_MPI_SEND:
    case STEP_MPI_RECV:
        begin_message(r, index, step);
        return NEVER;
    case STEP_MPI_ALLREDUCE:
    case STEP_MPI_REDUCE:
    case STEP_MPI_BARRIER:
    case STEP_MPI_BCAST:
        return meet(r, index, step, now);
    case STEP_MFC_PUT:
    case STEP_MFC_PUT64:
    case STEP_MFC_GET64:
    case STEP_MFC_PUT32:
    case STEP_MFC_GET32:
        return now + DMA_ISSUE + DMA_LATENCY + step->amount / DMA_BYTES_PER_CYCLE;
    default:
        return now;
    }
}

/* What a rank does next, and when it goes on; NEVER if another one says that, or it has ended. */
static int64_t act(struct ranks *r, size_t index, int64_t now)
{
    struct rank *rank = &r->ranks[index];
    const struct step *step = &rank->script.steps[rank->at];
    if (rank->busy) {
        rank->busy = false;
        rank->at++;
        return log_step(r, index, step, now);
    }
    switch (step->kind) {
    case STEP_END:
        r->ended_at = later(r->ended_at, now);
        return NEVER;
    case STEP_ROUND:
        rank->at++;
        return now;
    case STEP_AGAIN:
        rank->at = ++rank->round < r->rounds ? rank->script.round : rank->at + 1;
        return now;
    case STEP_COMPUTE:
        rank->at++;
        return now + rng_about(&r->rng, step->amount, r->options->workload.cluster.spread);
    default:
        rank->begin = now;
        rank->busy = true;
        return begin_step(r, index, step, now);
    }
}

csy_status ranks_run(struct ranks *r, csy_error *error)
{
    for (int64_t now; (now = queue_least(&r->queue)) != NEVER && !r->failed;) {
        size_t index = queue_pop(&r->queue);
        now = act(r, index, now);
        if (now != NEVER && now >= END_OF_TIME)
            return error_set(error, CSY_INPUT, "the program runs for more than a year");
        if (now != NEVER)
            queue_set(&r->queue, index, now);
    }
    for (size_t i = 0; i < r->places.ranks && !r->failed; i++)
        assert(r->ranks[i].script.steps[r->ranks[i].at].kind == STEP_END);
    return r->failed ? error_memory(error) : CSY_OK;
}
