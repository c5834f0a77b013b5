/* Messages between ranks. */
#include "simulator/network.h"

#include <assert.h>

size_t network_width(size_t ranks)
{
    size_t width = 1;
    for (size_t i = 2; i * i <= ranks; i++)
        if (ranks % i == 0)
            width = i;
    return width;
}

static size_t rank_of(const struct sim *sim, const struct context *context)
{
    return (size_t)(context - sim->contexts);
}

static bool even_to(const struct sim *sim, size_t rank, int neighbour)
{
    return (neighbour < 2 ? rank % sim->width : rank / sim->width) % 2 == 0;
}

/* Find a neighbour of a rank by a number from 0 to 3. Neighbours 0 and 1 are in the row of the
 * rank, 2 and 3 in its column. If rank a is neighbour k of rank b, then b is neighbour k of a.
 * Returns false if the neighbour does not exist. */
static bool find_neighbour(const struct sim *sim, size_t rank, int neighbour, size_t *out)
{
    size_t column = rank % sim->width, row = rank / sim->width;
    bool next = even_to(sim, rank, neighbour) == (neighbour % 2 == 0);
    size_t at = neighbour < 2 ? column : row;
    size_t limit = neighbour < 2 ? sim->width : sim->ncontexts / sim->width;
    size_t by = neighbour < 2 ? 1 : sim->width;
    *out = next ? rank + by : rank - by;
    return next ? at + 1 < limit : at > 0;
}

static int64_t latency(bool same_node, int64_t bytes)
{
    return (same_node ? NET_SAME_NODE : NET_OTHER_NODE) + bytes / NET_BYTES_PER_CYCLE;
}

int64_t network_latency_ticks(const struct machine *machine, bool same_node, int64_t bytes)
{
    return machine_ticks(machine, NET_CALL + latency(same_node, bytes) + NET_CALL);
}

/* Returns a random delay due to other messages, which is mostly short and sometimes long. */
static int64_t queued(struct sim *sim)
{
    return rng_below(&sim->rng, rng_below(&sim->rng, NET_QUEUE) + 1);
}

static bool same_node(const struct sim *sim, size_t a, size_t b)
{
    return sim->contexts[a].node == sim->contexts[b].node;
}

/* Begin a send. Returns when the sender continues, or NEVER if the receiver must wake it. */
static int64_t begin_send(struct sim *sim, const struct context *context, size_t to,
                          struct link *link, const struct op *op, int64_t now)
{
    bool near = same_node(sim, rank_of(sim, context), to);
    assert(!link->sent);
    link->sent = true;
    link->arrives = now + NET_CALL + latency(near, op->a) + queued(sim);
    if (link->receiver_waits)
        context_wake(sim, &sim->contexts[to], link->arrives + NET_CALL);
    if (!op->b)
        return now + NET_CALL;
    link->sender_waits = !link->posted;
    return link->posted ? later(now + NET_CALL, link->posted_at + latency(near, 0)) : NEVER;
}

static int64_t begin_receive(struct sim *sim, const struct context *context, size_t from,
                             struct link *link, int64_t now)
{
    bool near = same_node(sim, rank_of(sim, context), from);
    link->posted = true;
    link->posted_at = now;
    if (link->sender_waits)
        context_wake(sim, &sim->contexts[from], now + NET_CALL + latency(near, 0));
    link->receiver_waits = !link->sent;
    return link->sent ? later(now, link->arrives) + NET_CALL : NEVER;
}

int64_t network_swap(struct sim *sim, struct context *context, const struct op *op, int64_t now)
{
    size_t me = rank_of(sim, context), other;
    int neighbour = context->swap / 2;
    if (context->swap >= 2 * NEIGHBOURS) {
        context->swap = 0;
        context->op++;
        return now;
    }
    if (!find_neighbour(sim, me, neighbour, &other)) {
        context->swap += 2;
        return now;
    }
    bool sends = even_to(sim, me, neighbour) == (context->swap % 2 == 0);
    struct link *link = &sim->links[(sends ? other : me) * NEIGHBOURS + (size_t)neighbour];
    if (context->phase == 0) {
        context->phase = 1;
        context->begin = now;
        return sends ? begin_send(sim, context, other, link, op, now)
                     : begin_receive(sim, context, other, link, now);
    }
    context->phase = 0;
    context->swap++;
    if (!sends)
        *link = (struct link){.sent = false};
    enum event event = sends ? op->b ? EVENT_MPI_SSEND : EVENT_MPI_SEND : EVENT_MPI_RECV;
    return context_record(sim, context, event, now,
                          PAYLOAD(other, (uint64_t)neighbour, (uint64_t)op->a));
}

int64_t network_meet(struct sim *sim, struct context *context, const struct op *op, int64_t now)
{
    struct shared *shared = &sim->shared;
    if (!op->a) {
        context->op++;
        return now;
    }
    if (context->phase == 1) {
        context->phase = 0;
        context->op++;
        return context_record(sim, context, EVENT_MPI_BARRIER, now,
                              PAYLOAD((uint64_t)context->round));
    }
    context->phase = 1;
    context->begin = now;
    if (++shared->arrived < sim->ncontexts) {
        line_join(&shared->barrier, context);
        return NEVER;
    }
    shared->arrived = 0;
    int64_t far = now + NET_CALL + latency(sim->nnodes == 1, 0);
    for (struct context *c; (c = line_leave(&shared->barrier));)
        context_wake(sim, c, far + queued(sim));
    return far + queued(sim);
}
