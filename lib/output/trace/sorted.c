/* Sorts the rows of a CSV by global time. */
#include "output/trace/sorted.h"

#include "base/array.h"
#include "base/error.h"
#include "io/bytes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUN_BYTES = 64 * 1024 };

/* A row in memory. Its pieces are at bytes[at] to bytes[at + size - 1]. */
struct row {
    int64_t ticks;
    uint64_t number;
    size_t at, size;
};

/* The header of a row in a run, and the header of a piece of a row. */
struct row_head {
    int64_t ticks;
    uint64_t size;
};

struct piece {
    uint32_t tag, size;
};

/* A sorted run of rows in the temporary file. */
struct run {
    uint64_t next, end; /* offsets of the next bytes to read and of the end */
    char *bytes;        /* bytes read ahead */
    size_t at, have;
    struct row_head row; /* header of the next row, which its pieces follow */
    bool ended;
};

struct sorted {
    size_t most; /* maximum bytes of rows in memory */
    char *bytes;
    size_t size, bytes_capacity;
    struct row *rows;
    size_t nrows, capacity;
    int fd; /* -1: there are no runs */
    uint64_t written;
    struct run *runs;
    size_t nruns, runs_capacity;
    bool memory, failed;
};

csy_status sorted_new(size_t bytes, struct sorted **out, csy_error *error)
{
    struct sorted *sorted = calloc(1, sizeof *sorted);
    if (!sorted)
        return error_memory(error);
    sorted->most = bytes;
    sorted->fd = -1;
    *out = sorted;
    return CSY_OK;
}

void sorted_free(struct sorted *sorted)
{
    if (!sorted)
        return;
    for (size_t i = 0; i < sorted->nruns; i++)
        free(sorted->runs[i].bytes);
    free(sorted->runs);
    free(sorted->rows);
    free(sorted->bytes);
    if (sorted->fd >= 0)
        close(sorted->fd);
    free(sorted);
}

static int compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->ticks != y->ticks)
        return x->ticks < y->ticks ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void sort_rows(struct sorted *sorted)
{
    if (sorted->nrows > 1)
        qsort(sorted->rows, sorted->nrows, sizeof *sorted->rows, compare);
}

/* Append to the temporary file. */
static bool put_all(struct sorted *sorted, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        ssize_t n = write(sorted->fd, at, size);
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
        sorted->written += (uint64_t)n;
    }
    return true;
}

/* Write the rows in memory as a run. */
static void spill(struct sorted *sorted)
{
    csy_error ignored;
    char *block = malloc(RUN_BYTES);
    size_t used = 0;
    sort_rows(sorted);
    if (!block || !ARRAY_RESERVE(sorted->runs, sorted->runs_capacity, sorted->nruns + 1)) {
        sorted->memory = true;
        free(block);
        return;
    }
    if (sorted->fd < 0 && bytes_temporary(&sorted->fd, &ignored))
        sorted->failed = true;
    uint64_t start = sorted->written;
    for (size_t i = 0; i < sorted->nrows && !sorted->failed; i++) {
        const struct row *row = &sorted->rows[i];
        const struct row_head head = {row->ticks, row->size};
        if (used + sizeof head + row->size > RUN_BYTES) {
            sorted->failed |= !put_all(sorted, block, used);
            used = 0;
        }
        if (sizeof head + row->size > RUN_BYTES) {
            sorted->failed |= !put_all(sorted, &head, sizeof head) ||
                              !put_all(sorted, sorted->bytes + row->at, row->size);
            continue;
        }
        memcpy(block + used, &head, sizeof head);
        memcpy(block + used + sizeof head, sorted->bytes + row->at, row->size);
        used += sizeof head + row->size;
    }
    sorted->failed = sorted->failed || !put_all(sorted, block, used);
    sorted->runs[sorted->nruns++] = (struct run){.next = start, .end = sorted->written};
    sorted->nrows = sorted->size = 0;
    free(block);
}

void sorted_begin(struct sorted *sorted, int64_t ticks)
{
    if (sorted->memory || sorted->failed)
        return;
    if (sorted->size + sorted->nrows * sizeof *sorted->rows >= sorted->most)
        spill(sorted);
    if (!ARRAY_RESERVE(sorted->rows, sorted->capacity, sorted->nrows + 1)) {
        sorted->memory = true;
        return;
    }
    sorted->rows[sorted->nrows] = (struct row){ticks, sorted->nrows, sorted->size, 0};
    sorted->nrows++;
}

void sorted_append(struct sorted *sorted, unsigned tag, const char *bytes, size_t size)
{
    const struct piece piece = {tag, (uint32_t)size};
    if (sorted->memory || sorted->failed || size == 0)
        return;
    if (!ARRAY_RESERVE(sorted->bytes, sorted->bytes_capacity, sorted->size + sizeof piece + size)) {
        sorted->memory = true;
        return;
    }
    memcpy(sorted->bytes + sorted->size, &piece, sizeof piece);
    memcpy(sorted->bytes + sorted->size + sizeof piece, bytes, size);
    sorted->size += sizeof piece + size;
    sorted->rows[sorted->nrows - 1].size += sizeof piece + size;
}

/* --- Merging ------------------------------------------------------------------------------- */

/* Make `need` bytes of the run available at bytes[at]. Returns false on failure. */
static bool run_need(const struct sorted *sorted, struct run *run, size_t need)
{
    if (run->have - run->at >= need)
        return true;
    size_t room = need > RUN_BYTES ? need : RUN_BYTES;
    char *bytes = malloc(room);
    if (!bytes)
        return false;
    size_t have = run->have - run->at;
    memcpy(bytes, run->bytes ? run->bytes + run->at : "", have);
    free(run->bytes);
    run->bytes = bytes;
    run->at = 0;
    run->have = have;
    while (run->have < need || (run->have < room && run->next < run->end && have == run->have)) {
        uint64_t left = run->end - run->next;
        size_t most = room - run->have < left ? room - run->have : (size_t)left;
        ssize_t n = most > 0 ? pread(sorted->fd, bytes + run->have, most, (off_t)run->next) : 0;
        if (n <= 0)
            return false;
        run->have += (size_t)n;
        run->next += (uint64_t)n;
    }
    return true;
}

/* Read the header of the next row. */
static bool run_advance(const struct sorted *sorted, struct run *run)
{
    if (run->at == run->have && run->next == run->end) {
        run->ended = true;
        return true;
    }
    if (!run_need(sorted, run, sizeof run->row))
        return false;
    memcpy(&run->row, run->bytes + run->at, sizeof run->row);
    run->at += sizeof run->row;
    return run_need(sorted, run, (size_t)run->row.size);
}

static void put_row(const char *bytes, size_t size,
                    void (*put)(void *user, unsigned tag, const char *bytes, size_t size),
                    void *user)
{
    struct piece piece;
    for (size_t at = 0; at < size; at += sizeof piece + piece.size) {
        memcpy(&piece, bytes + at, sizeof piece);
        put(user, piece.tag, bytes + at + sizeof piece, piece.size);
    }
}

/* True if run a comes before run b. Of equal rows, the earlier run has the earlier ones. */
static bool is_before(const struct sorted *sorted, size_t a, size_t b)
{
    const struct run *x = &sorted->runs[a], *y = &sorted->runs[b];
    if (x->ended || y->ended)
        return !x->ended;
    return x->row.ticks != y->row.ticks ? x->row.ticks < y->row.ticks : a < b;
}

/* Restore the heap order of runs below index `at`. */
static void sink(const struct sorted *sorted, size_t *heap, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < sorted->nruns; at = child) {
        if (child + 1 < sorted->nruns && is_before(sorted, heap[child + 1], heap[child]))
            child++;
        if (!is_before(sorted, heap[child], heap[at]))
            return;
        size_t other = heap[at];
        heap[at] = heap[child];
        heap[child] = other;
    }
}

static bool merge(struct sorted *sorted,
                  void (*put)(void *user, unsigned tag, const char *bytes, size_t size), void *user)
{
    size_t *heap = calloc(sorted->nruns + 1, sizeof *heap);
    bool good = heap != NULL;
    for (size_t i = 0; i < sorted->nruns && good; i++) {
        heap[i] = i;
        good = run_advance(sorted, &sorted->runs[i]);
    }
    for (size_t i = good ? sorted->nruns / 2 : 0; i-- > 0;)
        sink(sorted, heap, i);
    while (good && !sorted->runs[heap[0]].ended) {
        struct run *run = &sorted->runs[heap[0]];
        put_row(run->bytes + run->at, (size_t)run->row.size, put, user);
        run->at += (size_t)run->row.size;
        good = run_advance(sorted, run);
        sink(sorted, heap, 0);
    }
    free(heap);
    return good;
}

csy_status sorted_finish(struct sorted *sorted,
                         void (*put)(void *user, unsigned tag, const char *bytes, size_t size),
                         void *user, csy_error *error)
{
    if (sorted->fd >= 0 && !sorted->memory && !sorted->failed && sorted->nrows > 0)
        spill(sorted);
    if (sorted->memory)
        return error_memory(error);
    if (sorted->failed)
        return error_io(error, "temporary file", NULL);
    if (sorted->fd < 0) {
        sort_rows(sorted);
        for (size_t i = 0; i < sorted->nrows; i++)
            put_row(sorted->bytes + sorted->rows[i].at, sorted->rows[i].size, put, user);
        return CSY_OK;
    }
    return merge(sorted, put, user) ? CSY_OK : error_io(error, "temporary file", NULL);
}
