/* The matched partial order of a trace, written as columns of a CSV. */
#include "output/trace/order_columns.h"

#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "base/texts.h"
#include "sync/partial/arrows.h"
#include "sync/partial_order.h"
#include "trace/csv/csv_header.h"

#include <stdlib.h>
#include <string.h>

/* How the cells of a CSV express an edge, which orders two rows. From FORM_MESSAGE to FORM_ALONE, a
 * number follows the name of the channel or group. A group has rows that enter it and rows that
 * leave it; a hub is the point between them. */
enum form {
    FORM_NOTHING, /* no cell: the edge is left out, or follows from the order of rows */
    FORM_CHANNEL, /* a channel with its name from the trace */
    FORM_MESSAGE, /* a channel for one message */
    FORM_SHARED,  /* a channel that several locations use, so that the order of its rows is
                   * unknown */
    FORM_ROOM,    /* like FORM_SHARED, for a send that waits until the channel has room */
    FORM_HUB,     /* a group in which every row that enters precedes every row that leaves */
    FORM_FROM,    /* a group of one row and the rows that follow it */
    FORM_TO,      /* a group of one row and the rows that it follows */
    FORM_ALONE,   /* a group of one row and one row that follows it */
    FORM_WAITS,   /* "yes" for a send that waits for its receive */
    FORM_SHARES,  /* "shared" for a row whose channel is used by several locations */
    FORM_AFTER,   /* the id of an earlier row */
    FORM_FLUSH    /* the time when a block was flushed, in the last row of the block */
};

/* A part of the cell in one row and column, which expresses an edge. The row is at `position`. */
struct said {
    uint64_t position;
    uint32_t edge;
    uint8_t column, form;
    uint32_t number; /* number that distinguishes channels or groups with equal names */
};

struct order_columns {
    struct points points; /* points of all records; unused if the solution has all points */
    struct match *match;
    const struct points *of;
    uint32_t *hub_next;    /* for each hub: point of the hub to which it leads, or NO_POINT */
    bool *hub_left;        /* for each hub: true if a row leaves it */
    int64_t latency_ticks; /* default latency of messages */
    bool whole;
    bool blocks, flushes; /* true if the order has blocks; true if it has their flushes */
    bool hidden;          /* true if some messages or latencies cannot be written */
    bool apart; /* true if a flush is timed by another clock than the last row of its block */
    bool used[CSV_ORDER_COLUMNS];
    struct said *said; /* sorted by position and column */
    size_t n, capacity, next;
    char *cell;
    size_t cell_capacity;
};

void order_columns_free(struct order_columns *columns)
{
    if (!columns)
        return;
    match_free(columns->match);
    points_fini(&columns->points);
    free(columns->hub_next);
    free(columns->hub_left);
    free(columns->said);
    free(columns->cell);
    free(columns);
}

bool order_columns_lack(const struct order_columns *columns)
{
    return columns->blocks && !columns->whole;
}

const char *order_columns_hide(const struct order_columns *columns, bool added)
{
    if (columns->blocks && columns->flushes && (added || columns->apart))
        return "flushes";
    return columns->hidden ? "channels" : NULL;
}

void order_columns_rewind(struct order_columns *columns)
{
    columns->next = 0;
}

static const struct instant *from_of(const struct order_columns *c, uint32_t edge)
{
    return &c->of->items[c->of->edges[edge].from];
}

static const struct instant *to_of(const struct order_columns *c, uint32_t edge)
{
    return &c->of->items[c->of->edges[edge].to];
}

static const char *key_of(const struct order_columns *c, uint32_t edge)
{
    uint32_t key = c->of->edges[edge].key;
    return key == NO_KEY ? "" : c->of->keys + key;
}

static csy_status add_item(struct order_columns *c, const struct instant *point,
                           enum csv_order_column column, const struct said *what, csy_error *error)
{
    if (!ARRAY_RESERVE(c->said, c->capacity, c->n + 1))
        return error_memory(error);
    struct said *said = &c->said[c->n++];
    *said = *what;
    said->position = point->position;
    said->column = (uint8_t)column;
    c->used[column] = true;
    return CSY_OK;
}

/* Express an edge in a cell of each of its two rows, as a message or as a group. */
static csy_status say_both(struct order_columns *c, uint32_t edge, enum form form, uint32_t number,
                           csy_error *error)
{
    const struct said what = {.edge = edge, .form = (uint8_t)form, .number = number};
    bool message = form >= FORM_CHANNEL && form <= FORM_ROOM;
    csy_status status = add_item(c, from_of(c, edge), message ? CSV_SEND : CSV_ENTER, &what, error);
    return status ? status
                  : add_item(c, to_of(c, edge), message ? CSV_RECV : CSV_LEAVE, &what, error);
}

/* Returns true if it is unknown to which of several rows an end of the edge belongs. */
static bool is_loose(const struct order_columns *c, uint32_t edge)
{
    return from_of(c, edge)->kind == INSTANT_LOOSE || to_of(c, edge)->kind == INSTANT_LOOSE;
}

/* --- Messages ------------------------------------------------------------------------------- */

/* The place of a send or a receive among the rows: its row's position, and as x its earliest time,
 * which is a begin if has_begin is true. */
struct end_place {
    bool has_begin;
    int64_t x;
    uint64_t position;
};

static struct end_place place_of(const struct order_columns *c, uint32_t point)
{
    const struct instant *at = &c->of->items[point], *begin = at;
    if (at->kind == INSTANT_END && point > 0 && at[-1].kind == INSTANT_BEGIN &&
        at[-1].position == at->position)
        begin = at - 1;
    return (struct end_place){begin->kind == INSTANT_BEGIN, begin->lo, at->position};
}

struct message {
    uint32_t edge, key;
    struct end_place ends[2];
};

static int compare_places(const struct end_place *a, const struct end_place *b, bool begins)
{
    if (begins && a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

static int by_key_and_record(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    int order = compare_places(&x->ends[0], &y->ends[0], false);
    return order ? order : compare_places(&x->ends[1], &y->ends[1], false);
}

static int by_begin(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    return compare_places(&x->ends[0], &y->ends[0], true);
}

/* Returns true if readers pair the messages of a channel correctly when rows contain only its name.
 * Each side must have one location and clock, and messages must arrive in the order of their
 * sends. */
static bool pair_alike(const struct order_columns *c, struct message *messages, size_t n)
{
    bool begins[2] = {true, true}, alike = true;
    for (size_t i = 0; i < n && alike; i++) {
        const struct instant *from = from_of(c, messages[i].edge), *to = to_of(c, messages[i].edge),
                             *first_from = from_of(c, messages->edge),
                             *first_to = to_of(c, messages->edge);
        begins[0] &= messages[i].ends[0].has_begin;
        begins[1] &= messages[i].ends[1].has_begin;
        alike = from->location == first_from->location && from->clock == first_from->clock &&
                to->location == first_to->location && to->clock == first_to->clock;
    }
    /* The name must not contain a byte that needs an escape in a cell or in a list of words. */
    const char *key = key_of(c, messages->edge);
    if (!alike || !*key ||
        key[strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./>:")])
        return false;
    if (begins[0] && n > 1)
        qsort(messages, n, sizeof *messages, by_begin);
    for (size_t i = 1; i < n && alike; i++)
        alike = compare_places(&messages[i - 1].ends[0], &messages[i].ends[0], begins[0]) < 0 &&
                compare_places(&messages[i - 1].ends[1], &messages[i].ends[1], begins[1]) < 0;
    return alike;
}

/* Returns true if rows express the edge as a message, not as a group of two rows. If messages have
 * a default latency, an edge without latency cannot be a message. */
static bool is_message(const struct order_columns *c, const struct order_edge *edge)
{
    return edge->kind == EDGE_APART
               ? edge->latency_ticks > 0
               : edge->kind == EDGE_MESSAGE && (edge->latency_ticks > 0 || c->latency_ticks == 0);
}

/* Add the messages of all channels. Readers pair the sends and receives of a channel by their order
 * (cellsync-csv(5), CSV traces in partial order). If this pairs messages wrongly, or two channels
 * have one name, each message gets a separate channel. O(messages log messages). */
static csy_status say_messages(struct order_columns *c, csy_error *error)
{
    size_t n = 0, next = 0;
    for (size_t e = 0; e < c->of->nedges; e++)
        n += is_message(c, &c->of->edges[e]);
    struct message *messages = malloc((n + 1) * sizeof *messages);
    csy_status status = messages ? CSY_OK : error_memory(error);
    for (size_t e = 0; e < c->of->nedges && !status; e++) {
        const struct order_edge *edge = &c->of->edges[e];
        if (is_message(c, edge))
            messages[next++] = (struct message){
                (uint32_t)e, edge->key, {place_of(c, edge->from), place_of(c, edge->to)}};
    }
    if (!status && n > 1)
        qsort(messages, n, sizeof *messages, by_key_and_record);
    struct texts names = {0};
    for (size_t i = 0, end; i < n && !status; i = end) {
        for (end = i; end < n && messages[end].key == messages[i].key;)
            end++;
        const char *key = key_of(c, messages[i].edge);
        uint32_t number;
        bool alike = pair_alike(c, messages + i, end - i);
        /* A channel of messages and a channel of tokens may have equal names. */
        if (alike && !texts_find(&names, key, strlen(key), &number, &alike))
            status = error_memory(error);
        alike = alike && c->whole;
        for (size_t k = i; k < end && !status; k++) {
            uint32_t edge = messages[k].edge;
            if (!is_loose(c, edge))
                status =
                    say_both(c, edge, alike ? FORM_CHANNEL : FORM_MESSAGE, alike ? 0 : edge, error);
        }
    }
    texts_fini(&names);
    free(messages);
    return status;
}

/* --- Other columns ---------------------------------------------------------------------------- */

static int compare_said(const void *a, const void *b)
{
    const struct said *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    if (x->form != y->form)
        return x->form < y->form ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

static void sort_said(struct order_columns *c)
{
    if (c->n > 1)
        qsort(c->said, c->n, sizeof *c->said, compare_said);
}

/* Returns the number of messages that a row sends. The first n parts in c->said are sorted. */
static size_t count_sends(const struct order_columns *c, size_t n, uint64_t position)
{
    const struct said least = {.position = position, .column = CSV_SEND};
    size_t lo = 0, hi = n, sends = 0;
    BISECT(lo, hi, middle, compare_said(&c->said[middle], &least) < 0);
    while (lo + sends < n && c->said[lo + sends].position == position &&
           c->said[lo + sends].column == CSV_SEND)
        sends++;
    return sends;
}

/* Mark the sends that wait for their receives. A mark applies to all messages of a row, so a row
 * with several messages gets groups instead. */
static csy_status say_waits(struct order_columns *c, csy_error *error)
{
    csy_status status = CSY_OK;
    bool any = false;
    for (uint32_t e = 0; e < c->of->nedges; e++)
        any |= c->of->edges[e].kind == EDGE_SYNC;
    if (!any)
        return CSY_OK;
    sort_said(c);
    size_t n = c->n;
    for (uint32_t e = 0; e < c->of->nedges && !status; e++) {
        if (c->of->edges[e].kind != EDGE_SYNC)
            continue;
        const struct said waits = {.edge = e, .form = FORM_WAITS};
        bool alone = c->whole && count_sends(c, n, to_of(c, e)->position) == 1;
        status = alone ? add_item(c, to_of(c, e), CSV_SYNC, &waits, error)
                       : say_both(c, e, FORM_ALONE, e, error);
    }
    return status;
}

/* Returns true if edge e is the only edge to its point that has the same kind and key. */
static bool is_only(const struct points *points, uint32_t e)
{
    const struct order_edge *edge = &points->edges[e];
    unsigned n = 0;
    for (uint32_t i = points->first_edge[edge->to]; i < points->first_edge[edge->to + 1] && n < 2;
         i++)
        n += points->edges[i].kind == edge->kind && points->edges[i].key == edge->key;
    return n == 1;
}

/* Add the parts of cells for edge e, except those that say_messages and say_waits have added. */
static csy_status say_edge(struct order_columns *c, uint32_t e, csy_error *error)
{
    const struct order_edge *edge = &c->of->edges[e];
    const struct instant *from = from_of(c, e), *to = to_of(c, e);
    if (is_loose(c, e)) {
        /* The order of this channel follows from all its rows together, so a part of the trace
         * cannot express it. */
        const struct said shares = {.edge = e, .form = FORM_SHARES};
        enum form form = edge->kind == EDGE_ROOM ? FORM_ROOM : FORM_SHARED;
        if (!c->whole || (edge->latency_ticks == 0 && c->latency_ticks > 0)) {
            c->hidden = true;
            return CSY_OK;
        }
        csy_status status = say_both(c, e, form, edge->key, error);
        return status ? status : add_item(c, to, CSV_SYNC, &shares, error);
    }
    if (edge->kind == EDGE_FLUSH || from->kind == INSTANT_FLUSH || to->kind == INSTANT_FLUSH) {
        c->blocks = true;
        if (to->kind != INSTANT_FLUSH || !c->flushes || !c->whole)
            return CSY_OK;
        if (to->clock != from->clock) { /* a row cannot state a time of another clock */
            c->apart = true;
            return CSY_OK;
        }
        return add_item(c, from, CSV_FLUSH, &(struct said){.edge = e, .form = FORM_FLUSH}, error);
    }
    if (edge->kind == EDGE_CHAIN || edge->kind == EDGE_INTERVAL || edge->kind == EDGE_SYNC ||
        is_message(c, edge) || (instant_is_hub(from) && instant_is_hub(to)))
        return CSY_OK;
    if (edge->kind == EDGE_AFTER || edge->kind == EDGE_JOIN) {
        const struct said after = {.edge = e, .form = FORM_AFTER, .number = edge->from};
        csy_status status = c->whole ? add_item(c, from, CSV_ID, &after, error) : CSY_OK;
        return status || !c->whole ? status : add_item(c, to, CSV_AFTER, &after, error);
    }
    if (instant_is_hub(to)) { /* enter this hub and the hubs after it */
        csy_status status = CSY_OK;
        uint32_t number;
        for (uint32_t hub = edge->to; hub != NO_POINT && !status; hub = c->hub_next[number]) {
            number = c->of->items[hub].clock;
            const struct said enter = {.edge = e, .form = FORM_HUB, .number = number};
            if (c->hub_left[number])
                status = add_item(c, from, CSV_ENTER, &enter, error);
        }
        return status;
    }
    if (instant_is_hub(from))
        return add_item(c, to, CSV_LEAVE,
                        &(struct said){.edge = e, .form = FORM_HUB, .number = from->clock}, error);
    /* The edge connects two rows without a hub, and becomes a group. */
    if (edge->kind == EDGE_MESSAGE || edge->kind == EDGE_APART)
        return say_both(c, e, FORM_ALONE, e, error);
    if (is_only(c->of, e))
        return say_both(c, e, FORM_FROM, edge->from, error);
    return say_both(c, e, FORM_TO, edge->to, error);
}

/* Returns the longest latency that a message may have, or INT64_MAX if unlimited. */
static int64_t longest_of(const struct order_columns *c, uint32_t e)
{
    const struct order_edge *edge = &c->of->edges[e];
    const struct order_limit *limits;
    size_t n = points_limits_of(c->of, edge->from, &limits);
    for (size_t i = 0; i < n; i++)
        if (limits[i].kind == LIMIT_LATENCY && limits[i].later == edge->to)
            return limits[i].most_ticks;
    return INT64_MAX;
}

/* Returns true if the latency of an edge is in the column "latency" of its row. */
static bool states_latency(const struct order_columns *c, const struct said *said)
{
    int64_t ticks = c->of->edges[said->edge].latency_ticks;
    return said->column == CSV_RECV
               ? ticks != c->latency_ticks
               : (said->column == CSV_AFTER || said->column == CSV_LEAVE) && ticks > 0;
}

/* Find which latencies the columns can express. A row has one latency, which applies to its
 * messages and to the edges in the column "after" or, without such edges, to the groups in the
 * column "leave". A row also has one longest latency. */
static void find_latencies(struct order_columns *c)
{
    size_t longest = 0, stated = 0;
    for (size_t i = 0; i < c->of->nlimits; i++)
        longest += c->of->limits[i].kind == LIMIT_LATENCY;
    for (size_t i = 0, end; i < c->n; i = end) {
        int64_t left = -1, most = -1;
        bool other = false;
        for (end = i; end < c->n && c->said[end].position == c->said[i].position; end++) {
            const struct said *said = &c->said[end];
            int64_t ticks = c->of->edges[said->edge].latency_ticks, limit = INT64_MAX;
            c->used[CSV_LATENCY] |= states_latency(c, said);
            other |= said->column == CSV_RECV || said->column == CSV_AFTER;
            if (said->column == CSV_LEAVE) {
                c->hidden |= left >= 0 && left != ticks;
                left = ticks;
            }
            if (said->column != CSV_RECV || longest == 0)
                continue;
            limit = longest_of(c, said->edge);
            c->hidden |= most >= 0 && most != limit;
            c->used[CSV_LATENCY_MAX] |= limit < INT64_MAX;
            stated += limit < INT64_MAX;
            most = limit;
        }
        c->hidden |= left > 0 && other;
    }
    c->hidden |= stated < longest;
}

csy_status order_columns_new(struct csy_trace *trace, const struct csy_sync *sync, bool whole,
                             struct order_columns **out, csy_error *error)
{
    const struct partial *partial = sync->partial;
    struct order_columns *c = calloc(1, sizeof *c);
    if (!c)
        return error_memory(error);
    c->latency_ticks = sync->latency_ticks;
    c->whole = whole;
    c->flushes = trace->granularity == GRANULARITY_FLUSH;
    c->of = partial ? &partial->points : &c->points;
    csy_status status = CSY_OK;
    if (!partial || partial->flat || partial->streamed || partial->loose) {
        c->of = &c->points;
        status = arrows_match(trace, sync, &c->points, &c->match, error);
    }
    size_t nhubs = c->of->nhubs;
    c->hub_next = malloc((nhubs + 1) * sizeof *c->hub_next);
    c->hub_left = calloc(nhubs + 1, sizeof *c->hub_left);
    if (!status && (!c->hub_next || !c->hub_left))
        status = error_memory(error);
    for (size_t i = 0; i < nhubs && !status; i++)
        c->hub_next[i] = NO_POINT;
    for (uint32_t e = 0; e < c->of->nedges && !status; e++) {
        const struct instant *from = from_of(c, e);
        if (instant_is_hub(from) && instant_is_hub(to_of(c, e)))
            c->hub_next[from->clock] = c->of->edges[e].to;
        else if (instant_is_hub(from))
            c->hub_left[from->clock] = true;
    }
    if (!status)
        status = say_messages(c, error);
    if (!status)
        status = say_waits(c, error);
    for (uint32_t e = 0; !status && e < c->of->nedges; e++)
        status = say_edge(c, e, error);
    sort_said(c);
    if (!status)
        find_latencies(c);
    c->used[CSV_BLOCK] = c->blocks && c->whole;
    /* These columns may refer to other rows, which a part of the trace may lack. */
    c->used[CSV_SAME] = whole && trace->metadata.orders.moments;
    c->used[CSV_OTHER_CLOCK] = c->used[CSV_OTHER_TIME] = whole && trace->metadata.orders.compare;
    c->used[CSV_WITHIN] = c->used[CSV_SAME] || c->used[CSV_OTHER_CLOCK];
    if (status)
        order_columns_free(c);
    else
        *out = c;
    return status;
}

/* --- Rows ----------------------------------------------------------------------------------- */

void order_columns_put_names(const struct order_columns *columns, struct sheet *sheet)
{
    for (enum csv_order_column i = 0; i < CSV_ORDER_COLUMNS; i++) {
        if (!columns->used[i])
            continue;
        sheet_put(sheet, ",", 1);
        sheet_put(sheet, csv_order_names[i], strlen(csv_order_names[i]));
    }
}

/* Append the text of a part to the cell. */
static csy_status put_text_of(struct order_columns *c, const struct said *said, size_t *size,
                              csy_error *error)
{
    static const char *const marks[] = {
        [FORM_MESSAGE] = "#m", [FORM_SHARED] = "#s", [FORM_ROOM] = "#w",  [FORM_HUB] = "#h",
        [FORM_FROM] = "#f",    [FORM_TO] = "#t",     [FORM_ALONE] = "#e", [FORM_AFTER] = "r"};
    const struct order_edge *edge = &c->of->edges[said->edge];
    const char *key = said->form == FORM_AFTER ? "" : key_of(c, said->edge);
    if (!ARRAY_RESERVE(c->cell, c->cell_capacity, *size + strlen(key) + 32))
        return error_memory(error);
    char *at = c->cell + *size;
    if (*size > 0)
        *at++ = ' ';
    if (said->form == FORM_WAITS)
        at = put_text(at, "yes");
    else if (said->form == FORM_SHARES)
        at = put_text(at, "shared");
    else if (said->column == CSV_LATENCY)
        at = number_put(at, edge->latency_ticks);
    else if (said->column == CSV_LATENCY_MAX)
        at = number_put(at, longest_of(c, said->edge));
    else if (said->form == FORM_CHANNEL)
        at = put_text(at, key);
    else {
        /* Write the name of a channel or group. Blanks, and characters that begin a formula, are
         * replaced. The number makes the name unique. */
        for (const char *k = key; *k; k++) {
            bool odd = (unsigned char)*k <= ' ' || strchr(",;\"'\x7f", *k) ||
                       (k == key && strchr("=+-@", *k));
            *at++ = (char)(odd ? '_' : *k);
        }
        at = number_put_unsigned(put_text(at, marks[said->form]), said->number);
    }
    *size = (size_t)(at - c->cell);
    return CSY_OK;
}

/* Returns true if part b would repeat part a of the same cell. Only channels may be repeated. */
static bool is_same(const struct order_columns *c, const struct said *a, const struct said *b)
{
    return a->column == b->column && a->form == b->form && a->number == b->number &&
           a->form != FORM_CHANNEL && a->form != FORM_SHARED && a->form != FORM_ROOM &&
           (a->form == FORM_SHARES || key_of(c, a->edge) == key_of(c, b->edge));
}

/* Write the cell of a row in a column. The parts of the row are said[first] to said[end - 1]. */
static csy_status put_cell(struct order_columns *c, enum csv_order_column column, size_t first,
                           size_t end, struct sheet *sheet, csy_error *error)
{
    size_t size = 0;
    csy_status status = CSY_OK;
    for (size_t i = first; i < end && !status; i++)
        if (c->said[i].column == column &&
            (i == first || !is_same(c, &c->said[i - 1], &c->said[i])))
            status = put_text_of(c, &c->said[i], &size, error);
    for (size_t i = first; i < end && !status && size == 0; i++) {
        struct said said = c->said[i];
        said.column = (uint8_t)column;
        if ((column == CSV_LATENCY && states_latency(c, &c->said[i])) ||
            (column == CSV_LATENCY_MAX && c->said[i].column == CSV_RECV &&
             longest_of(c, said.edge) < INT64_MAX))
            status = put_text_of(c, &said, &size, error);
    }
    if (!status && size > 0)
        sheet_put_field(sheet, c->cell, size);
    return status;
}

csy_status order_columns_put(struct order_columns *c, const struct event *event,
                             int64_t local_ticks, struct sheet *sheet, csy_error *error)
{
    csy_status status = CSY_OK;
    const struct event_roles *roles = event->roles;
    char text[2 * NUMBER_DIGITS_MAX + 1], *at;
    while (c->next < c->n && c->said[c->next].position < event->position)
        c->next++;
    const size_t first = c->next;
    while (c->next < c->n && c->said[c->next].position == event->position)
        c->next++;
    for (enum csv_order_column i = 0; i < CSV_ORDER_COLUMNS && !status; i++) {
        if (!c->used[i])
            continue;
        sheet_put(sheet, ",", 1);
        if (i == CSV_BLOCK) {
            if (roles && roles->block.size > 0 && roles->flush != FLUSH_ITSELF)
                sheet_put(sheet, roles->block.bytes, roles->block.size);
        } else if (i == CSV_FLUSH) {
            for (size_t k = first; k < c->next; k++) {
                if (c->said[k].column != CSV_FLUSH)
                    continue;
                /* Write when the block was flushed, by the clock of its last row: "6", or "6/8". */
                const struct instant *last = from_of(c, c->said[k].edge),
                                     *flush = to_of(c, c->said[k].edge);
                at = number_put(text, local_ticks + (flush->lo - last->lo));
                if (flush->hi != flush->lo)
                    at = number_put(put_text(at, "/"), local_ticks + (flush->hi - last->lo));
                sheet_put(sheet, text, (size_t)(at - text));
            }
        } else if (i >= CSV_SAME) {
            /* Write what the record states about its moment or about another clock. */
            bool same = roles->same.size > 0, other = roles->other_clock.size > 0;
            if (i == CSV_SAME && same)
                sheet_put(sheet, roles->same.bytes, roles->same.size);
            else if (i == CSV_OTHER_CLOCK && other)
                sheet_put(sheet, roles->other_clock.bytes, roles->other_clock.size);
            else if (i == CSV_OTHER_TIME && other)
                sheet_put(sheet, text, (size_t)(number_put(text, roles->other_ticks) - text));
            else if (i == CSV_WITHIN && (same || other))
                sheet_put(sheet, text, (size_t)(number_put(text, roles->within_ticks) - text));
        } else {
            status = put_cell(c, i, first, c->next, sheet, error);
        }
    }
    return status;
}
