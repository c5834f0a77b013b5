/* A table with one row for each trace, in the order added. See cellsync-json(5), TABLES. */
#ifndef OUTPUT_REPORT_FIGURES_H
#define OUTPUT_REPORT_FIGURES_H

#include "base/number.h"
#include "output/encode/caveats.h"
#include "output/file/outfile.h"

/* A row: facts about a trace and its solution. */
struct figures_row {
    char *name; /* the name of the trace as given */
    uint64_t timebase_hz;
    uint64_t records;
    size_t threads, clocks; /* threads run on clocks, which have offsets */
    bool of_cell;           /* the threads are a PPE and SPEs */
    csy_imprecision imprecision;
    csy_order order;
    csy_summary summary; /* if clocks drift, only pairs, bounded, and max_event_error_ticks */
    bool drifts, by_ppe; /* clocks drift, and the reference is the PPE */
    csy_drift drift;     /* its `clocks` is not set */
    struct caveat_columns caveats;
};

struct csy_table {
    char *path;
    csy_report_format format;
    csy_table_unit unit; /* unit of figures, except in CSV */
    bool microseconds;   /* the unit is not ticks */
    struct figures_row *rows;
    size_t count, capacity;
    char **caveats; /* caveats without a mark; each begins with its trace's name */
    size_t ncaveats, caveats_capacity;
};

/* A mark at a row's name, explained in a note. */
enum figures_mark {
    FIGURES_PARTIAL,     /* some pairs are unbounded and not in the figures */
    FIGURES_CONDITIONAL, /* delta was estimated */
    FIGURES_ASSUMED,     /* some gaps are assumed */
    FIGURES_DROPPED,     /* some records are left out */
    FIGURES_SORTED,      /* the order of records is doubtful */
    FIGURES_UNCOMPUTED,  /* figures would have taken too many steps */
    FIGURES_ONE_RATE,    /* errors assume that all clocks run at one rate */
    FIGURES_ONE_STEP,    /* errors assume that all clocks step at the same instants */
    FIGURES_BOTH_ENDS,   /* errors assume that both ends, or at least all sends, were recorded */
    FIGURES_DRIFT,       /* clocks drift, so the mean error is over records */
    FIGURES_MARKS
};
bool figures_row_has(const struct figures_row *row, enum figures_mark mark);

/* What all errors are called: "error bounds" if delta added nothing to any constraint, otherwise
 * "event errors". */
const char *figures_errors(const csy_table *table);

/* Write the cells after a row's name. Errors are in the unit of the table, and "" if there are
 * none; means have this many decimals. Returns the number of cells. */
enum { FIGURES_COLUMNS = 7, FIGURES_TEXT_MAX = CSY_TIME_TEXT_MAX };
size_t figures_cells(const csy_table *table, const struct figures_row *row, unsigned decimals,
                     char cells[FIGURES_COLUMNS][FIGURES_TEXT_MAX]);

/* The heading of the i-th cell, if headings cannot span columns; NULL after the last. */
const char *figures_heading(const csy_table *table, size_t i);

/* True if clocks of some row drift. A CSV table has columns for drift only then. */
bool figures_drift(const csy_table *table);

/* The heading of the numbers of clocks: "threads" if no trace has threads that share a clock. */
const char *figures_clocks(const csy_table *table);

/* True if some row has a PPE and SPEs. The table has columns for these only then. */
bool figures_of_cell(const csy_table *table);

/* True if some rows have a PPE and SPEs and others do not. The heading is then "no PPE" instead of
 * "SPEs", because for the others it covers all pairs. Implies figures_of_cell. */
bool figures_of_others(const csy_table *table);

/* Returns "ticks" or "microseconds". */
const char *figures_unit(const csy_table *table);

/* A note for the reader, one line long. Returns NULL if none is needed. */
const char *figures_note(const csy_table *table, enum figures_mark mark);
const char *figures_note_ticks(const csy_table *table);

/* Write the whole table in one format. */
void figures_text(const csy_table *table, struct outfile *out);
void figures_csv(const csy_table *table, struct outfile *out);
void figures_tex(const csy_table *table, struct outfile *out);
void figures_markdown(const csy_table *table, struct outfile *out);

#endif
