/* Actors: threads of the PPE, SPE contexts, and named threads.
 *
 * An actor is present in stays, each from its first record to its last. Between two stays, a
 * context is switched out and in; each stay has its own clock. An actor that is not switched may be
 * present before its first record, in a wait that has begun. Actors are followed twice: stays are
 * found when records are decoded, and states later, when records take effect. */
#ifndef INSTANTS_ACTORS_H
#define INSTANTS_ACTORS_H

#include "base/keys.h"
#include "base/texts.h"
#include "meaning/senses.h"
#include "sync/solution.h"

/* Calls of an actor, found when its records are decoded: routines that were active before its first
 * record, and begins of calls that are intervals.
 *
 * An exit without an entry belongs to a routine that the actor was in from its first record. After
 * an exit was ignored, this is no longer assumed, because entries are missing. If two calls cross,
 * the later one begins where the other ends. */

enum { CALLS_DEPTH_MAX = 65536, CALLS_DONE_MAX = 1024 };

/* An activation of a routine. While it is open, only `begin` is set. */
struct call_span {
    int64_t begin, end;
    uint32_t routine;
};

/* An exit without an entry. */
struct missed_entry {
    uint32_t routine;
    int64_t global_ticks; /* time of the exit */
};

struct calls {
    struct call_span *stack; /* open activations that records entered */
    size_t depth, stack_capacity, deeper;
    struct call_span *done; /* last complete calls; none is inside another */
    size_t ndone, done_capacity;
    struct missed_entry *missed; /* innermost first */
    size_t nmissed, missed_capacity;
    bool ignored;
    bool known; /* `missed` is complete */
    uint64_t nclipped;
};

/* Process a record that enters a routine, exits one (NO_TEXT: the innermost), or is an interval
 * with a call. If that call crosses another, *begin is moved to a later time. Times are global.
 * Returns false if out of memory. */
bool calls_see(struct calls *calls, enum role role, uint32_t routine, int64_t *begin, int64_t at);

/* Like calls_see, for a record that enters or exits. */
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

/* Kinds of actors. ACTOR_MEMORY is only the partner of transfers between contexts and memory. */
enum actor_kind { ACTOR_PPE, ACTOR_SPE, ACTOR_NAMED, ACTOR_MEMORY };

/* A wait that has not ended. */
struct open_wait {
    uint64_t end; /* position of the record that ends it */
    enum state state;
    uint32_t class;
};

/* A time with its clock. */
struct moment {
    int64_t local_ticks, global_ticks;
    uint32_t clock;
};

/* The time between two moments, on their clock if it is the same, otherwise in estimated global
 * time. */
static inline int128 moments_apart(const struct moment *begin, const struct moment *end)
{
    return begin->clock == end->clock ? (int128)end->local_ticks - begin->local_ticks
                                      : (int128)end->global_ticks - begin->global_ticks;
}

/* CPU times of an actor since its begin, recorded at a moment. */
struct spent {
    struct moment at;
    uint64_t user_ns, system_ns, runnable_ns;
};

/* Recorded CPU times of an actor, in the order of the trace. */
struct timers {
    struct spent first, before, last; /* before: last but one */
    uint64_t count;
    struct spent own;     /* from its own last record */
    uint64_t own_records; /* its records so far; `ends`: no others followed */
    bool ends;
    struct moment begin; /* begin of the actor, if `begins` */
    bool begins, created;
    bool several; /* several actors have used its id, one after another */
};

struct actor {
    enum actor_kind kind;
    uint32_t id; /* tid, context, or track */
    /* Set when records are decoded: */
    uint64_t records;
    uint64_t all_records;  /* all its records, after the scan */
    int64_t reached_ticks; /* partial order: greatest global time of its records */
    bool reached;          /* reached_ticks is set */
    bool switched, placed; /* the context was switched since its last record; at any time */
    uint32_t clock;
    struct moment first;   /* first record of the stay */
    uint64_t first_record; /* position of that record */
    size_t stay;
    uint64_t *lasts; /* positions of stays' last records, from the scan */
    uint64_t until;  /* after the scan: earlier records belong to the same stay */
    size_t nstays, stays_capacity;
    struct calls calls;
    uint32_t creator;     /* first creator, or else starter; NO_ACTOR: unknown */
    bool created;         /* an event names its creator */
    struct timers timers; /* if requested */
    bool told;            /* events show when it has a core */
    /* Set when records take effect: */
    bool here, started, on_unit;
    bool suspended; /* it has no core */
    enum state without_core, base;
    uint64_t unit; /* physical SPE, or NO_UNIT */
    struct open_wait *waits;
    size_t nwaits, waits_capacity;
};

struct actors {
    struct actor *items; /* sorted by first event */
    size_t count, capacity;
    struct keys keys;
    bool partial;              /* each clock of an actor is a stay */
    bool scanned;              /* lasts are known */
    bool told;                 /* events show when some actors have a core */
    struct keys cpus;          /* cores that events name */
    bool intervals;            /* some calls are intervals */
    int64_t imprecision_ticks; /* added to every constraint */
    bool begun;                /* a record was read */
    struct moment start;       /* the first record */
};

/* The parts of a record that actors need. They fit two cache lines. */
struct seen {
    struct moment begin, end; /* begin: of the wait or call that ends here */
    uint64_t unit;            /* new SPE of the task, if the task is switched */
    uint64_t bytes;           /* bytes of the leaf */
    uint64_t first_record;    /* position of the stay's first record */
    uint32_t actor;           /* writer, or actor that it suspends or resumes */
    uint32_t task;            /* actor that it switches, starts, or stops; or NO_ACTOR */
    uint32_t routine;         /* routine that it enters, exits, or calls; NO_TEXT: the innermost */
    uint32_t leaf;            /* name and arguments as a text of `leaves`, or NO_TEXT */
    uint32_t child; /* actor that it creates or else starts; NO_ACTOR: none, or not requested */
    struct sense sense;
    enum { TASK_IN, TASK_OUT, TASK_START, TASK_STOP } change; /* how the task changes */
    bool first, last;   /* first or last record of a stay; `last` after the scan */
    bool final;         /* last record of the actor */
    bool calls;         /* enters or exits a routine, or is a call */
    bool waits, called; /* ends a wait; ends a call */
    bool opens;         /* the actor may be in a wait before its first record */
    bool ordered;       /* `begin` is the time of the stay's first record */
};

void actors_fini(struct actors *actors);

/* Find or add the actor with a kind and id, or the writer of an event. */
csy_status actors_find(struct actors *actors, enum actor_kind kind, uint32_t id, uint32_t *out,
                       csy_error *error);
csy_status actors_find_writer(struct actors *actors, const csy_decoded *event, uint32_t *out,
                              csy_error *error);

bool event_switches_in(const csy_decoded *event, uint32_t *context, uint64_t *unit);

/* Process the next decoded record. The caller sets sense and actor of `out`. routine: the routine
 * that the record enters, exits, or calls. */
csy_status actors_see(struct actors *actors, const csy_decoded *event, uint32_t routine,
                      struct seen *out, csy_error *error);

/* Like actors_see, if `out` has the record's contents (sense, routine, writer, actor that it
 * switches, and times), as after seen_begin. */
csy_status actors_see_known(struct actors *actors, uint64_t record, bool interval, struct seen *out,
                            csy_error *error);

/* Initialize a record that switches no actor, and begins when it ends. */
static inline void seen_begin(struct seen *out, uint32_t routine)
{
    out->bytes = out->first_record = 0;
    out->unit = NO_UNIT;
    out->task = NO_ACTOR;
    out->routine = routine;
    out->change = TASK_IN;
    out->calls = out->ordered = false;
}

/* Note CPU times of an actor (actor_spent); that they are from its own record (actor_spent_itself);
 * or its begin (actor_begins), which is the latest time by itself or, if `created`, the earliest by
 * its creator. */
void actor_spent(struct actor *actor, const struct spent *spent);
void actor_spent_itself(struct actor *actor, const struct seen *seen);
void actor_begins(struct actor *actor, const struct moment *at, bool created);

/* Prepare the second pass after the scan. */
void actors_again(struct actors *actors);

/* During the scan, process an actor's next record, if it is no wait and has no task. If it may
 * begin a stay, do nothing and return false. */
static inline bool actor_pass(struct actor *actor, uint64_t record, uint32_t clock)
{
    if (actor->records == 0 || actor->switched)
        return false;
    actor->lasts[actor->stay] = record;
    actor->records++;
    actor->clock = clock;
    return true;
}

/* After the scan, process an actor's next record, if it is no wait, no interval with a call, and
 * has no task. `out` has its contents. If it may begin a stay, or its call must be examined, do
 * nothing and return false. */
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

/* Apply a record to its writer (actor_record) or its task (actor_task), or apply the begin of a
 * wait (actor_wait). A record has an effect if it begins or ends a stay, ends a wait, or sets a
 * state. actor_wait returns false if out of memory. */
void actor_record(struct actor *actor, const struct seen *seen, uint64_t position);
void actor_task(struct actor *actor, const struct seen *seen);
bool actor_wait(struct actor *actor, const struct open_wait *wait);

/* The present state of an actor. *class becomes the class of its wait, or NO_TEXT. */
enum state actor_state(const struct actor *actor, uint32_t *class);

bool actor_is_spe(const struct actor *actor, const csy_sync *sync);

/* The name of an actor: "tid0", "spe4", or a name that the solution owns. Returns text or that
 * name. */
enum { ACTOR_NAME_MAX = 32 };
const char *actor_name(const struct actor *actor, const csy_sync *sync, char text[ACTOR_NAME_MAX]);

/* True if the name of an actor fits one of the patterns (glob(7)), separated by commas. */
bool actor_fits(const struct actor *actor, const csy_sync *sync, const char *patterns);

/* CSY_USAGE if there are actors but none fits the patterns, which may be NULL. */
csy_status actors_check_fit(const struct actors *actors, const csy_sync *sync, const char *patterns,
                            csy_error *error);

/* Partners: the actors to which fields of events refer. */

/* A named thread with a number in its name. */
struct numbered_track {
    uint64_t number;
    uint32_t track;
};

struct partners {
    const csy_sync *sync;
    struct texts names;             /* names of tracks, numbered like them */
    struct numbered_track *numbers; /* sorted; no number occurs twice */
    size_t nnumbers;
};

/* Find the number in a thread's name. Returns false if there is none. */
bool partner_number(const char *name, uint64_t *out);

csy_status partners_init(struct partners *partners, const csy_sync *sync, csy_error *error);
void partners_fini(struct partners *partners);

/* Find the actor to which a field of an event refers, for example its partner: by the number of a
 * context, a rank, or a thread of the PPE (cellsync-events(5)), or by name. If threads have names,
 * a number means the only thread with this number at the end of its name, or a thread called
 * "speN.K", which is a stay of context N. *known is false if the event has no such field, or if the
 * field means any actor. */
csy_status partners_find(const struct partners *partners, const struct senses *senses,
                         struct actors *actors, const csy_decoded *event, const struct sense *sense,
                         enum field_role role, uint32_t *actor, bool *known, csy_error *error);

/* Find the thread with this name among the tracks. *known is false if there is none. */
csy_status partners_find_name(const struct partners *partners, struct actors *actors,
                              const char *name, size_t size, uint32_t *actor, bool *known,
                              csy_error *error);

#endif
