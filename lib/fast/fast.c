/* Implements fast.h and kind.h, and divides the fast path among several workers. */
#include "fast/fast.h"

#include "base/team.h"
#include "clock/global.h"
#include "fast/kind.h"

#include <pthread.h>
#include <stdlib.h>

/* Several workers take plain records from segments of the file.
 *
 *   file   |----- 0 -----|----- 1 -----|----- 2 -----|----- 3 -----|   segments of equal size
 *   worker A takes 0, lands 0,     takes 2 ...
 *   worker B takes 1,        lands 1,     takes 3 ...
 *
 * A segment lands when its results are added to the results of earlier segments: its run
 * (fast/kind.h) is joined to earlier runs, and written records are passed on. Segments land in
 * order, one at a time.
 *
 * A worker does not know the records before its segment. It guesses where the first record begins,
 * and assumes that all clocks continue from their last known state. Landing checks both
 * assumptions. If one is wrong, the segment is discarded: its records are taken from the reader's
 * buffer or on the ordinary path, and segments are tried again later in the file. So the result
 * does not depend on the number of workers.
 *
 * This scheduler serves records and rows; struct fast_kind contains their differences. */

/* --- Runs ------------------------------------------------------------------------------------- */

int64_t fast_shift(const struct fast *fast, uint32_t thread)
{
    return fast->offsets
               ? placement_shift(fast->offsets[thread].offset_ticks, fast->rebase->offset[thread])
               : 0;
}

bool fast_last(const struct fast *fast, uint32_t *slot, int64_t *x)
{
    if (fast->sweep)
        return sweep_may_run(fast->sweep, slot, x);
    *slot = fast->previous;
    *x = fast->previous_x;
    if (fast->job.purpose == MEASURING && fast->previous != NO_THREAD)
        *x = (int64_t)placement_global(fast_shift(fast, fast->previous), fast->previous_x);
    return fast->previous != NO_THREAD;
}

bool run_new(struct run *run, bool apart, enum purpose purpose)
{
    *run = (struct run){.apart = apart, .purpose = purpose};
    if (apart && purpose == MEASURING)
        run->kept = malloc(sizeof *run->kept);
    return run->kept || !apart || purpose != MEASURING;
}

void run_fini(struct run *run)
{
    sweep_run_fini(&run->sweep);
    free(run->kept);
    *run = (struct run){0};
}

static bool begin(struct run *run, const struct fast *fast)
{
    run->purpose = fast->job.purpose;
    run->records = run->same = run->wrong = 0;
    run->least_step = 0;
    run->least_ticks = INT64_MAX;
    run->by_time = true;
    return !fast->sweep || sweep_run_begin(&run->sweep, fast->sweep, run->apart);
}

bool run_begin(struct run *run, const struct fast *fast)
{
    if (!begin(run, fast) || !fast_last(fast, &run->ends.last, &run->ends.last_x))
        return false;
    if (fast->job.purpose == MEASURING) {
        run->inversions = fast->job.measured->inversions;
        run->last_local = fast->job.measured->last_local_ticks;
    }
    return true;
}

bool run_begin_apart(struct run *run, const struct fast *fast)
{
    if (run->kept)
        inversions_apart_begin(run->kept);
    return begin(run, fast);
}

bool run_follows(const struct run *run, struct fast *fast)
{
    uint32_t slot;
    int64_t x;
    if (!fast_last(fast, &slot, &x))
        return false;
    if (run->purpose == MEASURING)
        return inversions_add(&fast->job.measured->inversions, run->kept);
    return run->purpose >= WRITING || slot != run->ends.first || x <= run->ends.first_x;
}

void run_settle(const struct run *run, struct fast *fast)
{
    uint32_t slot;
    int64_t x, shift = 0;
    struct disorder *disorder = &fast->rebase->disorder;
    if (run->purpose >= WRITING)
        return;
    if (run->purpose == MEASURING) {
        disorder = &fast->job.measured->disorder;
        shift = fast_shift(fast, run->ends.last);
        struct measured *measured = fast->job.measured;
        if (!run->apart)
            measured->inversions = run->inversions;
        measured->by_time = measured->by_time && run->by_time &&
                            (!run->apart || run->first_local >= measured->last_local_ticks);
        measured->last_local_ticks = run->last_local;
        measured->last_ticks = run->ends.last_x;
        if (run->least_ticks < measured->least_ticks)
            measured->least_ticks = run->least_ticks;
    }
    fast_last(fast, &slot, &x);
    if (run->apart && slot != run->ends.first)
        disorder_note(disorder, run->ends.first_x - x);
    disorder_add(disorder,
                 &(struct disorder){run->records - run->same, run->wrong, -run->least_step});
    if (fast->sweep)
        sweep_take_run(fast->sweep, &run->sweep, &run->ends);
    fast->previous = fast_thread(fast, run->ends.last);
    fast->previous_x = fast->rebase->previous_x = run->ends.last_x - shift;
}

enum {
    SESSION_SEGMENTS = 64, /* number of segments after which progress is reported */
    PATIENCE_SEGMENTS = 64
};

/* Data that all workers share. The lock guards `fast` and the members below `lock`. */
struct session {
    struct fast *fast;
    uint64_t segment_bytes, start; /* size of a segment; file offset of the first segment */
    pthread_mutex_t lock;
    pthread_cond_t landed;
    /* Segments are parts of the file. next: number of the next segment that a worker takes. turn:
     * the results of the segment with this number are added next. */
    uint64_t next, turn, count;
    bool over;
    uint64_t records, bytes;
    csy_status status;
    csy_error *error;
};

/* Add the results of a segment. Returns false if they cannot be used, because the worker assumed
 * something wrong about earlier records. */
static bool land(struct session *s, struct segment *segment)
{
    struct fast *fast = s->fast;
    struct bytes *bytes = fast->timeline->trace->bytes;
    if (segment->run.records == 0 || segment->from != bytes_offset(bytes) ||
        !fast->kind->is_open(fast) || !fast->kind->segment_holds(segment) ||
        !run_follows(&segment->run, fast)) {
        s->over = true;
        return false;
    }
    s->status = fast->kind->segment_settle(segment, s->error);
    run_settle(&segment->run, fast);
    bytes_pass(bytes, segment->to - segment->from, segment->crc);
    s->records += segment->run.records;
    s->bytes += segment->to - segment->from;
    s->over = s->status || segment->to < segment->end;
    return true;
}

static void work(void *user, struct team *team, unsigned self)
{
    struct session *s = user;
    const struct fast_kind *kind = s->fast->kind;
    const struct fast_sink *sink = s->fast->job.sink;
    struct segment *segment = kind->segment_new(s->fast, self);
    (void)team;
    if (!segment)
        return;
    for (;;) {
        /* Copy the current state of the trace for the next segment. */
        pthread_mutex_lock(&s->lock);
        bool more = !s->over && s->next < s->count;
        if (more) {
            segment->number = s->next++;
            kind->segment_prepare(segment);
        }
        pthread_mutex_unlock(&s->lock);
        if (!more)
            break;
        segment->start = s->start + segment->number * s->segment_bytes;
        segment->end = segment->start + s->segment_bytes;
        segment->from = segment->to = segment->start;
        segment->crc = 0;
        segment->written = 0;
        segment->run.records = 0;
        kind->segment_take(segment);
        uint64_t at = 0;
        pthread_mutex_lock(&s->lock);
        while (s->turn != segment->number && !s->over)
            pthread_cond_wait(&s->landed, &s->lock);
        bool landed = !s->over && land(s, segment);
        if (landed && sink)
            at = sink->claim(sink->user, segment->written);
        s->turn++;
        pthread_cond_broadcast(&s->landed);
        pthread_mutex_unlock(&s->lock);
        if (landed && sink)
            sink->place(sink->user, segment->out, segment->written, at);
    }
    kind->segment_free(segment);
}

/* Let several workers take plain records from segments (parts) of the file, if this is faster. Sets
 * taken->records, and no other member. */
static csy_status segments_take(struct fast *fast, struct fast_taken *taken, csy_error *error)
{
    uint32_t slot;
    int64_t x;
    const struct csy_trace *trace = fast->timeline->trace;
    uint64_t size = trace->segment_bytes, offset = bytes_offset(trace->bytes);
    if (trace->workers < 2 || !fast->kind->is_open(fast) || !fast_last(fast, &slot, &x) ||
        bytes_is_packed(trace->bytes) || offset < fast->segments_from ||
        offset >= trace->record_bytes || (trace->record_bytes - offset) / size < 2)
        return CSY_OK;
    uint64_t count = (trace->record_bytes - offset) / size;
    struct session s = {.fast = fast,
                        .segment_bytes = size,
                        .start = offset,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .landed = PTHREAD_COND_INITIALIZER,
                        .count = count < SESSION_SEGMENTS ? count : SESSION_SEGMENTS,
                        .error = error};
    team_run(trace->workers < FAST_WORKERS_MAX ? trace->workers : FAST_WORKERS_MAX, work, &s);
    /* If less than two segments could be used, read some bytes in the ordinary way before the next
     * attempt. Double their number after each such failure. */
    uint64_t patience = 2 * fast->patience_bytes, most = PATIENCE_SEGMENTS * size;
    fast->patience_bytes = s.bytes >= 2 * size ? 0
                           : patience < size   ? size
                           : patience > most   ? most
                                               : patience;
    fast->segments_from = bytes_offset(trace->bytes) + fast->patience_bytes;
    taken->records = s.records;
    return s.status;
}

csy_status fast_new(struct timeline *timeline, struct rebase *rebase, struct sweep *sweep,
                    const csy_thread *offsets, struct fast **out, csy_error *error)
{
    struct csy_trace *trace = timeline->trace;
    csy_status status = CSY_OK;
    *out = NULL;
    if (trace->partial || trace->lines.counters.active ||
        (timeline->rules.steps && timeline->rules.steps->count > 0))
        return CSY_OK;
    if (timeline->intervals)
        status = records_new(timeline, out, error);
    else if (trace->source->shaped && trace->lines.columns.clock == CSV_NO_COLUMN)
        status = rows_new(timeline, out, error);
    if (status || !*out)
        return status;
    struct fast *fast = *out;
    fast->timeline = timeline;
    fast->rebase = rebase;
    fast->sweep = sweep;
    fast->offsets = offsets;
    fast->previous = NO_THREAD;
    fast->greatest_x = -X_MAX;
    return CSY_OK;
}

void fast_free(struct fast *fast)
{
    if (!fast)
        return;
    run_fini(&fast->run);
    fast->kind->free(fast);
}

void fast_take_turns(struct fast *fast, struct sweep_feed *feed, const uint32_t *tau, size_t crowd)
{
    fast->turns = true;
    fast->feed = feed;
    fast->tau = tau;
    fast->crowd = crowd;
}

void fast_note(struct fast *fast, const struct event *event, int64_t x)
{
    fast->kind->note(fast, event, x);
    fast->previous = event->thread;
    fast->previous_x = x;
}

csy_status fast_run(struct fast *fast, const struct fast_job *job, struct fast_taken *taken,
                    csy_error *error)
{
    csy_status status = CSY_OK;
    *taken = (struct fast_taken){0};
    fast->job = *job;
    if (job->purpose == READING && fast->sweep)
        fast->job.purpose = sweep_carries(fast->sweep) ? CARRYING : CONSTRAINING;
    if (job->measured)
        job->measured->least_ticks = INT64_MAX;
    if (job->limit <= fast->timeline->records || (job->purpose >= WRITING && !fast->kind->writes))
        return CSY_OK;
    if (!job->out && !job->times)
        status = segments_take(fast, taken, error);
    if (!status && taken->records == 0 && !job->sink && fast->kind->is_open(fast))
        status = fast->kind->take(fast, taken, error);
    taken->thread = fast->previous;
    taken->x = fast->previous_x;
    taken->greatest_x = fast->greatest_x;
    return status;
}
