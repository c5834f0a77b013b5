/*
 * Instants: the moments of a trace when the state of an actor may change, in the order of estimated
 * global time.
 *
 * A record is one moment.  The begin of a wait is another, known only by its timestamp.  The base
 * order is the order of records in the buffer.  A begin is placed by its estimate, but after the
 * previous record of its actor and before the next.
 *
 * The trace is read twice.  The scan finds actors, the ends of their stays, and waits that are
 * longer than the look-ahead.  The merge decodes that many records ahead and passes on the
 * instants. Memory grows with the look-ahead, actors, their stays, and long waits.
 *
 * In partial order, only the records of the same actor have an order.  All records are held and
 * sorted once (instants/held.h), and no instant is ordered.
 */
#ifndef INSTANTS_INSTANTS_H
#define INSTANTS_INSTANTS_H

#include "instants/held.h"

/* The scan chooses the look-ahead: at least INSTANTS_NEAR records, and more while over
 * INSTANTS_LONGS begins are out of its reach. */
enum { INSTANTS_AHEAD = 65536, INSTANTS_NEAR = 64, INSTANTS_LONGS = 256 };

enum call_kind { CALL_NONE, CALL_ENTER, CALL_EXIT };

struct actor_instant {
    uint64_t record; /* position in the base order; for a begin, of the record that ends it */
    uint32_t actor;
    struct moment at;
    bool ordered;   /* a record in a buffer; false for a begin, and in partial order */
    bool is_record; /* false: it is a begin */
    bool own; /* a record of the actor; false: of an actor that switches, starts, or stops it */
    enum state state;        /* state of the actor from here on */
    uint32_t class;          /* class of its wait, or NO_TEXT */
    uint64_t unit;           /* the SPE it runs on, or NO_UNIT */
    bool has_core;           /* the actor has a core from here on, as far as events show it */
    const struct seen *seen; /* the record if `own` is true, otherwise NULL */
    enum call_kind call;     /* call or return of the actor at this instant */
    uint32_t routine;        /* routine of that call; NO_TEXT: the innermost */
};

/* A wait or a call that is longer than the look-ahead. */
struct long_wait {
    uint64_t end; /* position of the record that ends it */
    uint32_t actor;
    struct moment begin;
    bool ordered;   /* its begin is right after a record, */
    uint64_t after; /* at this position */
    bool called;    /* it is a call of `routine` */
    uint32_t routine;
    bool waits; /* it is a wait, with the members below; a call may be a wait, too */
    enum state state;
    uint32_t class;
    size_t reach; /* the least look-ahead that contains it, or twice the maximum */
};

struct instants {
    csy_sync *sync;
    struct senses senses;
    struct actors actors;
    bool partial; /* the trace is in partial order, and its records are held */
    struct held_records held;
    struct long_wait *longs; /* long waits with unordered begins, sorted by begin */
    size_t nlongs, longs_capacity;
    struct long_wait *clipped; /* the other long waits, sorted by `after` */
    size_t nclipped, clipped_capacity;
    size_t ahead, most_ahead;  /* records, powers of 2 */
    int64_t imprecision_ticks; /* added to every constraint */
    bool has_calls;            /* some record enters a routine */
    bool has_open_calls;       /* some calls have begins without a place in the order */
    bool has_begins;           /* some waits or calls have begins without a place in the order */
    bool has_intervals;        /* some waits or calls have begins of their own */
    struct moment first, last; /* first and last record; unset without records */
    uint64_t records;
};

/* Scan the trace.  ahead: the maximum look-ahead, which is INSTANTS_AHEAD except in tests. */
csy_status instants_open(struct instants *instants, csy_sync *sync, const csy_meaning *meaning,
                         size_t ahead, csy_error *error);

/* The same, and also collect arguments, child threads, or CPU times of threads, as `more`
 * states. */
enum instants_more { MORE_LEAVES = 1, MORE_CHILDREN = 2, MORE_TIMES = 4 };
csy_status instants_open_more(struct instants *instants, csy_sync *sync, const csy_meaning *meaning,
                              size_t ahead, unsigned more, csy_error *error);

/* Merge: pass the instants to `take`, one for every record even if it changes nothing, and one for
 * every begin. */
typedef csy_status take_instant(void *user, const struct actor_instant *instant, csy_error *error);
csy_status instants_merge(struct instants *instants, take_instant *take, void *user,
                          csy_error *error);

/* A record that only enters or exits a routine.  Its actor wrote it, and is present before and
 * after it. */
struct actor_call {
    struct moment at;
    uint32_t actor;
    uint32_t routine; /* NO_TEXT: an exit of the innermost routine */
    bool enters;
};

/* Consume n > 0 successive records of this kind. */
typedef csy_status take_actor_calls(void *user, const struct actor_call *calls, size_t n,
                                    csy_error *error);

/* The same, but records that only enter or exit a routine may be passed to `calls` in groups. */
csy_status instants_merge_calls(struct instants *instants, take_instant *take,
                                take_actor_calls *calls, void *user, csy_error *error);

void instants_fini(struct instants *instants);

/* actors_check_fit for all actors of the trace.  If none of the actors in `met` fits, the trace is
 * scanned for others. */
csy_status instants_check_fit(const struct actors *met, csy_sync *sync, const csy_meaning *meaning,
                              const char *patterns, csy_error *error);

#endif
