/* Channels whose messages pair as those of rows do. */
#include "output/trace/paired.h"

#include "base/error.h"
#include "base/texts.h"

#include <stdlib.h>
#include <string.h>

static const struct instant *from_of(const struct points *points, uint32_t edge)
{
    return &points->items[points->edges[edge].from];
}

static const struct instant *to_of(const struct points *points, uint32_t edge)
{
    return &points->items[points->edges[edge].to];
}

static const char *key_of(const struct points *points, uint32_t edge)
{
    uint32_t key = points->edges[edge].key;
    return key == NO_KEY ? "" : points->keys + key;
}

/* Bytes that are in a cell, and in a list that blanks separate, as they are. */
static bool is_plain_name(const char *key)
{
    const char *at = key;
    while ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
           (*at && strchr("_./>:", *at)))
        at++;
    return *at == 0 && *key != 0;
}

/* A message of a channel: its ends as rows would be counted. */
struct end_place {
    bool has_begin;
    int64_t x;
    uint64_t position;
};

static struct end_place place_of(const struct points *points, uint32_t point)
{
    const struct instant *at = &points->items[point], *begin = at;
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

/* Whether rows with the name of the channel, whose messages these are, would pair like that: each
 * side of one location and clock, and received in the order of sends. */
static bool pair_alike(const struct points *points, struct message *messages, size_t n)
{
    bool begins[2] = {true, true}, alike = true;
    for (size_t i = 0; i < n && alike; i++) {
        const struct instant *from = from_of(points, messages[i].edge),
                             *to = to_of(points, messages[i].edge),
                             *first_from = from_of(points, messages->edge),
                             *first_to = to_of(points, messages->edge);
        begins[0] &= messages[i].ends[0].has_begin;
        begins[1] &= messages[i].ends[1].has_begin;
        alike = from->location == first_from->location && from->clock == first_from->clock &&
                to->location == first_to->location && to->clock == first_to->clock;
    }
    if (!alike || !is_plain_name(key_of(points, messages->edge)))
        return false;
    if (begins[0] && n > 1)
        qsort(messages, n, sizeof *messages, by_begin);
    for (size_t i = 1; i < n && alike; i++)
        alike = compare_places(&messages[i - 1].ends[0], &messages[i].ends[0], begins[0]) < 0 &&
                compare_places(&messages[i - 1].ends[1], &messages[i].ends[1], begins[1]) < 0;
    return alike;
}

bool paired_is_message(const struct order_edge *edge, int64_t latency_ticks)
{
    return edge->kind == EDGE_APART
               ? edge->latency_ticks > 0
               : edge->kind == EDGE_MESSAGE && (edge->latency_ticks > 0 || latency_ticks == 0);
}

static csy_status judge(const struct points *points, struct message *messages, size_t n,
                        struct paired_message *out, csy_error *error)
{
    csy_status status = CSY_OK;
    struct texts names = {0};
    for (size_t i = 0, end; i < n && !status; i = end) {
        for (end = i; end < n && messages[end].key == messages[i].key;)
            end++;
        const char *key = key_of(points, messages[i].edge);
        uint32_t number;
        bool alike = pair_alike(points, messages + i, end - i);
        /* Channels of messages and of tokens may share a name. */
        if (alike && !texts_find(&names, key, strlen(key), &number, &alike))
            status = error_memory(error);
        for (size_t k = i; k < end; k++)
            out[k] = (struct paired_message){messages[k].edge, alike};
    }
    texts_fini(&names);
    return status;
}

csy_status paired_find(const struct points *points, int64_t latency_ticks,
                       struct paired_message **out, size_t *n, csy_error *error)
{
    *n = 0;
    for (size_t e = 0; e < points->nedges; e++)
        *n += paired_is_message(&points->edges[e], latency_ticks);
    struct message *messages = malloc((*n + 1) * sizeof *messages);
    struct paired_message *found = malloc((*n + 1) * sizeof *found);
    csy_status status = messages && found ? CSY_OK : error_memory(error);
    size_t next = 0;
    for (size_t e = 0; e < points->nedges && !status; e++) {
        const struct order_edge *edge = &points->edges[e];
        if (paired_is_message(edge, latency_ticks))
            messages[next++] = (struct message){
                (uint32_t)e, edge->key, {place_of(points, edge->from), place_of(points, edge->to)}};
    }
    if (!status && next > 1)
        qsort(messages, next, sizeof *messages, by_key_and_record);
    if (!status)
        status = judge(points, messages, next, found, error);
    free(messages);
    if (status)
        free(found);
    else
        *out = found;
    return status;
}
