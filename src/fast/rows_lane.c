/* The fast lane of a CSV. */
#include "fast/rows_lane.h"

#include "base/error.h"
#include "base/team.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    ROWS_SEGMENT_BYTES = 960 * 1024, /* with a row behind it, four reads */
    ROWS_SEGMENTS_MAX = 64,
    ROWS_THREADS_MAX = 16
};

struct segment {
    struct digest digest;
    uint64_t start, end; /* offsets in the file; the same: nothing was taken */
    bool complete;       /* the rows of the whole segment were taken */
};

struct rows_lane {
    struct timeline *timeline;
    struct rebase *rough;
    struct sweep *sweep;
    struct writings *writings;
    struct digest digest; /* of the reader's buffer, into the sweep's matrix */
    size_t nmembers;
    struct bytes *bytes[ROWS_THREADS_MAX]; /* a stream for each thread */
    struct segment segments[ROWS_SEGMENTS_MAX];
    uint64_t calm_bytes; /* taken since the last odd row */
    uint64_t file_bytes;

    /* Segments under way: */
    uint64_t from; /* where the first one begins */
    size_t nsegments;
    atomic_size_t next; /* segment */
    atomic_bool stop;   /* one is incomplete: those behind it are not wanted */
};

/* A thread where the trace has two or more; streams are NULL where there is no need, no memory, or
 * gzip, in which nobody can seek. */
static void open_streams(struct rows_lane *lane)
{
    const struct csy_trace *trace = lane->timeline->trace;
    csy_error error;
    size_t wanted = trace->gzip                         ? 0
                    : trace->workers < ROWS_THREADS_MAX ? trace->workers
                                                        : ROWS_THREADS_MAX;
    while (lane->nmembers < wanted && wanted > 1 &&
           bytes_new(trace->fd, trace->name, 0, false, 1, &lane->bytes[lane->nmembers], &error) ==
               CSY_OK)
        lane->nmembers++;
}

bool rows_lane_knows(const struct csy_trace *trace)
{
    return trace->source->carried == CARRIED_ROWS && trace->csv.columns.clock == CSV_NO_COLUMN &&
           !trace->partial;
}

csy_status rows_lane_new(struct timeline *timeline, struct rebase *rough, struct sweep *sweep,
                         struct rows_lane **out, csy_error *error)
{
    struct stat st;
    struct rows_lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        return error_memory(error);
    lane->timeline = timeline;
    lane->rough = rough;
    lane->sweep = sweep;
    lane->writings = writings_new();
    if (!lane->writings) {
        rows_lane_free(lane);
        return error_memory(error);
    }
    if (fstat(timeline->trace->fd, &st) == 0 && st.st_size > 0)
        lane->file_bytes = (uint64_t)st.st_size;
    open_streams(lane);
    *out = lane;
    return CSY_OK;
}

void rows_lane_free(struct rows_lane *lane)
{
    if (!lane)
        return;
    for (size_t i = 0; i < lane->nmembers; i++)
        bytes_free(lane->bytes[i]);
    for (size_t i = 0; i < ROWS_SEGMENTS_MAX; i++) {
        free(lane->segments[i].digest.d);
        free(lane->segments[i].digest.tally);
    }
    free(lane->digest.tally);
    writings_free(lane->writings);
    free(lane);
}

void rows_lane_note(struct rows_lane *lane, const struct event *event)
{
    writings_add(lane->writings, event->row, sweep_slot(lane->sweep, event->thread),
                 lane->rough->offset[event->thread]);
}

/* The threads, the reader's place and the sweep, after these rows; their edges are in the sweep. */
static void settle(struct rows_lane *lane, const struct digest *digest)
{
    struct timeline *timeline = lane->timeline;
    for (uint32_t slot = 0; slot < digest->stride; slot++) {
        const struct tally *tally = &digest->tally[slot];
        if (tally->records == 0)
            continue;
        struct thread *thread = &timeline->threads.items[sweep_thread(lane->sweep, slot)];
        thread->records += tally->records;
        thread->last_record = timeline->records + tally->last - 1;
        thread->last_ticks = tally->last_ticks;
        if (tally->min_ticks < thread->min_ticks)
            thread->min_ticks = tally->min_ticks;
        if (tally->max_ticks > thread->max_ticks)
            thread->max_ticks = tally->max_ticks;
    }
    timeline->records += digest->rows;
    timeline->trace->csv.line += digest->rows;
    sweep_lane_end(lane->sweep, digest->previous, digest->previous_x);
    disorder_add(&lane->rough->disorder, &digest->disorder);
    lane->rough->previous_x = digest->previous_x;
}

/* Room for a tally of `stride` slots and, unless the matrix is the sweep's, for one of its own. */
static bool make_room(struct digest *digest, size_t stride, bool matrix)
{
    if (digest->stride == stride)
        return true;
    if (matrix)
        free(digest->d);
    free(digest->tally);
    digest->d = matrix ? malloc(stride * stride * sizeof *digest->d) : NULL;
    digest->tally = malloc(stride * sizeof *digest->tally);
    digest->stride = digest->tally && (digest->d || !matrix) ? stride : 0;
    return digest->stride > 0;
}

/* Digest the reader's buffer; *more says whether all went well up to its end. */
static csy_status run_buffer(struct rows_lane *lane, bool *more, csy_error *error)
{
    struct csv_reader *reader = &lane->timeline->trace->csv;
    struct digest *digest = &lane->digest;
    const uint8_t *start, *at;
    uint32_t previous;
    int64_t previous_x;
    size_t have, stride;
    *more = false;
    int64_t *d = sweep_lane_begin(lane->sweep, &stride, &previous, &previous_x);
    if (previous == SWEEP_NONE || !make_room(digest, stride, false))
        return CSY_OK;
    csy_status status = bytes_peek(reader->bytes, 1, &start, &have, error);
    if (status)
        return status;
    digest_reset(digest);
    digest->d = d;
    digest->previous = previous;
    digest->previous_x = previous_x;
    at = start;
    *more =
        digest_rows(digest, lane->writings, reader, &at, start + have, start + have) != DIGEST_ODD;
    bytes_skip(reader->bytes, (size_t)(at - start));
    lane->calm_bytes = *more ? lane->calm_bytes + (size_t)(at - start) : 0;
    settle(lane, digest);
    return CSY_OK;
}

/* Bring the first row that begins at `from` or behind it, if that is within the segment, to the
 * front of the view. */
static bool find_row(struct bytes *bytes, uint64_t from)
{
    const uint8_t *p;
    size_t have;
    csy_error error;
    bytes_seek(bytes, from - 1);
    if (bytes_peek(bytes, 1, &p, &have, &error) != CSY_OK)
        return false;
    const uint8_t *newline = memchr(p, '\n', have);
    if (newline)
        bytes_skip(bytes, (size_t)(newline - p) + 1);
    return newline != NULL;
}

/* Digest the rows that begin before the offset `to`; false where one of them is odd. */
static bool digest_up_to(const struct rows_lane *lane, struct bytes *bytes, uint64_t to,
                         struct digest *digest)
{
    const struct csv_reader *reader = &lane->timeline->trace->csv;
    enum digest_end why = DIGEST_LIMIT;
    size_t need = 1;
    while (why != DIGEST_ODD && bytes_offset(bytes) < to) {
        const uint8_t *start, *at;
        size_t have;
        csy_error error;
        if (bytes_peek(bytes, need, &start, &have, &error) != CSY_OK || have < need)
            return false;
        uint64_t left = to - bytes_offset(bytes);
        at = start;
        why = digest_rows(digest, lane->writings, reader, &at, start + (left < have ? left : have),
                          start + have);
        bytes_skip(bytes, (size_t)(at - start));
        need = have - (size_t)(at - start) + 1;
    }
    return why != DIGEST_ODD;
}

static void digest_segment(struct rows_lane *lane, struct bytes *bytes, size_t i)
{
    struct segment *segment = &lane->segments[i];
    uint64_t from = lane->from + i * ROWS_SEGMENT_BYTES;
    size_t walks = segment->digest.stride * segment->digest.stride;
    digest_reset(&segment->digest);
    for (size_t k = 0; k < walks; k++)
        segment->digest.d[k] = WALK_INF;
    if (i > 0 && !find_row(bytes, from))
        return;
    if (i == 0)
        bytes_seek(bytes, from);
    segment->start = bytes_offset(bytes);
    segment->complete = digest_up_to(lane, bytes, from + ROWS_SEGMENT_BYTES, &segment->digest);
    segment->end = bytes_offset(bytes);
}

static void digest_segments(void *user, struct team *team, unsigned self)
{
    struct rows_lane *lane = user;
    (void)team;
    while (!atomic_load(&lane->stop)) {
        size_t i = atomic_fetch_add(&lane->next, 1);
        if (i >= lane->nsegments)
            break;
        digest_segment(lane, lane->bytes[self], i);
        if (!lane->segments[i].complete)
            atomic_store(&lane->stop, true);
    }
}

/* Take a segment whose first row is the next one; false where its thread steps back there. */
static bool fold(struct rows_lane *lane, const struct digest *digest)
{
    size_t stride;
    uint32_t previous;
    int64_t previous_x;
    int64_t *d = sweep_lane_begin(lane->sweep, &stride, &previous, &previous_x);
    int64_t edge = digest->first_x - previous_x;
    if (digest->first == previous && edge < 0)
        return false;
    walk_lower(&d[previous * stride + digest->first], edge);
    if (digest->first != previous)
        disorder_note(&lane->rough->disorder, edge);
    for (size_t i = 0; i < stride * stride; i++)
        d[i] = digest->d[i] < d[i] ? digest->d[i] : d[i];
    settle(lane, digest);
    return true;
}

/* Fold segments in order, as far as each begins where the one before has ended, and go on
 * behind. */
static bool fold_segments(struct rows_lane *lane)
{
    uint64_t at = lane->from;
    bool good = true;
    for (size_t i = 0; good && i < lane->nsegments; i++) {
        const struct segment *segment = &lane->segments[i];
        good = segment->digest.rows > 0 && segment->start == at && fold(lane, &segment->digest);
        at = good ? segment->end : at;
        good = good && segment->complete;
    }
    lane->calm_bytes = good ? lane->calm_bytes + at - lane->from : 0;
    bytes_seek(lane->timeline->trace->csv.bytes, at);
    return good;
}

/* How many segments to cut from `from` on; fewer than two are none. */
static size_t choose_segments(const struct rows_lane *lane, uint64_t from)
{
    uint64_t left = lane->file_bytes > from ? lane->file_bytes - from : 0;
    uint64_t bytes = left < lane->calm_bytes ? left : lane->calm_bytes;
    uint64_t n = bytes / ROWS_SEGMENT_BYTES;
    return lane->nmembers < 2 || n < 2 ? 0 : n < ROWS_SEGMENTS_MAX ? (size_t)n : ROWS_SEGMENTS_MAX;
}

/* Digest what lies ahead in segments; false where that cannot go on. */
static bool run_segments(struct rows_lane *lane)
{
    lane->from = bytes_offset(lane->timeline->trace->csv.bytes);
    lane->nsegments = choose_segments(lane, lane->from);
    if (lane->nsegments == 0)
        return false;
    for (size_t i = 0; i < lane->nsegments; i++) {
        struct segment *segment = &lane->segments[i];
        if (!make_room(&segment->digest, lane->digest.stride, true))
            return false;
        segment->digest.rows = 0;
        segment->complete = false;
    }
    atomic_store(&lane->next, 0);
    atomic_store(&lane->stop, false);
    team_run((unsigned)lane->nmembers, digest_segments, lane);
    return fold_segments(lane);
}

csy_status rows_lane_run(struct rows_lane *lane, uint32_t *thread, int64_t *x, csy_error *error)
{
    bool more;
    size_t stride;
    uint32_t previous;
    csy_status status = run_buffer(lane, &more, error);
    while (more)
        more = run_segments(lane);
    sweep_lane_begin(lane->sweep, &stride, &previous, x);
    if (previous != SWEEP_NONE)
        *thread = sweep_thread(lane->sweep, previous);
    return status;
}
