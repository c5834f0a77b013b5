/* csy_sync_latency makes sheets of how long messages take. */
#include "analysis/messages/messages.h"
#include "analysis/ranges/forms.h"
#include "analysis/run/sheets.h"
#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* Finds medians. Each set of values has a number, `slot`. If there are too many different values,
 * similar values count as equal, which widens the limits of the median. */

enum { MIDDLES_MAX = 1 << 19 };

struct middle_tally {
    int64_t bin; /* the value without its lowest `shift` bits */
    uint32_t slot;
    uint64_t count;
};

struct middles {
    struct middle_tally *items;
    size_t count, capacity;
    struct texts keys;
    unsigned shift;
};

struct key {
    int64_t bin;
    uint32_t slot, unused;
};

static void middles_fini(struct middles *middles)
{
    free(middles->items);
    texts_fini(&middles->keys);
    *middles = (struct middles){0};
}

static bool add(struct middles *middles, uint32_t slot, int64_t bin, uint64_t count)
{
    const struct key key = {.bin = bin, .slot = slot};
    uint32_t index;
    bool added;
    if (!texts_find(&middles->keys, (const char *)&key, sizeof key, &index, &added) ||
        (added && !ARRAY_PUSH(middles->items, middles->count, middles->capacity, {bin, slot, 0})))
        return false;
    middles->items[index].count += count;
    return true;
}

static bool middles_add(struct middles *middles, uint32_t slot, int64_t value)
{
    int64_t bin = value >= 0 ? value >> middles->shift : ~(~value >> middles->shift);
    bool good = add(middles, slot, bin, 1);
    while (good && middles->count > MIDDLES_MAX && middles->shift < 62) {
        size_t n = middles->count;
        middles->shift++;
        middles->count = 0;
        texts_fini(&middles->keys);
        for (size_t i = 0; i < n && good; i++) {
            struct middle_tally item = middles->items[i];
            item.bin = item.bin >= 0 ? item.bin >> 1 : ~(~item.bin >> 1);
            good = add(middles, item.slot, item.bin, item.count);
        }
    }
    return good;
}

static int compare(const void *a, const void *b)
{
    const struct middle_tally *x = a, *y = b;
    return 2 * COMPARE(x->slot, y->slot) + COMPARE(x->bin, y->bin);
}

/* Set *lo and *hi to limits of the median of the values that were added for `slot`. Returns false
 * if none was added. */
static bool middles_find(const struct middles *middles, uint32_t slot, int64_t *lo, int64_t *hi)
{
    size_t low = 0, high = middles->count;
    uint64_t all = 0, passed = 0;
    BISECT(low, high, middle, middles->items[middle].slot < slot);
    for (size_t i = low; i < middles->count && middles->items[i].slot == slot; i++)
        all += middles->items[i].count;
    for (size_t i = low; i < middles->count && middles->items[i].slot == slot; i++) {
        passed += middles->items[i].count;
        if (passed >= all - all / 2) {
            int64_t bin = middles->items[i].bin;
            *lo = (int64_t)((uint64_t)bin << middles->shift);
            *hi = (int64_t)((uint64_t)*lo + (((uint64_t)1 << middles->shift) - 1));
            return true;
        }
    }
    return false;
}

/* --- Latencies ----------------------------------------------------------------------------- */

#define MICRO 1000000
#define PICO INT64_C(1000000000000)

/* Indices for values. AT_LEAST and AT_MOST are limits of the true value. If the user requested a
 * part of the trace, AT_ESTIMATE is for the messages that are in this part by the estimated
 * times. */
enum { AT_ESTIMATE, AT_LEAST, AT_MOST, AT_COUNT };

/* A row of the table: all messages of one size and one group (kind and class, or direction). */
struct row {
    uint32_t group;
    uint64_t bytes;
    uint64_t messages[CLIPS];
    int128 late[AT_COUNT]; /* sum of the delays by late senders, in ticks */
    bool crosses, no_least, no_most;
    bool some_maybe;     /* true if it is uncertain for some messages if they are in the requested
                          * part of the trace */
    int64_t least, most; /* times of the shortest and the longest message, in ticks */
    csy_value certain;   /* mean time of the messages that are certainly in the requested part of
                          * the trace */
    int128 below, above;
    uint64_t seen;
};

/* Time of a message that may be inside or outside the requested part of the trace. It is below
 * (-FAR) or above all known times, so that the limits of the median allow for the message. */
#define FAR (INT64_MAX / 4)

/* The time between two moments: its estimate, least value, and greatest value. */
struct span {
    int64_t at[AT_COUNT];
    bool no_least, no_most;
};

struct single {
    uint32_t group, sender, receiver;
    bool crosses;
    bool there[CLIPS];
    uint64_t bytes;
    int64_t sent_ticks;
    struct span took;
};

enum { SINGLES_MAX = 1000000 };

/* Groups with this number or a greater one have all messages from one node to another. They are
 * only used if the trace file does not order its events (trace->loose). */
enum { DIRECTIONS_FIRST = 4 * GROUPS_APART };

struct latency {
    struct messages messages;
    struct texts directions; /* pairs of node names, each name followed by a 0 byte */
    struct clip clip;
    bool odd; /* true if the trace had other messages when it was read again */
    struct fits fits[CLIPS];
    struct row *rows;
    size_t nrows, capacity;
    struct texts keys; /* finds each row by its group and size */
    struct middles middles;
    bool each; /* true to make a table of all messages */
    struct single *singles;
    size_t nsingles, singles_capacity;
};

struct row_key {
    uint64_t bytes;
    uint32_t group, unused;
};

/* --- Passes --- */

static csy_status begin_first(void *user, csy_error *error)
{
    struct latency *l = user;
    (void)error;
    for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++) {
        fits_fini(&l->fits[as]);
        l->fits[as].tubes.places = l->clip.places;
    }
    return CSY_OK;
}

static struct fits *fits_of(struct latency *l, enum clip_as as)
{
    return &l->fits[l->clip.asked ? as : CLIP_MOST];
}

/* The groups that count a message: one for its kind and class, and perhaps one for its sending and
 * receiving nodes. */
struct groups {
    uint32_t items[2];
    size_t count;
};

/* Append the name of a node and a 0 byte to a text. Returns the new length. */
static size_t put_node(const struct sites *sites, uint32_t node, char *text, size_t at)
{
    csy_text name = texts_text(&sites->names, node);
    memcpy(text + at, name.bytes, name.size);
    text[at + name.size] = 0;
    return at + name.size + 1;
}

static bool find_groups(struct latency *l, const struct message *message, struct groups *out)
{
    struct messages *m = &l->messages;
    const struct actor *actors = m->actors.items;
    enum site_class class;
    struct site from, to;
    char text[2 * SITE_NAME_MAX + 2];
    uint32_t direction;
    bool added;
    if (!sites_class(&m->sites, &m->actors, m->sync, message->sender, message->receiver, &class))
        return false;
    *out = (struct groups){{message_group(message, class)}, 1};
    if (class != SITE_OTHER || !m->sync->trace->loose || message->untimed || l->each)
        return true;
    const struct actor *sender = &actors[message->sender], *receiver = &actors[message->receiver];
    if (!sites_find(&m->sites, message->sender, sender, sender->unit, m->sync, &from) ||
        !sites_find(&m->sites, message->receiver, receiver, receiver->unit, m->sync, &to))
        return false;
    size_t size = put_node(&m->sites, to.node, text, put_node(&m->sites, from.node, text, 0));
    if (!texts_find(&l->directions, text, size, &direction, &added))
        return false;
    out->items[out->count++] = DIRECTIONS_FIRST + direction;
    return true;
}

static uint64_t bytes_in(const struct message *message, uint32_t group)
{
    return group < DIRECTIONS_FIRST ? message_bytes(message) : 0;
}

static csy_status take_first(void *user, const struct message *message, csy_error *error)
{
    struct latency *l = user;
    struct groups groups;
    uint32_t pair, sent = message->sent.clock, posted = message->posted.clock;
    bool good = find_groups(l, message, &groups);
    if (message_bytes(message) >= INT64_MAX)
        return error_set(error, CSY_INPUT, "the bytes of a message do not fit 63 bits");
    for (enum clip_as as = l->clip.asked ? CLIP_ESTIMATE : CLIP_MOST; good && as < CLIPS; as++)
        for (size_t g = 0; g < groups.count && good; g++)
            if (message_meets(message, &l->clip, as))
                good = fits_add(&l->fits[as], groups.items[g], bytes_in(message, groups.items[g]),
                                &message->sent, &message->received, !message->ordered);
    if (good && sent != posted && !l->clip.places)
        good = clock_pairs_add(&l->fits[CLIP_MOST].pairs, sent, posted, &pair);
    return good ? CSY_OK : error_memory(error);
}

/* Returns by how much a time measured on one clock may be wrong because of timestamp errors and
 * drift. `time` and the result are in units of 1/parts tick. */
static int128 own_error(struct latency *l, int64_t time, int64_t parts)
{
    int128 stamps = (int128)l->fits[CLIP_MOST].added_ticks * parts;
    return stamps + places_own(l->clip.places, stamps + (time < 0 ? -(int128)time : time));
}

static bool make_rows(struct latency *l)
{
    const struct fits *fits = &l->fits[CLIP_MOST];
    const struct fit_item *items = fits->items;
    for (size_t i = 0, next; i < fits->count; i = next) {
        const struct row_key key = {.bytes = items[i].bytes, .group = items[i].group};
        struct row row = {.group = key.group, .bytes = key.bytes, .certain.none = true};
        uint32_t index;
        bool added;
        for (next = i;
             next < fits->count && items[next].group == key.group && items[next].bytes == key.bytes;
             next++)
            row.crosses |= items[next].pair != NO_TEXT;
        for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++) {
            size_t n;
            const struct fit_item *own = fits_find(fits_of(l, as), row.group, &row.bytes, &n);
            for (size_t k = 0; k < n; k++)
                row.messages[as] += own[k].count;
            if (as == CLIP_LEAST && n > 0)
                fits_mean(fits_of(l, CLIP_LEAST), own, n, &row.certain);
        }
        row.some_maybe = row.messages[CLIP_LEAST] < row.messages[CLIP_MOST];
        if (!row.certain.none && row.certain.range.kind == CSY_RANGE_CLOCK)
            range_widen(&row.certain.range, own_error(l, row.certain.range.hi, MICRO));
        if (!ARRAY_PUSH(l->rows, l->nrows, l->capacity, row) ||
            !texts_find(&l->keys, (const char *)&key, sizeof key, &index, &added))
            return false;
    }
    return true;
}

static csy_status begin_second(void *user, csy_error *error)
{
    struct latency *l = user;
    (void)error;
    l->odd = false;
    l->nsingles = 0;
    middles_fini(&l->middles);
    for (size_t i = 0; i < l->nrows; i++) {
        struct row *row = &l->rows[i];
        memset(row->late, 0, sizeof row->late);
        row->no_least = row->no_most = false;
        row->seen = 0;
        row->below = row->above = 0;
    }
    return CSY_OK;
}

static csy_status find_span(struct latency *l, const struct row *row, const struct moment *begin,
                            const struct moment *end, struct span *out, csy_error *error)
{
    bool ranged = row->crosses || row->some_maybe;
    const struct fits *fits = &l->fits[CLIP_MOST];
    int64_t up = 0, down = 0;
    int128 ticks = moments_apart(begin, end);
    *out = (struct span){.no_least = false};
    if (ranged || begin->clock != end->clock)
        clock_pairs_apart(&fits->pairs, l->clip.places, fits->added_ticks, begin, end, &down, &up);
    out->no_least = down == MOVES_NONE;
    out->no_most = up == MOVES_NONE;
    int128 least = ticks - (out->no_least ? 0 : down), most = ticks + (out->no_most ? 0 : up);
    if (!fits_int64(ticks) || !fits_int64(least) || !fits_int64(most))
        return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
    out->at[AT_ESTIMATE] = (int64_t)ticks;
    out->at[AT_LEAST] = (int64_t)least;
    out->at[AT_MOST] = (int64_t)most;
    return CSY_OK;
}

static csy_status note_message(struct latency *l, const struct message *message, uint32_t group,
                               csy_error *error)
{
    const struct row_key key = {.bytes = bytes_in(message, group), .group = group};
    struct span took, late = {.no_least = false};
    uint32_t index;
    if (!texts_look(&l->keys, (const char *)&key, sizeof key, &index)) {
        l->odd = true; /* the file has changed since the first pass */
        return CSY_OK;
    }
    struct row *row = &l->rows[index];
    csy_status status = find_span(l, row, &message->sent, &message->received, &took, error);
    if (!status && message->kind != MESSAGE_TRANSFER)
        status = find_span(l, row, &message->posted, &message->sent, &late, error);
    if (status)
        return status;
    if (message->ordered) {
        took.at[AT_LEAST] =
            fits_not_below_0(took.no_least ? INT64_MIN : took.at[AT_LEAST], took.at[AT_ESTIMATE]);
        took.no_least = false;
    }
    if (l->each) {
        if (l->nsingles == SINGLES_MAX)
            return error_set(error, CSY_USAGE,
                             "the trace has more than %d messages; choose fewer with --actors",
                             SINGLES_MAX);
        if (!ARRAY_RESERVE(l->singles, l->singles_capacity, l->nsingles + 1))
            return error_memory(error);
        l->singles[l->nsingles++] = (struct single){
            .group = key.group,
            .sender = message->sender,
            .receiver = message->receiver,
            .crosses = message->sent.clock != message->received.clock,
            .there = {[CLIP_ESTIMATE] = message_meets(message, &l->clip, CLIP_ESTIMATE),
                      [CLIP_LEAST] = message_meets(message, &l->clip, CLIP_LEAST),
                      [CLIP_MOST] = true},
            .bytes = key.bytes,
            .sent_ticks = message->sent.global_ticks,
            .took = took};
    }
    bool sure = message_meets(message, &l->clip, CLIP_LEAST),
         there = message_meets(message, &l->clip, CLIP_ESTIMATE);
    row->no_least |= took.no_least;
    row->no_most |= took.no_most;
    int64_t shortest = took.no_least ? INT64_MIN : took.at[AT_LEAST];
    int64_t longest = took.no_most ? INT64_MAX : took.at[AT_MOST];
    bool first = row->seen++ == 0;
    row->least = first || shortest < row->least ? shortest : row->least;
    row->most = first || longest > row->most ? longest : row->most;
    if (!sure) {
        const csy_range *mean = &row->certain.range;
        int128 least = (int128)took.at[AT_LEAST] * MICRO, most = (int128)took.at[AT_MOST] * MICRO;
        row->below += least < mean->lo ? mean->lo - least : 0;
        row->above += most > mean->hi ? most - mean->hi : 0;
    }
    for (unsigned i = 0; i < AT_COUNT; i++) {
        bool none = i == AT_LEAST && late.no_least;
        bool counts = i == AT_ESTIMATE ? there : i == AT_MOST || sure;
        int64_t time = sure || i == AT_ESTIMATE ? took.at[i] : i == AT_LEAST ? -FAR : FAR;
        if ((i > AT_ESTIMATE || there) && !middles_add(&l->middles, index * AT_COUNT + i, time))
            return error_memory(error);
        row->late[i] += counts && !none && late.at[i] > 0 ? late.at[i] : 0;
    }
    row->no_most |= late.no_most;
    return CSY_OK;
}

static csy_status take_second(void *user, const struct message *message, csy_error *error)
{
    struct latency *l = user;
    struct groups groups;
    csy_status status = find_groups(l, message, &groups) ? CSY_OK : error_memory(error);
    for (size_t g = 0; !status && g < groups.count && message_meets(message, &l->clip, CLIP_MOST);
         g++)
        status = note_message(l, message, groups.items[g], error);
    return status;
}

/* --- Tables --- */

static csy_range_kind kind_of(const struct latency *l, bool crosses)
{
    return crosses ? l->fits[CLIP_MOST].pairs.kind : CSY_RANGE_CLOCK;
}

/* Set the range of a value to `lo` to `hi`, in 1/unit tick, but not beyond the times of the row's
 * shortest and longest message. */
static void limit(const struct latency *l, const struct row *row, int128 lo, int128 hi,
                  int64_t unit, csy_value *value)
{
    csy_range *range = &value->range;
    int128 least = row->least == INT64_MIN ? INT64_MIN : (int128)row->least * unit;
    int128 most = row->most == INT64_MAX ? INT64_MAX : (int128)row->most * unit;
    bool known = clip_kind(&l->clip) != CSY_RANGE_UNKNOWN;
    lo = lo < least ? least : lo;
    hi = hi > most ? most : hi;
    lo = lo > range->estimate ? range->estimate : lo;
    hi = hi < range->estimate ? range->estimate : hi;
    range->kind = clip_kind(&l->clip);
    range->lo = !known ? 0 : fits_int64(lo) ? (int64_t)lo : INT64_MIN;
    range->hi = !known ? 0 : fits_int64(hi) ? (int64_t)hi : INT64_MAX;
}

static void set_times(struct latency *l, uint32_t index, csy_value *values)
{
    const struct row *row = &l->rows[index];
    csy_value *least = &values[0], *mean = &values[1], *median = &values[2];
    size_t n, ncertain;
    const struct fit_item *items =
        fits_find(fits_of(l, CLIP_ESTIMATE), row->group, &row->bytes, &n);
    const struct fit_item *certain =
        fits_find(fits_of(l, CLIP_LEAST), row->group, &row->bytes, &ncertain);
    if (n > 0) {
        fits_least(fits_of(l, CLIP_ESTIMATE), items, n, least);
        fits_mean(fits_of(l, CLIP_ESTIMATE), items, n, mean);
    }
    if (n > 0 && row->some_maybe) {
        /* A message that may be inside or outside the requested part may be the shortest one. So
         * only the messages that are certainly in it limit the shortest time from above. */
        csy_value shortest = {.range.hi = INT64_MAX};
        int64_t *hi = &shortest.range.hi;
        if (ncertain > 0)
            fits_least(fits_of(l, CLIP_LEAST), certain, ncertain, &shortest);
        if (ncertain > 0 && shortest.range.kind == CSY_RANGE_CLOCK)
            *hi = nearest_int64(*hi + own_error(l, *hi, 1));
        limit(l, row, INT64_MIN, *hi, 1, least);
    }
    if (n > 0 && row->some_maybe && !mean->none) {
        /* n messages are certainly in the requested part of the trace. Another message changes
         * their mean by at most its distance from the mean, divided by n + 1. */
        const csy_range *sure = &row->certain.range;
        int128 by = (int128)row->messages[CLIP_LEAST] + 1, lo = INT64_MIN, hi = INT64_MAX;
        if (!row->certain.none && sure->lo != INT64_MIN && !row->no_least)
            lo = sure->lo - ceil_div(row->below, by);
        if (!row->certain.none && sure->hi != INT64_MAX && !row->no_most)
            hi = sure->hi + ceil_div(row->above, by);
        limit(l, row, lo, hi, MICRO, mean);
    }
    int64_t lo[AT_COUNT] = {0}, hi[AT_COUNT] = {0};
    for (unsigned i = 0; i < AT_COUNT; i++)
        (void)middles_find(&l->middles, index * AT_COUNT + i, &lo[i], &hi[i]);
    csy_range_kind kind = kind_of(l, row->crosses);
    if (kind == CSY_RANGE_CLOCK && hi[AT_ESTIMATE] > lo[AT_ESTIMATE])
        kind = CSY_RANGE_PROVEN;
    *median = (csy_value){.none = row->messages[CLIP_ESTIMATE] == 0,
                          .range = {lo[AT_ESTIMATE], row->no_least ? INT64_MIN : lo[AT_LEAST],
                                    row->no_most ? INT64_MAX : hi[AT_MOST], kind}};
    if (row->some_maybe && !median->none)
        limit(l, row, median->range.lo, median->range.hi, 1, median);
}

/* Add a row, and fill in the kind and the class of its messages. Returns the values after these
 * two, or NULL if out of memory. */
static csy_value *add_row(csy_analysis *out, uint32_t group)
{
    csy_value *value = sheets_add_row(out);
    if (!value)
        return NULL;
    value[0] = sheets_constant(message_kind_names[group / SITE_CLASSES % MESSAGE_KINDS]);
    value[1] = sheets_constant(site_class_names[group % SITE_CLASSES]);
    return value + 2;
}

/* Set the ranges of n values to unknown if the extent of the requested part of the trace is
 * unknown. */
static void forget(const struct latency *l, csy_value *values, size_t n)
{
    for (size_t i = 0; i < n && l->clip.asked && !l->clip.known; i++)
        values[i].range =
            (csy_range){.estimate = values[i].range.estimate, .kind = CSY_RANGE_UNKNOWN};
}

static csy_status add_rows(struct latency *l, csy_analysis *out, csy_error *error)
{
    const csy_column columns[] = {
        TEXT_COLUMN("what"),          TEXT_COLUMN("class"),
        COUNT_COLUMN("bytes", false), COUNT_COLUMN("messages", l->clip.asked),
        TICKS_COLUMN("least", true),  MICRO_COLUMN("mean", true),
        TICKS_COLUMN("median", true), TICKS_COLUMN("late_sender", true)};
    SHEETS_ADD(out, "latency", columns);
    for (uint32_t i = 0; i < l->nrows && l->rows[i].group < DIRECTIONS_FIRST; i++) {
        const struct row *row = &l->rows[i];
        csy_value *value = add_row(out, row->group);
        if (!value)
            return error_memory(error);
        if (message_group_sized(row->group))
            *value = sheets_number((int64_t)row->bytes);
        value++;
        *value++ = clip_count(&l->clip, row->messages);
        if (!message_group_timed(row->group))
            continue;
        set_times(l, i, value);
        value += 3;
        const int128 *late = row->late;
        if (!fits_int64(late[AT_ESTIMATE]) || !fits_int64(late[AT_LEAST]) ||
            !fits_int64(late[AT_MOST]))
            return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        *value = (csy_value){.range = {(int64_t)late[AT_ESTIMATE], (int64_t)late[AT_LEAST],
                                       row->no_most ? INT64_MAX : (int64_t)late[AT_MOST],
                                       kind_of(l, row->crosses)}};
        if (row->some_maybe && l->clip.known)
            value->range.kind = clip_kind(&l->clip);
        forget(l, value - 3, 4);
    }
    return CSY_OK;
}

static csy_status add_singles(struct latency *l, csy_analysis *out, csy_error *error)
{
    const csy_column columns[] = {TEXT_COLUMN("what"),           TEXT_COLUMN("class"),
                                  TEXT_COLUMN("sender"),         TEXT_COLUMN("receiver"),
                                  COUNT_COLUMN("bytes", false),  TICKS_COLUMN("sent", false),
                                  TICKS_COLUMN("latency", true), COUNT_COLUMN("messages", true)};
    const struct actor *actors = l->messages.actors.items;
    const size_t ncolumns = sizeof columns / sizeof *columns;
    char name[ACTOR_NAME_MAX];
    /* The last column shows if a message is certainly in the requested part of the trace. Leave it
     * out if no part was requested. */
    sheets_add(out, "messages", columns, l->clip.asked ? ncolumns : ncolumns - 1);
    for (size_t i = 0; i < l->nsingles; i++) {
        const struct single *single = &l->singles[i];
        const struct span *took = &single->took;
        csy_value *value = add_row(out, single->group);
        if (!value)
            return error_memory(error);
        *value++ = sheets_text(out, actor_name(&actors[single->sender], l->messages.sync, name));
        if (single->receiver < l->messages.actors.count)
            *value =
                sheets_text(out, actor_name(&actors[single->receiver], l->messages.sync, name));
        value++;
        if (message_group_sized(single->group))
            *value = sheets_number((int64_t)single->bytes);
        value++;
        *value++ = sheets_number(single->sent_ticks);
        if (l->clip.asked)
            value[1] = clip_number(&l->clip, single->there[CLIP_ESTIMATE],
                                   single->there[CLIP_LEAST], single->there[CLIP_MOST]);
        if (!message_group_timed(single->group))
            continue;
        csy_range range = {took->at[AT_ESTIMATE], took->no_least ? INT64_MIN : took->at[AT_LEAST],
                           took->no_most ? INT64_MAX : took->at[AT_MOST],
                           kind_of(l, single->crosses)};
        if (range.kind == CSY_RANGE_CLOCK)
            range.lo = range.hi = range.estimate;
        *value = sheets_range(range);
    }
    return CSY_OK;
}

/* Returns hz * 10^12 / slope, rounded up or down. A result beyond 64 bits becomes INT64_MAX. */
static int64_t over_slope(uint64_t hz, int64_t slope, bool up)
{
    if (slope <= 0)
        return INT64_MAX;
    int128 all = (int128)hz * PICO, found = up ? ceil_div(all, slope) : floor_div(all, slope);
    return fits_int64(found) ? (int64_t)found : INT64_MAX;
}

static void add_fits(struct latency *l, csy_analysis *out)
{
    const csy_column columns[] = {
        TEXT_COLUMN("what"), TEXT_COLUMN("class"), COUNT_COLUMN("messages", l->clip.asked),
        MICRO_COLUMN("intercept", true), COUNT_COLUMN("bytes_per_second", true)};
    uint64_t hz = csy_trace_timebase_hz(l->messages.sync->trace);
    struct fits *fits = fits_of(l, CLIP_ESTIMATE);
    SHEETS_ADD(out, "fit", columns);
    for (size_t i = 0, next; i < l->nrows && l->rows[i].group < DIRECTIONS_FIRST; i = next) {
        uint64_t messages[CLIPS] = {0};
        bool maybe = false;
        for (next = i; next < l->nrows && l->rows[next].group == l->rows[i].group; next++) {
            for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++)
                messages[as] += l->rows[next].messages[as];
            maybe |= l->rows[next].some_maybe;
        }
        size_t n;
        const struct fit_item *items = fits_find(fits, l->rows[i].group, NULL, &n);
        csy_value slope, *value = add_row(out, l->rows[i].group);
        if (!value)
            return;
        *value++ = clip_count(&l->clip, messages);
        if (maybe || n == 0 || !message_group_timed(l->rows[i].group))
            continue; /* the least-squares line is unknown */
        fits_line(fits, items, n, value, &slope);
        const csy_range *rise = &slope.range;
        if (!slope.none && rise->estimate > 0) {
            csy_range speed = {over_slope(hz, rise->estimate, false),
                               over_slope(hz, rise->hi, false), over_slope(hz, rise->lo, true),
                               rise->kind};
            if (rise->hi == INT64_MAX)
                speed.lo = 0;
            if (rise->kind == CSY_RANGE_CLOCK)
                speed.lo = speed.hi = speed.estimate;
            value[1] = sheets_range(speed);
        }
        forget(l, value, 2);
    }
}

static csy_status add_directions(struct latency *l, csy_analysis *out, csy_error *error)
{
    const csy_column columns[] = {TEXT_COLUMN("sender"),
                                  TEXT_COLUMN("receiver"),
                                  COUNT_COLUMN("messages", l->clip.asked),
                                  TICKS_COLUMN("least", true),
                                  MICRO_COLUMN("mean", true),
                                  TICKS_COLUMN("median", true)};
    if (l->directions.count == 0)
        return CSY_OK;
    SHEETS_ADD(out, "direction", columns);
    for (uint32_t i = 0; i < l->nrows; i++) {
        const struct row *row = &l->rows[i];
        if (row->group < DIRECTIONS_FIRST)
            continue;
        const char *names =
            l->directions.bytes + l->directions.items[row->group - DIRECTIONS_FIRST].at;
        csy_value *value = sheets_add_row(out);
        if (!value)
            return error_memory(error);
        *value++ = sheets_text(out, names);
        *value++ = sheets_text(out, names + strlen(names) + 1);
        *value++ = clip_count(&l->clip, row->messages);
        set_times(l, i, value);
        forget(l, value, 3);
    }
    return CSY_OK;
}

static csy_status find_latencies(csy_sync *sync, const csy_meaning *meaning, const char *actors,
                                 const char *window, bool each, csy_analysis **out,
                                 csy_error *error)
{
    struct latency l = {.each = each};
    const struct messages_sink first = {begin_first, take_first, &l},
                               second = {begin_second, take_second, &l};
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (!status)
        status = clip_open(&l.clip, sync, meaning, window, error);
    if (status)
        return status;
    status = messages_read(&l.messages, sync, meaning, actors, &first, error);
    for (enum clip_as as = l.clip.asked ? CLIP_ESTIMATE : CLIP_MOST; !status && as < CLIPS; as++)
        status = fits_finish(&l.fits[as], sync, error);
    if (!status && !make_rows(&l))
        status = error_memory(error);
    messages_fini(&l.messages);
    if (!status)
        status = messages_read(&l.messages, sync, meaning, actors, &second, error);
    if (!status && l.odd)
        status = error_set(error, CSY_INPUT, "%s: the file has changed since it was read",
                           sync->trace->name);
    texts_fini(&l.middles.keys);
    SORT(l.middles.items, l.middles.count, compare);
    csy_analysis *made = status ? NULL : calloc(1, sizeof *made);
    if (made)
        status = each ? add_singles(&l, made, error) : add_rows(&l, made, error);
    if (made && !status && !each)
        add_fits(&l, made);
    if (made && !status && !each)
        status = add_directions(&l, made, error);
    status = sheets_finish(status, made, out, error);
    messages_fini(&l.messages);
    for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++)
        fits_fini(&l.fits[as]);
    middles_fini(&l.middles);
    texts_fini(&l.keys);
    texts_fini(&l.directions);
    clip_fini(&l.clip);
    FREE_ALL(l.rows, l.singles);
    return sheets_name_window(status, out, window, error);
}

csy_status csy_sync_latency(csy_sync *sync, const csy_meaning *meaning, const char *actors,
                            const char *window, csy_analysis **out, csy_error *error)
{
    return find_latencies(sync, meaning, actors, window, false, out, error);
}

csy_status csy_sync_each_latency(csy_sync *sync, const csy_meaning *meaning, const char *actors,
                                 const char *window, csy_analysis **out, csy_error *error)
{
    return find_latencies(sync, meaning, actors, window, true, out, error);
}
