/* A table of several traces, one row each, in the order added. See cellsync-json(5), TABLES. */
#ifndef OUTPUT_REPORT_FIGURES_H
#define OUTPUT_REPORT_FIGURES_H

#include "base/number.h"
#include "output/encode/caveats.h"
#include "output/file/outfile.h"

/* The data of a trace and its solution. */
struct figures_row {
    char *name; /* the name of the trace as given */
    uint64_t timebase_hz;
    uint64_t records;
    size_t threads, clocks; /* offsets belong to clocks, which threads run on */
    bool of_cell;           /* its threads are a PPE and SPEs */
    csy_imprecision imprecision;
    csy_order order;
    csy_summary summary; /* if clocks drift, only pairs, bounded, and max_event_error_ticks */
    bool drifts, by_ppe; /* clocks drift, and the reference is the PPE */
    csy_drift drift;     /* without clocks */
    struct caveat_columns caveats;
};

struct csy_table {
    char *path;
    csy_report_format format;
    csy_table_unit unit; /* of figures in formats other than CSV */
    bool microseconds;   /* the unit is not ticks */
    struct figures_row *rows;
    size_t count, capacity;
    char **caveats; /* without a mark; each begins with the name of its trace */
    size_t ncaveats, caveats_capacity;
};

/* A mark of a row, explained in a note: */
enum figures_mark {
    FIGURES_PARTIAL,     /* some of its pairs are unbounded and not in the figures */
    FIGURES_CONDITIONAL, /* its delta was estimated */
    FIGURES_ASSUMED,     /* some of its gaps are assumed */
    FIGURES_DROPPED,     /* some of its records are left out */
    FIGURES_SORTED,      /* the order of its records is doubtful */
    FIGURES_UNCOMPUTED,  /* its figures would have taken too many steps */
    FIGURES_ONE_RATE,    /* its errors assume that all clocks run at one rate, */
    FIGURES_ONE_STEP,    /* that they step at the same instants, */
    FIGURES_BOTH_ENDS,   /* and that every message was recorded at both ends, or sent */
    FIGURES_DRIFT,       /* its clocks drift, so its mean error is over records */
    FIGURES_MARKS
};
bool figures_row_has(const struct figures_row *row, enum figures_mark mark);

/* The name of the errors of all rows: "error bounds" if nothing was added to any constraint,
 * otherwise "event errors". */
const char *figures_errors(const csy_table *table);

/* Write the cells of a row after its name: errors in the unit of the table, "" if there are none,
 * with this many decimals in means. Returns the number of cells. */
enum { FIGURES_COLUMNS = 7, FIGURES_TEXT_MAX = CSY_TIME_TEXT_MAX };
size_t figures_cells(const csy_table *table, const struct figures_row *row, unsigned decimals,
                     char cells[FIGURES_COLUMNS][FIGURES_TEXT_MAX]);

/* The heading of the i-th cell, for formats without lines across columns; NULL after the last. */
const char *figures_heading(const csy_table *table, size_t i);

/* True if clocks of some row drift; otherwise a CSV table has no columns for these. */
bool figures_drift(const csy_table *table);

/* The heading of a column with numbers of clocks: "threads" if each thread of each trace has its
 * own. */
const char *figures_clocks(const csy_table *table);

/* True if some row has a PPE and SPEs; otherwise the table has no columns for these. */
bool figures_of_cell(const csy_table *table);

/* True if only some rows have these: headings are then "no PPE", which applies to all pairs of the
 * others, instead of "SPEs". Implies figures_of_cell. */
bool figures_of_others(const csy_table *table);

/* "ticks" or "microseconds" */
const char *figures_unit(const csy_table *table);

/* Notes for the reader, one line each; NULL if there is none. */
const char *figures_note(const csy_table *table, enum figures_mark mark);
const char *figures_note_ticks(const csy_table *table);

/* The writer of each format. */
void figures_text(const csy_table *table, struct outfile *out);
void figures_csv(const csy_table *table, struct outfile *out);
void figures_tex(const csy_table *table, struct outfile *out);
void figures_markdown(const csy_table *table, struct outfile *out);

#endif
