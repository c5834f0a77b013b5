/* The fast path for rows of a CSV: a loop over plain rows.
 *
 * A table maps each known spelling of a thread, which is its name and core as in the file, to the
 * thread. The loop only reads the table, so several workers may take rows at the same time. */
#include "base/error.h"
#include "base/portable.h"
#include "fast/csv_plain.h"
#include "fast/kind.h"
#include "trace/csv/csv_time.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* --- The ends of fields --- */

#define FIRST(n) (((uint64_t)1 << 8 * (n)) - 1)
#define ALL UINT64_MAX

const uint64_t csv_plain_masks[25] = {
    0,        0,        0,        0,        0,        0,        0,        0,   0,
    FIRST(1), FIRST(2), FIRST(3), FIRST(4), FIRST(5), FIRST(6), FIRST(7), ALL, ALL,
    ALL,      ALL,      ALL,      ALL,      ALL,      ALL,      ALL};

#ifdef __SSE2__

static inline uint64_t ends_of_16(const uint8_t *p, uint8_t separator)
{
    __m128i bytes = _mm_loadu_si128((const void *)p);
    __m128i separators = _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)separator));
    __m128i newlines = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
    __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    __m128i ends = _mm_or_si128(_mm_or_si128(separators, newlines), quotes);
    return (uint64_t)(unsigned)_mm_movemask_epi8(ends);
}

/* Returns a mask of the separators, newlines, and quotes in a block of 64 bytes. */
static inline uint64_t ends_of_block(const uint8_t *p, uint8_t separator)
{
    return ends_of_16(p, separator) | ends_of_16(p + 16, separator) << 16 |
           ends_of_16(p + 32, separator) << 32 | ends_of_16(p + 48, separator) << 48;
}
#else
/* Returns a word: the high bit of each byte is set if this byte is not 0 in `bytes`. */
static inline uint64_t others(uint64_t bytes)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7f;
    return ((bytes & low) + low) | bytes;
}

static inline uint64_t ends_of_block(const uint8_t *p, uint8_t separator)
{
    const uint64_t ones = 0x0101010101010101;
    uint64_t ends = 0;
    for (size_t i = 0; i < CSV_PLAIN_BLOCK_BYTES; i += 8) {
        uint64_t bytes = csv_plain_load(p + i);
        uint64_t found = ~(others(bytes ^ ones * separator) & others(bytes ^ ones * '\n') &
                           others(bytes ^ ones * '"'));
        /* the multiplication moves the eight bits to the highest byte */
        ends |= ((found >> 7 & ones) * 0x0102040810204080 >> 56) << i;
    }
    return ends;
}
#endif

void csv_plain_index(struct csv_plain_index *out, const uint8_t *p, size_t size, uint8_t separator)
{
    uint32_t *at = out->at;
    *at++ = UINT32_MAX;
    for (size_t i = 0; i < size; i += CSV_PLAIN_BLOCK_BYTES) {
        uint64_t ends = ends_of_block(p + i, separator);
        uint64_t bits = ends; /* the next lines count the set bits without a special instruction */
        bits -= bits >> 1 & 0x5555555555555555;
        bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
        uint32_t *next =
            at + (((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
        /* Writing positions in groups of four, the last ones unused, is faster than writing the
         * exact number. */
        for (; at < next; at += 4)
            for (size_t k = 0; k < 4; k++, ends &= ends - 1)
                at[k] = (uint32_t)i + (uint32_t)__builtin_ctzll(ends | (uint64_t)1 << 63);
        at = next;
    }
    out->n = (size_t)(at - out->at) - 1;
}

/* --- Times --- */

/* Convert a decimal number of up to 18 digits to ticks. Returns false for other text. */
static bool row_decimal(const struct csv_scale *scale, const uint8_t *p, size_t size,
                        int64_t *ticks)
{
    static const int64_t powers[] = {1,      10,      100,      1000,      10000,
                                     100000, 1000000, 10000000, 100000000, 1000000000};
    const uint8_t *point = memchr(p, '.', size);
    size_t whole = point ? (size_t)(point - p) : size, decimals = point ? size - whole - 1 : 0;
    int64_t fraction = 0;
    if (whole == 0 || decimals > 9 || whole + decimals > CSV_DECIMALS_MAX ||
        !csv_plain_number(p, whole, ticks) ||
        (decimals > 0 && !csv_plain_number(point + 1, decimals, &fraction)))
        return false;
    const struct csv_factor *factor = &scale->factors[decimals];
    int64_t digits = *ticks * powers[decimals] + fraction;
    if (factor->den != 1 || factor->num > INT64_MAX)
        return false;
    return !__builtin_mul_overflow(digits, (int64_t)factor->num, ticks);
}

/* Read a time that is negative or not a whole number of ticks. Returns false for other text. */
static bool row_other_time(const struct csv_scale *scale, const uint8_t *p, size_t size,
                           int64_t *ticks)
{
    uint64_t least_hz;
    if (scale->unit <= CSV_TICKS && size > 1 && *p == '-' &&
        csv_plain_number(p + 1, size - 1, ticks)) {
        *ticks = -*ticks;
        return true;
    }
    return (scale->unit > CSV_TICKS && row_decimal(scale, p, size, ticks)) ||
           csv_time_parse(scale, (const char *)p, size, ticks, &least_hz) == CSV_GOOD;
}

/* Returns false if only the CSV reader can read this time. */
static inline __attribute__((always_inline)) bool
row_time(const struct csv_scale *scale, const uint8_t *p, size_t size, int64_t *ticks)
{
    if (__builtin_expect(scale->unit <= CSV_TICKS, 1) && csv_plain_number(p, size, ticks))
        return true;
    return row_other_time(scale, p, size, ticks);
}

/* The greatest number of threads. A thread's seat is its number, in the order of first rows. */
enum { ROWS_SEATS = 512 };

struct tally {
    uint64_t records, last; /* number of the thread's rows; index of the last one, from 1 */
    int64_t last_ticks, min_ticks, max_ticks;
};

struct rows_at {
    const uint8_t *at;    /* next row to take */
    const uint8_t *limit; /* only rows that begin before this address are taken */
    const uint8_t *end;   /* end of the available bytes */
    uint64_t most;        /* take at most this many rows */
};

enum rows_end {
    ROWS_LIMIT,
    ROWS_VIEW, /* the next row ends too close to the end of the available bytes */
    ROWS_ODD   /* a row is not plain, has a new name or an earlier time; or `most` rows were
                 * taken */
};

enum {
    PLACES = 2 * ROWS_SEATS, /* size of the hash table, a power of two; half of it stays free */
    CORE_MAX = 3             /* greatest size of a core's name in bytes; also a bit mask */
};

/* The spelling of a thread: a name and a core. A name of up to 16 bytes is stored in head and tail,
 * padded with 0. For a longer name, head and tail are the first and last 8 bytes. */
struct key {
    uint64_t head, tail;
    size_t size;
    uint64_t core; /* name of the core, such as "ppe"; its size is in the bits above 24 */
};

struct writing {
    struct key key;
    uint64_t shift;  /* added to local times of the thread, modulo 2^64: a rough estimate of its
                      * offset (order/rebase.h) */
    uint64_t offset; /* global time minus local time of the thread, modulo 2^64 */
    uint32_t slot;
    uint32_t seat;
    char *name; /* name of the thread as in the file, or NULL if this item of the table is unused */
};

struct writings {
    size_t count, nseats;
    uint32_t threads[ROWS_SEATS];
    struct writing places[PLACES];
};

struct csv_rows {
    struct fast fast;
    struct writings writings;
    struct tally tally[ROWS_SEATS];
};

static inline bool is_written(const struct writing *writing, const struct key *key,
                              const uint8_t *name)
{
    return writing->key.head == key->head && writing->key.tail == key->tail &&
           writing->key.size == key->size && writing->key.core == key->core &&
           (key->size <= 16 || memcmp(writing->name, name, key->size) == 0);
}

/* Returns the place of a key in the table, or a free place for a new key. */
static inline const struct writing *find_place(const struct writings *writings,
                                               const struct key *key, const uint8_t *name)
{
    uint64_t mixed = (key->head ^ key->tail * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;
    size_t i = (size_t)(mixed >> 32) % PLACES;
    while (writings->places[i].name && !is_written(&writings->places[i], key, name))
        i = (i + 1) % PLACES;
    return &writings->places[i];
}

/* Set the name of a key. At least 16 bytes at `name` must be readable. */
static inline void set_name(struct key *key, const uint8_t *name, size_t size)
{
    key->size = size;
    csv_plain_first(name, size < 16 ? size : 16, &key->head, &key->tail);
    if (size > 16)
        key->tail = csv_plain_load(name + size - 8);
}

/* At least 8 bytes at `core` must be readable. A core longer than CORE_MAX bytes matches no key of
 * the table. */
static inline void set_core(struct key *key, const uint8_t *core, size_t size)
{
    uint64_t bytes = csv_plain_load(core) & csv_plain_masks[8 + (size & CORE_MAX)];
    key->core = bytes | (uint64_t)size << 8 * CORE_MAX;
}

static void plain_rows_begin(struct tally *tally, const struct writings *writings)
{
    for (size_t seat = 0; seat < writings->nseats; seat++)
        tally[seat] = (struct tally){.min_ticks = INT64_MAX, .max_ticks = INT64_MIN};
}

struct rows {
    const uint8_t *bytes;
    uint64_t most;
    const struct writings *writings;
    uint8_t separator;
    size_t last, thread, time, core; /* indexes of columns, or CSV_NO_COLUMN */
    size_t begin;                    /* column with begins or durations, or CSV_NO_COLUMN */
    const struct csv_reader *reader;
    struct tally *tally;
    struct run run;
};

/* Returns true if the row that begins after the byte at[0] has separators at at[1] to at[last], and
 * a newline after them. */
static inline bool is_plain(const struct rows *rows, const uint32_t *at)
{
    const uint8_t *p = rows->bytes;
    unsigned other = p[at[rows->last + 1]] ^ '\n';
    for (size_t i = 1; i <= rows->last; i++)
        /* All places are set: NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript) */
        other |= p[at[i]] ^ rows->separator;
    return other == 0;
}

/* Get a field; returns its size. `carriage` is 1 if a CR is at the end of the last field. */
static inline size_t field(const struct rows *rows, const uint32_t *at, size_t column,
                           size_t carriage, const uint8_t **out)
{
    size_t start = at[column] + 1;
    *out = rows->bytes + start;
    return at[column + 1] - start - (carriage && column == rows->last);
}

static inline void count(struct rows *rows, uint32_t seat, int64_t ticks)
{
    struct tally *tally = &rows->tally[seat];
    tally->records++;
    tally->last = ++rows->run.records;
    tally->last_ticks = ticks;
    if (ticks < tally->min_ticks) /* faster than storing the minimum each time */
        tally->min_ticks = ticks;
    if (ticks > tally->max_ticks)
        tally->max_ticks = ticks;
}

/* Add a row to the run. Returns false if the time of its thread steps back. */
static inline __attribute__((always_inline)) bool run_row(struct run *run,
                                                          const struct writing *writing,
                                                          int64_t ticks, int64_t x,
                                                          enum purpose purpose)
{
    int64_t time = purpose == MEASURING ? (int64_t)((uint64_t)ticks + writing->offset) : x;
    if (__builtin_expect(run->ends.last == SWEEP_NONE, 0)) {
        run_set_first(run, writing->slot, time);
        run->first_local = run->last_local = ticks;
    }
    if (purpose == MEASURING)
        run_local(run, ticks);
    return run_event(run, writing->slot, time, purpose);
}

/* Returns true if the field at p, with the begin or duration of a row, is empty or valid. */
static inline bool has_good_begin(const struct rows *rows, const uint8_t *p, size_t size,
                                  int64_t end_ticks)
{
    const struct csv_reader *reader = rows->reader;
    int64_t ticks, begin;
    if (size == 0)
        return true;
    if (rows->begin == reader->columns.begin)
        return row_time(&reader->scale, p, size, &ticks) &&
               (ticks <= end_ticks || reader->columns.begins_are_stamps);
    return row_time(&reader->duration, p, size, &ticks) && ticks >= 0 &&
           !__builtin_sub_overflow(end_ticks, ticks, &begin);
}

/* Returns false if the fast path cannot take this row. The compiler makes a separate version of
 * this function for each constant `purpose`. */
static inline __attribute__((always_inline)) bool take_fields(struct rows *rows, const uint32_t *at,
                                                              size_t carriage, enum purpose purpose)
{
    struct key key = {0};
    const uint8_t *name, *core, *digits;
    int64_t ticks;
    size_t ndigits = field(rows, at, rows->time, carriage, &digits);
    size_t nname = field(rows, at, rows->thread, carriage, &name);
    set_name(&key, name, nname);
    if (rows->core != CSV_NO_COLUMN) {
        size_t ncore = field(rows, at, rows->core, carriage, &core);
        set_core(&key, core, ncore);
    }
    if (!row_time(&rows->reader->scale, digits, ndigits, &ticks))
        return false;
    if (rows->begin != CSV_NO_COLUMN) {
        size_t nbegin = field(rows, at, rows->begin, carriage, &digits);
        if (!has_good_begin(rows, digits, nbegin, ticks))
            return false;
    }
    const struct writing *writing = find_place(rows->writings, &key, name);
    int64_t x = (int64_t)((uint64_t)ticks + writing->shift);
    bool good = writing->name && x < X_MAX && x > -X_MAX;
    if (!good || !run_row(&rows->run, writing, ticks, x, purpose))
        return false;
    count(rows, writing->seat, ticks);
    return true;
}

/* Take the rows that begin in the first `limit` bytes. Returns false at a row that cannot be
 * taken. */
static inline __attribute__((always_inline)) bool take_window(struct rows *rows,
                                                              const struct csv_plain_index *index,
                                                              size_t limit, size_t *taken,
                                                              enum purpose purpose)
{
    const size_t fields = rows->last + 1;
    const uint32_t *at = index->at;
    bool good = true;
    for (size_t left = index->n / fields; left > 0 && (uint32_t)(*at + 1) < limit; left--) {
        bool carriage = rows->bytes[at[fields] - 1] == '\r';
        good = is_plain(rows, at) && rows->run.records < rows->most &&
               (carriage ? take_fields(rows, at, 1, purpose) : take_fields(rows, at, 0, purpose));
        if (!good)
            break;
        at += fields;
    }
    *taken = (uint32_t)(*at + 1);
    return good;
}

static bool take_rows(struct rows *rows, const struct csv_plain_index *index, size_t limit,
                      size_t *taken)
{
    switch (rows->run.purpose) {
    case CONSTRAINING:
        return take_window(rows, index, limit, taken, CONSTRAINING);
    case CARRYING:
        return take_window(rows, index, limit, taken, CARRYING);
    case MEASURING:
        return take_window(rows, index, limit, taken, MEASURING);
    default:
        return take_window(rows, index, limit, taken, READING);
    }
}

static enum rows_end plain_rows_take(const struct writings *writings,
                                     const struct csv_reader *reader, struct rows_at *at,
                                     struct tally *tally, struct run *run)
{
    struct csv_plain_index index UNINITIALIZED;
    const struct csv_header *columns = &reader->columns;
    struct rows rows = {
        .bytes = at->at,
        .most = at->most,
        .writings = writings,
        .separator = (uint8_t)reader->separator,
        .last = reader->ncolumns - 1,
        .thread = columns->thread,
        .time = columns->time,
        .core = columns->core,
        .begin = columns->begin != CSV_NO_COLUMN ? columns->begin : columns->duration,
        .reader = reader,
        .tally = tally,
        .run = *run,
    };
    enum rows_end why = ROWS_LIMIT;
    while (why == ROWS_LIMIT && rows.bytes < at->limit) {
        size_t taken, have = (size_t)(at->end - rows.bytes);
        size_t size = have < CSV_PLAIN_SLACK ? 0
                                             : (have - CSV_PLAIN_SLACK) / CSV_PLAIN_BLOCK_BYTES *
                                                   CSV_PLAIN_BLOCK_BYTES;
        size = size < CSV_PLAIN_WINDOW_BYTES ? size : CSV_PLAIN_WINDOW_BYTES;
        csv_plain_index(&index, rows.bytes, size, rows.separator);
        bool good = take_rows(&rows, &index, (size_t)(at->limit - rows.bytes), &taken);
        rows.bytes += taken;
        if (!good || (taken == 0 && size == CSV_PLAIN_WINDOW_BYTES))
            why = ROWS_ODD;
        else if (taken == 0)
            why = ROWS_VIEW;
    }
    at->at = rows.bytes;
    *run = rows.run;
    return why;
}

static struct csv_rows *rows_of(struct fast *fast)
{
    return (struct csv_rows *)fast;
}

csy_status rows_new(struct timeline *timeline, struct fast **out, csy_error *error)
{
    struct csv_rows *rows = calloc(1, sizeof *rows);
    (void)timeline;
    if (!rows)
        return error_memory(error);
    rows->fast.kind = &fast_rows;
    *out = &rows->fast;
    return CSY_OK;
}

static void free_rows(struct fast *fast)
{
    struct csv_rows *rows = rows_of(fast);
    for (size_t i = 0; i < PLACES; i++)
        free(rows->writings.places[i].name);
    free(rows);
}

static bool is_open(const struct fast *fast)
{
    (void)fast;
    return true;
}

/* Remember how this row writes its thread, so that later rows with the same text are recognized.
 * Does nothing if the table is full, or if memory runs out. */
static void note_row(struct fast *fast, const struct event *event, int64_t x)
{
    static const char cores[][9] = {
        [STAMP_CORE_NONE] = "", [STAMP_CORE_PPE] = "ppe", [STAMP_CORE_SPE] = "spe"};
    const struct csv_row *row = event->row;
    struct writings *writings = &rows_of(fast)->writings;
    struct key key;
    uint8_t short_name[16] = {0};
    (void)x;
    /* The name as in the file, including surrounding blanks. */
    const struct csv_field name =
        row->named->quoted ? (struct csv_field){row->stamp.thread, row->stamp.thread_size, true}
                           : *row->named;
    bool is_short = name.size <= sizeof short_name;
    if (is_short)
        memcpy(short_name, name.at, name.size);
    set_name(&key, is_short ? short_name : (const uint8_t *)name.at, name.size);
    set_core(&key, (const uint8_t *)cores[row->stamp.core], strlen(cores[row->stamp.core]));
    const struct writing *found = find_place(writings, &key, (const uint8_t *)name.at);
    if (found->name || writings->count == PLACES / 2)
        return;
    char *copy = malloc(name.size);
    if (!copy)
        return;
    memcpy(copy, name.at, name.size);
    uint64_t shift = (uint64_t)fast->rebase->offset[event->thread];
    uint32_t seat = 0;
    while (seat < writings->nseats && writings->threads[seat] != event->thread)
        seat++;
    writings->nseats += seat == writings->nseats;
    writings->threads[seat] = event->thread;
    writings->places[found - writings->places] =
        (struct writing){.key = key,
                         .shift = shift,
                         .offset = shift + (uint64_t)fast_shift(fast, event->thread),
                         .slot = fast_slot(fast, event->thread),
                         .seat = seat,
                         .name = copy};
    writings->count++;
    /* cppcheck-suppress memleak ; the place owns the copy */
}

static void settle_rows(struct fast *fast, const struct tally *tally, uint64_t records)
{
    struct timeline *timeline = fast->timeline;
    const struct writings *writings = &rows_of(fast)->writings;
    for (size_t seat = 0; seat < writings->nseats; seat++) {
        const struct tally *t = &tally[seat];
        if (t->records > 0)
            threads_take_run(&timeline->threads, writings->threads[seat],
                             &(struct thread_run){t->records, timeline->records + t->last - 1,
                                                  t->last_ticks, t->min_ticks, t->max_ticks});
    }
    timeline->records += records;
    timeline->trace->lines.line += records;
}

static csy_status take(struct fast *fast, struct fast_taken *taken, csy_error *error)
{
    struct csv_rows *rows = rows_of(fast);
    struct csv_reader *reader = &fast->timeline->trace->lines;
    struct rows_at at = {.most = fast->job.limit - fast->timeline->records};
    const uint8_t *start;
    size_t have;
    if (!run_begin(&fast->run, fast))
        return CSY_OK;
    csy_status status = bytes_peek(reader->bytes, 1, &start, &have, error);
    if (status)
        return status;
    at.at = start;
    at.limit = at.end = start + have;
    plain_rows_begin(rows->tally, &rows->writings);
    plain_rows_take(&rows->writings, reader, &at, rows->tally, &fast->run);
    taken->records = fast->run.records;
    if (taken->records == 0)
        return CSY_OK;
    settle_rows(fast, rows->tally, taken->records);
    run_settle(&fast->run, fast);
    bytes_skip(reader->bytes, (size_t)(at.at - start));
    return CSY_OK;
}

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
    bool good = run_new(&stretch->segment.run, true, fast->job.purpose) &&
                !bytes_new(trace->fd, trace->name, 0, false, 1, &stretch->bytes, NULL);
    if (good)
        return &stretch->segment;
    free_stretch(&stretch->segment);
    return NULL;
}

/* Workers need no copies: the table of threads does not change while they work. */
static void prepare_stretch(struct segment *segment)
{
    (void)segment;
}

/* Take the rows that begin in the segment, until the fast path cannot take one. The first row is
 * assumed to begin after the first newline. fast/fast.c checks this before it uses the results. */
static void take_stretch(struct segment *segment)
{
    struct stretch *stretch = (struct stretch *)segment;
    struct bytes *bytes = stretch->bytes;
    const struct writings *writings = &rows_of(segment->fast)->writings;
    const struct csv_reader *reader = &segment->fast->timeline->trace->lines;
    enum rows_end why = ROWS_LIMIT;
    const uint8_t *start;
    size_t have, need = 1;
    bytes_seek(bytes, segment->number == 0 ? segment->start : segment->start - 1);
    if (segment->number > 0) {
        if (bytes_peek(bytes, 1, &start, &have, NULL) != CSY_OK)
            return;
        const uint8_t *newline = memchr(start, '\n', have);
        if (!newline)
            return;
        bytes_skip(bytes, (size_t)(newline - start) + 1);
    }
    if (!run_begin_apart(&segment->run, segment->fast))
        return;
    segment->run.ends.last = SWEEP_NONE;
    plain_rows_begin(stretch->tally, writings);
    segment->from = bytes_offset(bytes);
    while (why != ROWS_ODD && bytes_offset(bytes) < segment->end) {
        if (bytes_peek(bytes, need, &start, &have, NULL) != CSY_OK || have < need)
            break;
        uint64_t left = segment->end - bytes_offset(bytes);
        struct rows_at at = {.at = start,
                             .limit = start + (left < have ? left : have),
                             .end = start + have,
                             .most = UINT64_MAX};
        why = plain_rows_take(writings, reader, &at, stretch->tally, &segment->run);
        bytes_skip(bytes, (size_t)(at.at - start));
        need = have - (size_t)(at.at - start) + 1;
    }
    segment->to = bytes_offset(bytes);
}

static bool stretch_holds(const struct segment *segment)
{
    const struct fast *fast = segment->fast;
    return segment->run.records <= fast->job.limit - fast->timeline->records;
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
    .take = take,
    .free = free_rows,
    .segment_new = new_stretch,
    .segment_free = free_stretch,
    .segment_prepare = prepare_stretch,
    .segment_take = take_stretch,
    .segment_holds = stretch_holds,
    .segment_settle = settle_stretch,
};
