/* The fast path for messages of a CSV in partial order: passes plain rows, many at a time, to
 * order/thin.h. */
#include "base/array.h"
#include "base/error.h"
#include "fast/fast.h"
#include "fast/row_time.h"

#include <stdlib.h>
#include <string.h>

/* A text of up to 16 bytes, as in the file, padded with 0. Longer ones are not stored. */
struct key {
    uint64_t head, tail;
    uint32_t size, number; /* size 0: a free place */
    uint64_t unused;       /* padding, so that no key is in two cache lines */
};

enum { SHORT_MAX = 16, PLACES_MIN = 256 };

/* A table from texts to numbers. */
struct keys {
    struct key *places; /* nplaces is a power of two; at most half of them are used */
    size_t count, nplaces;
};

/* A noted thread, and the totals of its rows since the last settle. */
struct speaker {
    uint32_t thread, location;
    uint64_t shift; /* x = time + shift, modulo 2^64 */
    uint64_t records, last;
    int64_t last_ticks, min_ticks, max_ticks;
};

struct fast_messages {
    struct timeline *timeline;
    struct rebase *rebase;
    struct thin *thin;
    struct match *match;
    struct keys threads, channels;
    struct speaker *speakers;
    size_t nspeakers, capacity;
    uint32_t *touched; /* speakers with rows since then */
    size_t ntouched;
    unsigned idle, wait; /* idle: successive calls without rows; wait: calls to skip */
    size_t others[CSV_ORDER_COLUMNS + 1], nothers; /* columns that must be empty */
    struct csv_plain_index index;
};

/* The state of taking rows. */
struct taking {
    const struct csv_reader *reader;
    const uint8_t *bytes;
    uint64_t records; /* how many were taken */
    uint64_t position, line;
    size_t last, thread, time, begin, send, recv, latency; /* columns, or CSV_NO_COLUMN */
};

/* The place of a key, modulo the number of places. */
static inline size_t place_of(const struct key *key)
{
    uint64_t mixed = (key->head ^ key->tail * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;
    mixed = (mixed ^ mixed >> 32) * 0x9e3779b97f4a7c15; /* because digits differ in few bits */
    return (size_t)(mixed >> 32);
}

/* The place of a key, or the free place for it. */
static inline struct key *find_key_from(const struct keys *keys, const struct key *key, size_t i)
{
    for (;; i++) {
        struct key *place = &keys->places[i & (keys->nplaces - 1)];
        if (place->size == 0 ||
            (place->head == key->head && place->tail == key->tail && place->size == key->size))
            return place;
    }
}

static inline struct key *find_key(const struct keys *keys, const struct key *key)
{
    return find_key_from(keys, key, place_of(key));
}

static bool add_key(struct keys *keys, const struct key *key)
{
    if (2 * (keys->count + 1) > keys->nplaces) {
        struct keys more = {.nplaces = keys->nplaces ? 2 * keys->nplaces : PLACES_MIN};
        more.places = aligned_alloc(64, more.nplaces * sizeof *more.places);
        if (!more.places)
            return false;
        memset(more.places, 0, more.nplaces * sizeof *more.places);
        for (size_t i = 0; i < keys->nplaces; i++)
            if (keys->places[i].size > 0)
                *find_key(&more, &keys->places[i]) = keys->places[i];
        free(keys->places);
        more.count = keys->count;
        *keys = more;
    }
    *find_key(keys, key) = *key;
    keys->count++;
    return true;
}

/* 16 bytes from p on must be readable. */
static inline struct key key_of(const uint8_t *p, size_t size)
{
    struct key key = {.size = (uint32_t)size};
    csv_plain_first(p, size, &key.head, &key.tail);
    return key;
}

csy_status fast_messages_new(struct timeline *timeline, struct rebase *rebase, struct thin *thin,
                             struct match *match, struct fast_messages **out, csy_error *error)
{
    const struct csy_trace *trace = timeline->trace;
    const struct csv_header *columns = &trace->lines.columns;
    *out = NULL;
    if (!trace->source->shaped || trace->lines.counters.active ||
        (timeline->rules.steps && timeline->rules.steps->count > 0) ||
        columns->core != CSV_NO_COLUMN || columns->duration != CSV_NO_COLUMN ||
        csv_header_has_global(columns))
        return CSY_OK;
    struct fast_messages *messages = calloc(1, sizeof *messages);
    if (!messages)
        return error_memory(error);
    *messages = (struct fast_messages){
        .timeline = timeline, .rebase = rebase, .thin = thin, .match = match};
    for (enum csv_order_column i = 0; i < CSV_ORDER_COLUMNS; i++)
        if (columns->order[i] != CSV_NO_COLUMN && i != CSV_SEND && i != CSV_RECV &&
            i != CSV_LATENCY)
            messages->others[messages->nothers++] = columns->order[i];
    if (columns->clock != CSV_NO_COLUMN)
        messages->others[messages->nothers++] = columns->clock;
    *out = messages;
    return CSY_OK;
}

void fast_messages_free(struct fast_messages *messages)
{
    if (!messages)
        return;
    free(messages->threads.places);
    free(messages->channels.places);
    free(messages->speakers);
    free(messages->touched);
    free(messages);
}

/* Threads are identified by their names as in the file. Rows take the ordinary path if the name is
 * quoted, has blanks around it, or is long. If memory runs out, all rows take it. */
void fast_messages_note(struct fast_messages *m, const struct event *event)
{
    const struct csv_field *name = event->row->named;
    uint8_t bytes[SHORT_MAX] = {0};
    uint32_t location;
    if (name->quoted || name->size == 0 || name->size > SHORT_MAX ||
        event->stamp.thread_size != name->size || event->stamp.clock_size > 0 ||
        event->roles->location.size > 0)
        return;
    memcpy(bytes, name->at, name->size);
    struct key key = key_of(bytes, name->size);
    if (m->threads.nplaces > 0 && find_key(&m->threads, &key)->size > 0)
        return;
    key.number = (uint32_t)m->nspeakers;
    if (match_find_location(m->match, event, &location, NULL) ||
        !ARRAY_RESERVE(m->speakers, m->capacity, m->nspeakers + 1))
        return;
    uint32_t *touched = realloc(m->touched, m->capacity * sizeof *touched);
    if (touched)
        m->touched = touched;
    if (!touched || !add_key(&m->threads, &key))
        return;
    m->speakers[m->nspeakers++] = (struct speaker){
        .thread = event->thread,
        .location = location,
        .shift = (uint64_t)m->rebase->offset[event->thread],
        .min_ticks = INT64_MAX,
        .max_ticks = INT64_MIN,
    };
}

/* --- Rows ---------------------------------------------------------------------------------- */

/* The bytes of a field. `carriage` is 1 if the last field ends in a carriage return. Size 0 if
 * there is no such column. */
static inline size_t field(const struct taking *t, const uint32_t *at, size_t column,
                           size_t carriage, const uint8_t **out)
{
    if (column == CSV_NO_COLUMN)
        return 0;
    size_t start = at[column] + 1;
    *out = t->bytes + start;
    return at[column + 1] - start - (carriage && column == t->last);
}

/* True if the row after at[0] has the separators of a plain row. */
static inline bool is_plain(const struct taking *t, const uint32_t *at, uint8_t separator)
{
    unsigned other = t->bytes[at[t->last + 1]] ^ '\n';
    for (size_t i = 1; i <= t->last; i++)
        other |= t->bytes[at[i]] ^ separator;
    return other == 0;
}

/* True if a field is a single key, without blanks or a NUL. */
static bool is_one_key(const uint8_t *p, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (p[i] == ' ' || p[i] == '\t' || p[i] == 0)
            return false;
    return true;
}

/* A send or a receive in a row. */
struct row_end {
    const uint8_t *text;
    size_t size;
    size_t place; /* of the key in the table, if that existed when the row was read */
    struct key key;
    bool recv;
};

/* The fields of a row. */
struct row {
    struct thin_record record;
    struct speaker *speaker;
    int64_t ticks, latency_ticks;
    size_t nends;
    struct row_end ends[2];
};

/* Rows are taken in batches, so that data for one row is fetched from memory while others are
 * read. */
enum { BATCH = 32 };

/* The number of a channel; false if the field is not a single key, or if out of memory. */
static inline bool find_channel(struct fast_messages *m, struct row_end *end, uint32_t *channel)
{
    const char *text = (const char *)end->text;
    if (__builtin_expect(end->size > SHORT_MAX, 0))
        return is_one_key(end->text, end->size) && thin_channel(m->thin, text, end->size, channel);
    const struct key *found =
        m->channels.nplaces > 0 ? find_key_from(&m->channels, &end->key, end->place) : NULL;
    if (__builtin_expect(found && found->size > 0, 1)) {
        *channel = found->number;
        return true;
    }
    if (!is_one_key(end->text, end->size) || !thin_channel(m->thin, text, end->size, channel))
        return false;
    end->key.number = *channel;
    return add_key(&m->channels, &end->key);
}

static inline void count(struct fast_messages *m, struct taking *t, struct speaker *speaker,
                         int64_t ticks)
{
    if (speaker->records++ == 0)
        m->touched[m->ntouched++] = (uint32_t)(speaker - m->speakers);
    speaker->last = t->position + t->records++;
    speaker->last_ticks = ticks;
    if (ticks < speaker->min_ticks)
        speaker->min_ticks = ticks;
    if (ticks > speaker->max_ticks)
        speaker->max_ticks = ticks;
}

/* Read the begin of a row as x; false if the reader would not accept it, or if it is after the
 * end. */
static inline bool take_begin(const struct taking *t, const uint8_t *p, size_t size, int64_t ticks,
                              struct thin_record *record)
{
    int64_t begin;
    if (size == 0)
        return true;
    if (!row_time(&t->reader->scale, p, size, &begin) || begin > ticks ||
        __builtin_sub_overflow(record->x, ticks - begin, &record->lo) || record->lo <= -X_MAX)
        return false;
    return true;
}

/* As row_time, but without a branch on the sign, which is unpredictable. */
static inline bool signed_time(const struct csv_scale *scale, const uint8_t *p, size_t size,
                               int64_t *ticks)
{
    bool minus = size > 1 && *p == '-';
    if (__builtin_expect(scale->unit <= CSV_TICKS, 1) &&
        csv_plain_number(p + minus, size - minus, ticks)) {
        *ticks = (*ticks ^ -(int64_t)minus) + minus;
        return true;
    }
    return row_other_time(scale, p, size, ticks);
}

static inline void read_end(const struct fast_messages *m, struct row_end *end)
{
    if (end->size == 0 || end->size > SHORT_MAX)
        return;
    end->key = key_of(end->text, end->size);
    end->place = place_of(&end->key);
    if (m->channels.nplaces > 0)
        __builtin_prefetch(&m->channels.places[end->place & (m->channels.nplaces - 1)]);
}

/* Most rows have one end, unpredictably a send or a receive, so there is no branch on that. */
static inline void read_ends(const struct fast_messages *m, const struct taking *t,
                             const uint32_t *at, size_t carriage, struct row *row)
{
    const uint8_t *texts[2] = {NULL, NULL};
    size_t sizes[2] = {field(t, at, t->send, carriage, &texts[0]),
                       field(t, at, t->recv, carriage, &texts[1])};
    bool recv = sizes[0] == 0;
    row->nends = (size_t)(sizes[0] > 0) + (sizes[1] > 0);
    row->ends[0].text = texts[recv];
    row->ends[0].size = sizes[recv];
    row->ends[0].recv = recv;
    read_end(m, &row->ends[0]);
    if (__builtin_expect(row->nends == 2, 0)) {
        row->ends[1].text = texts[1];
        row->ends[1].size = sizes[1];
        row->ends[1].recv = true;
        read_end(m, &row->ends[1]);
    }
}

/* Read the fields of the n-th row from here; false if the row is not plain. */
static inline bool read_row(const struct fast_messages *m, const struct taking *t,
                            const uint32_t *at, uint64_t n, struct row *row)
{
    bool carriage = t->bytes[at[t->last + 1] - 1] == '\r';
    const uint8_t *name = NULL, *time = NULL, *begin = NULL, *late = NULL;
    for (size_t i = 0; i < m->nothers; i++)
        if (field(t, at, m->others[i], carriage, &late) > 0)
            return false;
    size_t size = field(t, at, t->thread, carriage, &name);
    if (size - 1 >= SHORT_MAX)
        return false;
    struct key key = key_of(name, size);
    const struct key *found = find_key(&m->threads, &key);
    if (found->size == 0)
        return false;
    row->speaker = &m->speakers[found->number];
    size = field(t, at, t->time, carriage, &time);
    if (!signed_time(&t->reader->scale, time, size, &row->ticks))
        return false;
    int64_t x = (int64_t)((uint64_t)row->ticks + row->speaker->shift);
    if (x >= X_MAX || x <= -X_MAX)
        return false;
    row->record = (struct thin_record){.position = t->position + t->records + n,
                                       .place = t->line + t->records + n,
                                       .location = row->speaker->location,
                                       .clock = row->speaker->thread,
                                       .x = x,
                                       .lo = x};
    size = field(t, at, t->begin, carriage, &begin);
    if (!take_begin(t, begin, size, row->ticks, &row->record))
        return false;
    size = field(t, at, t->latency, carriage, &late);
    row->latency_ticks = -1;
    if (size > 0 && (!row_time(&t->reader->duration, late, size, &row->latency_ticks) ||
                     row->latency_ticks < 0))
        return false;
    read_ends(m, t, at, carriage, row);
    return true;
}

/* Take the rows that were read; returns how many were valid. */
static size_t take_batch(struct fast_messages *m, struct taking *t, struct row *rows, size_t n)
{
    uint32_t channels[2 * BATCH];
    size_t nchannels = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < rows[i].nends; j++) {
            if (!find_channel(m, &rows[i].ends[j], &channels[nchannels])) {
                n = i; /* ends both loops */
                break;
            }
            nchannels++;
        }
    thin_expect(m->thin, channels, nchannels);
    if (n > 0)
        thin_place(m->thin, &rows[0].record);
    for (size_t i = 0, c = 0; i < n; i++) {
        struct row *row = &rows[i];
        thin_record(m->thin, &row->record);
        for (size_t j = 0; j < row->nends; j++)
            if (!thin_end(m->thin, channels[c++], row->ends[j].recv, &row->record,
                          row->latency_ticks))
                thin_fail(m->thin);
        count(m, t, row->speaker, row->ticks);
    }
    return n;
}

/* Take the rows of a window. Returns their bytes; *good is false if a row was not plain. */
static size_t take_window(struct fast_messages *m, struct taking *t, bool *good)
{
    struct row rows[BATCH];
    const size_t fields = t->last + 1;
    const uint32_t *at = m->index.at;
    uint8_t separator = (uint8_t)t->reader->separator;
    for (size_t left = m->index.n / fields; left > 0 && *good;) {
        size_t n = 0, most = left < BATCH ? left : BATCH;
        while (n < most && is_plain(t, at + n * fields, separator) &&
               read_row(m, t, at + n * fields, n, &rows[n]))
            n++;
        size_t taken = take_batch(m, t, rows, n);
        *good = taken == most && !thin_failed(m->thin);
        at += taken * fields;
        left -= taken;
    }
    return (size_t)(uint32_t)(*at + 1);
}

static size_t window_size(size_t have)
{
    if (have < CSV_PLAIN_SLACK)
        return 0;
    have = (have - CSV_PLAIN_SLACK) / CSV_PLAIN_BLOCK_BYTES * CSV_PLAIN_BLOCK_BYTES;
    return have < CSV_PLAIN_WINDOW_BYTES ? have : CSV_PLAIN_WINDOW_BYTES;
}

/* Update the threads and the reader's place. */
static void settle(struct fast_messages *m, uint64_t records)
{
    struct timeline *timeline = m->timeline;
    for (size_t i = 0; i < m->ntouched; i++) {
        struct speaker *s = &m->speakers[m->touched[i]];
        threads_take_run(
            &timeline->threads, s->thread,
            &(struct thread_run){s->records, s->last, s->last_ticks, s->min_ticks, s->max_ticks});
        s->records = 0;
        s->min_ticks = INT64_MAX;
        s->max_ticks = INT64_MIN;
    }
    m->ntouched = 0;
    timeline->records += records;
    timeline->trace->lines.line += records;
}

csy_status fast_messages_take(struct fast_messages *m, csy_error *error)
{
    struct csv_reader *reader = &m->timeline->trace->lines;
    const struct csv_header *columns = &reader->columns;
    struct taking t = {.reader = reader,
                       .position = m->timeline->records,
                       .line = reader->line,
                       .last = reader->ncolumns - 1,
                       .thread = columns->thread,
                       .time = columns->time,
                       .begin = columns->begin,
                       .send = columns->order[CSV_SEND],
                       .recv = columns->order[CSV_RECV],
                       .latency = columns->order[CSV_LATENCY]};
    size_t have, size;
    bool good = true;
    if (m->nspeakers == 0 || (m->wait > 0 && m->wait--))
        return CSY_OK;
    csy_status status = bytes_peek(reader->bytes, 1, &t.bytes, &have, error);
    if (status)
        return status;
    const uint8_t *start = t.bytes, *end = t.bytes + have;
    while (good && (size = window_size((size_t)(end - t.bytes))) > 0) {
        csv_plain_index(&m->index, t.bytes, size, (uint8_t)reader->separator);
        size_t taken = take_window(m, &t, &good);
        t.bytes += taken;
        good = good && taken > 0;
    }
    settle(m, t.records);
    bytes_skip(reader->bytes, (size_t)(t.bytes - start));
    m->idle = t.records > 0 ? 0 : m->idle < 6 ? m->idle + 1 : m->idle;
    m->wait = m->idle > 2 ? 1u << m->idle : 0;
    return CSY_OK;
}
