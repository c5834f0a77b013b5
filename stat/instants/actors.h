/* Actors are threads of the PPE, SPE contexts, and named threads. Their activities are shown.
 * A stay is a period when an actor is present, from a first record to a last record. A context is
 * switched out and in again between two stays, and each stay has its own clock. An actor that
 * cannot be switched has one stay, and may already be waiting before its first record.
 *
 * The stays of an actor change when records are decoded, and its state changes later, when records
 * take effect. */
#ifndef INSTANTS_ACTORS_H
#define INSTANTS_ACTORS_H

#include "meaning/event_kinds.h"
#include "sync/solution.h"

/* The calls of an actor. `stack` has the routines that the actor has entered and not yet exited. If
 * a routine is exited, but was not entered in the trace, it is assumed that it was entered before
 * the actor's first record. An exit that does not fit shows that entries are missing in the trace;
 * later exits without an entry are then ignored. If two calls cross, the later call is shortened:
 * it begins where the earlier one ends. */

enum { CALLS_DEPTH_MAX = 65536, CALLS_DONE_MAX = 1024 };

/* A call of a routine. `end` is valid after the routine has returned. */
struct call_span {
    int64_t begin, end;
    uint32_t routine;
};

struct missed_entry {
    uint32_t routine;
    int64_t global_ticks; /* global time of the exit */
};

struct calls {
    struct call_span *stack; /* routines that were entered and not yet exited, outermost first */
    size_t depth, stack_capacity, deeper; /* deeper: number of open calls beyond CALLS_DEPTH_MAX */
    struct call_span *done; /* the last calls that have ended, except calls inside of these calls */
    size_t ndone, done_capacity;
    struct missed_entry *missed; /* exits without an entry, the innermost routine first */
    size_t nmissed, missed_capacity;
    bool ignored;
    bool known; /* true after the first pass, which finds all elements of `missed` */
};

/* Process a record that enters or exits a routine, or a call from *begin to `at`. NO_TEXT is the
 * innermost routine. If the call crosses another one, *begin is moved to the other's end. Times are
 * global. Returns false if memory runs out. */
bool calls_see(struct calls *calls, enum role role, uint32_t routine, int64_t *begin, int64_t at);

/* Like calls_see with ROLE_ENTER, but faster. */
static inline bool calls_enter(struct calls *calls, uint32_t routine, int64_t at)
{
    if (calls->depth == calls->stack_capacity || calls->depth == CALLS_DEPTH_MAX)
        return calls_see(calls, ROLE_ENTER, routine, &at, at);
    struct call_span *span = &calls->stack[calls->depth++];
    span->begin = span->end = at;
    span->routine = routine;
    return true;
}

static inline bool calls_exit(struct calls *calls, uint32_t routine, int64_t at)
{
    size_t depth = calls->depth, n = calls->ndone;
    if (depth == 0 || calls->deeper > 0 || n == calls->done_capacity || n == CALLS_DONE_MAX ||
        (routine != NO_TEXT && calls->stack[depth - 1].routine != routine))
        return calls_see(calls, ROLE_EXIT, routine, &at, at);
    int64_t begin = calls->stack[depth - 1].begin;
    while (n > 0 && calls->done[n - 1].begin >= begin)
        n--;
    calls->done[n].begin = begin;
    calls->done[n].end = at;
    calls->done[n].routine = NO_TEXT;
    calls->ndone = n + 1;
    calls->depth = depth - 1;
    return true;
}

#define NO_ACTOR UINT32_MAX
#define NO_UNIT UINT64_MAX

/* ACTOR_MEMORY is the partner when contexts transfer data from or to memory. */
enum actor_kind { ACTOR_PPE, ACTOR_SPE, ACTOR_NAMED, ACTOR_MEMORY };

struct open_wait {
    uint64_t end; /* position of the record that ends the wait */
    enum state state;
    uint32_t class;
};

/* A moment: its local time on `clock`, and its estimated global time. */
struct moment {
    int64_t local_ticks, global_ticks;
    uint32_t clock;
};

/* Returns the ticks between two moments, by their clock or, if clocks differ, in global time. */
static inline int128 moments_apart(const struct moment *begin, const struct moment *end)
{
    return begin->clock == end->clock ? (int128)end->local_ticks - begin->local_ticks
                                      : (int128)end->global_ticks - begin->global_ticks;
}

/* CPU times in nanoseconds that an actor had used from its begin until the moment `at`. */
struct spent {
    struct moment at;
    uint64_t user_ns, system_ns, runnable_ns;
};

/* The CPU times of one actor, taken from events. */
struct timers {
    struct spent first, before, last; /* the first, the last but one, and the last CPU times */
    uint64_t count;
    struct spent own;     /* the last CPU times that the actor itself has recorded */
    uint64_t own_records; /* number of records when `own` was recorded */
    bool ends;
    struct moment begin; /* moment when the actor began; valid if `begins` is true */
    bool begins, created;
    bool several; /* true if several actors have used this id, one after another */
};

struct actor {
    enum actor_kind kind;
    uint32_t id; /* number of the thread, of the context, or of the track */
    /* The following members change when records are decoded. */
    uint64_t records;
    uint64_t all_records;  /* number of records in the trace; known after the first pass */
    int64_t reached_ticks; /* greatest global time so far, for partial orders */
    bool reached;
    bool switched, placed; /* switched: true if the context was switched in or out since its last
                            * record; placed: true if it ever was */
    uint32_t clock;
    struct moment first;   /* time of the actor's first record since it was last switched in */
    uint64_t first_record; /* position of the actor's first record since it was last switched in */
    size_t stay;
    uint64_t *lasts; /* [stay]: position of the last record */
    uint64_t until;  /* position of the actor's last record before it is switched out, or 0 if
                      * unknown */
    size_t nstays, stays_capacity;
    struct calls calls;
    uint32_t creator;     /* actor that created or, if unknown, started this one; or NO_ACTOR */
    bool created;         /* true if an event states which actor has created this one */
    struct timers timers; /* recorded CPU times, if they were requested */
    bool told;            /* true if events show when the actor has a core */
    /* The following members describe the state of the actor during the second pass. */
    bool here, started, on_unit;
    bool suspended; /* true if events show that the actor has no core */
    enum state without_core, base;
    uint64_t unit; /* number of the SPE that the actor runs on, or NO_UNIT */
    struct open_wait *waits;
    size_t nwaits, waits_capacity;
};

struct actors {
    struct actor *items; /* all actors, in the order of their first events */
    size_t count, capacity;
    struct keys keys;
    bool partial; /* true for a partial order */
    bool scanned;
    bool told;                 /* true if events show when some actors have a core */
    struct keys cpus;          /* numbers of all cores that events name */
    bool intervals;            /* true if some calls are recorded as intervals */
    int64_t imprecision_ticks; /* greatest sum of the errors of two timestamps, in ticks */
    bool begun;                /* true after the first record was read */
    struct moment start;       /* time of the first record in the trace; valid if `begun` is true */
};

/* Information from a record about the states of actors. This struct fits in two cache lines. */
struct seen {
    struct moment begin, end; /* begin of the wait or call, end of the record */
    uint64_t unit;            /* SPE on which `task` is switched in; NO_UNIT for other records */
    uint64_t bytes;           /* undefined if `leaf` is NO_TEXT */
    uint64_t first_record; /* position of the actor's first record since it was last switched in */
    uint32_t actor;        /* writer, or actor that is suspended or resumed */
    uint32_t task;         /* actor that is switched, started, or stopped */
    uint32_t routine;      /* routine of the record; NO_TEXT means the innermost one */
    uint32_t leaf;  /* text of the record's name and arguments in event_kinds.leaves, or NO_TEXT */
    uint32_t child; /* actor that the record creates (or starts), or NO_ACTOR */
    struct event_kind event_kind;
    enum { TASK_IN, TASK_OUT, TASK_START, TASK_STOP } change; /* what happens to the actor `task` */
    bool first, last;   /* true if the record is the actor's first one after being switched in, or
                         * its last one before being switched out; `last` is unknown in the first
                         * pass */
    bool final;         /* true if the record is the last one of the actor */
    bool calls;         /* true if the record enters or exits a routine, or is a call */
    bool waits, called; /* true if a wait ends with the record (waits), or a call does (called) */
    bool opens;         /* true if the actor cannot be switched, so that a wait may begin before its
                         * first record */
    bool ordered;       /* true if the actor was not present at `begin`, so that `begin` was moved
                         * to its first record */
};

void actors_fini(struct actors *actors);

/* Find or add an actor: by its kind and number, or the writer of an event. These functions, and
 * those that find partners (below), return false if out of memory. */
bool actors_find(struct actors *actors, enum actor_kind kind, uint32_t id, uint32_t *out);
bool actors_find_writer(struct actors *actors, const csy_decoded *event, uint32_t *out);

bool event_switches_in(const csy_decoded *event, uint32_t *context, uint64_t *unit);

/* Process the next record. out->event_kind and out->actor must be set. `routine` is the routine
 * that the record enters, exits, or calls, or NO_TEXT. */
csy_status actors_see(struct actors *actors, const csy_decoded *event, uint32_t routine,
                      struct seen *out, csy_error *error);

/* Like actors_see, for the record at position `record`. `interval` is true if the record is an
 * interval. out->event_kind, out->actor, out->routine, out->task, out->change, out->begin, and
 * out->end must be set. */
csy_status actors_see_known(struct actors *actors, uint64_t record, bool interval, struct seen *out,
                            csy_error *error);

/* Initialize *out for a record that does not switch an actor or transfer data. */
static inline void seen_begin(struct seen *out, uint32_t routine)
{
    out->bytes = out->first_record = 0;
    out->unit = NO_UNIT;
    out->task = NO_ACTOR;
    out->routine = routine;
    out->change = TASK_IN;
    out->calls = out->ordered = false;
}

/* actor_spent stores CPU times from an event. Call actor_spent_itself if their actor wrote it.
 * actor_begins stores when an actor began. The creator's record (`created`) takes precedence. */
void actor_spent(struct actor *actor, const struct spent *spent);
void actor_spent_itself(struct actor *actor, const struct seen *seen);
void actor_begins(struct actor *actor, const struct moment *at, bool created);

/* Prepare to read the records a second time. */
void actors_again(struct actors *actors);

/* In the first pass, count a record for its actor. The record must not switch, start, or stop an
 * actor. Returns false, and does nothing, if the record may be the first one after the actor was
 * switched in (or the first one of all). */
static inline bool actor_pass(struct actor *actor, uint64_t record, uint32_t clock)
{
    if (actor->records == 0 || actor->switched)
        return false;
    actor->lasts[actor->stay] = record;
    actor->records++;
    actor->clock = clock;
    return true;
}

/* A fast version of actors_see_known for the second pass. The record must not end a wait or a call
 * that is an interval, and must not switch, start, or stop an actor. Returns false, and does
 * nothing, if the record may be the first one after the actor was switched in, or if some calls in
 * the trace are intervals. */
static inline bool actors_go_on(struct actors *actors, uint64_t record, struct seen *out)
{
    struct actor *actor = &actors->items[out->actor];
    if (!actors->scanned || actors->intervals || actor->records == 0 || actor->switched)
        return false;
    out->first = out->called = out->waits = false;
    out->last = actor->lasts[actor->stay] == record;
    out->final = out->last && actor->stay + 1 == actor->nstays;
    out->opens = actor->kind != ACTOR_SPE && actor->stay == 0;
    out->calls = out->event_kind.role == ROLE_EXIT ||
                 (out->event_kind.role == ROLE_ENTER && out->routine != NO_TEXT);
    actor->records++;
    actor->clock = out->end.clock;
    return true;
}

/* Change the states of actors when a record takes effect. Call actor_record for the actor that
 * wrote the record, and actor_task for the actor that the record switches, starts, or stops. Call
 * actor_wait when a wait of an actor begins; it returns false if out of memory. */
void actor_record(struct actor *actor, const struct seen *seen, uint64_t position);
void actor_task(struct actor *actor, const struct seen *seen);
bool actor_wait(struct actor *actor, const struct open_wait *wait);

/* Returns the state that the actor is in now. *class becomes the kind of waiting (an index of
 * event_kinds.classes), or NO_TEXT. */
enum state actor_state(const struct actor *actor, uint32_t *class);

bool actor_is_spe(const struct actor *actor, const csy_sync *sync);

/* Returns the name of an actor: "tid0" or "spe4", written to `text`, or a name that `sync` owns. */
enum { ACTOR_NAME_MAX = 32 };
const char *actor_name(const struct actor *actor, const csy_sync *sync, char text[ACTOR_NAME_MAX]);

/* Returns true if an actor's name matches one of the patterns of glob(7), which commas separate. */
bool actor_fits(const struct actor *actor, const csy_sync *sync, const char *patterns);

/* Returns CSY_USAGE if there are actors, but none matches the patterns. `patterns` may be NULL. */
csy_status actors_check_fit(const struct actors *actors, const csy_sync *sync, const char *patterns,
                            csy_error *error);

/* Partners: the actors that the fields of events refer to, by name or by number. */

struct numbered_track {
    uint64_t number;
    uint32_t track;
};

struct partners {
    const csy_sync *sync;
    struct texts names;             /* names of all tracks, numbered like the tracks */
    struct numbered_track *numbers; /* threads with a unique number, sorted by number */
    size_t nnumbers;
};

/* Set *out to the number at the end of a name, or to N for "speN.K". Returns false if none. */
bool partner_number(const char *name, uint64_t *out);

bool partners_init(struct partners *partners, const csy_sync *sync);
void partners_fini(struct partners *partners);

/* Find the actor that a field of an event refers to: by name, or by the number of a context, a
 * rank, or a thread of the PPE (cellsync-events(5)). If threads have names, only one thread may
 * have the number (partner_number). *out becomes NO_ACTOR if no actor is found. */
bool partners_find(const struct partners *partners, const struct event_kinds *event_kinds,
                   struct actors *actors, const csy_decoded *event,
                   const struct event_kind *event_kind, enum field_role role, uint32_t *out);

/* Find the thread with this name. *out becomes NO_ACTOR if there is none. */
bool partners_find_name(const struct partners *partners, struct actors *actors, const char *name,
                        size_t size, uint32_t *out);

#endif
