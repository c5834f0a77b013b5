/*
 * Actors: what runs code.  A thread of the PPE, an SPE context, or a named thread.
 *
 * An actor is there in stays, from the first record of each to its last; a context is switched out
 * and in between two of them, and has a clock for each.  One that is not switched may be there
 * before, in a wait that has begun.  Actors are followed twice: as records are
 * decoded, which tells stays, and later, as records take effect, which tells states.
 */
#ifndef INSTANTS_ACTORS_H
#define INSTANTS_ACTORS_H

#include "base/keys.h"
#include "base/texts.h"
#include "meaning/senses.h"
#include "meaning/words.h"

/*
 * Calls of an actor as its records are decoded: the routines it was in before it recorded, and the
 * begins of calls that are intervals.
 *
 * An exit without an entry belongs to a routine that the actor was in from its first record on.
 * After an exit has been ignored this no longer holds, since entries are missing.  If two calls
 * cross, the later one begins where the other one ends.
 */

enum { CALLS_DEPTH_MAX = 65536, CALLS_DONE_MAX = 1024 };

/* An activation: when it began, or from when to when it was. */
struct call_span {
    int64_t begin, end;
    uint32_t routine;
};

/* An exit without an entry. */
struct missed_entry {
    uint32_t routine;
    int64_t global_ticks; /* of the exit */
};

struct calls {
    struct call_span *stack; /* of records that enter */
    size_t depth, stack_capacity, deeper;
    struct call_span *done; /* one after the other, none within another; the last ones */
    size_t ndone, done_capacity;
    struct missed_entry *missed; /* the innermost first */
    size_t nmissed, missed_capacity;
    bool ignored;
    bool known; /* all that was missed is, and stays as it is */
    uint64_t nclipped;
};

/* A record that enters, exits (routine: NO_TEXT: the innermost) or, as an interval, calls; of the
 * last *begin is put off as needed.  Global times.  False on no memory. */
bool calls_see(struct calls *calls, enum role role, uint32_t routine, int64_t *begin, int64_t at);

/* calls_see for a record that enters or exits. */
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

/* Memory is none, but what contexts transfer from and to. */
enum actor_kind { ACTOR_PPE, ACTOR_SPE, ACTOR_NAMED, ACTOR_MEMORY };

/* A wait that is open. */
struct open_wait {
    uint64_t end; /* position of the record that ends it */
    enum state state;
    uint32_t class;
};

/* The time and the clock of an event. */
struct moment {
    int64_t local_ticks, global_ticks;
    uint32_t clock;
};

/* The time from one to another, by one clock or as estimated. */
static inline int128 moments_apart(const struct moment *begin, const struct moment *end)
{
    return begin->clock == end->clock ? (int128)end->local_ticks - begin->local_ticks
                                      : (int128)end->global_ticks - begin->global_ticks;
}

/* The time that an actor has spent since it began, as recorded at a moment. */
struct spent {
    struct moment at;
    uint64_t user_ns, system_ns, runnable_ns;
};

/* All that was told of that, in the order of telling. */
struct timers {
    struct spent first, before, last; /* before: the one before the last */
    uint64_t count;
    struct spent own;     /* by its own record, the last at that time */
    uint64_t own_records; /* and none after it, if: */
    bool ends;
    struct moment begin; /* of the actor: known: */
    bool begins, created;
    bool several; /* it is several actors, one after the other */
};

struct actor {
    enum actor_kind kind;
    uint32_t id; /* tid, context or track */
    /* As records are decoded: */
    uint64_t records;
    uint64_t all_records; /* once the trace was scanned */
    int64_t
        reached_ticks; /* of a trace in partial order: greatest global time of its own records */
    bool reached;      /* there is one */
    bool switched, placed; /* since its last record, ever */
    uint32_t clock;
    struct moment first;   /* of the stay */
    uint64_t first_record; /* its position */
    size_t stay;
    uint64_t *lasts; /* last records of stays, as the scan has found them */
    uint64_t until;  /* after the scan: records before this one belong to the same stay */
    size_t nstays, stays_capacity;
    struct calls calls;
    uint32_t creator;     /* its first creator, or otherwise its starter, if wanted; or NO_ACTOR */
    bool created;         /* an event says who creates it */
    struct timers timers; /* if wanted */
    bool told;            /* when it has a core and when it has none, others tell */
    /* As they take effect: */
    bool here, started, on_unit;
    bool suspended; /* has no core: */
    enum state without_core, base;
    uint64_t unit; /* physical SPE, or NO_UNIT */
    struct open_wait *waits;
    size_t nwaits, waits_capacity;
};

struct actors {
    struct actor *items; /* in the order of their first events */
    size_t count, capacity;
    struct keys keys;
    bool partial;              /* each clock of an actor is a stay */
    bool scanned;              /* lasts are known */
    bool told;                 /* of some it is told when they have a core: */
    struct keys cpus;          /* the cores that are named */
    bool intervals;            /* there are calls that are intervals */
    int64_t imprecision_ticks; /* added to every constraint */
    bool begun;                /* a record was met: */
    struct moment start;       /* of the first record */
};

/* A record as actors need it: two cache lines. */
struct seen {
    struct moment begin, end; /* begin: of the wait, or call, that it ends */
    uint64_t unit;            /* the task is switched in there */
    uint64_t bytes;           /* of the leaf */
    uint64_t first_record;    /* position of the first one of the stay */
    uint32_t actor;           /* who wrote it, or whom it suspends or resumes */
    uint32_t task;            /* whom it switches, starts or stops, or NO_ACTOR */
    uint32_t routine;         /* that it enters, exits, or calls; NO_TEXT: the innermost */
    uint32_t leaf;            /* its name and arguments, a text of leaves, or NO_TEXT */
    uint32_t child; /* the actor it creates, or otherwise starts, if wanted; or NO_ACTOR */
    struct sense sense;
    enum { TASK_IN, TASK_OUT, TASK_START, TASK_STOP } change; /* of the task */
    bool first, last;   /* of a stay; the latter once the trace was scanned */
    bool final;         /* the last one of the actor */
    bool calls;         /* it enters, exits, or ends a call */
    bool waits, called; /* it ends a wait, or a call */
    bool opens;         /* the actor may be there before its first record, in a wait */
    bool ordered;       /* begin is the first record of the stay, which is no begin */
};

void actors_fini(struct actors *actors);

/* Find or add the actor with a kind and id, or the writer of an event. */
csy_status actors_find(struct actors *actors, enum actor_kind kind, uint32_t id, uint32_t *out,
                       csy_error *error);
csy_status actors_find_writer(struct actors *actors, const csy_decoded *event, uint32_t *out,
                              csy_error *error);

/* True if an event switches a context in, to a physical SPE. */
bool event_switches_in(const csy_decoded *event, uint32_t *context, uint64_t *unit);

/* Take the next record as it is decoded. out has its sense and actor; routine: the routine that it
 * enters, exits, or calls. */
csy_status actors_see(struct actors *actors, const csy_decoded *event, uint32_t routine,
                      struct seen *out, csy_error *error);

/* The same for a record whose own contents are in out, as after seen_begin: sense, routine, writer,
 * the actor it switches, and times. */
csy_status actors_see_known(struct actors *actors, uint64_t record, bool interval, struct seen *out,
                            csy_error *error);

/* Initialize a record: it switches no actor, and begins when it ends. */
static inline void seen_begin(struct seen *out, uint32_t routine)
{
    out->bytes = out->first_record = 0;
    out->unit = NO_UNIT;
    out->task = NO_ACTOR;
    out->routine = routine;
    out->change = TASK_IN;
    out->calls = out->ordered = false;
}

/* Note the time that an actor has spent; or that its own record, which was seen, gave it; or the
 * begin of the actor, at the latest (by itself) or at the earliest (by its creator). */
void actor_spent(struct actor *actor, const struct spent *spent);
void actor_spent_itself(struct actor *actor, const struct seen *seen);
void actor_begins(struct actor *actor, const struct moment *at, bool created);

/* The trace was scanned; it will be seen again from the start. */
void actors_again(struct actors *actors);

/* The next record of an actor, before the trace was scanned, that is no wait and has no task; false
 * where it may begin a stay, and nothing is done. */
static inline bool actor_pass(struct actor *actor, uint64_t record, uint32_t clock)
{
    if (actor->records == 0 || actor->switched)
        return false;
    actor->lasts[actor->stay] = record;
    actor->records++;
    actor->clock = clock;
    return true;
}

/* Take the next record of an actor after the scan, if it is no wait, no call as an interval, and
 * has no task; out has its own contents.  Returns false and does nothing if the record may begin a
 * stay, or if its call must be seen. */
static inline bool actors_go_on(struct actors *actors, uint64_t record, struct seen *out)
{
    struct actor *actor = &actors->items[out->actor];
    if (!actors->scanned || actors->intervals || actor->records == 0 || actor->switched)
        return false;
    out->first = out->called = out->waits = false;
    out->last = actor->lasts[actor->stay] == record;
    out->final = out->last && actor->stay + 1 == actor->nstays;
    out->opens = actor->kind != ACTOR_SPE && actor->stay == 0;
    out->calls =
        out->sense.role == ROLE_EXIT || (out->sense.role == ROLE_ENTER && out->routine != NO_TEXT);
    actor->records++;
    actor->clock = out->end.clock;
    return true;
}

/* Effects of a record on its writer, if it begins or ends a stay, ends a wait, or sets a state; on
 * its task; and of the begin of a wait. */
void actor_record(struct actor *actor, const struct seen *seen, uint64_t position);
void actor_task(struct actor *actor, const struct seen *seen);
bool actor_wait(struct actor *actor, const struct open_wait *wait);

/* The state of an actor now, and the class of its wait, or NO_TEXT. */
enum state actor_state(const struct actor *actor, uint32_t *class);

/* True if it runs on an SPE. */
bool actor_is_spe(const struct actor *actor, const csy_sync *sync);

/* "tid0", "spe4", or a name of the solution.  Returns it, or text. */
enum { ACTOR_NAME_MAX = 32 };
const char *actor_name(const struct actor *actor, const csy_sync *sync, char text[ACTOR_NAME_MAX]);

/* True if its name fits one of the patterns (glob(7)), separated by commas. */
bool actor_fits(const struct actor *actor, const csy_sync *sync, const char *patterns);

/* CSY_USAGE where there are actors, and none fits them; patterns may be NULL. */
csy_status actors_check_fit(const struct actors *actors, const csy_sync *sync, const char *patterns,
                            csy_error *error);

#endif
