/* Plain records, many at a time. */
#include "fast/plain.h"

#include "order/rebase.h"

#include <stddef.h>
#include <string.h>

/* A payload of so many bytes or fewer is copied as that many: a record that starts SHORT before the
 * end of the bytes at hand has them, and the room that these ask for. */
enum { SHORT = PLAIN_LOOKAHEAD, FEW_BYTES = 32 };

/* In a row that look like records. */
enum { GUESS_RECORDS = 16 };

void plain_free_line(struct plain_line *line, uint32_t index)
{
    line->id = ~index;
    line->slot = SWEEP_NONE;
}

void plain_init(struct plain *plain, int64_t near_ticks)
{
    /* From the stays on is most of it, which is not touched before it is used. */
    memset(plain, 0, offsetof(struct plain, stays));
    plain->near_ticks = near_ticks;
    plain->greatest_x = -X_MAX;
    plain->ppe.slot = SWEEP_NONE;
    for (uint32_t i = 0; i < PLAIN_LINES; i++)
        plain_free_line(&plain->lines[i], i);
}

void plain_copy(struct plain *to, const struct plain *from)
{
    memcpy(to, from, offsetof(struct plain, ppe_first_x));
}

void plain_begin(struct plain *plain)
{
    for (uint32_t i = 0; i < plain->nstays; i++)
        plain->lines[plain->stays[i].line].records = 0;
    plain->nstays = plain->nledger = 0;
    plain->ppe.records = 0;
}

/* What a record's first eight bytes, as one number, have to be: size a multiple of 8, core,
 * flags. */
#define HEAD_MASK UINT64_C(0x0007fffe00000000)
#define HEAD_OF(core) ((uint64_t)(core) << 40)

/* The size of a record with that head, if its payload fits; 0: it does not.  Most are shorter than
 * SHORT, and their size depends on one byte, so that the next record is found early. */
static inline size_t plain_size(const struct plain_cursor *c, uint64_t head, size_t fixed)
{
    size_t size = c->at[1];
    if (__builtin_expect(c->at[0] != 0, 0)) {
        size = load16(c->at);
        if (size > RECORD_BYTES_MAX || size > (size_t)(c->end - c->at))
            return 0;
    }
    return fixed + 8 * (size_t)(uint16_t)head <= size ? size : 0;
}

/* The head of a record with global stamps, and what follows its own stamps. */
static inline void put_record(struct plain_cursor *c, size_t size, size_t fixed,
                              int64_t global_ticks, uint64_t begin)
{
    uint8_t *out = c->out;
    memcpy(out, c->at, RECORD_PREFIX_BYTES);
    store16(out, (uint16_t)(size + RECORD_PPE_BYTES - fixed));
    store64(out + RECORD_PREFIX_BYTES, (uint64_t)global_ticks);
    store64(out + RECORD_PREFIX_BYTES + 8, begin);
    out += RECORD_PPE_BYTES;
    c->out = out + (size - fixed);
    if (__builtin_expect(size - fixed <= FEW_BYTES, 1)) {
        memcpy(out, c->at + fixed, FEW_BYTES); /* no length to guess */
        return;
    }
    for (size_t at = fixed; at < size; at += 8, out += 8)
        memcpy(out, c->at + at, 8);
}

static inline void write_spe(struct plain_cursor *c, const struct plain_line *line, size_t size,
                             int64_t x)
{
    struct record r = {.spe = true,
                       .interval = c->at[3] & RECORD_INTERVAL,
                       .stamp = load32(c->at + RECORD_PREFIX_BYTES),
                       .begin = load32(c->at + RECORD_PREFIX_BYTES + 4)};
    int64_t global = (int64_t)placement_global(line->shift, x);
    put_record(c, size, RECORD_SPE_BYTES, global, placement_begin(&r, global, 0));
}

/* A PPE record moves by its offset, begin and all. */
static inline void write_ppe(struct plain_cursor *c, const struct plain_line *line, size_t size,
                             int64_t x, uint64_t stamp)
{
    struct record r = {.interval = c->at[3] & RECORD_INTERVAL,
                       .begin = load64(c->at + RECORD_PREFIX_BYTES + 8)};
    int64_t global = (int64_t)placement_global(line->shift, x);
    put_record(c, size, RECORD_PPE_BYTES, global, placement_begin(&r, global, (int64_t)stamp));
}

/* Near the greatest x so far, which it may become. */
static inline bool is_near(const struct plain *plain, int64_t greatest_x, int64_t x)
{
    uint64_t near_ticks = (uint64_t)plain->near_ticks;
    return (uint64_t)x - (uint64_t)greatest_x + near_ticks <= 2 * near_ticks;
}

static inline bool run_record(struct run *run, const struct plain_line *line, int64_t x,
                              enum purpose purpose)
{
    return purpose >= WRITING || run_event(run, line->slot, plain_time(line, x, purpose), purpose);
}

/* The first record taken of a live interval. */
static void begin_stay(struct plain *plain, struct plain_line *line, uint32_t decr, int64_t x)
{
    line->stay = plain->nstays;
    plain->stays[plain->nstays++] = (struct plain_stay){
        .line = (uint32_t)(line - plain->lines), .first_decr = decr, .first_x = x};
}

/* A plain SPE record; its size, or 0 where it is not plain. */
static inline size_t take_spe(struct plain *plain, struct plain_cursor *c, struct run *run,
                              uint64_t head, enum purpose purpose)
{
    const uint8_t *p = c->at;
    uint32_t context = load32(p + 8);
    struct plain_line *line = &plain->lines[context % PLAIN_LINES];
    uint32_t decr = load32(p + RECORD_PREFIX_BYTES), moved = line->decr0 - decr;
    int64_t x = line->x0 + moved;
    size_t size = plain_size(c, head, RECORD_SPE_BYTES);
    if (size == 0 || line->id != context || moved >= PLAIN_REACH ||
        !is_near(plain, c->greatest_x, x) || !run_record(run, line, x, purpose))
        return 0;
    c->greatest_x = x > c->greatest_x ? x : c->greatest_x;
    if (purpose == WRITING)
        write_spe(c, line, size, x);
    if (purpose == TIMING)
        *c->times++ = (int64_t)placement_global(line->shift, x);
    if (__builtin_expect(line->records == 0, 0))
        begin_stay(plain, line, decr, x);
    line->records++;
    line->decr = decr;
    line->position = c->position;
    return size;
}

static inline bool is_switch(uint64_t head)
{
    uint16_t id = (uint16_t)(head >> 16);
    return id == ID_SWITCH_IN || id == ID_SWITCH_OUT;
}

static inline size_t take_ppe(struct plain *plain, struct plain_cursor *c, struct run *run,
                              uint64_t head, enum purpose purpose)
{
    uint64_t stamp = load64(c->at + RECORD_PREFIX_BYTES);
    int64_t x = (int64_t)(stamp + (uint64_t)plain->ppe.x0);
    size_t size = plain_size(c, head, RECORD_PPE_BYTES);
    if (size == 0 || stamp > INT64_MAX || c->nledger == PLAIN_LEDGER || c->position >= c->until ||
        (uint64_t)x - (uint64_t)c->ppe_x >= PLAIN_REACH || !is_near(plain, c->greatest_x, x) ||
        !run_record(run, &plain->ppe, x, purpose))
        return 0;
    c->greatest_x = x > c->greatest_x ? x : c->greatest_x;
    if (purpose == WRITING)
        write_ppe(c, &plain->ppe, size, x, stamp);
    if (purpose == TIMING)
        *c->times++ = (int64_t)placement_global(plain->ppe.shift, x);
    c->ppe_x = x;
    c->nledger++;
    plain->ledger[c->nledger] = x;
    plain->ledger_at[c->nledger] = c->position;
    return size;
}

/* What the loop changes of plain is in its cursor, so that it may be in registers. */
static inline void begin_loop(const struct plain *plain, struct plain_cursor *c)
{
    c->greatest_x = plain->greatest_x;
    c->ppe_x = plain->ppe_x;
    c->nledger = plain->nledger;
}

static inline void end_loop(struct plain *plain, const struct plain_cursor *c)
{
    uint32_t first = plain->nledger + 1;
    plain->greatest_x = c->greatest_x;
    if (c->nledger < first)
        return;
    if (plain->ppe.records == 0)
        plain->ppe_first_x = plain->ledger[first];
    plain->ppe.records += c->nledger - plain->nledger;
    plain->ppe.position = plain->ledger_at[c->nledger];
    plain->ppe_x = c->ppe_x;
    plain->nledger = c->nledger;
}

/* Where the loop must look up: a record that starts before has its stamps at hand, all of it if it
 * is short, and is not past the limit. */
static const uint8_t *find_stop(const struct plain_cursor *c)
{
    size_t have = (size_t)(c->end - c->at);
    size_t most = have > SHORT ? have - SHORT : 0;
    uint64_t left = c->limit - c->position;
    if (left < have / RECORD_SPE_BYTES && left * RECORD_SPE_BYTES < most)
        most = (size_t)left * RECORD_SPE_BYTES;
    return c->stop - c->at < (ptrdiff_t)most ? c->stop : c->at + most;
}

/* Compiled for each of what a pass is for. */
static inline __attribute__((always_inline)) void
take_buffer(struct plain *plain, struct plain_cursor *cursor, struct run *run, enum purpose purpose)
{
    struct plain_cursor c = *cursor; /* in registers, both */
    struct run r = *run;
    const uint8_t *stop = find_stop(cursor);
    begin_loop(plain, &c);
    while (c.at < stop) {
        uint64_t head = load64(c.at);
        size_t size = 0;
        if ((head & HEAD_MASK) == HEAD_OF(CORE_SPE))
            size = take_spe(plain, &c, &r, head, purpose);
        else if ((head & HEAD_MASK) == HEAD_OF(CORE_PPE) && !is_switch(head))
            size = take_ppe(plain, &c, &r, head, purpose);
        if (size == 0)
            break;
        c.at += size;
        c.position++;
    }
    end_loop(plain, &c);
    r.records += c.position - cursor->position;
    *cursor = c;
    *run = r;
}

static void take_for(struct plain *plain, struct plain_cursor *cursor, struct run *run)
{
    switch (run->purpose) {
    case READING:
        take_buffer(plain, cursor, run, READING);
        break;
    case CONSTRAINING:
        take_buffer(plain, cursor, run, CONSTRAINING);
        break;
    case CARRYING:
        take_buffer(plain, cursor, run, CARRYING);
        break;
    case MEASURING:
        take_buffer(plain, cursor, run, MEASURING);
        break;
    case WRITING:
        take_buffer(plain, cursor, run, WRITING);
        break;
    case TIMING:
        take_buffer(plain, cursor, run, TIMING);
        break;
    }
}

/* How many of the buffer's PPE records precede a position. */
static uint32_t ledger_before(const struct plain *plain, uint64_t position)
{
    uint32_t least = 0, most = plain->nledger;
    while (least < most) {
        uint32_t middle = (least + most) / 2;
        if (plain->ledger_at[middle + 1] < position)
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

/* PPE records around the last record that a live interval has in this buffer, from `first` on. */
static void place_stay(const struct plain *plain, struct plain_stay *stay, uint64_t first,
                       bool ppe_before, int64_t ppe_x)
{
    const struct plain_line *line = &plain->lines[stay->line];
    bool here = line->position >= first;
    uint32_t before = here ? ledger_before(plain, line->position) : 0;
    if (here) {
        stay->has_before = before > 0 || ppe_before;
        stay->before_x = before > 0 ? plain->ledger[before] : ppe_x;
        stay->has_after = false;
    }
    if (!stay->has_after && before < plain->nledger) {
        stay->has_after = true;
        stay->after_x = plain->ledger[before + 1];
    }
}

bool plain_take_switch(struct plain *plain, struct plain_cursor *c, struct run *run)
{
    uint64_t head = load64(c->at);
    size_t size = 0;
    begin_loop(plain, c);
    if ((head & HEAD_MASK) == HEAD_OF(CORE_PPE))
        size = take_ppe(plain, c, run, head, run->purpose == CONSTRAINING ? CONSTRAINING : READING);
    end_loop(plain, c);
    c->at += size;
    c->position += size > 0;
    run->records += size > 0;
    return size > 0;
}

bool plain_may_begin(const struct plain *plain, const struct plain_cursor *c, int64_t x)
{
    uint64_t head = load64(c->at);
    return (head & HEAD_MASK) == HEAD_OF(CORE_SPE) && is_near(plain, plain->greatest_x, x) &&
           plain_size(c, head, RECORD_SPE_BYTES) > 0;
}

void plain_take_first(struct plain *plain, struct plain_cursor *c, struct run *run,
                      const struct plain_line *line)
{
    struct plain_line *own = &plain->lines[line->id % PLAIN_LINES];
    *own = *line;
    begin_stay(plain, own, line->decr0, line->x0);
    own->records = 1;
    own->decr = line->decr0;
    own->position = c->position++;
    c->at += load16(c->at);
    run->records++;
}

void plain_end_line(struct plain *plain, struct plain_line *line)
{
    if (line->records > 0) {
        struct plain_stay *gone = &plain->stays[line->stay];
        *gone = plain->stays[--plain->nstays];
        plain->lines[gone->line].stay = line->stay;
    }
    line->records = 0;
    plain_free_line(line, (uint32_t)(line - plain->lines));
}

void plain_take(struct plain *plain, struct plain_cursor *cursor, struct run *run)
{
    bool ppe_before = plain->ppe.records > 0;
    int64_t ppe_x = plain->ppe_x;
    uint64_t first = cursor->position;
    plain->nledger = 0;
    do
        take_for(plain, cursor, run);
    while (cursor->turn && cursor->at < find_stop(cursor) &&
           cursor->turn(cursor->user, cursor, run));
    for (uint32_t i = 0; i < plain->nstays; i++) {
        struct plain_line *line = &plain->lines[plain->stays[i].line];
        place_stay(plain, &plain->stays[i], first, ppe_before, ppe_x);
        line->x0 += (uint32_t)(line->decr0 - line->decr);
        line->decr0 = line->decr;
    }
}

bool plain_look(const struct plain *plain, const uint8_t *p, size_t have,
                const struct plain_line **line, int64_t *x)
{
    if (have < RECORD_PPE_BYTES)
        return false;
    if (p[2] == CORE_PPE) {
        *line = &plain->ppe;
        *x = (int64_t)(load64(p + RECORD_PREFIX_BYTES) + (uint64_t)plain->ppe.x0);
    } else {
        uint32_t context = load32(p + 8);
        *line = &plain->lines[context % PLAIN_LINES];
        *x = (*line)->x0 + (uint32_t)((*line)->decr0 - load32(p + RECORD_PREFIX_BYTES));
        if ((*line)->id != context)
            return false;
    }
    return (*line)->slot != SWEEP_NONE;
}

bool plain_looks_right(const struct plain *plain, const uint8_t *p, const uint8_t *end)
{
    uint64_t near_ticks = (uint64_t)plain->near_ticks;
    const struct plain_line *line;
    int64_t x, before = 0;
    for (int i = 0; i < GUESS_RECORDS && end - p >= RECORD_PPE_BYTES; i++) {
        size_t size = load16(p), fixed = p[2] == CORE_SPE ? RECORD_SPE_BYTES : RECORD_PPE_BYTES;
        if (p[2] > CORE_SPE || p[3] > RECORD_INTERVAL || size % 8 != 0 ||
            size < fixed + 8 * (size_t)load16(p + 6) ||
            !plain_look(plain, p, RECORD_PPE_BYTES, &line, &x) ||
            (i > 0 && (uint64_t)x - (uint64_t)before + near_ticks > 2 * near_ticks))
            return false;
        before = x;
        if (size > (size_t)(end - p))
            return true;
        p += size;
    }
    return true;
}

void plain_peek_ppe(const struct plain *plain, size_t have, uint64_t left, struct fast_ppe *out)
{
    size_t most = have > SHORT ? have - SHORT : 0;
    uint64_t near_ticks = (uint64_t)plain->near_ticks;
    out->stop = left < most / RECORD_PPE_BYTES ? out->at + left * RECORD_PPE_BYTES : out->at + most;
    out->stamp = (uint64_t)plain->ppe_x - (uint64_t)plain->ppe.x0;
    out->step = near_ticks < PLAIN_REACH ? near_ticks + 1 : PLAIN_REACH;
    out->offset_ticks = (int64_t)placement_global(plain->ppe.shift, plain->ppe.x0);
    out->thread = plain->ppe.thread;
    if (plain->greatest_x != plain->ppe_x || out->stamp > INT64_MAX / 2)
        out->stop = out->at; /* else all stamps at hand are within 63 bits */
}

void plain_take_ppe(struct plain *plain, const struct fast_ppe *from, const struct fast_ppe *to)
{
    uint64_t x0 = (uint64_t)plain->ppe.x0;
    plain_begin(plain);
    plain->ppe.records = to->position - from->position;
    plain->ppe.position = to->position - 1;
    plain->ppe_first_x = (int64_t)(load64(from->at + RECORD_PREFIX_BYTES) + x0);
    plain->ppe_x = plain->greatest_x = (int64_t)(to->stamp + x0);
}
