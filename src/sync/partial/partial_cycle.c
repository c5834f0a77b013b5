/* A cycle of records, in words. */
#include "sync/partial/partial_cycle.h"

#include "base/error.h"
#include "order/match.h"
#include "sync/partial_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CYCLE_STEPS_MAX = 6, STEP_TEXT_MAX = 2 * ERROR_ESCAPED_MAX };

/* "line 7 before line 12 (channel 'x')" */
static void describe_step(const struct csy_sync *sync, const struct visit_step *step,
                          char text[STEP_TEXT_MAX])
{
    static const char *const words[EDGE_KINDS] = {
        [EDGE_CHAIN] = "thread",    [EDGE_AFTER] = "after",        [EDGE_MESSAGE] = "channel",
        [EDGE_SYNC] = "channel",    [EDGE_ENTER] = "group",        [EDGE_LEAVE] = "group",
        [EDGE_FLUSH] = "its block", [EDGE_INTERVAL] = "its begin", [EDGE_LOCK] = "lock",
        [EDGE_ROOM] = "channel",    [EDGE_SPAWN] = "spawn",        [EDGE_JOIN] = "join",
        [EDGE_APART] = "channel"};
    const struct points *points = &sync->partial->points;
    const struct instant *from = &points->items[step->from], *to = &points->items[step->to];
    const char *place = sync->trace->source->place, *word = words[step->kind];
    csy_text name = {NULL, 0};
    char shown[ERROR_ESCAPED_MAX];
    if (step->kind == EDGE_CHAIN && step->buffer) {
        word = "buffer";
        name = match_buffer(sync->partial->match, from->buffer);
    } else if (step->kind == EDGE_CHAIN) {
        name = match_location(sync->partial->match, from->location);
    } else if (step->key != NO_KEY) {
        name = (csy_text){points->keys + step->key, strlen(points->keys + step->key)};
    }
    snprintf(text, STEP_TEXT_MAX, "%s %" PRIu64 " before %s %" PRIu64 " (%s%s%s%s)", place,
             from->place, place, to->place, word, name.bytes ? " '" : "",
             name.bytes ? error_escape(shown, name.bytes, name.size) : "", name.bytes ? "'" : "");
}

/* Steps within one record, and by way of hubs, are not told by themselves: where the i-th goes on
 * to. */
static struct visit_step join_steps(const struct csy_sync *sync, const struct visit_cycle *cycle,
                                    size_t i)
{
    const struct instant *points = sync->partial->points.items;
    struct visit_step step = cycle->steps[i];
    for (size_t next = i + 1; instant_is_hub(&points[step.to]); next++)
        step.to = cycle->steps[next % cycle->length].to;
    return step;
}

static bool has_group(const struct visit_cycle *cycle)
{
    for (size_t i = 0; i < cycle->length; i++)
        if (cycle->steps[i].kind == EDGE_ENTER || cycle->steps[i].kind == EDGE_LEAVE)
            return true;
    return false;
}

/* A cycle of records. */
csy_status partial_refuse_cycle(const struct csy_sync *sync, const struct visit_cycle *cycle,
                                csy_error *error)
{
    const struct instant *points = sync->partial->points.items;
    char text[STEP_TEXT_MAX * CYCLE_STEPS_MAX + 64];
    size_t size = 0, shown = 0, first = 0;
    for (size_t i = 0; i < cycle->length; i++)
        if (points[cycle->steps[i].from].position < points[cycle->steps[first].from].position)
            first = i;
    for (size_t i = 0; i < cycle->length && shown < CYCLE_STEPS_MAX; i++) {
        char step_text[STEP_TEXT_MAX];
        size_t at = (first + i) % cycle->length;
        if (instant_is_hub(&points[cycle->steps[at].from]))
            continue;
        struct visit_step step = join_steps(sync, cycle, at);
        if (points[step.from].position == points[step.to].position &&
            !instant_is_hub(&points[cycle->steps[at].to]))
            continue;
        describe_step(sync, &step, step_text);
        size += (size_t)snprintf(text + size, sizeof text - size, "%s%s", shown++ ? ", " : "",
                                 step_text);
    }
    const char *more = shown == CYCLE_STEPS_MAX ? ", ..." : "";
    bool rows = sync->trace->source->carried == CARRIED_ROWS;
    if (rows && has_group(cycle))
        return error_set(error, CSY_INPUT,
                         "%s: the order is a cycle: %s%s; groups, unlike channels, do not count "
                         "instances: does each have a name of its own, such as g/1, g/2?",
                         sync->trace->name, text, more);
    return error_set(error, CSY_INPUT,
                     "%s: the order is a cycle: %s%s; are the %ss of each thread in program order, "
                     "and sends before what they send has left?",
                     sync->trace->name, text, more, rows ? "row" : "record");
}
