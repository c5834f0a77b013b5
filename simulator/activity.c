/* Computes the activity of the program in true time, and writes it. */
#include "simulator/activity.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>

enum state {
    STATE_ACTIVE,
    STATE_SWITCH,
    STATE_READY,
    STATE_BLOCKED,
    STATE_IDLE,
    STATE_ABSENT,
    STATES
};

static const char *const state_names[STATES] = {"active",  "switch", "ready",
                                                "blocked", "idle",   "absent"};
static const char *const wait_names[WAITS] = {"",      "dma",     "mailbox", "mailbox",
                                              "mutex", "barrier", "task",    "message"};

/* A length of time, in cycles and in ticks of the PPE's timebase. */
struct span {
    int64_t cycles, ticks;
};

struct routine_sums {
    const char *name;
    uint64_t calls, recursive;
    size_t active;
    int64_t entered; /* begin of the outermost active call, in cycles */
    struct span direct, cumulative;
};

/* The place of a context: not started; started, but without an SPE; loaded on an SPE; or on an SPE
 * after its first record there. */
enum place { PLACE_NONE, PLACE_STARTED, PLACE_LOADED, PLACE_STAYS };

struct actor {
    bool spe;
    enum place place;
    int64_t since;
    bool seen;           /* true if the actor has recorded something */
    uint32_t stay;       /* number of loads of the context on an SPE before its last record */
    int64_t first, last; /* first and last record since the context was loaded, in cycles */
    struct span states[STATES];
    uint64_t nwaits[WAITS];
    struct span waits[WAITS];
    struct routine_sums *routines;
    size_t nroutines, routines_capacity;
    size_t *stack;
    size_t depth, stack_capacity;
};

/* A change of the number of active contexts, by 1 or -1. */
struct change {
    int64_t time;
    int by;
};

struct messages {
    struct activity_message *items;
    size_t count, capacity;
};

struct activity {
    const struct machine *machine;
    int64_t zero_ticks;
    size_t nspes, nactors;
    struct actor *actors;
    struct change *changes;
    size_t nchanges, changes_capacity;
    struct messages sends, receives;
    bool seen, failed;
    int64_t first, last; /* earliest and latest time of an event of any actor, in cycles */
};

/* --- Making --------------------------------------------------------------------------------- */

csy_status activity_new(const struct machine *machine, int64_t zero_ticks, size_t nspes,
                        size_t nppes, struct activity **out, csy_error *error)
{
    struct activity *a = calloc(1, sizeof *a);
    if (!a)
        return error_memory(error);
    *out = a;
    a->machine = machine;
    a->zero_ticks = zero_ticks;
    a->nspes = nspes;
    a->nactors = nspes + nppes;
    a->actors = calloc(a->nactors, sizeof *a->actors);
    if (!a->actors)
        return error_memory(error);
    for (size_t i = 0; i < nspes; i++)
        a->actors[i].spe = true;
    return CSY_OK;
}

void activity_free(struct activity *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->nactors && a->actors; i++) {
        free(a->actors[i].routines);
        free(a->actors[i].stack);
    }
    FREE_ALL(a->actors, a->changes, a->sends.items, a->receives.items, a);
}

/* --- States --------------------------------------------------------------------------------- */

/* Returns the reading of the PPE's timebase at a time in cycles. */
static long long shown_at(const struct activity *a, int64_t time)
{
    return a->zero_ticks + machine_ticks(a->machine, time);
}

static struct span between(const struct activity *a, int64_t from, int64_t to)
{
    return (struct span){to - from,
                         machine_ticks(a->machine, to) - machine_ticks(a->machine, from)};
}

static void grow(struct span *sum, struct span by, int sign)
{
    sum->cycles += sign * by.cycles;
    sum->ticks += sign * by.ticks;
}

static void change(struct activity *a, const struct actor *actor, int64_t time, int by)
{
    if (actor->spe)
        a->failed |=
            !ARRAY_PUSH(a->changes, a->nchanges, a->changes_capacity, (struct change){time, by});
}

static void leave_place(struct activity *a, struct actor *actor, enum place to, int64_t time)
{
    struct span span = between(a, actor->since, time);
    if (actor->place == PLACE_STARTED)
        grow(&actor->states[STATE_READY], span, 1);
    if (actor->place == PLACE_LOADED)
        grow(&actor->states[STATE_SWITCH], span, 1);
    actor->place = to;
    actor->since = time;
}

/* Add the time from an actor's first record since its loading to its last record to the active
 * time. activity_record has already subtracted the waits. */
static void end_stay(struct activity *a, struct actor *actor)
{
    grow(&actor->states[STATE_ACTIVE], between(a, actor->first, actor->last), 1);
    change(a, actor, actor->last, -1);
}

static void leave_spe(struct activity *a, struct actor *actor, enum place to)
{
    end_stay(a, actor);
    actor->place = to;
    actor->since = actor->last;
}

void activity_record(struct activity *a, size_t index, const struct activity_record *record)
{
    struct actor *actor = &a->actors[index];
    bool late = actor->seen && actor->place != PLACE_STAYS && record->stay == actor->stay;
    int64_t from = record->wait && !actor->spe ? record->begin : record->time;
    a->first = !a->seen || from < a->first ? from : a->first;
    a->last = !a->seen || record->time > a->last ? record->time : a->last;
    a->seen = actor->seen = true;
    if (late && actor->spe)
        return; /* the PPE has already recorded that the context left its SPE */
    if (actor->place != PLACE_STAYS) {
        leave_place(a, actor, PLACE_STAYS, record->time);
        actor->stay = record->stay;
        actor->first = actor->last = record->time;
        change(a, actor, record->time, 1);
    }
    if (actor->depth > 0)
        grow(&actor->routines[actor->stack[actor->depth - 1]].direct,
             between(a, actor->last, record->time), 1);
    if (record->wait) {
        /* On the PPE, a wait counts even if it began before the first record of its thread. On an
         * SPE, only the part after the first record since the loading of the context counts. */
        if (!actor->spe && record->begin < actor->first)
            actor->first = record->begin;
        int64_t begin = later(record->begin, actor->first);
        struct span span = between(a, begin, record->time);
        grow(&actor->states[STATE_ACTIVE], span, -1);
        grow(&actor->states[record->wait == WAIT_INBOX ? STATE_IDLE : STATE_BLOCKED], span, 1);
        grow(&actor->waits[record->wait], span, 1);
        actor->nwaits[record->wait]++;
        change(a, actor, begin, -1);
        change(a, actor, record->time, 1);
    }
    actor->last = record->time;
}

void activity_switch(struct activity *a, size_t index, enum event event, int64_t time)
{
    struct actor *actor = &a->actors[index];
    bool stays = actor->place == PLACE_STAYS;
    switch (event) {
    case EVENT_THREAD_START:
        leave_place(a, actor, PLACE_STARTED, time);
        break;
    case EVENT_SWITCH_IN:
        if (!stays)
            leave_place(a, actor, PLACE_LOADED, time);
        break;
    case EVENT_SWITCH_OUT:
        if (stays)
            leave_spe(a, actor, PLACE_LOADED);
        leave_place(a, actor, PLACE_STARTED, time);
        break;
    case EVENT_THREAD_STOP:
        if (stays)
            leave_spe(a, actor, PLACE_STARTED);
        leave_place(a, actor, PLACE_NONE, time);
        break;
    default:
        break;
    }
}

/* --- Calls, messages ------------------------------------------------------------------------ */

void activity_enter(struct activity *a, size_t index, const char *name, int64_t time)
{
    struct actor *actor = &a->actors[index];
    size_t at = 0;
    while (at < actor->nroutines && actor->routines[at].name != name)
        at++;
    a->failed |= !ARRAY_RESERVE(actor->routines, actor->routines_capacity, at + 1);
    if (!a->failed && at == actor->nroutines)
        actor->routines[actor->nroutines++] = (struct routine_sums){.name = name};
    a->failed |= !ARRAY_RESERVE(actor->stack, actor->stack_capacity, actor->depth + 1);
    if (a->failed)
        return;
    struct routine_sums *routine = &actor->routines[at];
    routine->calls++;
    routine->recursive += routine->active > 0;
    if (routine->active++ == 0)
        routine->entered = time;
    actor->stack[actor->depth++] = at;
}

void activity_leave(struct activity *a, size_t index, int64_t time)
{
    struct actor *actor = &a->actors[index];
    if (a->failed)
        return;
    assert(actor->depth > 0);
    struct routine_sums *routine = &actor->routines[actor->stack[--actor->depth]];
    if (--routine->active == 0)
        grow(&routine->cumulative, between(a, routine->entered, time), 1);
}

void activity_message(struct activity *a, bool send, struct activity_message message)
{
    struct messages *messages = send ? &a->sends : &a->receives;
    message.turn = messages->count;
    a->failed |= !ARRAY_PUSH(messages->items, messages->count, messages->capacity, message);
}

/* --- Writing -------------------------------------------------------------------------------- */

static int compare_changes(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    return COMPARE(a->time, b->time);
}

static void write_name(const struct activity *a, const struct activity_names *names,
                       struct sink *sink, size_t actor)
{
    if (actor < a->nspes)
        sink_print(sink, "%s%zu", names->spe, names->first_spe + actor);
    else
        sink_print(sink, "ppe%zu", names->first_tid + actor - a->nspes);
}

static void write_times(struct sink *sink, struct span span)
{
    sink_print(sink, ",%lld,,,%lld,\n", (long long)span.cycles, (long long)span.ticks);
}

static void write_states(const struct activity *a, const struct activity_names *names,
                         struct sink *sink, size_t index)
{
    struct actor *actor = &a->actors[index];
    struct span absent = between(a, a->first, a->last);
    for (size_t i = 0; i < STATE_ABSENT; i++)
        grow(&absent, actor->states[i], -1);
    actor->states[STATE_ABSENT] = absent;
    for (size_t i = 0; i < STATES; i++) {
        sink_print(sink, "state,");
        write_name(a, names, sink, index);
        sink_print(sink, ",%s,,,,,", state_names[i]);
        write_times(sink, actor->states[i]);
    }
    /* Waits for both kinds of mailboxes are written as one class. */
    actor->nwaits[WAIT_MAILBOX] += actor->nwaits[WAIT_INBOX];
    grow(&actor->waits[WAIT_MAILBOX], actor->waits[WAIT_INBOX], 1);
    actor->nwaits[WAIT_INBOX] = 0;
    for (size_t i = WAIT_NONE + 1; i < WAITS; i++) {
        if (actor->nwaits[i] == 0)
            continue;
        sink_print(sink, "wait,");
        write_name(a, names, sink, index);
        sink_print(sink, ",%s,,%llu,,,", wait_names[i], (unsigned long long)actor->nwaits[i]);
        write_times(sink, actor->waits[i]);
    }
}

static int compare_channels(const struct activity_message *a, const struct activity_message *b)
{
    return 8 * COMPARE(a->word, b->word) + 4 * COMPARE(a->from, b->from) +
           2 * COMPARE(a->to, b->to) + COMPARE(a->tag, b->tag);
}

static int compare_messages(const void *left, const void *right)
{
    const struct activity_message *a = left, *b = right;
    return 2 * compare_channels(a, b) + COMPARE(a->turn, b->turn);
}

static void write_messages(struct activity *a, const struct activity_names *names,
                           struct sink *sink)
{
    SORT(a->sends.items, a->sends.count, compare_messages);
    SORT(a->receives.items, a->receives.count, compare_messages);
    for (size_t s = 0, r = 0; s < a->sends.count && r < a->receives.count;) {
        const struct activity_message *send = &a->sends.items[s], *receive = &a->receives.items[r];
        int order = compare_channels(send, receive);
        if (order == 0) {
            struct span span = between(a, send->time, receive->time);
            sink_print(sink, send->word ? "word," : "message,");
            write_name(a, names, sink, send->from);
            sink_print(sink, send->word ? ",," : ",%lld,", (long long)send->tag);
            write_name(a, names, sink, send->to);
            sink_print(sink, ",,,%lld,%lld,%lld,,%lld,%lld,\n", (long long)send->bytes,
                       (long long)send->time, (long long)span.cycles, shown_at(a, send->time),
                       (long long)span.ticks);
        }
        s += order <= 0;
        r += order >= 0;
    }
}

csy_status activity_write(struct activity *a, const struct activity_names *names, struct sink *sink,
                          csy_error *error)
{
    if (a->failed)
        return error_memory(error);
    for (size_t i = 0; i < a->nactors; i++)
        if (a->actors[i].place == PLACE_STAYS)
            end_stay(a, &a->actors[i]);
    struct span span = between(a, a->first, a->last);
    sink_print(sink,
               "# cycles_hz=%lld\n# timebase_hz=%lld\n"
               "table,actor,name,partner,count,recursive,bytes,begin_cycles,cycles,direct_cycles,"
               "begin_ticks,ticks,direct_ticks\n"
               "span,,,,,,,%lld,%lld,,%lld,%lld,\n",
               (long long)a->machine->cpu_hz, (long long)a->machine->timebase_hz,
               (long long)a->first, (long long)span.cycles, shown_at(a, a->first),
               (long long)span.ticks);
    /* Write for how long 0, 1, 2 and so on contexts were active at the same time. */
    struct span *levels = calloc(a->nspes + 1, sizeof *levels);
    int64_t from = a->first, active = 0;
    if (a->failed || !levels) {
        free(levels);
        return error_memory(error);
    }
    SORT(a->changes, a->nchanges, compare_changes);
    for (size_t i = 0; i < a->nchanges; i++) {
        if (a->changes[i].time > from) {
            assert(active >= 0 && active <= (int64_t)a->nspes);
            grow(&levels[active], between(a, from, a->changes[i].time), 1);
            from = a->changes[i].time;
        }
        active += a->changes[i].by;
    }
    grow(&levels[0], between(a, from, a->last), 1);
    for (size_t i = 0; i <= a->nspes; i++)
        sink_print(sink, "level,,%zu,,,,,,%lld,,,%lld,\n", i, (long long)levels[i].cycles,
                   (long long)levels[i].ticks);
    free(levels);
    for (size_t i = 0; i < a->nactors; i++)
        if (a->actors[i].seen)
            write_states(a, names, sink, i);
    for (size_t i = 0; i < a->nactors; i++)
        for (size_t k = 0; k < a->actors[i].nroutines; k++) {
            const struct routine_sums *r = &a->actors[i].routines[k];
            sink_print(sink, "call,");
            write_name(a, names, sink, i);
            sink_print(sink, ",%s,,%llu,%llu,,,%lld,%lld,,%lld,%lld\n", r->name,
                       (unsigned long long)r->calls, (unsigned long long)r->recursive,
                       (long long)r->cumulative.cycles, (long long)r->direct.cycles,
                       (long long)r->cumulative.ticks, (long long)r->direct.ticks);
        }
    write_messages(a, names, sink);
    return CSY_OK;
}
