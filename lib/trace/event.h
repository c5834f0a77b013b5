/* An event of a trace in any input format.
 *
 * A source (trace/source.h) sets the members that its file contains. The timeline
 * (clock/timeline.h) then sets the members that follow from the clocks. */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include <cellsync/cellsync.h>

struct record;
struct csv_row;

enum stamp_core { STAMP_CORE_NONE, STAMP_CORE_PPE, STAMP_CORE_SPE };

/* The thread, clock, and time of an event, if threads are named. Valid until the next event. */
struct named_stamp {
    const char *thread; /* without blanks around it */
    size_t thread_size;
    const char *clock; /* without blanks around it */
    size_t clock_size; /* 0: the thread has its own clock */
    csy_text node;     /* the computer of the thread; size 0: unknown */
    bool same; /* thread, clock, node, and location are the same as in the previous event; false if
                * the source does not compare them */
    uint32_t number; /* number of this combination of thread, clock, node, and location; 0: none */
    enum stamp_core core;
    int64_t time_ticks;
    bool interval; /* the event has a begin, and begin_ticks is set */
    int64_t begin_ticks;
    bool begin_is_raw; /* begin_ticks was written by the traced program, and is unchecked */
};

/* How much the order of records in a file proves about the order of events. */
enum granularity {
    GRANULARITY_NONE,   /* nothing: threads have names, and events have local times */
    GRANULARITY_RECORD, /* each record took its place in the buffer at the time of its timestamp */
    GRANULARITY_THREAD, /* each thread wrote its records in order */
    GRANULARITY_BLOCK,  /* as THREAD, and blocks took their places in the buffer in order. A block
                         * is a run of records of one thread. */
    GRANULARITY_FLUSH   /* as BLOCK, but each block ends with the record of its flush */
};

/* For flushes without a timestamp: which record is known to be later than the flush. The next block
 * is the next one of the same location in the same buffer. */
enum block_after {
    BLOCK_AFTER_FLUSH, /* the first record of the next block */
    BLOCK_AFTER_BLOCK, /* the last record of the next block, which is filled during the flush */
    BLOCK_AFTER_NONE   /* none */
};

/* How an event relates to the flush of its block. */
enum event_flush {
    FLUSH_NONE,
    FLUSH_STAMPED, /* the event is the last one of its block, and contains the flush time */
    FLUSH_ITSELF   /* the event is the flush: it ends the block, but is not one of its records */
};

/* Collective operations, as in MPI. A member that sends data enters, and a member that receives
 * data leaves; see order/match_members.c. */
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

/* A member's part in a collective operation of a group. */
struct event_collective {
    enum collective_kind kind;
    bool enters, leaves;
    bool gives_nothing, gets_nothing;
    bool has_instance; /* false: the k-th operation of each member belongs to the k-th instance */
    bool has_root;
    uint64_t instance;
    uint64_t self, root; /* ranks of the recording member and the root; a scan follows the ranks */
};

/* When a receive was posted. Receives of a channel get messages in the order of their posting. */
enum event_posting {
    POSTING_BEGIN, /* at its begin; if the channel lacks begins, the order of the file counts */
    POSTING_GIVEN, /* at posted_ticks of the receive */
    POSTING_UNKNOWN
};

/* The value of other_clock for the clock of the PPE. */
#define EVENT_PPE "ppe"

/* Constraints on the order of an event, in a trace in partial order. Texts have no blanks around
 * them and are valid until the next event is read; size 0 means none. Blanks separate several keys
 * in one text.
 *
 * A loose trace (`loose` in trace/trace.h) may not have the roles buffer, block, post, wait,
 * members, release, acquire, spawn, join, or sync. Its events are in no order among themselves,
 * even if they have the same location or clock. An event only comes after the begin of a send, of
 * an enter, or of a row in `after`. A key in `send` and `recv` is one message. A second send before
 * the receive is an error, so the source must make keys of copies unique, or omit them.
 *
 * All records of a block belong to one location and one buffer. Records of other locations may come
 * between them, but no record of another block of the same location and buffer. The place of a
 * block in the buffer is the place of its last record, or of its flush if that is an event. */
struct event_roles {
    csy_text location; /* size 0: the location is the thread */
    csy_text stream;   /* one of several streams of the location, each in order; size 0: only one */
    csy_text buffer, block;
    csy_text send, recv;       /* channels */
    csy_text post, wait;       /* channels of tokens, such as semaphores */
    csy_text enter, leave;     /* groups */
    csy_text members;          /* a group; `collective` describes the operation */
    csy_text release, acquire; /* locks */
    csy_text spawn, join;      /* candidates for the location; the first one with records counts */
    csy_text id, after;
    bool sync;    /* the send waits for the receive */
    bool shared;  /* several locations use the channel, even if this is not passed on */
    bool late;    /* the event has no begin, and may have begun before its time */
    bool spawned; /* other locations may spawn or join this location */
    bool has_latency, has_turn;
    int64_t latency_ticks; /* the shortest time, >= 0, since the send, or since the events in
                            * `after`, or otherwise since the enters of the left groups */
    bool has_latency_max;
    int64_t latency_max_ticks; /* the longest time since the send, >= 0 */
    csy_text same;             /* keys of moments at which events of several clocks happened */
    csy_text other_clock;      /* a clock that was compared with this one, or EVENT_PPE */
    int64_t other_ticks;       /* local time of other_clock at some instant from begin to time */
    int64_t within_ticks;      /* error of `same` and other_ticks; >= 0 */
    enum event_posting posting;
    int64_t posted_ticks; /* when a receive was posted, by the clock of the event */
    bool lost;            /* an operation on this clock began, but never completed */
    int64_t lost_ticks;   /* when that operation began; instances of later ones are unknown */
    enum event_flush flush;
    bool alone; /* the event is a flush that continues beside its location: it comes after its block
                 * and the flush, but is in no order with other events of the location */
    int64_t flush_lo, flush_hi; /* limits of the flush, in ticks after the event by its clock */
    uint64_t block_number;      /* number of the block in its location and buffer, if stated */
    uint64_t capacity;          /* how many tokens the channel holds; 0: unknown */
    uint64_t turn;              /* increases with each acquire of the lock */
    uint64_t group_rows;        /* in a loose trace: number of events in the groups; 0: unknown */
    bool forgets_ids;           /* in a loose trace: no later event refers to ids so far */
    struct event_collective collective;
    uint32_t lacking; /* bit 1 << csy_end for each role whose key the record is too short for */
};

/* Messages of an event that an output draws (order/flows.h). Both ends of a message have the same
 * two numbers. At most this many messages of an event are kept in each direction. */
enum { EVENT_FLOWS_MAX = 4 };

struct event_flow {
    uint32_t channel, number;
    bool apart; /* receives of the channel are missing, so the ends may be of different messages */
};

struct event_flows {
    unsigned nsent, nreceived;
    struct event_flow sent[EVENT_FLOWS_MAX], received[EVENT_FLOWS_MAX];
};

/* How an event relates to its routine. */
enum event_call { EVENT_NO_CALL, EVENT_ENTERS, EVENT_LEAVES };

struct event {
    uint64_t position; /* number of the event in the order of the buffer, from 0 */
    uint64_t place;    /* byte offset or line in the file, according to source.place */
    uint32_t thread;
    uint32_t track; /* NO_THREAD unless threads are named */
    uint32_t ended; /* a thread without events from this one on, or NO_THREAD */
    int64_t local_ticks;
    const uint8_t *bytes; /* the event in the file, without line end; if `valued`, its values */
    size_t size;
    csy_text raw;             /* typed values as unsigned numbers; size 0: the same as `bytes` */
    struct named_stamp stamp; /* set in traces with named threads */
    const char *name;         /* name of the event, without blanks around it, or size 0 */
    size_t name_size;         /* 0: none */
    csy_text routine; /* routine of the event, named by addresses_name; inside: "NAME+0xOFFSET" */
    enum event_call call;
    csy_text about;                  /* name of another thread that the event concerns */
    struct record *record;           /* NULL if the source has no records */
    size_t file;                     /* number of its record file, from 0 */
    const struct csv_row *row;       /* NULL if the source has no rows */
    const struct event_roles *roles; /* NULL unless the order is partial */
    const struct event_flows *flows; /* NULL unless an output draws messages */
};

#endif
