/* The second pass over a trace. It passes on all records. Before each record, it passes on the
 * begins of those waits and calls that began before the record. */
#include "base/array.h"
#include "base/error.h"
#include "instants/reader.h"

#include <stdlib.h>

#define NO_RECORD UINT64_MAX

struct begin {
    struct long_wait wait;
    uint32_t next; /* index of another begin in the same slot, or NO_ITEM */
};

struct slot {
    struct seen seen;
    int64_t greatest;  /* greatest global time of this and all earlier records */
    uint64_t previous; /* position of the previous record of this actor, or NO_RECORD */
    uint32_t begins;   /* first begin of a wait or call between the previous record and this one, or
                        * NO_ITEM */
};

struct merge {
    struct instants *in;
    struct reader reader;
    struct slot *slots; /* ring buffer of the records `head` to `tail` - 1 */
    uint64_t head, tail;
    uint64_t *last; /* for each actor: position of its last decoded record, or NO_RECORD */
    struct begin *begins;
    size_t nbegins, begins_capacity;
    uint32_t free;
    size_t next_long, next_clipped;
    take_instant *take;
    take_actor_calls *calls;
    void *user;
};

static struct slot *slot_of(const struct merge *m, uint64_t position)
{
    return &m->slots[position & (m->in->ahead - 1)];
}

/* Returns the first position after `before` where this record, or an earlier record of the trace,
 * has a greater global time than `global`. Returns `until` if there is none before `until`. */
static uint64_t find_above(const struct merge *m, uint64_t before, uint64_t until, int64_t global)
{
    uint64_t low = before + 1, high = until;
    uint64_t step = 1;
    /* a search from the end is faster, because most waits are short */
    while (high - low >= step && slot_of(m, high - step)->greatest > global) {
        high -= step;
        step *= 2;
    }
    if (high - low > step)
        low = high - step;
    BISECT(low, high, middle, slot_of(m, middle)->greatest <= global);
    return low;
}

/* If two waits or calls of an actor begin at the same time, the longer one comes first, because it
 * contains the other. */
static bool goes_before(const struct long_wait *a, const struct long_wait *b)
{
    int64_t s = a->begin.global_ticks, t = b->begin.global_ticks;
    return s != t ? s < t : a->actor != b->actor ? a->actor < b->actor : a->end > b->end;
}

/* Returns true if a record is later than a global time by more than the timestamp error. */
static bool is_after(const struct merge *m, uint64_t position, int64_t global)
{
    return (int128)slot_of(m, position)->seen.end.global_ticks - global > m->in->imprecision_ticks;
}

static void link_begin(struct merge *m, struct slot *slot, uint32_t item)
{
    uint32_t *link = &slot->begins;
    while (*link != NO_ITEM && !goes_before(&m->begins[item].wait, &m->begins[*link].wait))
        link = &m->begins[*link].next;
    m->begins[item].next = *link;
    *link = item;
}

/* The record at `next` is certainly later than the begin of the wait. `previous` is the position of
 * the actor's last record before `next`. */
static bool place_begin(struct merge *m, const struct long_wait *wait, uint64_t next,
                        uint64_t previous)
{
    int64_t global = wait->begin.global_ticks;
    while (previous != NO_RECORD && previous >= m->head && is_after(m, previous, global)) {
        next = previous;
        previous = slot_of(m, previous)->previous;
    }
    bool held = previous != NO_RECORD && previous >= m->head;
    uint64_t position = wait->ordered ? wait->after + 1
                                      : find_above(m, held ? previous : m->head - 1, next, global);
    uint32_t item;
    if (!ARRAY_TAKE(m->begins, m->begins_capacity, m->nbegins, next, m->free, &item))
        return false;
    m->begins[item].wait = *wait;
    link_begin(m, slot_of(m, position), item);
    return true;
}

/* Insert the begins of those long waits that begin before the last decoded record. */
static bool place_longs(struct merge *m)
{
    const struct instants *in = m->in;
    uint64_t at = m->tail - 1;
    if (m->next_clipped == in->nclipped && m->next_long == in->nlongs)
        return true;
    for (; m->next_clipped < in->nclipped; m->next_clipped++) {
        const struct long_wait *wait = &in->clipped[m->next_clipped];
        if (wait->after >= at)
            break;
        if (!place_begin(m, wait, at, NO_RECORD))
            return false;
    }
    for (; m->next_long < in->nlongs; m->next_long++) {
        const struct long_wait *wait = &in->longs[m->next_long];
        int64_t global = wait->begin.global_ticks;
        uint64_t previous = m->last[wait->actor];
        if (slot_of(m, at)->greatest <= global)
            return true;
        if (previous == at && wait->end == at)
            previous = slot_of(m, at)->previous;
        else if (previous == at && !is_after(m, at, global))
            return true;
        if (!place_begin(m, wait, at, previous))
            return false;
    }
    return true;
}

static csy_status decode(struct merge *m, bool *more, csy_error *error)
{
    const struct instants *in = m->in;
    uint64_t position = m->tail;
    struct slot *slot = slot_of(m, position);
    struct seen *seen = &slot->seen;
    int64_t before = position > 0 ? slot_of(m, position - 1)->greatest : INT64_MIN;
    /* greatest global time of the records that are no longer in the ring buffer */
    int64_t oldest = position >= in->ahead ? slot->greatest : 0;
    csy_status status = CSY_OK;
    if (in->partial) {
        *more = position < in->held.count;
        if (*more)
            *seen = *sorted_record(&in->held, position);
    } else {
        status = reader_next(&m->reader, seen, more, error);
    }
    if (status || !*more)
        return status;
    slot->greatest = seen->end.global_ticks > before ? seen->end.global_ticks : before;
    slot->previous = m->last[seen->actor];
    slot->begins = NO_ITEM;
    m->last[seen->actor] = position;
    m->tail++;
    bool good = place_longs(m);
    if (good && (seen->waits || seen->called) && !wait_is_long(seen, position, in->ahead, oldest)) {
        const struct long_wait wait = wait_of(seen, position);
        good = place_begin(m, &wait, position, slot->previous);
    }
    return good ? CSY_OK : error_memory(error);
}

static csy_status give(struct merge *m, const struct actor *actor, struct actor_instant *instant,
                       csy_error *error)
{
    instant->actor = (uint32_t)(actor - m->in->actors.items);
    instant->state = actor_state(actor, &instant->class);
    instant->unit = actor->on_unit || actor->here ? actor->unit : NO_UNIT;
    instant->has_core = actor->here && !actor->suspended;
    return m->take(m->user, instant, error);
}

/* Pass the oldest record in the ring buffer to m->take, after all begins of waits and calls that
 * precede it. */
static csy_status give_record(struct merge *m, csy_error *error)
{
    struct slot *slot = slot_of(m, m->head);
    const struct seen *seen = &slot->seen;
    struct actor *actors = m->in->actors.items;
    csy_status status = CSY_OK;
    while (!status && slot->begins != NO_ITEM) {
        struct begin *begin = &m->begins[slot->begins];
        const struct long_wait *wait = &begin->wait;
        struct actor *actor = &m->in->actors.items[wait->actor];
        struct actor_instant instant = {.record = wait->end,
                                        .at = wait->begin,
                                        .ordered = wait->ordered && !m->in->partial,
                                        .own = true,
                                        .call = wait->called ? CALL_ENTER : CALL_NONE,
                                        .routine = wait->routine};
        const struct open_wait open = {wait->end, wait->state, wait->class};
        uint32_t item = slot->begins;
        bool early = wait->called && wait->waits && m->head == 0;
        bool good = !wait->waits || early || actor_wait(actor, &open);
        status = good ? give(m, actor, &instant, error) : error_memory(error);
        slot->begins = begin->next;
        if (early) {
            /* this wait is also a call; only the call can have begun before the first record of the
             * trace */
            begin->wait.begin = slot->seen.end;
            begin->wait.called = false;
            begin->wait.routine = NO_TEXT;
            link_begin(m, slot, item);
        } else {
            begin->next = m->free;
            m->free = item;
        }
    }
    struct actor_instant instant = {.record = m->head,
                                    .is_record = true,
                                    .at = seen->end,
                                    .ordered = !m->in->partial,
                                    .own = true,
                                    .seen = seen};
    if (status)
        return status;
    if (seen->calls) {
        instant.call = seen->event_kind.role == ROLE_ENTER ? CALL_ENTER : CALL_EXIT;
        instant.routine = seen->routine;
    }
    enum role role = seen->event_kind.role;
    if (seen->first || seen->last || seen->waits || role == ROLE_STATE || role == ROLE_SUSPEND ||
        role == ROLE_RESUME)
        actor_record(&actors[seen->actor], seen, m->head);
    status = give(m, &actors[seen->actor], &instant, error);
    if (!status && seen->task != NO_ACTOR) {
        instant.own = false;
        instant.seen = NULL;
        instant.call = CALL_NONE;
        actor_task(&actors[seen->task], seen);
        status = give(m, &actors[seen->task], &instant, error);
    }
    m->head++;
    return status;
}

csy_status instants_merge(struct instants *in, take_instant *take, take_actor_calls *calls,
                          void *user, csy_error *error)
{
    struct merge m = {.in = in, .free = NO_ITEM, .take = take, .user = user};
    if (!in->has_intervals && !in->partial)
        m.calls = calls;
    size_t nactors = in->actors.count;
    m.slots = malloc(in->ahead * sizeof *m.slots);
    m.last = malloc((nactors + 1) * sizeof *m.last);
    csy_status status = m.slots && m.last ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < nactors; i++)
        m.last[i] = NO_RECORD;
    if (!status && !in->partial)
        status = reader_open(&m.reader, in->sync, &in->event_kinds, &in->actors, error);
    bool more = true;
    while (!status && (more || m.head < m.tail)) {
        if (m.tail - m.head == in->ahead || !more)
            status = give_record(&m, error);
        bool alone = more && m.calls && m.head == m.tail;
        while (!status && alone) {
            struct actor_call next[READER_CALLS];
            size_t n;
            status = reader_calls(&m.reader, next, &n, error);
            alone = n > 0;
            if (!status && alone)
                status = m.calls(user, next, n, error);
            m.head = m.tail += n;
        }
        if (!status && more)
            status = decode(&m, &more, error);
    }
    if (m.reader.events)
        reader_close(&m.reader);
    FREE_ALL(m.slots, m.last, m.begins);
    return status;
}
