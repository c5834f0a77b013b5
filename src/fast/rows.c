/* The quick way for rows. */
#include "base/error.h"
#include "fast/kind.h"
#include "fast/plain_rows.h"

#include <stdlib.h>
#include <string.h>

struct rows {
    struct fast fast;
    struct writings *writings;
    struct tally tally[ROWS_SEATS];
};

static struct rows *rows_of(struct fast *fast)
{
    return (struct rows *)fast;
}

csy_status rows_new(struct timeline *timeline, struct fast **out, csy_error *error)
{
    struct rows *rows = calloc(1, sizeof *rows);
    (void)timeline;
    if (!rows)
        return error_memory(error);
    rows->fast.kind = &fast_rows;
    rows->writings = writings_new();
    if (!rows->writings) {
        free(rows);
        return error_memory(error);
    }
    *out = &rows->fast;
    return CSY_OK;
}

static void free_rows(struct fast *fast)
{
    writings_free(rows_of(fast)->writings);
    free(fast);
}

static bool is_open(const struct fast *fast)
{
    (void)fast;
    return true;
}

static void note_row(struct fast *fast, const struct event *event, int64_t x)
{
    (void)x;
    writings_add(rows_of(fast)->writings, fast, event);
}

/* The threads and the reader's place after these rows. */
static void settle_rows(struct fast *fast, const struct tally *tally, uint64_t records)
{
    struct timeline *timeline = fast->timeline;
    const uint32_t *threads;
    size_t nseats = writings_seats(rows_of(fast)->writings, &threads);
    for (size_t seat = 0; seat < nseats; seat++) {
        const struct tally *t = &tally[seat];
        if (t->records > 0)
            threads_take_run(&timeline->threads, threads[seat],
                             &(struct thread_run){t->records, timeline->records + t->last - 1,
                                                  t->last_ticks, t->min_ticks, t->max_ticks});
    }
    timeline->records += records;
    timeline->trace->csv.line += records;
}

static csy_status take_rows(struct fast *fast, struct fast_taken *taken, csy_error *error)
{
    struct rows *rows = rows_of(fast);
    struct csv_reader *reader = &fast->timeline->trace->csv;
    struct rows_at at = {.most = fast->limit - fast->timeline->records};
    const uint8_t *start;
    size_t have;
    if (!run_begin(&fast->run, fast))
        return CSY_OK;
    csy_status status = bytes_peek(reader->bytes, 1, &start, &have, error);
    if (status)
        return status;
    at.at = start;
    at.limit = at.end = start + have;
    plain_rows_begin(rows->tally, rows->writings);
    plain_rows_take(rows->writings, reader, &at, rows->tally, &fast->run);
    taken->records = fast->run.records;
    if (taken->records == 0)
        return CSY_OK;
    settle_rows(fast, rows->tally, taken->records);
    run_settle(&fast->run, fast);
    bytes_skip(reader->bytes, (size_t)(at.at - start));
    return CSY_OK;
}

/* ---- Segments */

struct stretch {
    struct segment segment;
    struct bytes *bytes;
    struct tally tally[ROWS_SEATS];
};

static void free_stretch(struct segment *segment)
{
    bytes_free(((struct stretch *)segment)->bytes);
    run_fini(&segment->run);
    free(segment);
}

static struct segment *new_stretch(struct fast *fast, unsigned worker)
{
    const struct csy_trace *trace = fast->timeline->trace;
    struct stretch *stretch = calloc(1, sizeof *stretch);
    (void)worker;
    if (!stretch)
        return NULL;
    stretch->segment.fast = fast;
    bool good = run_new(&stretch->segment.run, true, fast->purpose) &&
                !bytes_new(trace->fd, trace->name, 0, false, 1, &stretch->bytes, NULL);
    if (good)
        return &stretch->segment;
    free_stretch(&stretch->segment);
    return NULL;
}

/* The table of writings stays as it is meanwhile. */
static void prepare_stretch(struct segment *segment)
{
    (void)segment;
}

/* Bring the first row that begins at `from` or after it, if that is within the segment, to the
 * front of the view. */
static bool find_row(struct bytes *bytes, uint64_t from)
{
    const uint8_t *p;
    size_t have;
    bytes_seek(bytes, from - 1);
    if (bytes_peek(bytes, 1, &p, &have, NULL) != CSY_OK)
        return false;
    const uint8_t *newline = memchr(p, '\n', have);
    if (newline)
        bytes_skip(bytes, (size_t)(newline - p) + 1);
    return newline != NULL;
}

/* Take the rows that begin before the end of the segment, as far as they are plain. */
static void take_up_to_end(struct stretch *stretch)
{
    struct segment *segment = &stretch->segment;
    const struct writings *writings = rows_of(segment->fast)->writings;
    const struct csv_reader *reader = &segment->fast->timeline->trace->csv;
    enum rows_end why = ROWS_LIMIT;
    size_t need = 1;
    while (why != ROWS_ODD && bytes_offset(stretch->bytes) < segment->end) {
        const uint8_t *start;
        struct rows_at at = {.most = UINT64_MAX};
        size_t have;
        if (bytes_peek(stretch->bytes, need, &start, &have, NULL) != CSY_OK || have < need)
            return;
        uint64_t left = segment->end - bytes_offset(stretch->bytes);
        at.at = start;
        at.limit = start + (left < have ? left : have);
        at.end = start + have;
        why = plain_rows_take(writings, reader, &at, stretch->tally, &segment->run);
        bytes_skip(stretch->bytes, (size_t)(at.at - start));
        need = have - (size_t)(at.at - start) + 1;
    }
}

/* The first row is that after the first newline; landing proves that a row does begin there. */
static void take_stretch(struct segment *segment)
{
    struct stretch *stretch = (struct stretch *)segment;
    if (segment->number == 0)
        bytes_seek(stretch->bytes, segment->start);
    if ((segment->number > 0 && !find_row(stretch->bytes, segment->start)) ||
        !run_begin_apart(&segment->run, segment->fast))
        return;
    segment->run.ends.last = SWEEP_NONE;
    plain_rows_begin(stretch->tally, rows_of(segment->fast)->writings);
    segment->from = bytes_offset(stretch->bytes);
    take_up_to_end(stretch);
    segment->to = bytes_offset(stretch->bytes);
}

static bool stretch_holds(const struct segment *segment)
{
    const struct fast *fast = segment->fast;
    return segment->run.records <= fast->limit - fast->timeline->records;
}

static csy_status settle_stretch(struct segment *segment, csy_error *error)
{
    (void)error;
    settle_rows(segment->fast, ((struct stretch *)segment)->tally, segment->run.records);
    return CSY_OK;
}

const struct fast_kind fast_rows = {
    .is_open = is_open,
    .note = note_row,
    .take = take_rows,
    .free = free_rows,
    .segment_new = new_stretch,
    .segment_free = free_stretch,
    .segment_prepare = prepare_stretch,
    .segment_take = take_stretch,
    .segment_holds = stretch_holds,
    .segment_settle = settle_stretch,
};
