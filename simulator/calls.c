/* Steps that enter or leave functions, or that do their work by calls. */
#include "simulator/sim.h"

#include <assert.h>

enum { CALL_SITE = 0x40 };

/* Set the values of a record about the innermost function of a stack: the addresses of the function
 * and of its call. */
static void fill(const struct call_stack *stack, uint64_t payload[PAYLOAD_MAX])
{
    assert(stack->depth > 0);
    payload[0] = routine_address(stack->routines[stack->depth - 1]);
    payload[1] =
        stack->depth > 1 ? routine_address(stack->routines[stack->depth - 2]) + CALL_SITE : 0;
}

static void push(struct call_stack *stack, enum routine routine)
{
    assert(stack->depth < CALL_DEPTH_MAX);
    stack->routines[stack->depth++] = routine;
}

int64_t calls_enter(struct sim *sim, struct context *context, enum routine routine, int64_t now)
{
    uint64_t payload[PAYLOAD_MAX] = {0};
    push(&context->calls, routine);
    fill(&context->calls, payload);
    return context_record(sim, context, EVENT_E, now, payload[0], payload[1]);
}

int64_t calls_leave(struct sim *sim, struct context *context, int64_t now)
{
    uint64_t payload[PAYLOAD_MAX] = {0};
    fill(&context->calls, payload);
    context->calls.depth--;
    return context_record(sim, context, EVENT_X, now, payload[0], payload[1]);
}

int64_t calls_main_enter(struct sim *sim, enum routine routine, int64_t now)
{
    uint64_t payload[PAYLOAD_MAX] = {0};
    push(&sim->main.calls, routine);
    fill(&sim->main.calls, payload);
    return slots_record(&sim->nodes[0].slots, &sim->main.writer, EVENT_E, now, now, payload);
}

int64_t calls_main_leave(struct sim *sim, int64_t now)
{
    uint64_t payload[PAYLOAD_MAX] = {0};
    fill(&sim->main.calls, payload);
    sim->main.calls.depth--;
    return slots_record(&sim->nodes[0].slots, &sim->main.writer, EVENT_X, now, now, payload);
}

enum { PHASE_BEGIN, PHASE_ENTER, PHASE_OWN, PHASE_NEXT, PHASE_LEAVE };

int64_t calls_work(struct sim *sim, struct context *context, const struct op *op, int64_t now)
{
    struct call_tour *tour = &context->tour;
    enum shape shape = (enum shape)op->c;
    if (context->phase == PHASE_BEGIN) {
        *tour = (struct call_tour){.cycles = rng_about(&sim->rng, op->a, op->b)};
        context->phase = PHASE_ENTER;
    }
    if (context->phase == PHASE_NEXT) {
        /* Enter the next call below the current call, or leave the current call. */
        bool below =
            tour->level + 1 < shapes[shape].levels && tour->done[tour->level] < shapes[shape].calls;
        context->phase = below ? PHASE_ENTER : PHASE_LEAVE;
        if (below) {
            tour->done[tour->level++]++;
            tour->done[tour->level] = 0;
        }
    }
    int64_t own_cycles = tour->cycles / (int64_t)shapes[shape].levels;
    switch (context->phase) {
    case PHASE_ENTER:
        context->phase = PHASE_OWN;
        return calls_enter(sim, context, tour->level ? shapes[shape].others : shapes[shape].first,
                           now);
    case PHASE_OWN:
        context->phase = PHASE_NEXT;
        for (size_t i = 0; i < tour->level; i++)
            own_cycles /= shapes[shape].calls;
        return now + own_cycles;
    default:
        context->phase = tour->level > 0 ? PHASE_NEXT : PHASE_BEGIN;
        context->op += tour->level == 0;
        tour->level -= tour->level > 0;
        return calls_leave(sim, context, now);
    }
}
