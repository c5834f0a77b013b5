/* What the system counted for actors. */
#include "analysis/activity/spent_times.h"

#include "base/number.h"
#include "sync/solution.h"

/* false: they leave 63 bits. */
static bool set_ticks(const struct instants *in, uint64_t ns, int64_t *out)
{
    enum { NS_PER_S = 1000000000 };
    uint128 ticks = (uint128)ns * in->sync->trace->timebase_hz / NS_PER_S;
    *out = ticks < INT64_MAX ? (int64_t)ticks : 0;
    return ticks < INT64_MAX;
}

/* From nothing where it is known when the actor began, else from what was first told. */
static bool find_from(const struct actor *actor, struct spent *out)
{
    const struct timers *t = &actor->timers;
    *out = t->first;
    if (t->first.at.local_ticks <= actor->first.local_ticks || !t->begins)
        return t->count > 1;
    *out = (struct spent){.at = t->begin};
    return true;
}

/* What its last record told; else what was told last, of the end of a process, which is after all
 * records, rather what was told before that. */
static struct spent find_until(const struct instants *in, const struct timers *t, bool from_first)
{
    if (t->ends && t->own.at.local_ticks > t->first.at.local_ticks)
        return t->own;
    bool late = t->last.at.global_ticks > in->last.global_ticks;
    struct spent out = late && t->count > (from_first ? 2 : 1) ? t->before : t->last;
    if (out.at.global_ticks < t->last.at.global_ticks &&
        out.at.global_ticks < in->last.global_ticks)
        out = t->last;
    if (out.at.global_ticks > in->last.global_ticks)
        out.at = in->last;
    return out;
}

struct spent_time spent_time_of(const struct instants *in, const struct actor *actor)
{
    struct spent_time out = {.known = false};
    struct spent from;
    if (actor->timers.count == 0 || actor->timers.several || actor->nstays != 1 ||
        !find_from(actor, &from))
        return out;
    const struct spent until =
        find_until(in, &actor->timers, from.at.local_ticks == actor->timers.first.at.local_ticks);
    uint64_t spent = until.user_ns + until.system_ns - from.user_ns - from.system_ns;
    uint64_t user = until.user_ns > from.user_ns ? until.user_ns - from.user_ns : 0;
    user = user < spent ? user : spent;
    out.known = from.at.clock == actor->timers.last.at.clock &&
                set_ticks(in, spent, &out.system_ticks) && /* so that both together fit */
                set_ticks(in, user, &out.user_ticks) &&
                set_ticks(in, spent - user, &out.system_ticks) &&
                set_ticks(in, until.runnable_ns - from.runnable_ns, &out.ready_ticks);
    out.from = from.at;
    out.until = until.at;
    return out;
}

void spent_time_rest(const struct spent_time *spent, int64_t *idle_ticks, int64_t *blocked_ticks)
{
    int128 rest = moments_apart(&spent->from, &spent->until) - spent->user_ticks -
                  spent->system_ticks - spent->ready_ticks;
    int64_t left = rest < 0 ? 0 : (int64_t)rest; /* no longer than a clock has run */
    *idle_ticks = spent->idle_ticks < left ? spent->idle_ticks : left;
    *blocked_ticks = left - *idle_ticks;
}

void spent_time_take(struct spent_time *spent, const struct actor_instant *instant)
{
    if (!spent->known)
        return;
    int128 time = spent->core.has ? moments_apart(&spent->core.since, &instant->at) : 0;
    spent->core.ticks += time;
    spent->core.waiting_ticks += spent->core.waits && time > 0 ? time : 0;
    spent->core.since = instant->at;
    spent->core.has = instant->has_core;
    spent->core.waits = instant->has_core && !state_is_active(instant->state);
}

static int128 within(int128 value, int128 least, int128 most)
{
    return value < least ? least : value > most ? most : value;
}

/* An actor executes only where it has a core, and there unless it waits. */
static void widen(const struct spent_time *spent, int128 *lo, int128 *hi)
{
    int128 more = spent->core.ticks - spent->user_ticks - spent->system_ticks;
    *lo -= more > 0 ? more : 0;
    *hi += spent->core.waiting_ticks - (more < 0 ? more : 0);
}

csy_range spent_times_together(const struct spent_time *spent, size_t n, int64_t most, bool told,
                               const csy_range *by_events)
{
    csy_range out = *by_events;
    bool known = false, limited = told && out.kind != CSY_RANGE_UNKNOWN;
    int128 least = 0, lo = limited ? out.lo : 0, hi = limited ? out.hi : INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        int128 own = (int128)spent[i].user_ticks + spent[i].system_ticks;
        if (!spent[i].known)
            continue;
        known = true;
        least = own > least ? own : least;
        if (limited)
            widen(&spent[i], &lo, &hi);
    }
    int128 greatest = most < least ? least : most;
    if (!known || (lo == out.lo && hi == out.hi && least <= lo && hi <= greatest))
        return out;
    out.kind = CSY_RANGE_PROVEN;
    out.lo = (int64_t)within(lo, least, greatest);
    out.hi = (int64_t)within(hi, out.lo, greatest);
    out.estimate = (int64_t)within(out.estimate, out.lo, out.hi);
    return out;
}
