/*
 * analysis.h - what a synchronized trace says of the program, with proven ranges
 *
 *   csy_meaning_new, csy_trace_synchronize  ->  csy_sync_states, ...  ->  csy_analysis_sheet
 *
 * What events mean is told by documents (pex(5), Meaning).  An analysis is one table or several, of
 * whatever it is, so that a writer needs to know none of them.  Every figure that depends on more
 * than one clock has the range that it takes over all offsets that the order of the records allows.
 * Rules as in cellsync.h.
 */
#ifndef CELLSYNC_ANALYSIS_H
#define CELLSYNC_ANALYSIS_H

#include <cellsync/cellsync.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What events mean.  A new one has the built-in vocabulary; what a trace says of its own events
 * goes before that, and files go before both, the later before the earlier.  The caller frees
 * *out, after the analyses that it was used for. */
typedef struct csy_meaning csy_meaning;
CSY_API csy_status csy_meaning_new(csy_meaning **out, csy_error *error);

/* Read a file of pex(5), Meaning.  CSY_INPUT, with the line and the nearest word, for what it has
 * that is not known; nothing is added then. */
CSY_API csy_status csy_meaning_add_file(csy_meaning *meaning, const char *path, csy_error *error);

/* Read symbols of the program, as nm -S -l or addr2line -a -f print them, in place of those that
 * were read before: they name routines of which nothing else says more than the address, by the
 * file of the program.  CSY_INPUT for a line that is of neither, CSY_IO for what is no regular
 * file. */
CSY_API csy_status csy_meaning_set_symbols(csy_meaning *meaning, const char *path,
                                           csy_error *error);

/* How many SPEs a Cell has, and Cells a node (0: as the trace says, else 2): contexts, ranks and
 * named threads are numbered through them, and so it is known where they are.  CSY_USAGE without
 * SPEs. */
CSY_API csy_status csy_meaning_set_topology(csy_meaning *meaning, uint64_t spes_per_cell,
                                            uint64_t cells_per_node, csy_error *error);
CSY_API void csy_meaning_free(csy_meaning *meaning);

/* What the values of a column are. */
typedef enum csy_column_kind {
    CSY_COLUMN_TEXT = 0,
    CSY_COLUMN_COUNT,
    CSY_COLUMN_TICKS,
    CSY_COLUMN_MICROTICKS, /* millionths of a tick */
    CSY_COLUMN_PPM,        /* millionths of 1 */
    CSY_COLUMN_S,          /* nanoseconds, to be shown as seconds with 9 decimals, */
    CSY_COLUMN_MS,         /* milliseconds with 6, */
    CSY_COLUMN_US,         /* microseconds with 3, */
    CSY_COLUMN_NS          /* or as they are */
} csy_column_kind;

typedef struct csy_column {
    const char *name; /* letters, digits, - and _ unless a document says other ones */
    csy_column_kind kind;
    bool ranged; /* its values may have ranges of another kind than CSY_RANGE_CLOCK */
} csy_column;

/* Of a text column text alone is meant, else range alone. */
typedef struct csy_value {
    bool none; /* there is no such figure in this row */
    bool open; /* rows are sorted by it, and where this one belongs ranges leave open */
    const char *text;
    csy_range range;
} csy_value;

typedef struct csy_sheet {
    const char *name;
    size_t ncolumns;
    const csy_column *columns;
    size_t nrows;
    const csy_value *values; /* nrows * ncolumns, row by row */
} csy_sheet;

/* Tables, and what they rest on.  Everything belongs to the analysis, which the caller frees. */
typedef struct csy_analysis csy_analysis;
CSY_API size_t csy_analysis_nsheets(const csy_analysis *analysis);

/* A sheet of an index from 0; NULL after the last, and where there is no memory for its rows: if
 * they are many, an analysis holds them in a smaller form until they are asked for. */
CSY_API const csy_sheet *csy_analysis_sheet(const csy_analysis *analysis, size_t index);
CSY_API void csy_analysis_free(csy_analysis *analysis);

/* What all its figures rest on: the condition of an index from 0, a sentence without its stop; NULL
 * after the last.  What the trace lacks, what was assumed or left out, what delta was taken for,
 * and, where it is above 0, that figures by one clock are as stamped; sync is what the analysis was
 * made of.  Returns text. */
CSY_API const char *csy_analysis_condition(const csy_analysis *analysis, const csy_sync *sync,
                                           size_t index, char text[CSY_WARNING_TEXT_MAX]);

/* What is true of all its ranges: CSY_RANGE_CLOCK where there are none; CSY_RANGE_EXACT or
 * CSY_RANGE_STAR where all are; CSY_RANGE_UNKNOWN where some are; else CSY_RANGE_PROVEN, which the
 * first two are, too. */
CSY_API csy_range_kind csy_analysis_kind(const csy_analysis *analysis);

/* Write all its sheets to path ("-": standard output), as safely as a report, as text, CSV, JSON,
 * TeX or an HTML page (cellstat(1), OUTPUT); of csy_sync_timeline alone as SVG, and of
 * csy_sync_calls alone as a graph for dot(1) or folded stacks; sync is what it was made of.
 * CSY_USAGE for another format. */
CSY_API csy_status csy_analysis_write(const csy_analysis *analysis, csy_sync *sync,
                                      const char *path, csy_report_format format, csy_error *error);

/* Which ranges figures are to have: the best that are known, only those that come from each clock's
 * bound to the reference (wider, but quick however many clocks there are), or none. */
typedef enum csy_ranges { CSY_RANGES_EXACT = 0, CSY_RANGES_STAR, CSY_RANGES_NONE } csy_ranges;

/* For all analyses of it from now on; default CSY_RANGES_EXACT.  If clocks drift, or the solution
 * was read, there are those of the kind CSY_RANGES_STAR at best, unless csy_sync_renew_bounds has
 * found more.  A solution with drift that was read has none.  Analyses with ranges refuse a value
 * that is none of these: CSY_USAGE. */
CSY_API void csy_sync_set_ranges(csy_sync *sync, csy_ranges ranges);

/* Which it comes to. */
CSY_API csy_ranges csy_sync_ranges(const csy_sync *sync);

/* Of which actors concurrency is. */
typedef enum csy_units {
    CSY_UNITS_AUTO = 0, /* SPEs where there are some of those that are asked for, else all */
    CSY_UNITS_SPE,
    CSY_UNITS_PPE,
    CSY_UNITS_ACTORS, /* all */
    CSY_UNITS_CPU     /* threads while they have a core, where that is told */
} csy_units;

/* What is asked of states; all 0: nothing but the defaults. */
typedef struct csy_states {
    bool pairs;         /* rows of each actor on each unit, too */
    bool levels;        /* how many actors executed at once, too */
    bool joint;         /* how long which combination of states was, too */
    const char *window; /* only that time, as of csy_concurrency; NULL: all; not with joint */
    const char *actors; /* patterns (glob(7)) with commas between them: only these actors, also in
                           units and in what is of all; NULL: all.  CSY_USAGE where there is none */
    csy_units units;    /* only these; CSY_UNITS_AUTO: all.  CSY_USAGE for CSY_UNITS_CPU */
} csy_states;

enum { CSY_JOINT_MAX = 65536 };

/* How long actors were in which state; asked may be NULL.  Sheet "states": a row for each actor (a
 * thread of the PPE, an SPE context, a named thread), for each physical SPE and the PPE, where the
 * trace says which it was, and for all.  Columns: what ("actor", "unit" or "all"), name, then ticks
 * in user, system, overhead, switch, ready, blocked, idle, absent (of a unit: it ran no actor), and
 * blocked_CLASS for each class of waits; virtual, the time in the first three, of all that with at
 * least one actor in them (P_VIRTUAL), with a narrower range with levels; and utilization, the part
 * that virtual has in the time of an actor but absent, or of a unit.  With pairs there are rows of
 * actors on units, what being "pair".  With levels sheet "virtual": a row for each number of actors
 * that execute at once, with the time of exactly so many and of at_least so many.  With joint sheet
 * "joint": a row for each combination of states of units (SPE contexts, or all actors where there
 * are none) that was met, the longest first, in columns of their names, with its time, and share of
 * the whole; of more than CSY_JOINT_MAX the first ones that were met, and in the last row all
 * "other"; of units that are asked for, of all of these.  Its ranges are unknown where waits begin
 * between records.  Cost: two passes over the records; memory goes with actors, clocks and waits
 * that more than 65536 records are in; of a trace in partial order with its records. */
CSY_API csy_status csy_sync_states(csy_sync *sync, const csy_meaning *meaning,
                                   const csy_states *asked, csy_analysis **out, csy_error *error);

/* Of what rows are: of all actors, or of each by itself; of a unit, which is a physical SPE, the
 * PPE, or an actor of which neither is said; of a Cell, or a node: of the actors there, as far as
 * it is known where they are (csy_meaning_set_topology; pex(5), Meaning), and of all others,
 * "unknown". */
typedef enum csy_per {
    CSY_PER_ALL = 0,
    CSY_PER_ACTOR,
    CSY_PER_UNIT,
    CSY_PER_CELL,
    CSY_PER_NODE
} csy_per;

/* A section: the part of a trace that an event of a name is, or that is between two of them, as
 * csy_concurrency has it, as a window that any question can be asked of. */
enum { CSY_SECTION_WINDOW_MAX = 64 };
typedef struct csy_section {
    char window[CSY_SECTION_WINDOW_MAX]; /* "#100..#200", or "#100.begin..#100" */
    int64_t begin_ticks, end_ticks; /* in global time by the estimate, after the first record */
} csy_section;

/* The sections of a name, by their begins, or the first-th to the last-th of them, counted from 1
 * (first 0: all), in *out, which csy_sections_free frees, and how many in *n.  CSY_USAGE where
 * there are none, or more than CSY_BLOCKS_MAX.  Cost: two passes over the records. */
CSY_API csy_status csy_sync_sections(csy_sync *sync, const csy_meaning *meaning, const char *name,
                                     uint64_t first, uint64_t last, csy_section **out, size_t *n,
                                     csy_error *error);
CSY_API void csy_sections_free(csy_section *sections);

/* Takes the analysis of a section, of an index from 0, which is its own from then on, also if it
 * returns an error, which ends what gives it. */
typedef csy_status (*csy_take_section)(void *user, size_t index, csy_analysis *analysis,
                                       csy_error *error);

/* csy_sync_states of the window of each of n sections that csy_sync_sections has found: each is
 * given to receive, in the same order.  The same as one by one, but of as many sections at once as
 * 64 MiB hold: two passes over the records for so many. */
CSY_API csy_status csy_sync_states_by_section(csy_sync *sync, const csy_meaning *meaning,
                                              const csy_states *asked, const csy_section *sections,
                                              size_t n, csy_take_section receive, void *user,
                                              csy_error *error);

/* The same of all of them at once: out[i], each of which the caller frees; none after a failure. */
CSY_API csy_status csy_sync_states_of_sections(csy_sync *sync, const csy_meaning *meaning,
                                               const csy_states *asked, const csy_section *sections,
                                               size_t n, csy_analysis **out, csy_error *error);

/* Add the tables of a section, an analysis of its window, to those of the sections before it: *all,
 * which is made where it is NULL, and which the caller frees.  Sheet "sections": a row for each:
 * block, from 1, begin, end and window.  All other sheets begin with a column block; sections whose
 * sheets have other columns have sheets of their own.  section_analysis is freed, whatever comes of
 * it.  Sort each before; what comes of it is text, CSV, JSON or TeX. */
CSY_API csy_status csy_analysis_append(csy_analysis **all, csy_analysis *section_analysis,
                                       const csy_section *section, csy_error *error);

/* What is asked of concurrency; all 0: nothing but the defaults. */
typedef struct csy_concurrency {
    csy_units units;
    const char *actors;   /* patterns (glob(7)) with commas between them: only these; NULL: all */
    const char *window;   /* only that time, as csy_output_set_window has it; NULL: all */
    size_t bins;          /* parts of it that are equally long, to be told apart; 0: none */
    const char *section;  /* or only what is of events of this name; NULL: none */
    uint64_t first, last; /* and only these of them, counted from 1; 0: all */
    bool with_idle;       /* shares and averages are of all the time */
    uint64_t speedup;     /* units of which the speedup is asked for; 0: none */
    int64_t serial_ticks; /* what the program takes on one unit; 0: not known */
    int64_t sample_ticks; /* look at what is active so often, too; 0: never */
    bool attained;        /* say which times were met, too */
    csy_per per;          /* CSY_PER_CELL or CSY_PER_NODE: of each by itself; CSY_PER_ALL: of all */
} csy_concurrency;

enum { CSY_BLOCKS_MAX = 65536 };

/* How long how many units were active at once; asked may be NULL.  Sheet "concurrency": a row for
 * each level i from 0 to the greatest that is possible: level, time with exactly i active, share of
 * that in the time with at least 1 (CU_i; of level 0 none), time with at least i, and, if it is
 * asked for, sampled, the time that samples would say, and time_from, time_to, at_least_from and
 * at_least_to, the least and the greatest of these two that were found to be so at some offsets
 * which the records allow, by one more reading; none of these where delta is above 0 or bounds
 * between clocks are not known.  Sheet "total", one row: units (of cores those
 * that are named, else actors), span (time
 * from the first record to the last), active (time of all units), elapsed (with at least one
 * active), average (active / elapsed: CAVG), efficiency (average / units: CEFF), limit (elapsed /
 * time with exactly 1: what Amdahl's law leaves, if what is serial stays and all else takes no
 * time), if asked for amdahl, the limit of so many units, speedup (serial / elapsed) and
 * speedup_average, that by CAVG.
 *
 * With bins or a section both have rows for each block, of which the first columns are block, from
 * 1, and its begin and end, in ticks after the first record.  A section is an interval of that
 * name, what is between NAME_ENTRY and NAME_EXIT (also _ENTER, _BEGIN, _LEAVE, _END) of an actor,
 * or else from a record of that name to the next one of that actor.  CSY_USAGE where there is
 * none, or more than CSY_BLOCKS_MAX.
 * With cell or node both have rows for each of those, in a first column of that name.  CSY_USAGE
 * where it is not known of any actor which it is on.
 *
 * Ranges are exact where the order of the records decides: no wait of the units begins
 * between records, and delta is 0; otherwise they are proven, or of the kind CSY_RANGE_STAR if
 * clocks drift.  They are unknown if a solution was read or has other methods, or if there are more
 * than 4096 clocks.  Cost: as of csy_sync_states,
 * bounds of all pairs of clocks that are live together, and flows of least cost. */
CSY_API csy_status csy_sync_concurrency(csy_sync *sync, const csy_meaning *meaning,
                                        const csy_concurrency *asked, csy_analysis **out,
                                        csy_error *error);

/* What else is of a routine: nothing, or the calls of tasks that it creates. */
typedef enum csy_follow { CSY_FOLLOW_NONE = 0, CSY_FOLLOW_CREATE } csy_follow;

/* What is asked of a profile; all 0: nothing but the defaults. */
typedef struct csy_profile_options {
    csy_per per;
    const char
        *actors; /* patterns (glob(7)) with commas between them: only their calls; NULL: all */
    csy_follow follow;
    int64_t sample_ticks; /* look at what actors are in so often, too; 0: never */
    const char *window;   /* only that time, as of csy_concurrency; NULL: all; without follow */
} csy_profile_options;

/* What calls of routines come to.  Two sheets with the same rows, in the order in which routines
 * are met.  Sheet "profile" is of time in routines, by the clocks of those who call: routine,
 * actor or unit where rows are of one, file, line, calls, recursive (calls of what the actor is in
 * already), open (it began before the trace or ends after it), implied (the end of another one
 * ends it), direct (time in itself), cumulative (with what it calls), mean, least, greatest, p50,
 * p95, p99 (of the times of calls), descendant_calls, descendant_time.  Sheet "elapsed" is of the
 * time in which at least one actor is in the routine: elapsed_direct, elapsed_cumulative, overlap
 * (cumulative less elapsed_cumulative), sequential (direct time while one unit is active),
 * concurrent (the rest), sequential_calls, concurrent_calls (with a call of another actor: those
 * that must be and those that may be, where begins are intervals or the order is partial),
 * greatest_concurrency.  Where there are any: sheets "waits" and "loops" (class, count, time,
 * mean, greatest), "tasks" (created, started, ended, mean_time, average) and "task_concurrency"
 * (tasks, time).  The rules are in cellstat(1), ACCOUNTING.  With CSY_FOLLOW_CREATE the calls of
 * an actor also count in cumulative and elapsed_cumulative of routines that another one was in
 * when it created the actor, or, where no event says so, started it.  With sample_ticks the first
 * sheet ends with what samples of all actors would say: sampled, direct time, and
 * sampled_cumulative, to which callees add parts of theirs by numbers of calls, as gprof has it.
 * With a window, as of csy_concurrency, calls are cut at its ends, and counted if some of one is
 * in it; waits, loops and tasks are not told, and it takes three passes.  options may be NULL.
 * CSY_INPUT where no event enters a routine; CSY_USAGE for a window with follow. Cost: as of
 * csy_sync_states, and O(1) a call; 256 bytes a routine of an actor. */
CSY_API csy_status csy_sync_profile(csy_sync *sync, const csy_meaning *meaning,
                                    const csy_profile_options *options, csy_analysis **out,
                                    csy_error *error);

/* By what edges of a call graph are weighed, and leaves chosen. */
typedef enum csy_weight { CSY_WEIGHT_COUNT = 0, CSY_WEIGHT_TIME, CSY_WEIGHT_BYTES } csy_weight;

/* A moment: none; ticks after the first record; millionths of the time from that to the last one;
 * right after a record, by its position. */
typedef enum csy_at { CSY_AT_NONE = 0, CSY_AT_TICKS, CSY_AT_PPM, CSY_AT_RECORD } csy_at;

/* How csy_sync_calls is made. */
typedef struct csy_calls_options {
    const char *actors; /* as of csy_sync_profile */
    csy_weight weight;
    size_t leaves; /* how many of a routine are told one by one, the heaviest first; 0: none are */
    csy_at at;
    int64_t at_value;   /* of the moment, as csy_at has it */
    const char *window; /* only that time, as of csy_concurrency; NULL: all; without a moment */
} csy_calls_options;

/* Which routines call which.  Sheet "calls": a row for each caller (none: of the outermost ones)
 * and callee, which is a routine or a leaf (kind): an event that is no call, such as a message,
 * with its arguments; file and line of the callee, calls, time (of those that are within no other
 * call of the same two by the same actor), bytes (of leaves that have some, as far as the trace
 * says how many).  Sheet "paths": each path from an outermost routine, with semicolons between
 * names, calls, direct and cumulative time.  With a moment, sheet "active": actor and path of each
 * that is in a routine then.  With a window, as of csy_concurrency, calls are cut at its ends, and
 * counted if some of one is in it, as leaves are; each number has a range then, and it takes three
 * passes.  Cost: as of csy_sync_profile, and 96 bytes a path; beyond 2^20 paths calls are of their
 * callers' paths.  CSY_USAGE for a window with a moment. */
CSY_API csy_status csy_sync_calls(csy_sync *sync, const csy_meaning *meaning,
                                  const csy_calls_options *options, csy_analysis **out,
                                  csy_error *error);

/* Sort the rows of the first sheet, and those of others that go with them, by a column of it or of
 * another one: numbers from the greatest estimate on, texts in order; then keep the first top of
 * them (0: all).  Values of the column whose ranges overlap those of rows above them, or below, are
 * open.  CSY_USAGE where there is no such column. */
CSY_API csy_status csy_analysis_sort(csy_analysis *analysis, const char *column, size_t top,
                                     csy_error *error);

/* Let all times of an analysis, which are ticks, be nanoseconds that are shown as that unit; sync
 * is what it was made of.  Estimates are rounded to the nearest one, ends of ranges outward;
 * where nothing else is possible there is still one number.  Sort before; then it is written as
 * text, CSV, JSON or TeX alone.  CSY_USAGE for CSY_TIME_AUTO, and where its times are no ticks
 * any more; nothing is done for CSY_TIME_TICKS.  CSY_INPUT where a time leaves 64 bits. */
CSY_API csy_status csy_analysis_set_time_unit(csy_analysis *analysis, const csy_sync *sync,
                                              csy_time_unit unit, csy_error *error);

/* What actors did as time went by, in so many equal parts of it, fewer where actors are many.
 * Sheet "timeline": begin and end of a part, in ticks by the clock of the reference since the first
 * record, and concurrency, the mean number of units that were active.  Sheet "activity": name of an
 * actor, begin and end of a part in which it may have been there, and how long it was active, ready
 * (switching, too) and waiting (idle, too); of a run, where a thread recorded nothing between its
 * start and its end, untold, too, which its time is then instead of active.  Ranges: of each clock
 * all offsets are tried alone, so that they are from what is certain to what is possible at these
 * moments.  With a window, as of csy_concurrency, the parts are of
 * that, by the estimate; NULL: of all the time.  With actors, as of csy_states, concurrency and
 * activity are of these.  CSY_USAGE for another number of parts.  Cost: as of csy_sync_states. */
#define CSY_TIMELINE_BINS 2000
#define CSY_TIMELINE_BINS_MAX 10000
CSY_API csy_status csy_sync_timeline(csy_sync *sync, const csy_meaning *meaning, csy_units units,
                                     size_t bins, const char *actors, const char *window,
                                     csy_analysis **out, csy_error *error);

/* All of these in one: sheets "total", "timeline", "activity", "states", "concurrency"; of the
 * others those that have rows: "profile" and "elapsed", "loops", "tasks" and "task_concurrency",
 * "calls" (without leaves) and "paths", "comm", "classes" and, if something is, "unmatched",
 * "latency" and "fit", "waits", "locks" and "barriers"; what took most time or bytes comes first.
 * Last sheet "missing", a row for each part that could not be made: part, and the reason.  As text
 * of each sheet some rows are shown, and paths are not.  With a window, as of csy_concurrency, each
 * is of that; NULL: of all the time.  With actors each is of these, as it is by itself; NULL: of
 * all.  Units are those of concurrency, of timeline and, but for CSY_UNITS_CPU, of states.  Cost:
 * the sum of theirs, but that, without a window, those that read instants share their
 * passes; calls are missing where paths are many for the clocks that there are. */
CSY_API csy_status csy_sync_overview(csy_sync *sync, const csy_meaning *meaning, csy_units units,
                                     size_t bins, const char *actors, const char *window,
                                     csy_analysis **out, csy_error *error);

/* What rows of csy_sync_comm are of. */
typedef enum csy_comm_group { CSY_GROUP_ACTOR = 0, CSY_GROUP_CELL, CSY_GROUP_NODE } csy_comm_group;
typedef enum csy_comm_by {
    CSY_COMM_PAIR = 0, /* sender and receiver alone */
    CSY_COMM_FUNCTION, /* also the event that sends */
    CSY_COMM_DATATYPE,
    CSY_COMM_SIZE
} csy_comm_by;

typedef struct csy_comm_options {
    csy_comm_group group;
    csy_comm_by by;
    csy_fraction heavy; /* rows have at least that part of the bytes of the heaviest one, or, where
                           there are none, of its count; 0: all */
    bool templates;     /* also which patterns they fit; not with a window */
    const char *window; /* only what is under way in that time, as of csy_concurrency; NULL: all */
    const char *actors; /* patterns (glob(7)) with commas between them: only what one of these sends
                           or receives; NULL: all.  CSY_USAGE where there is none */
} csy_comm_options;
CSY_API void csy_comm_options_init(csy_comm_options *options);

/* Who sends whom how much.  Sheet "comm": a row for each sender, receiver and kind that there is
 * ("message"; "mailbox": a word through one; "transfer": between a context and memory): sender,
 * receiver, what, by which function, datatype or size if that is asked for, count, bytes, and time,
 * the sum of the times from where each send began to where its receive ended, and cost, what these
 * come to by the line of their kind and class (csy_sync_latency); both are none where some are
 * transfers that are recorded as moments, of which it is not known when they ended.  Sheet
 * "classes": what, class ("same Cell", "same node", "between nodes", "memory", "unknown"), count,
 * bytes, and their shares of that kind; bytes and their shares are none where the trace does not
 * say how many some of the messages have.  Sheet "unmatched": what, sends and receives that have no
 * other end.
 * Sheet "templates", if asked for: the five patterns that messages fit best: template, pairs that
 * are in both, jaccard (these over those that are in either), and coverage, their part of bytes.
 * Messages are met as the order of the trace has it; where that says nothing of them, the k-th send
 * of a communicator, sender, receiver and tag with the k-th receive, in the order of posting.
 * Times of two clocks are exact if delta is 0; of groups of more they are proven; beyond 4096
 * clocks, and of a solution that was read, they are by bounds to the reference.  Any trace will do,
 * also one in partial order.  CSY_INPUT where no event has a part in this.  Cost: a pass over the
 * records, two where receives complete in another order than they were posted in; memory by pairs
 * that there are, and by ends that wait for others. */
CSY_API csy_status csy_sync_comm(csy_sync *sync, const csy_meaning *meaning,
                                 const csy_comm_options *options, csy_analysis **out,
                                 csy_error *error);

/* How long messages, words and transfers (csy_sync_comm) take, from where the send begins to where
 * the receive ends.  Sheet "latency": a row for each kind, class ("same Cell", "same node",
 * "between nodes", "memory", "unknown") and size: what, class, bytes, messages, least, mean (in
 * millionths of a tick), median (the lower one of two), and late_sender, the sum of the times from
 * where a receive began to where its send did, where that was later.  Sheet "fit": for each kind
 * and class the line through latencies over bytes by least squares: what, class, messages,
 * intercept, and bytes_per_second, which is 1 over the slope; none of these where all are of one
 * size.  Messages whose bytes are not known have rows of their own, without bytes or a line, and so
 * have transfers that are recorded as moments, of which no time is known.
 * The range of a mean or a line is exact where it rests on one pair of clocks or few, and
 * delta is 0; all others are proven.  With a window, as of csy_concurrency, they are of messages
 * that were under way in it for some time, whole; no line goes through messages of which some may
 * be in it or not.  NULL: all the time.  With actors, as of csy_comm_options, they are of what
 * these send or receive; NULL: of all.  Cost: two passes as of csy_sync_comm; memory by pairs of
 * clocks, sizes, and 2^19 different latencies at most, beyond which medians are known less well. */
CSY_API csy_status csy_sync_latency(csy_sync *sync, const csy_meaning *meaning, const char *actors,
                                    const char *window, csy_analysis **out, csy_error *error);

/* What actors wait for.  Sheet "waits": a row for each class and object: class, object ("-": it is
 * not said), count, time, mean (in millionths of a tick), greatest, and misses, of what acquires a
 * lock; each by the clock of the actor that waits.  Sheet "locks": a row for each lock and actor:
 * object, holder, holds, held (the time that it had the lock), waits and waited, of others that got
 * the lock from it; not of a trace in partial order, which does not tell whom they got it from.
 * Sheet "barriers": a row for each instance of a barrier or a collective operation, the k-th of its
 * name and communicator of each actor: event, instance, arrivals, spread (the time from the first
 * arrival to the last), last (who that was by the estimate), and rival, who may have been last
 * instead.  Ranges of spreads are proven; of more than 256 arrivals they are by bounds to the
 * reference.  With a window, as of csy_concurrency, all that was under way in it for some time
 * counts, and its time there; instances are those that may have arrivals in it, which are counted
 * there, while the spread is of all.  NULL: all the time.  With actors, as of csy_states, "waits"
 * are of these; of "locks" the holds are by them, and so are the waits, also for other holders, of
 * which holds and held are none; "barriers" has the instances that one of them arrives at, whole.
 * NULL: of all.  Cost: a pass over the records; memory by classes, objects and actors, and 48 bytes
 * an arrival. */
CSY_API csy_status csy_sync_waits(csy_sync *sync, const csy_meaning *meaning, const char *actors,
                                  const char *window, csy_analysis **out, csy_error *error);

/* Which of two moments came first, as csy_sync_before has it, under those names.  Sheet "order",
 * one row: a, b (names), order ("before": a is before b; "after"; "same"; "unknown": the records
 * allow either), by (the time of b less that of a), and of each moment clock, local and global, as
 * a_clock and b_global. */
CSY_API csy_status csy_sync_order_table(csy_sync *sync, const char *const names[2],
                                        const csy_instant moments[2], csy_analysis **out,
                                        csy_error *error);

#ifdef __cplusplus
}
#endif

#endif
