/*
 * An event, whatever format it comes from.
 *
 * A source (trace/source.h) says what its file says; the timeline (clock/timeline.h) adds what
 * clocks make of it.
 */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include <cellsync/cellsync.h>

struct record;
struct csv_row;

enum stamp_core { STAMP_CORE_NONE, STAMP_CORE_PPE, STAMP_CORE_SPE };

/* Who stamped an event, and when, where threads have names.  Texts hold until the next event. */
struct named_stamp {
    const char *thread; /* without blanks around it */
    size_t thread_size;
    const char *clock; /* the same; size 0: the thread has a clock of its own */
    size_t clock_size;
    csy_text node; /* the computer that the thread ran on; size 0: not known */
    bool same; /* all of this and its location are those of the event before it; not known: false */
    enum stamp_core core;
    int64_t time_ticks;
    bool interval; /* with a begin: */
    int64_t begin_ticks;
    bool begin_is_raw; /* it is what a program wrote, which may be anything */
};

/* How much the order of records in a file proves about the order of events. */
enum granularity {
    GRANULARITY_NONE,   /* nothing: events name their threads, and have local times */
    GRANULARITY_RECORD, /* each record took its place in the buffer at its timestamp */
    GRANULARITY_THREAD, /* each thread wrote its records in order */
    GRANULARITY_BLOCK,  /* also, blocks took their places in the buffer; a block is a run of
                           records of one thread, */
    GRANULARITY_FLUSH   /* or it ends with a flush */
};

/* Where a record that follows a flush shows how late that was: what is known of a flush without a
 * stamp.  The next block is the next one of its location in its buffer. */
enum block_after {
    BLOCK_AFTER_FLUSH, /* its first record is after the flush */
    BLOCK_AFTER_BLOCK, /* its last record is: it is filled while the one before is flushed */
    BLOCK_AFTER_NONE   /* nothing shows it */
};

/* What an event has to do with the flush of its block. */
enum event_flush {
    FLUSH_NONE,
    FLUSH_STAMPED, /* it is the last of its block, and the flush was stamped after it */
    FLUSH_ITSELF   /* it is the flush, and no record of the block, which ends with it */
};

/* Collective operations, as MPI has them.  Who enters, that is, gives something, and who leaves, or
 * gets something: order/match_members.c. */
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

/* A record of a group whose instances are counted, or numbered. */
struct event_collective {
    enum collective_kind kind;
    bool enters, leaves;
    bool gives_nothing, gets_nothing;
    bool has_instance; /* else the k-th of each member is one instance */
    bool has_root;
    uint64_t instance;
    uint64_t self,
        root; /* the member that records, and the root; a scan is in the order of these */
};

/* When a receive was posted, which is the order in which those of a channel got their messages. */
enum event_posting {
    POSTING_BEGIN, /* when it began; without begins in the order of the file */
    POSTING_GIVEN, /* when it says */
    POSTING_UNKNOWN
};

/* What an event says of what comes before what, where that is not a line.  Texts have no blanks
 * around them and hold until the next event; size 0: nothing.  Several keys are separated by
 * blanks.
 *
 * Records of a block, which is named, are those of one location and buffer: others may come between
 * them, but not others of the same location and buffer that are of another block.  The block has
 * its place in the buffer where its last record has it, or the event that is its flush. */
struct event_roles {
    csy_text location; /* who ran; nothing: the thread */
    csy_text
        stream; /* of several in which its records are, each in order; nothing: all are in one */
    csy_text buffer, block;
    csy_text send, recv;       /* channels */
    csy_text post, wait;       /* channels of tokens */
    csy_text enter, leave;     /* groups */
    csy_text members;          /* a group of which collective says more */
    csy_text release, acquire; /* locks */
    csy_text spawn, join;      /* locations, of which the first one that has records is meant */
    csy_text id, after;
    bool sync;    /* the send waits for its receive */
    bool apart;   /* receives of its channel are missing, though none that is here shows it */
    bool shared;  /* several locations share it, though none that is here shows it */
    bool late;    /* without a begin, its time tells nothing of when it began */
    bool spawned; /* others may spawn its location, or join it */
    bool has_latency, has_turn;
    int64_t latency_ticks; /* of its receives and what it is after, or else of its leaves; >= 0 */
    bool has_latency_max;
    int64_t latency_max_ticks; /* of its receives; >= 0 */
    csy_text same;             /* moments at which events of several clocks happened */
    csy_text other_clock;      /* with which its clock was compared, from its begin to its time: */
    int64_t other_ticks;       /* what that clock showed, in its local time */
    int64_t within_ticks;      /* how far moments and comparisons may be off; >= 0 */
    enum event_posting posting;
    int64_t posted_ticks; /* by its clock */
    bool lost;            /* an operation began on its clock and was never completed: */
    int64_t lost_ticks;   /* then.  Which ones those are that began later is not known */
    enum event_flush flush;
    bool alone; /* it is a flush that is late by itself: only its own flush comes before it, and no
                   event of its location is known to come after it */
    int64_t flush_lo, flush_hi; /* between which stamps that was, lo <= hi: ticks after the time of
                                   the event, by its clock */
    uint64_t block_number; /* of its location in its buffer, where a source counts its blocks */
    uint64_t capacity;     /* how many tokens its channel holds; 0: not known */
    uint64_t turn;         /* of those of its lock, which go up */
    struct event_collective collective;
    uint32_t lacking; /* 1 << csy_end for each role whose keys its record is too short for */
};

/* Messages of an event, when a trace is written (order/flows.h): the same two numbers at both ends.
 * Of an event with more those after the first ones are left out. */
enum { EVENT_FLOWS_MAX = 4 };

struct event_flow {
    uint32_t channel, number;
    bool apart; /* receives of the channel are missing: the two ends may be of two messages */
};

struct event_flows {
    unsigned nsent, nreceived;
    struct event_flow sent[EVENT_FLOWS_MAX], received[EVENT_FLOWS_MAX];
};

/* What an event has to do with its routine. */
enum event_call { EVENT_NO_CALL, EVENT_ENTERS, EVENT_LEAVES };

struct event {
    uint64_t position; /* in the order of the buffer, from 0 */
    uint64_t place;    /* byte offset, or line; as struct source calls it */
    uint32_t thread;
    uint32_t track; /* where threads have names; else NO_THREAD */
    uint32_t ended; /* a thread that is known to have had its last event before, or NO_THREAD */
    int64_t local_ticks;
    const uint8_t *bytes; /* as they are in the file; a row without its line end; or values */
    size_t size;
    csy_text raw; /* values that have types, as unsigned numbers; size 0: they are the same */
    struct named_stamp stamp; /* where threads have names */
    const char *name;         /* of what happened, where the source has that here; size 0: none */
    size_t name_size;         /* without blanks around it */
    csy_text routine; /* that it is of, where its source knows: as addresses_name has it, and within
                         it "NAME+0xOFFSET" */
    enum event_call call;
    csy_text about; /* a thread that it is about and that has not recorded it, where its source
                       knows: its name */
    struct record *record;           /* of sources that carry records, else NULL */
    size_t file;                     /* of several record files the one that it is in, from 0 */
    const struct csv_row *row;       /* of sources that carry rows, else NULL */
    const struct event_roles *roles; /* of a trace in partial order, else NULL */
    const struct event_flows *flows; /* of those that draw messages, else NULL */
};

#endif
