/* The fast path for blocks of a CSV in partial order: plain rows that continue the block of the row
 * before them. */
#include "base/error.h"
#include "fast/fast.h"
#include "fast/row_time.h"
#include "order/rebase.h"

#include <stdlib.h>
#include <string.h>

enum { SHORT_MAX = 16, SAME_MAX = 6, WINDOW_MIN = 256 };

/* A column whose value must be the same as in the previous row: up to 16 bytes, as in the file. */
struct same {
    size_t column;
    uint64_t head, tail;
    size_t size;
};

struct fast_blocks {
    struct timeline *timeline;
    struct block_line *line;
    const struct rebase *rebase;
    struct same same[SAME_MAX];
    size_t nsame;
    size_t empty[CSV_ORDER_COLUMNS], nempty; /* columns that must be empty */
    struct csv_plain_index index;
};

csy_status fast_blocks_new(struct timeline *timeline, const struct rebase *rebase,
                           struct block_line *line, struct fast_blocks **out, csy_error *error)
{
    const struct csy_trace *trace = timeline->trace;
    const struct csv_header *columns = &trace->lines.columns;
    *out = NULL;
    if (trace->lines.counters.active ||
        (timeline->rules.steps && timeline->rules.steps->count > 0) ||
        columns->duration != CSV_NO_COLUMN || csv_header_has_global(columns) ||
        columns->order[CSV_BLOCK] == CSV_NO_COLUMN || columns->order[CSV_BUFFER] == CSV_NO_COLUMN)
        return CSY_OK;
    struct fast_blocks *blocks = calloc(1, sizeof *blocks);
    if (!blocks)
        return error_memory(error);
    blocks->timeline = timeline;
    blocks->line = line;
    blocks->rebase = rebase;
    const size_t same[SAME_MAX] = {columns->order[CSV_BLOCK],
                                   columns->order[CSV_BUFFER],
                                   columns->thread,
                                   columns->clock,
                                   columns->order[CSV_LOCATION],
                                   columns->core};
    for (size_t i = 0; i < SAME_MAX; i++)
        if (same[i] != CSV_NO_COLUMN)
            blocks->same[blocks->nsame++].column = same[i];
    for (enum csv_order_column i = 0; i < CSV_ORDER_COLUMNS; i++)
        if (columns->order[i] != CSV_NO_COLUMN && i != CSV_BLOCK && i != CSV_BUFFER &&
            i != CSV_LOCATION)
            blocks->empty[blocks->nempty++] = columns->order[i];
    *out = blocks;
    return CSY_OK;
}

void fast_blocks_free(struct fast_blocks *blocks)
{
    free(blocks);
}

/* Note the columns that the next rows must repeat; false if the row is not plain. */
static bool note_row(struct fast_blocks *blocks, const struct csv_row *row)
{
    for (size_t i = 0; i < blocks->nsame; i++) {
        struct same *same = &blocks->same[i];
        const struct csv_field *field = &row->fields[same->column];
        uint8_t bytes[SHORT_MAX] = {0};
        if (field->quoted || field->size > SHORT_MAX)
            return false;
        if (field->size > 0)
            memcpy(bytes, field->at, field->size);
        same->size = field->size;
        csv_plain_first(bytes, field->size, &same->head, &same->tail);
    }
    return true;
}

/* The state of taking rows. */
struct going_on {
    const struct csv_reader *reader;
    const uint8_t *bytes;
    size_t last;      /* the last column */
    uint64_t shift;   /* x = time + shift, modulo 2^64 */
    int64_t least, x; /* times and x must not be below these */
    struct thread_run run;
};

static inline size_t field(const struct going_on *g, const uint32_t *at, size_t column,
                           size_t carriage, const uint8_t **out)
{
    size_t start = at[column] + 1;
    *out = g->bytes + start;
    return at[column + 1] - start - (carriage && column == g->last);
}

/* True if the row that begins after at[0] is plain and continues the block; sets *ticks to the time
 * of the row. */
static inline bool goes_on(const struct fast_blocks *blocks, const struct going_on *g,
                           const uint32_t *at, int64_t *ticks)
{
    const struct csv_header *columns = &g->reader->columns;
    const uint8_t separator = (uint8_t)g->reader->separator, *p;
    unsigned other = g->bytes[at[g->last + 1]] ^ '\n';
    for (size_t i = 1; i <= g->last; i++)
        other |= g->bytes[at[i]] ^ separator;
    if (other)
        return false;
    bool carriage = g->bytes[at[g->last + 1] - 1] == '\r';
    for (size_t i = 0; i < blocks->nsame; i++) {
        const struct same *same = &blocks->same[i];
        uint64_t head, tail;
        if (field(g, at, same->column, carriage, &p) != same->size)
            return false;
        csv_plain_first(p, same->size, &head, &tail);
        if (head != same->head || tail != same->tail)
            return false;
    }
    for (size_t i = 0; i < blocks->nempty; i++)
        if (field(g, at, blocks->empty[i], carriage, &p) > 0)
            return false;
    size_t size = field(g, at, columns->time, carriage, &p);
    if (!row_time(&g->reader->scale, p, size, ticks) || *ticks < g->least)
        return false;
    int64_t begin;
    size = columns->begin == CSV_NO_COLUMN ? 0 : field(g, at, columns->begin, carriage, &p);
    return size == 0 || (row_time(&g->reader->scale, p, size, &begin) && begin <= *ticks);
}

/* Take the rows of a window that continue the block. Returns their bytes; *all is true if all rows
 * do. */
static size_t take_window(const struct fast_blocks *blocks, struct going_on *g, bool *all)
{
    const uint32_t *at = blocks->index.at;
    size_t left = blocks->index.n / (g->last + 1);
    int64_t ticks, x;
    for (; left > 0 && goes_on(blocks, g, at, &ticks); left--) {
        x = (int64_t)((uint64_t)ticks + g->shift);
        if (x < g->x || x >= X_MAX)
            break;
        g->x = x;
        g->least = g->run.last_ticks = g->run.max_ticks = ticks;
        if (g->run.records++ == 0)
            g->run.min_ticks = ticks;
        at += g->last + 1;
    }
    *all = left == 0;
    return (size_t)(uint32_t)(*at + 1);
}

csy_status fast_blocks_take(struct fast_blocks *blocks, const struct event *event, int64_t x,
                            csy_error *error)
{
    struct timeline *timeline = blocks->timeline;
    struct csv_reader *reader = &timeline->trace->lines;
    uint64_t position = event->position;
    uint32_t thread = event->thread;
    if (!block_line_goes_on(blocks->line) || !note_row(blocks, event->row))
        return CSY_OK;
    struct going_on g = {.reader = reader,
                         .last = reader->ncolumns - 1,
                         .shift = (uint64_t)blocks->rebase->offset[thread],
                         .least = event->local_ticks,
                         .x = x};
    size_t have, window = WINDOW_MIN;
    csy_status status = bytes_peek(reader->bytes, 1, &g.bytes, &have, error);
    if (status)
        return status;
    const uint8_t *start = g.bytes, *end = g.bytes + have;
    for (bool all = true; all;) {
        size_t most = (size_t)(end - g.bytes);
        most = most < CSV_PLAIN_SLACK ? 0 : most - CSV_PLAIN_SLACK;
        size_t size = most < window ? most / CSV_PLAIN_BLOCK_BYTES * CSV_PLAIN_BLOCK_BYTES : window;
        if (size == 0)
            break;
        csv_plain_index(&blocks->index, g.bytes, size, (uint8_t)reader->separator);
        size_t taken = take_window(blocks, &g, &all);
        g.bytes += taken;
        all = all && taken > 0;
        window = window < CSV_PLAIN_WINDOW_BYTES ? 2 * window : window;
    }
    if (g.run.records == 0)
        return CSY_OK;
    g.run.last_record = position + g.run.records;
    threads_take_run(&timeline->threads, thread, &g.run);
    block_line_skip(blocks->line, g.x, g.run.last_record, reader->line + g.run.records - 1);
    timeline->records += g.run.records;
    reader->line += g.run.records;
    bytes_skip(reader->bytes, (size_t)(g.bytes - start));
    return CSY_OK;
}
