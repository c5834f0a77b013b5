/* Steps that enter or leave functions, or that do their work by calls. */
#include "simulator/sim.h"

#include <assert.h>

enum { CALL_SITE = 0x40 };

static struct call_stack *stack_of(struct sim *sim, struct context *context)
{
    return context ? &context->calls : &sim->main.calls;
}

/* Record the addresses of the innermost function of a stack and of the place that called it. */
static int64_t record(struct sim *sim, struct context *context, enum event event, int64_t now)
{
    const struct call_stack *stack = stack_of(sim, context);
    assert(stack->depth > 0);
    const uint64_t payload[PAYLOAD_MAX] = {
        routine_address(stack->routines[stack->depth - 1]),
        stack->depth > 1 ? routine_address(stack->routines[stack->depth - 2]) + CALL_SITE : 0};
    return context
               ? context_record(sim, context, event, now, payload)
               : slots_record(&sim->nodes[0].slots, &sim->main.writer, event, now, now, payload);
}

int64_t calls_enter(struct sim *sim, struct context *context, enum routine routine, int64_t now)
{
    struct call_stack *stack = stack_of(sim, context);
    assert(stack->depth < CALL_DEPTH_MAX);
    stack->routines[stack->depth++] = routine;
    return record(sim, context, EVENT_E, now);
}

int64_t calls_leave(struct sim *sim, struct context *context, int64_t now)
{
    now = record(sim, context, EVENT_X, now);
    stack_of(sim, context)->depth--;
    return now;
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
        /* The current call makes its next call, or ends if it has made all its calls. */
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
