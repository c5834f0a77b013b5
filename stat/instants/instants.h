/* Instants are the moments at which the state of an actor may change, in the order of estimated
 * global time. Each record is a moment. If a record ends a wait, the begin of the wait is another
 * moment, which is known only from a timestamp. The base order is the order of records in the
 * buffer. A begin is placed by its estimated global time, but between the previous and the next
 * record of its actor.
 *
 * The trace is read twice. The scan finds actors, the ends of their stays, and waits that are
 * longer than the look-ahead. The merge decodes records ahead, as many as the look-ahead, and
 * passes on the instants. Memory grows with the look-ahead, actors, stays, and long waits.
 *
 * In partial order, only the records of one actor have an order. All records are held in memory and
 * sorted once, and no instant is ordered. */
#ifndef INSTANTS_INSTANTS_H
#define INSTANTS_INSTANTS_H

#include "instants/actors.h"

/* Limits of the look-ahead, in records. The scan chooses at least INSTANTS_NEAR records, and more
 * as long as over INSTANTS_LONGS begins are outside of the look-ahead. */
enum { INSTANTS_AHEAD = 65536, INSTANTS_NEAR = 64, INSTANTS_LONGS = 256 };

enum call_kind { CALL_NONE, CALL_ENTER, CALL_EXIT };

struct actor_instant {
    /* position of the record in the base order; for a begin, of the record that ends the wait */
    uint64_t record;
    uint32_t actor;
    struct moment at;
    /* the instant has a place in the order; false for begins, and in partial order */
    bool ordered;
    bool is_record;   /* the instant is a record; false: it is the begin of a wait or call */
    bool own;         /* the record is the actor's own, not one that another actor wrote about it */
    enum state state; /* state of the actor from this instant on */
    uint32_t class;   /* class of the actor's wait, or NO_TEXT */
    uint64_t unit;    /* SPE that the actor runs on, or NO_UNIT */
    bool has_core;    /* the actor has a core from this instant on, as far as events show */
    const struct seen *seen; /* the record if `own` is set, otherwise NULL */
    enum call_kind call;     /* call or return of the actor at this instant */
    uint32_t routine;        /* routine of the call; NO_TEXT: the innermost routine */
};

/* A wait or call that is longer than the look-ahead. */
struct long_wait {
    uint64_t end; /* position of the record that ends the wait or call */
    uint32_t actor;
    struct moment begin;
    bool ordered;   /* the begin is right after the record at `after` */
    uint64_t after; /* position of the record before the begin */
    bool called;    /* the wait is a call of `routine` */
    uint32_t routine;
    bool waits; /* the next members describe a wait; the wait may also be a call */
    enum state state;
    uint32_t class;
    size_t reach; /* least look-ahead that contains the begin, or twice the greatest look-ahead */
};

/* A position in the sorted order of a trace in partial order, which is read location by location.
 * The records are sorted by estimated global time, but the records of an actor keep their order. */
struct held_place {
    int64_t reached_ticks; /* greatest global time of the record's actor up to this record */
    uint64_t item;         /* index of the record in `items` */
};

struct held_records {
    struct seen *items; /* records in the order of reading */
    size_t count, capacity;
    struct held_place *places; /* positions, sorted by time after the scan */
    size_t places_capacity;
};

/* Returns the record at a position of the sorted order. */
static inline const struct seen *held_record(const struct held_records *held, uint64_t position)
{
    return &held->items[held->places[position].item];
}

struct instants {
    csy_sync *sync;
    struct senses senses;
    struct actors actors;
    bool partial; /* the trace has a partial order, so records are held in memory */
    struct held_records held;
    struct long_wait *longs; /* long waits with unordered begins, sorted by begin */
    size_t nlongs, longs_capacity;
    struct long_wait *clipped; /* all other long waits, sorted by `after` */
    size_t nclipped, clipped_capacity;
    /* look-ahead that is used, and greatest one, in records; powers of 2 */
    size_t ahead, most_ahead;
    int64_t imprecision_ticks; /* ticks that are added to every constraint */
    bool has_calls;            /* some record enters a routine */
    bool has_open_calls;       /* some calls have begins without a place in the order */
    bool has_begins;           /* some waits or calls have begins without a place in the order */
    bool has_intervals; /* some records are intervals of waits or calls, so they have begins */
    struct moment first, last; /* first and last instant; unset without records */
    uint64_t records;
};

/* Scan the trace. `ahead` is the greatest look-ahead: INSTANTS_AHEAD except in tests. The bits of
 * `more` select what the scan also collects: arguments, child threads, and CPU times of threads. */
enum instants_more { MORE_LEAVES = 1, MORE_CHILDREN = 2, MORE_TIMES = 4 };
csy_status instants_open(struct instants *instants, csy_sync *sync, const csy_meaning *meaning,
                         size_t ahead, unsigned more, csy_error *error);

typedef csy_status take_instant(void *user, const struct actor_instant *instant, csy_error *error);

/* A record that only enters or exits a routine. Its actor is present before and after. */
struct actor_call {
    struct moment at;
    uint32_t actor;
    uint32_t routine; /* NO_TEXT: the record exits the innermost routine */
    bool enters;
};

/* A function that receives n > 0 successive records of type struct actor_call. */
typedef csy_status take_actor_calls(void *user, const struct actor_call *calls, size_t n,
                                    csy_error *error);

/* Merge: pass all instants to `take`, one for each record, even without effect, and one for each
 * begin. Records that only enter or exit a routine may be passed to `calls` in groups, unless
 * `calls` is NULL. */
csy_status instants_merge(struct instants *instants, take_instant *take, take_actor_calls *calls,
                          void *user, csy_error *error);

void instants_fini(struct instants *instants);

/* Works like actors_check_fit for all actors of the trace. If no actor in `met` fits, the trace is
 * scanned for other actors. */
csy_status instants_check_fit(const struct actors *met, csy_sync *sync, const csy_meaning *meaning,
                              const char *patterns, csy_error *error);

#endif
