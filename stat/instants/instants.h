/* Instants are the moments when the state of an actor may change: each record, and each begin of
 * a wait that ends with a record. The trace has no record at the begin of such a wait, but the
 * record at its end contains the time of the begin. Instants are sorted by estimated global time,
 * but records keep their order in the trace, and the begin of a wait follows the previous record of
 * its actor.
 *
 * The trace is read twice. The first pass ("scan") finds all actors, and the periods when they are
 * present ("stays"). The second pass ("merge") passes all instants to the caller. It decodes a
 * fixed number of records in advance, the look-ahead, to see the ends of waits when they begin.
 * Waits that are too long for this are already found and stored by the first pass. Memory grows
 * with the look-ahead, actors, stays, and long waits.
 *
 * In a trace with a partial order, only the records of one actor have an order. All records are
 * held in memory and sorted by time. */
#ifndef INSTANTS_INSTANTS_H
#define INSTANTS_INSTANTS_H

#include "instants/actors.h"

/* The look-ahead is the number of records that are decoded in advance, to find where waits begin.
 * It starts with INSTANTS_NEAR. If more than INSTANTS_LONGS waits are longer than the look-ahead,
 * it is doubled, but not beyond INSTANTS_AHEAD. */
enum { INSTANTS_AHEAD = 65536, INSTANTS_NEAR = 64, INSTANTS_LONGS = 256 };

enum call_kind { CALL_NONE, CALL_ENTER, CALL_EXIT };

struct actor_instant {
    uint64_t record; /* position of the record, or of the record that ends the wait or call */
    uint32_t actor;
    struct moment at;
    bool ordered;   /* true if it is certain between which records this instant lies */
    bool is_record; /* true for a record, false for the begin of a wait or call */
    bool own;       /* false if the record was written by another actor, which switches, starts, or
                     * stops this one */
    enum state state;
    uint32_t class; /* kind of waiting (index in event_kinds.classes) of a waiting actor, or
                     * NO_TEXT */
    uint64_t unit;  /* number of the SPE on which the actor runs, or NO_UNIT */
    bool has_core;  /* true if, according to events, the actor has a core from this instant on */
    const struct seen *seen; /* the actor's record; NULL if `is_record` or `own` is false */
    enum call_kind call;
    uint32_t routine; /* routine that is called or exited; NO_TEXT means the routine entered last */
};

/* A wait or call that begins before the records that are decoded in advance (see above). */
struct long_wait {
    uint64_t end; /* position of the record that ends the wait or call */
    uint32_t actor;
    struct moment begin;
    bool ordered;   /* true if `begin` is the time of a record */
    uint64_t after; /* position of the record directly before the begin; undefined if `ordered` is
                     * false */
    bool called;    /* true if this is a call of `routine` */
    uint32_t routine;
    bool waits; /* a wait may be a call, too */
    enum state state;
    uint32_t class;
    size_t reach; /* how many records must be decoded in advance, so that the wait or call is not
                   * long; twice the greatest possible number if that is not enough */
};

/* An element of a list that gives the order of the records in a partial order: by estimated global
 * time, but without changing the order of the records of an actor. */
struct sorted_place {
    int64_t reached_ticks; /* greatest estimated global time of this record and the actor's earlier
                            * records */
    uint64_t item;         /* index of the record in sorted_records.items */
};

struct sorted_records {
    struct seen *items; /* all records, in the order of reading */
    size_t count, capacity;
    struct sorted_place *places; /* sorted after the first pass */
    size_t places_capacity;
};

static inline const struct seen *sorted_record(const struct sorted_records *held, uint64_t position)
{
    return &held->items[held->places[position].item];
}

struct instants {
    csy_sync *sync;
    struct event_kinds event_kinds;
    struct actors actors;
    bool partial; /* true for a partial order; all records are then stored in `held` */
    struct sorted_records held;
    struct long_wait *longs; /* long waits with `ordered` = false, sorted by begin */
    size_t nlongs, longs_capacity;
    struct long_wait *clipped; /* long waits with `ordered` = true, sorted by `after` */
    size_t nclipped;
    size_t ahead, most_ahead;  /* how many records are decoded in advance, and the greatest possible
                                * number; powers of 2 */
    int64_t imprecision_ticks; /* greatest sum of the errors of two timestamps, in ticks */
    bool has_calls;            /* true if some record enters a routine */
    bool has_open_calls;       /* true if a call's begin has no certain place among records */
    bool has_begins;           /* true if some wait or call has an uncertain begin */
    bool has_intervals;        /* true if some records are intervals with a wait or call */
    struct moment first, last; /* first and last instant; undefined if there are no records */
    uint64_t records;
};

/* Scan the trace (first pass). `ahead` is INSTANTS_AHEAD except in tests. `wanted` requests
 * arguments of records (MORE_LEAVES), created actors (MORE_CHILDREN), or CPU times
 * (MORE_TIMES). */
enum instants_more { MORE_LEAVES = 1, MORE_CHILDREN = 2, MORE_TIMES = 4 };
csy_status instants_open(struct instants *instants, csy_sync *sync, const csy_meaning *meaning,
                         size_t ahead, unsigned wanted, csy_error *error);

typedef csy_status take_instant(void *user, const struct actor_instant *instant, csy_error *error);

/* A record that only enters or exits a routine, of an actor that is present before and after. */
struct actor_call {
    struct moment at;
    uint32_t actor;
    uint32_t routine; /* routine that is entered or exited; NO_TEXT means the innermost routine */
    bool enters;
};

typedef csy_status take_actor_calls(void *user, const struct actor_call *calls, size_t n,
                                    csy_error *error);

/* Read the trace a second time, and call `take` for all instants in their order, even if no state
 * changes. If `calls` is not NULL, it may be called instead for records that only enter or exit a
 * routine. */
csy_status instants_merge(struct instants *instants, take_instant *take, take_actor_calls *calls,
                          void *user, csy_error *error);

void instants_fini(struct instants *instants);

/* Like actors_check_fit. If no actor in `met` matches, all actors of the trace are checked. */
csy_status instants_check_fit(const struct actors *met, csy_sync *sync, const csy_meaning *meaning,
                              const char *patterns, csy_error *error);

#endif
