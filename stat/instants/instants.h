/*
 * Instants: the moments of a trace at which the state of an actor may change, in the order of
 * estimated global time.
 *
 * A record is one moment, and the begin of a wait is another, which is known only by its
 * timestamp.  The base order is the order of records in the buffer.  A begin is placed by its
 * estimate, but after the previous record of its actor and before the next.
 *
 * The trace is read twice.  The scan finds actors, the ends of their stays, and waits that are
 * longer than the look-ahead; the merge decodes that many records ahead and gives the instants.
 * Memory grows with the look-ahead, actors, their stays, and long waits.
 *
 * In partial order, only the records of the same actor have an order.  All records are held and
 * sorted once (instants/held.h), and no instant is ordered.
 */
#ifndef INSTANTS_INSTANTS_H
#define INSTANTS_INSTANTS_H

#include "instants/held.h"

/* The look-ahead is as far as the scan has found it to pay: at least INSTANTS_NEAR records, and
 * further as long as more than INSTANTS_LONGS begins are out of its reach. */
enum { INSTANTS_AHEAD = 65536, INSTANTS_NEAR = 64, INSTANTS_LONGS = 256 };

enum call_kind { CALL_NONE, CALL_ENTER, CALL_EXIT };

struct actor_instant {
    uint64_t record; /* position in the base order; for a begin, of the record that ends it */
    uint32_t actor;
    struct moment at;
    bool ordered;   /* the timestamp of a record of a buffer; otherwise a begin, or partial order */
    bool is_record; /* false: it is a begin */
    bool own; /* a record of the actor; otherwise of another that switches, starts, or stops it */
    enum state state;        /* of the actor, from here on */
    uint32_t class;          /* of its wait, or NO_TEXT */
    uint64_t unit;           /* the SPE that it has, or NO_UNIT */
    bool has_core;           /* the actor, from here on, as far as it is told */
    const struct seen *seen; /* the record, where it is one of the actor; NULL: it is a begin */
    enum call_kind call;     /* of the actor, here: */
    uint32_t routine;        /* of that one; NO_TEXT: of the innermost */
};

/* A wait or a call that began before the look-ahead knows of its end. */
struct long_wait {
    uint64_t end; /* position of the record that ends it */
    uint32_t actor;
    struct moment begin;
    bool ordered;   /* it is right after a record: */
    uint64_t after; /* its position */
    bool called;    /* it is a call: */
    uint32_t routine;
    bool waits; /* it is a wait, which a call may be: */
    enum state state;
    uint32_t class;
    size_t reach; /* the least look-ahead that knows of it, or twice the greatest there is */
};

struct instants {
    csy_sync *sync;
    struct senses senses;
    struct actors actors;
    bool partial; /* the trace is in partial order: */
    struct held_records held;
    struct long_wait *longs; /* unordered ones, by their begins */
    size_t nlongs, longs_capacity;
    struct long_wait *clipped; /* the others, by the records that they are after */
    size_t nclipped, clipped_capacity;
    size_t ahead, most_ahead;  /* records, powers of 2 */
    int64_t imprecision_ticks; /* added to every constraint */
    bool has_calls;            /* something enters a routine */
    bool has_open_calls;       /* by a begin that has no place in the order */
    bool has_begins;           /* some waits or calls have begins without a place in the order */
    bool has_intervals;        /* there are waits, or calls, that have begins of their own */
    struct moment first, last; /* of the records; nothing where there are none */
    uint64_t records;
};

/* Scan.  ahead is the most, INSTANTS_AHEAD but in tests. */
csy_status instants_open(struct instants *instants, csy_sync *sync, const csy_meaning *meaning,
                         size_t ahead, csy_error *error);

/* The same, if records must also tell their arguments, their children, or the times that threads
 * have spent. */
enum instants_more { MORE_LEAVES = 1, MORE_CHILDREN = 2, MORE_TIMES = 4 };
csy_status instants_open_more(struct instants *instants, csy_sync *sync, const csy_meaning *meaning,
                              size_t ahead, unsigned more, csy_error *error);

/* Merge: every record's instant is given, also where it changes nothing. */
typedef csy_status take_instant(void *user, const struct actor_instant *instant, csy_error *error);
csy_status instants_merge(struct instants *instants, take_instant *take, void *user,
                          csy_error *error);

/* A record that enters or exits a routine, and does nothing else: its actor, which is no other
 * record's, is there before it and after. */
struct actor_call {
    struct moment at;
    uint32_t actor;
    uint32_t routine; /* NO_TEXT: of an exit, the innermost */
    bool enters;
};

/* Some of these, at least one, one right after the other. */
typedef csy_status take_actor_calls(void *user, const struct actor_call *calls, size_t n,
                                    csy_error *error);

/* The same, where records that are calls and nothing else may be given at once instead. */
csy_status instants_merge_calls(struct instants *instants, take_instant *take,
                                take_actor_calls *calls, void *user, csy_error *error);

void instants_fini(struct instants *instants);

/* actors_check_fit for all actors of the trace: if none of those that the caller has met fits, scan
 * the trace for others. */
csy_status instants_check_fit(const struct actors *met, csy_sync *sync, const csy_meaning *meaning,
                              const char *patterns, csy_error *error);

#endif
