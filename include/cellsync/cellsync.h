/*
 * cellsync.h - offline clock synchronization of event traces
 *
 *   csy_trace_open  ->  csy_trace_synchronize  ->  csy_sync_write_trace, csy_sync_write_report
 *      (input)            (solution)            (synced trace, error bounds)
 *
 * A trace is records in buffer order, each of one pseudo-thread (all PPE threads are one; each
 * live interval of an SPE context is one of its own) and stamped by that thread's own clock.  A
 * solution gives every thread t an offset, such that global time = offset + local time, and for
 * every pair of threads s, t exact bounds of g[s] - g[t], the difference of their offsets.
 * The mathematics is cellsync-model(7), the formats are pex(5).
 *
 * This header is the reference; how its parts work together, and examples, are in libcellsync(3).
 *
 * Names: a function is called for the object that it works on or makes, csy_OBJECT_verb; what an
 * object has is csy_OBJECT_what, without a get, and is changed by csy_OBJECT_set_what.  Units:
 * ticks of the trace's timebase, int64.  Threads: indexes from 0 in the order of their first
 * records; threads of the system are workers.  Positions: records counted from 0. Errors: functions
 * that can fail return a csy_status and fill *error (which may be NULL); results come through
 * out-parameters, written only on success. Ownership: what comes through an out-parameter of a kind
 * that has a free is the caller's; a const pointer is the object's that was asked, and holds until
 * that is freed unless it says otherwise. Structures that the library makes may grow at their end;
 * those that a program makes, and those in arrays or in others, are final. Threads of the calling
 * program: objects have no locks; different traces, and all that is of them, are independent. */
#ifndef CELLSYNC_H
#define CELLSYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define CSY_API __attribute__((visibility("default")))
#else
#define CSY_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CSY_VERSION "0.2.0"

/* The outcome of a call. */
typedef enum csy_status {
    CSY_OK = 0,
    CSY_INPUT,      /* the input is malformed, or breaks a documented limit */
    CSY_IO,         /* a file cannot be opened, read, written or renamed */
    CSY_MEMORY,     /* no memory */
    CSY_USAGE,      /* the options do not fit the trace (no such thread, no such conversion) */
    CSY_INFEASIBLE, /* the order of the records contradicts the clocks; see csy_witness */
    CSY_CHECK       /* csy_check: a guarantee does not hold */
} csy_status;

/* What went wrong: "trace.pex: offset 4096: truncated record: need 24 bytes, have 7".  No
 * trailing newline; bytes that came from outside are escaped. */
typedef struct csy_error {
    csy_status status;
    char text[1024];
} csy_error;

typedef enum csy_format {
    CSY_FORMAT_AUTO = 0,
    CSY_FORMAT_PEX,
    CSY_FORMAT_CSV,
    CSY_FORMAT_JSON,    /* written only: Chrome trace events, for Perfetto */
    CSY_FORMAT_CTF,     /* written only: a CTF 1.8 folder, for babeltrace2 and Trace Compass */
    CSY_FORMAT_PFTRACE, /* written only: Perfetto's TrackEvents */
    CSY_FORMAT_OTF2     /* an OTF2 archive, read by its anchor file; written of such ones only */
} csy_format;

/* What has a clock of its own in an OTF2 archive. */
typedef enum csy_clock_per {
    CSY_CLOCK_PER_AUTO = 0, /* a process */
    CSY_CLOCK_PER_PROCESS,
    CSY_CLOCK_PER_NODE, /* a process where none is named */
    CSY_CLOCK_PER_LOCATION
} csy_clock_per;

typedef enum csy_report_format {
    CSY_REPORT_TEXT = 0,
    CSY_REPORT_CSV,
    CSY_REPORT_JSON,
    CSY_REPORT_HTML,
    CSY_REPORT_TEX,   /* a table of one row: see csy_table */
    CSY_REPORT_SVG,   /* a drawing, of an analysis alone: see cellsync/analysis.h */
    CSY_REPORT_DOT,   /* a graph of calls, so */
    CSY_REPORT_FOLDED /* paths of calls, so */
} csy_report_format;

/* Which pairs of threads a CSV or JSON report lists; the others list none. */
#define CSY_PAIRS_ALL_THREADS_MAX 2048
typedef enum csy_pairs {
    CSY_PAIRS_AUTO = 0,  /* all up to CSY_PAIRS_ALL_THREADS_MAX threads, else live, in a partial
                            order met */
    CSY_PAIRS_ALL,       /* T (T-1) / 2 */
    CSY_PAIRS_LIVE,      /* those that csy_summary counts as live together */
    CSY_PAIRS_REFERENCE, /* those of the reference and another thread */
    CSY_PAIRS_NONE,
    CSY_PAIRS_MET /* of a partial order: those that csy_summary counts as met */
} csy_pairs;

/* How contradictions between order and clocks are met: cellsync-model(7), Timestamp imprecision. */
typedef enum csy_relax {
    CSY_RELAX_EXACT = 0, /* stamps are good to +-delta, the least for which that is possible */
    CSY_RELAX_PAPER,     /* the paper's procedure on the immediate-predecessor graph */
    CSY_RELAX_NONE,      /* they are refused: CSY_INFEASIBLE */
    CSY_RELAX_GIVEN      /* stamps are good to +-delta, given by the caller */
} csy_relax;

/* What makes the bounds.  The sweep is exact at a cost of O(T W^2) for W threads live at once, at
 * most CSY_LIVE_THREADS_MAX; dense is O(T^3) for T threads, at most CSY_DENSE_THREADS_MAX, and
 * serves the paper's relaxation. */
#define CSY_DENSE_THREADS_MAX 8192
#define CSY_LIVE_THREADS_MAX 4096
typedef enum csy_engine { CSY_ENGINE_AUTO = 0, CSY_ENGINE_SWEEP, CSY_ENGINE_DENSE } csy_engine;

/* How global times are found: cellsync-model(7), Other methods.  Only the first gives bounds and
 * takes reference, alpha, center, relax, engine, delta and CSY_UNWRAP_STRICT; the others are there
 * to compare with. */
typedef enum csy_method {
    CSY_METHOD_BHH = 0,       /* offsets in the middle of exact bounds */
    CSY_METHOD_LAMPORT,       /* Lamport's counters: no local clock is looked at */
    CSY_METHOD_LAMPORT_CLOCK, /* Lamport's clock, which local clocks advance */
    CSY_METHOD_LSQ,           /* offsets that fit neighbouring records, in a partial order messages,
                                 by least squares */
    CSY_METHOD_NTP            /* midpoints of what messages leave two clocks, along a tree; in a
                                 partial order only */
} csy_method;

/* How much memory a run may take, in bytes, for all calls in this process from now on; 0: as much
 * as there is, which is how it begins.  What threads, live threads and documents will take is
 * refused before it is taken (CSY_MEMORY, with both numbers), and no array grows beyond it. */
CSY_API void csy_set_max_memory(uint64_t bytes);

/* An exact fraction; den > 0, reduced. */
typedef struct csy_fraction {
    int64_t num;
    int64_t den;
} csy_fraction;

/* What progress counts: bytes of records as they lie on disk, or threads. */
typedef enum csy_unit { CSY_UNIT_BYTES = 0, CSY_UNIT_THREADS } csy_unit;

/* Called from time to time, by the thread that called the library, while records pass, while bounds
 * are made or listed and before files are synced to the disk: stage is a short constant text such
 * as "reading" or "statistics"; total is 0 where it is not known.  done begins anew with each
 * stage, and with each pass over the records, or round, of one.  Must not call the library. */
typedef void (*csy_progress)(void *user, const char *stage, csy_unit unit, uint64_t done,
                             uint64_t total);

/* What unwrapping does with a gap that several numbers of wraps would fit: cellsync-model(7),
 * Unwrapping. */
typedef enum csy_unwrap {
    CSY_UNWRAP_ASSUME = 0, /* takes the least, and counts it */
    CSY_UNWRAP_STRICT      /* splits there, and merges what the bounds settle */
} csy_unwrap;

/* Where an offset lies: cellsync-model(7), Local offsets.  No estimate has a smaller worst-case
 * error against the reference than the first at alpha 1/2; the second is better on average. */
typedef enum csy_center {
    CSY_CENTER_REFERENCE = 0, /* in its bound to the reference, where alpha puts it */
    CSY_CENTER_LOCAL /* from there, five times to the middle of what its neighbours leave it */
} csy_center;

/* Whether figures over all pairs are gathered whatever they take. */
typedef enum csy_statistics {
    CSY_STATISTICS_AUTO = 0, /* not in a partial order where that takes more than
                                CSY_STATISTICS_STEPS_MAX steps */
    CSY_STATISTICS_ALL
} csy_statistics;
#define CSY_STATISTICS_STEPS_MAX ((uint64_t)1 << 36)

/* How a trace is to be solved.  A new one has the defaults, which each setter names; options are
 * read, not kept, by what takes them, and may be used again.  The caller frees *out.  Setters
 * refuse (CSY_USAGE, with the old value left) what can be no value by itself; values that do not go
 * together are refused by csy_trace_synchronize. */
typedef struct csy_options csy_options;
CSY_API csy_status csy_options_new(csy_options **out, csy_error *error);
CSY_API void csy_options_free(csy_options *options);

/* Name of tau, the reference, as csy_sync_find_thread takes it; copied.  NULL, the default: ppe,
 * else the thread with most records. */
CSY_API csy_status csy_options_set_reference(csy_options *options, const char *name,
                                             csy_error *error);

/* Where in its bound to the reference an offset lies, 0 to 1; default 1/2. */
CSY_API csy_status csy_options_set_alpha(csy_options *options, csy_fraction alpha,
                                         csy_error *error);

/* Default CSY_RELAX_EXACT. */
CSY_API csy_status csy_options_set_relax(csy_options *options, csy_relax relax, csy_error *error);

/* Default CSY_ENGINE_AUTO: dense for CSY_RELAX_PAPER, else the sweep. */
CSY_API csy_status csy_options_set_engine(csy_options *options, csy_engine engine,
                                          csy_error *error);

/* In ticks, at least 0, which is the default; used under CSY_RELAX_GIVEN. */
CSY_API csy_status csy_options_set_delta(csy_options *options, csy_fraction delta,
                                         csy_error *error);

/* Default CSY_UNWRAP_ASSUME. */
CSY_API csy_status csy_options_set_unwrap(csy_options *options, csy_unwrap unwrap,
                                          csy_error *error);

/* What unwrapping takes for imprecision and not for a written clock, 0 to 2^30 ticks; default
 * CSY_IMPRECISION_DEFAULT: 10 ms. */
#define CSY_IMPRECISION_DEFAULT (-1)
CSY_API csy_status csy_options_set_max_imprecision(csy_options *options, int64_t ticks,
                                                   csy_error *error);

/* Default CSY_METHOD_BHH. */
CSY_API csy_status csy_options_set_method(csy_options *options, csy_method method,
                                          csy_error *error);

/* Raise each global time to the greatest before it, so that none goes down; default false.
 * CSY_METHOD_BHH only. */
CSY_API csy_status csy_options_set_monotonic(csy_options *options, bool monotonic,
                                             csy_error *error);

/* The largest correction (csy_correction) that is accepted, at least 0; default CSY_ADJUST_ANY. */
#define CSY_ADJUST_ANY (-1)
CSY_API csy_status csy_options_set_max_adjust(csy_options *options, int64_t ticks,
                                              csy_error *error);

/* Default CSY_CENTER_REFERENCE; local reads the records once more.  CSY_METHOD_BHH only. */
CSY_API csy_status csy_options_set_center(csy_options *options, csy_center center,
                                          csy_error *error);

/* Default CSY_STATISTICS_AUTO.  CSY_METHOD_BHH only. */
CSY_API csy_status csy_options_set_statistics(csy_options *options, csy_statistics statistics,
                                              csy_error *error);

/* Fill in csy_damage, in a pass of its own; default false.  Other methods than bhh always do. */
CSY_API csy_status csy_options_set_measure(csy_options *options, bool measure, csy_error *error);

/* Where order and clocks contradict each other, leave up to so many records that ask for most out
 * of the constraints; default 0.  At most CSY_DROP_MAX and 1 % of the records; CSY_RELAX_EXACT
 * only. Cost: that of csy_sync_profile_delta. */
#define CSY_DROP_MAX 50000
CSY_API csy_status csy_options_set_drop(csy_options *options, uint64_t records, csy_error *error);

/* Cut clocks of a CSV in partial order where the data require it, each at most so many times, from
 * 0 (default) to CSY_STEPS_MAX: a clock that was set, or a counter that started anew, is then
 * several clocks, "B" and "B/2", and each record at which it may have been set is one by itself,
 * "B@412". A clock is cut only if neither rates nor two wrong timestamps explain the contradiction,
 * and with every other clock that could have been set instead, except for one that
 * csy_options_set_reference names. Cost: some hundred passes over the points for each step. */
#define CSY_STEPS_MAX 100
CSY_API csy_status csy_options_set_steps(csy_options *options, uint64_t steps, csy_error *error);

/* How long messages that do not say it took at least, in ticks, at least 0; default 0.  Traces in
 * partial order only. */
CSY_API csy_status csy_options_set_latency(csy_options *options, int64_t ticks, csy_error *error);

/* Messages of a trace in partial order that do not state their longest latency take at most ticks
 * >= 0, from the begin of the send to the end of the receive; INT64_MAX, the default: there is no
 * limit. Below the latency of a message it is CSY_INPUT; a limit that the order contradicts is
 * CSY_INFEASIBLE. */
CSY_API csy_status csy_options_set_max_latency(csy_options *options, int64_t ticks,
                                               csy_error *error);

/* Reports say what so many more records of a thread and of the reference would make of its bounds
 * (csy_sync_advise): 1 to CSY_ADVISE_MAX; default 0, nothing.  CSY_METHOD_BHH only. */
#define CSY_ADVISE_MAX 1000
CSY_API csy_status csy_options_set_advise(csy_options *options, uint64_t records, csy_error *error);

/* Clocks gain or lose at most so much against the reference's, in parts of 10^9; default
 * CSY_NO_DRIFT, they all run alike.  wander_ppb: the rate of each stays within so much of a
 * constant of its own; CSY_NO_DRIFT: it may change at will.  Both below 10^9.  Bounds are then to
 * the reference alone, and change with time: csy_sync_drift. */
#define CSY_NO_DRIFT (-1)
CSY_API csy_status csy_options_set_drift(csy_options *options, int64_t rate_ppb, int64_t wander_ppb,
                                         csy_error *error);

/* What is assumed of rates if csy_options_set_drift was not called, and of timestamps if neither
 * csy_options_set_relax nor csy_options_set_delta was. */
typedef enum csy_premises {
    CSY_PREMISES_EQUAL = 0, /* equal rates, and CSY_RELAX_EXACT: the default of the library */
    /* By the source, as cellsync(1), PREMISES, lists it.  Clocks that only messages tie run within
     * 101 ppm of each other, and within 1001 if they show dates; delta is at least half the step
     * of the timestamps.  One rate where an option needs it. */
    CSY_PREMISES_BY_SOURCE,
    CSY_PREMISES_ONE_RATE /* the same, but equal rates, as a caller's outputs need */
} csy_premises;
CSY_API csy_status csy_options_set_premises(csy_options *options, csy_premises premises,
                                            csy_error *error);

typedef enum csy_kind { CSY_KIND_PPE = 0, CSY_KIND_SPE } csy_kind;

#define CSY_NO_CONTEXT (-1)
#define CSY_NO_SPE UINT64_MAX
#define CSY_NO_OFFSET INT64_MIN

/* A thread of a CSV trace: several may run on one clock, which is what a csy_thread is.  The name
 * belongs to the solution. */
typedef struct csy_track {
    const char *name;
    size_t thread; /* index of its csy_thread */
} csy_track;

#define CSY_NO_TRACK UINT32_MAX

/* One pseudo-thread of a solution.  The name belongs to the solution. */
typedef struct csy_thread {
    const char *name; /* "ppe", "spe4.1", or the CSV's own name; UTF-8 is not checked */
    csy_kind kind;
    int64_t context;       /* SPE context id, or CSY_NO_CONTEXT */
    uint64_t spe;          /* physical SPE, or CSY_NO_SPE where it is not known */
    uint64_t first_record; /* position */
    uint64_t records;
    uint32_t decr_first; /* raw stamp of the first record (live intervals of a .pex) */
    /* Global time = offset_ticks + local time; CSY_NO_OFFSET with Lamport's methods, which move
     * each record by itself (csy_events_next). */
    int64_t offset_ticks;
    int64_t earliest_ticks; /* least offset that the bounds allow; INT64_MIN: unbounded */
    int64_t latest_ticks;   /* greatest; INT64_MAX: unbounded */
    /* Of a CSV: names of the threads that ran on this clock, most often one, its own; of a .pex
     * none. */
    const char *const *members;
    size_t nmembers;
} csy_thread;

/* Statistics over unordered pairs of threads; a mean is exactly ticks + rest / pairs. */
typedef struct csy_mean {
    uint64_t pairs;
    int64_t ticks; /* rounded down */
    uint64_t rest; /* below pairs; 0 where there are none */
} csy_mean;

/* A group of pairs: how many, and of those bounded both ways the maximum (-1: none) and the
 * mean, of error bounds and of event errors. */
typedef struct csy_group {
    uint64_t pairs;
    int64_t max_error_ticks;
    csy_mean mean;
    int64_t max_event_error_ticks;
    csy_mean event_mean;
} csy_group;

/* The error bound of a pair is how far the difference of the two offsets can be off.  Its event
 * error, the error bound and 2 added_ticks (csy_imprecision), is how far the time between an event
 * of one thread and an event of the other can be off, stamps being good to +-delta only: an upper
 * limit, which not every pair of events attains.  With delta 0 the two are the same. */
typedef struct csy_summary {
    uint64_t pairs;            /* T (T-1) / 2 */
    uint64_t uncomputed_steps; /* 0; or about so many steps would have been too many: all below but
                                unbounded_threads is as where no pair is bounded, and tells nothing
                                (CSY_STATISTICS_AUTO) */
    uint64_t bounded;          /* of those, with both bounds finite; the rest counts these only */
    int64_t max_error_ticks;   /* -1 where no pair is bounded */
    int64_t max_error_spe_ticks;
    csy_mean error_ppe;   /* pairs of an SPE live interval and the PPE */
    csy_mean error_spe;   /* pairs of two SPE live intervals */
    csy_group live;       /* pairs that are live together: each's first record precedes the
                                   other's last */
    csy_group successive; /* a live interval and the next one of its SPE context */
    csy_group met;        /* in a partial order: clocks with a constraint of their own, by
                                 whatever but groups; there are no pairs where this would have taken
                                 too many steps, too (met_uncomputed) */
    bool met_uncomputed;
    size_t unbounded_threads; /* threads outside the reference's two-way component; with
                                 CSY_METHOD_LSQ in a partial order those that no messages connect
                                 with the PPE, else with the first */
    bool quadratic; /* these figures took time nearer to T^2 than to T, all the same exact */
    int64_t max_event_error_ticks; /* -1 where no pair is bounded */
    int64_t max_event_error_spe_ticks;
    csy_mean event_error_ppe;
    csy_mean event_error_spe;
} csy_summary;

/* Timestamp imprecision: what was used, and what it did to the order. */
typedef struct csy_imprecision {
    csy_relax relax;
    csy_fraction delta;  /* ticks */
    int64_t added_ticks; /* ceil(2 delta): added to every constraint */
    uint64_t inversions; /* records below the greatest global time before them */
    int64_t largest_inversion_ticks;
    uint64_t adjacent_steps_back; /* a stamp below that of the same thread's record just before */
    bool beyond_unwrapping;       /* 4 delta exceeds what unwrapping takes for imprecision */
    /* delta is above 0 and was found (CSY_RELAX_EXACT, CSY_RELAX_PAPER), so it is only a lower
     * limit of the true imprecision, and bounds hold only if no stamp is off by more. */
    bool conditional;
} csy_imprecision;

/* Of neighbours, records next to each other in the buffer and of different threads, those whose
 * second has the lesser time, and by how much at most. */
typedef struct csy_disorder {
    uint64_t wrong;
    int64_t largest_ticks; /* 0 where none is */
} csy_disorder;

/* An order of the records that shared memory hardly gives, so that bounds, which rest on it, are
 * doubtful at any delta: cellsync-model(7), Diagnosis. */
typedef enum csy_sorted {
    CSY_SORTED_NOT = 0,   /* or too few records to tell */
    CSY_SORTED_BY_THREAD, /* no two threads interleave */
    CSY_SORTED_BY_TIME    /* no stamp is below the one before it, whichever clock it is of */
} csy_sorted;

/* ticks + billionths / 10^9; 0 <= billionths < 10^9. */
typedef struct csy_fine {
    int64_t ticks;
    uint32_t billionths;
} csy_fine;

/* What is added to a local time of a clock that drifts for the global one, and the least and the
 * greatest that could be. */
typedef struct csy_drift_moment {
    int64_t local_ticks;
    csy_fine offset, earliest, latest; /* the latter two 0 where the clock is not bounded */
} csy_drift_moment;

/* A clock that drifts.  The error at a record is latest less earliest there. */
typedef struct csy_drift_clock {
    bool bounded;                    /* to the reference, on both sides; else there are no errors */
    int64_t least_ppb, greatest_ppb; /* its rate: by how much its ticks are longer than those of
                                        the reference's clock; below 0 of one that is fast */
    int64_t least_mean_ppb, greatest_mean_ppb; /* the same from its first record to its last; where
                                                  it has one alone, as above */
    size_t knots;
    csy_drift_moment first, last; /* at its first record, and at its last */
    /* over its records, of the clock, without what delta adds for stamps; the mean rounded down */
    csy_fine max_error, mean_error;
    uint64_t max_record, max_place; /* the first where it is greatest */
    int64_t max_local_ticks;
} csy_drift_clock;

/* Clocks that drift. */
typedef struct csy_drift {
    int64_t rate_ppb, wander_ppb; /* as was said */
    size_t nclocks;
    const csy_drift_clock *clocks; /* by thread */
    uint64_t records;              /* of bounded clocks but the reference; over them: */
    csy_fine max_error, mean_error;
    size_t max_clock; /* the first that has it */
    /* of the time between any two events, in ticks of the reference's clock, with what delta adds;
       the greatest also counts that times are whole ticks */
    csy_fine max_event_error, mean_event_error;
} csy_drift;

/* Errors of the time between two clocks that drift are limited at so many moments, at equal
 * distances in global time from the first record of the trace to the last.  At each of them a clock
 * shows its greatest reading with no later global time, from its first record to its last. */
#define CSY_DRIFT_MOMENTS 64

/* With more clocks there are no walks between them. */
#define CSY_DRIFT_PAIRS_THREADS_MAX 256

/* A pair of clocks that drift: at most how wide the range is of the time between their readings, at
 * the best of these moments, at half of them, and at the worst. */
typedef struct csy_drift_pair {
    bool bounded;  /* by each other, on both sides; otherwise all that follows is 0 */
    bool by_walks; /* between the two; otherwise the sum of both errors against the reference of
                      their component */
    csy_fine best, median, worst;
    csy_fine worst_event;       /* of the time between two events, with what delta adds */
    int64_t worst_moment_ticks; /* in global time: the first moment with the worst error */
} csy_drift_pair;

/* What synchronizing did to the order: before, by the threads' own clocks, each set by its first
 * record to the time of the record just before it (cellsync-model(7), Before and after); after, by
 * global time.  Of a trace in partial order, which has no neighbours, all 0. */
typedef struct csy_order {
    uint64_t neighbours; /* pairs of them */
    csy_disorder before, after;
    csy_sorted sorted; /* a CSV: the records as they came */
} csy_order;

/* What of an order that is no line did not become a constraint, and why: pex(5), CSV traces
 * in partial order. */
typedef enum csy_end {
    CSY_END_SEND = 0,
    CSY_END_RECV,
    CSY_END_SYNC, /* of a send that waits for its receive: what it says of the begin of that */
    CSY_END_ENTER,
    CSY_END_LEAVE,
    CSY_END_POST,
    CSY_END_WAIT,
    CSY_END_ROOM, /* of a wait: what it says of a later post, which needs the room that it makes */
    CSY_END_RELEASE,
    CSY_END_ACQUIRE,
    CSY_END_SPAWN,
    CSY_END_JOIN
} csy_end;

typedef enum csy_left_out {
    CSY_LEFT_UNMATCHED = 0,  /* nothing is at its other end */
    CSY_LEFT_NO_BEGIN,       /* it would leave the begin of a record that has none */
    CSY_LEFT_MORE_RECEIVES,  /* more receives than sends: which sends are missing is not known */
    CSY_LEFT_SEVERAL_CLOCKS, /* locations on several clocks share its channel */
    CSY_LEFT_LOCATIONS,      /* several locations share its channel: which send waits for which
                                receive is not known */
    CSY_LEFT_SHORT,          /* its record is too short for its key */
    CSY_LEFT_NO_TURN,        /* which turn of its lock it has is not said */
    CSY_LEFT_COUNT,          /* its member has another number of its group than most have */
    CSY_LEFT_DIFFERENT,      /* members of its group say different things of it, from there on */
    CSY_LEFT_SEVERAL_LIVES,  /* several spawns, or joins, are of its location */
    CSY_LEFT_LOST,           /* one that began before it never completed: it may be another one */
    CSY_LEFT_MORE_SENDS,     /* more sends than receives: which messages are missing is not known */
    CSY_LEFT_CLOSE /* its timestamp is closer than 2 delta to another one: which of the two
                                came first is not known */
} csy_left_out;

enum { CSY_UNUSED_LISTED = 10 };

typedef struct csy_unused_end {
    uint64_t record, place; /* as in csy_witness_edge */
    const char *key;        /* its channel, group, lock or location */
} csy_unused_end;

/* Ends of one kind that are left out for one reason. */
typedef struct csy_unused {
    csy_end end;
    csy_left_out why;
    uint64_t count;
    size_t nlisted;
    csy_unused_end listed[CSY_UNUSED_LISTED]; /* the first ones */
} csy_unused;

/* A channel that is left out since its sends and receives, or posts and waits, are not as many. */
typedef struct csy_uneven {
    const char *channel;
    bool tokens; /* posts and waits */
    uint64_t sends, receives;
} csy_uneven;

/* An order that is no line, as it was read. */
typedef struct csy_matched {
    uint64_t locations, buffers;
    uint64_t messages;       /* a send with its receive */
    uint64_t synchronous;    /* of these also a receive before the end of its send */
    uint64_t groups;         /* with both: */
    uint64_t enters, leaves; /* of these groups */
    uint64_t afters;         /* records named by others */
    uint64_t blocks;         /* of records, flushed into a buffer as wholes */
    uint64_t flushes;        /* of these with a stamp of the flush */
    uint64_t posts;          /* a post with its wait */
    uint64_t rooms;          /* a wait before a later post */
    uint64_t handovers;      /* a release before an acquire */
    uint64_t spawns, joins;  /* with the location that they are of */
    size_t nunused;
    const csy_unused *unused; /* those that there are */
    uint64_t several; /* channels with several messages or tokens, of which constraints are */
    uint64_t nuneven; /* channels of csy_uneven, of which the first CSY_UNUSED_LISTED are listed */
    const csy_uneven *uneven;
    uint64_t limits; /* longest latencies, and two for each two records of a moment, and for each
                        comparison of clocks */
} csy_matched;

/* How global times treat the distance in time from each record to the next one of its thread:
 * damaged where it is not that of the thread's own clock. */
typedef struct csy_damage {
    uint64_t damaged;
    int64_t worst_ticks; /* greatest difference */
    csy_mean mean;       /* of the differences over all distances, the sound ones included */
} csy_damage;

/* Records whose global time is not where the clock of their thread puts it: that of the thread's
 * first record, or its offset where it has one, and the local time since. */
typedef struct csy_correction {
    uint64_t records;
    int64_t largest_ticks;
} csy_correction;

/* A record that is left out of the constraints (csy_options_set_drop). */
typedef struct csy_dropped_record {
    uint64_t record; /* position */
    uint64_t place;  /* byte offset in the record file; line in a CSV */
    size_t thread;
    /* By how much its global time is below the greatest before it; or, below 0, above the least
     * after it; of records that are not left out, and by offset and local time alone. */
    int64_t early_ticks;
} csy_dropped_record;

/* What was left out: bounds, delta and guarantees are those of the other records.  Each one that is
 * early or late counts as an inversion. */
typedef struct csy_dropped {
    uint64_t asked;                    /* csy_options_set_drop */
    size_t count;                      /* fewer than asked for: without them delta is 0 */
    const csy_dropped_record *records; /* in buffer order */
} csy_dropped;

/* What was met on the way from raw stamps to local times: cellsync-model(7), Unwrapping. */
typedef struct csy_clock_report {
    int64_t wraps;       /* passes of decrementers through zero */
    uint64_t splits;     /* live intervals begun because a decrementer had been written */
    uint64_t assumed;    /* gaps that several numbers of wraps would fit; the least was taken */
    uint64_t lost_outs;  /* a second SPE_SWITCH_IN with no OUT between, or, of switches from a log,
                            a first one after records of its context */
    uint64_t lost_ins;   /* a second SPE_SWITCH_OUT with no IN between */
    uint64_t stragglers; /* records between an OUT and the next IN */
    bool notifier;       /* the switches come from a notifier: stragglers are to be expected */
    size_t contexts;     /* SPE contexts that wrote records */
} csy_clock_report;

/* A text; no NUL follows.  What a column of a CSV says in a row is without the quotes around it,
 * doubled ones single, and without blanks around it unless it was quoted. */
typedef struct csy_text {
    const char *bytes;
    size_t size;
} csy_text;

/* By what one record comes before another where the order is no line. */
typedef enum csy_order_kind {
    CSY_ORDER_MESSAGE = 0, /* of a channel */
    CSY_ORDER_SYNC,        /* a receive was begun before the send that waited for it ended */
    CSY_ORDER_GROUP,       /* one entered it, the other left it */
    CSY_ORDER_NAMED,       /* the other names the one as a record that comes before it */
    CSY_ORDER_BUFFER,      /* both have their places in it */
    CSY_ORDER_ROOM,        /* a wait was begun before the post that needed its room ended */
    CSY_ORDER_LOCK,        /* one released it, the other acquired it later */
    CSY_ORDER_SPAWN,       /* the one started who recorded the other */
    CSY_ORDER_JOIN,        /* the other waited for the end of who recorded the one */
    /* Limits: the one comes at most -latency_ticks after the other. */
    CSY_ORDER_LATENCY_MAX, /* the one received what the other sent */
    CSY_ORDER_SAME,        /* both happened at the moment that is the key */
    CSY_ORDER_OFFSET       /* their clocks were compared; the key is the name of one */
} csy_order_kind;

typedef struct csy_order_step {
    csy_order_kind kind;
    csy_text key; /* channel, group, buffer or lock; of the others none.  Holds until
                     csy_sync_free */
    int64_t latency_ticks;
} csy_order_step;

/* One constraint of a witness: record_s, of thread s, comes before record_t, of thread t, by at
 * least latency_ticks, so g[s] - g[t] <= weight_ticks (relaxation not included). */
typedef struct csy_witness_edge {
    size_t s, t;
    uint64_t record_s, record_t; /* positions */
    uint64_t place_s, place_t;   /* byte offsets in the record file; lines in a CSV */
    int64_t time_s, time_t;      /* local times */
    int64_t weight_ticks;        /* time_t - time_s - latency_ticks */
    int64_t latency_ticks;       /* of the messages on the way; 0 where records are in one buffer;
                                    of a limit minus what it allows */
    const csy_order_step *steps; /* in a partial order those from record_s to record_t; what one
                                    location did in between is none */
    size_t nsteps;
} csy_witness_edge;

/* The steps for people, "message 'm' (latency 5), group 'b'", keys as csy_escape has them; empty
 * where there are none, the first four where there are more.  Returns text. */
#define CSY_STEPS_TEXT_MAX 960
CSY_API const char *csy_steps_text(const csy_witness_edge *edge, char text[CSY_STEPS_TEXT_MAX]);

/* A simple cycle of constraints: proof that the trace is infeasible, or with an exact delta above 0
 * that no less would do.  t of each edge is s of the next. */
typedef struct csy_witness {
    size_t length;
    const csy_witness_edge *edges;
    int64_t weight_ticks;
    csy_fraction least_delta; /* what this cycle alone asks for: -weight / (2 length) */
    int64_t
        least_drift_ppb; /* or for clocks that drift by at least so much (csy_options_set_drift),
                                 rounded up; 0: it would be 10^9 or more */
} csy_witness;

/* Where a trace that was salvaged is cut off. */
typedef struct csy_cut {
    uint64_t records; /* whole ones, all in front of it */
    /* Of the first byte left out: offset in the record file as it is unpacked; line in a CSV. */
    uint64_t place;
    char text[1024]; /* "t.trace: offset 4096: truncated record: need 24 bytes, have 7" */
} csy_cut;

typedef struct csy_trace csy_trace;
typedef struct csy_sync csy_sync;

/* The version of the library that is running; CSY_VERSION is the one compiled against. */
CSY_API const char *csy_version(void);

/* The libraries that are running and what was built in, as far as it fits: "libxml2 2.9.14, zlib
 * 1.2.13, igzip 2.30.0, libotf2 3.0.2, 64-bit". */
CSY_API void csy_features(char *buffer, size_t size);

/* Parse "7/2", "0.25" or "3" exactly into lowest terms; false if it is none of these, or negative,
 * or its denominator is beyond 10^6. */
CSY_API bool csy_fraction_parse(const char *text, csy_fraction *out);

/* Parse a time with its unit, "1us", "2.5 ms", "7/2 ns", "1 s" or "3 ticks", exactly into ticks of
 * a timebase; the number is one of csy_fraction_parse, and without a unit it is ticks.  False for
 * another text, and where the ticks do not fit.  timebase_hz > 0. */
CSY_API bool csy_time_parse(const char *text, uint64_t timebase_hz, csy_fraction *ticks);

/* Ticks of a timebase for people: three significant digits, halves away from 0, and the unit of ns,
 * us, ms and s in which at least 1 comes before the decimal point ("2.47 ms", "35 ns", "-1.5 us",
 * "0 ns"; below 1 ns "0.333 ns", from 1000 s on whole seconds).  ticks.den > 0, timebase_hz > 0.
 * Returns text. */
#define CSY_TIME_TEXT_MAX 80
CSY_API const char *csy_time_text(csy_fraction ticks, uint64_t timebase_hz,
                                  char text[CSY_TIME_TEXT_MAX]);

/* Copy text for a message or a terminal: control and non-ASCII bytes and backslashes become \xNN,
 * and "..." ends what does not fit in size (at least 8) bytes. */
CSY_API void csy_escape(char *buffer, size_t size, const char *text);

/* For a terminal that has UTF-8: give text, as csy_escape, a warning or a csy_error has it, its
 * UTF-8 back in place of \xNN.  What is not UTF-8 stays escaped, and so do controls, those of C1
 * too, and characters that cannot be seen or turn the direction of writing.  Returns text. */
CSY_API char *csy_unescape(char *text);

/* Whether terminals have UTF-8: text reports and tables of text that go to one show names as
 * csy_unescape does, for all calls in this process from now on; default false.  Whatever goes
 * elsewhere is the same with it. */
CSY_API void csy_set_terminal(bool utf8);

/* In what unit a CSV's times are. */
typedef enum csy_time_unit {
    CSY_TIME_AUTO = 0, /* as the name of the column says, time_us; else whole ticks, or stamps as in
                          RFC 3339 */
    CSY_TIME_TICKS,
    CSY_TIME_S, /* decimal numbers, exactly: a time that is no whole tick is refused */
    CSY_TIME_MS,
    CSY_TIME_US,
    CSY_TIME_NS
} csy_time_unit;

/* How a trace is to be read; as csy_options, a new one has the defaults, setters refuse what can be
 * no value by itself, and the caller frees *out. */
typedef struct csy_input csy_input;
CSY_API csy_status csy_input_new(csy_input **out, csy_error *error);
CSY_API void csy_input_free(csy_input *input);

/* Default CSY_FORMAT_AUTO: by its content.  CSY_USAGE for one that is written only. */
CSY_API csy_status csy_input_set_format(csy_input *input, csy_format format, csy_error *error);

/* Of a CSV; default CSY_TIME_AUTO. */
CSY_API csy_status csy_input_set_time_unit(csy_input *input, csy_time_unit unit, csy_error *error);

/* How many bits the counters of a CSV's clocks have, from 4 to 62: they start again from 0 after
 * 2^bits - 1, and the times of each clock are continued (pex(5), Counters). Default 0: they do not
 * wrap. A line "# clock NAME wrap_bits=N" of the CSV overrides it for one clock. CSY_USAGE for
 * other values; whether times fit is seen when a trace is read. */
CSY_API csy_status csy_input_set_counter_bits(csy_input *input, unsigned bits, csy_error *error);

/* Which columns of a CSV are which, where their names do not say it: "thread=NAME,time=NAME";
 * pex(5), CSV traces.  Copied; default NULL: as their names say.  Whether there are such columns is
 * seen when a trace is opened. */
CSY_API csy_status csy_input_set_columns(csy_input *input, const char *columns, csy_error *error);

/* Of an OTF2 archive; default CSY_CLOCK_PER_AUTO.  Locations that share a clock must have been
 * stamped by one. */
CSY_API csy_status csy_input_set_clock_per(csy_input *input, csy_clock_per per, csy_error *error);

/* Open a trace: a .pex with its record files or logs, a CSV, an OTF2 archive by its anchor file, or
 * the folder of a run that celltrace(1) wrote; "-" is standard input, which is spooled to an
 * unlinked temporary file unless it is a regular file.  input may be NULL for the defaults, and is
 * not kept; CSY_USAGE where it does not fit the trace.  The caller frees *out.  Cost: reads the
 * metadata only. */
CSY_API csy_status csy_trace_open(const char *path, const csy_input *input, csy_trace **out,
                                  csy_error *error);

/* A trace without a file, of events that the program hands over: csy_trace_add.  It has no events
 * yet.  name is for messages and reports, and copied; timebase_hz > 0 says how many ticks a second
 * has, else CSY_USAGE.  The caller frees *out.  All that takes a trace takes this one; it is
 * written in any format but .pex. */
CSY_API csy_status csy_trace_new(const char *name, uint64_t timebase_hz, csy_trace **out,
                                 csy_error *error);

/* A thread of such a trace; *out is its index for csy_new_event.  Threads that share a clock name
 * it; clock NULL or "": the thread has one of its own, which has its name.  The clock "ppe" is the
 * reference unless the options say otherwise.  Names are copied, without blanks around them.
 * Another thread of both these names is the same one in the solution.  CSY_USAGE for an empty name,
 * and for a trace that was opened.  O(1). */
CSY_API csy_status csy_trace_add_thread(csy_trace *trace, const char *name, const char *clock,
                                        size_t *out, csy_error *error);

/* An event that is handed over.  Set members that are not used to 0. */
typedef struct csy_new_event {
    size_t thread;       /* of csy_trace_add_thread */
    int64_t time_ticks;  /* by the clock of its thread; any int64 */
    bool interval;       /* it has a begin: */
    int64_t begin_ticks; /* by the same clock, not after time_ticks */
    const char *name;    /* of what happened; copied, without blanks around it; NULL: none */
} csy_new_event;

/* Add n events, in the order in which they came to the one buffer that all threads share: bounds
 * rest on that order.  All of them or, on failure, none: CSY_USAGE for a thread that was not added
 * and for a trace that was opened, CSY_INPUT for an interval that begins after its time, CSY_MEMORY
 * for more than there is or csy_set_max_memory allows, of which one array takes all the events.
 * Cost: O(1) an event and a byte of its name, amortized; 24 bytes of memory an event, twice that
 * where it has just grown, and each name once.
 * Solutions and events that are there already are of the trace as it was: what reads the trace for
 * them is CSY_IO then ("changed while it was read"); call csy_trace_synchronize again. */
CSY_API csy_status csy_trace_add(csy_trace *trace, const csy_new_event *events, size_t n,
                                 csy_error *error);

/* After its cursors and solutions; NULL is nothing, for all functions of this kind. */
CSY_API void csy_trace_free(csy_trace *trace);

/* CSY_FORMAT_AUTO of one that csy_trace_new has made. */
CSY_API csy_format csy_trace_format(const csy_trace *trace);
/* What a place of a record in it is called: "offset" (of a byte), "line" or, in one that
 * csy_trace_new has made, "event", which is its position. */
CSY_API const char *csy_trace_place_name(const csy_trace *trace);
CSY_API const char *csy_trace_name(const csy_trace *trace);    /* as given */
CSY_API const char *csy_trace_machine(const csy_trace *trace); /* machine@name, or "" */
CSY_API uint64_t csy_trace_timebase_hz(const csy_trace *trace);

/* Whether it is a CSV that csy_sync_write_trace has written: synchronizing it again does no harm,
 * and tells nothing new. */
CSY_API bool csy_trace_is_synchronized(const csy_trace *trace);

/* Whether nothing in the trace says how long a tick is: a CSV of ticks without a timebase. */
CSY_API bool csy_trace_timebase_assumed(const csy_trace *trace);

/* What about the trace's file should be told to its user: the index-th text, without a newline;
 * NULL after the last.  The texts hold until csy_trace_free; a pass over the trace may add some. */
CSY_API const char *csy_trace_warning(const csy_trace *trace, size_t index);

/* How many workers (threads of the system, the caller included) a trace may have; 0, the default:
 * one for each core.  With 2 or more, records are read and written by that many (at most 16),
 * compressed ones unpacked ahead by a worker of its own; output is compressed, dense bounds are
 * closed and analyses of a summary are made by that many.  Results are the same for any number.
 * Takes effect with the next pass. */
CSY_API void csy_trace_set_workers(csy_trace *trace, unsigned workers);

/* Tell of all further work on a trace how far it has come: of whatever solves it, passes over its
 * records or writes.  progress may be NULL, the default: none. */
CSY_API void csy_trace_set_progress(csy_trace *trace, csy_progress progress, void *user);

/* Whether a trace that is cut off counts as far as its records, or rows with a line end, are whole;
 * default false: it is refused.  Records cut off are those of a file or of gzip data that end too
 * early, or before as many as the header counts.  Set it before csy_trace_synchronize. */
CSY_API void csy_trace_set_salvage(csy_trace *trace, bool salvage);

/* Solve; options may be NULL for the defaults.  Under CSY_INFEASIBLE *out is a solution that has
 * threads and a witness but no offsets or bounds; under every other failure *out is not written.
 * The caller frees it, before the trace.  Cost: one pass over the records (a second where a
 * decrementer was written, a few where order and clocks contradict each other), and what the engine
 * takes: see csy_engine. */
CSY_API csy_status csy_trace_synchronize(csy_trace *trace, const csy_options *options,
                                         csy_sync **out, csy_error *error);

/* The solution that a synchronized trace has already, without synchronizing it again: of a .pex
 * whose clock is global its table, of a CSV with a column global_time what its line of facts and
 * its rows say.  Threads with their offsets (CSY_NO_OFFSET where no one offset moves all rows of a
 * thread), reference, alpha, imprecision (delta and how it was found), clock report and positions
 * of records left out are there; of a .pex also earliest_ticks and latest_ticks, and
 * csy_sync_bounds for the reference and another thread.  What csy_trace_synchronize alone can find
 * is 0, and what takes more than this is refused with CSY_USAGE: reports, graphs and writing.
 * Events are read with the global times that the file has.  Nothing is proved: that is for
 * csy_check.  CSY_INPUT for a trace that was not synchronized or says so wrongly, and for a .pex of
 * Lamport's methods: it has no local times, and many traces become the same one, so that nothing
 * could find them again.  The caller frees *out, before the trace.  Cost: of a .pex in
 * proportion to its table, of a CSV a pass over its rows. */
CSY_API csy_status csy_trace_read_solution(csy_trace *trace, csy_sync **out, csy_error *error);

/* Find bounds between all clocks for a solution that was read from a .pex, by solving its original
 * records again: csy_sync_bounds then has them, csy_sync_bound_sum and analyses the ranges that the
 * original has.  CSY_INPUT where they are not those of the table.  Nothing is done where they
 * cannot be had: for another solution or method, and where records were left out of it (drop).
 * Cost: that of csy_trace_synchronize, but for looking for delta. */
CSY_API csy_status csy_sync_renew_bounds(csy_sync *sync, csy_error *error);

/* Whether it was synchronized, so that there is a solution to be read: a .pex whose clock is
 * global, which csy_trace_synchronize refuses, or a CSV with a column global_time. */
CSY_API bool csy_trace_has_solution(const csy_trace *trace);
CSY_API void csy_sync_free(csy_sync *sync);

/* The solution.  Pointers stay valid until csy_sync_free. */
CSY_API uint64_t csy_sync_records(const csy_sync *sync);
CSY_API size_t csy_sync_nthreads(const csy_sync *sync);
CSY_API const csy_thread *csy_sync_thread(const csy_sync *sync, size_t index);
CSY_API size_t csy_sync_ntracks(const csy_sync *sync); /* 0 of a .pex */
CSY_API const csy_track *csy_sync_track(const csy_sync *sync, size_t index);

/* The index of the csy_thread that `size` bytes of a name name: that which is called so, else the
 * one that is the clock of the threads called so (csy_track).  CSY_USAGE where there is none, with
 * a name that is near, or where threads of the name run on several clocks.  O(names). */
CSY_API csy_status csy_sync_find_thread(const csy_sync *sync, const char *name, size_t size,
                                        size_t *out, csy_error *error);
CSY_API size_t csy_sync_reference(const csy_sync *sync);
CSY_API csy_fraction csy_sync_alpha(const csy_sync *sync);
CSY_API csy_center csy_sync_center(const csy_sync *sync);
CSY_API const csy_imprecision *csy_sync_imprecision(const csy_sync *sync);
CSY_API const csy_order *csy_sync_order(const csy_sync *sync);
/* NULL unless the trace is in partial order. */
CSY_API const csy_matched *csy_sync_matched(const csy_sync *sync);
/* NULL unless clocks may drift. */
CSY_API const csy_drift *csy_sync_drift(const csy_sync *sync);
/* The errors of two clocks that drift.  Walks are used for up to CSY_DRIFT_PAIRS_THREADS_MAX
 * clocks, if that takes a fraction of a second, or if `walks` or CSY_STATISTICS_ALL asks for them.
 * The first call finds the errors of all pairs: a time and a memory that go with the square of the
 * clocks, 1 KB a pair, and with CSY_DRIFT_MOMENTS times their cube; without walks, 1 KB a clock.
 * CSY_USAGE where clocks do not drift, or s and t are not two threads. */
CSY_API csy_status csy_sync_drift_pair(csy_sync *sync, size_t s, size_t t, bool walks,
                                       csy_drift_pair *out, csy_error *error);
/* The pair with the greatest of these errors, s < t; *any: there is one.  Walks as above, but only
 * if they are quick or CSY_STATISTICS_ALL asks for them. */
CSY_API csy_status csy_sync_drift_worst(csy_sync *sync, size_t *s, size_t *t, bool *any,
                                        csy_error *error);
CSY_API const csy_clock_report *csy_sync_clock_report(const csy_sync *sync);
CSY_API const csy_cut *csy_sync_cut(const csy_sync *sync); /* NULL: the trace is whole */

/* A step of a clock (csy_options_set_steps). Records up to record_before and from record_after on
 * are of two clocks, and each record of the clock in between is of one by itself. */
typedef struct csy_step {
    const char *clock; /* belongs to the solution */
    uint64_t record_before, record_after;
    size_t among; /* so many clocks are cut, since any of them may have been set; 1: this one was;
                     0: not known, since a synchronized CSV states the step */
    bool sized;   /* the size is known, if this is the clock that was set: */
    int64_t least_ticks, most_ticks; /* forward; below 0: back */
} csy_step;
/* The index-th step; false after the last. */
CSY_API bool csy_sync_step(const csy_sync *sync, size_t index, csy_step *out);
CSY_API csy_method csy_sync_method(const csy_sync *sync);
CSY_API const csy_damage *csy_sync_damage(const csy_sync *sync); /* NULL unless it was measured */
CSY_API const csy_correction *csy_sync_correction(const csy_sync *sync);
CSY_API const csy_dropped *csy_sync_dropped(const csy_sync *sync); /* never NULL */
/* All 0 with a method that gives no bounds. */
CSY_API const csy_summary *csy_sync_summary(const csy_sync *sync);
CSY_API const csy_witness *csy_sync_witness(const csy_sync *sync); /* NULL where there is none */

/* What a contradiction between order and clocks looks like: cellsync-model(7), Diagnosis. */
typedef enum csy_diagnosis_kind {
    CSY_DIAGNOSIS_NONE = 0,        /* delta is 1/2 at most, or was given */
    CSY_DIAGNOSIS_DRIFT,           /* rates of clocks differ */
    CSY_DIAGNOSIS_EARLY_STAMPS,    /* stamps are taken before the place in the buffer */
    CSY_DIAGNOSIS_STEPPED_CLOCK,   /* a clock was set */
    CSY_DIAGNOSIS_BAD_CLOCK,       /* one clock contradicts all others */
    CSY_DIAGNOSIS_NOT_INTERLEAVED, /* the file is sorted by thread or by time: at any delta */
    CSY_DIAGNOSIS_UNKNOWN,         /* none of these explains it */
    CSY_DIAGNOSIS_STEPS_BACK, /* time goes back within one thread, which asks for all of delta */
    CSY_DIAGNOSIS_OTHER_UNIT  /* rates of clocks differ by powers of ten */
} csy_diagnosis_kind;

/* A clock that a diagnosis names. */
typedef struct csy_diagnosed_clock {
    size_t thread;
    /* drift, other_unit: how much faster than `against` it runs, parts in 10^9; at 1/1000 of its
     * rate, -999000000. */
    int64_t rate_ppb;
} csy_diagnosed_clock;

/* Limits that explain a trace whose order and clocks contradict each other: csy_options_set_drift
 * with these rates, and a timestamp error. */
typedef struct csy_fit {
    int64_t drift_ppb;  /* the greatest rate */
    int64_t wander_ppb; /* 0: constant rates; CSY_NO_DRIFT: they may change */
    csy_fraction delta; /* the least in ticks, in whole half ticks if clocks drift */
    bool plausible;     /* clocks and timestamps can be so; at most one is */
    bool at_least;      /* delta may have to be greater, since records would be matched anew */
    /* What solves the trace so, such as "--drift=101,0 --delta=19.1us"; NULL: the rate is more than
     * clocks have. */
    const char *options;
} csy_fit;

/* Figures of other kinds than those named are 0. */
typedef struct csy_diagnosis {
    csy_diagnosis_kind kind;
    const char *text; /* what it looks like, on what evidence, and what to do next; one paragraph */
    /* Drift: all whose rate matters, none if rates are enough but not told; stepped_clock: the
     * clock, or those of which it must be one; bad_clock, steps_back: the clock; other_unit: all
     * that count in another unit. */
    size_t nclocks;
    const csy_diagnosed_clock *clocks;
    size_t against; /* drift, other_unit: the clock that rates are told by */
    /* Delta of the clocks looked at, and what is left of it once the cause is allowed for (drift,
     * stepped_clock, bad_clock, other_unit): upper limits of what is left. */
    csy_fraction delta, left_delta;
    size_t clocks_looked_at; /* at most 64; 0: no records were looked at */
    /* Stretches of the trace, and how many of them contradict themselves by more than 1/2. */
    size_t windows, contradicting;
    /* stepped_clock: after record_before and up to record_after the clock was set forward by
     * from step_least_ticks to step_most_ticks (below 0: back).  steps_back: from record_before to
     * record_after time goes back, by so much, which both ends of the step are. */
    uint64_t record_before, record_after;
    int64_t step_least_ticks, step_most_ticks;
    /* early_stamps: records with a global time below one before them, and by how much: the middle
     * and the 90 % one of them (to 1/16, rounded up), and the most. */
    uint64_t early_records;
    int64_t early_median_ticks, early_90_ticks, early_max_ticks;
    /* With so much (csy_options_set_drift) delta is 0; 0: none was found, or looked for.  Clocks
     * may drift by more. */
    int64_t enough_drift_ppb;
    /* At most four, if delta was estimated and is above 1/2: cellsync-model(7), Explanations. */
    size_t nfits;
    const csy_fit *fits;
} csy_diagnosis;

/* What delta would be if records that ask for most were left out: an upper limit of the least that
 * so many can do.  cellsync-model(7), The profile of delta. */
typedef struct csy_profile_entry {
    uint64_t dropped;   /* how many are left out */
    csy_fraction delta; /* exact for the rest */
} csy_profile_entry;

typedef struct csy_profile {
    size_t count; /* 0: delta is 1/2 at most, or was not estimated exactly */
    const csy_profile_entry *entries;
    bool cut_short; /* it ends before delta is 0 or 1 % is out: more would take too long */
    /* The fewest of the entries that make delta 10 times smaller: worth leaving out
     * (csy_options_set_drop); 0: none does, or that option has been set. */
    uint64_t advised;
} csy_profile;

/* Find it out for 0, 1, 2, 5, 10, 20, ... records, until delta is 0 or 1 % of them are out.  *out
 * belongs to the solution; it is found out once: by csy_trace_synchronize, up to what
 * csy_options_set_drop has asked for, where that is not 0.  Cost: up to about 60 passes over the
 * records.  Reports in text, JSON and HTML call it. */
CSY_API csy_status csy_sync_profile_delta(csy_sync *sync, const csy_profile **out,
                                          csy_error *error);

/* Tell from the records what a contradiction between order and clocks comes from.  *out belongs to
 * the solution; it is found out once.  Cost: nothing where delta is 1/2 at most; else two passes,
 * or three, and memory of a few MiB.  Where csy_sync_profile_delta has been called before, and
 * advises to leave out a few records, so does the text.  Reports in text, JSON and HTML call both.
 */
CSY_API csy_status csy_sync_diagnose(csy_sync *sync, const csy_diagnosis **out, csy_error *error);

/* What more records would make of a thread's bounds to the reference: cellsync-model(7), Advice.
 * All errors are event errors. */
typedef struct csy_advised {
    size_t thread;
    int64_t error_ticks; /* -1: it has no bound on one side, or on both */
    /* Whether anything of it is known to come after something of the reference, and before. */
    bool after_reference, before_reference;
    /* Its life within the reference's, in global time; none if begin is above end. */
    int64_t begin_ticks, end_ticks;
    /* Of traces in one buffer, of threads with bounds: records of it are to be so far apart, and
     * those of the reference so far; whether there is room for that. */
    int64_t fine_ticks, coarse_ticks;
    bool room;
    /* Where there is, the first local times of a plan that fits the clocks of this run: as much may
     * be added to both. */
    int64_t thread_ticks, reference_ticks;
    int64_t then_ticks; /* what is left of the error for sure; or error_ticks */
} csy_advised;

/* A stretch of a clock that drifts between two exchanges that bound it. */
typedef struct csy_advised_gap {
    size_t thread;
    int64_t begin_local_ticks, end_local_ticks;
    bool at_end;         /* it is at the begin or the end of the clock's life */
    int64_t error_ticks; /* greatest error in it, rounded up */
    int64_t then_ticks;  /* with K exchanges more in it, as good as the clock's best */
} csy_advised_gap;

typedef struct csy_advice {
    uint64_t events;    /* K: of a thread, and of the reference */
    int64_t late_ticks; /* by how much a record may be late, which is counted */
    size_t count,
        unbounded; /* all threads but the reference; the first are those without an error */
    const csy_advised *threads; /* the greatest error first */
    /* Of all that have bounds, once each thread has its records: the greatest error to the
     * reference, the mean, and what no two of them exceed; -1 where there are none. */
    int64_t max_ticks;
    csy_mean mean_ticks;
    int64_t max_spe_ticks;
    /* Of clocks that drift, which have no plans: the ten longest gaps, the longest first. */
    size_t ngaps;
    const csy_advised_gap *gaps;
} csy_advice;

/* *out belongs to the solution.  CSY_USAGE unless csy_options_set_advise was called.  O(T log T).
 * Reports in text, JSON and HTML call it then. */
CSY_API csy_status csy_sync_advise(csy_sync *sync, const csy_advice **out, csy_error *error);

/* A clock at one of its readings: its offset by what the tracer itself took it for, by ours, and
 * our bounds, as csy_thread has them; of clocks that drift, in whole ticks. */
typedef struct csy_tracer_moment {
    int64_t local_ticks;
    int64_t tracer_ticks, offset_ticks;
    int64_t earliest_ticks, latest_ticks;
} csy_tracer_moment;

typedef struct csy_tracer_clock {
    uint64_t readings;             /* at which the tracer says what it took the clock for */
    bool known;                    /* what follows is: */
    csy_tracer_moment first, last; /* of its records */
    /* Where the tracer's offset is outside of our bound by most; or, where that is nowhere, off
     * ours by most. */
    csy_tracer_moment worst;
    int64_t outside_ticks;  /* there; 0: it is inside all the time */
    int64_t distance_ticks; /* from ours, at most */
} csy_tracer_clock;

/* What the tracer that wrote an archive took its clocks for (the ClockOffset records of OTF2),
 * beside ours.  Its offsets are relative: they are told by what they make of the reference's
 * clock. */
typedef struct csy_tracer {
    uint64_t readings;               /* of all threads */
    size_t inside, outside, unknown; /* clocks but the reference's */
    size_t worst;                    /* the clock whose worst is worst, or that of the reference */
    size_t nclocks;
    const csy_tracer_clock *clocks; /* by csy_thread; if threads share one, of the worst of them */
} csy_tracer;

/* *out belongs to the solution; NULL where the trace's format has nothing of the kind, and with
 * Lamport's methods.  Cost: O(log n) for each of n readings.  Reports in text, JSON and HTML call
 * it. */
CSY_API csy_status csy_sync_tracer(csy_sync *sync, const csy_tracer **out, csy_error *error);

/* Messages that were received before they were sent, as one way to tell the time has it. */
typedef struct csy_backward {
    bool known; /* else the rest is 0 */
    uint64_t count;
    int64_t largest_ticks; /* by how much at most, or INT64_MAX */
} csy_backward;

/* Of all messages, and posts with their waits, that were matched: by the stamps as they were read,
 * which mean nothing between decrementers; by what the tracer corrected them to (csy_tracer); and
 * by our global times, which Lamport's methods give to ends of records only.  Latencies do not
 * count. */
typedef struct csy_violations {
    uint64_t messages;
    csy_backward raw, tracer, ours;
} csy_violations;

/* *out belongs to the solution; NULL where no messages were matched.  Cost: O(1) a message that is
 * held, O(log n) where the tracer has n readings of a clock.  Reports in text, JSON and HTML call
 * it. */
CSY_API csy_status csy_sync_violations(csy_sync *sync, const csy_violations **out,
                                       csy_error *error);

/* lower <= g[s] - g[t] <= upper, both ends attained ([BHH08] eq. (7)); INT64_MIN and INT64_MAX
 * where unbounded.  *error_ticks (may be NULL) is upper - lower, or -1 where that is infinite.
 * CSY_USAGE where s or t is no thread.
 * With the sweep, asking for another s costs O(T W) unless it is a near neighbour of the last one,
 * so let s be the outer loop; the solution keeps up to 64 MiB for that. */
CSY_API csy_status csy_sync_bounds(csy_sync *sync, size_t s, size_t t, int64_t *lower_ticks,
                                   int64_t *upper_ticks, int64_t *error_ticks, csy_error *error);

/* A figure, and the least and the greatest that it is with any offsets that the order of the
 * records allows. */
typedef enum csy_range_kind {
    CSY_RANGE_EXACT = 0, /* both ends are attained */
    CSY_RANGE_PROVEN,    /* it is nowhere beyond them */
    CSY_RANGE_STAR,      /* the same, from each clock's bound to the reference alone */
    CSY_RANGE_CLOCK,     /* of an analysis: it is by one clock, as stamped; both are the estimate */
    CSY_RANGE_UNKNOWN    /* of an analysis: there are no bounds; both mean nothing */
} csy_range_kind;
typedef struct csy_range {
    int64_t estimate; /* with the offsets of the solution */
    int64_t lo, hi;   /* INT64_MIN and INT64_MAX where there is no limit */
    csy_range_kind kind;
} csy_range;

/* The range of a sum of offsets, each times its coefficient, by thread; these sum to 0, so the sum
 * is one of differences: of times of several clocks that begin and end something, say (add what
 * their local times come to).  Exact while no more pairs of clocks than that have coefficients of
 * different signs, else, and of a solution that was read, by bounds to the reference.  CSY_USAGE
 * where there are no bounds, or where coefficients do not sum to 0; CSY_INPUT where an end leaves
 * 64 bits.  Cost: the bounds of all these pairs, and two flows of least cost between them; 60 bytes
 * a pair. */
#define CSY_BOUND_SUM_PAIRS_MAX ((uint64_t)1 << 20)
CSY_API csy_status csy_sync_bound_sum(csy_sync *sync, const int64_t *coefficients, csy_range *out,
                                      csy_error *error);

/* A moment by a clock: the stamp of a record, or something else that the clock timed. */
#define CSY_NO_RECORD UINT64_MAX
typedef struct csy_instant {
    size_t thread;
    int64_t local_ticks;
    uint64_t record; /* position, if it is the stamp of that record; else CSY_NO_RECORD */
} csy_instant;

typedef enum csy_verdict {
    CSY_BEFORE_NO = 0, /* a is after b or at the same time */
    CSY_BEFORE_YES,    /* a is before b or, as the range then says, at the same time; of records
                          of one buffer, that of a is before that of b */
    CSY_BEFORE_UNKNOWN /* the records allow either */
} csy_verdict;

/* Whether a was before b: the range of the time of a less that of b.  Records of one buffer are
 * always decided, by their places, but for those that are left out (csy_dropped).  Stamps are good
 * to +-delta, which the range allows for; above 0 it is CSY_RANGE_PROVEN, and so it is where clocks
 * drift, in ticks of the reference's clock.  CSY_USAGE where there are no bounds, no such thread,
 * or, where clocks drift, no bounds on both sides of two clocks; CSY_INPUT where an end leaves 64
 * bits.  Cost as of csy_sync_bounds, and 8 bytes a thread; where clocks drift, passes
 * over the readings that bounds rest on, and 32 bytes for each of these. */
CSY_API csy_status csy_sync_before(csy_sync *sync, const csy_instant *a, const csy_instant *b,
                                   csy_verdict *verdict, csy_range *distance, csy_error *error);

/* What a clock showed, in global time, rounded down; not moved with events one by one, as monotonic
 * times are.  CSY_USAGE where there is no such thread; CSY_INPUT where it leaves 64 bits, and
 * CSY_INFEASIBLE without a solution. */
CSY_API csy_status csy_sync_global(const csy_sync *sync, size_t thread, int64_t local_ticks,
                                   int64_t *global_ticks, csy_error *error);

/* What all bounds rest on, in words for people; NULL where they do not.  That delta is conditional:
 * "order and clocks contradict each other by up to 4.93 ms: bounds hold only if no stamp is off by
 * more than 2.47 ms"; and that gaps were assumed (csy_clock_report): "all times and bounds hold
 * only if 1 assumed gap was assumed rightly"; that records were left out (csy_dropped): "3 records
 * are left out: bounds hold for the others"; and that the order of the records is doubted
 * (csy_sorted): "no two threads interleave, as in a file that is sorted by thread: bounds hold only
 * if the records are in the order of writing".  Of a delta so great that stamps cannot be that
 * imprecise the first one also says what it may come from; what the diagnosis found, where
 * csy_sync_diagnose has been called before.  Return text. */
#define CSY_WARNING_TEXT_MAX 400
CSY_API const char *csy_sync_delta_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
CSY_API const char *csy_sync_assumed_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
CSY_API const char *csy_sync_dropped_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
CSY_API const char *csy_sync_order_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
/* And that clocks are not bounded to the reference's on both sides: "nothing ties the clock of C to
 * that of A: its offset is arbitrary, and its global times cannot be compared with those of A",
 * "the clocks of C and 2 others are bounded to that of A on one side only: on the other side each
 * offset can be wrong by any amount", or both, with a semicolon between them. */
CSY_API const char *csy_sync_unbounded_warning(const csy_sync *sync,
                                               char text[CSY_WARNING_TEXT_MAX]);
/* And that ends of messages found no others, though the trace says that all are there: "3 sends and
 * 0 receives have no other end, though the trace says that its messages are complete".  Of an OTF2
 * archive that does not say it, how many of all: "20 of 20 sends and 0 of 0 receives have no other
 * end, and order nothing: EZTrace, for one, does not record that MPI_Irecv completes". */
CSY_API const char *csy_sync_messages_warning(const csy_sync *sync,
                                              char text[CSY_WARNING_TEXT_MAX]);
/* And that channels are left out, as their sends and receives are not as many: "channel 'AB'
 * (99 sends, 100 receives) is left out: which messages are missing is not known; give each message
 * a key of its own".  Not of archives and runs, whose recorders did not choose their keys.
 */
CSY_API const char *csy_sync_channels_warning(const csy_sync *sync,
                                              char text[CSY_WARNING_TEXT_MAX]);
/* And that clocks, or some of them, may have been read in steps of many ticks, from the first and
 * last stamp of each and up to 32 others among the first 65536 records, which are read again where
 * these two do not tell; the first 4096, until 128 clocks have 32 different gaps, for steps that
 * are no whole number of ticks.  Not where delta is half a step, or was given and is a quarter of
 * that of one clock alone and half a tick: "the clocks of A and 2 others look as if they were read
 * in steps of up to 1000 ticks (1 us): if they were, bounds hold only with --delta=500 (500 ns) or
 * more", "the clock of A looks as if it was ...", or of all "clocks look as if they were ...", and
 * "of about 69.8 ticks (69.8 ns)" where the step is uneven; it and a tick then count as the step.
 * Where times have a unit, the finest decimals of the first 4096 rows show a step in traces of any
 * size: "timestamps are written in steps of 1000 ticks (1 us): unless they are exact, bounds hold
 * only with --delta=500 (500 ns) or more".  Where timestamps are doubles in 17 digits or fewer:
 * "timestamps of A and 2 other clocks look as if they went through floating-point numbers, in steps
 * of 256 ticks (256 ns): if they did, bounds hold only with --delta=178 (178 ns) or more".
 * NULL, too, of one clock alone, or where there is no memory for it. */
CSY_API const char *csy_sync_coarse_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* And that an archive, or a run, has clocks of several hosts, which are taken to run at equal rates
 * as no drift is allowed for: "bounds assume that the clocks of all 2 hosts run at equal rates: a
 * difference of 100 ppm, which crystals have, comes to 29.6 us in this trace; pass --drift=101 to
 * allow for it".  NULL, too, if that is below a tick. */
CSY_API const char *csy_sync_rates_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* What was chosen by csy_options_set_premises and not passed, in one clause to follow "assuming
 * that": "the clocks run within 101 ppm of each other and were not set, and timestamps are rounded
 * to 1 us; otherwise pass --drift or --delta".  NULL if nothing was chosen, of one clock, and for a
 * method without bounds.  Returns text.  Cost: the number of threads. */
CSY_API const char *csy_sync_premise(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* Whether equal rates were chosen only because an option or CSY_PREMISES_ONE_RATE needs them. */
CSY_API bool csy_sync_rates_asked(const csy_sync *sync);

/* The least delta that was allowed, in ticks: half a step of the timestamps, or half a tick of
 * clocks that do not tick together; 0 if neither. */
CSY_API csy_fraction csy_sync_delta_floor(const csy_sync *sync);

/* What bounds rest on, after "bounds hold if", and what to say else.  Always, that stamps are as
 * good as delta says: "every stamp is exact to the tick; else say --delta", "every stamp is good
 * to 500 ns; else say a greater --delta".  Unless the clocks are of one Cell machine, which do
 * both, also that all run at one rate, where no drift is allowed for, and step at the same
 * instants, where stamps were found to be good to less than half a tick: "all clocks run at one
 * rate and step at the same instants, and every stamp is exact to the tick; else say --drift,
 * --delta=1/2 or more, or both".  Of clocks that drift the limits of their rates come first: "no
 * clock runs more than 101 ppm faster or slower than the reference, each keeps its rate to within 1
 * ppm of a constant, and every timestamp is good to 500 ns; otherwise pass greater limits with
 * --drift, a greater --delta, or both".  Where delta was estimated, csy_sync_delta_warning says in
 * place of it that bounds may not hold at all; NULL if nothing is left, without bounds, and of one
 * clock.  Returns text.  Cost: that of csy_sync_coarse_warning, and the number of threads. */
CSY_API const char *csy_sync_condition(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* All that bounds rest on, each after "bounds hold if": csy_sync_condition first; if the rows are
 * few and in order of time, "the rows are in the order of writing; they may have been sorted by
 * time, and then the bounds are false"; and, if a channel has several messages, "every message of
 * a channel was recorded at both ends"; and, if an OTF2 archive has locations of accelerators,
 * "the tracer converted the timestamps of 2 accelerator locations to the clocks of their processes
 * without error; otherwise pass --clock-per=location"; and, if counters of a CSV wrap, "the counter
 * of B wraps at 24 bits and was continued: ..."; and, if clocks were cut, "B was set back by
 * 3.000 ms (2.998 to 3.003) between lines 412 and 413, and no clock was set elsewhere".  NULL after
 * the last.  Returns text.  Cost as of csy_sync_condition. */
CSY_API const char *csy_sync_condition_at(const csy_sync *sync, size_t index,
                                          char text[CSY_WARNING_TEXT_MAX]);

/* A warning about a solution, or a condition of its bounds. */
typedef struct csy_caveat {
    const char *key; /* identifies it to programs: "delta"; a constant string */
    bool condition;  /* the text completes "bounds hold if"; otherwise it is a warning */
    char text[CSY_WARNING_TEXT_MAX]; /* one English sentence without a full stop */
} csy_caveat;

/* List every warning and then every condition, in the order of reports.  Set *next to 0 before the
 * first call; each call advances it and fills *caveat.  Returns false after the last caveat, and
 * then the key is NULL and the text empty.  Cannot fail.  A whole list costs as much as one
 * call of each function above.
 *   warnings    delta, assumed, dropped, order, unbounded, messages, channels, coarse, rates: the
 *               functions of these names; unread: the CSV has columns of an order that its head
 *               does not announce
 *   conditions  stamps: csy_sync_condition; order, both_ends, converted, counters, steps: others of
 *               csy_sync_condition_at
 * Later versions may add keys. */
CSY_API bool csy_sync_next_caveat(const csy_sync *sync, size_t *next, csy_caveat *caveat);

/* The event error (csy_summary) of a pair of this error bound; -1 of -1. */
CSY_API int64_t csy_sync_event_error(const csy_sync *sync, int64_t error_ticks);

/* A constraint of a chain, and by how much the offsets keep it: the time from record_s to record_t
 * as the offsets have it, and what relaxation adds. */
typedef struct csy_chain_edge {
    csy_witness_edge constraint;
    int64_t slack_ticks;
    int64_t global_s, global_t; /* times of its records as they are written, raised if monotonic */
} csy_chain_edge;

/* A shortest chain of constraints from s to t: their weights, with what relaxation adds to each
 * (csy_imprecision), sum to end_ticks, so that g[s] - g[t] <= end_ticks.  t of each is s of the
 * next. */
typedef struct csy_chain {
    size_t s, t;
    int64_t end_ticks; /* INT64_MAX: there is no chain */
    size_t length;
    const csy_chain_edge *edges;
} csy_chain;

typedef struct csy_explanation {
    csy_chain upper; /* from s to t: g[s] - g[t] <= end_ticks */
    csy_chain lower; /* from t to s: g[s] - g[t] >= -end_ticks */
} csy_explanation;

/* Find the records that set both ends of the bound of two threads.  The caller frees *out.
 * CSY_USAGE where s or t is no thread, where they are the same, and without bounds.  Cost: a pass
 * over the records, and memory in proportion to the constraints that shortest walks from and to s
 * use. */
CSY_API csy_status csy_sync_explain(csy_sync *sync, size_t s, size_t t, csy_explanation **out,
                                    csy_error *error);
CSY_API void csy_explanation_free(csy_explanation *explanation);

/* A step of a walk between clocks that drift: clock s passes from the reading before to time_s, and
 * a constraint leads on to clock t. */
typedef struct csy_drift_step {
    size_t s, t;
    uint64_t record_s, record_t; /* the first records of s and t with these timestamps, or
                                    CSY_NO_RECORD */
    uint64_t place_s, place_t;   /* as of csy_witness_edge */
    int64_t time_s, time_t;      /* local times */
    int64_t global_s, global_t;
    csy_fine
        passed; /* on s, before: global time at the reading before less that at time_s, at most */
    csy_fine most;  /* global time at time_s less that at time_t, at most */
    csy_fine slack; /* by how much global times keep that */
} csy_drift_step;

/* A shortest walk from a reading of s to one of t: global time of the first less that of the second
 * is at most `most`, the sum of its steps and of `passed`. */
typedef struct csy_drift_chain {
    size_t s, t;
    csy_fine most;
    csy_fine passed; /* on t, after the last step */
    size_t length;
    const csy_drift_step *steps;
} csy_drift_chain;

typedef struct csy_drift_explanation {
    bool bounded;         /* the two clocks, by each other; otherwise all that follows is 0 */
    int64_t moment_ticks; /* global time: worst_moment_ticks of csy_drift_pair */
    csy_instant s, t;     /* their readings then */
    csy_drift_chain upper, lower; /* from s to t, and from t to s */
} csy_drift_explanation;

/* Find the walks that limit the time between two clocks that drift, at the worst of the moments.
 * The caller frees *out.  Unlike csy_drift_pair, they are the shortest walks.  Cost:
 * csy_sync_drift_pair, csy_sync_difference twice, and a pass over the records.  CSY_USAGE as
 * csy_sync_drift_pair. */
CSY_API csy_status csy_sync_drift_explain(csy_sync *sync, size_t s, size_t t,
                                          csy_drift_explanation **out, csy_error *error);
CSY_API void csy_drift_explanation_free(csy_drift_explanation *explanation);

/* A record with its times, in buffer order.  Pointers hold until the next call. */
typedef struct csy_event {
    uint64_t record; /* position */
    size_t thread;
    size_t track; /* index of the csy_track, or CSY_NO_TRACK */
    int64_t local_ticks;
    int64_t global_ticks;
    const uint8_t *bytes; /* the record as it stands in its file: big-endian, or a CSV row */
    size_t size;
} csy_event;

typedef struct csy_events csy_events;

/* Read the trace again with its global times.  Several may be open at once, each with a place of
 * its own, and while the trace is synchronized or written; *out is freed before trace and solution.
 * Cost: opening takes what the metadata of a CSV does, and about 1 MiB of memory; no more for more
 * records.  next: *more is false after the last event. */
CSY_API csy_status csy_events_open(const csy_sync *sync, csy_events **out, csy_error *error);
CSY_API csy_status csy_events_next(csy_events *events, csy_event *event, bool *more,
                                   csy_error *error);

/* Go on at the record at that position, 0 to csy_sync_records (after the last one); CSY_USAGE
 * beyond. Cost: forward a pass over the records between, at the speed of csy_trace_synchronize or
 * better; back a pass over all before it, since local times rest on these. */
CSY_API csy_status csy_events_seek(csy_events *events, uint64_t record, csy_error *error);

/* Who wrote a record: a .pex says it of each, a CSV may. */
typedef enum csy_core { CSY_CORE_NONE = 0, CSY_CORE_PPE, CSY_CORE_SPE } csy_core;

/* All that a record says, decoded.  What its trace does not have is 0, NULL or CSY_CORE_NONE. */
typedef struct csy_decoded {
    uint64_t record; /* position */
    int64_t local_ticks, global_ticks;
    /* Where an interval began, by the clock of its thread and in global time; of other records the
     * times of the record.  A begin that a program wrote and nothing checked (of the PPE in a .pex)
     * is that number mod 2^64, whatever it is. */
    int64_t local_begin_ticks, global_begin_ticks;
    /* Its fields by index: of a .pex the payload as numbers, in values; of a CSV all columns, in
     * texts. */
    const uint64_t *values;
    const csy_text *texts;
    const char *name;    /* of what happened, name_size bytes; a NUL need not follow */
    const char *routine; /* of a run what it enters, leaves or is in, by its address; without NUL */
    const char *about; /* of a run the csy_track of another thread that it is about; without NUL */
    const uint8_t *bytes; /* as in csy_event */
    uint32_t size;
    uint32_t name_size;
    uint32_t routine_size; /* 0: none */
    uint32_t about_size;   /* 0: none */
    uint32_t nfields;
    uint32_t thread; /* of the solution */
    uint32_t track;  /* index of the csy_track, or CSY_NO_TRACK */
    uint32_t tid;    /* thread of the PPE, or context of an SPE, in a .pex */
    csy_core core;
    uint16_t id;   /* of its kind of event, in a .pex */
    bool interval; /* it has a begin */
} csy_decoded;

/* The next events, decoded, up to n (at least 1) of them into out: *got says how many, fewer than n
 * wherever that is quicker, and 0 only after the last one.  On failure *got of them are good.
 * Pointers hold until the next call of csy_events_read or csy_events_next, names of a .pex until
 * csy_trace_free.  Both may be called in turns: each goes on where the other was.  Cost: plain
 * records of a .pex with offsets that are not monotonic are decoded many at a time, so let n be
 * 1000 or so; no memory is taken by the event, and about 1 MiB and one record in all. */
CSY_API csy_status csy_events_read(csy_events *events, csy_decoded *out, size_t n, size_t *got,
                                   csy_error *error);

/* What the field at index is called, in events of this id: in a .pex as its document says, else
 * "valueN", N being the index; in a CSV, with any id, as its column.  Holds until the next call;
 * NULL where there is no such column, for a trace without fields, and without memory. */
CSY_API const char *csy_events_field_name(csy_events *events, unsigned id, size_t index);

/* Before its solution and trace. */
CSY_API void csy_events_free(csy_events *events);

/* What a CSV says in comments, and how it writes global time. */
typedef enum csy_csv_header {
    CSY_CSV_COMMENT = 0, /* all comments of a CSV, and one that csy_check needs in front of them */
    CSY_CSV_BARE         /* no comment: the first line is the header */
} csy_csv_header;
typedef enum csy_csv_time {
    CSY_CSV_TICKS = 0, /* global_time */
    CSY_CSV_SECONDS,   /* global_time_s, in decimal seconds */
    CSY_CSV_BOTH,
    CSY_CSV_DATE /* global_date, in UTC as in RFC 3339, with nine decimals; CSY_USAGE if ticks are
                    not whole nanoseconds or do not count from 1970 */
} csy_csv_time;

/* What of a record an event of JSON holds, beside its name and time: everything; its number, its
 * global ticks and its payload; nothing. */
typedef enum csy_json_args { CSY_JSON_ALL = 0, CSY_JSON_SHORT, CSY_JSON_NONE } csy_json_args;

/* How csy_sync_write_trace writes; as csy_options, a new one has the defaults, setters refuse what
 * can be no value by itself, and the caller frees *out.  What does not fit the format is refused
 * where the trace is written. */
typedef struct csy_output csy_output;
CSY_API csy_status csy_output_new(csy_output **out, csy_error *error);
CSY_API void csy_output_free(csy_output *output);

/* Default CSY_FORMAT_AUTO: by the path's suffix, without one as the trace. */
CSY_API csy_status csy_output_set_format(csy_output *output, csy_format format, csy_error *error);

/* A .pex with its records inside, in one file; default false. */
CSY_API csy_status csy_output_set_embed(csy_output *output, bool embed, csy_error *error);

/* Event files of an OTF2 archive may become hard links of those of the trace where the file system
 * cannot let copies share their bytes; default false: then they are copied. */
CSY_API csy_status csy_output_set_link(csy_output *output, bool linked, csy_error *error);

/* gzip the records of a .pex, or all of a CSV, JSON or Perfetto trace, 0 to 9; default
 * CSY_COMPRESS_BY_NAME: plain, but 6 for one of the latter whose path ends in .gz. */
#define CSY_COMPRESS_BY_NAME (-1)
CSY_API csy_status csy_output_set_compress_level(csy_output *output, int level, csy_error *error);

/* CSV only; default CSY_CSV_COMMENT. */
CSY_API csy_status csy_output_set_csv_header(csy_output *output, csy_csv_header header,
                                             csy_error *error);

/* CSV only; default CSY_CSV_TICKS. */
CSY_API csy_status csy_output_set_csv_time(csy_output *output, csy_csv_time time, csy_error *error);

/* JSON and Perfetto traces only; default CSY_JSON_ALL. */
CSY_API csy_status csy_output_set_json_args(csy_output *output, csy_json_args args,
                                            csy_error *error);

/* Not of a .pex: which records are written; copied; NULL, the default: all.  A window is
 * "A..B", both included, each global ticks ("1000"), a time since the first record ("1.5ms"), a
 * part of the time from the first record to the last ("25%"), a position ("#100"), or empty.
 * B before A is CSY_USAGE. */
CSY_API csy_status csy_output_set_window(csy_output *output, const char *window, csy_error *error);

/* The same by a pattern of names of threads, as fnmatch(3) has them. */
CSY_API csy_status csy_output_set_only(csy_output *output, const char *pattern, csy_error *error);

/* Write the synchronized trace; output may be NULL for the defaults.  path "-" is standard output.
 * A .pex goes out as two files, path and beside it a record file whose name is path with its suffix
 * replaced by .TAG.trace (compressed: .TAG.trace.gz; TAG is of eight digits and tells one from
 * another), unless embed is set or path is not a regular file.  When path gets its name both have
 * theirs, and the record file of a .pex that is replaced is removed.  Compressed records are gzip
 * members of 128 KiB of input each.  CTF and OTF2 are folders at path, which replace an empty one
 * or one that holds such a trace only (else CSY_IO).  Files are written under temporary names,
 * synced and renamed: on failure nothing is left and old files stay.  CSY_USAGE for what a format
 * cannot be or have: a .pex of a CSV, or of monotonic times, which could not be undone; an OTF2
 * archive of anything else; a setting that is of other formats; CTF or OTF2 compressed.  So for a
 * CSV, JSON or Perfetto trace to be compressed under a name with another suffix than .gz, and under
 * CSY_FORMAT_AUTO for an unknown suffix of a path that is or will be a regular file. */
CSY_API csy_status csy_sync_write_trace(const csy_sync *sync, const char *path,
                                        const csy_output *output, csy_error *error);

/* How many records the last csy_sync_write_trace of it has written, if not as a .pex. */
CSY_API uint64_t csy_trace_written(const csy_trace *trace);

/* See beforehand that the files of csy_sync_write_trace and csy_sync_write_report are
 * neither the trace's own nor one another's, and that what options, with which it will be solved,
 * make can be written so; options, path or report may be NULL. */
CSY_API csy_status csy_trace_check_outputs(const csy_trace *trace, const csy_options *options,
                                           const char *path, const csy_output *output,
                                           const char *report, csy_error *error);

/* *needs: whether csy_sync_write_trace to path would write a .pex, which has one offset for each
 * clock and so cannot be of clocks that drift.  Errors as of csy_trace_check_outputs. */
CSY_API csy_status csy_trace_output_needs_one_rate(const csy_trace *trace, const char *path,
                                                   const csy_output *output, bool *needs,
                                                   csy_error *error);

/* Write what puts clocks in global time to path ("-": standard output) as CSV, in the same safe
 * way: comments that say what it rests on and how long a tick is, as in a synchronized CSV, and
 * then thread,local,global,earliest,latest, in ticks: a row for each knot of a clock that drifts
 * (csy_sync_drift), between which its global time goes on a straight line, else a row for each
 * clock, at its first record.  local is a whole number, the others have nine decimals and are
 * exact; an end that is not bounded is empty.  CSY_USAGE where there are no bounds, or times are
 * monotonic. */
CSY_API csy_status csy_sync_write_clocks(const csy_sync *sync, const char *path, csy_error *error);

/* Whether the file at path has an access control list, or extended attributes of its user: an
 * output that replaces it does not get them. */
CSY_API bool csy_has_attributes(const char *path);

/* For a thread of a program that is about to end, by a signal say: remove what the process has
 * under temporary names beside path, where it writes an output, wait for names that are just being
 * given, and let none be given from then on; threads that would give one wait for good.  Not for
 * signal handlers. */
CSY_API void csy_abandon(const char *path);

/* The format that the name of a report asks for: .txt, .csv, .json, .html, .htm or .tex, in any
 * case; text where it has no suffix.  CSY_USAGE for another suffix, unless path is no regular
 * file: then text. */
CSY_API csy_status csy_report_format_of(const char *path, csy_report_format *out, csy_error *error);

/* Write the error-bound report to path ("-": standard output), in the same safe way.  Pairs are
 * sorted by their threads, whichever are listed.  Cost with the sweep, beside the writing: all of
 * them O(T^2 W) time; live O(T W^2) and 16 bytes a pair; reference O(T W).  HTML takes pairs as it
 * needs them, at O(T W), and reads the trace once more. */
CSY_API csy_status csy_sync_write_report(csy_sync *sync, const char *path, csy_report_format format,
                                         csy_pairs pairs, csy_error *error);

/* The figures of several traces, a row each, as in Table 1 of [BHH08].  It becomes text, CSV
 * (CSY_REPORT_CSV: a line a trace, not a pair) or a LaTeX tabular. */
typedef struct csy_table csy_table;

/* A table to be written to path ("-": standard output); the caller frees *out.  CSY_USAGE for JSON
 * and HTML. */
CSY_API csy_status csy_table_new(const char *path, csy_report_format format, csy_table **out,
                                 csy_error *error);

/* The unit of its figures as text or TeX; CSV has ticks.  csy_table_write refuses a value that is
 * none of these: CSY_USAGE. */
typedef enum csy_table_unit { CSY_TABLE_TICKS = 0, CSY_TABLE_MICROSECONDS } csy_table_unit;
CSY_API void csy_table_set_unit(csy_table *table, csy_table_unit unit);

/* Add a row; trace and solution may be freed then.  CSY_USAGE for a solution without bounds,
 * CSY_INPUT where path is one of the trace's files. */
CSY_API csy_status csy_table_add(csy_table *table, const csy_sync *sync, csy_error *error);

/* Write the rows so far, in the same safe way as a report. */
CSY_API csy_status csy_table_write(const csy_table *table, csy_error *error);
CSY_API void csy_table_free(csy_table *table);

/* Write the drawings of the HTML report to the folder path, as SVG files that need nothing else:
 * legend.svg, intervals.svg, precision.svg, and where the report has them messages.svg,
 * threads.svg, pairs.svg, communication.svg and distribution.svg; of clocks that drift
 * precision.svg and messages.svg alone.  The folder replaces an empty one or one that holds such
 * files only (else CSY_IO), as a whole.  CSY_USAGE for a solution without bounds, and for "-".
 * Cost as of the report.  csy_check_figures sees beforehand what may be at path. */
CSY_API csy_status csy_check_figures(const char *path, csy_error *error);
CSY_API csy_status csy_sync_write_figures(csy_sync *sync, const char *path, csy_error *error);

/* A graph to draw: the constraints between neighbouring records, one edge for each ordered pair of
 * threads that has some, or the error bounds of all pairs, of many threads those of a minimum
 * spanning tree; and the most threads of which one is written. */
#define CSY_GRAPH_CONSTRAINTS_THREADS_MAX 100
#define CSY_GRAPH_ALL_BOUNDS_THREADS_MAX 12
#define CSY_GRAPH_BOUNDS_THREADS_MAX 1000
typedef enum csy_graph { CSY_GRAPH_CONSTRAINTS = 0, CSY_GRAPH_BOUNDS } csy_graph;

/* Write it to path ("-": standard output) in the DOT language of Graphviz, in the same safe way.
 * CSY_USAGE where it has more threads than can be drawn.  Constraints take a pass over the
 * records. */
CSY_API csy_status csy_sync_write_graph(csy_sync *sync, const char *path, csy_graph graph,
                                        csy_error *error);

/* What csy_check has proved; cellsync-model(7), Guarantees.  The library makes it. */
typedef struct csy_proof {
    csy_format format; /* CSY_FORMAT_PEX, CSY_FORMAT_CSV or CSY_FORMAT_OTF2 */
    bool columns;      /* global times are in columns that were added, as in a CSV */
    uint64_t records;
    size_t threads; /* indexes: clocks, where threads of a CSV share them */
    size_t tracks;  /* threads of a CSV that run on them; of a .pex 0 */
    uint64_t inversions;
    int64_t largest_inversion_ticks;
    int64_t allowed_inversion_ticks;
    uint64_t dropped; /* records that are left out: 2 and 4 are proved for the others */
    csy_center center;
    bool neighbours_only;    /* the paper's relaxation allows for no more than neighbours */
    uint32_t original_crc32; /* 0 of a CSV that was proved */
    bool beside;             /* the trace that it was made of */
    uint64_t assumed;        /* gaps that must have been assumed rightly for all of it */
    /* Of those left out: they contradict none of the others beyond what is allowed. */
    uint64_t dropped_in_place;
    csy_sorted sorted; /* a CSV: what the rows themselves say */
    /* Of a trace in partial order: threads that are not bounded to the reference on both sides; and
     * of them those whose offsets keep the order, which is all that is proved of them: proving
     * where the order leaves them would have taken too long. */
    size_t unbounded;
    size_t unplaced;
    /* Of clocks that drift: how they may run, or CSY_NO_DRIFT; and the errors of records against
     * the reference, found without a solver, and without what a wander tells.  Where there is a
     * wander, or where finding them would have taken too long, nothing is proved of bounds. */
    int64_t drift_ppb, wander_ppb;
    bool bounds_found;
    uint64_t error_records;
    csy_fine max_error, mean_error;
} csy_proof;

/* Prove the guarantees on a synchronized .pex, CSV or OTF2 archive.  Of a .pex: undo it by its own
 * table, compare the CRC, unwrap again, compare every stamp, and prove every offset and bound
 * without a solver: ends of bounds keep all constraints, and the reference reaches each by
 * constraints kept with equality.
 * Of a CSV: the offset of each thread is one throughout, what was there before has the
 * CRC, no inversion is larger than delta allows, and offsets lie where alpha puts them between the
 * bounds that the rows imply, which are found and proved without a solver, since it has no table of
 * them; its events are copied to a temporary file of 16 bytes each, and gone through once for each
 * time that a shortest walk turns back, at most the number of threads.  Of a CSV whose clocks
 * drift: some clock that runs as is allowed reads what was written, no inversion is larger than
 * delta allows, and knots lie where alpha puts them; some 200 bytes a record.  Of an archive: its
 * event files have the CRC, all its threads have the offset of their clock, and that is where it is
 * found to be as of a CSV in partial order; where clocks drift, it is proved as of a CSV, of the
 * lines between offsets, with one tick more.  original, or NULL: the archive, document of logs or
 * run that a CSV was made of, whose rows do not say what gave their order; they are its events, one
 * by one, and its order is what is proved; CSY_USAGE for any other CSV.  CSY_CHECK with a text that
 * names the first difference.
 * input may be NULL for the defaults; a synchronized trace says itself how its input was read, but
 * where it is said there.  progress may be NULL.  The caller frees *out with csy_proof_free.  Any
 * number of threads: one or two passes over the records, and memory in proportion to the
 * threads. */
CSY_API csy_status csy_check(const char *path, const char *original, const csy_input *input,
                             csy_progress progress, void *user, csy_proof **out, csy_error *error);
CSY_API void csy_proof_free(csy_proof *proof);

#ifdef __cplusplus
}
#endif

#endif
