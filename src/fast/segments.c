/* Plain records by several threads. */
#include "fast/segments.h"

#include "base/crc.h"
#include "base/team.h"
#include "io/range.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    READ_BYTES = 256 * 1024,
    /* More than this is left only by a record that is not plain: */
    REST_BYTES = RECORD_BYTES_MAX + PLAIN_LOOKAHEAD,
    WORKERS_MAX = 16,
    SESSION_SEGMENTS = 64, /* the caller is told how far they have come */
    PATIENCE_SEGMENTS = 64,
    GUESS_RECORDS = 16 /* in a row that look like records */
};

/* What the workers share.  The lock guards all that follows it, and the lane. */
struct session {
    struct lane *lane;
    const struct segments_sink *sink;
    uint64_t segment_bytes, start; /* offset in the file */
    size_t stride, nd;             /* nd: of d, 0 where there is none */
    bool carries;                  /* the sweep has a carrier */
    bool summing;
    pthread_mutex_t lock;
    pthread_cond_t landed;
    uint64_t next, turn, count; /* segments: to be taken, to land, of this session */
    bool over;                  /* no more of them */
    uint64_t records, bytes;    /* that have landed */
    csy_status status;
    csy_error *error;
};

/* A segment, and the worker that takes it. */
struct segment {
    struct session *session;
    uint64_t number, end; /* where the next one begins */
    struct plain *plain;
    struct plain_run run;
    uint32_t first_slot;
    int64_t first_x;
    uint64_t from, to; /* offsets of the records taken */
    uint32_t crc;
    bool landed;
    uint64_t at; /* where what is written goes */

    struct range file;
    uint64_t base; /* offset of buffer[0] */
    size_t first, last;
    uint8_t *buffer, *out;
    int64_t *d;
    struct sweep_carry carry;
};

static void segment_fini(struct segment *g)
{
    free(g->plain);
    free(g->buffer);
    free(g->out);
    free(g->d);
    sweep_carry_fini(&g->carry);
}

static bool segment_init(struct segment *g, struct session *s)
{
    const struct csy_trace *trace = s->lane->timeline->trace;
    size_t out_bytes = PLAIN_ROOM(trace->segment_bytes + RECORD_BYTES_MAX);
    *g = (struct segment){.session = s};
    g->file.fd = trace->record_fd < 0 ? trace->fd : trace->record_fd;
    g->file.name = trace->record_name;
    g->plain = aligned_alloc(_Alignof(struct plain), sizeof *g->plain);
    g->buffer = malloc(READ_BYTES + REST_BYTES);
    g->out = s->sink ? malloc(out_bytes) : NULL;
    g->d = s->nd ? malloc(s->nd * sizeof *g->d) : NULL;
    if (g->plain)
        g->plain->nstays = 0;
    return g->plain && g->buffer && (g->out || !s->sink) && (g->d || !s->nd) &&
           (!s->carries || sweep_carry_room(&g->carry, s->stride));
}

/* Read on, some way behind the end, so that the last record is there; false where nothing more
 * comes.  What cannot be read is left to the lane, which says so. */
static bool read_on(struct segment *g)
{
    size_t got = 0, rest = g->last - g->first;
    uint64_t enough = g->end + UINT64_C(2) * PLAIN_LOOKAHEAD;
    memmove(g->buffer, g->buffer + g->first, rest);
    g->base += g->first;
    g->first = 0;
    g->last = rest;
    uint64_t size = g->file.next < enough ? enough - g->file.next : RECORD_BYTES_MAX;
    if (size > READ_BYTES)
        size = READ_BYTES;
    if (range_read(&g->file, g->buffer + g->last, (size_t)size, &got, NULL))
        return false;
    g->last += got;
    return got > 0;
}

/* Whether records follow one another from here on, at about one time, as far as the eye reaches. */
static bool looks_right(const struct segment *g, const uint8_t *p)
{
    const uint8_t *end = g->buffer + g->last;
    uint64_t near_ticks = (uint64_t)g->plain->near_ticks;
    uint32_t slot;
    int64_t x, before = 0;
    for (int i = 0; i < GUESS_RECORDS && end - p >= RECORD_PPE_BYTES; i++) {
        size_t size = load16(p), fixed = p[2] == CORE_SPE ? RECORD_SPE_BYTES : RECORD_PPE_BYTES;
        if (p[2] > CORE_SPE || p[3] > RECORD_INTERVAL || size % 8 != 0 ||
            size < fixed + 8 * (size_t)load16(p + 6) ||
            !plain_look(g->plain, p, RECORD_PPE_BYTES, &slot, &x) ||
            (i > 0 && (uint64_t)x - (uint64_t)before + near_ticks > 2 * near_ticks))
            return false;
        before = x;
        if (size > (size_t)(end - p))
            return true;
        p += size;
    }
    return true;
}

/* Stand on the first record; they begin at multiples of 8 from where the lane stood. */
static bool find_first(struct segment *g)
{
    while (g->number > 0 && !looks_right(g, g->buffer + g->first)) {
        g->first += 8;
        if (g->first > RECORD_BYTES_MAX || g->last - g->first < RECORD_PPE_BYTES)
            return false;
    }
    g->from = g->to = g->base + g->first;
    return plain_look(g->plain, g->buffer + g->first, g->last - g->first, &g->first_slot,
                      &g->first_x);
}

/* Take what is plain of the buffer. */
static void take_buffer(struct segment *g)
{
    const uint8_t *start = g->buffer + g->first, *end = g->buffer + g->last;
    uint64_t left = g->end - g->base;
    g->run.at = start;
    g->run.end = end;
    g->run.stop = left < g->last ? g->buffer + left : end;
    plain_take(g->plain, &g->run);
    g->first = (size_t)(g->run.at - g->buffer);
    if (g->session->summing)
        g->crc = crc_add(g->crc, start, (size_t)(g->run.at - start));
}

static void begin_run(struct segment *g)
{
    struct session *s = g->session;
    plain_begin(g->plain);
    g->plain->near_ticks /= 2;
    g->plain->greatest_x = g->first_x;
    g->run = (struct plain_run){.until = UINT64_MAX,
                                .limit = UINT64_MAX,
                                .d = g->d,
                                .stride = s->stride,
                                .previous = g->first_slot,
                                .previous_x = g->first_x,
                                .out = g->out};
    for (size_t i = 0; g->d && i < s->nd; i++)
        g->d[i] = WALK_INF;
    if (s->carries) {
        sweep_carry_begin(&g->carry, NULL);
        g->run.carry = &g->carry;
    }
}

/* Take the segment, from a copy of what the lane knows. */
static void take_segment(struct segment *g)
{
    struct session *s = g->session;
    g->base = g->file.next = s->start + g->number * s->segment_bytes;
    g->end = g->base + s->segment_bytes;
    g->first = g->last = 0;
    g->from = g->to = g->base;
    g->crc = 0;
    g->run.position = 0;
    if (!read_on(g) || !find_first(g))
        return;
    begin_run(g);
    do
        take_buffer(g);
    while (g->base + g->first < g->end && g->last - g->first <= REST_BYTES && read_on(g));
    g->to = g->base + g->first;
}

/* Whether the clock of a live interval came to where it was thought to be. */
static bool stay_holds(const struct lane *lane, const struct segment *g,
                       const struct plain_stay *stay)
{
    const struct plain_line *taken = &g->plain->lines[stay->line];
    const struct plain_line *known = &lane->plain.lines[stay->line];
    uint32_t moved = known->decr0 - stay->first_decr;
    return known->id == taken->id && known->slot == taken->slot && known->thread == taken->thread &&
           moved < PLAIN_REACH && known->x0 + moved == stay->first_x;
}

/* Whether all that the segment took for granted is so, now that the lane has come to it. */
static bool proves(const struct lane *lane, const struct segment *g, const struct plain_run *entry)
{
    const struct plain *plain = g->plain, *known = &lane->plain;
    uint64_t near_ticks = (uint64_t)plain->near_ticks, records = g->run.position;
    bool steps_back =
        !g->session->sink && entry->previous == g->first_slot && g->first_x < entry->previous_x;
    if (g->from != bytes_offset(lane->timeline->trace->bytes) || records == 0 || steps_back ||
        records > entry->limit - entry->position ||
        (uint64_t)g->first_x - (uint64_t)known->greatest_x + near_ticks > 2 * near_ticks)
        return false;
    if (plain->ppe.records > 0 &&
        ((uint64_t)plain->ppe_first_x - (uint64_t)known->ppe_x >= PLAIN_REACH ||
         entry->position + plain->ppe.position >= entry->until))
        return false;
    for (uint32_t i = 0; i < plain->nstays; i++)
        if (!stay_holds(lane, g, &plain->stays[i]))
            return false;
    return true;
}

/* The segment's constraints into the sweep's, and the one between its first record and the one
 * before. */
static void merge(const struct segment *g, const struct plain_run *entry)
{
    size_t n = g->session->nd;
    if (g->session->carries) {
        sweep_carry_merge(g->session->lane->sweep, &g->carry);
        return;
    }
    for (size_t i = 0; i < n; i++)
        walk_lower(&entry->d[i], g->d[i]);
    int64_t edge = g->first_x - entry->previous_x;
    if (entry->previous != g->first_slot)
        walk_lower(&entry->d[entry->previous * entry->stride + g->first_slot], edge);
}

/* The neighbours that the segment's first record and the one before it are. */
static void note_entry(const struct segment *g, const struct plain_run *entry)
{
    if (entry->previous != g->first_slot)
        disorder_note(&g->session->lane->rough->disorder, g->first_x - entry->previous_x);
}

/* Bring the lane up to the end of the segment. */
static csy_status settle(struct segment *g, const struct plain_run *entry)
{
    struct session *s = g->session;
    struct lane *lane = s->lane;
    uint64_t size = g->to - g->from;
    for (uint32_t i = 0; i < g->plain->nstays; i++)
        if (!g->plain->stays[i].has_before)
            g->plain->stays[i].before_x = lane->plain.ppe_x;
    if (lane->sweep)
        merge(g, entry);
    note_entry(g, entry);
    csy_status status =
        lane_settle(lane, g->plain, &g->run, entry->position, entry->position, s->error);
    bytes_pass(lane->timeline->trace->bytes, size, g->crc);
    s->records += g->run.position;
    s->bytes += size;
    if (s->sink)
        g->at = s->sink->claim(s->sink->user, (size_t)(g->run.out - g->out));
    g->landed = true;
    return status;
}

/* All segments before have landed. */
static void land(struct segment *g)
{
    struct session *s = g->session;
    struct plain_run entry;
    bool carries;
    if (!lane_enter(s->lane, &entry, &carries) || !proves(s->lane, g, &entry)) {
        s->over = true;
        return;
    }
    s->status = settle(g, &entry);
    s->over = s->status || g->to < g->end;
}

/* The number of the next segment, and what the lane knows; false where there is none. */
static bool begin_segment(struct segment *g)
{
    struct session *s = g->session;
    pthread_mutex_lock(&s->lock);
    bool more = !s->over && s->next < s->count;
    if (more) {
        g->number = s->next++;
        plain_copy(g->plain, &s->lane->plain);
    }
    pthread_mutex_unlock(&s->lock);
    return more;
}

static void end_segment(struct segment *g)
{
    struct session *s = g->session;
    pthread_mutex_lock(&s->lock);
    while (s->turn != g->number && !s->over)
        pthread_cond_wait(&s->landed, &s->lock);
    g->landed = false;
    if (!s->over)
        land(g);
    s->turn++;
    pthread_cond_broadcast(&s->landed);
    pthread_mutex_unlock(&s->lock);
    if (g->landed && s->sink)
        s->sink->place(s->sink->user, g->out, (size_t)(g->run.out - g->out), g->at);
}

static void work(void *user, struct team *team, unsigned self)
{
    struct segment g;
    (void)team;
    (void)self;
    if (segment_init(&g, user))
        while (begin_segment(&g)) {
            take_segment(&g);
            end_segment(&g);
        }
    segment_fini(&g);
}

/* How many segments there are to be tried; 0 where that is not worth while. */
static uint64_t count_segments(const struct lane *lane)
{
    const struct csy_trace *trace = lane->timeline->trace;
    uint64_t offset = bytes_offset(trace->bytes);
    if (bytes_is_packed(trace->bytes) || offset < lane->segments_from ||
        offset >= trace->record_bytes)
        return 0;
    uint64_t count = (trace->record_bytes - offset) / trace->segment_bytes;
    return count < 2 ? 0 : count < SESSION_SEGMENTS ? count : SESSION_SEGMENTS;
}

/* Where few segments landed, try again farther on, and ever farther. */
static void be_patient(const struct session *s)
{
    struct lane *lane = s->lane;
    uint64_t least = s->segment_bytes, most = PATIENCE_SEGMENTS * s->segment_bytes;
    uint64_t patience = 2 * lane->patience_bytes;
    bool enough = s->bytes >= 2 * s->segment_bytes;
    lane->patience_bytes = enough             ? 0
                           : patience < least ? least
                           : patience > most  ? most
                                              : patience;
    lane->segments_from = bytes_offset(lane->timeline->trace->bytes) + lane->patience_bytes;
}

csy_status segments_run(struct lane *lane, const struct segments_sink *sink,
                        struct lane_taken *taken, csy_error *error)
{
    struct plain_run entry;
    bool carries;
    const struct csy_trace *trace = lane->timeline->trace;
    *taken = (struct lane_taken){0};
    if (trace->workers < 2 || !lane_enter(lane, &entry, &carries))
        return CSY_OK;
    struct session s = {.lane = lane,
                        .sink = sink,
                        .segment_bytes = trace->segment_bytes,
                        .start = bytes_offset(trace->bytes),
                        .stride = entry.stride,
                        .nd = carries ? 0 : entry.stride * entry.stride,
                        .carries = carries,
                        .summing = bytes_is_summing(trace->bytes),
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .landed = PTHREAD_COND_INITIALIZER,
                        .count = count_segments(lane),
                        .error = error};
    if (s.count == 0)
        return CSY_OK;
    plain_begin(&lane->plain);
    unsigned workers = trace->workers < WORKERS_MAX ? trace->workers : WORKERS_MAX;
    team_run(workers, work, &s);
    be_patient(&s);
    taken->records = s.records;
    taken->previous = lane->previous;
    taken->previous_x = lane->previous_x;
    return s.status;
}
