/* Instants: the moments at which the state of an actor may change, in the order of estimated global
 * time.
 *
 * Each record is a moment. If a record ends a wait, the begin of the wait is another moment, known
 * only from a timestamp. The base order is the order of records in the buffer. A begin is placed by
 * its estimated global time, but between the previous and the next record of its actor.
 *
 * The trace is read twice. The scan finds actors, the ends of their stays, and waits that are
 * longer than the look-ahead. The merge decodes that many records ahead and passes on the instants.
 * Memory grows with the look-ahead, actors, stays, and long waits.
 *
 * In partial order, only the records of one actor have an order. All records are held in memory and
 * sorted once, and no instant is ordered. */
#ifndef INSTANTS_INSTANTS_H
#define INSTANTS_INSTANTS_H

#include "instants/actors.h"

/* Limits of the look-ahead, which the scan chooses: at least INSTANTS_NEAR records, and more as
 * long as it misses over INSTANTS_LONGS begins. */
enum { INSTANTS_AHEAD = 65536, INSTANTS_NEAR = 64, INSTANTS_LONGS = 256 };

enum call_kind { CALL_NONE, CALL_ENTER, CALL_EXIT };

struct actor_instant {
    /* position in the base order; a begin has the position of the record that ends it */
    uint64_t record;
    uint32_t actor;
    struct moment at;
    bool ordered;            /* a record in a buffer; not a begin, or in partial order */
    bool is_record;          /* false: it is a begin */
    bool own;                /* the actor's own record, not another actor's record about it */
    enum state state;        /* state of the actor from here on */
    uint32_t class;          /* class of its wait, or NO_TEXT */
    uint64_t unit;           /* SPE that it runs on, or NO_UNIT */
    bool has_core;           /* the actor has a core from here on, as far as events show */
    const struct seen *seen; /* the record if `own`, otherwise NULL */
    enum call_kind call;     /* call or return of the actor */
    uint32_t routine;        /* routine of the call; NO_TEXT: the innermost */
};

/* A wait or call that is longer than the look-ahead. */
struct long_wait {
    uint64_t end; /* position of the record that ends it */
    uint32_t actor;
    struct moment begin;
    bool ordered;   /* its begin is right after a record */
    uint64_t after; /* position of that record */
    bool called;    /* the wait is a call of `routine` */
    uint32_t routine;
    bool waits; /* the next members describe a wait, which may also be a call */
    enum state state;
    uint32_t class;
    size_t reach; /* least look-ahead that contains it, or twice the maximum */
};

/* Records of a trace in partial order, which is read location by location. The records are sorted
 * by estimated global time, but the records of an actor keep their order. */
struct held_place {
    int64_t reached_ticks; /* greatest global time of the record's actor so far */
    uint64_t item;         /* index of the record in `items` */
};

struct held_records {
    struct seen *items; /* in the order of reading */
    size_t count, capacity;
    struct held_place *places; /* sorted by time after the scan */
    size_t places_capacity;
};

/* Return the record at a position of the sorted order. */
static inline const struct seen *held_record(const struct held_records *held, uint64_t position)
{
    return &held->items[held->places[position].item];
}

struct instants {
    csy_sync *sync;
    struct senses senses;
    struct actors actors;
    bool partial; /* in partial order, records are held */
    struct held_records held;
    struct long_wait *longs; /* those with unordered begins, sorted by begin */
    size_t nlongs, longs_capacity;
    struct long_wait *clipped; /* the others, sorted by `after` */
    size_t nclipped, clipped_capacity;
    size_t ahead, most_ahead;  /* look-ahead, in records; powers of 2 */
    int64_t imprecision_ticks; /* added to every constraint */
    bool has_calls;            /* some record enters a routine */
    bool has_open_calls;       /* some calls have begins without a place in the order */
    bool has_begins;           /* some waits or calls have such begins */
    bool has_intervals;        /* some waits or calls have begins of their own */
    struct moment first, last; /* unset without records */
    uint64_t records;
};

/* Scan the trace. `ahead` is the greatest look-ahead: INSTANTS_AHEAD except in tests. The bits of
 * `more` select what the scan also collects: arguments, child threads, and CPU times of threads. */
enum instants_more { MORE_LEAVES = 1, MORE_CHILDREN = 2, MORE_TIMES = 4 };
csy_status instants_open(struct instants *instants, csy_sync *sync, const csy_meaning *meaning,
                         size_t ahead, unsigned more, csy_error *error);

typedef csy_status take_instant(void *user, const struct actor_instant *instant, csy_error *error);

/* A record that only enters or exits a routine. The actor wrote the record, and is present before
 * and after the record. */
struct actor_call {
    struct moment at;
    uint32_t actor;
    uint32_t routine; /* NO_TEXT: exit of the innermost routine */
    bool enters;
};

/* Receives n > 0 successive records of this kind. */
typedef csy_status take_actor_calls(void *user, const struct actor_call *calls, size_t n,
                                    csy_error *error);

/* Merge: pass all instants to `take`, one for each record even if the record changes nothing, and
 * one for each begin. Records that only enter or exit a routine may be passed to `calls` in groups,
 * unless `calls` is NULL. */
csy_status instants_merge(struct instants *instants, take_instant *take, take_actor_calls *calls,
                          void *user, csy_error *error);

void instants_fini(struct instants *instants);

/* Like actors_check_fit, for all actors of the trace. If no actor in `met` fits, scan the trace for
 * others. */
csy_status instants_check_fit(const struct actors *met, csy_sync *sync, const csy_meaning *meaning,
                              const char *patterns, csy_error *error);

#endif
