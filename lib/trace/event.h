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

/* The thread, clock, and time of an event. Texts are valid until the next event is read. */
struct named_stamp {
    const char *thread; /* name of the thread, without surrounding blanks; it contains no NUL */
    size_t thread_size;
    const char *clock; /* name of the clock, without surrounding blanks */
    size_t clock_size; /* size of the clock's name, or 0 if the thread has its own clock */
    csy_text node;     /* name of the thread's computer; empty if unknown */
    bool same; /* true only if the previous event has the same thread, clock, node, and location */
    uint32_t number; /* number of the combination thread, clock, node, location; 0 if unknown */
    enum stamp_core core;
    int64_t time_ticks;
    bool interval; /* true if the event has a begin, which is in begin_ticks */
    int64_t begin_ticks;
    bool begin_is_raw; /* true if the traced program wrote begin_ticks, which may thus be wrong */
};

/* How much the order of records in a file proves about the order of events. */
enum granularity {
    GRANULARITY_NONE,   /* the order of records proves nothing about the order of events */
    GRANULARITY_RECORD, /* each record was put into the buffer (file) at the time of its
                         * timestamp */
    GRANULARITY_THREAD, /* the records of each thread are in the order of events, but records of
                         * different threads may not be */
    /* like GRANULARITY_THREAD, for threads that collect records in blocks. A thread reserves space
     * for a block in the file when it flushes (writes) the block. */
    GRANULARITY_BLOCK,
    GRANULARITY_FLUSH /* like GRANULARITY_BLOCK, but each block ends with a record that states when
                       * it was flushed */
};

/* A block of records is flushed (written) at an unknown time. This states which record of the same
 * location in the same buffer is certainly later than that. */
enum block_after {
    BLOCK_AFTER_FLUSH, /* the first record of the next block is later */
    BLOCK_AFTER_BLOCK, /* The last record of the next block is later. Its other records may have
                        * been made during the flush. */
    BLOCK_AFTER_NONE   /* no record is known to be later */
};

/* How an event relates to the flush of its block. */
enum event_flush {
    FLUSH_NONE,
    FLUSH_STAMPED, /* the event is the last one of its block, and states when the block was flushed
                    * (written) */
    FLUSH_ITSELF   /* the event is the flush, which is later than all records of the block */
};

/* Kinds of collective operations, named as in MPI. */
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

struct event_collective {
    enum collective_kind kind;
    bool enters, leaves;
    bool gives_nothing, gets_nothing;
    bool has_instance; /* true if `instance` is the number of the operation */
    bool has_root;
    uint64_t instance;
    uint64_t self, root; /* self: rank of the location that has the event */
};

/* When a receive was posted (announced). Messages of a channel go to receives in posting order. */
enum event_posting {
    POSTING_BEGIN, /* at the begin of the receive or, without a begin, in the order of the file */
    POSTING_GIVEN, /* at the time event_roles.posted_ticks */
    POSTING_UNKNOWN
};

/* event_roles.other_clock for the clock of the PPE, which is the main processor of a Cell. */
#define EVENT_PPE "ppe"

/* Constraints on the order of an event, in a trace in partial order. Texts are valid until the next
 * event is read. A text is a key, or several keys that blanks separate. An empty text is no
 * constraint. Equal keys of two events name the same channel, group, lock, or event.
 *
 * A location is a thread of the program. Usually, the file orders the events of one location. In a
 * loose trace (`loose` in trace/trace.h), only keys in `enter`, `leave`, `send`, `recv`, and
 * `after` order events. A second send with the same key is an error. The roles buffer, block, post,
 * wait, members, release, acquire, spawn, join, and sync are not allowed.
 *
 * All records of a block belong to one location and one buffer. Until the block is complete, the
 * file has no record of another block of this location and buffer, but may have other records.
 * Blocks are ordered by their last records, or by their flushes if these are events. */
struct event_roles {
    csy_text location; /* name of the event's location; empty if the thread is the location */
    csy_text stream;   /* part of a location; events of different parts are not ordered */
    csy_text buffer, block;
    csy_text send, recv;       /* channels that the event sends to, and receives from */
    csy_text post, wait;       /* channels (semaphores) that get a token, and that lose one */
    csy_text enter, leave;     /* barriers and other groups that the event enters or leaves */
    csy_text members;          /* group; its members take part in `collective` */
    csy_text release, acquire; /* locks that the event releases, and that it acquires */
    csy_text spawn, join;      /* locations that the event starts, or waits for; if several are
                                * named, only the first one with records is used */
    csy_text id, after;
    bool sync;    /* true if the send waits until the message is received */
    bool shared;  /* true if several locations, even unrecorded, may use the channel */
    bool late;    /* true if the trace states only the end of the event, so the event may have begun
                   * earlier */
    bool spawned; /* true if other locations may spawn or join the location of the event */
    bool has_latency, has_turn;
    /* minimum time from the send to the event, in ticks, >= 0. If the event receives no message,
     * the time counts from the events in `after`, or from the events that enter the groups in
     * `leave`. */
    int64_t latency_ticks;
    bool has_latency_max;
    int64_t latency_max_ticks; /* maximum latency of the message in ticks, >= 0 */
    csy_text same;        /* names of moments; events with an equal name happened at one moment */
    csy_text other_clock; /* name of another clock that was read at the event; EVENT_PPE for the
                           * clock of the PPE */
    int64_t other_ticks;  /* time that other_clock showed then */
    int64_t within_ticks; /* maximum error in ticks, >= 0, of other_ticks and of moments */
    enum event_posting posting;
    int64_t posted_ticks; /* time in ticks of the event's clock when the receive was posted */
    bool lost;            /* true if an operation of the clock began, but has no recorded end */
    int64_t lost_ticks;   /* begin of the lost operation; later operations have unknown numbers */
    enum event_flush flush;
    /* True if the event is a flush during which its location continued. The event is later than the
     * flushed block, but not ordered with other events of the location. */
    bool alone;
    int64_t flush_lo, flush_hi; /* earliest and latest time when the block was flushed, in ticks
                                 * after the event */
    uint64_t block_number;      /* number of the block in its location and buffer, if stated */
    uint64_t capacity;          /* maximum number of tokens in the channel, or 0 if unknown */
    uint64_t turn;              /* a number that increases with each acquire of the lock */
    uint64_t group_rows;        /* number of events in the group, or 0 if unknown */
    bool forgets_ids;           /* in a loose trace: true if later events use no earlier `id` */
    struct event_collective collective;
    uint32_t lacking; /* bit 1 << csy_end is set if the event is such an end of a channel or group,
                       * but the trace does not give the full name of the channel or group */
};

/* Maximum numbers of arrows (messages) that an output draws from an event, and to it. */
enum { EVENT_FLOWS_MAX = 4 };

struct event_flow {
    uint32_t channel, number;
    bool apart; /* true if the send and the receive may belong to different messages */
};

struct event_flows {
    unsigned nsent, nreceived;
    struct event_flow sent[EVENT_FLOWS_MAX], received[EVENT_FLOWS_MAX];
};

enum event_call { EVENT_NO_CALL, EVENT_ENTERS, EVENT_LEAVES };

struct event {
    uint64_t position; /* number of the event in the order of the buffer, from 0 */
    uint64_t place;    /* byte offset or line in the file, as source.place states */
    uint32_t thread;
    uint32_t track; /* number of the thread if the trace names its threads, or NO_THREAD */
    uint32_t ended; /* number of a thread that has no later events, or NO_THREAD */
    int64_t local_ticks;
    const uint8_t *bytes; /* bytes of the file, or text of values (source.valued), without line
                           * end */
    size_t size;
    csy_text raw;             /* values of the event as unsigned numbers; if empty, use `bytes` */
    struct named_stamp stamp; /* thread, clock, and time, if the trace names its threads */
    const char *name;         /* name of the event, without surrounding blanks */
    size_t name_size;         /* size of the name in bytes, or 0 if the event has no name */
    csy_text routine;         /* the routine's name, or NAME+0xOFFSET for an address inside it */
    enum event_call call;
    csy_text about;                  /* name of another thread that the event is about, or empty */
    struct record *record;           /* the record, or NULL if the source has no records */
    size_t file;                     /* for a .pex: number of the event's binary file, from 0 */
    const struct csv_row *row;       /* the row of a CSV, or NULL if the source has no rows */
    const struct event_roles *roles; /* NULL unless the trace is in partial order */
    const struct event_flows *flows; /* NULL unless an output draws messages */
};

#endif
