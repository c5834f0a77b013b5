/* cellsync.h - offline clock synchronization of event traces
 *
 *   csy_trace_open  ->  csy_trace_synchronize  ->  csy_sync_write_trace, csy_sync_write_report
 *      (input)            (solution)               (synchronized trace, error bounds)
 *
 * A trace is a sequence of records, in the order in which they were written to a buffer. Each
 * record belongs to one pseudo-thread, and the clock of that pseudo-thread gave the record its
 * timestamp. All PPE threads together are one pseudo-thread. Each live interval of an SPE context
 * is a pseudo-thread of its own.
 *
 * A solution gives every pseudo-thread t an offset g[t] such that global time = offset + local
 * time. For every pair of pseudo-threads s and t, the solution gives exact bounds of g[s] - g[t].
 * cellsync-model(7) explains the mathematics, and pex(5) the formats.
 *
 * This header is the reference. libcellsync(3) shows how its parts work together, with examples.
 *
 * Names: csy_OBJECT_verb works on an object or makes it. csy_OBJECT_noun returns a property.
 * csy_OBJECT_set_noun changes a property.
 *
 * Units: times are int64 ticks of the timebase of the trace. "Thread" means a pseudo-thread; its
 * index counts from 0 in the order of first records. Threads of the operating system are called
 * workers. Positions count records from 0.
 *
 * Errors: functions that can fail return a csy_status and fill *error. `error` may be NULL.
 * Out-parameters are written only on success.
 *
 * Ownership: if an out-parameter has a type with a free function, the caller owns the result. A
 * const pointer belongs to the object that returned it. It is valid until that object is freed,
 * unless its comment states otherwise.
 *
 * Compatibility: later versions may add members to the end of structures that the library makes.
 * Structures that programs make do not change, and neither do structures in arrays or inside other
 * structures.
 *
 * Workers: objects have no locks. Different workers may use different traces, with all objects made
 * from them, at the same time. */
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
    CSY_USAGE,      /* an argument or option is invalid, or not possible for this trace */
    CSY_INFEASIBLE, /* the order of the records contradicts the clocks; see csy_witness */
    CSY_CHECK       /* a guarantee that csy_check tested is violated */
} csy_status;

/* The status and a message, such as "trace.pex: offset 4096: truncated record: need 24 bytes, have
 * 7". The message has no trailing newline. Bytes that came from outside are escaped as by
 * csy_escape. */
typedef struct csy_error {
    csy_status status;
    char text[1024];
} csy_error;

typedef enum csy_format {
    CSY_FORMAT_AUTO = 0,
    CSY_FORMAT_PEX,
    CSY_FORMAT_CSV,
    CSY_FORMAT_JSON,    /* Chrome trace events, which profilers write and Perfetto displays */
    CSY_FORMAT_CTF,     /* output only: a folder in CTF 1.8 format, for babeltrace2 and Trace
                         * Compass */
    CSY_FORMAT_PFTRACE, /* output only: TrackEvents of Perfetto */
    /* An OTF2 archive, named by its anchor file. Output requires an OTF2 archive as input. */
    CSY_FORMAT_OTF2,
    /* Packet captures in pcap or pcapng format. Output requires captures as input, and writes the
     * same files with corrected times. */
    CSY_FORMAT_PCAP,
    CSY_FORMAT_PCAPNG, /* input: the same as CSY_FORMAT_PCAP; output: one pcapng file with all
                        * packets */
    /* The next three formats contain spans as JSON. Output requires input of the same format, and
     * writes the same file with corrected times and attributes. */
    CSY_FORMAT_OTLP,   /* OpenTelemetry: OTLP JSON, or one OTLP JSON object per line */
    CSY_FORMAT_JAEGER, /* Jaeger: the JSON that the Jaeger query service returns */
    CSY_FORMAT_ZIPKIN, /* Zipkin: JSON of version 2 of the Zipkin API */
    /* Output only, for profiles in Chrome JSON: a TAR of the input files with a manifest. The
     * manifest tells Perfetto by how much to shift the times of each file. */
    CSY_FORMAT_TAR
} csy_format;

/* The constraints that a client span and its server span imply. */
typedef enum csy_spans {
    CSY_SPANS_SOUND = 0, /* a server begins before its client ends, if the client got an answer */
    CSY_SPANS_NESTED     /* a server also ends before its client ends; this is often wrong */
} csy_spans;

/* The locations of an OTF2 archive that share a clock. */
typedef enum csy_clock_per {
    CSY_CLOCK_PER_AUTO = 0, /* the same as CSY_CLOCK_PER_PROCESS */
    CSY_CLOCK_PER_PROCESS,
    /* one clock for each node, or for each process if the archive names no nodes */
    CSY_CLOCK_PER_NODE,
    CSY_CLOCK_PER_LOCATION
} csy_clock_per;

/* When csy_trace_open_files combines several files into one trace. */
typedef enum csy_join {
    /* if the format of the files implies it, or if each CSV has a line "# order=partial" or "#
     * order=messages" */
    CSY_JOIN_AUTO = 0,
    CSY_JOIN_ALWAYS /* also for CSV files without such a line, as if each had a line "#
                     * order=partial" */
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
    /* With at most CSY_PAIRS_ALL_THREADS_MAX threads: the same as CSY_PAIRS_ALL. With more threads:
     * the same as CSY_PAIRS_MET for a partial order, otherwise the same as CSY_PAIRS_LIVE. */
    CSY_PAIRS_AUTO = 0,
    CSY_PAIRS_ALL,       /* all T (T-1) / 2 pairs of T threads */
    CSY_PAIRS_LIVE,      /* pairs that were live at the same time; see `live` in csy_summary */
    CSY_PAIRS_REFERENCE, /* pairs of the reference and another thread */
    CSY_PAIRS_NONE,
    CSY_PAIRS_MET /* for partial orders: pairs that a constraint relates directly; see `met` in
                   * csy_summary */
} csy_pairs;

/* The treatment of contradictions between order and clocks; see cellsync-model(7), Timestamp
 * imprecision. */
typedef enum csy_relax {
    CSY_RELAX_EXACT = 0, /* find the least timestamp error delta that permits a solution */
    CSY_RELAX_PAPER,     /* the procedure of [BHH08], with constraints between neighbouring records
                          * only */
    CSY_RELAX_NONE,      /* fail with CSY_INFEASIBLE if there is a contradiction */
    CSY_RELAX_GIVEN      /* use the timestamp error from csy_options_set_delta */
} csy_relax;

/* The algorithm that computes exact bounds for T threads. The sweep takes O(T W^2) time if W
 * threads are live at once (csy_summary), at most CSY_LIVE_THREADS_MAX. The dense engine takes
 * O(T^3) time, for at most CSY_DENSE_THREADS_MAX threads; CSY_RELAX_PAPER requires this engine. */
#define CSY_DENSE_THREADS_MAX 8192
#define CSY_LIVE_THREADS_MAX 4096
typedef enum csy_engine { CSY_ENGINE_AUTO = 0, CSY_ENGINE_SWEEP, CSY_ENGINE_DENSE } csy_engine;

/* The method of synchronization; see cellsync-model(7), Other methods. Only CSY_METHOD_BHH gives
 * bounds, and only this method uses the options reference, alpha, center, relax, engine, delta, and
 * CSY_UNWRAP_STRICT. The other methods are for comparison. */
typedef enum csy_method {
    CSY_METHOD_BHH = 0,       /* offsets between exact bounds, as in [BHH08] */
    CSY_METHOD_LAMPORT,       /* Lamport's counters, which ignore local clocks */
    CSY_METHOD_LAMPORT_CLOCK, /* Lamport's clock, which advances with local clocks */
    /* Fits offsets by least squares to neighbouring records, or, in a partial order, to
     * messages. */
    CSY_METHOD_LSQ,
    /* For partial orders only. The offset between two clocks is the midpoint of the bounds that
     * their messages imply. Other offsets are sums along a tree of clocks. */
    CSY_METHOD_NTP,
    /* For partial orders only. Fits offsets by least squares, as if all members of a collective
     * operation had ended it at the same moment. */
    CSY_METHOD_ENDS
} csy_method;

/* Limit the memory, in bytes, for all later calls in this process. 0, the default, means no limit.
 * If an allocation with a known size would exceed the limit, the call fails with CSY_MEMORY in
 * advance, and the message contains both numbers. No array grows beyond the limit. */
CSY_API void csy_set_max_memory(uint64_t bytes);

/* An exact fraction in lowest terms; den > 0. */
typedef struct csy_fraction {
    int64_t num;
    int64_t den;
} csy_fraction;

/* The unit of progress: bytes of records as stored on disk, or threads. */
typedef enum csy_unit { CSY_UNIT_BYTES = 0, CSY_UNIT_THREADS } csy_unit;

/* A function that reports progress. The library calls it from time to time, in the caller's thread,
 * during long work. stage is a short constant text, such as "reading" or "statistics". done
 * restarts with each stage and with each pass over the records. total is 0 if it is unknown. The
 * function must not call the library. */
typedef void (*csy_progress)(void *user, const char *stage, csy_unit unit, uint64_t done,
                             uint64_t total);

/* How to continue if a counter may have wrapped several times between two records (a gap), and the
 * timestamps do not show how often; see cellsync-model(7), Unwrapping. */
typedef enum csy_unwrap {
    CSY_UNWRAP_ASSUME = 0, /* assume the least possible number of wraps, and count the gap as
                            * assumed */
    CSY_UNWRAP_STRICT      /* split the thread at the gap into two threads; join them again if the
                            * bounds of their offsets permit only one number of wraps */
} csy_unwrap;

/* How to choose the offset of each clock. The bounds to the reference leave a range of possible
 * offsets; see cellsync-model(7), Local offsets. CSY_CENTER_REFERENCE with the fraction 1/2
 * (csy_options_set_alpha) has the smallest worst-case error relative to the reference.
 * CSY_CENTER_LOCAL is better on average. */
typedef enum csy_center {
    CSY_CENTER_REFERENCE = 0, /* at a fraction of the range of possible offsets, which
                               * csy_options_set_alpha sets */
    /* Begin with the offsets of CSY_CENTER_REFERENCE. Then repeat five times: move each offset to
     * the middle of the range that is possible if all other offsets stay where they are. */
    CSY_CENTER_LOCAL
} csy_center;

/* Whether statistics over all pairs of threads are computed, which may take long. */
typedef enum csy_statistics {
    /* Compute them, except in a partial order if they would take more than
     * CSY_STATISTICS_STEPS_MAX steps. */
    CSY_STATISTICS_AUTO = 0,
    CSY_STATISTICS_ALL
} csy_statistics;
#define CSY_STATISTICS_STEPS_MAX ((uint64_t)1 << 36)

/* Options for solving a trace. A new object has the defaults, which each setter documents.
 * Functions read options but do not keep them, so the same object can be used again. The caller
 * frees *out. Setters refuse an invalid value with CSY_USAGE and keep the old one.
 * csy_trace_synchronize refuses values that are incompatible. */
typedef struct csy_options csy_options;
CSY_API csy_status csy_options_new(csy_options **out, csy_error *error);
CSY_API void csy_options_free(csy_options *options);

/* Set the reference thread by a name that csy_sync_find_thread must find. The name is copied. NULL,
 * the default, means the PPE, or, without a PPE, the thread with the most records. */
CSY_API csy_status csy_options_set_reference(csy_options *options, const char *name,
                                             csy_error *error);

/* Set the fraction of the range between the bounds to the reference at which offsets are placed,
 * from 0 to 1; default 1/2. */
CSY_API csy_status csy_options_set_alpha(csy_options *options, csy_fraction alpha,
                                         csy_error *error);

/* Set the treatment of contradictions between order and clocks. Default CSY_RELAX_EXACT. */
CSY_API csy_status csy_options_set_relax(csy_options *options, csy_relax relax, csy_error *error);

/* Set the engine. Default CSY_ENGINE_AUTO: the dense engine if CSY_RELAX_PAPER requires it or if it
 * is much faster, otherwise the sweep. */
CSY_API csy_status csy_options_set_engine(csy_options *options, csy_engine engine,
                                          csy_error *error);

/* Set the timestamp error in ticks, at least 0, for CSY_RELAX_GIVEN; default 0. */
CSY_API csy_status csy_options_set_delta(csy_options *options, csy_fraction delta,
                                         csy_error *error);

/* Set what to do if the number of wraps in a gap is not known. Default CSY_UNWRAP_ASSUME. */
CSY_API csy_status csy_options_set_unwrap(csy_options *options, csy_unwrap unwrap,
                                          csy_error *error);

/* Set the greatest clock error that unwrapping tolerates, from 0 to 2^30 ticks. A larger error is a
 * sign that the program wrote the clock. Default CSY_IMPRECISION_DEFAULT: 10 ms. */
#define CSY_IMPRECISION_DEFAULT (-1)
CSY_API csy_status csy_options_set_max_imprecision(csy_options *options, int64_t ticks,
                                                   csy_error *error);

/* Set the method of synchronization. Default CSY_METHOD_BHH. */
CSY_API csy_status csy_options_set_method(csy_options *options, csy_method method,
                                          csy_error *error);

/* Set whether each global time is raised to the greatest global time before it, so that times never
 * decrease; default false. CSY_METHOD_BHH only. */
CSY_API csy_status csy_options_set_monotonic(csy_options *options, bool monotonic,
                                             csy_error *error);

/* Set the largest accepted correction of a global time, in ticks >= 0 (see csy_correction). Default
 * CSY_ADJUST_ANY: any correction is accepted. */
#define CSY_ADJUST_ANY (-1)
CSY_API csy_status csy_options_set_max_adjust(csy_options *options, int64_t ticks,
                                              csy_error *error);

/* Set the choice of offsets within their bounds. Default CSY_CENTER_REFERENCE. CSY_CENTER_LOCAL
 * reads the records once more. CSY_METHOD_BHH only. */
CSY_API csy_status csy_options_set_center(csy_options *options, csy_center center,
                                          csy_error *error);

/* Set whether statistics over all pairs are computed. Default CSY_STATISTICS_AUTO. CSY_METHOD_BHH
 * only. */
CSY_API csy_status csy_options_set_statistics(csy_options *options, csy_statistics statistics,
                                              csy_error *error);

/* Set whether csy_damage is measured, in a separate pass; default false. Methods other than
 * CSY_METHOD_BHH always measure it. */
CSY_API csy_status csy_options_set_measure(csy_options *options, bool measure, csy_error *error);

/* Set how many records may be left out of the constraints if order and clocks contradict each
 * other. The records that require the greatest timestamp error are left out. Default 0; at most
 * CSY_DROP_MAX and 1 % of the records. CSY_RELAX_EXACT only. Cost: as for
 * csy_sync_profile_delta. */
#define CSY_DROP_MAX 50000
CSY_API csy_status csy_options_set_drop(csy_options *options, uint64_t records, csy_error *error);

/* Set how many times each clock of a CSV in partial order may be cut, from 0 (default) to
 * CSY_STEPS_MAX. A clock is cut at a step: where it was set or its counter started anew. The parts
 * are separate clocks, such as "B" and "B/2". If it is not known whether a record is before or
 * after the step, the record becomes a clock of its own, such as "B@412".
 *
 * A clock is cut only if neither rates nor two wrong timestamps explain the contradiction. If any
 * of several clocks may have been set, all of them are cut, except a clock that
 * csy_options_set_reference names. Cost: hundreds of passes over stored times for each step. */
#define CSY_STEPS_MAX 100
CSY_API csy_status csy_options_set_steps(csy_options *options, uint64_t steps, csy_error *error);

/* Set the least latency, in ticks, of messages for which the trace states none; at least 0, default
 * 0. For traces in partial order only. */
CSY_API csy_status csy_options_set_latency(csy_options *options, int64_t ticks, csy_error *error);

/* Set the longest latency of messages for which the trace states none, in ticks >= 0, from the
 * begin of the send to the end of the receive. INT64_MAX, the default, means no limit. For traces
 * in partial order only. csy_trace_synchronize fails with CSY_INPUT if this is below the least
 * latency of a message, and with CSY_INFEASIBLE if the order contradicts it. */
CSY_API csy_status csy_options_set_max_latency(csy_options *options, int64_t ticks,
                                               csy_error *error);

/* Request advice in reports (csy_sync_advise): how far this many additional records of a thread and
 * of the reference would narrow the bounds of the thread. 1 to CSY_ADVISE_MAX; default 0: no
 * advice. CSY_METHOD_BHH only. */
#define CSY_ADVISE_MAX 1000
CSY_API csy_status csy_options_set_advise(csy_options *options, uint64_t records, csy_error *error);

/* Set two limits of the clocks' rates, in parts of 10^9, both below 10^9:
 * - rate_ppb, the drift-rate bound: every clock gains or loses at most this relative to the clock
 * of the reference. Default CSY_NO_DRIFT: all clocks run at the same rate.
 * - wander_ppb: the rate of each clock stays within this of a constant, which may differ between
 * clocks. CSY_NO_DRIFT: the rate may change at will.
 *
 * With drift, bounds are relative to the reference only, and they change with time; see
 * csy_sync_drift. */
#define CSY_NO_DRIFT (-1)
CSY_API csy_status csy_options_set_drift(csy_options *options, int64_t rate_ppb, int64_t wander_ppb,
                                         csy_error *error);

/* Assumptions about rates if csy_options_set_drift was not called, and about timestamps if neither
 * csy_options_set_relax nor csy_options_set_delta was called. */
typedef enum csy_premises {
    CSY_PREMISES_EQUAL = 0, /* The default of the library: all clocks run at the same rate, and the
                             * timestamp error is found as with CSY_RELAX_EXACT. */
    /* Assumptions that depend on the source of the trace, as cellsync(1), PREMISES, lists them:
     * - Clocks that only messages connect run within 101 ppm of each other, or, if they show dates,
     * within 1001 ppm. If an option requires equal rates, all clocks have one rate.
     * - Clocks of a CSV that show dates may have been set while the trace was recorded, as after
     * csy_options_set_steps with 8. A call of csy_options_set_steps has priority.
     * - delta is at least half of the smallest step of the timestamps. */
    CSY_PREMISES_BY_SOURCE,
    /* like CSY_PREMISES_BY_SOURCE, but with equal rates, for outputs that require equal rates */
    CSY_PREMISES_ONE_RATE
} csy_premises;
CSY_API csy_status csy_options_set_premises(csy_options *options, csy_premises premises,
                                            csy_error *error);

typedef enum csy_kind { CSY_KIND_PPE = 0, CSY_KIND_SPE } csy_kind;

#define CSY_NO_CONTEXT (-1)
#define CSY_NO_SPE UINT64_MAX
#define CSY_NO_OFFSET INT64_MIN

/* A thread of a CSV trace, and the clock on which it runs. Several tracks may share a clock, which
 * is a csy_thread. The name belongs to the solution. */
typedef struct csy_track {
    const char *name;
    size_t thread; /* index of the csy_thread that is the clock of the track */
} csy_track;

#define CSY_NO_TRACK UINT32_MAX

/* A thread of a solution, with a clock of its own (see the head of this file). The name belongs to
 * the solution. */
typedef struct csy_thread {
    const char *name; /* "ppe", "spe4.1", or a name from a CSV, which may be invalid UTF-8 */
    csy_kind kind;
    int64_t context;       /* SPE context id, or CSY_NO_CONTEXT */
    uint64_t spe;          /* physical SPE, or CSY_NO_SPE if it is not known */
    uint64_t first_record; /* position of the first record */
    uint64_t records;
    uint32_t decr_first; /* raw timestamp of the first record, for live intervals of a .pex */
    /* Offset of the clock: global time = offset_ticks + local time. CSY_NO_OFFSET for Lamport's
     * methods, which shift each record separately (csy_events_next). */
    int64_t offset_ticks;
    int64_t earliest_ticks; /* least possible offset; INT64_MIN: no lower limit */
    int64_t latest_ticks;   /* greatest possible offset; INT64_MAX: no upper limit */
    /* For a CSV: the names of the threads on this clock, usually only one. For a .pex: empty. */
    const char *const *members;
    size_t nmembers;
} csy_thread;

/* A mean over pairs of threads. {s,t} and {t,s} are one pair. The exact mean is ticks + rest /
 * pairs. */
typedef struct csy_mean {
    uint64_t pairs;
    int64_t ticks; /* the mean, rounded down */
    uint64_t rest; /* below `pairs`; 0 if there are no pairs */
} csy_mean;

/* Statistics of a group (set) of pairs of threads. `pairs` counts all pairs of the group. All other
 * members use only pairs with two finite bounds. If there are no such pairs, maxima are -1.
 * csy_summary explains error bounds and event errors. */
typedef struct csy_group {
    uint64_t pairs;
    int64_t max_error_ticks;
    csy_mean mean;
    int64_t max_event_error_ticks;
    csy_mean event_mean;
} csy_group;

/* Statistics over pairs of threads. The error bound of a pair is the largest possible error of the
 * difference between the offsets of its two threads. The event error of a pair is the largest
 * possible error of the time between an event of one thread and an event of the other. The event
 * error is larger by 2 added_ticks (csy_imprecision), because the two timestamps have errors,
 * too. */
typedef struct csy_summary {
    uint64_t pairs; /* number of all pairs: T (T-1) / 2 for T threads */
    /* If the statistics would take too many steps for CSY_STATISTICS_AUTO: the approximate number
     * of steps. In this case the members below, except unbounded_threads, are not valid. Otherwise
     * 0. */
    uint64_t uncomputed_steps;
    uint64_t bounded;        /* number of pairs with a finite error bound */
    int64_t max_error_ticks; /* largest error bound; -1 if no pair is bounded */
    int64_t max_error_spe_ticks;
    csy_mean error_ppe; /* mean error bound between the PPE and a thread of an SPE */
    csy_mean error_spe; /* mean error bound of pairs of two SPE live intervals */
    /* Pairs that were live at the same time: the first record of each precedes the last record of
     * the other. */
    csy_group live;
    csy_group successive; /* pairs of a live interval and the next one of the same SPE context */
    /* For a partial order: pairs of clocks with records that are directly constrained, for
     * example by a message. Barriers and other groups do not count. If counting these pairs
     * would take too many steps, met_uncomputed is true, and `met` is empty. */
    csy_group met;
    bool met_uncomputed;
    /* Number of threads without two finite bounds to the reference. With CSY_METHOD_LSQ in a
     * partial order: threads that no messages connect with the PPE, or, without a PPE, with the
     * first thread. */
    size_t unbounded_threads;
    bool quadratic; /* true if these statistics took time closer to T^2 than to T for T threads */
    int64_t max_event_error_ticks; /* largest event error of a pair; -1 if `bounded` is 0 */
    int64_t max_event_error_spe_ticks;
    csy_mean event_error_ppe;
    csy_mean event_error_spe;
} csy_summary;

/* The timestamp error that was used, and its effect on the order. */
typedef struct csy_imprecision {
    csy_relax relax;
    csy_fraction delta;  /* the timestamp error in ticks */
    int64_t added_ticks; /* ticks added to every constraint: two times delta, rounded up */
    uint64_t inversions; /* number of records that have a lower global time than an earlier
                          * record */
    int64_t largest_inversion_ticks;
    /* number of pairs of adjacent records of one thread with decreasing timestamps */
    uint64_t adjacent_steps_back;
    bool beyond_unwrapping; /* True if timestamps are less accurate than the counting of wraps
                             * assumes: twice added_ticks exceeds the permitted imprecision in
                             * cellsync-model(7), Unwrapping. */
    /* True if delta is above 0 and was found by CSY_RELAX_EXACT or CSY_RELAX_PAPER. Then delta is
     * only a lower limit of the true timestamp error, and bounds hold only if no timestamp has an
     * error larger than delta. */
    bool conditional;
} csy_imprecision;

/* Pairs of neighbours in the wrong order. Neighbours are successive records of the buffer with
 * different threads. They are wrong if the second one has the lower time. */
typedef struct csy_disorder {
    uint64_t wrong;
    int64_t largest_ticks; /* the largest difference of the times of a wrong pair; 0 if no pair is
                            * wrong */
} csy_disorder;

/* Whether the records look sorted, which is unlikely for a buffer that threads share. Bounds rest
 * on the order of records, so they are doubtful for sorted records; see cellsync-model(7),
 * Diagnosis. */
typedef enum csy_sorted {
    CSY_SORTED_NOT = 0,   /* not sorted, or too few records to decide */
    CSY_SORTED_BY_THREAD, /* all rows of one thread follow each other */
    /* no timestamp is below the timestamp before it, even of another clock */
    CSY_SORTED_BY_TIME
} csy_sorted;

/* A time in ticks with a fraction: ticks + billionths / 10^9, with 0 <= billionths < 10^9. */
typedef struct csy_fine {
    int64_t ticks;
    uint32_t billionths;
} csy_fine;

/* The offset of a drifting clock at a local time, and its least and greatest possible values. */
typedef struct csy_drift_moment {
    int64_t local_ticks;
    csy_fine offset, earliest, latest; /* earliest and latest are 0 if the clock is not bounded */
} csy_drift_moment;

/* A clock that drifts. The error of the clock at a record is latest - earliest at that record. */
typedef struct csy_drift_clock {
    /* true if the reference bounds the clock on both sides; otherwise the clock has no errors */
    bool bounded;
    /* Limits of the clock's rate: how much longer the ticks of the clock are than the ticks of the
     * reference. Below 0 for a fast clock. */
    int64_t least_ppb, greatest_ppb;
    /* Limits of the mean rate from the clock's first record to its last record. If the clock has
     * only one record, they are equal to least_ppb and greatest_ppb. */
    int64_t least_mean_ppb, greatest_mean_ppb;
    size_t knots; /* number of local times at which the rate of the clock may change in the
                   * solution */
    csy_drift_moment first, last; /* offset at the first record, and offset at the last record of
                                   * the clock */
    /* The greatest and the mean error of the clock over its records, without timestamp errors; the
     * mean is rounded down. */
    csy_fine max_error, mean_error;
    uint64_t max_record, max_place; /* the first record with the greatest error: its position in the
                                     * trace, and its byte offset or line in the file */
    int64_t max_local_ticks;
} csy_drift_clock;

/* The results for drifting clocks; see csy_options_set_drift. */
typedef struct csy_drift {
    int64_t rate_ppb, wander_ppb; /* the limits that csy_options_set_drift set */
    size_t nclocks;
    const csy_drift_clock *clocks; /* array of nclocks elements, indexed by thread */
    uint64_t records;              /* number of records of clocks with a finite error, without the
                                    * reference; max_error and mean_error are over these
                                    * records */
    csy_fine max_error, mean_error;
    size_t max_clock; /* index of the first clock with max_error */
    /* The greatest and the mean error of the time between any two events, in ticks of the
     * reference's clock, including timestamp errors. The maximum also includes the rounding of
     * times to whole ticks. */
    csy_fine max_event_error, mean_event_error;
} csy_drift;

/* csy_sync_drift_pair compares two drifting clocks at this many moments. The moments have equal
 * distances in global time, from the first record of the trace to the last record. The reading of a
 * clock at a moment is the greatest local time of the clock that is not after the moment. It is
 * limited to the local times from the clock's first record to its last record. */
#define CSY_DRIFT_MOMENTS 64

/* With more drifting clocks than this, csy_sync_drift_pair adds the errors of both clocks relative
 * to a common reference. It does not look for chains (sequences of constraints) from one clock to
 * the other. */
#define CSY_DRIFT_PAIRS_THREADS_MAX 256

/* How inexactly the time between two drifting clocks is known. This changes during the trace, so it
 * is computed at CSY_DRIFT_MOMENTS moments. The error at a moment is an upper limit of the
 * difference between the greatest and the least possible time between the readings of the two
 * clocks. The members are the least, the median, and the greatest of these errors. */
typedef struct csy_drift_pair {
    /* true if the trace limits the time between the two clocks in both directions; otherwise the
     * other members are 0 */
    bool bounded;
    /* True if the errors follow from chains of constraints between the two clocks. Otherwise each
     * error is the sum of the errors of both clocks relative to a common reference. */
    bool by_walks;
    csy_fine best, median, worst;
    /* the worst error of the time between two events, including timestamp errors */
    csy_fine worst_event;
    int64_t worst_moment_ticks; /* the first moment with the worst error, in global time */
} csy_drift_pair;

/* The order of neighbours before and after synchronization. Before synchronization, times are those
 * of local clocks, each of which is set at its first record to the time of the previous record
 * (cellsync-model(7), Before and after). After synchronization, times are global times. All members
 * are 0 for a partial order, which has no neighbours. */
typedef struct csy_order {
    uint64_t neighbours; /* number of pairs of records that are neighbours; see csy_disorder */
    csy_disorder before, after;
    csy_sorted sorted; /* for a CSV: whether its rows look sorted */
} csy_order;

/* The ends of relations in a partial order, such as the send and the receive of a message.
 * csy_unused counts the ends that gave no constraint, with a reason from csy_left_out; see
 * cellsync-csv(5), CSV traces in partial order. */
typedef enum csy_end {
    CSY_END_SEND = 0,
    CSY_END_RECV,
    /* a receive that began before its send ended, because the send waits for the receive */
    CSY_END_SYNC,
    CSY_END_ENTER,
    CSY_END_LEAVE,
    CSY_END_POST,
    CSY_END_WAIT,
    /* a wait, as the event that makes room in a channel for a later post */
    CSY_END_ROOM,
    CSY_END_RELEASE,
    CSY_END_ACQUIRE,
    CSY_END_SPAWN,
    CSY_END_JOIN
} csy_end;

typedef enum csy_left_out {
    CSY_LEFT_UNMATCHED = 0, /* no matching end was found, for example no receive for a send */
    /* the constraint would need the time at which the record began, but the trace does not state
     * it */
    CSY_LEFT_NO_BEGIN,
    /* the channel has more receives than sends: sends are missing, and it is not known which */
    CSY_LEFT_MORE_RECEIVES,
    CSY_LEFT_SEVERAL_CLOCKS, /* locations on several clocks use the same channel */
    /* Several locations use the same channel, so it is not known which send waits for which
     * receive. */
    CSY_LEFT_LOCATIONS,
    CSY_LEFT_SHORT,   /* the record is too short to contain the key */
    CSY_LEFT_NO_TURN, /* the record does not state the lock's turn, a number that increases with
                       * each acquire */
    /* this member of a group has more or fewer operations of the group than most other members */
    CSY_LEFT_COUNT,
    CSY_LEFT_DIFFERENT,     /* members of the group disagree on this operation or an earlier one */
    CSY_LEFT_SEVERAL_LIVES, /* the location was started or joined several times */
    /* an earlier operation of the group never completed, so it is not known which records of its
     * members belong to the same operation */
    CSY_LEFT_LOST,
    /* the channel has more sends than receives, so it is not known which messages are complete */
    CSY_LEFT_MORE_SENDS,
    /* The timestamp is closer than two times delta to another timestamp, so it is not known which
     * came first. */
    CSY_LEFT_CLOSE
} csy_left_out;

enum { CSY_UNUSED_LISTED = 10 };

typedef struct csy_unused_end {
    uint64_t record, place; /* position of the record in the trace, and its byte offset or line in
                             * the file */
    const char *key;        /* name of the channel, group, lock, or location that the event uses */
} csy_unused_end;

/* The ends of one kind that gave no constraint, all for the same reason. */
typedef struct csy_unused {
    csy_end end;
    csy_left_out why;
    uint64_t count;
    size_t nlisted;
    csy_unused_end listed[CSY_UNUSED_LISTED]; /* the first ends without a partner, nlisted
                                               * elements */
} csy_unused;

/* A channel that is left out because it has different numbers of sends and receives, or of posts
 * and waits. */
typedef struct csy_uneven {
    const char *channel;
    bool tokens; /* true for a channel of posts and waits: `sends` is the number of posts, and
                  * `receives` the number of waits */
    uint64_t sends, receives;
} csy_uneven;

/* Counts of what was read from a trace in partial order. */
typedef struct csy_matched {
    uint64_t locations, buffers;
    uint64_t messages;       /* pairs of a send and its receive */
    uint64_t synchronous;    /* messages whose send waited for the receive */
    uint64_t groups;         /* groups, such as barriers, with both enters and leaves */
    uint64_t enters, leaves; /* numbers of events that enter and that leave the groups counted in
                              * `groups` */
    uint64_t afters;         /* records that a later record names as a predecessor */
    uint64_t blocks;         /* blocks of records that were written to a buffer at once */
    uint64_t flushes;        /* blocks for which the time of the flush is known */
    uint64_t posts;          /* pairs of a post, which puts a token into a channel, and the wait
                              * that takes this token */
    uint64_t rooms;          /* waits that made room in a full channel for a later post
                              * (CSY_END_ROOM) */
    uint64_t handovers;      /* pairs of a release and a later acquire of the same lock */
    uint64_t spawns, joins;  /* spawns and joins that refer to a location with records */
    size_t nunused;
    const csy_unused *unused; /* array of nunused elements */
    uint64_t several;         /* channels with constraints from more than one message or post */
    uint64_t nuneven;         /* number of uneven channels; `uneven` has the first
                               * CSY_UNUSED_LISTED */
    const csy_uneven *uneven;
    /* The number of stated limits of how much later one record is than another: one for each
     * longest latency, two for each pair of records that happened at the same moment, and two for
     * each comparison of clocks. */
    uint64_t limits;
} csy_matched;

/* The effect of global times on distances: the times from each record to the next one of its
 * thread. A distance is damaged if it differs from the distance by the thread's own clock. */
typedef struct csy_damage {
    uint64_t damaged;
    int64_t worst_ticks; /* the largest change of a distance */
    csy_mean mean;       /* mean change of a distance, over damaged and undamaged distances */
} csy_damage;

/* Records with a global time that was corrected: it differs from the time by the clock of their
 * thread. By the clock, global time is local time plus the thread's offset. Without an offset, it
 * is the global time of the thread's first record plus the local time since then. */
typedef struct csy_correction {
    uint64_t records;
    int64_t largest_ticks;
} csy_correction;

/* A record that was left out of the constraints (csy_options_set_drop). */
typedef struct csy_dropped_record {
    uint64_t record; /* position of the record */
    uint64_t place;  /* place of the record: byte offset in the record file, or line of a CSV */
    size_t thread;
    /* Above 0: the record has too early a global time, by this many ticks, because an earlier
     * record has a greater one. Below 0: the record has too late a global time, by minus this many
     * ticks, because a later record has a lower one. Other left-out records are not compared. */
    int64_t early_ticks;
} csy_dropped_record;

/* The records that were left out. Bounds, delta, and guarantees apply to all other records only. */
typedef struct csy_dropped {
    uint64_t asked;                    /* the number passed to csy_options_set_drop */
    size_t count;                      /* number of records left out; below `asked` if fewer records
                                        * were enough to make delta 0 */
    const csy_dropped_record *records; /* the records left out, in the order of the buffer */
} csy_dropped;

/* Observations while raw timestamps were converted to local times; see cellsync-model(7),
 * Unwrapping. */
typedef struct csy_clock_report {
    int64_t wraps;    /* how often decrementers passed zero */
    uint64_t splits;  /* how often a program wrote a decrementer; each time, the live interval (the
                       * records of an SPE context between two switches) was split */
    uint64_t assumed; /* gaps in which several numbers of wraps are possible, and the least was
                       * assumed */
    /* Number of lost OUT events: an SPE_SWITCH_IN follows another SPE_SWITCH_IN without an OUT
     * between them. If switches come from a log, also if a context's first switch is an
     * SPE_SWITCH_IN, but the context has earlier records. */
    uint64_t lost_outs;
    uint64_t lost_ins;   /* SPE_SWITCH_OUT events that follow another one without an IN between
                          * them */
    uint64_t stragglers; /* records of an SPE context between an OUT and the next IN */
    bool notifier;       /* True if another program (a notifier) recorded the switches of SPE
                          * contexts. It may record an IN too late and an OUT too early, so that
                          * records become stragglers. */
    size_t contexts;     /* number of SPE contexts that wrote records */
} csy_clock_report;

/* A text of `size` bytes that is not terminated by NUL. A field of a CSV is without quotes, doubled
 * quotes are single, and blanks around it are removed unless it was quoted. */
typedef struct csy_text {
    const char *bytes;
    size_t size;
} csy_text;

/* The reason why one record precedes another in a partial order. */
typedef enum csy_order_kind {
    CSY_ORDER_MESSAGE = 0, /* the first record sent a message, and the second received it */
    CSY_ORDER_SYNC,        /* the second record is a send that waited for its receive, and the first
                            * record is this receive, so it began before the send ended */
    CSY_ORDER_GROUP,       /* the first record entered the group, and the second left it */
    CSY_ORDER_NAMED,       /* the second record names the first one as its predecessor */
    CSY_ORDER_BUFFER,      /* the first record is before the second in the same buffer */
    CSY_ORDER_ROOM,        /* the first record is a wait that took a token from a channel; the
                            * second is a post that needed this room */
    CSY_ORDER_LOCK,        /* the first record released the lock, and the second acquired it
                              later */
    CSY_ORDER_SPAWN,       /* the first record started the location of the second */
    CSY_ORDER_JOIN,        /* the second record waited for the end of the location of the first */
    /* The next three kinds limit how long after the second record the first one can be: at most
     * -latency_ticks. */
    CSY_ORDER_LATENCY_MAX, /* the first record received a message that the second sent, within the
                            * message's longest latency */
    CSY_ORDER_SAME,        /* the trace states that both records happened at the same moment; the
                            * key is the name of the moment */
    CSY_ORDER_OFFSET       /* the clocks of both records were compared; the key is the name of one
                            * clock */
} csy_order_kind;

typedef struct csy_order_step {
    csy_order_kind kind;
    /* Name of the channel, group, buffer, or lock; empty for other kinds. Valid until
     * csy_sync_free. */
    csy_text key;
    int64_t latency_ticks;
} csy_order_step;

/* A constraint of a witness: record_s of thread s precedes record_t of thread t by at least
 * latency_ticks. If timestamps are exact, it follows that g[s] - g[t] <= weight_ticks for the
 * offsets g of the threads. */
typedef struct csy_witness_edge {
    size_t s, t;
    uint64_t record_s, record_t; /* positions of the two records */
    uint64_t place_s, place_t;   /* places of the records: byte offsets in the record file, or lines
                                  * of a CSV */
    int64_t time_s, time_t;      /* local times of the records */
    int64_t weight_ticks;        /* time_t - time_s - latency_ticks, an upper limit of g[s] -
                                  * g[t] */
    /* The sum of the latencies of the messages between the two records; 0 if the records are in one
     * buffer. For an upper limit (csy_order_kind): minus the limit. */
    int64_t latency_ticks;
    /* In a partial order: how record_s precedes record_t, step by step, for example by a message.
     * If two events follow each other in one location, this is not a step. */
    const csy_order_step *steps;
    size_t nsteps;
} csy_witness_edge;

/* Write the steps as text, such as "message 'm' (latency 5), group 'b'". Keys are escaped by
 * csy_escape. The text is empty if there are no steps, and contains only the first four if there
 * are more. Returns text. */
#define CSY_STEPS_TEXT_MAX 960
CSY_API const char *csy_steps_text(const csy_witness_edge *edge, char text[CSY_STEPS_TEXT_MAX]);

/* A cycle of constraints that visits no thread twice. It proves that the trace is infeasible, or,
 * with an exact delta above 0, that no smaller delta is possible. t of each edge is s of the next
 * one. */
typedef struct csy_witness {
    size_t length;
    const csy_witness_edge *edges;
    int64_t weight_ticks;
    csy_fraction least_delta; /* the delta that this cycle alone requires: -weight_ticks / (2
                               * length) */
    /* The drift (csy_options_set_drift) that this cycle would require if timestamps were exact, in
     * ppb, rounded up; 0: 10^9 ppb or more. */
    int64_t least_drift_ppb;
} csy_witness;

/* The place where a trace is cut off, if csy_trace_set_salvage permitted such traces. */
typedef struct csy_cut {
    uint64_t records; /* number of complete records before the cut */
    /* The place of the first byte left out: its offset in the unpacked record file, or the line of
     * a CSV. */
    uint64_t place;
    char text[1024]; /* the reason, such as "t.trace: offset 4096: truncated record: need 24 bytes,
                      * have 7" */
} csy_cut;

typedef struct csy_trace csy_trace;
typedef struct csy_sync csy_sync;

/* The version of the library in use; CSY_VERSION is the version of this header. */
CSY_API const char *csy_version(void);

/* Write the names and versions of the libraries in use and of built-in features to a buffer of
 * `size` bytes. A text that does not fit is shortened. Example: "libxml2 2.9.14, zlib 1.2.13, igzip
 * 2.30.0, libotf2 3.0.2, 64-bit". */
CSY_API void csy_features(char *buffer, size_t size);

/* Parse "7/2", "0.25", or "3" exactly, reduced to lowest terms. Returns false for other texts,
 * negative numbers, and denominators above 10^6. */
CSY_API bool csy_fraction_parse(const char *text, csy_fraction *out);

/* Parse a time with a unit, such as "1us", "2.5 ms", "7/2 ns", "1 s", or "3 ticks", exactly as
 * ticks of a timebase. The number is as for csy_fraction_parse; without a unit it is in ticks.
 * Returns false for other texts, and if the ticks do not fit. timebase_hz > 0. */
CSY_API bool csy_time_parse(const char *text, uint64_t timebase_hz, csy_fraction *ticks);

/* Write ticks of a timebase as a time with three significant digits, such as "2.47 ms", "35 ns",
 * "-1.5 us", or "0 ns". The unit is the largest of ns, us, ms, and s that gives at least 1. Below 1
 * ns the text is like "0.333 ns", and from 1000 s on it has whole seconds. Halves are rounded away
 * from 0. ticks.den > 0, timebase_hz > 0. Returns text. */
#define CSY_TIME_TEXT_MAX 80
CSY_API const char *csy_time_text(csy_fraction ticks, uint64_t timebase_hz,
                                  char text[CSY_TIME_TEXT_MAX]);

/* Copy text for a message or a terminal. Control bytes, non-ASCII bytes, and backslashes become
 * \xNN. If the result does not fit in `size` bytes, at least 8, it ends in "...". */
CSY_API void csy_escape(char *buffer, size_t size, const char *text);

/* Undo the escapes of a text from csy_escape, a warning, or a csy_error, for a terminal with UTF-8.
 * Backslashes, invalid UTF-8, controls including C1, and characters that are invisible or change
 * the direction of writing remain escaped. Returns text. */
CSY_API char *csy_unescape(char *text);

/* Tell the library that terminals display UTF-8; default false. Text reports and tables that are
 * written to a terminal then show names as csy_unescape does, for all later calls in this process.
 * Other outputs do not change. */
CSY_API void csy_set_terminal(bool utf8);

/* The unit of times in a CSV. */
typedef enum csy_time_unit {
    /* The name of the column states the unit, such as time_us. Without a unit in the name: whole
     * ticks, or dates as in RFC 3339. */
    CSY_TIME_AUTO = 0,
    CSY_TIME_TICKS,
    CSY_TIME_S, /* decimal numbers; a time that is not a whole number of ticks is refused */
    CSY_TIME_MS,
    CSY_TIME_US,
    CSY_TIME_NS
} csy_time_unit;

/* Settings for reading a trace. As with csy_options, a new object has the defaults, setters refuse
 * invalid values, and the caller frees *out. */
typedef struct csy_input csy_input;
CSY_API csy_status csy_input_new(csy_input **out, csy_error *error);
CSY_API void csy_input_free(csy_input *input);

/* Set the format of the input. Default CSY_FORMAT_AUTO: the content decides. CSY_USAGE for a format
 * that is for output only. */
CSY_API csy_status csy_input_set_format(csy_input *input, csy_format format, csy_error *error);

/* Set the unit of times in a CSV. Default CSY_TIME_AUTO. */
CSY_API csy_status csy_input_set_time_unit(csy_input *input, csy_time_unit unit, csy_error *error);

/* Set the number of bits of the counters in a CSV, from 4 to 62. Such a counter starts again from 0
 * after 2^bits - 1, and cellsync continues the times of each clock (cellsync-csv(5), Counters).
 * Default 0: counters do not wrap. A line "# clock NAME wrap_bits=N" of the CSV overrides this for
 * one clock. CSY_USAGE for other values. Whether the times of the CSV fit is checked when a trace
 * is read. */
CSY_API csy_status csy_input_set_counter_bits(csy_input *input, unsigned bits, csy_error *error);

/* Set which columns of a CSV contain the thread and the time if their names are not known:
 * "thread=NAME,time=NAME"; see cellsync-csv(5), CSV traces. The text is copied. NULL, the default:
 * the names of the columns decide. csy_trace_open checks that the columns exist. */
CSY_API csy_status csy_input_set_columns(csy_input *input, const char *columns, csy_error *error);

/* Set a file of measured offsets between the clocks of a trace in partial order. The file is a CSV
 * with the columns clock, time, other_clock, and other_time, and optionally begin and within; see
 * cellsync-csv(5), Files of measured offsets. The path is copied; default NULL: no file.
 * csy_trace_open reads the file. csy_check also reads it, for traces that were synchronized with
 * it. */
CSY_API csy_status csy_input_set_offsets(csy_input *input, const char *path, csy_error *error);

/* Set which locations of an OTF2 archive share a clock. Default CSY_CLOCK_PER_AUTO. */
CSY_API csy_status csy_input_set_clock_per(csy_input *input, csy_clock_per per, csy_error *error);

/* Set which constraints spans imply. Default CSY_SPANS_SOUND. */
CSY_API csy_status csy_input_set_spans(csy_input *input, csy_spans spans, csy_error *error);

/* Open a trace: a .pex with its record files or logs, a CSV, an OTF2 archive by its anchor file,
 * spans or profiles in JSON, or the folder of a run that celltrace(1) wrote. "-" is standard input;
 * unless it is a regular file, it is copied to an unlinked temporary file. input may be NULL for
 * the defaults, and is not kept. CSY_USAGE if input does not fit the trace. The caller frees *out.
 * Cost: reads only the metadata, or JSON as a whole. */
CSY_API csy_status csy_trace_open(const char *path, const csy_input *input, csy_trace **out,
                                  csy_error *error);

/* Set whether csy_trace_open_files joins files. Default CSY_JOIN_AUTO. */
CSY_API csy_status csy_input_set_join(csy_input *input, csy_join join, csy_error *error);

/* Open n > 0 files as one trace. The trace has the threads of all files, and messages may go from
 * one file to another.
 *
 * An operand is the name of a file. If there is no such file, an operand may be NAME=FILE: then
 * NAME and a slash precede the names of all threads and clocks of FILE. "-" is standard input.
 *
 * *out is NULL, with CSY_OK, in two cases, both with CSY_JOIN_AUTO: if the files are separate
 * traces; and if a file cannot be opened and no other file is to be joined. In the second case,
 * csy_trace_open on that file reports the reason.
 *
 * CSY_INPUT, with the file and the place, if the files do not fit together: a thread is in two
 * files, their ticks differ, or a channel has sends in two files. CSY_USAGE for NAME=FILE, and for
 * CSY_JOIN_ALWAYS, if the format of a file is never joined. The caller frees *out. Cost: reads all
 * files, and copies the rows of CSV files to an unlinked temporary file. */
CSY_API csy_status csy_trace_open_files(const char *const *operands, size_t n,
                                        const csy_input *input, csy_trace **out, csy_error *error);

/* The number of files that were joined into the trace; 0 if no files were joined. */
CSY_API size_t csy_trace_nfiles(const csy_trace *trace);

/* The name of the file with this index, below csy_trace_nfiles; NULL if there is none. */
CSY_API const char *csy_trace_file(const csy_trace *trace, size_t index);

/* Convert a place of a record in the trace (such as csy_witness_edge.place_s) to a place in the
 * file that contains the record, and return the name of that file. If no files were joined, *place
 * does not change, and the name of the trace is used. */
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

/* Add a thread to a trace of csy_trace_new. *out is the index of the thread for csy_new_event.
 * Threads that share a clock give the name of the clock. If `clock` is NULL or "", the thread has a
 * clock of its own, with the thread's name. The clock "ppe" is the reference unless options set
 * another one. Names are copied, without blanks around them. Threads with the same thread and clock
 * names are the same thread in the solution. CSY_USAGE for an empty name, and for a trace that was
 * opened. O(1). */
CSY_API csy_status csy_trace_add_thread(csy_trace *trace, const char *name, const char *clock,
                                        size_t *out, csy_error *error);

/* An event to be added. Set unused members to 0. */
typedef struct csy_new_event {
    size_t thread;       /* a thread from csy_trace_add_thread */
    int64_t time_ticks;  /* the time by the clock of the thread; any int64 */
    bool interval;       /* true if the event has a begin, at begin_ticks */
    int64_t begin_ticks; /* the begin by the same clock, at most time_ticks; used only if
                          * `interval` */
    const char *name;    /* what happened; copied, without blanks around it; NULL: no name */
} csy_new_event;

/* Add n events to a trace of csy_trace_new, in the order of their arrival in the one buffer that
 * all threads share. Bounds rest on that order. On failure no event is added. CSY_USAGE for a
 * thread that was not added, and for a trace that was opened. CSY_INPUT for an interval that begins
 * after its time. CSY_MEMORY if memory is insufficient, or if csy_set_max_memory does not permit
 * the array of all events. Cost: amortized O(1) for each event and each byte of its name; 24 bytes
 * of memory an event, twice that after growing, and each different name once.
 *
 * Solutions and csy_events that already exist still refer to the earlier trace. Functions that
 * would read the trace for them fail with CSY_IO ("changed while it was read"); call
 * csy_trace_synchronize again. */
CSY_API csy_status csy_trace_add(csy_trace *trace, const csy_new_event *events, size_t n,
                                 csy_error *error);

/* Free the trace after its solutions and csy_events. As for all free functions, NULL is allowed. */
CSY_API void csy_trace_free(csy_trace *trace);

/* The format of the trace; CSY_FORMAT_AUTO for a trace of csy_trace_new. */
CSY_API csy_format csy_trace_format(const csy_trace *trace);
/* The word for places of records: "offset" for byte offsets, "line", or, for a trace of
 * csy_trace_new, "event" for positions. */
CSY_API const char *csy_trace_place_name(const csy_trace *trace);
/* the name given to csy_trace_open or csy_trace_new */
CSY_API const char *csy_trace_name(const csy_trace *trace);
CSY_API const char *csy_trace_machine(const csy_trace *trace); /* "" if it has no name */
CSY_API uint64_t csy_trace_timebase_hz(const csy_trace *trace);

/* Returns true if csy_sync_write_trace has written the trace, which is a CSV. Synchronizing it
 * again does no harm, but gives no new result. */
CSY_API bool csy_trace_is_synchronized(const csy_trace *trace);

/* Returns true if the trace does not state how long a tick is: a CSV in ticks without a
 * timebase. */
CSY_API bool csy_trace_timebase_assumed(const csy_trace *trace);

/* The index-th warning about the file of the trace, without a newline; NULL after the last one.
 * Texts are valid until csy_trace_free. Passes over the trace may add warnings. */
CSY_API const char *csy_trace_warning(const csy_trace *trace, size_t index);

/* Set the number of worker threads, including the caller; 0, the default, means one for each core.
 * At most 16 workers read and write records. Results are the same for any number. It takes effect
 * with the next pass over the records. */
CSY_API void csy_trace_set_workers(csy_trace *trace, unsigned workers);

/* Set the function that reports the progress of all further work on a trace: solving, passes over
 * its records, and writing. progress may be NULL, the default: none. */
CSY_API void csy_trace_set_progress(csy_trace *trace, csy_progress progress, void *user);

/* Set whether a trace that is cut off is read up to its last complete record. Default false: it is
 * refused. A trace is cut off if a file or gzip data end too early, or before the number of records
 * in the header. Set it before csy_trace_synchronize. */
CSY_API void csy_trace_set_salvage(csy_trace *trace, bool salvage);

/* Solve a trace; options may be NULL for the defaults. With CSY_INFEASIBLE, *out is a solution with
 * threads and a witness, but without offsets and bounds. For all other failures, *out is not
 * written. The caller frees *out before the trace. Cost: one pass over the records, a second one if
 * a decrementer was written, and a few more if order and clocks contradict each other; plus the
 * cost of the engine, see csy_engine. */
CSY_API csy_status csy_trace_synchronize(csy_trace *trace, const csy_options *options,
                                         csy_sync **out, csy_error *error);

/* Read the solution of a synchronized trace without synchronizing it again: from the table of a
 * .pex with a global clock, or from the rows of a CSV with a column global_time and the comment
 * that cellsync wrote there. Nothing is proved; use csy_check for that.
 *
 * The solution has:
 * - threads with offsets (CSY_NO_OFFSET if no single offset moves all rows of a thread);
 * - reference, alpha, imprecision, and the clock report;
 * - the positions of left-out records, and events with the global times of the file;
 * - for a .pex: earliest_ticks, latest_ticks, and csy_sync_bounds for pairs with the reference.
 *
 * All other results are 0. Reports, graphs, and writing require more, and fail with CSY_USAGE.
 *
 * CSY_INPUT for a trace that was not synchronized or is inconsistent, and for a .pex by Lamport's
 * methods: it has no local times, and they cannot be restored because different traces give the
 * same .pex. The caller frees *out before the trace. Cost: for a .pex, proportional to its table;
 * for a CSV, a pass over its rows. */
CSY_API csy_status csy_trace_read_solution(csy_trace *trace, csy_sync **out, csy_error *error);

/* Compute the bounds between all clocks for a solution that was read from a .pex. The table in a
 * .pex has only the bounds to the reference. This solves the original records again.
 * csy_sync_bounds, csy_sync_bound_sum, and analyses then use these bounds. CSY_INPUT if they
 * contradict the table. Does nothing for a solution of a CSV, for methods without bounds, and if
 * records were left out (csy_dropped). Cost: as csy_trace_synchronize, without finding delta. */
CSY_API csy_status csy_sync_renew_bounds(csy_sync *sync, csy_error *error);

/* Returns true if the trace has a solution to read: a .pex with a global clock, which
 * csy_trace_synchronize refuses, or a CSV with a column global_time. */
CSY_API bool csy_trace_has_solution(const csy_trace *trace);
CSY_API void csy_sync_free(csy_sync *sync);

/* The properties of a solution. Returned pointers are valid until csy_sync_free. An index must be
 * below csy_sync_nthreads or csy_sync_ntracks; it is not checked. */
CSY_API uint64_t csy_sync_records(const csy_sync *sync);
CSY_API size_t csy_sync_nthreads(const csy_sync *sync);
CSY_API const csy_thread *csy_sync_thread(const csy_sync *sync, size_t index);
CSY_API size_t csy_sync_ntracks(const csy_sync *sync); /* 0 for a .pex */
CSY_API const csy_track *csy_sync_track(const csy_sync *sync, size_t index);

/* Find the index of a csy_thread by a name of `size` bytes. If no csy_thread has this name, find
 * the clock of the csy_track with this name. CSY_USAGE, with a similar name in the message, if
 * there is no such name, or if tracks with this name run on several clocks. Cost: O(number of
 * names). */
CSY_API csy_status csy_sync_find_thread(const csy_sync *sync, const char *name, size_t size,
                                        size_t *out, csy_error *error);
CSY_API size_t csy_sync_reference(const csy_sync *sync);
CSY_API csy_fraction csy_sync_alpha(const csy_sync *sync);
CSY_API csy_center csy_sync_center(const csy_sync *sync);
CSY_API const csy_imprecision *csy_sync_imprecision(const csy_sync *sync);
CSY_API const csy_order *csy_sync_order(const csy_sync *sync);
/* The relations of a partial order; NULL if the trace is not in partial order. */
CSY_API const csy_matched *csy_sync_matched(const csy_sync *sync);
/* The results for drifting clocks; NULL if no drift was set. */
CSY_API const csy_drift *csy_sync_drift(const csy_sync *sync);
/* Get the errors of the time between two drifting clocks. One method examines the chains (sequences
 * of constraints) that lead from one clock to the other. It is used for at most
 * CSY_DRIFT_PAIRS_THREADS_MAX clocks, and only if `walks` is true, CSY_STATISTICS_ALL was set, or
 * it takes only a fraction of a second. The other method adds the errors of both clocks relative to
 * a common reference, which gives larger errors. by_walks shows which method was used. The first
 * call computes the errors of all pairs. For n clocks, chains take time O(n^2 + CSY_DRIFT_MOMENTS
 * n^3) and 1 KB for each pair. The other method takes 1 KB for each clock. CSY_USAGE if clocks do
 * not drift, or if s and t are not two threads. */
CSY_API csy_status csy_sync_drift_pair(csy_sync *sync, size_t s, size_t t, bool walks,
                                       csy_drift_pair *out, csy_error *error);
/* Find the pair s < t of clocks with the greatest error that csy_sync_drift_pair reports with
 * `walks` false. *any is false if no pair has an error. */
CSY_API csy_status csy_sync_drift_worst(csy_sync *sync, size_t *s, size_t *t, bool *any,
                                        csy_error *error);
CSY_API const csy_clock_report *csy_sync_clock_report(const csy_sync *sync);
CSY_API const csy_cut *csy_sync_cut(const csy_sync *sync); /* NULL if the trace is complete */

/* A place where a clock may have been set. There, the clock was cut: its records up to
 * record_before are on one clock, and its records from record_after on are on another one. Each
 * record in between is on a clock of its own. If several locations use the clock, records are
 * compared by their local times, otherwise by their positions. */
typedef struct csy_step {
    const char *clock; /* name of the clock, owned by the solution */
    uint64_t record_before, record_after;
    /* Number of places, including this one, of which exactly one is where a clock was set. The
     * records do not show which one. 1: this clock was set here. 0: not known, for a solution from
     * csy_trace_read_solution. */
    size_t among;
    bool sized; /* true if the limits below are known, provided that the clock was set here */
    /* limits of the step's size: above 0 if the clock was set forward, below 0 if back */
    int64_t least_ticks, most_ticks;
} csy_step;
/* Get the csy_step with this index. Returns false after the last one. */
CSY_API bool csy_sync_step(const csy_sync *sync, size_t index, csy_step *out);
CSY_API csy_method csy_sync_method(const csy_sync *sync);
CSY_API const csy_damage *csy_sync_damage(const csy_sync *sync); /* NULL unless it was measured */
CSY_API const csy_correction *csy_sync_correction(const csy_sync *sync);
CSY_API const csy_dropped *csy_sync_dropped(const csy_sync *sync); /* never NULL */
/* The statistics over pairs of threads; all 0 for a method without bounds. */
CSY_API const csy_summary *csy_sync_summary(const csy_sync *sync);
CSY_API const csy_witness *csy_sync_witness(const csy_sync *sync); /* NULL if there is none */

/* The likely cause of a contradiction between order and clocks; see cellsync-model(7),
 * Diagnosis. */
typedef enum csy_diagnosis_kind {
    CSY_DIAGNOSIS_NONE = 0,        /* no contradiction: delta is at most 1/2, or was given */
    CSY_DIAGNOSIS_DRIFT,           /* clocks run at different rates */
    CSY_DIAGNOSIS_EARLY_STAMPS,    /* timestamps are taken before records get their places in the
                                    * buffer */
    CSY_DIAGNOSIS_STEPPED_CLOCK,   /* a clock was set */
    CSY_DIAGNOSIS_BAD_CLOCK,       /* one clock contradicts all others */
    CSY_DIAGNOSIS_NOT_INTERLEAVED, /* the file is sorted by thread or by time; reported for any
                                    * delta */
    CSY_DIAGNOSIS_UNKNOWN,         /* no known cause explains the contradiction */
    CSY_DIAGNOSIS_STEPS_BACK, /* time steps back within one thread, and this alone requires all of
                               * delta */
    CSY_DIAGNOSIS_OTHER_UNIT  /* rates of clocks differ by powers of ten */
} csy_diagnosis_kind;

/* A clock in a diagnosis. */
typedef struct csy_diagnosed_clock {
    size_t thread;
    /* For the kinds drift and other_unit: how much faster this clock runs than the clock `against`,
     * in parts of 10^9. A clock at 1/1000 of the rate has -999000000. */
    int64_t rate_ppb;
} csy_diagnosed_clock;

/* Limits that explain the contradictions of a trace: rates for csy_options_set_drift, and a
 * timestamp error. */
typedef struct csy_fit {
    int64_t drift_ppb;  /* greatest difference of a rate from the reference's rate, in parts of
                         * 10^9 */
    int64_t wander_ppb; /* greatest difference of a rate from a constant; 0: rates are constant;
                         * CSY_NO_DRIFT: rates may change at will */
    csy_fraction delta; /* the least timestamp error in ticks; a multiple of 1/2 if clocks drift */
    /* true for the most likely limits, if any are possible for real clocks; at most one csy_fit has
     * true */
    bool plausible;
    /* true if delta is only a lower limit: with these limits, receives may match other sends, and
     * the new order may need a greater delta */
    bool at_least;
    /* The options that solve the trace with these limits, such as "--drift=101,0 --delta=19.1us";
     * NULL if real clocks do not have such rates. */
    const char *options;
    /* For constant rates: example_clock is the clock whose rate is furthest from the reference's
     * rate, and example_ppb is its rate. Below 0 if the clock runs faster; 0 if every rate is 0. */
    size_t example_clock;
    int64_t example_ppb;
} csy_fit;

/* The likely cause of a contradiction, with evidence. Members that do not belong to `kind` are
 * 0. */
typedef struct csy_diagnosis {
    csy_diagnosis_kind kind;
    const char *text; /* the likely cause, the evidence, and what to do next, in one paragraph */
    /* The clocks that the cause concerns. drift: all clocks with relevant rates, or none if it is
     * only known that different rates are a sufficient cause. stepped_clock: all clocks that may
     * have been set. bad_clock, steps_back: one clock. other_unit: all clocks with another unit. */
    size_t nclocks;
    const csy_diagnosed_clock *clocks;
    size_t against; /* for drift and other_unit: the clock that rates are relative to */
    /* delta is the timestamp error that the examined clocks require. left_delta is an upper limit
     * of the timestamp error that they would require after this cause was corrected; only for
     * drift, stepped_clock, bad_clock, and other_unit. */
    csy_fraction delta, left_delta;
    size_t clocks_looked_at; /* number of examined clocks, at most 64; 0: no records were
                              * examined */
    /* windows: number of parts of the trace that were examined. contradicting: number of these that
     * require a delta above 1/2 on their own. */
    size_t windows, contradicting;
    /* For stepped_clock: the clock was set between record_before and record_after, forward (below
     * 0: back) by step_least_ticks to step_most_ticks. For steps_back: time steps back from
     * record_before to record_after, and both limits of the step are equal. */
    uint64_t record_before, record_after;
    int64_t step_least_ticks, step_most_ticks;
    /* For early_stamps: the number of records with a global time below an earlier one, and how far
     * they are below it: the median, the 90th percentile, and the maximum. The first two are
     * rounded up to 1/16. */
    uint64_t early_records;
    int64_t early_median_ticks, early_90_ticks, early_max_ticks;
    /* If clocks may drift by this much (csy_options_set_drift), no timestamp error is needed. The
     * actual drift may be larger. 0: no such drift was found or searched for. */
    int64_t enough_drift_ppb;
    /* At most four explanations, if delta was estimated and is above 1/2; see cellsync-model(7),
     * Explanations. */
    size_t nfits;
    const csy_fit *fits;
    bool fits_untried; /* true if some explanations were not tried, because that would take too
                        * long */
} csy_diagnosis;

/* An entry of a profile: an upper limit of the delta that remains if some records are left out,
 * chosen because they require the greatest delta. See cellsync-model(7), The profile of delta. */
typedef struct csy_profile_entry {
    uint64_t dropped;   /* number of records left out */
    csy_fraction delta; /* the exact least delta without these records */
} csy_profile_entry;

typedef struct csy_profile {
    size_t count; /* number of entries; 0 if delta is at most 1/2, or was not estimated exactly */
    const csy_profile_entry *entries;
    /* true if the profile ends early because more entries would take too long */
    bool cut_short;
    /* The smallest `dropped` that makes delta at least 10 times smaller, so that leaving out these
     * records is worthwhile. 0 if there is no such entry, or if csy_options_set_drop was set. */
    uint64_t advised;
} csy_profile;

/* Compute the profile for 0, 1, 2, 5, 10, 20, ... records left out, until delta is 0 or 1 % of the
 * records are left out. *out belongs to the solution and is computed once. Cost: at most about 60
 * passes over the records. Reports in text, JSON, and HTML call this function. */
CSY_API csy_status csy_sync_profile_delta(csy_sync *sync, const csy_profile **out,
                                          csy_error *error);

/* Find the likely cause of a contradiction between order and clocks. *out belongs to the solution
 * and is computed once. If csy_sync_profile_delta was called before and advises to leave out a few
 * records, the text also gives this advice. Cost: none if delta is at most 1/2; otherwise two or
 * three passes, and a few MiB. Reports in text, JSON, and HTML call both functions. */
CSY_API csy_status csy_sync_diagnose(csy_sync *sync, const csy_diagnosis **out, csy_error *error);

/* Advice for one thread: when to write additional records, and how much smaller the error of the
 * thread relative to the reference would then be. See cellsync-model(7), Advice. All errors are
 * event errors (csy_summary). */
typedef struct csy_advised {
    size_t thread;
    int64_t error_ticks; /* greatest error of the time between an event of the thread and an event
                          * of the reference; -1: no limit */
    /* True if some record of the thread is known to follow, or to precede, some record of the
     * reference. */
    bool after_reference, before_reference;
    /* The global time in which both the thread and the reference have records; there is none if
     * begin is above end. */
    int64_t begin_ticks, end_ticks;
    /* Only for one buffer and a bounded thread: the thread should write an additional record every
     * fine_ticks, and the reference every coarse_ticks. `room` is true if all of these records fit
     * between begin_ticks and end_ticks. */
    int64_t fine_ticks, coarse_ticks;
    bool room;
    /* If `room` is true: local times of the first additional records of the thread and of the
     * reference. Only the difference of the two times matters, so you can shift both by the same
     * amount. */
    int64_t thread_ticks, reference_ticks;
    int64_t then_ticks; /* greatest error after the additional records were written; error_ticks if
                         * `room` is false */
} csy_advised;

/* A gap between two exchanges of messages that bound a drifting clock. */
typedef struct csy_advised_gap {
    size_t thread;
    int64_t begin_local_ticks, end_local_ticks;
    bool at_end;         /* true if the gap begins or ends at the clock's first or last record */
    int64_t error_ticks; /* greatest error of the clock between begin_local_ticks and
                          * end_local_ticks, rounded up */
    /* greatest error that would remain between these times after csy_advice.events additional
     * exchanges of messages, if each of them is as exact as the best exchange of the clock in the
     * trace */
    int64_t then_ticks;
} csy_advised_gap;

typedef struct csy_advice {
    uint64_t events; /* number of additional records of each thread, and of the reference */
    /* how late an additional record may be written; the errors allow for this delay */
    int64_t late_ticks;
    /* unbounded: number of threads, except the reference, whose error has no finite limit. They
     * come first in the array. */
    size_t count, unbounded;
    const csy_advised *threads; /* array of count elements, sorted by error, the greatest first */
    /* For all bounded threads, if each has its additional records: the greatest and the mean error
     * relative to the reference, and an upper limit of the error between any two of the threads. -1
     * if there are no bounded threads. */
    int64_t max_ticks;
    csy_mean mean_ticks;
    int64_t max_spe_ticks;
    /* for drifting clocks: the ten longest gaps between exchanges of messages, the longest first */
    size_t ngaps;
    const csy_advised_gap *gaps;
} csy_advice;

/* Get the advice. *out belongs to the solution. CSY_USAGE unless csy_options_set_advise was called.
 * Cost: O(T log T) for T threads. Reports in text, JSON, and HTML contain the advice, too. */
CSY_API csy_status csy_sync_advise(csy_sync *sync, const csy_advice **out, csy_error *error);

/* A reading of a clock, with the offset that the tracer assumed, the offset of this solution, and
 * the bounds of this offset. For drifting clocks, all are in whole ticks. */
typedef struct csy_tracer_moment {
    int64_t local_ticks;
    int64_t tracer_ticks, offset_ticks;
    int64_t earliest_ticks, latest_ticks;
} csy_tracer_moment;

typedef struct csy_tracer_clock {
    uint64_t readings;             /* number of readings for which the tracer states an offset */
    bool known;                    /* true if the members below are valid */
    csy_tracer_moment first, last; /* at the first and at the last record of the clock */
    /* The reading at which the tracer's offset is farthest outside the bounds. If the tracer's
     * offset is inside the bounds at all readings: the reading at which it is farthest from the
     * solution's offset. */
    csy_tracer_moment worst;
    /* how far outside the bounds the tracer's offset is at the worst reading; 0: it is always
     * inside */
    int64_t outside_ticks;
    int64_t distance_ticks; /* the largest distance between the tracer's and the solution's
                             * offset */
} csy_tracer_clock;

/* The synchronization by the tracer itself (ClockOffset records of OTF2), compared with this
 * solution. The tracer's offsets are relative; they are shown relative to the reference's clock. */
typedef struct csy_tracer {
    uint64_t readings;               /* number of readings of all threads */
    size_t inside, outside, unknown; /* Numbers of clocks, without the reference's clock. inside:
                                      * the tracer's offsets are always within the bounds of this
                                      * solution. outside: some offset is not. unknown: the tracer
                                      * has no offsets of the clock. */
    size_t worst;                    /* the clock with the worst reading; the reference if there is
                                      * no other clock */
    size_t nclocks;
    /* array indexed by thread; if several locations use the thread's clock, the entry is about the
     * location with the worst reading */
    const csy_tracer_clock *clocks;
} csy_tracer;

/* Compare the tracer's own synchronization with this solution. *out belongs to the solution; it is
 * NULL if the format has no such records, and for Lamport's methods. Cost: O(log n) for each of n
 * readings. Reports in text, JSON, and HTML call this function. */
CSY_API csy_status csy_sync_tracer(csy_sync *sync, const csy_tracer **out, csy_error *error);

/* The messages that were received before they were sent, according to one kind of time. */
typedef struct csy_backward {
    bool known; /* true if the other members are known; otherwise they are 0 */
    uint64_t count;
    int64_t largest_ticks; /* the largest time from a receive to its later send, at most
                            * INT64_MAX */
} csy_backward;

/* Numbers of messages that were received before they were sent. A post with its wait counts as a
 * message. `raw` counts by raw timestamps, `tracer` by the times that the tracer itself corrected
 * (csy_tracer), and `ours` by the global times of this solution. Raw timestamps of different
 * decrementers cannot be compared. Lamport's methods give global times only to the ends of records.
 * Latencies of messages are not considered. */
typedef struct csy_violations {
    uint64_t messages;
    csy_backward raw, tracer, ours;
} csy_violations;

/* Count the messages that were received before they were sent. *out belongs to the solution; it is
 * NULL if no messages were matched. Cost: O(1) for each stored message; O(log n) if the tracer has
 * n readings of a clock. Reports in text, JSON, and HTML call this function. */
CSY_API csy_status csy_sync_violations(csy_sync *sync, const csy_violations **out,
                                       csy_error *error);

/* Get the limits of the difference of two offsets: lower <= g[s] - g[t] <= upper. Both limits are
 * possible values ([BHH08] eq. (7)). INT64_MIN and INT64_MAX mean unbounded. *error_ticks (may be
 * NULL) is upper - lower, or -1 if that is infinite. CSY_USAGE if s or t is no thread.
 *
 * Make s the outer loop. If the engine is the sweep (csy_engine), a call with an s that is not near
 * the previous s takes O(T W), for T threads, W of them live at once. The solution keeps up to 64
 * MiB of results. */
CSY_API csy_status csy_sync_bounds(csy_sync *sync, size_t s, size_t t, int64_t *lower_ticks,
                                   int64_t *upper_ticks, int64_t *error_ticks, csy_error *error);

/* A figure with a range: its least and greatest values for all offsets that the order of the
 * records permits. The kind of a range states how its two ends were found. */
typedef enum csy_range_kind {
    CSY_RANGE_EXACT = 0, /* both ends are possible values */
    CSY_RANGE_PROVEN,    /* the value is guaranteed to be within the range */
    CSY_RANGE_STAR,   /* The value is guaranteed to be within the range, but the range may be wider
                       * than necessary: it follows only from the bounds between each clock and the
                       * reference. */
    CSY_RANGE_CLOCK,  /* for analyses: the figure depends on the timestamps of a single clock, so it
                       * needs no bounds; lo and hi are equal to `estimate` */
    CSY_RANGE_UNKNOWN /* for analyses: the solution has no bounds, for example because of its
                       * method; lo and hi are not valid */
} csy_range_kind;
typedef struct csy_range {
    int64_t estimate; /* the value that follows from the offsets of the solution */
    int64_t lo, hi;   /* ends of the range; INT64_MIN and INT64_MAX mean no limit */
    csy_range_kind kind;
} csy_range;

/* Get the range of a sum over all threads t: coefficients[t] times the offset of t. The
 * coefficients must sum to 0, so that only differences between offsets have an influence. For
 * example, intervals may begin on one clock and end on another. The sum of their lengths is such a
 * sum of offsets plus a sum of local times, which you add yourself.
 *
 * The range is exact if at most CSY_BOUND_SUM_PAIRS_MAX pairs of clocks have coefficients of
 * different signs. With more such pairs, and for a solution from csy_trace_read_solution, the range
 * may be wider than necessary, because it follows only from the bounds to the reference. CSY_USAGE
 * if the solution has no bounds, or if the coefficients do not sum to 0. CSY_INPUT if an end
 * exceeds 64 bits. Cost: the bounds of all these pairs, and two minimum-cost flows between them; 60
 * bytes a pair. */
#define CSY_BOUND_SUM_PAIRS_MAX ((uint64_t)1 << 20)
CSY_API csy_status csy_sync_bound_sum(csy_sync *sync, const int64_t *coefficients, csy_range *out,
                                      csy_error *error);

/* A moment on a clock: the timestamp of a record, or any other reading of the clock. */
#define CSY_NO_RECORD UINT64_MAX
typedef struct csy_instant {
    size_t thread;
    int64_t local_ticks;
    uint64_t record; /* position of the record with this timestamp; CSY_NO_RECORD for other
                      * readings */
} csy_instant;

typedef enum csy_verdict {
    CSY_BEFORE_NO = 0, /* a is after b or at the same time */
    /* a is before b. If the range includes 0, both may be at the same time. For records of one
     * buffer: the record of a precedes the record of b. */
    CSY_BEFORE_YES,
    CSY_BEFORE_UNKNOWN /* the records permit both orders */
} csy_verdict;

/* Find out if a was before b. *distance is the range of the time of a minus the time of b,
 * including the error of timestamps by delta.
 *
 * For two records of one buffer, *verdict is their order in the buffer, unless one of them was left
 * out (csy_dropped). The range is CSY_RANGE_PROVEN if delta is above 0 or clocks drift. For
 * drifting clocks, it is in ticks of the reference's clock.
 *
 * CSY_USAGE if the solution has no bounds, if a thread does not exist, and if two drifting clocks
 * do not bound each other on both sides. CSY_INPUT if an end exceeds 64 bits. Cost: as for
 * csy_sync_bounds, and 8 bytes a thread. For drifting clocks: passes over the readings that
 * determine bounds, with 32 bytes for each reading. */
CSY_API csy_status csy_sync_before(csy_sync *sync, const csy_instant *a, const csy_instant *b,
                                   csy_verdict *verdict, csy_range *distance, csy_error *error);

/* Convert a local time to global time, rounded down, by the clock alone. Corrections of single
 * events, such as monotonic times, are not applied. CSY_USAGE for a thread that does not exist;
 * CSY_INPUT if the result exceeds 64 bits; CSY_INFEASIBLE if there is no solution. */
CSY_API csy_status csy_sync_global(const csy_sync *sync, size_t thread, int64_t local_ticks,
                                   int64_t *global_ticks, csy_error *error);

/* Warnings for users: the bounds are wrong if an assumption is wrong. Each function writes its
 * warning to `text` and returns `text`. If there is nothing to warn about, it returns NULL.
 * - csy_sync_delta_warning, if the timestamp error was only estimated (`conditional` in
 * csy_imprecision): "the timestamps contradict the order of events by up to 4.93 ms: bounds hold
 * only if no timestamp is off by more than 2.47 ms". If the error is improbably large, the text
 * also names the likely cause. Call csy_sync_diagnose before for a better diagnosis.
 * - csy_sync_assumed_warning, if the number of wraps of a counter was assumed (csy_clock_report):
 * "all times and bounds hold only if 1 assumed number of wraps is correct".
 * - csy_sync_dropped_warning, if records were left out (csy_dropped): "3 records are left out:
 * the bounds hold for the other records".
 * - csy_sync_order_warning, if the records look sorted (csy_sorted): "the rows look sorted by
 * thread: bounds hold only if the records are in the order in which they were written". */
#define CSY_WARNING_TEXT_MAX 400
CSY_API const char *csy_sync_delta_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
CSY_API const char *csy_sync_assumed_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
CSY_API const char *csy_sync_dropped_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
CSY_API const char *csy_sync_order_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
/* Warns that the reference does not bound some clocks on both sides: "no event connects the clock
 * of C to the clock of A: its offset is arbitrary, and its global times cannot be compared with the
 * times of A", "the offsets of the clocks of C and 2 others from the clock of A are limited on one
 * side only", or both, separated by a semicolon. */
CSY_API const char *csy_sync_unbounded_warning(const csy_sync *sync,
                                               char text[CSY_WARNING_TEXT_MAX]);
/* Warns about sends and receives without a partner, if the trace states that its messages are
 * complete: "3 sends and 0 receives have no counterpart, although the trace declares its messages
 * complete". For an OTF2 archive that does not state this, the warning also contains the total
 * numbers: "20 of 20 sends and 0 of 0 receives have no counterpart, so they give no order; EZTrace,
 * for example, does not record the completion of MPI_Irecv". */
CSY_API const char *csy_sync_messages_warning(const csy_sync *sync,
                                              char text[CSY_WARNING_TEXT_MAX]);
/* Warns about channels that were left out because of different numbers of sends and receives:
 * "channel 'AB' (99 sends, 100 receives) is left out because messages are missing; give each
 * message its own key". There is no such warning for archives and runs, because their recorders
 * chose the keys. */
CSY_API const char *csy_sync_channels_warning(const csy_sync *sync,
                                              char text[CSY_WARNING_TEXT_MAX]);
/* Warns if timestamps of clocks seem to be multiples of a step of many ticks. To find steps, the
 * function examines the first and last timestamp of each clock. If these do not decide, it reads
 * the first 65536 records again, with up to 32 other timestamps of each clock. To find steps that
 * are not whole ticks, it reads up to 4096 records.
 *
 * There is no warning if delta is at least half a step. If only one clock has steps and rounds to
 * the nearest one, a quarter of the step plus half a tick is enough; so there is no warning if you
 * gave such a delta. Texts: "the clocks of A and 2 others seem to advance in steps of up to 1000
 * ticks (1 us). If so, pass --delta=500 (500 ns) or more; with a smaller delta, bounds may be
 * false", "the clock of A seems to advance ...", or for all "all clocks seem to advance ...". For
 * an uneven step, the text contains "of about 69.8 ticks (69.8 ns)", and the step plus a tick
 * counts as the step.
 *
 * If times have a unit, the number of decimals in the first 4096 rows shows a step, in traces of
 * any size: "timestamps are written in steps of 1000 ticks (1 us). Unless they are exact, pass
 * --delta=500 (500 ns) or more; ...". If timestamps are doubles with at most 17 digits: "timestamps
 * of A and 2 other clocks seem to have been converted through floating-point numbers, in steps of
 * 256 ticks (256 ns). If so, pass --delta=178 (178 ns) or more; ...".
 *
 * Returns NULL if there is no warning, for a single clock, and if out of memory. */
CSY_API const char *csy_sync_coarse_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* Warns if an archive or a run has clocks of several hosts, and no drift was set, so that equal
 * rates are assumed: "bounds assume that the clocks of all 2 hosts run at equal rates; a difference
 * of 100 ppm, which is common between crystals, adds up to 29.6 us in this trace; pass --drift=101
 * to allow for this difference". NULL also if the difference comes to less than a tick. */
CSY_API const char *csy_sync_rates_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* Returns the premises that csy_options_set_premises chose because no option set them, as a clause
 * after "assuming that": "the clocks run within 101 ppm of each other and were not set during the
 * trace, and timestamps are rounded to 1 us; if not, pass --drift or --delta". NULL if no premise
 * was chosen in this way, for a single clock, and for a method without bounds. O(threads). */
CSY_API const char *csy_sync_premise(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* Returns true if the premises (csy_options_set_premises) would have permitted different rates, but
 * an option or CSY_PREMISES_ONE_RATE requires equal rates. */
CSY_API bool csy_sync_rates_asked(const csy_sync *sync);

/* Returns the lower limit of delta, in ticks, that the premises chose: half a step of the
 * timestamps, or half a tick for clocks that do not tick at the same instants. 0 if neither
 * applies. */
CSY_API csy_fraction csy_sync_delta_floor(const csy_sync *sync);

/* The condition under which bounds hold, as a clause after "bounds hold if", with advice. The
 * clause has up to three parts:
 * - That timestamps are as accurate as delta: "every timestamp is exact to the tick; otherwise pass
 * --delta", "every timestamp is good to 500 ns; otherwise pass a greater --delta". If delta was
 * estimated, csy_sync_delta_warning states this condition instead.
 * - For clocks that are not of one Cell machine: that all clocks run at one rate, if no drift was
 * set, and that they step at the same instants, if delta is below half a tick: "all clocks run at
 * one rate and step at the same instants, and every timestamp is exact to the tick; otherwise pass
 * --drift, --delta=1/2 or more, or both".
 * - For drifting clocks: that no clock was set, and the limits of rates, before the other parts:
 * "no clock was set, no clock runs more than 101 ppm faster or slower than the reference, the rate
 * of each clock stays within 1 ppm of a constant, and every timestamp is correct to within 500 ns;
 * if not, pass larger limits with --drift, a larger --delta, or both".
 *
 * NULL if no part applies, if the solution has no bounds, and for a single clock. Returns text.
 * Cost: as for csy_sync_coarse_warning, and O(threads). */
CSY_API const char *csy_sync_condition(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);

/* Get one of the conditions under which the bounds hold. `index` counts from 0, and the result is
 * NULL after the last condition. Each text completes a sentence that begins with "bounds hold if".
 * csy_sync_condition gives the first condition, too. The following conditions occur only in some
 * traces:
 * - If the rows are few and in order of time: "the rows are in the order of writing; they may have
 * been sorted by time, and then the bounds are false".
 * - If a channel has several messages: "every message of a channel was recorded at both ends".
 * - If an OTF2 archive has locations of accelerators: "the tracer converted the timestamps of 2
 * accelerator locations to the clocks of their processes without error; otherwise pass
 * --clock-per=location".
 * - If options or the trace state latencies of messages, records that happened at the same moment,
 * or comparisons of clocks, for example: "no message took less than 120 us (--latency=120000)".
 * - If counters of a CSV wrap: "the counter of B wraps at 24 bits and was continued: ...".
 * - If clocks were cut: "B was set back by 3.000 ms (2.998 to 3.003) between lines 412 and 413, and
 * no clock was set elsewhere".
 *
 * Returns text. Cost: as for csy_sync_condition. */
CSY_API const char *csy_sync_condition_at(const csy_sync *sync, size_t index,
                                          char text[CSY_WARNING_TEXT_MAX]);

/* A warning about a solution, or a condition of its bounds. */
typedef struct csy_caveat {
    const char *key; /* names the caveat for programs, such as "delta"; a constant string */
    bool condition;  /* true: the text is a condition, and completes the sentence "bounds hold if";
                      * false: it is a warning */
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
 *   conditions  stamps: csy_sync_condition; order, both_ends, keys, converted, measured, stated,
 *               counters, steps: others of csy_sync_condition_at
 *
 * Later versions may add keys. */
CSY_API bool csy_sync_next_caveat(const csy_sync *sync, size_t *next, csy_caveat *caveat);

/* Convert the error bound of a pair of threads to its event error (csy_summary). -1 for an error
 * bound of -1. */
CSY_API int64_t csy_sync_event_error(const csy_sync *sync, int64_t error_ticks);

/* A constraint of a chain. Its slack is the amount by which the offsets of the solution satisfy it,
 * with added_ticks (csy_imprecision). */
typedef struct csy_chain_edge {
    csy_witness_edge constraint;
    int64_t slack_ticks;
    /* global times of record_s and record_t in the written trace, with the corrections for
     * monotonic times */
    int64_t global_s, global_t;
} csy_chain_edge;

/* A shortest chain of constraints from thread s to thread t. The weights of the constraints, plus
 * added_ticks (csy_imprecision) for each, sum to end_ticks, so g[s] - g[t] <= end_ticks. t of each
 * edge is s of the next one. */
typedef struct csy_chain {
    size_t s, t;
    int64_t end_ticks; /* upper limit of g[s] - g[t]; INT64_MAX if there is no chain */
    size_t length;
    const csy_chain_edge *edges;
} csy_chain;

typedef struct csy_explanation {
    csy_chain upper; /* chain from s to t; shows that g[s] - g[t], the difference of the offsets, is
                      * at most upper.end_ticks */
    csy_chain lower; /* chain from t to s; shows that g[s] - g[t] is at least -lower.end_ticks */
} csy_explanation;

/* Find the records that limit the difference of the offsets of threads s and t, upwards and
 * downwards. The caller frees *out. CSY_USAGE if s or t is no thread, if they are equal, and
 * without bounds. Cost: a pass over the records, and memory proportional to the number of
 * constraints on shortest chains from and to s. */
CSY_API csy_status csy_sync_explain(csy_sync *sync, size_t s, size_t t, csy_explanation **out,
                                    csy_error *error);
CSY_API void csy_explanation_free(csy_explanation *explanation);

/* A step of a chain (sequence of constraints) between drifting clocks. The step first follows clock
 * s, from the local time at which the previous step ended to the local time time_s. Then it follows
 * a constraint to the local time time_t of clock t. */
typedef struct csy_drift_step {
    size_t s, t;
    /* The first records of s and t with these timestamps, or CSY_NO_RECORD. */
    uint64_t record_s, record_t;
    uint64_t place_s, place_t; /* places of the records, as in csy_witness_edge */
    int64_t time_s, time_t;    /* local times of the records */
    int64_t global_s, global_t;
    /* Limit for the time along clock s: the global time when the previous step ended, minus the
     * global time at time_s, is at most `passed`. */
    csy_fine passed;
    csy_fine most;  /* For the constraint: upper limit of the global time at time_s of clock s,
                     * minus the global time at time_t of clock t. */
    csy_fine slack; /* distance of the constraint from its limit, by the solution's offsets */
} csy_drift_step;

/* A shortest chain of constraints from a reading of clock s to a reading of clock t. The global
 * time of the first reading minus the global time of the second is at most `most`. This is the sum
 * of `passed` and of the limits of all steps. */
typedef struct csy_drift_chain {
    size_t s, t;
    csy_fine most;
    csy_fine passed; /* Limit for the time along clock t after the last step: the global time at
                      * which this step ended, minus the global time of the reading of t, is at most
                      * `passed`. */
    size_t length;
    const csy_drift_step *steps;
} csy_drift_chain;

typedef struct csy_drift_explanation {
    bool bounded;         /* true if the two clocks bound each other; otherwise all members below
                           * are 0 */
    int64_t moment_ticks; /* global time of the examined moment: worst_moment_ticks of
                           * csy_drift_pair */
    csy_instant s, t;     /* readings of the two clocks at the moment, as explained at
                           * CSY_DRIFT_MOMENTS */
    csy_drift_chain upper, lower; /* upper: limits how much later the reading of s can be than the
                                   * reading of t. lower: limits how much later the reading of t can
                                   * be. */
} csy_drift_explanation;

/* Find the chains of constraints that limit the time between two drifting clocks, at the moment
 * with the greatest error by csy_sync_drift_pair. The caller frees *out. The chains are always the
 * shortest ones, also if csy_sync_drift_pair did not examine chains. Cost: csy_sync_drift_pair,
 * csy_sync_before twice, and a pass over the records. CSY_USAGE as for csy_sync_drift_pair. */
CSY_API csy_status csy_sync_drift_explain(csy_sync *sync, size_t s, size_t t,
                                          csy_drift_explanation **out, csy_error *error);
CSY_API void csy_drift_explanation_free(csy_drift_explanation *explanation);

/* A record with its local and global times. Pointers are valid until the next call. */
typedef struct csy_event {
    uint64_t record; /* position of the record */
    size_t thread;
    size_t track; /* index of the csy_track, or CSY_NO_TRACK */
    int64_t local_ticks;
    int64_t global_ticks;
    const uint8_t *bytes; /* the record as in its file: big-endian, or a CSV row */
    size_t size;
} csy_event;

typedef struct csy_events csy_events;

/* Read the trace again with its global times. Several csy_events may be open at once, each with its
 * own position, even while the trace is synchronized or written. Free *out before trace and
 * solution. Cost: opening reads the metadata of a CSV, and needs about 1 MiB for any number of
 * records. csy_events_next sets *more to false after the last event. */
CSY_API csy_status csy_events_open(const csy_sync *sync, csy_events **out, csy_error *error);
CSY_API csy_status csy_events_next(csy_events *events, csy_event *event, bool *more,
                                   csy_error *error);

/* Continue at the record with this position, from 0 to csy_sync_records, which is the end;
 * CSY_USAGE for a greater position. Cost of moving forwards: a pass over the records in between, at
 * least as fast as csy_trace_synchronize. Cost of moving backwards: a pass over all records before
 * the position, because local times depend on these. */
CSY_API csy_status csy_events_seek(csy_events *events, uint64_t record, csy_error *error);

/* The kind of core that wrote a record; a .pex states it for each record, and a CSV may. */
typedef enum csy_core { CSY_CORE_NONE = 0, CSY_CORE_PPE, CSY_CORE_SPE } csy_core;

/* The decoded contents of a record. Missing information is 0, NULL, or CSY_CORE_NONE. */
typedef struct csy_decoded {
    uint64_t record; /* position of the record */
    int64_t local_ticks, global_ticks;
    /* The begin of an interval, by the clock of its thread and in global time. For other records:
     * the times of the record. For PPE records of a .pex, the traced program wrote the begin, which
     * is not checked. It is stored as int64_t, modulo 2^64. */
    int64_t local_begin_ticks, global_begin_ticks;
    /* The fields of the record, nfields elements. For a .pex: the numbers of the payload, in
     * `values`. For a CSV: all columns, in `texts`. */
    const uint64_t *values;
    const csy_text *texts;
    const char *name; /* name of the event, with name_size bytes; it may lack a NUL */
    /* in a run: name of the routine that the record enters, leaves, or is in, with routine_size
     * bytes and no NUL */
    const char *routine;
    /* in a run: name of another thread that the event concerns, with about_size bytes and no NUL */
    const char *about;
    const uint8_t *bytes; /* the record as in its file, `size` bytes */
    uint32_t size;
    uint32_t name_size;
    uint32_t routine_size; /* length of `routine`; 0 if there is none */
    uint32_t about_size;   /* length of `about`; 0 if there is none */
    uint32_t nfields;
    uint32_t thread; /* index of the thread in the solution */
    uint32_t track;  /* index of the csy_track, or CSY_NO_TRACK */
    uint32_t tid;    /* in a .pex: id of the PPE thread, or of the SPE context */
    csy_core core;
    uint16_t id;   /* in a .pex: id of the type of event */
    bool interval; /* true if the event has a begin */
} csy_decoded;

/* Decode up to n >= 1 of the next events into out. *got is their number. It is less than n whenever
 * that is faster, and 0 only after the last event. After a failure, *got events are valid. Pointers
 * are valid until the next call of csy_events_read or csy_events_next; names of a .pex are valid
 * until csy_trace_free. The two functions may be mixed: each continues where the other one ended.
 * Cost: if a .pex has constant offsets and no monotonic times, plain records are decoded many at a
 * time, so n should be about 1000. Needs about 1 MiB and one record, for any number of events. */
CSY_API csy_status csy_events_read(csy_events *events, csy_decoded *out, size_t n, size_t *got,
                                   csy_error *error);

/* The name of the field at this index, in events with this id. For a .pex the name comes from its
 * document; without a document name it is "valueN" for index N. For a CSV, any id gives the name of
 * the column. The name is valid until the next call. NULL if there is no such column, for a
 * trace without fields, and if out of memory. */
CSY_API const char *csy_events_field_name(csy_events *events, unsigned id, size_t index);

/* Free events. Call it before freeing their solution and trace. */
CSY_API void csy_events_free(csy_events *events);

/* The comments at the beginning of a CSV. */
typedef enum csy_csv_header {
    CSY_CSV_COMMENT = 0, /* a comment that csy_check needs, then all comments of the input CSV */
    CSY_CSV_BARE         /* no comments: the first line is the header */
} csy_csv_header;
typedef enum csy_csv_time {
    CSY_CSV_TICKS = 0, /* column global_time, in ticks */
    CSY_CSV_SECONDS,   /* column global_time_s, in decimal seconds */
    CSY_CSV_BOTH,
    /* column global_date: UTC as in RFC 3339, with nine decimals. CSY_USAGE if ticks are not whole
     * nanoseconds or do not count from 1970. */
    CSY_CSV_DATE
} csy_csv_time;

/* The arguments of events in JSON, besides name and time. CSY_JSON_ALL: everything. CSY_JSON_SHORT:
 * number of the record, global ticks, and payload. CSY_JSON_NONE: none. */
typedef enum csy_json_args { CSY_JSON_ALL = 0, CSY_JSON_SHORT, CSY_JSON_NONE } csy_json_args;

/* Settings for csy_sync_write_trace. As with csy_options, a new object has the defaults, setters
 * refuse invalid values, and the caller frees *out. Settings that do not fit the format are refused
 * when the trace is written. */
typedef struct csy_output csy_output;
CSY_API csy_status csy_output_new(csy_output **out, csy_error *error);
CSY_API void csy_output_free(csy_output *output);

/* Set the format of the output. Default CSY_FORMAT_AUTO: the suffix of the path decides; without a
 * suffix, the trace gives the format. */
CSY_API csy_status csy_output_set_format(csy_output *output, csy_format format, csy_error *error);

/* Set whether a .pex contains its records, so that it is one file; default false. */
CSY_API csy_status csy_output_set_embed(csy_output *output, bool embed, csy_error *error);

/* Set whether event files of an OTF2 archive may become hard links to the files of the trace, if
 * the file system cannot share the bytes of copies. Default false: event files are copied. */
CSY_API csy_status csy_output_set_link(csy_output *output, bool linked, csy_error *error);

/* Set the gzip level, 0 to 9, of the records of a .pex, or of a whole CSV, JSON, or Perfetto trace.
 * Default CSY_COMPRESS_BY_NAME: not compressed, except level 6 for a CSV, JSON, or Perfetto trace
 * with a path that ends in .gz. */
#define CSY_COMPRESS_BY_NAME (-1)
CSY_API csy_status csy_output_set_compress_level(csy_output *output, int level, csy_error *error);

/* Set which comments a CSV has. CSV only; default CSY_CSV_COMMENT. */
CSY_API csy_status csy_output_set_csv_header(csy_output *output, csy_csv_header header,
                                             csy_error *error);

/* Set the format of global times. CSV only; default CSY_CSV_TICKS. */
CSY_API csy_status csy_output_set_csv_time(csy_output *output, csy_csv_time time, csy_error *error);

/* Set whether the rows of a CSV are sorted by their global times. Only for a CSV of a trace in
 * partial order. Rows of one thread stay in their order. Default false: rows are in the order of
 * the trace. Cost: O(n log n) time, and temporary files with a copy of all rows; memory does not
 * grow with the rows. */
CSY_API csy_status csy_output_set_sort(csy_output *output, bool sort, csy_error *error);

/* Set whether the range of the global time of each event is added, as global_earliest and
 * global_latest in ticks, also for the begin of a row; default false. CSV, JSON, and Perfetto
 * traces only.
 *
 * Delta and the rates of drifting clocks widen the range. An end is empty (JSON: null) if the clock
 * is not bounded on that side, or if the record was dropped. If a clock may have been set at an
 * event, global_mark is "step". The range of this event then covers both cases (set before or after
 * the event), as far as the order allows, and contains its global time. csy_sync_write_trace
 * returns CSY_USAGE for methods other than bhh, for monotonic times, and with CSY_JSON_NONE. */
CSY_API csy_status csy_output_set_ranges(csy_output *output, bool ranges, csy_error *error);

/* Set which arguments events have. JSON and Perfetto traces only; default CSY_JSON_ALL. */
CSY_API csy_status csy_output_set_json_args(csy_output *output, csy_json_args args,
                                            csy_error *error);

/* Select the records to write, by a window of time or positions; for CSV, JSON, Perfetto traces,
 * and CTF only. The text is copied; NULL, the default: all records. A window is "A..B", including
 * both ends. Each end is empty or one of: global ticks ("1000"), a time since the first record
 * ("1.5ms"), a part of the time from the first to the last record ("25%"), or a position ("#100").
 * CSY_USAGE if B is before A. */
CSY_API csy_status csy_output_set_window(csy_output *output, const char *window, csy_error *error);

/* Write only records of threads whose names match a pattern, as in fnmatch(3); CSV, JSON, Perfetto
 * traces, and CTF only. The pattern is copied; NULL, the default: all threads. */
CSY_API csy_status csy_output_set_only(csy_output *output, const char *pattern, csy_error *error);

/* Write the synchronized trace to path; output may be NULL for the defaults. Path "-" is standard
 * output.
 *
 * A .pex consists of two files: path, and a record file in the same folder. The name of the record
 * file is path with its suffix replaced by .TAG.trace (compressed: .TAG.trace.gz). TAG has eight
 * digits and distinguishes versions. With csy_output_set_embed, or if path is not a regular file,
 * there is only one file. The record file gets its name before path does, so path never refers to a
 * missing file. The record file of a .pex that is replaced is then removed. Compressed records are
 * gzip members of 128 KiB of input each.
 *
 * CTF and OTF2 traces are folders at path. They replace an empty folder, or a folder that contains
 * only such a trace; any other folder is an error (CSY_IO).
 *
 * Files are written under temporary names, synced, and renamed. After a failure no new file is
 * left, and old files are intact. CSY_USAGE for combinations that are not possible: a .pex from a
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

/* Find out if csy_sync_write_trace would write a .pex to path, and store the answer in *needs. A
 * .pex has one offset for each clock, so clocks must not drift. Errors as for
 * csy_trace_check_outputs. */
CSY_API csy_status csy_trace_output_needs_one_rate(const csy_trace *trace, const char *path,
                                                   const csy_output *output, bool *needs,
                                                   csy_error *error);

/* Write the conversion of local to global times to path ("-": standard output) as CSV, as safely as
 * csy_sync_write_trace. The columns are thread,local,global,earliest,latest, in ticks. A drifting
 * clock has several rows, and its global time is linear between them; other clocks have a row at
 * their first record. local is a whole number; the others are exact with nine decimals. An
 * unbounded end is empty. Comments state the assumptions and the length of a tick. CSY_USAGE
 * without bounds, or if times are monotonic. */
CSY_API csy_status csy_sync_write_clocks(const csy_sync *sync, const char *path, csy_error *error);

/* Returns true if the file at path has an access control list or extended attributes of its user.
 * An output that replaces the file does not get them. */
CSY_API bool csy_has_attributes(const char *path);

/* Remove the temporary files of this process beside path, where the process writes an output. Call
 * it in a thread of a program that is about to end, for example because of a signal, but not in a
 * signal handler. The function waits for files that are being renamed, and prevents all later
 * renaming: threads that try to rename a file wait forever. */
CSY_API void csy_abandon(const char *path);

/* Get the format of a report from the suffix of its path: .txt, .csv, .json, .html, .htm, or .tex,
 * in upper or lower case. Without a suffix, it is text. CSY_USAGE for another suffix, unless path
 * is not a regular file: then text. */
CSY_API csy_status csy_report_format_of(const char *path, csy_report_format *out, csy_error *error);

/* Write the report of error bounds to path ("-": standard output), as safely as
 * csy_sync_write_trace. Pairs are sorted by their threads.
 *
 * Cost with the sweep (csy_engine), for T threads with W live at once, besides writing:
 * O(T^2 W) with CSY_PAIRS_ALL; O(T W^2) and 16 bytes a pair with CSY_PAIRS_LIVE; O(T W) with
 * CSY_PAIRS_REFERENCE. HTML takes O(T W), and reads the trace once more. */
CSY_API csy_status csy_sync_write_report(csy_sync *sync, const char *path, csy_report_format format,
                                         csy_pairs pairs, csy_error *error);

/* A table with one row of statistics for each of several traces, as in Table 1 of [BHH08]. Formats:
 * text, CSV, a LaTeX tabular, or Markdown. */
typedef struct csy_table csy_table;

/* Make a table to be written to path ("-": standard output); the caller frees *out. CSY_USAGE for
 * JSON and HTML. */
CSY_API csy_status csy_table_new(const char *path, csy_report_format format, csy_table **out,
                                 csy_error *error);

/* The unit of times in text and TeX; CSV has ticks. csy_table_write refuses invalid values with
 * CSY_USAGE. */
typedef enum csy_table_unit { CSY_TABLE_TICKS = 0, CSY_TABLE_MICROSECONDS } csy_table_unit;
CSY_API void csy_table_set_unit(csy_table *table, csy_table_unit unit);

/* Add a row; trace and solution may be freed afterwards. CSY_USAGE for a solution without bounds,
 * CSY_INPUT if path is one of the trace's files. */
CSY_API csy_status csy_table_add(csy_table *table, const csy_sync *sync, csy_error *error);

/* Write the rows so far. The file is replaced only by a complete one. */
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

/* The kinds of graphs. CSY_GRAPH_CONSTRAINTS shows constraints between neighbouring records, with
 * one edge for each ordered pair of threads that has a constraint. CSY_GRAPH_BOUNDS shows error
 * bounds: of all pairs, or, for many threads, of the pairs in a minimum spanning tree. The
 * constants are the greatest numbers of threads for each kind. */
#define CSY_GRAPH_CONSTRAINTS_THREADS_MAX 100
#define CSY_GRAPH_ALL_BOUNDS_THREADS_MAX 12
#define CSY_GRAPH_BOUNDS_THREADS_MAX 1000
typedef enum csy_graph { CSY_GRAPH_CONSTRAINTS = 0, CSY_GRAPH_BOUNDS } csy_graph;

/* Write a graph to path ("-": standard output) in the DOT language of Graphviz, as safely as
 * csy_sync_write_trace. CSY_USAGE if there are too many threads to draw. CSY_GRAPH_CONSTRAINTS
 * takes a pass over the records. */
CSY_API csy_status csy_sync_write_graph(csy_sync *sync, const char *path, csy_graph graph,
                                        csy_error *error);

/* The results of csy_check; see cellsync-model(7), Guarantees. */
typedef struct csy_proof {
    csy_format format; /* CSY_FORMAT_PEX, CSY_FORMAT_CSV or CSY_FORMAT_OTF2 */
    bool columns;      /* true if global times are in additional columns, as in a CSV */
    uint64_t records;
    size_t threads; /* number of clocks; several threads of a CSV may share a clock */
    size_t tracks;  /* number of threads of a CSV on these clocks; 0 for a .pex */
    uint64_t inversions;
    int64_t largest_inversion_ticks;
    int64_t allowed_inversion_ticks;
    /* number of left-out records; order and bounds (guarantees 2 and 4 of cellsync-model(7)) are
     * proved without them */
    uint64_t dropped;
    csy_center center;
    bool neighbours_only;    /* true if only neighbouring records were checked for inversions, as
                              * for CSY_RELAX_PAPER */
    uint32_t original_crc32; /* CRC-32 of the original records; 0 for a CSV */
    bool beside;             /* true if the CSV was also compared with its original trace
                              * (`original` of csy_check) */
    /* number of assumed gaps; the proof holds only if all of them were assumed correctly */
    uint64_t assumed;
    /* number of left-out records that are not out of order by more than two times delta */
    uint64_t dropped_in_place;
    csy_sorted sorted; /* for a CSV: whether its rows look sorted */
    /* For a partial order: `unbounded` is the number of threads that the reference does not bound
     * on both sides. For `unplaced` of these, only the order is proved, because finding their
     * limits would have taken too long. */
    size_t unbounded;
    size_t unplaced;
    /* For drifting clocks: the limits of their rates, or CSY_NO_DRIFT; and the greatest and the
     * mean error of records relative to the reference. bounds_found is false if there is a wander,
     * or if computing the errors would take too long. Then nothing is proved about bounds. */
    int64_t drift_ppb, wander_ppb;
    bool bounds_found;
    uint64_t error_records;
    csy_fine max_error, mean_error;
    /* True if the offsets for one buffer keep the order of all records, although delta above 0
     * would permit exceptions (since version 0.3.0). Such offsets lie within their bounds, but
     * alpha (csy_options_set_alpha) does not determine their place there. */
    bool ordered;
} csy_proof;

/* Prove the guarantees for a synchronized .pex, CSV, or OTF2 archive.
 *
 * A .pex: its table of offsets and bounds gives back the original records. They have the stated
 * CRC, and, unwrapped again, every timestamp. Every offset and bound is proved without a solver:
 * the ends of bounds satisfy all constraints. They cannot be tighter, because a chain of
 * constraints that hold with equality leads from the reference to each.
 *
 * A CSV: each thread has one offset, the original columns have the CRC, no inversion is larger than
 * delta permits, and offsets are at alpha between the bounds. Since a CSV has no table of bounds,
 * they are computed from the rows and proved, without a solver. Events are copied to a temporary
 * file, 16 bytes each, which is read several times, at most as often as there are threads. If
 * clocks drift: clocks with permitted rates can show the written times, no inversion is larger than
 * delta permits, and each offset where the rate changes is at alpha. This takes about 200 bytes
 * a record.
 *
 * An OTF2 archive: its event files have the CRC, and all threads have the offset of their clock,
 * which is proved as for a CSV in partial order. If clocks drift, offsets are proved as for a CSV,
 * but may differ by one more tick from the lines between offsets.
 *
 * original is the archive, document of logs, or run that a CSV was made from, if the rows of the
 * CSV do not contain the order; otherwise NULL. The rows must be the events of original, one by
 * one. CSY_USAGE if a CSV needs no original. input may be NULL for the defaults; a synchronized
 * trace itself states how its input was read, and input overrides this. progress may be NULL. The
 * caller frees *out with csy_proof_free.
 *
 * CSY_CHECK with a text that names the first violation. Cost for any number of threads: one or two
 * passes over the records, and memory proportional to the threads. */
CSY_API csy_status csy_check(const char *path, const char *original, const csy_input *input,
                             csy_progress progress, void *user, csy_proof **out, csy_error *error);

/* Like csy_check, for a CSV that was made from n files of spans or profiles as one trace. The
 * originals are in the order of the operands of csy_trace_open_files, and may be NAME=FILE. */
CSY_API csy_status csy_check_files(const char *path, const char *const *originals, size_t n,
                                   const csy_input *input, csy_progress progress, void *user,
                                   csy_proof **out, csy_error *error);
CSY_API void csy_proof_free(csy_proof *proof);

#ifdef __cplusplus
}
#endif

#endif
