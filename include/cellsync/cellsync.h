/* cellsync.h - offline clock synchronization of event traces
 *
 *   csy_trace_open  ->  csy_trace_synchronize  ->  csy_sync_write_trace, csy_sync_write_report
 *      (input)            (solution)               (synchronized trace, error bounds)
 *
 * A trace is a sequence of records in the order of a buffer. Each record belongs to one
 * pseudo-thread, and the clock of that thread gave it its timestamp. All PPE threads together are
 * one thread, and each live interval of an SPE context is one. A solution gives every thread t an
 * offset such that global time = offset + local time. For every pair of threads s, t it gives exact
 * bounds of g[s] - g[t], the difference of their offsets. cellsync-model(7) explains the
 * mathematics, and pex(5) the formats.
 *
 * This header is the reference. libcellsync(3) shows how its parts work together, with examples.
 *
 * Names: csy_OBJECT_verb works on an object or makes it; csy_OBJECT_noun returns a property;
 * csy_OBJECT_set_noun changes it.
 *
 * Units: int64 ticks of the timebase of the trace. Threads have indexes from 0 in the order of
 * their first records; threads of the operating system are called workers. Positions count records
 * from 0.
 *
 * Errors: functions that can fail return a csy_status and fill *error, which may be NULL.
 * Out-parameters are written only on success.
 *
 * Ownership: if an out-parameter has a type with a free function, the caller owns the result. A
 * const pointer belongs to the object that returned it, and is valid until that object is freed,
 * unless its comment says otherwise.
 *
 * Compatibility: structures made by the library may grow at their end. Structures made by programs,
 * and structures in arrays or in other structures, do not change.
 *
 * Workers: objects have no locks. Different traces, with all objects made from them, may be used by
 * different workers. */
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
    CSY_INPUT,      /* the input is malformed or exceeds a documented limit */
    CSY_IO,         /* a file cannot be opened, read, written, or renamed */
    CSY_MEMORY,     /* out of memory */
    CSY_USAGE,      /* the options do not fit the trace, such as a thread or conversion that does
                       not exist */
    CSY_INFEASIBLE, /* the order of the records contradicts the clocks; see csy_witness */
    CSY_CHECK       /* csy_check: a guarantee is violated */
} csy_status;

/* A description of the failure: "trace.pex: offset 4096: truncated record: need 24 bytes, have 7".
 * It has no trailing newline, and bytes from outside are escaped. */
typedef struct csy_error {
    csy_status status;
    char text[1024];
} csy_error;

typedef enum csy_format {
    CSY_FORMAT_AUTO = 0,
    CSY_FORMAT_PEX,
    CSY_FORMAT_CSV,
    CSY_FORMAT_JSON,    /* Chrome trace events, for Perfetto; as input: of profilers */
    CSY_FORMAT_CTF,     /* output only: a CTF 1.8 folder, for babeltrace2 and Trace Compass */
    CSY_FORMAT_PFTRACE, /* output only: TrackEvents of Perfetto */
    /* An OTF2 archive, opened by its anchor file. As output only for OTF2 input. */
    CSY_FORMAT_OTF2,
    /* Captures of packets, pcap or pcapng. As output only for such input: the same files. */
    CSY_FORMAT_PCAP,
    CSY_FORMAT_PCAPNG, /* as input the same; as output one pcapng with all packets */
    /* Spans as JSON. As output only for input of the same format: the same file with corrected
     * times and attributes. */
    CSY_FORMAT_OTLP,   /* OpenTelemetry: OTLP JSON, or lines of it */
    CSY_FORMAT_JAEGER, /* Jaeger: what its query service returns */
    CSY_FORMAT_ZIPKIN, /* Zipkin: version 2 of its API */
    /* Output only, for profiles in Chrome JSON: a TAR with the files that were read, and a manifest
     * by which Perfetto moves each of them. */
    CSY_FORMAT_TAR
} csy_format;

/* What the order of two spans proves. */
typedef enum csy_spans {
    CSY_SPANS_SOUND = 0, /* a server begins before its client, which got an answer, ends */
    CSY_SPANS_NESTED     /* a server also ends before its client ends, which often is wrong */
} csy_spans;

/* The locations of an OTF2 archive that share a clock. */
typedef enum csy_clock_per {
    CSY_CLOCK_PER_AUTO = 0, /* as CSY_CLOCK_PER_PROCESS */
    CSY_CLOCK_PER_PROCESS,
    CSY_CLOCK_PER_NODE, /* a node; a process if no node is named */
    CSY_CLOCK_PER_LOCATION
} csy_clock_per;

/* Whether csy_trace_open_files reads several files as one trace. */
typedef enum csy_join {
    CSY_JOIN_AUTO = 0, /* if their format says so, or each CSV has a line # order=partial or
                          # order=messages */
    CSY_JOIN_ALWAYS    /* yes; a CSV without a line # order= counts as # order=partial */
} csy_join;

typedef enum csy_report_format {
    CSY_REPORT_TEXT = 0,
    CSY_REPORT_CSV,
    CSY_REPORT_JSON,
    CSY_REPORT_HTML,
    CSY_REPORT_TEX,    /* a table with one row: see csy_table */
    CSY_REPORT_SVG,    /* a drawing, for analyses only: see cellsync/analysis.h */
    CSY_REPORT_DOT,    /* a call graph, for analyses only */
    CSY_REPORT_FOLDED, /* call paths, for analyses only */
    CSY_REPORT_MD      /* Markdown, otherwise like CSY_REPORT_TEX */
} csy_report_format;

/* The pairs of threads that a CSV or JSON report lists; other formats list none. */
#define CSY_PAIRS_ALL_THREADS_MAX 2048
typedef enum csy_pairs {
    /* All pairs up to CSY_PAIRS_ALL_THREADS_MAX threads; with more threads CSY_PAIRS_LIVE, or
     * CSY_PAIRS_MET in a partial order. */
    CSY_PAIRS_AUTO = 0,
    CSY_PAIRS_ALL,       /* T (T-1) / 2 */
    CSY_PAIRS_LIVE,      /* pairs that are live together; see csy_summary */
    CSY_PAIRS_REFERENCE, /* pairs with the reference */
    CSY_PAIRS_NONE,
    CSY_PAIRS_MET /* for partial orders: pairs with a constraint of their own; see csy_summary */
} csy_pairs;

/* The treatment of contradictions between order and clocks; see cellsync-model(7), Timestamp
 * imprecision. */
typedef enum csy_relax {
    CSY_RELAX_EXACT = 0, /* find the least timestamp error delta that permits a solution */
    CSY_RELAX_PAPER,     /* the paper's procedure on the immediate-predecessor graph */
    CSY_RELAX_NONE,      /* refuse them: CSY_INFEASIBLE */
    CSY_RELAX_GIVEN      /* the caller gives the timestamp error delta */
} csy_relax;

/* The engine that computes bounds. The sweep is exact in O(T W^2) for W threads live at once, at
 * most CSY_LIVE_THREADS_MAX. The dense engine takes O(T^3) for T threads, at most
 * CSY_DENSE_THREADS_MAX; the paper's relaxation requires it. */
#define CSY_DENSE_THREADS_MAX 8192
#define CSY_LIVE_THREADS_MAX 4096
typedef enum csy_engine { CSY_ENGINE_AUTO = 0, CSY_ENGINE_SWEEP, CSY_ENGINE_DENSE } csy_engine;

/* The method of synchronization; see cellsync-model(7), Other methods. Only CSY_METHOD_BHH gives
 * bounds, and only it uses reference, alpha, center, relax, engine, delta, and CSY_UNWRAP_STRICT.
 * The other methods are for comparison. */
typedef enum csy_method {
    CSY_METHOD_BHH = 0,       /* offsets in the middle of exact bounds */
    CSY_METHOD_LAMPORT,       /* Lamport's counters, which ignore local clocks */
    CSY_METHOD_LAMPORT_CLOCK, /* Lamport's clock, which advances with local clocks */
    /* Offsets that fit neighbouring records by least squares; in a partial order, messages. */
    CSY_METHOD_LSQ,
    /* Midpoints of the bounds by messages between two clocks, along a tree. Only for partial
     * orders. */
    CSY_METHOD_NTP,
    /* Offsets that fit the ends of collective operations by least squares, as if all members ended
     * at the same moment. Only for partial orders. */
    CSY_METHOD_ENDS
} csy_method;

/* Limit the memory of a run, in bytes, for all later calls in this process; 0, the default: no
 * limit. If the memory for threads, live threads, or documents would exceed the limit, it is
 * refused before it is allocated (CSY_MEMORY, with both numbers). No array grows beyond the
 * limit. */
CSY_API void csy_set_max_memory(uint64_t bytes);

/* An exact fraction; den > 0, reduced. */
typedef struct csy_fraction {
    int64_t num;
    int64_t den;
} csy_fraction;

/* The unit of progress: bytes of records as stored on disk, or threads. */
typedef enum csy_unit { CSY_UNIT_BYTES = 0, CSY_UNIT_THREADS } csy_unit;

/* Called from time to time, in the caller's thread, while records are processed, while bounds are
 * computed or listed, and before files are synced to disk. stage is a short constant text, such as
 * "reading" or "statistics". total is 0 if it is not known. done begins again with each stage, and
 * with each pass over the records, or round, of a stage. The function must not call the library. */
typedef void (*csy_progress)(void *user, const char *stage, csy_unit unit, uint64_t done,
                             uint64_t total);

/* The treatment of gaps if several numbers of wraps would fit; see cellsync-model(7),
 * Unwrapping. */
typedef enum csy_unwrap {
    CSY_UNWRAP_ASSUME = 0, /* assume the least number, and count the gap */
    CSY_UNWRAP_STRICT      /* split the live interval there, and merge what the bounds settle */
} csy_unwrap;

/* The choice of offsets within their bounds; see cellsync-model(7), Local offsets. No estimate has
 * a smaller worst-case error relative to the reference than CSY_CENTER_REFERENCE with alpha 1/2.
 * CSY_CENTER_LOCAL is better on average. */
typedef enum csy_center {
    CSY_CENTER_REFERENCE = 0, /* in the bound to the reference, at alpha */
    /* Starts from there, and moves five times to the middle of the range that its neighbours
     * leave. */
    CSY_CENTER_LOCAL
} csy_center;

/* Whether figures over all pairs are computed if that takes long. */
typedef enum csy_statistics {
    /* Not in a partial order if it takes more than CSY_STATISTICS_STEPS_MAX steps. */
    CSY_STATISTICS_AUTO = 0,
    CSY_STATISTICS_ALL
} csy_statistics;
#define CSY_STATISTICS_STEPS_MAX ((uint64_t)1 << 36)

/* Options for solving a trace. A new object has the defaults, which each setter documents.
 * Functions read options but do not keep them, so they may be used again. The caller frees *out.
 * Setters refuse an invalid value with CSY_USAGE and keep the old one; csy_trace_synchronize
 * refuses values that are incompatible. */
typedef struct csy_options csy_options;
CSY_API csy_status csy_options_new(csy_options **out, csy_error *error);
CSY_API void csy_options_free(csy_options *options);

/* Set the reference, tau, by a name as in csy_sync_find_thread; the name is copied. NULL, the
 * default: the PPE, or without one the thread with the most records. */
CSY_API csy_status csy_options_set_reference(csy_options *options, const char *name,
                                             csy_error *error);

/* Set the place of offsets within their bound to the reference, 0 to 1; default 1/2. */
CSY_API csy_status csy_options_set_alpha(csy_options *options, csy_fraction alpha,
                                         csy_error *error);

/* Default CSY_RELAX_EXACT. */
CSY_API csy_status csy_options_set_relax(csy_options *options, csy_relax relax, csy_error *error);

/* Default CSY_ENGINE_AUTO: dense for CSY_RELAX_PAPER; otherwise the sweep, unless dense would be
 * much faster. */
CSY_API csy_status csy_options_set_engine(csy_options *options, csy_engine engine,
                                          csy_error *error);

/* Set the timestamp error in ticks, at least 0, for CSY_RELAX_GIVEN; default 0. */
CSY_API csy_status csy_options_set_delta(csy_options *options, csy_fraction delta,
                                         csy_error *error);

/* Default CSY_UNWRAP_ASSUME. */
CSY_API csy_status csy_options_set_unwrap(csy_options *options, csy_unwrap unwrap,
                                          csy_error *error);

/* Set the clock error that unwrapping permits before it considers a clock as written, 0 to 2^30
 * ticks; default CSY_IMPRECISION_DEFAULT: 10 ms. */
#define CSY_IMPRECISION_DEFAULT (-1)
CSY_API csy_status csy_options_set_max_imprecision(csy_options *options, int64_t ticks,
                                                   csy_error *error);

/* Default CSY_METHOD_BHH. */
CSY_API csy_status csy_options_set_method(csy_options *options, csy_method method,
                                          csy_error *error);

/* Raise each global time to the greatest one before it, so that times never decrease; default
 * false. CSY_METHOD_BHH only. */
CSY_API csy_status csy_options_set_monotonic(csy_options *options, bool monotonic,
                                             csy_error *error);

/* Set the largest accepted correction (csy_correction), at least 0; default CSY_ADJUST_ANY. */
#define CSY_ADJUST_ANY (-1)
CSY_API csy_status csy_options_set_max_adjust(csy_options *options, int64_t ticks,
                                              csy_error *error);

/* Default CSY_CENTER_REFERENCE; CSY_CENTER_LOCAL reads the records once more. CSY_METHOD_BHH
 * only. */
CSY_API csy_status csy_options_set_center(csy_options *options, csy_center center,
                                          csy_error *error);

/* Default CSY_STATISTICS_AUTO. CSY_METHOD_BHH only. */
CSY_API csy_status csy_options_set_statistics(csy_options *options, csy_statistics statistics,
                                              csy_error *error);

/* Measure csy_damage in a separate pass; default false. Methods other than CSY_METHOD_BHH always
 * do. */
CSY_API csy_status csy_options_set_measure(csy_options *options, bool measure, csy_error *error);

/* If order and clocks contradict each other, leave up to this many of the records that require most
 * delta out of the constraints; default 0. At most CSY_DROP_MAX and 1 % of the records;
 * CSY_RELAX_EXACT only. Cost as for csy_sync_profile_delta. */
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

/* Set the least latency, in ticks, of messages that do not state theirs, at least 0; default 0. For
 * traces in partial order only. */
CSY_API csy_status csy_options_set_latency(csy_options *options, int64_t ticks, csy_error *error);

/* Set the longest latency, in ticks >= 0, of messages that do not state theirs, from the begin of
 * the send to the end of the receive; INT64_MAX, the default: no limit. For traces in partial order
 * only. CSY_INPUT later if it is below the latency of a message, and CSY_INFEASIBLE if the order
 * contradicts it. */
CSY_API csy_status csy_options_set_max_latency(csy_options *options, int64_t ticks,
                                               csy_error *error);

/* Request advice in reports: how this many additional records of a thread and of the reference
 * would narrow its bounds (csy_sync_advise). 1 to CSY_ADVISE_MAX; default 0, none. CSY_METHOD_BHH
 * only. */
#define CSY_ADVISE_MAX 1000
CSY_API csy_status csy_options_set_advise(csy_options *options, uint64_t records, csy_error *error);

/* Set the drift-rate bound: clocks gain or lose at most rate_ppb relative to the reference's
 * clock, in parts of 10^9; default CSY_NO_DRIFT: all run at the same rate. wander_ppb: the rate
 * of each clock stays within this of a constant of its own; CSY_NO_DRIFT: it may change at
 * will. Both below 10^9. Bounds are then relative to the reference only, and change with time;
 * see csy_sync_drift. */
#define CSY_NO_DRIFT (-1)
CSY_API csy_status csy_options_set_drift(csy_options *options, int64_t rate_ppb, int64_t wander_ppb,
                                         csy_error *error);

/* Assumptions about rates if csy_options_set_drift was not called, and about timestamps if neither
 * csy_options_set_relax nor csy_options_set_delta was called. */
typedef enum csy_premises {
    CSY_PREMISES_EQUAL = 0, /* equal rates, and CSY_RELAX_EXACT: the default of the library */
    /* By the source, as listed in cellsync(1), PREMISES. Clocks that only messages connect run
     * within 101 ppm of each other, or within 1001 ppm if they show dates. Clocks of a CSV that
     * show dates may be cut as with 8 steps, unless csy_options_set_steps was called. delta is at
     * least half a step of the timestamps. All clocks have one rate if an option requires that. */
    CSY_PREMISES_BY_SOURCE,
    CSY_PREMISES_ONE_RATE /* the same, but with equal rates, for callers whose outputs need that */
} csy_premises;
CSY_API csy_status csy_options_set_premises(csy_options *options, csy_premises premises,
                                            csy_error *error);

typedef enum csy_kind { CSY_KIND_PPE = 0, CSY_KIND_SPE } csy_kind;

#define CSY_NO_CONTEXT (-1)
#define CSY_NO_SPE UINT64_MAX
#define CSY_NO_OFFSET INT64_MIN

/* A thread of a CSV trace. Several may share a clock, that is, a csy_thread. The name belongs to
 * the solution. */
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
    uint64_t spe;          /* physical SPE, or CSY_NO_SPE if it is not known */
    uint64_t first_record; /* position */
    uint64_t records;
    uint32_t decr_first; /* raw timestamp of the first record (live intervals of a .pex) */
    /* Global time = offset_ticks + local time. CSY_NO_OFFSET for Lamport's methods, which move each
     * record separately (csy_events_next). */
    int64_t offset_ticks;
    int64_t earliest_ticks; /* least offset within the bounds; INT64_MIN: unbounded */
    int64_t latest_ticks;   /* greatest offset; INT64_MAX: unbounded */
    /* For a CSV: names of the threads on this clock, usually only its own. For a .pex: none. */
    const char *const *members;
    size_t nmembers;
} csy_thread;

/* Statistics over unordered pairs of threads; a mean is exactly ticks + rest / pairs. */
typedef struct csy_mean {
    uint64_t pairs;
    int64_t ticks; /* rounded down */
    uint64_t rest; /* below pairs; 0 if there are none */
} csy_mean;

/* A group of pairs: their number, and, over the pairs with bounds on both sides, the maximum (-1:
 * none) and the mean of error bounds and of event errors. */
typedef struct csy_group {
    uint64_t pairs;
    int64_t max_error_ticks;
    csy_mean mean;
    int64_t max_event_error_ticks;
    csy_mean event_mean;
} csy_group;

/* The error bound of a pair is the largest possible error of the difference of the two offsets. Its
 * event error is the largest possible error of the time between an event of one thread and an event
 * of the other: the error bound plus 2 added_ticks (csy_imprecision), because timestamps have
 * errors up to delta. This is an upper limit, which not every pair of events attains. With delta 0
 * the two errors are equal. */
typedef struct csy_summary {
    uint64_t pairs; /* T (T-1) / 2 */
    /* 0, or, in CSY_STATISTICS_AUTO, the approximate number of steps that were too many. Then the
     * members below, except unbounded_threads, have the values for no bounded pairs and mean
     * nothing. */
    uint64_t uncomputed_steps;
    uint64_t bounded;        /* pairs with both bounds finite; the members below count only these */
    int64_t max_error_ticks; /* -1 if no pair is bounded */
    int64_t max_error_spe_ticks;
    csy_mean error_ppe; /* pairs of an SPE live interval and the PPE */
    csy_mean error_spe; /* pairs of two SPE live intervals */
    /* Pairs that are live together: the first record of each precedes the last record of the
     * other. */
    csy_group live;
    csy_group successive; /* a live interval and the next one of its SPE context */
    /* In a partial order: clocks with a constraint of their own, other than by groups. There are no
     * pairs if this would also have taken too many steps (met_uncomputed). */
    csy_group met;
    bool met_uncomputed;
    /* Threads that the reference does not bound on both sides. With CSY_METHOD_LSQ in a partial
     * order: threads that no messages connect with the PPE, or, without a PPE, with the first
     * thread. */
    size_t unbounded_threads;
    bool quadratic; /* computing these figures, all exact, took time closer to T^2 than to T */
    int64_t max_event_error_ticks; /* -1 if no pair is bounded */
    int64_t max_event_error_spe_ticks;
    csy_mean event_error_ppe;
    csy_mean event_error_spe;
} csy_summary;

/* The timestamp error that was used, and its effect on the order. */
typedef struct csy_imprecision {
    csy_relax relax;
    csy_fraction delta;  /* ticks */
    int64_t added_ticks; /* ceil(2 delta): added to every constraint */
    uint64_t inversions; /* records with a global time below an earlier one */
    int64_t largest_inversion_ticks;
    uint64_t adjacent_steps_back; /* timestamps below that of the previous record, which has the
                                     same thread */
    bool beyond_unwrapping;       /* 4 delta exceeds the clock error that unwrapping permits */
    /* delta is above 0 and was found (CSY_RELAX_EXACT, CSY_RELAX_PAPER). Then it is only a
     * lower limit of the true timestamp error, and bounds hold only if no timestamp has a
     * larger error. */
    bool conditional;
} csy_imprecision;

/* Neighbours are successive records of the buffer with different threads. They are wrong if the
 * second one has the lower time. */
typedef struct csy_disorder {
    uint64_t wrong;
    int64_t largest_ticks; /* the largest difference; 0 if none is wrong */
} csy_disorder;

/* An order of records that is unlikely for shared memory. Since bounds rest on the order, they are
 * doubtful for any delta; see cellsync-model(7), Diagnosis. */
typedef enum csy_sorted {
    CSY_SORTED_NOT = 0,   /* not sorted, or too few records to decide */
    CSY_SORTED_BY_THREAD, /* no two threads interleave */
    CSY_SORTED_BY_TIME    /* no timestamp is below the one before it, of any clock */
} csy_sorted;

/* ticks + billionths / 10^9; 0 <= billionths < 10^9. */
typedef struct csy_fine {
    int64_t ticks;
    uint32_t billionths;
} csy_fine;

/* The offset of a drifting clock at a local time, and its least and greatest possible values. */
typedef struct csy_drift_moment {
    int64_t local_ticks;
    csy_fine offset, earliest, latest; /* earliest and latest are 0 if the clock is not bounded */
} csy_drift_moment;

/* A clock that drifts. Its error at a record is latest - earliest there. */
typedef struct csy_drift_clock {
    bool bounded; /* the reference bounds it on both sides; otherwise there are no errors */
    /* Its rate: how much longer its ticks are than the reference's; below 0 for a fast clock. */
    int64_t least_ppb, greatest_ppb;
    /* The mean rate from its first to its last record; as above if it has only one. */
    int64_t least_mean_ppb, greatest_mean_ppb;
    size_t knots;
    csy_drift_moment first, last; /* at its first and its last record */
    /* Errors of the clock over its records, without the error of timestamps by delta; the mean is
     * rounded down. */
    csy_fine max_error, mean_error;
    uint64_t max_record, max_place; /* the first record with the greatest error */
    int64_t max_local_ticks;
} csy_drift_clock;

/* Clocks that drift. */
typedef struct csy_drift {
    int64_t rate_ppb, wander_ppb; /* the limits that were set */
    size_t nclocks;
    const csy_drift_clock *clocks; /* by thread */
    uint64_t records;              /* records of bounded clocks, except the reference; for the
                                      members below */
    csy_fine max_error, mean_error;
    size_t max_clock; /* the first clock with max_error */
    /* Errors of the time between any two events, in ticks of the reference's clock, including
     * the error of timestamps by delta. The maximum also includes the rounding of times to
     * whole ticks. */
    csy_fine max_event_error, mean_event_error;
} csy_drift;

/* Errors of the time between two drifting clocks are limited at this many moments, at equal
 * distances in global time from the first record of the trace to the last. At each moment, the
 * reading of a clock is the greatest one between its first and its last record with a global time
 * not after that moment. */
#define CSY_DRIFT_MOMENTS 64

/* With more clocks, no walks between them are computed. */
#define CSY_DRIFT_PAIRS_THREADS_MAX 256

/* The errors of a pair of drifting clocks: limits of the width of the range of the time between
 * their readings, at the best of the moments, at half of them, and at the worst. */
typedef struct csy_drift_pair {
    bool bounded; /* they bound each other on both sides; otherwise all members below are 0 */
    /* By walks between the two; otherwise the sum of their errors relative to the reference of
     * their component. */
    bool by_walks;
    csy_fine best, median, worst;
    csy_fine worst_event;       /* of the time between two events, including the error of
                                   timestamps by delta */
    int64_t worst_moment_ticks; /* in global time: the first moment with the worst error */
} csy_drift_pair;

/* The order before and after synchronization. Before: by local clocks, each set at its first record
 * to the time of the previous record (cellsync-model(7), Before and after). After: by global time.
 * All 0 for a partial order, which has no neighbours. */
typedef struct csy_order {
    uint64_t neighbours; /* pairs of neighbours */
    csy_disorder before, after;
    csy_sorted sorted; /* for a CSV: the order of its rows */
} csy_order;

/* Relations of a partial order that did not become constraints, and the reasons; see
 * cellsync-csv(5), CSV traces in partial order. */
typedef enum csy_end {
    CSY_END_SEND = 0,
    CSY_END_RECV,
    CSY_END_SYNC, /* of a send that waits for its receive: the receive began before the send
                     ended */
    CSY_END_ENTER,
    CSY_END_LEAVE,
    CSY_END_POST,
    CSY_END_WAIT,
    CSY_END_ROOM, /* of a wait: it precedes a later post that needs the room */
    CSY_END_RELEASE,
    CSY_END_ACQUIRE,
    CSY_END_SPAWN,
    CSY_END_JOIN
} csy_end;

typedef enum csy_left_out {
    CSY_LEFT_UNMATCHED = 0,  /* nothing is at its other end */
    CSY_LEFT_NO_BEGIN,       /* it leaves the begin of a record, but the record has none */
    CSY_LEFT_MORE_RECEIVES,  /* more receives than sends, so it is not known which sends are
                                missing */
    CSY_LEFT_SEVERAL_CLOCKS, /* locations on several clocks share its channel */
    /* Several locations share its channel, so it is not known which send waits for which
     * receive. */
    CSY_LEFT_LOCATIONS,
    CSY_LEFT_SHORT,         /* its record is too short for its key */
    CSY_LEFT_NO_TURN,       /* its record does not state its turn of the lock */
    CSY_LEFT_COUNT,         /* its member has a different number of operations than most members
                               of its group */
    CSY_LEFT_DIFFERENT,     /* members of its group disagree on this operation or an earlier one */
    CSY_LEFT_SEVERAL_LIVES, /* its location has several spawns, or several joins */
    CSY_LEFT_LOST,          /* an operation that began before it never completed, so its instance
                               is not known */
    CSY_LEFT_MORE_SENDS,    /* more sends than receives, so it is not known which messages are
                               complete */
    /* Its timestamp is closer than 2 delta to another one, so it is not known which came first. */
    CSY_LEFT_CLOSE
} csy_left_out;

enum { CSY_UNUSED_LISTED = 10 };

typedef struct csy_unused_end {
    uint64_t record, place; /* as in csy_witness_edge */
    const char *key;        /* its channel, group, lock, or location */
} csy_unused_end;

/* The ends of one kind that are left out for one reason. */
typedef struct csy_unused {
    csy_end end;
    csy_left_out why;
    uint64_t count;
    size_t nlisted;
    csy_unused_end listed[CSY_UNUSED_LISTED]; /* the first ones */
} csy_unused;

/* A channel that is left out because it has different numbers of sends and receives, or of posts
 * and waits. */
typedef struct csy_uneven {
    const char *channel;
    bool tokens; /* posts and waits */
    uint64_t sends, receives;
} csy_uneven;

/* A partial order as it was read. */
typedef struct csy_matched {
    uint64_t locations, buffers;
    uint64_t messages;       /* sends with their receives */
    uint64_t synchronous;    /* of these: receives that also precede the end of their sends */
    uint64_t groups;         /* groups with both enters and leaves */
    uint64_t enters, leaves; /* of these groups */
    uint64_t afters;         /* named records with a record after them */
    uint64_t blocks;         /* blocks of records that were flushed to a buffer */
    uint64_t flushes;        /* of these: blocks with a timestamp of the flush */
    uint64_t posts;          /* posts with their waits */
    uint64_t rooms;          /* waits that precede a later post */
    uint64_t handovers;      /* releases that precede an acquire */
    uint64_t spawns, joins;  /* with a location that has records */
    size_t nunused;
    const csy_unused *unused; /* nunused items */
    uint64_t several;         /* channels with several messages or tokens that became constraints */
    uint64_t nuneven;         /* channels of csy_uneven; the first CSY_UNUSED_LISTED are listed */
    const csy_uneven *uneven;
    /* Limits: longest latencies, two for each two records of a moment, and two for each comparison
     * of clocks. */
    uint64_t limits;
} csy_matched;

/* The effect of global times on distances from each record to the next one of its thread. A
 * distance is damaged if it differs from the distance by the thread's own clock. */
typedef struct csy_damage {
    uint64_t damaged;
    int64_t worst_ticks; /* the largest difference */
    csy_mean mean;       /* of the differences over all distances, damaged or not */
} csy_damage;

/* Records with a global time other than where the clock of their thread places it: at the thread's
 * offset, or, if it has none, at the global time of its first record plus the local time since. */
typedef struct csy_correction {
    uint64_t records;
    int64_t largest_ticks;
} csy_correction;

/* A record that was left out of the constraints (csy_options_set_drop). */
typedef struct csy_dropped_record {
    uint64_t record; /* position */
    uint64_t place;  /* byte offset in the record file; line of a CSV */
    size_t thread;
    /* How far its global time, by offset and local time alone, is below the greatest time
     * before it; below 0: above the least time after it. Only records that are not left out are
     * compared. */
    int64_t early_ticks;
} csy_dropped_record;

/* The records that were left out: bounds, delta, and guarantees apply to the others. A record that
 * is early or late counts as an inversion. */
typedef struct csy_dropped {
    uint64_t asked;                    /* csy_options_set_drop */
    size_t count;                      /* fewer than asked if delta is 0 without them */
    const csy_dropped_record *records; /* in the order of the buffer */
} csy_dropped;

/* Observations while raw timestamps were turned into local times; see cellsync-model(7),
 * Unwrapping. */
typedef struct csy_clock_report {
    int64_t wraps;    /* how often decrementers passed zero */
    uint64_t splits;  /* live intervals that were split because a decrementer was written */
    uint64_t assumed; /* gaps that several numbers of wraps would fit; the least was assumed */
    /* An SPE_SWITCH_IN after another one without an OUT between them; or, if switches come from a
     * log, a first SPE_SWITCH_IN after records of its context. */
    uint64_t lost_outs;
    uint64_t lost_ins;   /* an SPE_SWITCH_OUT after another one without an IN between them */
    uint64_t stragglers; /* records between an OUT and the next IN */
    bool notifier;       /* the switches come from a notifier, so stragglers are expected */
    size_t contexts;     /* SPE contexts that wrote records */
} csy_clock_report;

/* A text without a NUL. A field of a CSV is without quotes, doubled quotes are single, and blanks
 * around it are removed unless it was quoted. */
typedef struct csy_text {
    const char *bytes;
    size_t size;
} csy_text;

/* The reason why one record precedes another in a partial order. */
typedef enum csy_order_kind {
    CSY_ORDER_MESSAGE = 0, /* a message of a channel */
    CSY_ORDER_SYNC,        /* a receive began before the end of the send that waited for it */
    CSY_ORDER_GROUP,       /* the first record entered the group, and the second left it */
    CSY_ORDER_NAMED,       /* the second record names the first one */
    CSY_ORDER_BUFFER,      /* both have places in the buffer */
    CSY_ORDER_ROOM,        /* a wait began before the end of the post that needed its room */
    CSY_ORDER_LOCK,        /* the first record released the lock, and the second acquired it
                              later */
    CSY_ORDER_SPAWN,       /* the first record started the location of the second */
    CSY_ORDER_JOIN,        /* the second record waited for the end of the location of the first */
    /* Limits: the first record is at most -latency_ticks after the second. */
    CSY_ORDER_LATENCY_MAX, /* the first record received the message of the second */
    CSY_ORDER_SAME,        /* both happened at the moment named by the key */
    CSY_ORDER_OFFSET       /* their clocks were compared; the key is the name of one */
} csy_order_kind;

typedef struct csy_order_step {
    csy_order_kind kind;
    /* The channel, group, buffer, or lock; for other kinds none. Valid until csy_sync_free. */
    csy_text key;
    int64_t latency_ticks;
} csy_order_step;

/* A constraint of a witness. record_s, of thread s, precedes record_t, of thread t, by at least
 * latency_ticks. So g[s] - g[t] <= weight_ticks, without relaxation. */
typedef struct csy_witness_edge {
    size_t s, t;
    uint64_t record_s, record_t; /* positions */
    uint64_t place_s, place_t;   /* byte offsets in the record file; lines of a CSV */
    int64_t time_s, time_t;      /* local times */
    int64_t weight_ticks;        /* time_t - time_s - latency_ticks */
    /* Of the messages on the way; 0 if the records are in one buffer. For a limit: minus the
     * limit. */
    int64_t latency_ticks;
    /* In a partial order: the steps from record_s to record_t. Events within a location are no
     * steps. */
    const csy_order_step *steps;
    size_t nsteps;
} csy_witness_edge;

/* Write the steps as text, "message 'm' (latency 5), group 'b'", with keys escaped by csy_escape.
 * Empty if there are none; only the first four if there are more. Returns text. */
#define CSY_STEPS_TEXT_MAX 960
CSY_API const char *csy_steps_text(const csy_witness_edge *edge, char text[CSY_STEPS_TEXT_MAX]);

/* A simple cycle of constraints. It proves that the trace is infeasible, or, with an exact delta
 * above 0, that no smaller delta is possible. t of each edge is s of the next one. */
typedef struct csy_witness {
    size_t length;
    const csy_witness_edge *edges;
    int64_t weight_ticks;
    csy_fraction least_delta; /* the delta that this cycle alone requires: -weight / (2 length) */
    int64_t
        /* Alternatively, the drift that this cycle requires (csy_options_set_drift), in ppb,
         * rounded up; 0: 10^9 ppb or more. */
        least_drift_ppb;
} csy_witness;

/* The place where a salvaged trace is cut off. */
typedef struct csy_cut {
    uint64_t records; /* complete records before it */
    /* The place of the first byte left out: its offset in the unpacked record file; the line of a
     * CSV. */
    uint64_t place;
    char text[1024]; /* "t.trace: offset 4096: truncated record: need 24 bytes, have 7" */
} csy_cut;

typedef struct csy_trace csy_trace;
typedef struct csy_sync csy_sync;

/* The version of the library in use; CSY_VERSION is the version of this header. */
CSY_API const char *csy_version(void);

/* The libraries in use and built-in features, as far as they fit: "libxml2 2.9.14, zlib 1.2.13,
 * igzip 2.30.0, libotf2 3.0.2, 64-bit". */
CSY_API void csy_features(char *buffer, size_t size);

/* Parse "7/2", "0.25", or "3" exactly, reduced to lowest terms. False for other texts, negative
 * numbers, and denominators above 10^6. */
CSY_API bool csy_fraction_parse(const char *text, csy_fraction *out);

/* Parse a time with a unit, "1us", "2.5 ms", "7/2 ns", "1 s", or "3 ticks", exactly as ticks of a
 * timebase. The number is as for csy_fraction_parse; without a unit it is in ticks. False for other
 * texts, and if the ticks do not fit. timebase_hz > 0. */
CSY_API bool csy_time_parse(const char *text, uint64_t timebase_hz, csy_fraction *ticks);

/* Write ticks of a timebase for people: three significant digits, halves rounded away from 0, in
 * the largest unit of ns, us, ms, and s that gives at least 1: "2.47 ms", "35 ns", "-1.5 us", "0
 * ns". Below 1 ns it writes "0.333 ns", and from 1000 s on whole seconds. ticks.den > 0,
 * timebase_hz > 0. Returns text. */
#define CSY_TIME_TEXT_MAX 80
CSY_API const char *csy_time_text(csy_fraction ticks, uint64_t timebase_hz,
                                  char text[CSY_TIME_TEXT_MAX]);

/* Copy text for a message or a terminal. Control bytes, non-ASCII bytes, and backslashes become
 * \xNN. If the result does not fit in `size` bytes, at least 8, it ends in "...". */
CSY_API void csy_escape(char *buffer, size_t size, const char *text);

/* Undo the escapes of a text from csy_escape, a warning, or a csy_error, for a terminal with UTF-8.
 * Invalid UTF-8, controls including C1, and characters that are invisible or change the direction
 * of writing remain escaped. Returns text. */
CSY_API char *csy_unescape(char *text);

/* Tell the library that terminals display UTF-8; default false. Text reports and tables that are
 * written to a terminal then show names as csy_unescape does, for all later calls in this process.
 * Other outputs do not change. */
CSY_API void csy_set_terminal(bool utf8);

/* The unit of times in a CSV. */
typedef enum csy_time_unit {
    /* By the name of the column, such as time_us; otherwise whole ticks, or dates of RFC 3339. */
    CSY_TIME_AUTO = 0,
    CSY_TIME_TICKS,
    CSY_TIME_S, /* decimal numbers, exact: a time that is not a whole number of ticks is refused */
    CSY_TIME_MS,
    CSY_TIME_US,
    CSY_TIME_NS
} csy_time_unit;

/* Settings for reading a trace. As with csy_options, a new object has the defaults, setters refuse
 * invalid values, and the caller frees *out. */
typedef struct csy_input csy_input;
CSY_API csy_status csy_input_new(csy_input **out, csy_error *error);
CSY_API void csy_input_free(csy_input *input);

/* Default CSY_FORMAT_AUTO: by content. CSY_USAGE for a format that is for output only. */
CSY_API csy_status csy_input_set_format(csy_input *input, csy_format format, csy_error *error);

/* For a CSV; default CSY_TIME_AUTO. */
CSY_API csy_status csy_input_set_time_unit(csy_input *input, csy_time_unit unit, csy_error *error);

/* How many bits the counters of a CSV's clocks have, from 4 to 62: they start again from 0 after
 * 2^bits - 1, and the times of each clock are continued (cellsync-csv(5), Counters). Default 0:
 * they do not wrap. A line "# clock NAME wrap_bits=N" of the CSV overrides it for one clock.
 * CSY_USAGE for other values; whether times fit is seen when a trace is read. */
CSY_API csy_status csy_input_set_counter_bits(csy_input *input, unsigned bits, csy_error *error);

/* Name columns of a CSV that have unknown names: "thread=NAME,time=NAME"; see cellsync-csv(5), CSV
 * traces. The text is copied; default NULL: by the names of columns. csy_trace_open checks that the
 * columns exist. */
CSY_API csy_status csy_input_set_columns(csy_input *input, const char *columns, csy_error *error);

/* Name a file of measured offsets between the clocks of a trace in partial order: a CSV with the
 * columns clock, time, other_clock, and other_time, and optionally begin and within; see
 * cellsync-csv(5), Files of measured offsets. The text is copied; default NULL: none.
 * csy_trace_open reads it, and so does csy_check for traces that were synchronized with it. */
CSY_API csy_status csy_input_set_offsets(csy_input *input, const char *path, csy_error *error);

/* For an OTF2 archive; default CSY_CLOCK_PER_AUTO. Locations that share a clock must have
 * timestamps of one clock. */
CSY_API csy_status csy_input_set_clock_per(csy_input *input, csy_clock_per per, csy_error *error);

/* For traces of spans; default CSY_SPANS_SOUND. */
CSY_API csy_status csy_input_set_spans(csy_input *input, csy_spans spans, csy_error *error);

/* Open a trace: a .pex with its record files or logs, a CSV, an OTF2 archive by its anchor file,
 * spans or profiles in JSON, or the folder of a run that celltrace(1) wrote. "-" is standard input;
 * unless it is a regular file, it is copied to an unlinked temporary file. input may be NULL for
 * the defaults, and is not kept. CSY_USAGE if it does not fit the trace. The caller frees *out.
 * Cost: reads only the metadata, but JSON as a whole. */
CSY_API csy_status csy_trace_open(const char *path, const csy_input *input, csy_trace **out,
                                  csy_error *error);

/* For csy_trace_open_files; default CSY_JOIN_AUTO. */
CSY_API csy_status csy_input_set_join(csy_input *input, csy_join join, csy_error *error);

/* Open n > 0 files as one trace: its threads are those of all files, and messages go from file to
 * file. An operand is the name of a file, or, if there is no such file, NAME=FILE: then NAME and a
 * slash precede the names of all threads and clocks of FILE. "-" is standard input. *out is NULL,
 * with CSY_OK, if the files are traces of their own (CSY_JOIN_AUTO), or if one of them cannot be
 * opened, so that csy_trace_open can say why. CSY_INPUT, with the file and the place, if the files
 * do not fit together: if a thread is in two files, if their ticks differ, or if a channel has
 * sends in two files. CSY_USAGE for NAME=FILE, or CSY_JOIN_ALWAYS, if a file is of a format that is
 * never joined. The caller frees *out. Cost: reads all files, and copies the rows of CSV files to
 * an unlinked temporary file. */
CSY_API csy_status csy_trace_open_files(const char *const *operands, size_t n,
                                        const csy_input *input, csy_trace **out, csy_error *error);

/* How many files the trace was joined of; 0: it was not joined. */
CSY_API size_t csy_trace_nfiles(const csy_trace *trace);

/* The name of the file with this index, below csy_trace_nfiles; NULL if there is none. */
CSY_API const char *csy_trace_file(const csy_trace *trace, size_t index);

/* Turn a place of a record (such as csy_witness_edge.place_before) into a place in its file, and
 * return the name of this file. Without joined files the place does not change, and the name is
 * that of the trace. */
CSY_API const char *csy_trace_place(const csy_trace *trace, uint64_t *place);

/* Write a place as text: "line 12", or "line 12 of b.csv" for a joined trace. The name is escaped
 * as by csy_escape. Returns text. */
enum { CSY_PLACE_TEXT_MAX = 256 };
CSY_API const char *csy_trace_place_text(const csy_trace *trace, uint64_t place,
                                         char text[CSY_PLACE_TEXT_MAX]);

/* Make a trace without a file; csy_trace_add adds events. name is for messages and reports, and is
 * copied. timebase_hz > 0 is the number of ticks in a second; otherwise CSY_USAGE. The caller frees
 * *out. All functions for traces accept it; it can be written in any format except .pex. */
CSY_API csy_status csy_trace_new(const char *name, uint64_t timebase_hz, csy_trace **out,
                                 csy_error *error);

/* Add a thread to such a trace; *out is its index for csy_new_event. Threads that share a clock
 * give its name. If clock is NULL or "", the thread has its own clock, with its name. The clock
 * "ppe" is the reference unless options set another one. Names are copied, without blanks around
 * them. Threads with the same thread and clock names are the same thread in the solution. CSY_USAGE
 * for an empty name, and for a trace that was opened. O(1). */
CSY_API csy_status csy_trace_add_thread(csy_trace *trace, const char *name, const char *clock,
                                        size_t *out, csy_error *error);

/* An event to be added. Set unused members to 0. */
typedef struct csy_new_event {
    size_t thread;       /* from csy_trace_add_thread */
    int64_t time_ticks;  /* by the clock of its thread; any int64 */
    bool interval;       /* it has a begin: */
    int64_t begin_ticks; /* by the same clock, not after time_ticks */
    const char *name;    /* what happened; copied, without blanks around it; NULL: no name */
} csy_new_event;

/* Add n events in the order of their arrival in the one buffer that all threads share, because
 * bounds rest on that order. On failure no event is added. CSY_USAGE for a thread that was not
 * added, and for a trace that was opened. CSY_INPUT for an interval that begins after its time.
 * CSY_MEMORY if memory is insufficient, or csy_set_max_memory does not permit the array of all
 * events. Cost: amortized O(1) for each event and each byte of its name; 24 bytes of memory an
 * event, twice that after growing, and each different name once.
 *
 * Existing solutions and events still refer to the earlier trace. Functions that read the trace for
 * them fail with CSY_IO ("changed while it was read"); call csy_trace_synchronize again. */
CSY_API csy_status csy_trace_add(csy_trace *trace, const csy_new_event *events, size_t n,
                                 csy_error *error);

/* Free the trace after its cursors and solutions. As for all free functions, NULL is allowed. */
CSY_API void csy_trace_free(csy_trace *trace);

/* CSY_FORMAT_AUTO for a trace of csy_trace_new. */
CSY_API csy_format csy_trace_format(const csy_trace *trace);
/* The word for places of records: "offset" (of a byte), "line", or, for a trace of csy_trace_new,
 * "event", which is the position. */
CSY_API const char *csy_trace_place_name(const csy_trace *trace);
CSY_API const char *csy_trace_name(const csy_trace *trace);    /* as given */
CSY_API const char *csy_trace_machine(const csy_trace *trace); /* machine@name, or "" */
CSY_API uint64_t csy_trace_timebase_hz(const csy_trace *trace);

/* True for a CSV that csy_sync_write_trace has written. Synchronizing it again does no harm, and
 * gives nothing new. */
CSY_API bool csy_trace_is_synchronized(const csy_trace *trace);

/* True if the trace does not state how long a tick is: a CSV in ticks without a timebase. */
CSY_API bool csy_trace_timebase_assumed(const csy_trace *trace);

/* The index-th warning about the file of the trace, without a newline; NULL after the last one.
 * Texts are valid until csy_trace_free. Passes over the trace may add warnings. */
CSY_API const char *csy_trace_warning(const csy_trace *trace, size_t index);

/* Set the number of workers (threads of the system, including the caller); 0, the default: one for
 * each core. With 2 or more, this many workers, at most 16, read and write records. A separate
 * worker unpacks compressed records ahead. All workers compress output, close dense bounds, and
 * make the analyses of a summary. Results are the same for any number. Takes effect with the next
 * pass. */
CSY_API void csy_trace_set_workers(csy_trace *trace, unsigned workers);

/* Set the function that reports the progress of all further work on a trace: solving, passes over
 * its records, and writing. progress may be NULL, the default: none. */
CSY_API void csy_trace_set_progress(csy_trace *trace, csy_progress progress, void *user);

/* Set whether a trace that is cut off is read up to its last complete record, or row with a line
 * end; default false: it is refused. A trace is cut off if a file or gzip data end too early, or
 * before the number of records in the header. Set it before csy_trace_synchronize. */
CSY_API void csy_trace_set_salvage(csy_trace *trace, bool salvage);

/* Solve a trace; options may be NULL for the defaults. With CSY_INFEASIBLE, *out is a solution with
 * threads and a witness, but without offsets and bounds. For all other failures, *out is not
 * written. The caller frees *out before the trace. Cost: one pass over the records, a second one if
 * a decrementer was written, and a few more if order and clocks contradict each other; plus the
 * cost of the engine, see csy_engine. */
CSY_API csy_status csy_trace_synchronize(csy_trace *trace, const csy_options *options,
                                         csy_sync **out, csy_error *error);

/* Read the solution of a synchronized trace without synchronizing it again: from the table of a
 * .pex with a global clock, or from the line of facts and the rows of a CSV with a column
 * global_time. The solution has threads with offsets (CSY_NO_OFFSET if no single offset moves all
 * rows of a thread), reference, alpha, imprecision (delta and how it was found), the clock report,
 * and the positions of records left out. For a .pex it also has earliest_ticks and latest_ticks,
 * and csy_sync_bounds for pairs with the reference. Results that only csy_trace_synchronize can
 * compute are 0. Reports, graphs, and writing require more, and fail with CSY_USAGE. Events have
 * the global times of the file. Nothing is proved; use csy_check for that.
 *
 * CSY_INPUT for a trace that was not synchronized or is inconsistent, and for a .pex by Lamport's
 * methods: it has no local times, and they cannot be restored because different traces give the
 * same .pex. The caller frees *out before the trace. Cost: for a .pex, proportional to its table;
 * for a CSV, a pass over its rows. */
CSY_API csy_status csy_trace_read_solution(csy_trace *trace, csy_sync **out, csy_error *error);

/* Compute the bounds between all clocks for a solution that was read from a .pex, by solving its
 * original records again. csy_sync_bounds then has them, and csy_sync_bound_sum and analyses have
 * the ranges of the original. CSY_INPUT if they contradict the table. Does nothing for other
 * solutions and methods, and if records were left out (drop). Cost as for csy_trace_synchronize,
 * without finding delta. */
CSY_API csy_status csy_sync_renew_bounds(csy_sync *sync, csy_error *error);

/* True if the trace has a solution to read: a .pex with a global clock, which csy_trace_synchronize
 * refuses, or a CSV with a column global_time. */
CSY_API bool csy_trace_has_solution(const csy_trace *trace);
CSY_API void csy_sync_free(csy_sync *sync);

/* The properties of a solution. Pointers are valid until csy_sync_free. */
CSY_API uint64_t csy_sync_records(const csy_sync *sync);
CSY_API size_t csy_sync_nthreads(const csy_sync *sync);
CSY_API const csy_thread *csy_sync_thread(const csy_sync *sync, size_t index);
CSY_API size_t csy_sync_ntracks(const csy_sync *sync); /* 0 for a .pex */
CSY_API const csy_track *csy_sync_track(const csy_sync *sync, size_t index);

/* Find the index of the csy_thread with a name of `size` bytes; or, if there is none, the clock of
 * the threads with this name (csy_track). CSY_USAGE, with a similar name, if there is none, or if
 * threads with this name run on several clocks. O(names). */
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
/* The errors of two drifting clocks. Walks between clocks are used if there are at most
 * CSY_DRIFT_PAIRS_THREADS_MAX clocks, and if they take only a fraction of a second, `walks` is
 * true, or CSY_STATISTICS_ALL was set. The first call computes the errors of all pairs. With n
 * clocks, walks take time O(n^2 + CSY_DRIFT_MOMENTS n^3) and 1 KB a pair; without walks, 1 KB a
 * clock. CSY_USAGE if clocks do not drift, or if s and t are not two threads. */
CSY_API csy_status csy_sync_drift_pair(csy_sync *sync, size_t s, size_t t, bool walks,
                                       csy_drift_pair *out, csy_error *error);
/* The pair with the greatest of these errors, s < t; *any is true if there is one. Uses walks only
 * if they are fast, or with CSY_STATISTICS_ALL. */
CSY_API csy_status csy_sync_drift_worst(csy_sync *sync, size_t *s, size_t *t, bool *any,
                                        csy_error *error);
CSY_API const csy_clock_report *csy_sync_clock_report(const csy_sync *sync);
CSY_API const csy_cut *csy_sync_cut(const csy_sync *sync); /* NULL: the trace is complete */

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
/* All 0 for a method without bounds. */
CSY_API const csy_summary *csy_sync_summary(const csy_sync *sync);
CSY_API const csy_witness *csy_sync_witness(const csy_sync *sync); /* NULL if there is none */

/* The likely cause of a contradiction between order and clocks; see cellsync-model(7),
 * Diagnosis. */
typedef enum csy_diagnosis_kind {
    CSY_DIAGNOSIS_NONE = 0,        /* delta is at most 1/2, or was given */
    CSY_DIAGNOSIS_DRIFT,           /* clocks run at different rates */
    CSY_DIAGNOSIS_EARLY_STAMPS,    /* timestamps are taken before the place in the buffer */
    CSY_DIAGNOSIS_STEPPED_CLOCK,   /* a clock was set */
    CSY_DIAGNOSIS_BAD_CLOCK,       /* one clock contradicts all others */
    CSY_DIAGNOSIS_NOT_INTERLEAVED, /* the file is sorted by thread or by time; for any delta */
    CSY_DIAGNOSIS_UNKNOWN,         /* none of these explains it */
    CSY_DIAGNOSIS_STEPS_BACK, /* time steps back within one thread, which requires all of delta */
    CSY_DIAGNOSIS_OTHER_UNIT  /* rates of clocks differ by powers of ten */
} csy_diagnosis_kind;

/* A clock in a diagnosis. */
typedef struct csy_diagnosed_clock {
    size_t thread;
    /* drift, other_unit: how much faster than `against` it runs, in parts of 10^9; -999000000 at
     * 1/1000 of its rate. */
    int64_t rate_ppb;
} csy_diagnosed_clock;

/* Limits that explain the contradictions of a trace: rates for csy_options_set_drift, and a
 * timestamp error. */
typedef struct csy_fit {
    int64_t drift_ppb;  /* limit of rates */
    int64_t wander_ppb; /* 0: constant rates; CSY_NO_DRIFT: they may change */
    csy_fraction delta; /* the least timestamp error in ticks; in whole half ticks if clocks
                           drift */
    bool plausible;     /* real clocks and timestamps can be like this; true for at most one */
    bool at_least;      /* delta may have to be greater, because records would be matched
                           differently */
    /* The options that solve the trace with these limits, such as "--drift=101,0 --delta=19.1us";
     * NULL if real clocks do not have such rates. */
    const char *options;
    /* Constant rates: one of several values that fit, for the clock furthest from the rate of the
     * reference. Below 0 if the clock runs faster; 0 if every rate is 0. */
    size_t example_clock;
    int64_t example_ppb;
} csy_fit;

/* Members that do not belong to the kind are 0. */
typedef struct csy_diagnosis {
    csy_diagnosis_kind kind;
    const char *text; /* the likely cause, the evidence, and what to do next, in one paragraph */
    /* drift: all clocks with relevant rates, none if the rates are sufficient but not known;
     * stepped_clock: the clock, or the clocks that include it; bad_clock, steps_back: the clock;
     * other_unit: all clocks with another unit. */
    size_t nclocks;
    const csy_diagnosed_clock *clocks;
    size_t against; /* drift, other_unit: rates are relative to this clock */
    /* Delta of the examined clocks, and an upper limit of the delta that remains after allowing for
     * the cause (drift, stepped_clock, bad_clock, other_unit). */
    csy_fraction delta, left_delta;
    size_t clocks_looked_at; /* at most 64; 0: no records were examined */
    /* Stretches of the trace, and how many of them need a delta above 1/2 on their own. */
    size_t windows, contradicting;
    /* stepped_clock: after record_before and not after record_after, the clock was set forward
     * (below 0: back) by step_least_ticks to step_most_ticks. steps_back: time steps back from
     * record_before to record_after; both limits of the step are equal. */
    uint64_t record_before, record_after;
    int64_t step_least_ticks, step_most_ticks;
    /* early_stamps: records with a global time below an earlier one, and how far below: the median
     * and the 90th percentile, rounded up to 1/16, and the maximum. */
    uint64_t early_records;
    int64_t early_median_ticks, early_90_ticks, early_max_ticks;
    /* With this drift (csy_options_set_drift) delta is 0; 0: none was found or searched for. Actual
     * drift may be larger. */
    int64_t enough_drift_ppb;
    /* At most four, if delta was estimated and is above 1/2: see cellsync-model(7),
     * Explanations. */
    size_t nfits;
    const csy_fit *fits;
    bool fits_untried; /* the trace is too long to try other limits than those in fits */
} csy_diagnosis;

/* The delta that remains if the records that require most are left out: an upper limit of the least
 * delta for that number of records. See cellsync-model(7), The profile of delta. */
typedef struct csy_profile_entry {
    uint64_t dropped;   /* how many are left out */
    csy_fraction delta; /* exact for the other records */
} csy_profile_entry;

typedef struct csy_profile {
    size_t count; /* 0: delta is at most 1/2, or was not estimated exactly */
    const csy_profile_entry *entries;
    bool cut_short; /* it ends before delta is 0 or 1 % is left out, because more would take too
                       long */
    /* The smallest `dropped` that makes delta 10 times smaller, so that leaving out these records
     * pays (csy_options_set_drop). 0: no entry does, or that option was set. */
    uint64_t advised;
} csy_profile;

/* Compute the profile for 0, 1, 2, 5, 10, 20, ... records, until delta is 0 or 1 % of the records
 * are left out. *out belongs to the solution and is computed once; csy_trace_synchronize does it if
 * csy_options_set_drop was not 0, up to that number. Cost: at most about 60 passes over the
 * records. Reports in text, JSON, and HTML call it. */
CSY_API csy_status csy_sync_profile_delta(csy_sync *sync, const csy_profile **out,
                                          csy_error *error);

/* Find the likely cause of a contradiction between order and clocks. *out belongs to the solution
 * and is computed once. Cost: none if delta is at most 1/2; otherwise two or three passes, and a
 * few MiB. If csy_sync_profile_delta was called before and advises to leave out a few records, the
 * text does, too. Reports in text, JSON, and HTML call both. */
CSY_API csy_status csy_sync_diagnose(csy_sync *sync, const csy_diagnosis **out, csy_error *error);

/* How additional records would narrow the bounds of a thread to the reference; see
 * cellsync-model(7), Advice. All errors are event errors. */
typedef struct csy_advised {
    size_t thread;
    int64_t error_ticks; /* -1: unbounded on one side or both */
    /* True if a record of the thread is known to follow, or to precede, a record of the
     * reference. */
    bool after_reference, before_reference;
    /* The life of the thread within the reference's, in global time; none if begin is above end. */
    int64_t begin_ticks, end_ticks;
    /* For one buffer and a thread with bounds: the distances between additional records of the
     * thread (fine) and of the reference (coarse), and whether there is room for them. */
    int64_t fine_ticks, coarse_ticks;
    bool room;
    /* If there is room: the first local times of a plan for the clocks of this run; the same amount
     * may be added to both. */
    int64_t thread_ticks, reference_ticks;
    int64_t then_ticks; /* the guaranteed error with the plan; otherwise error_ticks */
} csy_advised;

/* A gap of a drifting clock between two exchanges that bound it. */
typedef struct csy_advised_gap {
    size_t thread;
    int64_t begin_local_ticks, end_local_ticks;
    bool at_end;         /* at the begin or the end of the clock's life */
    int64_t error_ticks; /* greatest error in the gap, rounded up */
    int64_t then_ticks;  /* with K more exchanges in the gap, as good as the clock's best ones */
} csy_advised_gap;

typedef struct csy_advice {
    uint64_t events;    /* K: additional records of each thread, and of the reference */
    int64_t late_ticks; /* how late an additional record may be; included in the errors */
    size_t count,
        /* unbounded: how many threads, except the reference, have no error; they come first. */
        unbounded;
    const csy_advised *threads; /* sorted by error, the greatest first */
    /* For all bounded threads, if each has its additional records: the greatest error to the
     * reference, the mean error, and a limit of the error between two of them; -1 if there are
     * none. */
    int64_t max_ticks;
    csy_mean mean_ticks;
    int64_t max_spe_ticks;
    /* For drifting clocks, which have no plans: the ten longest gaps, the longest first. */
    size_t ngaps;
    const csy_advised_gap *gaps;
} csy_advice;

/* Get the advice. *out belongs to the solution. CSY_USAGE unless csy_options_set_advise was called.
 * O(T log T). Reports in text, JSON, and HTML call it if it was. */
CSY_API csy_status csy_sync_advise(csy_sync *sync, const csy_advice **out, csy_error *error);

/* A clock at one of its readings: its offset by the tracer, its offset by this solution, and the
 * bounds, as in csy_thread; for drifting clocks in whole ticks. */
typedef struct csy_tracer_moment {
    int64_t local_ticks;
    int64_t tracer_ticks, offset_ticks;
    int64_t earliest_ticks, latest_ticks;
} csy_tracer_moment;

typedef struct csy_tracer_clock {
    uint64_t readings;             /* readings for which the tracer states an offset */
    bool known;                    /* the members below are valid */
    csy_tracer_moment first, last; /* at its first and last record */
    /* The reading with the tracer's offset farthest outside the bound, or, if it is always inside,
     * farthest from the solution's offset. */
    csy_tracer_moment worst;
    int64_t outside_ticks;  /* at that reading; 0: it is always inside */
    int64_t distance_ticks; /* the largest distance from the solution's offset */
} csy_tracer_clock;

/* The tracer's own synchronization in an archive (ClockOffset records of OTF2), compared with this
 * solution. The tracer's offsets are relative; they are shown relative to the reference's clock. */
typedef struct csy_tracer {
    uint64_t readings;               /* of all threads */
    size_t inside, outside, unknown; /* numbers of clocks, except the reference's */
    size_t worst;                    /* the clock with the worst reading, or the reference */
    size_t nclocks;
    const csy_tracer_clock *clocks; /* by csy_thread; if threads share a clock, for the worst of
                                       them */
} csy_tracer;

/* Compare with the tracer. *out belongs to the solution; it is NULL if the format has no such
 * records, and for Lamport's methods. Cost: O(log n) for each of n readings. Reports in text, JSON,
 * and HTML call it. */
CSY_API csy_status csy_sync_tracer(csy_sync *sync, const csy_tracer **out, csy_error *error);

/* Messages that were received before they were sent, by one kind of time. */
typedef struct csy_backward {
    bool known; /* otherwise the other members are 0 */
    uint64_t count;
    int64_t largest_ticks; /* the largest difference, or INT64_MAX */
} csy_backward;

/* All matched messages, and posts with their waits, by three kinds of time: raw timestamps, which
 * mean nothing between decrementers; times corrected by the tracer (csy_tracer); and global times,
 * which Lamport's methods give only to ends of records. Latencies are not counted. */
typedef struct csy_violations {
    uint64_t messages;
    csy_backward raw, tracer, ours;
} csy_violations;

/* Count them. *out belongs to the solution; it is NULL if no messages were matched. Cost: O(1) a
 * message that is held, O(log n) if the tracer has n readings of a clock. Reports in text, JSON,
 * and HTML call it. */
CSY_API csy_status csy_sync_violations(csy_sync *sync, const csy_violations **out,
                                       csy_error *error);

/* Get the bounds lower <= g[s] - g[t] <= upper; both ends are attained ([BHH08] eq. (7)). INT64_MIN
 * and INT64_MAX mean unbounded. *error_ticks (may be NULL) is upper - lower, or -1 if that is
 * infinite. CSY_USAGE if s or t is no thread. With the sweep, changing s costs O(T W) unless it is
 * near the previous s, so make s the outer loop; the solution keeps up to 64 MiB for this. */
CSY_API csy_status csy_sync_bounds(csy_sync *sync, size_t s, size_t t, int64_t *lower_ticks,
                                   int64_t *upper_ticks, int64_t *error_ticks, csy_error *error);

/* A figure, with its least and greatest value for all offsets that the order of the records
 * permits. */
typedef enum csy_range_kind {
    CSY_RANGE_EXACT = 0, /* both ends are attained */
    CSY_RANGE_PROVEN,    /* the value is guaranteed to be within the range */
    CSY_RANGE_STAR,      /* guaranteed, by each clock's bound to the reference only */
    CSY_RANGE_CLOCK,     /* for analyses: a figure by the timestamps of one clock; both ends are
                            the estimate */
    CSY_RANGE_UNKNOWN    /* for analyses: there are no bounds; both ends mean nothing */
} csy_range_kind;
typedef struct csy_range {
    int64_t estimate; /* with the offsets of the solution */
    int64_t lo, hi;   /* INT64_MIN and INT64_MAX: no limit */
    csy_range_kind kind;
} csy_range;

/* Get the range of a sum of offsets, each multiplied by the coefficient of its thread. Coefficients
 * must sum to 0, so the sum consists of differences, for example of times of several clocks at the
 * begin and end of something; add the sum of their local times. The range is exact if at most
 * CSY_BOUND_SUM_PAIRS_MAX pairs of clocks have coefficients of different signs. Otherwise, and for
 * a solution that was read, it uses the bounds to the reference. CSY_USAGE without bounds, or if
 * coefficients do not sum to 0; CSY_INPUT if an end exceeds 64 bits. Cost: the bounds of all these
 * pairs, and two minimum-cost flows between them; 60 bytes a pair. */
#define CSY_BOUND_SUM_PAIRS_MAX ((uint64_t)1 << 20)
CSY_API csy_status csy_sync_bound_sum(csy_sync *sync, const int64_t *coefficients, csy_range *out,
                                      csy_error *error);

/* A moment by a clock: the timestamp of a record, or any other reading. */
#define CSY_NO_RECORD UINT64_MAX
typedef struct csy_instant {
    size_t thread;
    int64_t local_ticks;
    uint64_t record; /* position, if it is the timestamp of that record; otherwise CSY_NO_RECORD */
} csy_instant;

typedef enum csy_verdict {
    CSY_BEFORE_NO = 0, /* a is after b or at the same time */
    /* a is before b, or, if the range includes 0, possibly at the same time. For records of one
     * buffer: the record of a precedes that of b. */
    CSY_BEFORE_YES,
    CSY_BEFORE_UNKNOWN /* the records permit both */
} csy_verdict;

/* Find out if a was before b. *distance is the range of the time of a minus that of b. Records of
 * one buffer are always decided, by their places, except those that were left out (csy_dropped).
 * The range includes the error of timestamps by delta. If delta is above 0, it is CSY_RANGE_PROVEN.
 * The same applies if clocks drift; it is then in ticks of the reference's clock. CSY_USAGE without
 * bounds, for a thread that does not exist, or, if clocks drift, for two clocks without bounds on
 * both sides. CSY_INPUT if an end exceeds 64 bits. Cost as for csy_sync_bounds, and 8 bytes a
 * thread; if clocks drift, passes over the readings that bounds rest on, and 32 bytes for each of
 * these. */
CSY_API csy_status csy_sync_before(csy_sync *sync, const csy_instant *a, const csy_instant *b,
                                   csy_verdict *verdict, csy_range *distance, csy_error *error);

/* Convert a local time to global time, rounded down, by the clock alone: it is not moved with
 * single events, as monotonic times are. CSY_USAGE for a thread that does not exist; CSY_INPUT if
 * it exceeds 64 bits; CSY_INFEASIBLE without a solution. */
CSY_API csy_status csy_sync_global(const csy_sync *sync, size_t thread, int64_t local_ticks,
                                   int64_t *global_ticks, csy_error *error);

/* The assumptions that all bounds rest on, as text; NULL if there are none. Delta is conditional:
 * "order and clocks contradict each other by up to 4.93 ms: bounds hold only if no timestamp is off
 * by more than 2.47 ms". Gaps were assumed (csy_clock_report): "all times and bounds hold only if 1
 * assumed number of wraps is right". Records were left out (csy_dropped): "3 records are left out:
 * bounds hold for the others". The order of records is doubtful (csy_sorted): "the rows look sorted
 * by thread: bounds hold only if the records are in the order of writing". If delta is too large
 * for a timestamp error, the first text also names the likely cause, from the diagnosis if
 * csy_sync_diagnose was called. All return text. */
#define CSY_WARNING_TEXT_MAX 400
CSY_API const char *csy_sync_delta_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
CSY_API const char *csy_sync_assumed_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
CSY_API const char *csy_sync_dropped_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
CSY_API const char *csy_sync_order_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
/* Warns that the reference does not bound some clocks on both sides: "no event connects the
 * clock of C to the clock of A: its offset is arbitrary, and its global times cannot be compared
 * with the times of A", "the clocks of C and 2 others are bounded to the clock of A on one side
 * only: on the other side each offset is unlimited", or both, separated by a semicolon. */
CSY_API const char *csy_sync_unbounded_warning(const csy_sync *sync,
                                               char text[CSY_WARNING_TEXT_MAX]);
/* Warns about ends of messages without a partner, if the trace states that it is complete: "3 sends
 * and 0 receives have no other end, though the trace says that its messages are complete". For an
 * OTF2 archive that does not state it, how many of all: "20 of 20 sends and 0 of 0 receives have no
 * other end, and order nothing: EZTrace, for one, does not record that MPI_Irecv completes". */
CSY_API const char *csy_sync_messages_warning(const csy_sync *sync,
                                              char text[CSY_WARNING_TEXT_MAX]);
/* Warns about channels that were left out because of different numbers of sends and receives:
 * "channel 'AB' (99 sends, 100 receives) is left out: which messages are missing is not known; give
 * each message a key of its own". Not for archives and runs, because their recorders chose the
 * keys. */
CSY_API const char *csy_sync_channels_warning(const csy_sync *sync,
                                              char text[CSY_WARNING_TEXT_MAX]);
/* Warns if clocks may have been read in steps of many ticks. It examines the first and last
 * timestamp of each clock. If these do not decide, it reads the first 65536 records again, with up
 * to 32 other timestamps of each clock. For steps that are not whole ticks, it reads the first 4096
 * records, until 128 clocks have 32 different gaps.
 *
 * There is no warning if delta is half a step. A given delta is also sufficient if it is a quarter
 * of the step of a single clock plus half a tick. Texts: "the clocks of A and 2 others look as if
 * they were read in steps of up to 1000 ticks (1 us): if they were, bounds hold only with
 * --delta=500 (500 ns) or more", "the clock of A looks as if it was ...", or for all "clocks look
 * as if they were ...". For an uneven step: "of about 69.8 ticks (69.8 ns)"; the step plus a tick
 * then counts as the step.
 *
 * If times have a unit, the number of decimals in the first 4096 rows shows a step, in traces of
 * any size: "timestamps are written in steps of 1000 ticks (1 us): unless they are exact, bounds
 * hold only with --delta=500 (500 ns) or more". If timestamps are doubles with at most 17 digits:
 * "timestamps of A and 2 other clocks look as if they went through floating-point numbers, in steps
 * of 256 ticks (256 ns): if they did, bounds hold only with --delta=178 (178 ns) or more". NULL
 * also for a single clock, and if out of memory. */
CSY_API const char *csy_sync_coarse_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* Warns if an archive or a run has clocks of several hosts, and equal rates are assumed because no
 * drift was set: "bounds assume that the clocks of all 2 hosts run at equal rates: a difference of
 * 100 ppm, which crystals have, comes to 29.6 us in this trace; pass --drift=101 to allow for it".
 * NULL also if that is less than a tick. */
CSY_API const char *csy_sync_rates_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* The premises that csy_options_set_premises chose and no option set, as a clause after "assuming
 * that": "the clocks run within 101 ppm of each other and were not set, and timestamps are rounded
 * to 1 us; otherwise pass --drift or --delta". NULL if nothing was chosen, for a single clock, and
 * for a method without bounds. Returns text. O(threads). */
CSY_API const char *csy_sync_premise(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* True if equal rates were chosen only because an option or CSY_PREMISES_ONE_RATE requires them. */
CSY_API bool csy_sync_rates_asked(const csy_sync *sync);

/* The lower limit of delta, in ticks: half a step of the timestamps, or half a tick for clocks that
 * do not tick together; 0 if neither applies. */
CSY_API csy_fraction csy_sync_delta_floor(const csy_sync *sync);

/* The condition of bounds, as a clause after "bounds hold if", with advice. It always states that
 * timestamps are as accurate as delta: "every timestamp is exact to the tick; otherwise pass
 * --delta", "every timestamp is good to 500 ns; otherwise pass a greater --delta". For clocks that
 * are not of one Cell machine, it also states that all run at one rate, if no drift is allowed for,
 * and that they step at the same instants, if delta is below half a tick: "all clocks run at one
 * rate and step at the same instants, and every timestamp is exact to the tick; otherwise pass
 * --drift, --delta=1/2 or more, or both". For drifting clocks, limits of rates come first: "no
 * clock runs more than 101 ppm faster or slower than the reference, each keeps its rate to within 1
 * ppm of a constant, and every timestamp is good to 500 ns; otherwise pass greater limits with
 * --drift, a greater --delta, or both". If delta was estimated, csy_sync_delta_warning states the
 * condition on timestamps instead. NULL if nothing remains, without bounds, and for a single clock.
 * Returns text. Cost as for csy_sync_coarse_warning, and O(threads). */
CSY_API const char *csy_sync_condition(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* All conditions of bounds, by index from 0; NULL after the last one. Each is a clause after
 * "bounds hold if". The first is csy_sync_condition. If the rows are few and in order of time: "the
 * rows are in the order of writing; they may have been sorted by time, and then the bounds are
 * false". If a channel has several messages: "every message of a channel was recorded at both
 * ends". If an OTF2 archive has locations of accelerators: "the tracer converted the timestamps of
 * 2 accelerator locations to the clocks of their processes without error; otherwise pass
 * --clock-per=location". If counters of a CSV wrap: "the counter of B wraps at 24 bits and was
 * continued: ...". If clocks were cut: "B was set back by 3.000 ms (2.998 to 3.003) between lines
 * 412 and 413, and no clock was set elsewhere". Returns text. Cost as for csy_sync_condition. */
CSY_API const char *csy_sync_condition_at(const csy_sync *sync, size_t index,
                                          char text[CSY_WARNING_TEXT_MAX]);

/* A warning about a solution, or a condition of its bounds. */
typedef struct csy_caveat {
    const char *key; /* identifies it to programs: "delta"; a constant string */
    bool condition;  /* the text completes "bounds hold if"; otherwise it is a warning */
    char text[CSY_WARNING_TEXT_MAX]; /* one English sentence without a full stop */
} csy_caveat;

/* List every warning and then every condition, in the order of reports. Set *next to 0 before the
 * first call; each call advances it and fills *caveat. Returns false after the last caveat, with a
 * NULL key and an empty text. Cannot fail. The whole list costs as much as one call of each
 * function above.
 *
 *   warnings    delta, assumed, dropped, order, unbounded, messages, channels, coarse, rates: from
 *               the functions with these names; unread: the CSV has columns for an order, but no
 *               comment that declares it
 *   conditions  stamps: csy_sync_condition; order, both_ends, keys, converted, measured, counters,
 *               steps: others of csy_sync_condition_at
 *
 * Later versions may add keys. */
CSY_API bool csy_sync_next_caveat(const csy_sync *sync, size_t *next, csy_caveat *caveat);

/* The event error (csy_summary) of a pair with this error bound; -1 for -1. */
CSY_API int64_t csy_sync_event_error(const csy_sync *sync, int64_t error_ticks);

/* A constraint of a chain, and its slack: the time from record_s to record_t by the offsets, plus
 * the ticks that relaxation adds. */
typedef struct csy_chain_edge {
    csy_witness_edge constraint;
    int64_t slack_ticks;
    int64_t global_s, global_t; /* global times of its records as written, raised if monotonic */
} csy_chain_edge;

/* A shortest chain of constraints from s to t. Its weights, with the ticks that relaxation adds to
 * each (csy_imprecision), sum to end_ticks, so g[s] - g[t] <= end_ticks. t of each edge is s of the
 * next one. */
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

/* Find the records that determine both ends of the bound of two threads. The caller frees *out.
 * CSY_USAGE if s or t is no thread, if they are equal, and without bounds. Cost: a pass over the
 * records, and memory proportional to the constraints on shortest walks from and to s. */
CSY_API csy_status csy_sync_explain(csy_sync *sync, size_t s, size_t t, csy_explanation **out,
                                    csy_error *error);
CSY_API void csy_explanation_free(csy_explanation *explanation);

/* A step of a walk between drifting clocks: along clock s from the reading before to time_s, and
 * then by a constraint to clock t. */
typedef struct csy_drift_step {
    size_t s, t;
    /* The first records of s and t with these timestamps, or CSY_NO_RECORD. */
    uint64_t record_s, record_t;
    uint64_t place_s, place_t; /* as in csy_witness_edge */
    int64_t time_s, time_t;    /* local times */
    int64_t global_s, global_t;
    csy_fine
        /* On s: upper limit of the global time at the reading before minus that at time_s. */
        passed;
    csy_fine most;  /* upper limit of the global time at time_s minus that at time_t */
    csy_fine slack; /* the slack of that constraint */
} csy_drift_step;

/* A shortest walk from a reading of s to one of t. The global time of the first minus that of the
 * second is at most `most`, the sum of its steps and of `passed`. */
typedef struct csy_drift_chain {
    size_t s, t;
    csy_fine most;
    csy_fine passed; /* on t, after the last step */
    size_t length;
    const csy_drift_step *steps;
} csy_drift_chain;

typedef struct csy_drift_explanation {
    bool bounded;         /* the two clocks bound each other; otherwise all members below are 0 */
    int64_t moment_ticks; /* global time: worst_moment_ticks of csy_drift_pair */
    csy_instant s, t;     /* their readings at that moment */
    csy_drift_chain upper, lower; /* from s to t, and from t to s */
} csy_drift_explanation;

/* Find the walks that limit the time between two drifting clocks, at the worst of the moments. The
 * caller frees *out. Unlike the figures of csy_drift_pair, these are always the shortest walks.
 * Cost: csy_sync_drift_pair, csy_sync_before twice, and a pass over the records. CSY_USAGE as for
 * csy_sync_drift_pair. */
CSY_API csy_status csy_sync_drift_explain(csy_sync *sync, size_t s, size_t t,
                                          csy_drift_explanation **out, csy_error *error);
CSY_API void csy_drift_explanation_free(csy_drift_explanation *explanation);

/* A record with its times, in the order of the buffer. Pointers are valid until the next call. */
typedef struct csy_event {
    uint64_t record; /* position */
    size_t thread;
    size_t track; /* index of the csy_track, or CSY_NO_TRACK */
    int64_t local_ticks;
    int64_t global_ticks;
    const uint8_t *bytes; /* the record as in its file: big-endian, or a CSV row */
    size_t size;
} csy_event;

typedef struct csy_events csy_events;

/* Read the trace again with its global times. Several objects may be open at once, each with its
 * own position, even while the trace is synchronized or written. Free *out before trace and
 * solution. Cost: opening reads the metadata of a CSV, and needs about 1 MiB for any number of
 * records. csy_events_next sets *more to false after the last event. */
CSY_API csy_status csy_events_open(const csy_sync *sync, csy_events **out, csy_error *error);
CSY_API csy_status csy_events_next(csy_events *events, csy_event *event, bool *more,
                                   csy_error *error);

/* Continue at the record with this position, 0 to csy_sync_records (the end); CSY_USAGE beyond.
 * Cost: forwards, a pass over the records between, at least as fast as csy_trace_synchronize;
 * backwards, a pass over all records before it, since local times depend on these. */
CSY_API csy_status csy_events_seek(csy_events *events, uint64_t record, csy_error *error);

/* The kind of core that wrote a record; a .pex states it for each record, and a CSV may. */
typedef enum csy_core { CSY_CORE_NONE = 0, CSY_CORE_PPE, CSY_CORE_SPE } csy_core;

/* The decoded contents of a record. Missing information is 0, NULL, or CSY_CORE_NONE. */
typedef struct csy_decoded {
    uint64_t record; /* position */
    int64_t local_ticks, global_ticks;
    /* The begin of an interval, by the clock of its thread and in global time; for other records,
     * the times of the record. The begin of a PPE record in a .pex was written by the program and
     * is not checked; it is then that number mod 2^64. */
    int64_t local_begin_ticks, global_begin_ticks;
    /* Its fields by index: for a .pex the payload as numbers, in values; for a CSV all columns, in
     * texts. */
    const uint64_t *values;
    const csy_text *texts;
    const char *name;     /* what happened, name_size bytes; it may lack a NUL */
    const char *routine;  /* in a run: the routine that it enters, leaves, or is in, by its
                             address; without NUL */
    const char *about;    /* in a run: another thread that the event is about, by its csy_track;
                             without NUL */
    const uint8_t *bytes; /* as in csy_event */
    uint32_t size;
    uint32_t name_size;
    uint32_t routine_size; /* 0: none */
    uint32_t about_size;   /* 0: none */
    uint32_t nfields;
    uint32_t thread; /* in the solution */
    uint32_t track;  /* index of the csy_track, or CSY_NO_TRACK */
    uint32_t tid;    /* thread of the PPE or context of an SPE, in a .pex */
    csy_core core;
    uint16_t id;   /* the kind of event, in a .pex */
    bool interval; /* it has a begin */
} csy_decoded;

/* Decode up to n >= 1 of the next events into out; *got is their number, less than n whenever that
 * is faster, and 0 only after the last event. After a failure, *got events are valid. Pointers are
 * valid until the next call of csy_events_read or csy_events_next; names of a .pex until
 * csy_trace_free. The two functions may be mixed: each continues where the other one ended. Cost:
 * plain records of a .pex with offsets and without monotonic times are decoded many at a time, so n
 * should be about 1000. Needs about 1 MiB and one record, for any number of events. */
CSY_API csy_status csy_events_read(csy_events *events, csy_decoded *out, size_t n, size_t *got,
                                   csy_error *error);

/* The name of the field at index in events with this id: for a .pex from its document, or "valueN"
 * for index N; for a CSV, with any id, the name of the column. Valid until the next call. NULL if
 * there is no such column, for a trace without fields, and if out of memory. */
CSY_API const char *csy_events_field_name(csy_events *events, unsigned id, size_t index);

/* Free it before its solution and trace. */
CSY_API void csy_events_free(csy_events *events);

/* The comments of a CSV, and its format of global times. */
typedef enum csy_csv_header {
    CSY_CSV_COMMENT = 0, /* all comments of the input CSV, after one that csy_check needs */
    CSY_CSV_BARE         /* no comments: the first line is the header */
} csy_csv_header;
typedef enum csy_csv_time {
    CSY_CSV_TICKS = 0, /* global_time */
    CSY_CSV_SECONDS,   /* global_time_s, in decimal seconds */
    CSY_CSV_BOTH,
    /* global_date, in UTC as in RFC 3339, with nine decimals. CSY_USAGE if ticks are not whole
     * nanoseconds or do not count from 1970. */
    CSY_CSV_DATE
} csy_csv_time;

/* The arguments of events in JSON, besides name and time: everything; number, global ticks, and
 * payload; or nothing. */
typedef enum csy_json_args { CSY_JSON_ALL = 0, CSY_JSON_SHORT, CSY_JSON_NONE } csy_json_args;

/* Settings for csy_sync_write_trace. As with csy_options, a new object has the defaults, setters
 * refuse invalid values, and the caller frees *out. Settings that do not fit the format are refused
 * when the trace is written. */
typedef struct csy_output csy_output;
CSY_API csy_status csy_output_new(csy_output **out, csy_error *error);
CSY_API void csy_output_free(csy_output *output);

/* Default CSY_FORMAT_AUTO: by the suffix of the path; without a suffix, the format of the trace. */
CSY_API csy_status csy_output_set_format(csy_output *output, csy_format format, csy_error *error);

/* Write a .pex with its records in one file; default false. */
CSY_API csy_status csy_output_set_embed(csy_output *output, bool embed, csy_error *error);

/* Set whether event files of an OTF2 archive may become hard links to files of the trace if the
 * file system cannot share the bytes of copies; default false: they are copied. */
CSY_API csy_status csy_output_set_link(csy_output *output, bool linked, csy_error *error);

/* Set the gzip level, 0 to 9, of the records of a .pex, or of a whole CSV, JSON, or Perfetto trace.
 * Default CSY_COMPRESS_BY_NAME: not compressed, except level 6 for a CSV, JSON, or Perfetto trace
 * with a path that ends in .gz. */
#define CSY_COMPRESS_BY_NAME (-1)
CSY_API csy_status csy_output_set_compress_level(csy_output *output, int level, csy_error *error);

/* CSV only; default CSY_CSV_COMMENT. */
CSY_API csy_status csy_output_set_csv_header(csy_output *output, csy_csv_header header,
                                             csy_error *error);

/* CSV only; default CSY_CSV_TICKS. */
CSY_API csy_status csy_output_set_csv_time(csy_output *output, csy_csv_time time, csy_error *error);

/* CSV of a trace in partial order only: write rows in the order of their global times. Rows of one
 * thread stay in their order. Default false: in the order of the trace. Cost: O(n log n) time, and
 * the rows once more in temporary files; memory does not grow with the rows. */
CSY_API csy_status csy_output_set_sort(csy_output *output, bool sort, csy_error *error);

/* CSV, JSON, and Perfetto traces only: add the range of the global time of each event,
 * global_earliest and global_latest in ticks, and of the begin of a row. Delta and, if clocks
 * drift, their rates widen it. A field is empty (JSON: null) if the clock is not bounded on that
 * side, or the record was dropped. global_mark is "step" for events at which a clock may have been
 * set; their range is the union of the ranges of both parts. Default false. Only by method bhh
 * without monotonic times, and not with CSY_JSON_NONE: otherwise csy_sync_write_trace returns
 * CSY_USAGE. */
CSY_API csy_status csy_output_set_ranges(csy_output *output, bool ranges, csy_error *error);

/* JSON and Perfetto traces only; default CSY_JSON_ALL. */
CSY_API csy_status csy_output_set_json_args(csy_output *output, csy_json_args args,
                                            csy_error *error);

/* Select the records to write, not for a .pex. The text is copied; NULL, the default: all. A window
 * is "A..B", including both ends. Each end is empty or one of: global ticks ("1000"), a time since
 * the first record ("1.5ms"), a part of the time from the first to the last record ("25%"), or a
 * position ("#100"). CSY_USAGE if B is before A. */
CSY_API csy_status csy_output_set_window(csy_output *output, const char *window, csy_error *error);

/* Select records by a pattern for names of threads, as in fnmatch(3). */
CSY_API csy_status csy_output_set_only(csy_output *output, const char *pattern, csy_error *error);

/* Write the synchronized trace; output may be NULL for the defaults. Path "-" is standard output.
 *
 * A .pex consists of two files: path, and beside it a record file. The name of the record file is
 * path with its suffix replaced by .TAG.trace (compressed: .TAG.trace.gz); TAG has eight digits and
 * distinguishes versions. With embed, or if path is not a regular file, there is only one file.
 * When path gets its name, both files have theirs, and the record file of a replaced .pex is
 * removed. Compressed records are gzip members of 128 KiB of input each. CTF and OTF2 are folders
 * at path. They replace an empty folder, or one that contains only such a trace (otherwise CSY_IO).
 *
 * Files are written under temporary names, synced, and renamed; after a failure nothing is left
 * over and old files are intact. CSY_USAGE for combinations that are not possible: a .pex from a
 * CSV, or with monotonic times, which could not be undone; an OTF2 archive from other formats;
 * settings of other formats; compressed CTF or OTF2; compressed CSV, JSON, or Perfetto traces with
 * another suffix than .gz; and, for CSY_FORMAT_AUTO, an unknown suffix if path is or will be a
 * regular file. */
CSY_API csy_status csy_sync_write_trace(const csy_sync *sync, const char *path,
                                        const csy_output *output, csy_error *error);

/* The number of records that the last csy_sync_write_trace of this trace has written, except as a
 * .pex. */
CSY_API uint64_t csy_trace_written(const csy_trace *trace);

/* Check in advance that the outputs of csy_sync_write_trace and csy_sync_write_report are neither
 * files of the trace nor the same file, and that the trace, solved with these options, can be
 * written. options, path, or report may be NULL. */
CSY_API csy_status csy_trace_check_outputs(const csy_trace *trace, const csy_options *options,
                                           const char *path, const csy_output *output,
                                           const char *report, csy_error *error);

/* *needs is true if csy_sync_write_trace would write a .pex to path. A .pex has one offset for each
 * clock, so clocks must not drift. Errors as for csy_trace_check_outputs. */
CSY_API csy_status csy_trace_output_needs_one_rate(const csy_trace *trace, const char *path,
                                                   const csy_output *output, bool *needs,
                                                   csy_error *error);

/* Write the conversion of local to global times to path ("-": standard output) as CSV, as safely as
 * traces. Comments state the assumptions and the length of a tick, as in a synchronized CSV. The
 * columns are thread,local,global,earliest,latest, in ticks. A drifting clock (csy_sync_drift) has
 * a row for each knot, and its global time is linear between them; other clocks have a row at their
 * first record. local is a whole number; the others are exact with nine decimals. An unbounded end
 * is empty. CSY_USAGE without bounds, or if times are monotonic. */
CSY_API csy_status csy_sync_write_clocks(const csy_sync *sync, const char *path, csy_error *error);

/* True if the file at path has an access control list or extended attributes of its user; an output
 * that replaces it does not get them. */
CSY_API bool csy_has_attributes(const char *path);

/* For a thread of a program that is about to end, for example by a signal: remove the temporary
 * files of this process beside path, where it writes an output. Waits for files that are being
 * renamed, and prevents all later renaming; threads that try to rename wait forever. Not for signal
 * handlers. */
CSY_API void csy_abandon(const char *path);

/* The format of a report by the suffix of its name: .txt, .csv, .json, .html, .htm, or .tex, in any
 * case; text without a suffix. CSY_USAGE for another suffix, unless path is not a regular file:
 * then text. */
CSY_API csy_status csy_report_format_of(const char *path, csy_report_format *out, csy_error *error);

/* Write the report of error bounds to path ("-": standard output), as safely as traces. Pairs are
 * sorted by their threads. Cost with the sweep, besides writing: all pairs O(T^2 W) time; live
 * pairs O(T W^2) and 16 bytes a pair; pairs with the reference O(T W). HTML computes the pairs that
 * it needs in O(T W), and reads the trace once more. */
CSY_API csy_status csy_sync_write_report(csy_sync *sync, const char *path, csy_report_format format,
                                         csy_pairs pairs, csy_error *error);

/* A table with the figures of several traces, a row each, as in Table 1 of [BHH08]: as text, CSV
 * (CSY_REPORT_CSV: a line for each trace, not for each pair), or a LaTeX tabular. */
typedef struct csy_table csy_table;

/* Make a table to be written to path ("-": standard output); the caller frees *out. CSY_USAGE for
 * JSON and HTML. */
CSY_API csy_status csy_table_new(const char *path, csy_report_format format, csy_table **out,
                                 csy_error *error);

/* The unit of figures in text and TeX; CSV has ticks. csy_table_write refuses invalid values with
 * CSY_USAGE. */
typedef enum csy_table_unit { CSY_TABLE_TICKS = 0, CSY_TABLE_MICROSECONDS } csy_table_unit;
CSY_API void csy_table_set_unit(csy_table *table, csy_table_unit unit);

/* Add a row; trace and solution may be freed afterwards. CSY_USAGE for a solution without bounds,
 * CSY_INPUT if path is one of the trace's files. */
CSY_API csy_status csy_table_add(csy_table *table, const csy_sync *sync, csy_error *error);

/* Write the rows so far, as safely as a report. */
CSY_API csy_status csy_table_write(const csy_table *table, csy_error *error);
CSY_API void csy_table_free(csy_table *table);

/* Write the drawings of the HTML report to the folder path, as self-contained SVG files:
 * legend.svg, intervals.svg, precision.svg, and, if the report has them, messages.svg, threads.svg,
 * pairs.svg, communication.svg, and distribution.svg; for drifting clocks only precision.svg and
 * messages.svg. The folder replaces, as a whole, an empty folder or one with only such files
 * (otherwise CSY_IO). CSY_USAGE for a solution without bounds, and for "-". Cost as for the report.
 * csy_check_figures checks path in advance. */
CSY_API csy_status csy_check_figures(const char *path, csy_error *error);
CSY_API csy_status csy_sync_write_figures(csy_sync *sync, const char *path, csy_error *error);

/* A graph of constraints between neighbouring records, with one edge for each ordered pair of
 * threads that has any; or of error bounds of all pairs, or, for many threads, of a minimum
 * spanning tree. The limits are the most threads for each. */
#define CSY_GRAPH_CONSTRAINTS_THREADS_MAX 100
#define CSY_GRAPH_ALL_BOUNDS_THREADS_MAX 12
#define CSY_GRAPH_BOUNDS_THREADS_MAX 1000
typedef enum csy_graph { CSY_GRAPH_CONSTRAINTS = 0, CSY_GRAPH_BOUNDS } csy_graph;

/* Write a graph to path ("-": standard output) in the DOT language of Graphviz, as safely as a
 * report. CSY_USAGE if there are too many threads to draw. CSY_GRAPH_CONSTRAINTS takes a pass over
 * the records. */
CSY_API csy_status csy_sync_write_graph(csy_sync *sync, const char *path, csy_graph graph,
                                        csy_error *error);

/* The results of csy_check; see cellsync-model(7), Guarantees. */
typedef struct csy_proof {
    csy_format format; /* CSY_FORMAT_PEX, CSY_FORMAT_CSV or CSY_FORMAT_OTF2 */
    bool columns;      /* global times are in additional columns, as in a CSV */
    uint64_t records;
    size_t threads; /* number of indexes: of clocks, if threads of a CSV share them */
    size_t tracks;  /* threads of a CSV on these clocks; 0 for a .pex */
    uint64_t inversions;
    int64_t largest_inversion_ticks;
    int64_t allowed_inversion_ticks;
    uint64_t dropped; /* records left out: 2 and 4 are proved for the others */
    csy_center center;
    bool neighbours_only;    /* the paper's relaxation permits only neighbours to be wrong */
    uint32_t original_crc32; /* 0 for a CSV */
    bool beside;             /* compared with the trace that it was made from */
    uint64_t assumed;        /* gaps: everything is proved only if they were assumed correctly */
    /* Records left out that contradict no other record by more than is permitted. */
    uint64_t dropped_in_place;
    csy_sorted sorted; /* for a CSV: the order of the rows */
    /* For a partial order: threads that the reference does not bound on both sides; and, of these,
     * threads for which only the order is proved, because finding their limits would have taken too
     * long. */
    size_t unbounded;
    size_t unplaced;
    /* For drifting clocks: the limits of their rates, or CSY_NO_DRIFT; and the errors of records
     * relative to the reference. The errors are computed without a solver and without the wander.
     * If there is a wander, or if computing them would take too long, nothing is proved about
     * bounds. */
    int64_t drift_ppb, wander_ppb;
    bool bounds_found;
    uint64_t error_records;
    csy_fine max_error, mean_error;
    /* Offsets of one buffer are placed without delta (0.3.0): they lie within their bounds and keep
     * the order of all records, but need not be where alpha puts them between bounds with delta. */
    bool ordered;
} csy_proof;

/* Prove the guarantees for a synchronized .pex, CSV, or OTF2 archive.
 *
 * A .pex: restore the original by its table, compare the CRC, unwrap again, compare every
 * timestamp, and prove every offset and bound without a solver: the ends of bounds satisfy all
 * constraints, and a chain of constraints that are satisfied with equality leads from the reference
 * to each.
 *
 * A CSV: each thread has one offset, the original columns have the CRC, no inversion is larger than
 * delta permits, and offsets are at alpha between the bounds. Since a CSV has no table of bounds,
 * they are computed from the rows and proved, without a solver. Its events are copied to a
 * temporary file, 16 bytes each, which is read once for each turn of a shortest walk, at most the
 * number of threads. If clocks drift: some permitted clock gives the written readings, no inversion
 * is larger than delta permits, and knots are at alpha; about 200 bytes a record.
 *
 * An OTF2 archive: its event files have the CRC, all threads have the offset of their clock, and
 * that is proved as for a CSV in partial order. If clocks drift, it is proved as for a CSV, for the
 * lines between offsets, with one more tick.
 *
 * original, or NULL: the archive, document of logs, or run that a CSV was made from, if its rows do
 * not contain the order. The rows must be its events, one by one, and its order is used; CSY_USAGE
 * for any other CSV. input may be NULL for the defaults; a synchronized trace itself states how its
 * input was read, and input overrides this. progress may be NULL. The caller frees *out with
 * csy_proof_free.
 *
 * CSY_CHECK with a text that names the first violation. Cost for any number of threads: one or two
 * passes over the records, and memory proportional to the threads. */
CSY_API csy_status csy_check(const char *path, const char *original, const csy_input *input,
                             csy_progress progress, void *user, csy_proof **out, csy_error *error);
CSY_API void csy_proof_free(csy_proof *proof);

#ifdef __cplusplus
}
#endif

#endif
