/* How long messages take. */
#include "analysis/fits.h"
#include "analysis/messages.h"
#include "analysis/middles.h"
#include "analysis/sheets.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define PICO INT64_C(1000000000000)

/* The estimate, the least and the most: figures of a row in middles. */
enum { AT_ESTIMATE, AT_LEAST, AT_MOST, AT_COUNT };

/* Messages of one kind and class and as many bytes. */
struct row {
    uint32_t group;
    uint64_t bytes;
    size_t first, nitems; /* of fits.items */
    uint64_t messages;
    int128 late[AT_COUNT]; /* how long their senders were late */
    bool crosses, no_least, no_most;
};

struct latency {
    struct messages messages;
    struct fits fits; /* by kind and class */
    struct row *rows;
    size_t nrows, capacity;
    struct texts keys;      /* of rows */
    struct middles middles; /* AT_COUNT for each row */
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
    fits_fini(&l->fits);
    return CSY_OK;
}

static csy_status find_group(struct latency *l, const struct message *message, uint32_t *out,
                             csy_error *error)
{
    struct messages *m = &l->messages;
    enum site_class class;
    if (!sites_class(&m->sites, &m->actors, m->sync, message->sender, message->receiver, &class))
        return error_memory(error);
    *out = message_group(message, class);
    return CSY_OK;
}

static csy_status take_first(void *user, const struct message *message, csy_error *error)
{
    struct latency *l = user;
    uint32_t group, pair, sent = message->sent.clock, posted = message->posted.clock;
    csy_status status = find_group(l, message, &group, error);
    if (status)
        return status;
    return fits_add(&l->fits, group, message_bytes(message), &message->sent, &message->received,
                    !message->ordered) &&
                   (sent == posted || clock_pairs_add(&l->fits.pairs, sent, posted, &pair))
               ? CSY_OK
               : error_memory(error);
}

/* Rows are the items of as many bytes, which are next to one another. */
static csy_status make_rows(struct latency *l, csy_error *error)
{
    const struct fit_item *items = l->fits.items;
    for (size_t i = 0, next; i < l->fits.count; i = next) {
        const struct row_key key = {.bytes = items[i].bytes, .group = items[i].group};
        struct row row = {.group = key.group, .bytes = key.bytes, .first = i};
        uint32_t index;
        bool added;
        for (next = i; next < l->fits.count && items[next].group == key.group &&
                       items[next].bytes == key.bytes;
             next++) {
            row.messages += items[next].count;
            row.crosses |= items[next].pair != NO_TEXT;
        }
        row.nitems = next - i;
        if (!ARRAY_RESERVE(l->rows, l->capacity, l->nrows + 1) ||
            !texts_find(&l->keys, (const char *)&key, sizeof key, &index, &added))
            return error_memory(error);
        l->rows[l->nrows++] = row;
    }
    return CSY_OK;
}

static csy_status begin_second(void *user, csy_error *error)
{
    struct latency *l = user;
    (void)error;
    middles_fini(&l->middles);
    for (size_t i = 0; i < l->nrows; i++) {
        struct row *row = &l->rows[i];
        memset(row->late, 0, sizeof row->late);
        row->no_least = row->no_most = false;
    }
    return CSY_OK;
}

/* A time between two moments with what it is at least and at most, or without such limits. */
struct span {
    int64_t at[AT_COUNT];
    bool no_least, no_most;
};

static csy_status find_span(struct latency *l, const struct moment *begin, const struct moment *end,
                            struct span *out, csy_error *error)
{
    int64_t up = 0, down = 0;
    int128 ticks = moments_apart(begin, end);
    *out = (struct span){.no_least = false};
    if (begin->clock != end->clock)
        fits_moves(&l->fits, begin->clock, end->clock, &up, &down);
    out->no_least = down == MOVES_NONE;
    out->no_most = up == MOVES_NONE;
    int128 least = ticks - (out->no_least ? 0 : down), most = ticks + (out->no_most ? 0 : up);
    if (!fits_int64(ticks) || !fits_int64(least) || !fits_int64(most))
        return error_set(error, CSY_INPUT, "a time leaves 64 bits");
    out->at[AT_ESTIMATE] = (int64_t)ticks;
    out->at[AT_LEAST] = (int64_t)least;
    out->at[AT_MOST] = (int64_t)most;
    return CSY_OK;
}

static csy_status take_second(void *user, const struct message *message, csy_error *error)
{
    struct latency *l = user;
    struct row_key key = {.bytes = message_bytes(message)};
    struct span took, late;
    uint32_t index;
    csy_status status = find_group(l, message, &key.group, error);
    if (status)
        return status;
    if (!texts_look(&l->keys, (const char *)&key, sizeof key, &index))
        return error_set(error, CSY_INPUT, "%s: it has changed since it was read",
                         l->messages.sync->trace->name);
    struct row *row = &l->rows[index];
    status = find_span(l, &message->sent, &message->received, &took, error);
    if (!status)
        status = find_span(l, &message->posted, &message->sent, &late, error);
    if (status)
        return status;
    if (message->ordered && message->sent.clock != message->received.clock) {
        took.at[AT_LEAST] =
            fits_not_below_0(took.no_least ? INT64_MIN : took.at[AT_LEAST], took.at[AT_ESTIMATE]);
        took.no_least = false;
    }
    row->no_least |= took.no_least;
    row->no_most |= took.no_most;
    for (unsigned i = 0; i < AT_COUNT; i++) {
        if (!middles_add(&l->middles, index * AT_COUNT + i, took.at[i]))
            return error_memory(error);
        bool none = i == AT_LEAST && late.no_least; /* it may have been early */
        row->late[i] += !none && late.at[i] > 0 ? late.at[i] : 0;
    }
    row->no_most |= late.no_most;
    return CSY_OK;
}

/* --- Tables --- */

static csy_range_kind kind_of(const struct latency *l, bool crosses)
{
    return crosses ? l->fits.pairs.kind : CSY_RANGE_CLOCK;
}

static void set_median(const struct latency *l, uint32_t index, csy_value *out)
{
    const struct row *row = &l->rows[index];
    int64_t lo[AT_COUNT] = {0}, hi[AT_COUNT] = {0};
    for (unsigned i = 0; i < AT_COUNT; i++)
        (void)middles_find(&l->middles, index * AT_COUNT + i, &lo[i], &hi[i]);
    csy_range_kind kind = kind_of(l, row->crosses);
    if (kind == CSY_RANGE_CLOCK && hi[AT_ESTIMATE] > lo[AT_ESTIMATE])
        kind = CSY_RANGE_PROVEN;
    *out = (csy_value){.range = {lo[AT_ESTIMATE], row->no_least ? INT64_MIN : lo[AT_LEAST],
                                 row->no_most ? INT64_MAX : hi[AT_MOST], kind}};
}

static bool set_late(const struct latency *l, const struct row *row, csy_value *out)
{
    if (!fits_int64(row->late[AT_ESTIMATE]) || !fits_int64(row->late[AT_LEAST]) ||
        !fits_int64(row->late[AT_MOST]))
        return false;
    *out = (csy_value){.range = {(int64_t)row->late[AT_ESTIMATE], (int64_t)row->late[AT_LEAST],
                                 row->no_most ? INT64_MAX : (int64_t)row->late[AT_MOST],
                                 kind_of(l, row->crosses)}};
    return true;
}

static bool add_texts(csy_analysis *out, csy_value **value, uint32_t group)
{
    return sheets_set_text(out, (*value)++,
                           message_kind_names[group / SITE_CLASSES % MESSAGE_KINDS]) &&
           sheets_set_text(out, (*value)++, site_class_names[group % SITE_CLASSES]);
}

static csy_status add_rows(struct latency *l, csy_analysis *out, csy_error *error)
{
    bool good = sheets_add(out, "latency") &&
                sheets_add_column(out, "what", CSY_COLUMN_TEXT, false) &&
                sheets_add_column(out, "class", CSY_COLUMN_TEXT, false) &&
                sheets_add_column(out, "bytes", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "messages", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "least", CSY_COLUMN_TICKS, true) &&
                sheets_add_column(out, "mean", CSY_COLUMN_MICROTICKS, true) &&
                sheets_add_column(out, "median", CSY_COLUMN_TICKS, true) &&
                sheets_add_column(out, "late_sender", CSY_COLUMN_TICKS, true);
    for (uint32_t i = 0; i < l->nrows && good; i++) {
        const struct row *row = &l->rows[i];
        const struct fit_item *items = l->fits.items + row->first;
        csy_value *value = sheets_add_row(out);
        good = value && add_texts(out, &value, row->group);
        if (!good)
            break;
        if (message_group_sized(row->group))
            sheets_set_number(value, (int64_t)row->bytes);
        value++;
        sheets_set_number(value++, (int64_t)row->messages);
        fits_least(&l->fits, items, row->nitems, value++);
        fits_mean(&l->fits, items, row->nitems, value++);
        set_median(l, i, value++);
        if (!set_late(l, row, value))
            return error_set(error, CSY_INPUT, "a time leaves 64 bits");
    }
    return good ? CSY_OK : error_memory(error);
}

/* hz * 10^12 / slope, rounded down or up; limited where it rises. */
static int64_t over_slope(uint64_t hz, int64_t slope, bool up)
{
    if (slope <= 0)
        return INT64_MAX;
    int128 all = (int128)hz * PICO, found = up ? ceil_div(all, slope) : floor_div(all, slope);
    return fits_int64(found) ? (int64_t)found : INT64_MAX;
}

/* Bytes a second; none where the line does not rise. */
static void set_bandwidth(uint64_t hz, const csy_value *slope, csy_value *out)
{
    const csy_range *range = &slope->range;
    if (slope->none || range->estimate <= 0)
        return;
    *out = (csy_value){.range = {over_slope(hz, range->estimate, false),
                                 over_slope(hz, range->hi, false), over_slope(hz, range->lo, true),
                                 range->kind}};
    if (range->hi == INT64_MAX)
        out->range.lo = 0;
    if (range->kind == CSY_RANGE_CLOCK)
        out->range.lo = out->range.hi = out->range.estimate;
}

static bool add_fits(struct latency *l, csy_analysis *out)
{
    uint64_t hz = csy_trace_timebase_hz(l->messages.sync->trace);
    bool good = sheets_add(out, "fit") && sheets_add_column(out, "what", CSY_COLUMN_TEXT, false) &&
                sheets_add_column(out, "class", CSY_COLUMN_TEXT, false) &&
                sheets_add_column(out, "messages", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "intercept", CSY_COLUMN_MICROTICKS, true) &&
                sheets_add_column(out, "bytes_per_second", CSY_COLUMN_COUNT, true);
    for (size_t i = 0, next; i < l->nrows && good; i = next) {
        size_t first = l->rows[i].first, n = 0;
        uint64_t messages = 0;
        for (next = i; next < l->nrows && l->rows[next].group == l->rows[i].group; next++) {
            n += l->rows[next].nitems;
            messages += l->rows[next].messages;
        }
        csy_value slope, *value = sheets_add_row(out);
        good = value && add_texts(out, &value, l->rows[i].group);
        if (!good)
            break;
        sheets_set_number(value++, (int64_t)messages);
        fits_line(&l->fits, l->fits.items + first, n, value, &slope);
        set_bandwidth(hz, &slope, value + 1);
    }
    return good;
}

static csy_status make(struct latency *l, csy_analysis **out, csy_error *error)
{
    csy_analysis *analysis = calloc(1, sizeof *analysis);
    csy_status status = analysis ? add_rows(l, analysis, error) : error_memory(error);
    if (!status && !add_fits(l, analysis))
        status = error_memory(error);
    if (status)
        csy_analysis_free(analysis);
    else
        *out = analysis;
    return status;
}

csy_status csy_sync_latency(csy_sync *sync, const csy_meaning *meaning, csy_analysis **out,
                            csy_error *error)
{
    struct latency l = {.rows = NULL};
    const struct messages_sink first = {begin_first, take_first, &l},
                               second = {begin_second, take_second, &l};
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (status)
        return status;
    middles_init(&l.middles, MIDDLES_MAX);
    status = messages_read(&l.messages, sync, meaning, &first, error);
    if (!status)
        status = messages_check(&l.messages, l.fits.count > 0, error);
    if (!status)
        status = fits_finish(&l.fits, sync, error);
    if (!status)
        status = make_rows(&l, error);
    messages_fini(&l.messages);
    if (!status)
        status = messages_read(&l.messages, sync, meaning, &second, error);
    middles_finish(&l.middles);
    if (!status)
        status = make(&l, out, error);
    messages_fini(&l.messages);
    fits_fini(&l.fits);
    middles_fini(&l.middles);
    texts_fini(&l.keys);
    free(l.rows);
    return status;
}
