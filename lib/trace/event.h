/*
 * An event of a trace in any input format.
 *
 * A source (trace/source.h) sets the members that its file contains.  The timeline
 * (clock/timeline.h) then sets the members that follow from the clocks.
 */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include <cellsync/cellsync.h>

struct record;
struct csv_row;

enum stamp_core { STAMP_CORE_NONE, STAMP_CORE_PPE, STAMP_CORE_SPE };

/* The thread, clock, and time of an event in a trace with named threads.  Texts are valid until the
 * next event is read. */
struct named_stamp {
    const char *thread; /* without blanks around it */
    size_t thread_size;
    const char *clock; /* without blanks around it */
    size_t clock_size; /* 0: the thread has its own clock */
    csy_text node;     /* the computer of the thread; size 0: unknown */
    bool same; /* as in the event before: thread, clock, node, and location; false if the source
                  does not compare them */
    uint32_t
        number; /* of thread, clock, node, and location together, from 1; 0: the source does not
                        number them */
    enum stamp_core core;
    int64_t time_ticks;
    bool interval; /* the event has a begin, and begin_ticks is set */
    int64_t begin_ticks;
    bool begin_is_raw; /* begin_ticks is unchecked data of the traced program */
};

/* How much the order of records in a file proves about the order of events. */
enum granularity {
    GRANULARITY_NONE,   /* nothing: threads have names, and events have local times */
    GRANULARITY_RECORD, /* each record took its place in the buffer at its timestamp */
    GRANULARITY_THREAD, /* each thread wrote its records in order */
    GRANULARITY_BLOCK,  /* as THREAD, and blocks took their places in the buffer in order.  A block
                           is a run of records of one thread. */
    GRANULARITY_FLUSH   /* as BLOCK, but each block ends with the record of its flush */
};

/* If a flush has no timestamp, the record that limits how late it was.  The next block is the next
 * one of the same location in the same buffer. */
enum block_after {
    BLOCK_AFTER_FLUSH, /* the first record of the next block came after the flush */
    BLOCK_AFTER_BLOCK, /* the last record of the next block came after the flush, because that
                          block is filled during the flush */
    BLOCK_AFTER_NONE   /* no record is known to be after the flush */
};

/* The relation between an event and the flush of its block. */
enum event_flush {
    FLUSH_NONE,
    FLUSH_STAMPED, /* the event is the last one of its block, and contains the flush time */
    FLUSH_ITSELF   /* the event is the flush: it ends the block, but is not one of its records */
};

/* Collective operations, as in MPI.  A member enters if it sends data, and leaves if it receives
 * data; see order/match_members.c. */
enum collective_kind {
    COLLECTIVE_BARRIER,
    COLLECTIVE_BCAST,
    COLLECTIVE_GATHER,
    COLLECTIVE_GATHERV,
    COLLECTIVE_SCATTER,
    COLLECTIVE_SCATTERV,
    COLLECTIVE_ALLGATHER,
    COLLECTIVE_ALLGATHERV,
    COLLECTIVE_ALLTOALL,
    COLLECTIVE_ALLTOALLV,
    COLLECTIVE_ALLTOALLW,
    COLLECTIVE_ALLREDUCE,
    COLLECTIVE_REDUCE,
    COLLECTIVE_REDUCE_SCATTER,
    COLLECTIVE_SCAN,
    COLLECTIVE_EXSCAN,
    COLLECTIVE_KINDS
};

/* The part of one member in a collective operation of a group. */
struct event_collective {
    enum collective_kind kind;
    bool enters, leaves;
    bool gives_nothing, gets_nothing;
    bool has_instance; /* false: the k-th operation of each member belongs to the k-th instance */
    bool has_root;
    uint64_t instance;
    uint64_t self, root; /* ranks of the recording member and the root; a scan follows the ranks */
};

/* When a receive was posted.  The receives of a channel get their messages in this order. */
enum event_posting {
    POSTING_BEGIN, /* at its begin; if the channel lacks begins, in the order of the file */
    POSTING_GIVEN, /* at posted_ticks */
    POSTING_UNKNOWN
};

/* The name of the clock of the PPE, for other_clock of records. */
#define EVENT_PPE "ppe"

/* Constraints on the order of an event, in a trace in partial order.  A loose trace (`loose` in
 * trace/trace.h, set by `open` of the source) has the same roles, except chains: no buffer, block,
 * post, wait, members, release, acquire, spawn, join, or sync.  Its events are in no order among
 * themselves, not even if they have one location or clock; an event only comes after the begin of a
 * send, of an enter, or of a row in `after`.  A key in `send` and `recv` is one message: a second
 * send before the receive of the first one is an error, so the source must make copies of a key
 * unique or leave them out.  Texts have no blanks around
 * them and are valid until the next event is read; size 0 means none.  Several keys in one text are
 * separated by blanks.
 *
 * All records of a block belong to one location and one buffer.  Records of other locations may
 * come between them, but no record of another block of the same location and buffer.  The place of
 * the block in the buffer is the place of its last record, or of its flush if that is an event. */
struct event_roles {
    csy_text location; /* the location that ran; size 0: the thread */
    csy_text stream;   /* set if the location's records are split over several streams, each of
                          which is in order; size 0: there is one stream */
    csy_text buffer, block;
    csy_text send, recv;       /* channels */
    csy_text post, wait;       /* channels of tokens */
    csy_text enter, leave;     /* groups */
    csy_text members;          /* a group; `collective` describes the operation */
    csy_text release, acquire; /* locks */
    csy_text spawn, join;      /* candidate locations; the first with records counts */
    csy_text id, after;
    bool sync;    /* the send waits for its receive */
    bool shared;  /* several locations use its channel, though the events passed on do not show
                     it */
    bool late;    /* without a begin, the time is no limit for when the event began */
    bool spawned; /* other locations may spawn or join its location */
    bool has_latency, has_turn;
    int64_t latency_ticks; /* the shortest time, >= 0, from the send, or from the events in `after`;
                              if there is neither, from the enters of the groups it leaves */
    bool has_latency_max;
    int64_t latency_max_ticks; /* the longest time from the send, >= 0 */
    csy_text same;             /* moments at which events of several clocks happened */
    csy_text other_clock;      /* at some instant from the begin of the event to its time, this */
    int64_t other_ticks;       /* clock showed this local time; of a record: EVENT_PPE */
    int64_t within_ticks;      /* the error of `same` and other_ticks; >= 0 */
    enum event_posting posting;
    int64_t posted_ticks; /* by the clock of the event */
    bool lost;            /* an operation on this clock began and never completed */
    int64_t lost_ticks;   /* when it began; later operations have unknown instances */
    enum event_flush flush;
    bool alone; /* the event is a flush that runs beside its location: it comes after its block and
                   the flush, but in no order with other events of the location */
    int64_t flush_lo, flush_hi; /* the flush was between these times, lo <= hi, in ticks after the
                                   time of the event, by its clock */
    uint64_t block_number;      /* counts the blocks of the location in its buffer, if the source
                                   numbers them */
    uint64_t capacity;          /* how many tokens its channel holds; 0: unknown */
    uint64_t turn;              /* increases with each acquire of the lock */
    uint64_t group_rows; /* in a loose trace, how many events enter or leave its groups, so that a
                            group is forgotten after the last one; 0: unknown */
    bool forgets_ids;    /* in a loose trace, no later event refers to the ids of this event or of
                            earlier ones, so that they are forgotten */
    struct event_collective collective;
    uint32_t lacking; /* bit 1 << csy_end for each role that is left out because the record is too
                         short for its key */
};

/* Messages of an event that are drawn in an output (order/flows.h).  Both ends of a message have
 * the same two numbers.  An event keeps at most this many messages of each direction. */
enum { EVENT_FLOWS_MAX = 4 };

struct event_flow {
    uint32_t channel, number;
    bool apart; /* receives of the channel are missing, so the ends may be from two messages */
};

struct event_flows {
    unsigned nsent, nreceived;
    struct event_flow sent[EVENT_FLOWS_MAX], received[EVENT_FLOWS_MAX];
};

/* The relation between an event and its routine. */
enum event_call { EVENT_NO_CALL, EVENT_ENTERS, EVENT_LEAVES };

struct event {
    uint64_t position; /* number of the event in the order of the buffer, from 0 */
    uint64_t place;    /* byte offset or line in the file; source.place is the unit */
    uint32_t thread;
    uint32_t track; /* in traces with named threads; otherwise NO_THREAD */
    uint32_t ended; /* a thread with no event at or after this one, or NO_THREAD */
    int64_t local_ticks;
    const uint8_t *bytes; /* the bytes in the file; of a row, without its line end; of a source that
                             is `valued`, its values */
    size_t size;
    csy_text raw;             /* typed values as unsigned numbers; size 0: they equal `bytes` */
    struct named_stamp stamp; /* in traces with named threads */
    const char *name;         /* of the event, without blanks around it, if the source has names */
    size_t name_size;         /* 0: none */
    csy_text routine; /* the routine of the event, if known, as addresses_name names it; inside a
                         routine "NAME+0xOFFSET" */
    enum event_call call;
    csy_text about; /* the name of another thread that the event is about, if the source has one */
    struct record *record;           /* in sources with records, otherwise NULL */
    size_t file;                     /* number of its record file, from 0 */
    const struct csv_row *row;       /* in sources with rows, otherwise NULL */
    const struct event_roles *roles; /* in traces in partial order, otherwise NULL */
    const struct event_flows *flows; /* in outputs that draw messages, otherwise NULL */
};

#endif
