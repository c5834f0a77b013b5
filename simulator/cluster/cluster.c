/* Simulates a cluster, from options to files.
 *
 * When the programs have ended, their logs are copied from the spool. Then the .pex is written,
 * which names the logs. Files get their final names after everything is written. */
#include "base/array.h"
#include "base/error.h"
#include "simulator/activity.h"
#include "simulator/cluster/script.h"
#include "simulator/cluster/seconds.h"
#include "simulator/options.h"
#include "simulator/queue.h"
#include "simulator/session.h"
#include "simulator/sink.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The spool contains the logs of all SPEs while they grow, in pages of one temporary file. A
 * process cannot open a file for each SPE. */

enum {
    SPOOL_RECORD_BYTES = 80,
    SPOOL_PAGE_RECORDS = 64,
    PAGE_BYTES = SPOOL_PAGE_RECORDS * SPOOL_RECORD_BYTES,
    HEAD_BYTES = 16,
    FIRST_PAGE_ADDRESS = 0x10000000 /* arbitrary, in main memory */
};

struct log {
    uint32_t *pages; /* numbers of the log's pages in the temporary file */
    size_t npages, capacity;
    unsigned used; /* number of records in `page` */
    uint8_t page[PAGE_BYTES];
};

struct spool {
    FILE *file;
    uint32_t npages;
    int failure; /* errno of the first failure, or 0 */
    size_t nlogs;
    struct log *logs;
};

/* Append a record to a log. Returns true if a page of the log is now full. Failures are reported by
 * spool_copy. */
static bool spool_add(struct spool *spool, size_t log, const uint8_t record[SPOOL_RECORD_BYTES])
{
    struct log *to = &spool->logs[log];
    memcpy(to->page + (size_t)to->used++ * SPOOL_RECORD_BYTES, record, SPOOL_RECORD_BYTES);
    if (to->used < SPOOL_PAGE_RECORDS || spool->failure)
        return false;
    off_t at = (off_t)spool->npages * PAGE_BYTES;
    if (!ARRAY_RESERVE(to->pages, to->capacity, to->npages + 1))
        spool->failure = ENOMEM;
    else if (pwrite(fileno(spool->file), to->page, PAGE_BYTES, at) != PAGE_BYTES)
        spool->failure = errno ? errno : EIO;
    else
        to->pages[to->npages++] = spool->npages++;
    to->used = 0;
    return true;
}

static uint64_t spool_records(const struct spool *spool, size_t log)
{
    const struct log *of = &spool->logs[log];
    return (uint64_t)of->npages * SPOOL_PAGE_RECORDS + of->used;
}

static void put(uint8_t *at, uint64_t value, size_t size, bool little)
{
    for (size_t i = 0; i < size; i++)
        at[little ? i : size - 1 - i] = (uint8_t)(value >> 8 * i);
}

static void write_head(struct sink *sink, size_t next, bool little)
{
    uint8_t head[HEAD_BYTES] = {0};
    put(head, next ? FIRST_PAGE_ADDRESS + (uint64_t)next * (HEAD_BYTES + PAGE_BYTES) : 0, 8,
        little);
    sink_write(sink, head, sizeof head);
}

/* Write a log to a sink. If `pages` is true, the log is written in pages. A page has a header, with
 * a pointer to the next page, and SPOOL_PAGE_RECORDS records. The last page may end in zeros. */
static csy_status spool_copy(struct spool *spool, size_t log, bool pages, bool little,
                             struct sink *sink, csy_error *error)
{
    const struct log *from = &spool->logs[log];
    uint8_t page[PAGE_BYTES];
    for (size_t i = 0; i < from->npages && !spool->failure; i++) {
        bool last = i + 1 == from->npages && from->used == 0;
        off_t at = (off_t)from->pages[i] * PAGE_BYTES;
        if (pread(fileno(spool->file), page, PAGE_BYTES, at) != PAGE_BYTES)
            spool->failure = errno ? errno : EIO;
        if (pages)
            write_head(sink, last ? 0 : i + 1, little);
        sink_write(sink, page, PAGE_BYTES);
    }
    errno = spool->failure;
    if (spool->failure)
        return error_io(error, "temporary file", NULL);
    size_t rest = (size_t)from->used * SPOOL_RECORD_BYTES;
    if (rest == 0)
        return CSY_OK;
    memset(page, 0, sizeof page);
    memcpy(page, from->page, rest);
    if (pages)
        write_head(sink, 0, little);
    sink_write(sink, page, pages ? PAGE_BYTES : rest);
    return CSY_OK;
}

/* Ranks on the SPEs of a cluster that log their steps: [DBK09].
 *
 *      sender    --[ wait for the request ][ transfer ]------------
 *                           /              \
 *                     request               latency, transfer
 *                         /                      \
 *      receiver  --[ posted, waits             ...]----------------
 *
 * As in the Cell Messaging Layer, the receiver requests a message, and then the sender transfers
 * the message. Both wait for each other. The link of a node transfers one message at a time.
 * Collective operations go up a tree and down again: from SPEs to the first SPE of their Cell, then
 * to the first Cell of the node, and to the first node.
 *
 * Clocks of a node share an oscillator, and begin when the program on their SPE begins. */

enum wait_reason { WAITS_NOT, WAITS_TO_SEND, WAITS_TO_RECEIVE };

struct rank {
    struct script script;
    size_t at;     /* index of the current step */
    int64_t round; /* number of finished rounds */
    bool busy;     /* true if the rank has begun the current step */
    int64_t begin; /* begin of the current step, in cycles */
    enum wait_reason waiting;
    size_t meetings;
    int64_t dumped_at;    /* time when the last full page has been copied to memory, in cycles */
    int64_t zero_ticks;   /* reading of the node's clock when the rank's own clock began */
    int64_t last_ticks;   /* last timestamp, as a reading of the rank's own clock */
    int64_t pause_cycles; /* time for which the rank waited for pages to be copied, in cycles */
};

struct node_of_ranks {
    struct clock clock;
    int64_t out_free_at, in_free_at; /* when the links from and to the node are free, in cycles */
};

/* A collective operation that has begun. */
struct collective {
    size_t arrived;
    int64_t *times; /* for each rank: the time when it began the operation, or NEVER */
};

struct ranks {
    const struct options *options;
    const struct machine *machine;
    struct places places;
    struct rank *ranks;
    struct node_of_ranks *nodes;
    size_t nnodes;
    int64_t rounds;
    struct queue queue;
    struct rng rng;
    struct collective *meetings; /* collective operations, from the first unfinished one on */
    size_t nmeetings, first_meeting, meetings_capacity;
    struct spool *spool;
    struct activity *activity; /* what ranks did, for option --truth-activity; NULL if not
                                * requested */
    int64_t ended_at;          /* end of the last step, in cycles */
    bool failed;
};

enum { CALL_SITE = 0x40 };

/* Addresses of functions and buffers in a local store. HEAP is an address in main memory. */
enum { FIRST_FUNCTION = 0x1000, FUNCTION_BYTES = 0x400, BUFFERS = 0x8000 };
#define HEAP UINT64_C(0x100000000)

/* A number for the type MPI_DOUBLE. It is arbitrary, because [DBK09] does not give the number. */
enum { DATATYPE_DOUBLE = 1, DOUBLE_BYTES = 8 };

static uint64_t ranks_address(size_t function)
{
    return FIRST_FUNCTION + (uint64_t)function * FUNCTION_BYTES;
}

/* --- Making --------------------------------------------------------------------------------- */

static bool is_traced(const struct ranks *r, enum step_kind kind)
{
    unsigned level = r->options->level;
    bool function = kind == STEP_E || kind == STEP_X, transfer = kind >= STEP_MFC_PUT;
    return kind < STEP_TYPES && (!function || level == LEVEL_FULL || r->options->calls) &&
           (!transfer || level >= LEVEL_STALLS);
}

/* Returns the least number of rounds that gives as many records as --events requests. */
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

static csy_status ranks_new(const struct options *options, struct spool *spool, struct ranks **out,
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
    int64_t launched = 0;
    for (size_t i = 0; i < r->places.ranks; i++) {
        struct rank *rank = &r->ranks[i];
        struct node_of_ranks *node = &r->nodes[places_node(&r->places, i)];
        size_t on_node = i % r->places.per_node;
        if (on_node == 0) {
            /* The clock of the first node keeps true time. */
            struct clock_range range = i ? options->range : (struct clock_range){0, 0};
            node->clock = clock_draw(&r->rng, range, 0);
            launched = rng_below(&r->rng, LAUNCH_CYCLES);
        }
        /* The PPE of a Cell starts one SPE after the other. */
        int64_t turn = (int64_t)(on_node % r->places.per_cell);
        int64_t start = launched + (turn + 1) * (CONTEXT_CREATE + SPE_START);
        rank->zero_ticks = clock_read(&node->clock, r->machine, start);
        if (!script_make(&options->workload, options->calls, &r->places, i, &rank->script))
            return error_memory(error);
        queue_set(&r->queue, i, start + ROOM_CALL);
    }
    r->rounds = count_rounds(r);
    return CSY_OK;
}

/* --- Logs ----------------------------------------------------------------------------------- */

/* Returns the reading of the rank's clock, with jitter, but not below its last timestamp. */
static int64_t stamp(struct ranks *r, size_t index, int64_t cycles)
{
    struct rank *rank = &r->ranks[index];
    int64_t jitter = r->options->jitter_ticks;
    const struct clock *clock = &r->nodes[places_node(&r->places, index)].clock;
    int64_t shown = clock_read(clock, r->machine, cycles) - rank->zero_ticks;
    if (jitter)
        shown += rng_below(&r->rng, 2 * jitter + 1) - jitter;
    return rank->last_ticks = later(shown, rank->last_ticks);
}

static void note_step(const struct ranks *r, size_t index, const struct step *step, int64_t now)
{
    const struct options *options = r->options;
    int64_t begin = r->ranks[index].begin;
    enum event_wait wait = step->kind >= STEP_MFC_PUT       ? WAIT_DMA
                           : step->kind == STEP_MPI_BARRIER ? WAIT_BARRIER
                           : step->kind >= STEP_MPI_SEND    ? WAIT_MESSAGE
                                                            : WAIT_NONE;
    struct activity_record record = {0, wait, begin, now};
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

/* Log a finished step. Returns the time when the rank continues. */
static int64_t log_step(struct ranks *r, size_t index, const struct step *step, int64_t now)
{
    struct rank *rank = &r->ranks[index];
    const struct cluster_program *program = &r->options->workload.cluster;
    bool little = program->little, function = step->kind == STEP_E || step->kind == STEP_X;
    uint8_t record[SPOOL_RECORD_BYTES] = {0};
    int64_t hz = r->machine->timebase_hz;
    if (!is_traced(r, step->kind))
        return now;
    if (r->activity)
        note_step(r, index, step, now);
    int64_t begin = stamp(r, index, rank->begin), end = stamp(r, index, now);
    put(record, seconds_bits(program->ends ? end : begin, hz), 8, little);
    put(record + 8, seconds_bits(end - begin, hz), 8, little);
    put(record + 16, (uint64_t)step->kind, 4, little);
    if (function) {
        put(record + 24, ranks_address((size_t)step->amount), 8, little);
        put(record + 32, ranks_address((size_t)step->peer) + CALL_SITE, 8, little);
    }
    put(record + 40, 1, 2, little);
    /* The arguments of the step, in the layout of the logging library. */
    int32_t data[8] = {0};
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
    for (size_t i = 0; i < 8; i++)
        put(record + 48 + 4 * i, (uint32_t)data[i], 4, little);
    now += LOG_CALL;
    if (!spool_add(r->spool, index, record))
        return now;
    /* A full page is sent to memory after the previous page has arrived there. */
    int64_t from = later(now, rank->dumped_at);
    rank->pause_cycles += from - now;
    rank->dumped_at = from + DMA_LATENCY + PAGE_BYTES / DMA_BYTES_PER_CYCLE;
    return from + DMA_ISSUE;
}

/* --- Messages ------------------------------------------------------------------------------- */

/* Begin a send or a receive. If the partner already waits for the message, transfer it, and put
 * both ranks into the queue with the times when they continue. */
static void begin_message(struct ranks *r, size_t index, const struct step *step)
{
    bool sends = step->kind == STEP_MPI_SEND;
    size_t other = (size_t)step->peer, from = sends ? index : other, to = sends ? other : index;
    const struct rank *partner = &r->ranks[other];
    const struct step *theirs = &partner->script.steps[partner->at];
    r->ranks[index].waiting = sends ? WAITS_TO_SEND : WAITS_TO_RECEIVE;
    if (partner->waiting != (sends ? WAITS_TO_RECEIVE : WAITS_TO_SEND) ||
        theirs->peer != (int32_t)index)
        return;
    assert(theirs->tag == step->tag && theirs->amount == step->amount);
    struct rank *sender = &r->ranks[from], *receiver = &r->ranks[to];
    enum distance distance = places_distance(&r->places, from, to);
    int64_t latency = wire_latency(r->machine, distance);
    int64_t moves = wire_transfer(r->machine, distance, step->amount);
    int64_t begin = later(sender->begin, receiver->begin + latency / 2);
    if (distance == OTHER_NODE) {
        struct node_of_ranks *out = &r->nodes[places_node(&r->places, from)];
        struct node_of_ranks *in = &r->nodes[places_node(&r->places, to)];
        begin = later(begin, later(out->out_free_at, in->in_free_at));
        out->out_free_at = in->in_free_at = begin + wire_link(r->machine, step->amount);
    }
    sender->waiting = receiver->waiting = WAITS_NOT;
    queue_set(&r->queue, from, begin + moves + SEND_CALL);
    queue_set(&r->queue, to, begin + latency + moves);
}

/* --- Collective operations ------------------------------------------------------------------ */

static int64_t hop(const struct ranks *r, enum distance distance, int64_t bytes)
{
    return wire_latency(r->machine, distance) + wire_transfer(r->machine, distance, bytes);
}

/* Returns the cycles that data takes from a rank to the first rank, or back. */
static int64_t path(const struct ranks *r, size_t rank, int64_t bytes)
{
    const struct places *p = &r->places;
    size_t on_node = rank % p->per_node;
    return (on_node % p->per_cell ? hop(r, SAME_CELL, bytes) : 0) +
           (on_node >= p->per_cell ? hop(r, SAME_NODE, bytes) : 0) +
           (rank >= p->per_node ? hop(r, OTHER_NODE, bytes) : 0);
}

/* Called when rank `index`, as the last one, has begun a collective operation. The first rank
 * gathers the data and, except in a reduction, distributes the result. Sets the times when the
 * other ranks continue. Returns the time when rank `index` continues. */
static int64_t end_collective(struct ranks *r, const struct collective *meeting,
                              const struct step *step, size_t index)
{
    int64_t gathered = 0;
    for (size_t i = 0; i < r->places.ranks; i++)
        gathered = later(gathered, meeting->times[i] + path(r, i, step->amount));
    gathered += MEET_CALL;
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

/* Join the next collective operation. Returns when the rank continues, or NEVER if it waits. */
static int64_t join_collective(struct ranks *r, size_t index, const struct step *step, int64_t now)
{
    size_t at = r->ranks[index].meetings++ - r->first_meeting, n = r->places.ranks;
    if (at == r->nmeetings) { /* no other rank has begun this operation */
        int64_t *times = malloc(n * sizeof *times);
        if (!times || !ARRAY_PUSH(r->meetings, r->nmeetings, r->meetings_capacity,
                                  (struct collective){0, times})) {
            free(times);
            r->failed = true;
            return NEVER;
        }
        for (size_t i = 0; i < n; i++)
            times[i] = NEVER;
    }
    struct collective *meeting = &r->meetings[at];
    int64_t ends = NEVER, root_at = meeting->times[ROOT];
    meeting->times[index] = now;
    bool all = ++meeting->arrived == n;
    if (step->kind == STEP_MPI_BCAST && index == ROOT) {
        ends = now + MEET_CALL;
        for (size_t i = 0; i < n; i++)
            if (i != ROOT && meeting->times[i] != NEVER)
                queue_set(&r->queue, i, ends + path(r, i, step->amount));
    } else if (step->kind == STEP_MPI_BCAST) {
        if (root_at != NEVER)
            ends = later(now, root_at + path(r, index, step->amount)) + MEET_CALL;
    } else if (all) {
        ends = end_collective(r, meeting, step, index);
    }
    if (step->kind == STEP_MPI_REDUCE && index != ROOT)
        ends = now + MEET_CALL;
    if (!all)
        return ends;
    size_t over = 0;
    while (over < r->nmeetings && r->meetings[over].arrived == n)
        free(r->meetings[over++].times);
    memmove(r->meetings, r->meetings + over, (r->nmeetings - over) * sizeof *r->meetings);
    r->nmeetings -= over;
    r->first_meeting += over;
    return ends;
}

/* --- Steps ---------------------------------------------------------------------------------- */

/* Begin or end a rank's current step. Returns when the rank continues, or NEVER if another rank
 * must wake it or its script has ended. */
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
    default: /* a step that is recorded */
        break;
    }
    rank->begin = now;
    rank->busy = true;
    switch (step->kind) {
    case STEP_MPI_SEND:
    case STEP_MPI_RECV:
        begin_message(r, index, step);
        return NEVER;
    case STEP_MPI_ALLREDUCE:
    case STEP_MPI_REDUCE:
    case STEP_MPI_BARRIER:
    case STEP_MPI_BCAST:
        return join_collective(r, index, step, now);
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

/* --- The cluster --------------------------------------------------------------------------- */

struct cluster {
    const struct options *options;
    struct spool *spool;
    struct ranks *ranks;
    char **paths; /* paths of the logs */
    struct sink **logs, *document, *truth, *did;
    size_t nlogs;
};

/* --- The document --------------------------------------------------------------------------- */

static void print_document(const struct cluster *c)
{
    const struct options *o = c->options;
    const struct workload *workload = &o->workload;
    const struct cluster_program *program = &workload->cluster;
    const struct places *places = &c->ranks->places;
    struct sink *pex = c->document;
    sink_print(pex,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<pdt_trace version=\"2\" application=\"%s\">\n"
               "  <machine name=\"%s\" timebase_hz=\"%lld\" ppes=\"%zu\" spes=\"%zu\"/>\n",
               workload->name, o->machine->label, (long long)o->machine->timebase_hz,
               o->nnodes * ((o->nspes - 1) / CELL_SPES + 1), o->nnodes * o->nspes);
    for (size_t i = 0; i < c->nlogs; i++) {
        const char *slash = strrchr(c->paths[i], '/');
        size_t on_node = i % places->per_node;
        sink_print(pex, "  <trace_file format=\"event80\" href=\"");
        sink_print_escaped(pex, slash ? slash + 1 : c->paths[i]);
        sink_print(pex,
                   "\" ctx=\"%zu\" rank=\"%zu\" node=\"%zu\" cell=\"%zu\" spe=\"%zu\" "
                   "byte_order=\"%s\" stamp=\"%s\" pages=\"%s\" compression=\"%s\"/>\n",
                   i, i, places_node(places, i), on_node / places->per_cell,
                   on_node % places->per_cell, program->little ? "little" : "big",
                   program->ends ? "end" : "begin", program->pages ? "yes" : "no",
                   o->compress ? "gzip" : "none");
    }
    sink_print(pex, "  <clock kind=\"local\"/>\n  <order granularity=\"thread\"/>\n"
                    "  <symbols>\n");
    for (size_t i = 0; script_function(workload, o->calls, i); i++)
        sink_print(pex, "    <symbol at=\"0x%llx\" size=\"%d\" name=\"%s\"/>\n",
                   (unsigned long long)ranks_address(i), FUNCTION_BYTES,
                   script_function(workload, o->calls, i));
    sink_print(pex, "  </symbols>\n</pdt_trace>\n");
}

/* --- The truth ------------------------------------------------------------------------------ */

/* Write each clock's offset, true time minus local time, at its begin and when its rate changes. */
static void print_truth(const struct cluster *c)
{
    char text[QUOTIENT_TEXT_MAX];
    long long twice = 2 * (long long)c->options->jitter_ticks + 1;
    int64_t latency = wire_latency(c->options->machine, SAME_CELL);
    sink_print(c->truth, "# imprecision_ticks=%lld/2\n# latency_ticks=%lld\n", twice,
               (long long)machine_ticks(c->options->machine, latency));
    sink_print(c->truth, "thread,records,offset_ticks,local_ticks,rate_ppb\n");
    for (size_t i = 0; i < c->nlogs; i++) {
        const struct rank *rank = &c->ranks->ranks[i];
        const struct clock *clock = &c->ranks->nodes[places_node(&c->ranks->places, i)].clock;
        int64_t shown = rank->zero_ticks, last = shown + rank->last_ticks;
        do {
            int64_t local = shown - rank->zero_ticks;
            int128 offset = clock_true_nano(clock, shown) - (int128)local * CLOCK_NANO;
            sink_print(c->truth, "spe%zu,%llu,%s,%lld,%lld\n", i,
                       (unsigned long long)spool_records(c->spool, i),
                       decimal_text(offset, 9, text), (long long)local,
                       (long long)clock_rate_ppb(clock, shown));
        } while ((shown = clock_next_kink(clock, shown)) <= last);
    }
}

/* --- The simulation --------------------------------------------------------------------------- */

static csy_status open_all(struct cluster *c, csy_error *error)
{
    const struct options *o = c->options;
    c->paths = calloc(c->nlogs, sizeof *c->paths);
    /* pointers: NOLINTNEXTLINE(bugprone-sizeof-expression) */
    c->logs = calloc(c->nlogs, sizeof *c->logs);
    c->spool = calloc(1, sizeof *c->spool);
    if (!c->paths || !c->logs || !c->spool)
        return error_memory(error);
    c->spool->nlogs = c->nlogs;
    c->spool->logs = calloc(c->nlogs, sizeof *c->spool->logs);
    if (!c->spool->logs)
        return error_memory(error);
    c->spool->file = tmpfile();
    csy_status status = c->spool->file ? CSY_OK : error_io(error, "temporary file", NULL);
    if (!status)
        status = ranks_new(o, c->spool, &c->ranks, error);
    if (!status)
        status = sink_open(o->output, false, &c->document, error);
    if (!status && o->truth)
        status = sink_open(o->truth, false, &c->truth, error);
    if (!status && o->truth_activity)
        status = sink_open(o->truth_activity, false, &c->did, error);
    return status;
}

static csy_status write_all(struct cluster *c, csy_error *error)
{
    const struct options *o = c->options;
    const struct cluster_program *program = &o->workload.cluster;
    const struct activity_names names = {"spe", 0, 0};
    const char *truths[] = {o->truth, o->truth_activity};
    int stem = (int)strlen(o->output) - 4;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < c->nlogs && !status; i++) {
        if (asprintf(&c->paths[i], "%.*s.rank%zu.log%s", stem, o->output, i,
                     o->compress ? ".gz" : "") < 0) {
            c->paths[i] = NULL;
            return error_memory(error);
        }
        for (size_t k = 0; k < 2; k++)
            if (truths[k] && strcmp(truths[k], c->paths[i]) == 0)
                return error_set(error, CSY_IO, "%s: the truth would overwrite a log", truths[k]);
        status = sink_open(c->paths[i], o->compress, &c->logs[i], error);
        if (!status)
            status = spool_copy(c->spool, i, program->pages, program->little, c->logs[i], error);
        if (!status)
            status = sink_finish(c->logs[i], error);
    }
    if (status)
        return status;
    print_document(c);
    if (c->truth)
        print_truth(c);
    if (c->did)
        status = activity_write(c->ranks->activity, &names, c->did, error);
    if (!status && c->did)
        status = sink_finish(c->did, error);
    if (!status && c->truth)
        status = sink_finish(c->truth, error);
    return status ? status : sink_finish(c->document, error);
}

csy_status cluster_run(const struct options *options, struct session_result *out, csy_error *error)
{
    struct cluster c = {.options = options, .nlogs = options->nnodes * options->nspes};
    csy_status status = open_all(&c, error);
    for (int64_t now;
         !status && !c.ranks->failed && (now = queue_least(&c.ranks->queue)) != NEVER;) {
        size_t index = queue_pop(&c.ranks->queue);
        now = act(c.ranks, index, now);
        if (now != NEVER && now >= END_OF_TIME)
            status = error_set(error, CSY_INPUT, "the simulated program runs for more than a year");
        else if (now != NEVER)
            queue_set(&c.ranks->queue, index, now);
    }
    if (!status && c.ranks->failed)
        status = error_memory(error);
    for (size_t i = 0; i < c.nlogs && !status; i++)
        assert(c.ranks->ranks[i].script.steps[c.ranks->ranks[i].at].kind == STEP_END);
    if (!status)
        status = write_all(&c, error);
    /* Publish the logs before the document that names them. */
    for (size_t i = 0; i < c.nlogs && !status; i++)
        status = sink_publish(c.logs[i], error);
    if (!status && c.truth)
        status = sink_publish(c.truth, error);
    if (!status && c.did)
        status = sink_publish(c.did, error);
    if (!status)
        status = sink_publish(c.document, error);
    if (!status) {
        int64_t pauses = 0;
        *out = (struct session_result){.intervals = c.nlogs,
                                       .run_ns = machine_ns(options->machine, c.ranks->ended_at)};
        for (size_t i = 0; i < c.nlogs; i++) {
            out->records += spool_records(c.spool, i);
            pauses += c.ranks->ranks[i].pause_cycles;
        }
        out->pause_ns = machine_ns(options->machine, pauses);
    }
    for (size_t i = 0; i < c.nlogs && c.logs; i++)
        sink_close(c.logs[i]);
    for (size_t i = 0; i < c.nlogs && c.paths; i++)
        free(c.paths[i]);
    free(c.logs);
    free(c.paths);
    sink_close(c.document);
    sink_close(c.truth);
    sink_close(c.did);
    for (size_t i = 0; c.spool && i < c.spool->nlogs && c.spool->logs; i++)
        free(c.spool->logs[i].pages);
    if (c.spool && c.spool->file && fclose(c.spool->file) != 0)
        c.spool->failure = errno; /* not reported: the file is no longer needed */
    if (c.spool)
        free(c.spool->logs);
    free(c.spool);
    struct ranks *r = c.ranks;
    if (!r)
        return status;
    for (size_t i = 0; i < r->places.ranks && r->ranks; i++)
        free(r->ranks[i].script.steps);
    for (size_t i = 0; i < r->nmeetings; i++)
        free(r->meetings[i].times);
    activity_free(r->activity);
    queue_fini(&r->queue);
    FREE_ALL(r->meetings, r->ranks, r->nodes, r);
    return status;
}
