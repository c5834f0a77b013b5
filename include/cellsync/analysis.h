/* analysis.h - analyses of a program from its synchronized trace, with proven ranges
 *
 *   csy_meaning_new, csy_trace_synchronize  ->  csy_sync_states, ...  ->  csy_analysis_sheet
 *
 * Documents define the meaning of events (cellsync-events(5)). The result of every analysis is one
 * or more tables in a common form, so that one function can write all of them. Every figure that
 * depends on more than one clock has a range: its least and greatest values for all offsets that
 * the order of the records permits. The rules of cellsync.h apply. */
#ifndef CELLSYNC_ANALYSIS_H
#define CELLSYNC_ANALYSIS_H

#include <cellsync/cellsync.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The meanings of events. A new object has the built-in meanings. Meanings in the trace override
 * these, and files of meanings override both; later files override earlier ones. The caller frees
 * *out after the analyses that used it. */
typedef struct csy_meaning csy_meaning;
CSY_API csy_status csy_meaning_new(csy_meaning **out, csy_error *error);

/* Read a file of meanings in the format of cellsync-events(5). CSY_INPUT for unknown words, with
 * the line and the nearest known word; in this case nothing is added. */
CSY_API csy_status csy_meaning_add_file(csy_meaning *meaning, const char *path, csy_error *error);

/* Read symbols of the program, as printed by nm -S -l or addr2line -a -f. They name the routines
 * for which the trace gives only addresses, and replace symbols that were read before. CSY_INPUT
 * for a line in neither format; CSY_IO if path is not a regular file. */
CSY_API csy_status csy_meaning_set_symbols(csy_meaning *meaning, const char *path,
                                           csy_error *error);

/* Set the number of SPEs in a Cell, and of Cells in a node. 0 means the number in the trace, or 2
 * if the trace does not state it. The places of contexts, ranks, and named threads follow from
 * these numbers, because all three are numbered consecutively through all Cells and nodes.
 * CSY_USAGE if there are no SPEs. */
CSY_API csy_status csy_meaning_set_topology(csy_meaning *meaning, uint64_t spes_per_cell,
                                            uint64_t cells_per_node, csy_error *error);
CSY_API void csy_meaning_free(csy_meaning *meaning);

/* The kinds of values in a column. */
typedef enum csy_column_kind {
    CSY_COLUMN_TEXT = 0,
    CSY_COLUMN_COUNT,
    CSY_COLUMN_TICKS,
    CSY_COLUMN_MICROTICKS, /* millionths of a tick */
    CSY_COLUMN_PPM,        /* ratios, in millionths of 1 */
    CSY_COLUMN_S,          /* in ns, shown as seconds with 9 decimals */
    CSY_COLUMN_MS,         /* in ns, shown as milliseconds with 6 decimals */
    CSY_COLUMN_US,         /* in ns, shown as microseconds with 3 decimals */
    CSY_COLUMN_NS          /* in ns, shown as whole nanoseconds */
} csy_column_kind;

typedef struct csy_column {
    /* letters, digits, - and _; names that documents define may have other characters */
    const char *name;
    csy_column_kind kind;
    bool ranged; /* true if values in this column may depend on several clocks, so that they need
                  * ranges */
} csy_column;

/* A value: `text` in a text column, `range` in all other columns. */
typedef struct csy_value {
    bool none; /* true if the row has no value in this column */
    /* True if the rows are sorted by this column, but it is not certain that this row is in the
     * right place, because its range overlaps the range of another row. */
    bool open;
    const char *text;
    csy_range range;
} csy_value;

typedef struct csy_sheet {
    const char *name;
    size_t ncolumns;
    const csy_column *columns;
    size_t nrows;
    const csy_value *values; /* the values row by row: nrows * ncolumns elements */
} csy_sheet;

/* The result of an analysis: tables, and the assumptions that they rest on. Everything belongs to
 * the analysis, which the caller frees. */
typedef struct csy_analysis csy_analysis;
CSY_API size_t csy_analysis_nsheets(const csy_analysis *analysis);

/* Returns the sheet with an index from 0. Returns NULL after the last sheet, and if there is no
 * memory for its rows. Large sheets are stored in a compact form until they are requested. */
CSY_API const csy_sheet *csy_analysis_sheet(const csy_analysis *analysis, size_t index);
CSY_API void csy_analysis_free(csy_analysis *analysis);

/* Returns an assumption on which all figures rest, as a sentence without a full stop. Indexes count
 * from 0; NULL after the last one. The sentences concern missing information, assumed facts,
 * left-out records, and the timestamp error delta. sync is the solution that was analysed. */
CSY_API const char *csy_analysis_condition(const csy_analysis *analysis, const csy_sync *sync,
                                           size_t index, char text[CSY_WARNING_TEXT_MAX]);

/* The common kind of all ranges of an analysis:
 * - CSY_RANGE_CLOCK if there are no ranges;
 * - CSY_RANGE_EXACT or CSY_RANGE_STAR if all ranges are of that kind;
 * - CSY_RANGE_UNKNOWN if some ranges are unknown;
 * - otherwise CSY_RANGE_PROVEN, because exact and star ranges are also proven. */
CSY_API csy_range_kind csy_analysis_kind(const csy_analysis *analysis);

/* Write all sheets to path ("-": standard output) as text, CSV, JSON, TeX, or an HTML page
 * (cellstat-tables(5)). The result of csy_sync_timeline can also be SVG, and the result of
 * csy_sync_calls also a graph for dot(1), or folded stacks. sync is the solution that was analysed.
 * A file at path is replaced only by a complete one. CSY_USAGE for other formats. */
CSY_API csy_status csy_analysis_write(const csy_analysis *analysis, csy_sync *sync,
                                      const char *path, csy_report_format format, csy_error *error);

/* The ranges that analyses compute. CSY_RANGES_EXACT: the narrowest possible ranges.
 * CSY_RANGES_STAR: ranges that follow from the bounds between each clock and the reference; they
 * are wider, but fast for any number of clocks. CSY_RANGES_NONE: no ranges. */
typedef enum csy_ranges { CSY_RANGES_EXACT = 0, CSY_RANGES_STAR, CSY_RANGES_NONE } csy_ranges;

/* Set which ranges all later analyses of a solution have; default CSY_RANGES_EXACT. If clocks
 * drift, or if csy_trace_read_solution read the solution and csy_sync_renew_bounds was not called,
 * CSY_RANGES_STAR is the best. If both is true, there are no ranges. If the value is invalid, later
 * analyses with ranges fail with CSY_USAGE. */
CSY_API void csy_sync_set_ranges(csy_sync *sync, csy_ranges ranges);

/* Returns the ranges that later analyses of the solution will have. */
CSY_API csy_ranges csy_sync_ranges(const csy_sync *sync);

/* The actors that csy_sync_concurrency counts as units. */
typedef enum csy_units {
    CSY_UNITS_AUTO = 0, /* SPEs, if any are among the selected actors; otherwise all actors */
    CSY_UNITS_SPE,
    CSY_UNITS_PPE,
    CSY_UNITS_ACTORS, /* all actors */
    /* threads while they have a processor core, if the trace states when they have one */
    CSY_UNITS_CPU
} csy_units;

/* Options for csy_sync_states; all 0: the defaults. */
typedef struct csy_states {
    bool pairs;         /* true: add a row for each actor on each unit */
    bool levels;        /* true: add the sheet "virtual": numbers of actors that executed at once */
    bool joint;         /* true: add the sheet "joint", with a row for each combination of states in
                         * which the units were at the same time */
    const char *window; /* part of the time to analyse, as in csy_concurrency; NULL: all; must be
                         * NULL if `joint` is true */
    /* Patterns (glob(7)), separated by commas: only the actors that match one, also in units and in
     * totals; NULL: all. CSY_USAGE if no actor matches. */
    const char *actors;
    /* only units of this kind; CSY_UNITS_AUTO: all; CSY_UNITS_CPU is refused with CSY_USAGE */
    csy_units units;
} csy_states;

enum { CSY_JOINT_MAX = 65536 };

/* Compute the time of actors in each state; asked may be NULL.
 *
 * Sheet "states" has a row for each actor (a thread of the PPE, an SPE context, a named thread);
 * for each physical SPE and the PPE, if the trace identifies them; and for the total. Its columns
 * are:
 * - what ("actor", "unit", or "all") and name;
 * - for each of the states user, system, overhead, switch, ready, blocked, idle, and absent (for a
 * unit: it ran no actor), the ticks in this state;
 * - blocked_CLASS, the ticks blocked, for each class of waits;
 * - virtual, the time in the first three states. In total rows this is the time with at least one
 * actor in one of these states (P_VIRTUAL); its range is narrower if `levels` is set;
 * - utilization, the share of virtual in the time of a unit, or in the time of an actor without
 * absent.
 *
 * With `pairs`, there are also rows for actors on units, with "pair" in the column what.
 *
 * With `levels`, sheet "virtual" has a row for each number of actors that execute at once, with the
 * time of exactly this number and of at_least this number.
 *
 * With `joint`, sheet "joint" has a row for each combination of states of units that occurred, the
 * longest first. Units are SPE contexts, or all actors if there are no SPE contexts; if `units` is
 * set, only these units. There is a column for each unit, and columns for the time of the
 * combination and its share of the whole time. If there are more than CSY_JOINT_MAX combinations,
 * the sheet has those that occurred first, and a last row with "other" in all columns. Ranges of
 * "joint" are unknown if waits begin between records.
 *
 * Cost: two passes over the records. Memory grows with actors, clocks, and waits during which more
 * than 65536 records were written; for a trace in partial order, with its records. */
CSY_API csy_status csy_sync_states(csy_sync *sync, const csy_meaning *meaning,
                                   const csy_states *asked, csy_analysis **out, csy_error *error);

/* The rows of an analysis: one for all actors together; one for each actor; one for each unit,
 * which is a physical SPE, the PPE, or an actor that runs on neither; or one for each Cell or node.
 * Rows of Cells and nodes contain the actors whose places are known (csy_meaning_set_topology;
 * cellsync-events(5)); all other actors are in a row "unknown". */
typedef enum csy_per {
    CSY_PER_ALL = 0,
    CSY_PER_ACTOR,
    CSY_PER_UNIT,
    CSY_PER_CELL,
    CSY_PER_NODE
} csy_per;

/* A section: the part of a trace during an event with a given name, or between two such events.
 * `window` can be passed to any analysis. */
enum { CSY_SECTION_WINDOW_MAX = 64 };
typedef struct csy_section {
    char window[CSY_SECTION_WINDOW_MAX]; /* a window such as "#100..#200" or "#100.begin..#100" */
    int64_t begin_ticks, end_ticks;      /* estimated global time since the first record */
} csy_section;

/* Find the sections of events with a name, sorted by their begins. If first is not 0, find only
 * sections first to last, counted from 1. *out has *n sections; free it by csy_sections_free.
 * CSY_USAGE if there are none, or more than CSY_BLOCKS_MAX. Cost: two passes over the records. */
CSY_API csy_status csy_sync_sections(csy_sync *sync, const csy_meaning *meaning, const char *name,
                                     uint64_t first, uint64_t last, csy_section **out, size_t *n,
                                     csy_error *error);
CSY_API void csy_sections_free(csy_section *sections);

/* A function that receives the analysis of the section with this index, counted from 0. It must
 * free the analysis. If it returns an error, its caller returns the error. */
typedef csy_status (*csy_take_section)(void *user, size_t index, csy_analysis *analysis,
                                       csy_error *error);

/* Compute csy_sync_states for the window of each of n sections, and pass the results to `receive`
 * in the same order. The results are the same as from single calls. Sections are processed together
 * as far as 64 MiB permit, with two passes over the records for each such group. */
CSY_API csy_status csy_sync_states_by_section(csy_sync *sync, const csy_meaning *meaning,
                                              const csy_states *asked, const csy_section *sections,
                                              size_t n, csy_take_section receive, void *user,
                                              csy_error *error);

/* Do the same as csy_sync_states_by_section, but store the results: out[i] becomes the analysis of
 * sections[i]. The caller frees each of them. After a failure, out contains no analysis. */
CSY_API csy_status csy_sync_states_of_sections(csy_sync *sync, const csy_meaning *meaning,
                                               const csy_states *asked, const csy_section *sections,
                                               size_t n, csy_analysis **out, csy_error *error);

/* Append the sheets of the analysis of a section to the sheets of earlier sections in *all. Sort
 * each analysis before. If *all is NULL, it is created; the caller frees it. section_analysis is
 * always freed, even after a failure. Sheet "sections" has a row for each section: block (counted
 * from 1), begin, end, and window. All other sheets get block as first column. Sections with
 * different columns get separate sheets. The result can be written as text, CSV, JSON, or TeX. */
CSY_API csy_status csy_analysis_append(csy_analysis **all, csy_analysis *section_analysis,
                                       const csy_section *section, csy_error *error);

/* Options for csy_sync_concurrency. Set all members to 0 for the defaults. */
typedef struct csy_concurrency {
    csy_units units;
    const char *actors;   /* only actors that match these glob(7) patterns, separated by commas;
                           * NULL: all */
    const char *window;   /* only this part of the time, as in csy_output_set_window; NULL: all */
    size_t bins;          /* divide the time into this many equal parts, and add rows for each part;
                           * 0: do not divide it */
    const char *section;  /* only the sections of events with this name; NULL: no sections */
    uint64_t first, last; /* only the sections with numbers from first to last, counted from 1; 0:
                           * all */
    bool with_idle;       /* true: shares and averages refer to the whole time, including idle
                           * time */
    uint64_t speedup;     /* compute the limit of the speedup on this many units, such as processors
                           * (csy_units); 0: do not */
    int64_t serial_ticks; /* duration of the program on one unit; 0: unknown */
    int64_t sample_ticks; /* also sample the activity at intervals of this length; 0: no samples */
    bool attained;        /* true: add the columns time_from, time_to, at_least_from, and
                           * at_least_to */
    /* CSY_PER_CELL or CSY_PER_NODE: separately for each Cell or node; CSY_PER_ALL: for all units */
    csy_per per;
} csy_concurrency;

enum { CSY_BLOCKS_MAX = 65536 };

/* Compute for how long each number of units was active at once; asked may be NULL.
 *
 * Sheet "concurrency" has a row for each level i, a number of active units from 0 to the greatest
 * possible one:
 * - level;
 * - time: time with exactly i active units;
 * - share: `time` divided by the time with at least one active unit (CU_i; none for level 0);
 * - at_least: time with at least i active units;
 * - if requested, sampled: `time` by samples;
 * - if requested, time_from, time_to, at_least_from, and at_least_to: the least and greatest values
 * of `time` and `at_least` that the analysis found at offsets that the records permit. One more
 * pass computes these columns. They are missing if delta is above 0 or bounds between clocks are
 * not known.
 *
 * Sheet "total" has one row:
 * - units: cores if the trace names them, otherwise actors;
 * - span: time from the first to the last record;
 * - active: time of all units;
 * - elapsed: time with at least one active unit;
 * - average: active / elapsed (CAVG);
 * - efficiency: average / units (CEFF);
 * - limit: elapsed / time with exactly 1 active unit. This is the limit of Amdahl's law, if the
 * serial part stays and everything else takes no time;
 * - if requested, amdahl: the limit for that number of units; speedup: serial / elapsed; and
 * speedup_average: the speedup by CAVG.
 *
 * With bins or a section, both sheets have rows for each block. The first columns are block,
 * counted from 1, and the begin and end of the block, in ticks after the first record. A section is
 * an interval with the given name, or the time between NAME_ENTRY and NAME_EXIT (also _ENTER,
 * _BEGIN, _LEAVE, _END) of an actor. If there are neither, it is the time from a record with that
 * name to the next one of the same actor. CSY_USAGE if there is no section, or more than
 * CSY_BLOCKS_MAX. With Cells or nodes, both sheets have rows for each Cell or node, and a first
 * column of that name. CSY_USAGE if the place of no actor is known.
 *
 * Ranges are exact if the order of the records decides them: no wait of the units begins between
 * records, and delta is 0. Otherwise they are proven, or of the kind CSY_RANGE_STAR if clocks
 * drift. They are unknown if the solution was read or has another method, or if there are more than
 * 4096 clocks. Cost: as for csy_sync_states, plus bounds of all pairs of clocks that are live
 * together, and minimum-cost flows. */
CSY_API csy_status csy_sync_concurrency(csy_sync *sync, const csy_meaning *meaning,
                                        const csy_concurrency *asked, csy_analysis **out,
                                        csy_error *error);

/* Which calls count for a routine: only its own, or also the calls of tasks that it creates. */
typedef enum csy_follow { CSY_FOLLOW_NONE = 0, CSY_FOLLOW_CREATE } csy_follow;

/* Options for csy_sync_profile; all 0: the defaults. */
typedef struct csy_profile_options {
    csy_per per;
    /* Patterns (glob(7)), separated by commas: only calls of these actors; NULL: all. */
    const char *actors;
    csy_follow follow;
    int64_t sample_ticks; /* also sample the routines of actors at intervals of this length; 0: no
                           * samples */
    const char *window;   /* only this part of the time, as in csy_output_set_window; NULL: all;
                           * must be NULL with CSY_FOLLOW_CREATE */
} csy_profile_options;

/* Compute the times of routines. options may be NULL. Two sheets have the same rows, in the order
 * of the first calls of routines.
 *
 * Sheet "profile" has the times in routines, by the clocks of their callers:
 * - routine; and actor or unit, if each has rows of its own;
 * - file and line;
 * - calls: number of calls;
 * - recursive: number of calls of a routine that the actor is already in;
 * - open: number of calls that begin before the trace or end after it;
 * - implied: number of calls without an end of their own, which end with an enclosing call;
 * - direct: time in the routine itself; cumulative: time in the routine and its callees;
 * - mean, least, greatest, p50, p95, and p99 of the times of calls;
 * - descendant_calls and descendant_time.
 *
 * Sheet "elapsed" has the times with at least one actor in the routine:
 * - elapsed_direct and elapsed_cumulative; overlap: cumulative minus elapsed_cumulative;
 * - sequential: direct time while one unit is active; concurrent: the rest of the direct time;
 * - sequential_calls; concurrent_calls: calls at the same time as a call of another actor. The
 * range of concurrent_calls goes from the calls that certainly are concurrent to those that may be,
 * if begins are intervals or the order is partial;
 * - greatest_concurrency.
 *
 * If the trace has any, further sheets are "waits" and "loops" (class, count, time, mean,
 * greatest), "tasks" (created, started, ended, mean_time, average), and "task_concurrency" (tasks,
 * time). The rules are in cellsync-analysis(7), ACCOUNTING.
 *
 * With CSY_FOLLOW_CREATE, calls of an actor also count in cumulative and elapsed_cumulative of the
 * routines that another actor was in when it created the actor, or, if no event states the
 * creation, when it started the actor. With sample_ticks, the first sheet ends with figures by
 * samples of all actors: sampled, the direct time, and sampled_cumulative, to which callees
 * contribute by numbers of calls, as in gprof. With a window, as in csy_concurrency, calls are cut
 * at the ends of the window, and a call counts if a part of it is in the window; waits, loops, and
 * tasks are missing, and the analysis takes three passes.
 *
 * CSY_INPUT if no event enters a routine; CSY_USAGE for a window with follow. Cost: as for
 * csy_sync_states, and O(1) a call; 256 bytes for each routine of an actor. */
CSY_API csy_status csy_sync_profile(csy_sync *sync, const csy_meaning *meaning,
                                    const csy_profile_options *options, csy_analysis **out,
                                    csy_error *error);

/* What csy_sync_calls counts for each edge of the call graph, a pair of a caller and a callee: the
 * number of calls, their time, or their bytes. */
typedef enum csy_weight { CSY_WEIGHT_COUNT = 0, CSY_WEIGHT_TIME, CSY_WEIGHT_BYTES } csy_weight;

/* How a moment is given. CSY_AT_NONE: there is no moment. CSY_AT_TICKS: ticks after the first
 * record. CSY_AT_PPM: millionths of the time from the first to the last record. CSY_AT_RECORD: the
 * position of a record, for the moment immediately after it. */
typedef enum csy_at { CSY_AT_NONE = 0, CSY_AT_TICKS, CSY_AT_PPM, CSY_AT_RECORD } csy_at;

/* Options for csy_sync_calls. */
typedef struct csy_calls_options {
    const char *actors; /* glob(7) patterns, separated by commas: only calls of these actors; NULL:
                         * all */
    csy_weight weight;
    /* A leaf is an event in a routine that is not itself a call. This many leaves of each routine
     * get rows of their own, the heaviest first. 0: none. */
    size_t leaves;
    csy_at at;
    int64_t at_value;   /* the moment, in the unit of `at` */
    const char *window; /* part of the time to analyse, as in csy_concurrency; NULL: all; not with a
                         * moment */
} csy_calls_options;

/* Compute which routines call which other routines.
 *
 * Sheet "calls" has a row for each pair of a caller (none for outermost calls) and a callee. A
 * callee is a routine or a leaf: an event that is no call, such as a message, with its arguments.
 * The columns are:
 * - caller and callee;
 * - kind: whether the callee is a routine or a leaf;
 * - file and line of the callee;
 * - calls;
 * - time: of calls that are not within another call of the same two routines by the same actor;
 * - bytes: of leaves, as far as the trace states them.
 *
 * Sheet "paths" has a row for each path from an outermost routine, with the names separated by
 * semicolons: calls, direct time, and cumulative time. With a moment, sheet "active" has the actors
 * that are in a routine at the moment, with their paths.
 *
 * With a window, as in csy_concurrency, calls are cut at the ends of the window. A call or a leaf
 * counts if a part of it is in the window. In this case each number has a range, and the analysis
 * takes three passes. Cost: as for csy_sync_profile, and 96 bytes a path; beyond 2^20 paths, calls
 * count for the paths of their callers. CSY_USAGE for a window with a moment. */
CSY_API csy_status csy_sync_calls(csy_sync *sync, const csy_meaning *meaning,
                                  const csy_calls_options *options, csy_analysis **out,
                                  csy_error *error);

/* Sort the rows of the first sheet, and the rows of other sheets that belong to them, by a column
 * of the first or of another sheet: numbers by estimates, the greatest first; texts in ascending
 * order. Then keep only the first `top` rows (0: all). A value is marked open if its range overlaps
 * the range of a row above or below. CSY_USAGE if there is no such column. */
CSY_API csy_status csy_analysis_sort(csy_analysis *analysis, const char *column, size_t top,
                                     csy_error *error);

/* Convert all times of an analysis from ticks to nanoseconds, shown in that unit. sync is the
 * solution that was analysed. Estimates are rounded to the nearest nanosecond, and ends of ranges
 * outwards; a figure that can have only one value remains one number. Call csy_analysis_sort
 * before; afterwards the analysis can be written only as text, CSV, JSON, or TeX. CSY_USAGE for
 * CSY_TIME_AUTO, and if its times are no longer ticks; CSY_TIME_TICKS has no effect. CSY_INPUT if a
 * time exceeds 64 bits. */
CSY_API csy_status csy_analysis_set_time_unit(csy_analysis *analysis, const csy_sync *sync,
                                              csy_time_unit unit, csy_error *error);

/* Compute the activity over time, in `bins` equal parts, or fewer if there are many actors.
 *
 * Sheet "timeline" has a row for each part: its begin and end, in ticks of the reference's clock
 * since the first record, and concurrency, the mean number of active units. Sheet "activity" has a
 * row for each actor and each part in which the actor may have existed: name, begin, end, and the
 * times that the actor was active, ready (including switching), and waiting (including idle). For
 * a run, the column untold has the time from the start to the end of each thread that recorded
 * nothing in between. This time is not counted as active.
 *
 * Ranges allow all offsets of each clock separately, so they extend from the certain to the
 * possible times. With a window, as in csy_concurrency, the parts divide the window, by the
 * estimate; NULL: the whole time. With actors, as in csy_states, only these actors count. CSY_USAGE
 * for more than CSY_TIMELINE_BINS_MAX parts or none. Cost: as for csy_sync_states. */
#define CSY_TIMELINE_BINS 2000
#define CSY_TIMELINE_BINS_MAX 10000
CSY_API csy_status csy_sync_timeline(csy_sync *sync, const csy_meaning *meaning, csy_units units,
                                     size_t bins, const char *actors, const char *window,
                                     csy_analysis **out, csy_error *error);

/* Combine the main analyses. The result has the sheets "total", "timeline", "activity", "states",
 * and "concurrency". The following sheets are present if they have rows: "profile" and "elapsed",
 * "loops", "tasks" and "task_concurrency", "calls" (without leaves) and "paths", "comm", "classes",
 * "unmatched" (if a send or receive has no partner), "latency" and "fit", "waits", "locks", and
 * "barriers". Their rows with the most time or bytes come first. The last sheet, "missing", has a
 * row for each part that could not be computed, with the reason. As text, only some rows of each
 * sheet are shown, and no paths.
 *
 * With a window, as in csy_concurrency, each part is for that window; NULL: the whole time. With
 * actors, each part is for these actors, as in the function of the part; NULL: all. `units` applies
 * to concurrency, to timeline, and, except for CSY_UNITS_CPU, to states. Cost: the sum of the costs
 * of all parts; without a window, most parts share their passes. Calls are missing if there are too
 * many paths for the number of clocks. */
CSY_API csy_status csy_sync_overview(csy_sync *sync, const csy_meaning *meaning, csy_units units,
                                     size_t bins, const char *actors, const char *window,
                                     csy_analysis **out, csy_error *error);

/* The senders and receivers in the rows of csy_sync_comm: actors, Cells, or nodes. */
typedef enum csy_comm_group { CSY_GROUP_ACTOR = 0, CSY_GROUP_CELL, CSY_GROUP_NODE } csy_comm_group;
typedef enum csy_comm_by {
    CSY_COMM_PAIR = 0, /* a row for each sender and receiver */
    CSY_COMM_FUNCTION, /* also a row for each event that sends */
    CSY_COMM_DATATYPE,
    CSY_COMM_SIZE
} csy_comm_by;

typedef struct csy_comm_options {
    csy_comm_group group;
    csy_comm_by by;
    /* Only rows with at least this share of the bytes of the heaviest row. If no row has bytes,
     * counts are compared instead. 0: all rows. */
    csy_fraction heavy;
    bool templates;     /* true: also compare the communication with common patterns; not with a
                         * window */
    const char *window; /* only messages under way in this time, as in csy_concurrency; NULL: all */
    /* Patterns (glob(7)), separated by commas: only messages that one of these actors sends or
     * receives; NULL: all. CSY_USAGE if none matches. */
    const char *actors;
} csy_comm_options;
CSY_API void csy_comm_options_init(csy_comm_options *options);

/* Compute how much each actor sends to each other actor.
 *
 * Sheet "comm" has a row for each sender, receiver, and kind of communication that occurs. Its
 * columns are:
 * - sender and receiver;
 * - what: "message"; "mailbox", a word through a mailbox; or "transfer", between a context and
 * memory;
 * - if requested, the function, datatype, or size;
 * - count and bytes;
 * - time: the sum of the times from the begin of each send to the end of its receive;
 * - cost: the sum of the times that sheet "fit" (csy_sync_latency) predicts.
 *
 * time and cost are missing if some transfers are recorded as moments, because their ends are not
 * known.
 *
 * Sheet "classes" has a row for each kind and class ("same Cell", "same node", "between nodes",
 * "memory", "unknown"): what, class, count, bytes, and the shares of count and bytes in the kind.
 * bytes and its share are missing if the trace does not state the bytes of some messages. Sheet
 * "unmatched" has, for each kind, the numbers of sends and receives without a partner. If
 * requested, sheet "templates" has the five patterns that fit best: template; pairs that occur in
 * both; jaccard, which is these pairs divided by the pairs that occur in either; and coverage, the
 * share of bytes of these pairs.
 *
 * Messages are matched as in the order of the trace. If the order of the trace does not include
 * messages, the k-th send of a communicator, sender, receiver, and tag is matched with the k-th
 * receive, in the order of posting. Times between two clocks are exact if delta is 0; sums over
 * several pairs of clocks are proven. With more than 4096 clocks, and for a solution that was read,
 * times use bounds to the reference. The trace may be in partial order. CSY_INPUT if no event is
 * part of a message. Cost: a pass over the records, or two if receives complete in another order
 * than they were posted. Memory grows with pairs, and with sends and receives that wait for their
 * partner. */
CSY_API csy_status csy_sync_comm(csy_sync *sync, const csy_meaning *meaning,
                                 const csy_comm_options *options, csy_analysis **out,
                                 csy_error *error);

/* Compute the latencies of messages, words, and transfers (csy_sync_comm), from the begin of the
 * send to the end of the receive.
 *
 * Sheet "latency" has a row for each kind, class ("same Cell", "same node", "between nodes",
 * "memory", "unknown"), and size. Its columns are:
 * - what, class, and bytes;
 * - messages: their number;
 * - least, mean (in millionths of a tick), and median (the lower one of two) of the latencies;
 * - late_sender: total time from receives to sends that begin later.
 *
 * Sheet "fit" has, for each kind and class, the line of latency over bytes that fits best by least
 * squares. Its columns are what, class, messages, intercept, and bytes_per_second (1 / slope). The
 * last two are missing if all messages have the same size. Messages with unknown bytes have
 * separate rows, without bytes or a line. Transfers recorded as moments also have separate rows,
 * without times, because their times are not known.
 *
 * If the trace is loose (its rows are in no order) and has messages between nodes, sheet
 * "direction" has a row for each sending and receiving node: sender, receiver, messages, least,
 * mean, and median, for all sizes together.
 *
 * Ranges of means and lines are exact if they rest on few pairs of clocks and delta is 0; all other
 * ranges are proven. With a window, as in csy_concurrency, a message counts as a whole if it was
 * under way in the window for some time. There is no line if it is not certain which messages were
 * in the window. NULL: the whole time. With actors, as in csy_comm_options, only messages that
 * these actors send or receive count; NULL: all. Cost: two passes as for csy_sync_comm. Memory
 * grows with pairs of clocks, sizes, and up to 2^19 different latencies; beyond that, medians are
 * less accurate. */
CSY_API csy_status csy_sync_latency(csy_sync *sync, const csy_meaning *meaning, const char *actors,
                                    const char *window, csy_analysis **out, csy_error *error);

/* List every message of csy_sync_latency in the order of matching. Sheet "messages" has the columns
 * what, class, sender, receiver, bytes, sent (global time of the begin of the send), and latency,
 * with its range. With a window there is also the column messages: 1 if the message was under way
 * in the window, otherwise 0. Its range is 0 to 1 if that is not certain. Messages that certainly
 * were not under way in the window have no row. CSY_USAGE for more than 1,000,000 messages. Cost:
 * as for csy_sync_latency, and about 400 bytes for each message. */
CSY_API csy_status csy_sync_each_latency(csy_sync *sync, const csy_meaning *meaning,
                                         const char *actors, const char *window, csy_analysis **out,
                                         csy_error *error);

/* Compute what actors wait for.
 *
 * Sheet "waits" has a row for each class of waits and object:
 * - class and object ("-": not stated);
 * - count, time, mean (in millionths of a tick), and greatest;
 * - misses, for acquired locks.
 *
 * The clock of the waiting actor measures all times.
 *
 * Sheet "locks" has a row for each lock and actor that held it:
 * - object and holder;
 * - holds: how often the holder had the lock; held: for how long;
 * - waits and waited: number and time of the waits of actors that got the lock from this holder.
 *
 * The sheet is missing for a trace in partial order, which does not show the previous holder.
 *
 * Sheet "barriers" has a row for each instance of a barrier or a collective operation. An instance
 * is the k-th operation with its name and communicator for each actor. The columns are:
 * - event, instance, and arrivals (their number);
 * - spread: the time from the first to the last arrival;
 * - last: the actor that arrived last by the estimate;
 * - rival: an actor that may have been last instead.
 *
 * Ranges of spreads are proven; with more than 256 arrivals they use bounds to the reference.
 *
 * With a window, as in csy_concurrency, everything counts that was under way in the window for some
 * time, with its time in the window. The instances are those that may have arrivals in the window;
 * arrivals counts only these, while spread is of all arrivals. NULL: the whole time. With actors,
 * as in csy_states, "waits" has only these actors. "locks" has the holds by these actors, and their
 * waits, also for locks with other holders, whose holds and held are missing. "barriers" has
 * complete instances with an arrival of one of these actors. NULL: all. Cost: a pass over the
 * records. Memory grows with classes, objects, and actors, and takes 48 bytes an arrival. */
CSY_API csy_status csy_sync_waits(csy_sync *sync, const csy_meaning *meaning, const char *actors,
                                  const char *window, csy_analysis **out, csy_error *error);

/* Compare two moments, as csy_sync_before does. names are their labels. Sheet "order" has one row:
 * a, b (names), order ("before": a is before b; "after"; "same"; "unknown": the records permit
 * both), by (the time of b minus the time of a), and for each moment clock, local, and global, as
 * in a_clock and b_global. */
CSY_API csy_status csy_sync_order_table(csy_sync *sync, const char *const names[2],
                                        const csy_instant moments[2], csy_analysis **out,
                                        csy_error *error);

/* The Arrow C data interface, by which programs pass tables to each other in memory. These structs
 * and their contract are copied from its specification. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

/* A column of a table for csy_arrow_stream, in the Arrow layout for its format. Formats are "u" or
 * "U" (text in UTF-8: `values` has rows + 1 offsets of 32 or 64 bits into `text`), or a format with
 * a single buffer such as "l" (int64_t), "L" (uint64_t), "i" (int32_t), "g" (double), or "b" (a bit
 * for each row). */
typedef struct csy_arrow_column {
    const char *name; /* name of the column, in UTF-8 */
    const char *format;
    const uint8_t *valid; /* one bit for each row, 0 for a null; NULL: no row is null */
    int64_t nulls;
    const void *values;
    size_t values_bytes;
    const char *text;
    size_t text_bytes;
    /* column with the distinct values, of which `values` are the row numbers; NULL: no
     * dictionary */
    const struct csy_arrow_column *dictionary;
    int64_t dictionary_rows;
} csy_arrow_column;

/* Make a stream of one batch: a struct array of `rows` rows with these columns. Everything is
 * copied. The receiver calls the release functions; they may run in any thread, and after the
 * library's objects are freed. *out is written only on success. CSY_USAGE if rows is negative. */
CSY_API csy_status csy_arrow_stream(const csy_arrow_column *columns, size_t ncolumns, int64_t rows,
                                    struct ArrowArrayStream *out, csy_error *error);

#ifdef __cplusplus
}
#endif

#endif
