/* Writes the matched partial order of events (which event precedes which) as columns of a CSV. */
#include "output/trace/order_columns.h"

#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "base/sort.h"
#include "base/texts.h"
#include "sync/partial/arrows.h"
#include "sync/partial_order.h"
#include "trace/csv/csv.h"

#include <stdlib.h>
#include <string.h>

/* How the cells of two rows can show that one row precedes the other. Rows can enter and leave a
 * named group: each row that enters the group precedes each row that leaves it. From FORM_MESSAGE
 * to FORM_ALONE, the name in the cell ends in a number. */
enum form {
    FORM_NOTHING, /* no cell shows the edge */
    FORM_CHANNEL, /* a channel with its name from the trace */
    FORM_MESSAGE, /* a channel that has only this message */
    FORM_SHARED,  /* a channel that several locations use */
    FORM_ROOM,    /* a channel where a send waits while too many messages are pending */
    FORM_HUB,     /* a group that any number of rows enter, and any number of rows leave */
    FORM_FROM,    /* a group that one row enters, and any number of rows leave */
    FORM_TO,      /* a group that any number of rows enter, and one row leaves */
    FORM_ALONE,   /* a group that one row enters, and one row leaves */
    FORM_WAITS,   /* the word "yes", if a send waits until its message is received */
    FORM_SHARES,  /* the word "shared", if several locations use the channel of the row */
    FORM_AFTER,   /* the id of the row of the earlier event */
    FORM_FLUSH    /* the time when the block that ends with this row was flushed (written) */
};

struct cell_part {
    uint64_t position;
    uint32_t edge;
    uint8_t column, form;
    uint32_t number; /* number that distinguishes channels or groups with equal names */
};

struct order_columns {
    struct points points;
    struct match *match;
    const struct points *of;
    uint32_t *hub_next; /* for each group: a group that comes after it, or NO_POINT */
    bool *hub_left;
    int64_t latency_ticks; /* default latency of messages */
    bool whole;
    bool blocks, flushes;
    bool hidden; /* true if some messages or latencies cannot be written */
    bool apart;
    bool used[CSV_ORDER_COLUMNS];
    struct cell_part *parts; /* sorted by position and column */
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
    FREE_ALL(columns->hub_next, columns->hub_left, columns->parts, columns->cell, columns);
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

static csy_status add_part(struct order_columns *c, const struct instant *point,
                           struct cell_part part, csy_error *error)
{
    part.position = point->position;
    c->used[part.column] = true;
    return ARRAY_PUSH(c->parts, c->n, c->capacity, part) ? CSY_OK : error_memory(error);
}

static csy_status add_both(struct order_columns *c, uint32_t edge, enum form form, uint32_t number,
                           csy_error *error)
{
    bool message = form >= FORM_CHANNEL && form <= FORM_ROOM;
    struct cell_part part = {.edge = edge,
                             .column = message ? CSV_SEND : CSV_ENTER,
                             .form = (uint8_t)form,
                             .number = number};
    csy_status status = add_part(c, from_of(c, edge), part, error);
    part.column = message ? CSV_RECV : CSV_LEAVE;
    return status ? status : add_part(c, to_of(c, edge), part, error);
}

/* Returns true if the trace does not tell which of several rows is an end of the edge. */
static bool is_loose(const struct order_columns *c, uint32_t edge)
{
    return from_of(c, edge)->kind == INSTANT_LOOSE || to_of(c, edge)->kind == INSTANT_LOOSE;
}

/* --- Messages ------------------------------------------------------------------------------- */

/* The place of a send or a receive among all rows. */
struct end_place {
    bool has_begin; /* true if `ticks` is the begin of the row's interval */
    int64_t ticks;  /* begin of the row's interval, or time of the row */
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
    return (begins ? 2 * COMPARE(a->ticks, b->ticks) : 0) + COMPARE(a->position, b->position);
}

static int by_key_and_record(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    return 4 * COMPARE(x->key, y->key) + 2 * compare_places(&x->ends[0], &y->ends[0], false) +
           compare_places(&x->ends[1], &y->ends[1], false);
}

static int by_begin(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    return compare_places(&x->ends[0], &y->ends[0], true);
}

/* Returns true if readers pair the messages of a channel correctly by its name alone. Both sides
 * must have one location and clock each, and messages must arrive in the order of their sends. */
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
    /* Other bytes in a name would need an escape, so such a channel does not keep its name. */
    const char *key = key_of(c, messages->edge);
    if (!alike || !*key ||
        key[strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./>:")])
        return false;
    if (begins[0])
        SORT(messages, n, by_begin);
    for (size_t i = 1; i < n && alike; i++)
        alike = compare_places(&messages[i - 1].ends[0], &messages[i].ends[0], begins[0]) < 0 &&
                compare_places(&messages[i - 1].ends[1], &messages[i].ends[1], begins[1]) < 0;
    return alike;
}

/* Returns true if rows express the edge as a message, not as a group of two rows. Readers give a
 * message without a latency the default latency, so an edge with latency 0 must then be a group. */
static bool is_message(const struct order_columns *c, const struct order_edge *edge)
{
    return edge->kind == EDGE_APART
               ? edge->latency_ticks > 0
               : edge->kind == EDGE_MESSAGE && (edge->latency_ticks > 0 || c->latency_ticks == 0);
}

/* Add the messages of all channels. Readers pair the sends and receives of a channel by their order
 * (cellsync-csv(5), CSV traces in partial order). If this pairs messages wrongly, or two channels
 * have one name, each message gets a separate channel. O(messages log messages). */
static csy_status add_messages(struct order_columns *c, csy_error *error)
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
    if (!status)
        SORT(messages, n, by_key_and_record);
    struct texts names = {0};
    for (size_t i = 0, end; i < n && !status; i = end) {
        for (end = i; end < n && messages[end].key == messages[i].key;)
            end++;
        const char *key = key_of(c, messages[i].edge);
        uint32_t number;
        bool alike = pair_alike(c, messages + i, end - i);
        /* Channels of messages and of semaphores may have equal names. */
        if (alike && !texts_find(&names, key, strlen(key), &number, &alike))
            status = error_memory(error);
        alike = alike && c->whole;
        for (size_t k = i; k < end && !status; k++) {
            uint32_t e = messages[k].edge;
            if (!is_loose(c, e))
                status = add_both(c, e, alike ? FORM_CHANNEL : FORM_MESSAGE, alike ? 0 : e, error);
        }
    }
    texts_fini(&names);
    free(messages);
    return status;
}

/* --- Other columns ---------------------------------------------------------------------------- */

static int compare_parts(const void *a, const void *b)
{
    const struct cell_part *x = a, *y = b;
    return 16 * COMPARE(x->position, y->position) + 8 * COMPARE(x->column, y->column) +
           4 * COMPARE(x->form, y->form) + 2 * COMPARE(x->number, y->number) +
           COMPARE(x->edge, y->edge);
}

/* If a row has several sends, write a group instead of "yes", because "yes" applies to all sends
 * of the row. */
static csy_status add_waits(struct order_columns *c, csy_error *error)
{
    csy_status status = CSY_OK;
    size_t n = c->n; /* add_part appends to these parts, which are sorted */
    bool sorted = false;
    for (uint32_t e = 0; e < c->of->nedges && !status; e++) {
        if (c->of->edges[e].kind != EDGE_SYNC)
            continue;
        if (!sorted)
            SORT(c->parts, n, compare_parts);
        sorted = true;
        const struct instant *to = to_of(c, e);
        const struct cell_part least = {.position = to->position, .column = CSV_SEND};
        size_t low = 0, high = n, end;
        BISECT(low, high, middle, compare_parts(&c->parts[middle], &least) < 0);
        for (end = low;
             end < n && c->parts[end].position == to->position && c->parts[end].column == CSV_SEND;)
            end++;
        status =
            c->whole && end - low == 1
                ? add_part(c, to,
                           (struct cell_part){.edge = e, .column = CSV_SYNC, .form = FORM_WAITS},
                           error)
                : add_both(c, e, FORM_ALONE, e, error);
    }
    return status;
}

static csy_status add_edge(struct order_columns *c, uint32_t e, csy_error *error)
{
    const struct points *points = c->of;
    const struct order_edge *edge = &points->edges[e];
    const struct instant *from = from_of(c, e), *to = to_of(c, e);
    struct cell_part part = {.edge = e};
    csy_status status = CSY_OK;
    if (is_loose(c, e)) {
        /* If some rows of a shared channel are missing, readers would derive a wrong order. */
        if (!c->whole || (edge->latency_ticks == 0 && c->latency_ticks > 0)) {
            c->hidden = true;
            return CSY_OK;
        }
        status =
            add_both(c, e, edge->kind == EDGE_ROOM ? FORM_ROOM : FORM_SHARED, edge->key, error);
        part.column = CSV_SYNC;
        part.form = FORM_SHARES;
        return status ? status : add_part(c, to, part, error);
    }
    if (edge->kind == EDGE_FLUSH || from->kind == INSTANT_FLUSH || to->kind == INSTANT_FLUSH) {
        c->blocks = true;
        if (to->kind != INSTANT_FLUSH || !c->flushes || !c->whole)
            return CSY_OK;
        c->apart |= to->clock != from->clock;
        part.column = CSV_FLUSH;
        part.form = FORM_FLUSH;
        return to->clock != from->clock ? CSY_OK : add_part(c, from, part, error);
    }
    if (edge->kind == EDGE_CHAIN || edge->kind == EDGE_INTERVAL || edge->kind == EDGE_SYNC ||
        is_message(c, edge) || (instant_is_hub(from) && instant_is_hub(to)))
        return CSY_OK;
    if (edge->kind == EDGE_AFTER || edge->kind == EDGE_JOIN) {
        part = (struct cell_part){
            .edge = e, .column = CSV_ID, .form = FORM_AFTER, .number = edge->from};
        status = c->whole ? add_part(c, from, part, error) : CSY_OK;
        part.column = CSV_AFTER;
        return status || !c->whole ? status : add_part(c, to, part, error);
    }
    part.form = FORM_HUB;
    if (instant_is_hub(to)) {
        part.column = CSV_ENTER;
        for (uint32_t hub = edge->to; hub != NO_POINT && !status; hub = c->hub_next[part.number]) {
            part.number = points->items[hub].clock;
            if (c->hub_left[part.number])
                status = add_part(c, from, part, error);
        }
        return status;
    }
    if (instant_is_hub(from)) {
        part.column = CSV_LEAVE;
        part.number = from->clock;
        return add_part(c, to, part, error);
    }
    if (edge->kind == EDGE_MESSAGE || edge->kind == EDGE_APART)
        return add_both(c, e, FORM_ALONE, e, error);
    const uint32_t *ends = &points->first_edge[edge->to];
    unsigned n = 0;
    for (uint32_t i = ends[0]; i < ends[1] && n < 2; i++)
        n += points->edges[i].kind == edge->kind && points->edges[i].key == edge->key;
    return n == 1 ? add_both(c, e, FORM_FROM, edge->from, error)
                  : add_both(c, e, FORM_TO, edge->to, error);
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
static bool states_latency(const struct order_columns *c, const struct cell_part *part)
{
    int64_t ticks = c->of->edges[part->edge].latency_ticks;
    return part->column == CSV_RECV
               ? ticks != c->latency_ticks
               : (part->column == CSV_AFTER || part->column == CSV_LEAVE) && ticks > 0;
}

/* Set c->hidden if a row needs more than one latency, because a row can state only one. */
static void find_latencies(struct order_columns *c)
{
    size_t longest = 0, stated = 0;
    for (size_t i = 0; i < c->of->nlimits; i++)
        longest += c->of->limits[i].kind == LIMIT_LATENCY;
    for (size_t i = 0, end; i < c->n; i = end) {
        int64_t left = -1, most = -1;
        bool other = false;
        for (end = i; end < c->n && c->parts[end].position == c->parts[i].position; end++) {
            const struct cell_part *part = &c->parts[end];
            int64_t ticks = c->of->edges[part->edge].latency_ticks, limit = INT64_MAX;
            c->used[CSV_LATENCY] |= states_latency(c, part);
            other |= part->column == CSV_RECV || part->column == CSV_AFTER;
            if (part->column == CSV_LEAVE) {
                c->hidden |= left >= 0 && left != ticks;
                left = ticks;
            }
            if (part->column != CSV_RECV || longest == 0)
                continue;
            limit = longest_of(c, part->edge);
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
    bool own = !partial || partial->flat || partial->streamed || partial->loose;
    c->of = own ? &c->points : &partial->points;
    csy_status status = own ? arrows_match(trace, sync, &c->points, &c->match, error) : CSY_OK;
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
    status = status ? status : add_messages(c, error);
    status = status ? status : add_waits(c, error);
    for (uint32_t e = 0; !status && e < c->of->nedges; e++)
        status = add_edge(c, e, error);
    SORT(c->parts, c->n, compare_parts);
    if (!status)
        find_latencies(c);
    c->used[CSV_BLOCK] = c->blocks && c->whole;
    /* Cells of these columns name other rows, which may be missing in a part of the trace. */
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

void order_columns_begin(struct order_columns *columns, struct sheet *sheet)
{
    columns->next = 0;
    for (enum csv_order_column i = 0; i < CSV_ORDER_COLUMNS; i++) {
        if (!columns->used[i])
            continue;
        sheet_put(sheet, ",", 1);
        sheet_put(sheet, csv_order_names[i], strlen(csv_order_names[i]));
    }
}

static csy_status put_text_of(struct order_columns *c, const struct cell_part *part, size_t *size,
                              csy_error *error)
{
    static const char *const marks[] = {
        [FORM_MESSAGE] = "#m", [FORM_SHARED] = "#s", [FORM_ROOM] = "#w",  [FORM_HUB] = "#h",
        [FORM_FROM] = "#f",    [FORM_TO] = "#t",     [FORM_ALONE] = "#e", [FORM_AFTER] = "r"};
    const struct order_edge *edge = &c->of->edges[part->edge];
    const char *key = part->form == FORM_AFTER ? "" : key_of(c, part->edge);
    if (!ARRAY_RESERVE(c->cell, c->cell_capacity, *size + strlen(key) + 32))
        return error_memory(error);
    char *at = c->cell + *size;
    if (*size > 0)
        *at++ = ' ';
    if (part->form == FORM_WAITS)
        at = put_text(at, "yes");
    else if (part->form == FORM_SHARES)
        at = put_text(at, "shared");
    else if (part->column == CSV_LATENCY)
        at = number_put(at, edge->latency_ticks);
    else if (part->column == CSV_LATENCY_MAX)
        at = number_put(at, longest_of(c, part->edge));
    else if (part->form == FORM_CHANNEL)
        at = put_text(at, key);
    else {
        /* Replace characters that separate names or begin a formula. */
        for (const char *k = key; *k; k++) {
            bool odd = (unsigned char)*k <= ' ' || strchr(",;\"'\x7f", *k) ||
                       (k == key && strchr("=+-@", *k));
            *at++ = (char)(odd ? '_' : *k);
        }
        at = number_put_unsigned(put_text(at, marks[part->form]), part->number);
    }
    *size = (size_t)(at - c->cell);
    return CSY_OK;
}

static csy_status put_cell(struct order_columns *c, enum csv_order_column column, size_t first,
                           size_t end, struct sheet *sheet, csy_error *error)
{
    size_t size = 0;
    csy_status status = CSY_OK;
    for (size_t i = first; i < end && !status; i++) {
        const struct cell_part *part = &c->parts[i], *last = part - (i > first);
        bool channel =
            part->form == FORM_CHANNEL || part->form == FORM_SHARED || part->form == FORM_ROOM;
        bool again = i > first && !channel && last->column == column && last->form == part->form &&
                     last->number == part->number &&
                     (part->form == FORM_SHARES || key_of(c, last->edge) == key_of(c, part->edge));
        if (part->column == column && !again)
            status = put_text_of(c, part, &size, error);
    }
    for (size_t i = first; i < end && !status && size == 0; i++) {
        struct cell_part part = c->parts[i];
        part.column = (uint8_t)column;
        if ((column == CSV_LATENCY && states_latency(c, &c->parts[i])) ||
            (column == CSV_LATENCY_MAX && c->parts[i].column == CSV_RECV &&
             longest_of(c, part.edge) < INT64_MAX))
            status = put_text_of(c, &part, &size, error);
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
    while (c->next < c->n && c->parts[c->next].position < event->position)
        c->next++;
    const size_t first = c->next;
    while (c->next < c->n && c->parts[c->next].position == event->position)
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
                if (c->parts[k].column != CSV_FLUSH)
                    continue;
                /* Write the time ("6") or the range ("6/8") of the flush by the clock of its last
                 * row. */
                const struct instant *last = from_of(c, c->parts[k].edge),
                                     *flush = to_of(c, c->parts[k].edge);
                at = number_put(text, local_ticks + (flush->lo - last->lo));
                if (flush->hi != flush->lo)
                    at = number_put(put_text(at, "/"), local_ticks + (flush->hi - last->lo));
                sheet_put(sheet, text, (size_t)(at - text));
            }
        } else if (i >= CSV_SAME) {
            /* Write names of moments that several records share, and readings of other clocks. */
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
