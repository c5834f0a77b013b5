/* A table of several traces: a row each, as they came.  cellsync-formats(5), Tables. */
#ifndef OUTPUT_REPORT_FIGURES_H
#define OUTPUT_REPORT_FIGURES_H

#include "base/number.h"
#include "output/encode/caveats.h"
#include "output/file/outfile.h"

/* What is kept of a trace and its solution. */
struct figures_row {
    char *name; /* the trace's, as it was named */
    uint64_t timebase_hz;
    uint64_t records;
    size_t threads, clocks; /* threads run on clocks, which are what has offsets */
    bool of_cell;           /* its threads are a PPE and SPEs */
    csy_imprecision imprecision;
    csy_order order;
    csy_summary summary;
    struct caveat_columns caveats;
};

struct csy_table {
    char *path;
    csy_report_format format;
    csy_table_unit unit; /* of figures that are not CSV */
    bool microseconds;   /* its unit: not ticks */
    struct figures_row *rows;
    size_t count, capacity;
    char **caveats; /* without a mark; each begins with the name of its trace */
    size_t ncaveats, caveats_capacity;
};

/* What a row has a mark for, and a note below says: */
enum figures_mark {
    FIGURES_PARTIAL,     /* pairs of it are unbounded, which the figures leave out */
    FIGURES_CONDITIONAL, /* its delta was estimated */
    FIGURES_ASSUMED,     /* gaps of it were assumed */
    FIGURES_DROPPED,     /* records of it were left out */
    FIGURES_SORTED,      /* the order of its records is doubted */
    FIGURES_UNCOMPUTED,  /* its figures would have taken too many steps */
    FIGURES_ONE_RATE,    /* its errors rest on that all clocks run at one rate, */
    FIGURES_ONE_STEP,    /* that they step at the same instants, */
    FIGURES_BOTH_ENDS,   /* and that every message was recorded at both ends, or sent */
    FIGURES_MARKS
};
bool figures_row_has(const struct figures_row *row, enum figures_mark mark);

/* What the errors of all rows are: "error bounds" where nothing was added to any constraint, else
 * "event errors". */
const char *figures_errors(const csy_table *table);

/* A number of ticks, and a mean, in the unit of the table: whole ticks without decimals, all else
 * with so many.  Return text. */
const char *figures_ticks(const csy_table *table, const struct figures_row *row, int64_t ticks,
                          unsigned decimals, char text[QUOTIENT_TEXT_MAX]);
const char *figures_mean(const csy_table *table, const struct figures_row *row, csy_mean mean,
                         unsigned decimals, char text[QUOTIENT_TEXT_MAX]);

/* Of a column with numbers of clocks: "threads" where each thread of each trace has its own. */
const char *figures_clocks(const csy_table *table);

/* Whether any row is of a PPE and SPEs: else a table has no columns for these. */
bool figures_of_cell(const csy_table *table);

/* Whether only some rows are: then columns say "no PPE", true of all pairs of the others, and not
 * "SPEs". */
bool figures_of_others(const csy_table *table);

/* "ticks" or "microseconds" */
const char *figures_unit(const csy_table *table);

/* What a reader of the figures must know, a line each; NULL where there is nothing to say. */
const char *figures_note(const csy_table *table, enum figures_mark mark);
const char *figures_note_ticks(const csy_table *table);

/* One function a format. */
void figures_text(const csy_table *table, struct outfile *out);
void figures_csv(const csy_table *table, struct outfile *out);
void figures_tex(const csy_table *table, struct outfile *out);

#endif
