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

/* The thread, clock, and time of an event with a named thread. Valid until the next read. */
struct named_stamp {
    const char *thread; /* without blanks around it, and without NUL */
    size_t thread_size;
    const char *clock; /* without blanks around it */
    size_t clock_size; /* 0: the thread has its own clock */
    csy_text node;     /* the computer of the thread; size 0: unknown */
    bool same; /* thread, clock, node, and location are as in the previous event; false: unknown */
    uint32_t number; /* number of this thread, clock, node, and location together; 0: unknown */
    enum stamp_core core;
    int64_t time_ticks;
    bool interval; /* true if the event has a begin, which is in begin_ticks */
    int64_t begin_ticks;
    bool begin_is_raw; /* true if the traced program wrote begin_ticks, so any value is possible */
};

/* How much the order of records in a file proves about the order of events. */
enum granularity {
    GRANULARITY_NONE,   /* no order is proved; threads have names, and events have local times */
    GRANULARITY_RECORD, /* each record was put into the buffer at the time of its timestamp */
    GRANULARITY_THREAD, /* each thread wrote its records in order */
    /* as THREAD, and blocks got their space in the buffer in order. A block is a run of records of
     * one thread. */
    GRANULARITY_BLOCK,
    GRANULARITY_FLUSH /* as BLOCK, and each block ends with a record of its flush */
};

/* Which record is certainly later than a flush without a timestamp. The next block is the one that
 * the location fills after the flushed block, in the same buffer. */
enum block_after {
    BLOCK_AFTER_FLUSH, /* the first record of the next block is later */
    /* the last record of the next block is later, since that block is filled during the flush */
    BLOCK_AFTER_BLOCK,
    BLOCK_AFTER_NONE /* no record is known to be later */
};

/* How an event relates to the flush of its block. */
enum event_flush {
    FLUSH_NONE,
    FLUSH_STAMPED, /* the event is the last one of its block, and contains the time of the flush */
    FLUSH_ITSELF   /* the event is the flush, which comes after all records of the block */
};

/* Collective operations, as in MPI. In order/match_members.c, a member that sends data enters the
 * group, and a member that receives data leaves it. */
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

/* What one member of a group does in a collective operation. */
struct event_collective {
    enum collective_kind kind;
    bool enters, leaves;
    bool gives_nothing, gets_nothing;
    bool has_instance; /* false: the k-th operation of each member belongs to the k-th instance */
    bool has_root;
    uint64_t instance;
    /* ranks of the recording member and the root; a scan passes data in the order of ranks */
    uint64_t self, root;
};

/* When a receive was posted. Receives of a channel get messages in the order of posting. */
enum event_posting {
    POSTING_BEGIN, /* at its begin or, if the channel lacks begins, in the order of the file */
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
    csy_text location; /* the location of the event; size 0: its thread is the location */
    csy_text stream;   /* the stream, if the location has several, each in order; size 0: one */
    csy_text buffer, block;
    csy_text send, recv;       /* channels */
    csy_text post, wait;       /* channels that pass tokens, such as semaphores */
    csy_text enter, leave;     /* groups */
    csy_text members;          /* the group of an operation, which `collective` describes */
    csy_text release, acquire; /* locks */
    csy_text spawn, join;      /* names of the other location; the first one with records counts */
    csy_text id, after;
    bool sync;    /* true if the send waits until the message is received */
    bool shared;  /* several locations use the channel, even if the source omits some */
    bool late;    /* true if the event lacks a begin, but may have begun before its time */
    bool spawned; /* true if other locations may spawn or join the location of the event */
    bool has_latency, has_turn;
    /* minimum latency, >= 0: ticks since the send, else since the events in `after`, else since the
     * enters of the groups in `leave` */
    int64_t latency_ticks;
    bool has_latency_max;
    int64_t latency_max_ticks; /* maximum latency of the message in ticks, >= 0 */
    csy_text same; /* names of moments; all events that name a moment happened at that moment */
    csy_text other_clock; /* a clock that was compared with the clock of the event, or EVENT_PPE */
    int64_t other_ticks;  /* what other_clock showed at some instant from begin to time */
    int64_t within_ticks; /* maximum error of other_ticks and of the moments in `same`; >= 0 */
    enum event_posting posting;
    int64_t posted_ticks; /* time when the receive was posted, on the clock of the event */
    bool lost;            /* true if an operation on the event's clock began, but never completed */
    int64_t lost_ticks; /* begin of the lost operation; instances of later operations are unknown */
    enum event_flush flush;
    /* true if the event is a flush during which the location went on. It is later than the block
     * and the flush, but has no order with other events of the location. */
    bool alone;
    int64_t flush_lo, flush_hi; /* range of the time of the flush, in ticks after the event */
    /* number of the block in its location and buffer, if stated */
    uint64_t block_number;
    uint64_t capacity;   /* maximum number of tokens in the channel; 0: unknown */
    uint64_t turn;       /* a number that increases with each acquire of the lock */
    uint64_t group_rows; /* number of events in the groups, in a loose trace; 0: unknown */
    bool forgets_ids;    /* true in a loose trace if no later event refers to the ids read so far */
    struct event_collective collective;
    uint32_t lacking; /* bit 1 << csy_end is set if the record is too short for that role's key */
};

/* Maximum number of messages of an event, in each direction, that an output draws
 * (order/flows.h). */
enum { EVENT_FLOWS_MAX = 4 };

struct event_flow {
    uint32_t channel, number;
    bool apart; /* the channel lacks receives, so both ends may be of different messages */
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
    uint32_t ended; /* a thread that has no more events, not even the present one, or NO_THREAD */
    int64_t local_ticks;
    const uint8_t *bytes; /* the event in the file, without line end; or values (source.valued) */
    size_t size;
    csy_text raw; /* the values as unsigned numbers, without types; size 0: see `bytes` */
    struct named_stamp stamp; /* thread, clock, and time, in traces that name their threads */
    const char *name;         /* name of the event, without blanks around it */
    size_t name_size;         /* 0: none */
    csy_text routine; /* name of the routine by addresses_name; inside it: "NAME+0xOFFSET" */
    enum event_call call;
    csy_text about;                  /* name of another thread that the event concerns */
    struct record *record;           /* NULL if the source has no records */
    size_t file;                     /* number of the record file that contains the event, from 0 */
    const struct csv_row *row;       /* NULL if the source has no rows */
    const struct event_roles *roles; /* NULL unless the order is partial */
    const struct event_flows *flows; /* NULL unless an output draws messages */
};

#endif
