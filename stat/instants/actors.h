/* Actors are threads of the PPE, SPE contexts, and named threads. An actor is present in stays,
 * each from its first record to its last record. Between two stays, a context is switched out and
 * in. Each stay has its own clock. An actor that is not switched may be present before its first
 * record, in a wait that has begun. Actors are followed twice: their stays when records are
 * decoded, and their states later, when records take effect. */
#ifndef INSTANTS_ACTORS_H
#define INSTANTS_ACTORS_H

#include "base/keys.h"
#include "base/texts.h"
#include "meaning/senses.h"
#include "sync/solution.h"

/* The calls of an actor are found when its records are decoded: routines that were active before
 * its first record, and begins of calls that are intervals.
 *
 * An exit without an entry belongs to a routine that the actor was in from its first record. After
 * an exit was ignored, this is no longer assumed, because entries are missing. If two calls cross,
 * the later one begins where the other one ends. */

enum { CALLS_DEPTH_MAX = 65536, CALLS_DONE_MAX = 1024 };

/* An activation of a routine. While the activation is open, only `begin` is set. */
struct call_span {
    int64_t begin, end;
    uint32_t routine;
};

/* An exit from a routine without an entry. */
struct missed_entry {
    uint32_t routine;
    int64_t global_ticks; /* global time of the exit */
};

struct calls {
    struct call_span *stack; /* open activations that began with an entry record */
    size_t depth, stack_capacity, deeper;
    struct call_span *done; /* the last complete calls, none inside of another */
    size_t ndone, done_capacity;
    struct missed_entry *missed; /* exits without an entry, from the innermost routine on */
    size_t nmissed, missed_capacity;
    bool ignored;
    bool known; /* the list `missed` is complete */
    uint64_t nclipped;
};

/* Process a record that enters a routine, that exits one (NO_TEXT: the innermost routine), or that
 * is an interval with a call. If this call crosses another call, *begin is moved to a later time.
 * Times are global. Returns false if out of memory. */
bool calls_see(struct calls *calls, enum role role, uint32_t routine, int64_t *begin, int64_t at);

/* Works like calls_see, for a record that enters a routine. */
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

/* A wait of an actor that has not ended. */
struct open_wait {
    uint64_t end; /* position of the record that ends the wait */
    enum state state;
    uint32_t class;
};

/* A time with its clock. */
struct moment {
    int64_t local_ticks, global_ticks;
    uint32_t clock;
};

/* Find the time between two moments. If the moments have one clock, the time is measured on this
 * clock, otherwise in estimated global time. */
static inline int128 moments_apart(const struct moment *begin, const struct moment *end)
{
    return begin->clock == end->clock ? (int128)end->local_ticks - begin->local_ticks
                                      : (int128)end->global_ticks - begin->global_ticks;
}

/* CPU times that an actor has used since it began, as recorded at a moment. */
struct spent {
    struct moment at;
    uint64_t user_ns, system_ns, runnable_ns;
};

/* The recorded CPU times of an actor, in the order of the trace. */
struct timers {
    struct spent first, before, last; /* before: the last but one count */
    uint64_t count;
    struct spent own; /* times in the last record that the actor wrote itself */
    /* number of the actor's records up to `own`; `ends`: no others followed */
    uint64_t own_records;
    bool ends;
    struct moment begin; /* moment when the actor began; valid if `begins` */
    bool begins, created;
    bool several; /* several actors have used this id, one after another */
};

struct actor {
    enum actor_kind kind;
    uint32_t id; /* id of the thread, number of the context, or index of the track */
    /* The next members are set when records are decoded. */
    uint64_t records;
    uint64_t all_records;  /* number of the actor's records, after the scan */
    int64_t reached_ticks; /* in partial order: greatest global time of the actor's records */
    bool reached;          /* reached_ticks is set */
    /* whether the context was switched since its last record; whether it was ever switched */
    bool switched, placed;
    uint32_t clock;
    struct moment first;   /* first record of the stay */
    uint64_t first_record; /* position of this first record */
    size_t stay;
    uint64_t *lasts; /* for each stay: position of the last record, from the scan */
    uint64_t until;  /* after the scan: records before this position belong to the same stay */
    size_t nstays, stays_capacity;
    struct calls calls;
    /* actor that first created this one, or else started it; NO_ACTOR: unknown */
    uint32_t creator;
    bool created;         /* an event names the actor that created this one */
    struct timers timers; /* recorded CPU times, if requested */
    bool told;            /* events show when the actor has a core */
    /* The next members are set when records take effect. */
    bool here, started, on_unit;
    bool suspended; /* the actor has no core */
    enum state without_core, base;
    uint64_t unit; /* physical SPE that the actor is on, or NO_UNIT */
    struct open_wait *waits;
    size_t nwaits, waits_capacity;
};

struct actors {
    struct actor *items; /* actors in the order of their first events */
    size_t count, capacity;
    struct keys keys;
    bool partial;              /* each clock of an actor is a separate stay */
    bool scanned;              /* the last records of stays are known */
    bool told;                 /* events show when some actors have a core */
    struct keys cpus;          /* all cores that events name */
    bool intervals;            /* some calls are intervals */
    int64_t imprecision_ticks; /* ticks that are added to every constraint */
    bool begun;                /* some record was read */
    struct moment start;       /* moment of the first record */
};

/* The parts of a record that actors need. These parts fit into two cache lines. */
struct seen {
    /* `begin` of the wait or call that the record ends; time of the record */
    struct moment begin, end;
    uint64_t unit;         /* if `task` is switched in: its new SPE */
    uint64_t bytes;        /* number of bytes of the leaf */
    uint64_t first_record; /* position of the first record in the stay */
    uint32_t actor;        /* actor that wrote the record, or that the record suspends or resumes */
    uint32_t task;         /* actor that the record switches, starts, or stops; or NO_ACTOR */
    /* routine that the record enters, exits, or calls; NO_TEXT: the innermost routine */
    uint32_t routine;
    uint32_t leaf; /* name and arguments of the record: a text of `leaves`, or NO_TEXT */
    /* actor that the record creates or else starts; NO_ACTOR: none, or not requested */
    uint32_t child;
    struct sense sense;
    enum { TASK_IN, TASK_OUT, TASK_START, TASK_STOP } change; /* how the state of `task` changes */
    /* the record is the first or last one of a stay; `last` is set after the scan */
    bool first, last;
    bool final;         /* the record is the last one of the actor */
    bool calls;         /* the record enters or exits a routine, or is a call */
    bool waits, called; /* the record ends a wait; the record ends a call */
    bool opens;         /* the actor may be in a wait before its first record */
    bool ordered;       /* `begin` is the time of the first record in the stay */
};

void actors_fini(struct actors *actors);

/* Find or add an actor: the actor with a kind and an id, or the writer of an event. */
csy_status actors_find(struct actors *actors, enum actor_kind kind, uint32_t id, uint32_t *out,
                       csy_error *error);
csy_status actors_find_writer(struct actors *actors, const csy_decoded *event, uint32_t *out,
                              csy_error *error);

bool event_switches_in(const csy_decoded *event, uint32_t *context, uint64_t *unit);

/* Process the next decoded record. The caller sets the members sense and actor of `out`. `routine`
 * is the routine that the record enters, exits, or calls. */
csy_status actors_see(struct actors *actors, const csy_decoded *event, uint32_t routine,
                      struct seen *out, csy_error *error);

/* Works like actors_see, if `out` already has the record's contents (sense, routine, writer, actor
 * that the record switches, and times), as after seen_begin. */
csy_status actors_see_known(struct actors *actors, uint64_t record, bool interval, struct seen *out,
                            csy_error *error);

/* Initialize a record that switches no actor, and that has no duration. */
static inline void seen_begin(struct seen *out, uint32_t routine)
{
    out->bytes = out->first_record = 0;
    out->unit = NO_UNIT;
    out->task = NO_ACTOR;
    out->routine = routine;
    out->change = TASK_IN;
    out->calls = out->ordered = false;
}

/* Note facts about an actor. actor_spent notes CPU times. actor_spent_itself notes that they are
 * from the actor's own record. actor_begins notes when the actor began. An actor's own record gives
 * the latest time, and its creator's record (`created`) the earliest. */
void actor_spent(struct actor *actor, const struct spent *spent);
void actor_spent_itself(struct actor *actor, const struct seen *seen);
void actor_begins(struct actor *actor, const struct moment *at, bool created);

/* After the scan, prepare the second pass. */
void actors_again(struct actors *actors);

/* During the scan, process an actor's next record, which is no wait and has no task. If the record
 * may begin a stay, do nothing and return false. */
static inline bool actor_pass(struct actor *actor, uint64_t record, uint32_t clock)
{
    if (actor->records == 0 || actor->switched)
        return false;
    actor->lasts[actor->stay] = record;
    actor->records++;
    actor->clock = clock;
    return true;
}

/* After the scan, process an actor's next record, which is no wait, is no interval with a call, and
 * has no task. `out` has the record's contents. If the record may begin a stay, or its call must be
 * examined, do nothing and return false. */
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

/* Apply a record to its writer (actor_record) or to its task (actor_task), or apply the begin of a
 * wait (actor_wait). A record has an effect if it begins or ends a stay, ends a wait, or sets a
 * state. actor_wait returns false if out of memory. */
void actor_record(struct actor *actor, const struct seen *seen, uint64_t position);
void actor_task(struct actor *actor, const struct seen *seen);
bool actor_wait(struct actor *actor, const struct open_wait *wait);

/* Find the present state of an actor. *class becomes the class of the actor's wait, or NO_TEXT. */
enum state actor_state(const struct actor *actor, uint32_t *class);

bool actor_is_spe(const struct actor *actor, const csy_sync *sync);

/* Find the name of an actor: "tid0" or "spe4" in `text`, or a name that the solution owns. */
enum { ACTOR_NAME_MAX = 32 };
const char *actor_name(const struct actor *actor, const csy_sync *sync, char text[ACTOR_NAME_MAX]);

/* Returns true if an actor's name fits one of the patterns (glob(7)), which commas separate. */
bool actor_fits(const struct actor *actor, const csy_sync *sync, const char *patterns);

/* Returns CSY_USAGE if there are actors, but none fits the patterns. `patterns` may be NULL. */
csy_status actors_check_fit(const struct actors *actors, const csy_sync *sync, const char *patterns,
                            csy_error *error);

/* Partners are the actors to which fields of events refer. */

/* A named thread with a number in its name. */
struct numbered_track {
    uint64_t number;
    uint32_t track;
};

struct partners {
    const csy_sync *sync;
    struct texts names;             /* names of tracks, with the numbers of the tracks */
    struct numbered_track *numbers; /* threads with unique numbers, sorted by number */
    size_t nnumbers;
};

/* Find the number in the name of a thread. Returns false if there is none. */
bool partner_number(const char *name, uint64_t *out);

csy_status partners_init(struct partners *partners, const csy_sync *sync, csy_error *error);
void partners_fini(struct partners *partners);

/* Find the actor to which a field of an event refers, for example its partner. The field has a
 * name, or the number of a context, a rank, or a thread of the PPE (cellsync-events(5)). If threads
 * have names, a number means the only thread with this number at the end of its name, or a thread
 * called "speN.K", which is a stay of context N. *known is false if the event has no such field, or
 * if the field means any actor. */
csy_status partners_find(const struct partners *partners, const struct senses *senses,
                         struct actors *actors, const csy_decoded *event, const struct sense *sense,
                         enum field_role role, uint32_t *actor, bool *known, csy_error *error);

/* Find the thread with this name among the tracks. *known is false if there is no such thread. */
csy_status partners_find_name(const struct partners *partners, struct actors *actors,
                              const char *name, size_t size, uint32_t *actor, bool *known,
                              csy_error *error);

#endif
