/* Caveats are warnings about a solution or an analysis, and conditions of its bounds. Every format
 * iterates over this one list, so a caveat that is added to caveats.c appears in all formats. */
#ifndef OUTPUT_ENCODE_CAVEATS_H
#define OUTPUT_ENCODE_CAVEATS_H

#include <cellsync/analysis.h>

struct caveats {
    const csy_sync *sync;
    const csy_analysis *analysis; /* NULL: list only the caveats of the solution */
    bool ranged;                  /* the analysis has ranges, so conditions of bounds apply */
    bool stamped; /* some figures use the timestamps of only one clock, and delta > 0 */
    /* The next positions: in the warnings of the trace, in the table of caveats, and in
     * analysis->conditions. */
    size_t warned, next, own;
    /* The caveat that caveats_next has found. */
    const char *key; /* the caveat's name in JSON; NULL if the analysis added the caveat */
    bool condition;  /* true if the text completes the sentence "bounds hold if" */
    const char *see; /* the report section with details, printed after the word "see"; or NULL */
    const char *see_html;
    char text[CSY_WARNING_TEXT_MAX];
};
struct caveats caveats_of(const csy_sync *sync, const csy_analysis *analysis);

/* Advance to the next caveat. Returns false after the last caveat. */
bool caveats_next(struct caveats *p);

/* The caveats as columns of CSV reports and tables. */
enum { CAVEAT_KEYS_MAX = 128 };
#define CAVEAT_COLUMNS "conditional,assumed,dropped,order_doubted"
#define CAVEAT_MORE_COLUMNS "one_rate,one_step,both_ends,warnings,conditions"
struct caveat_columns {
    uint64_t assumed;   /* number of gaps whose length was assumed */
    size_t dropped;     /* number of records that were left out */
    bool conditional;   /* true if delta was estimated, so that bounds hold only on conditions */
    bool order_doubted; /* result of caveats_doubt_order */
    /* What bounds assume: all clocks run at one rate; all clocks step at the same instants; both
     * ends of all messages were recorded. */
    bool one_rate, one_step, both_ends;
    char keys[2][CAVEAT_KEYS_MAX]; /* keys of warnings, keys of conditions; blanks between */
    char first[64], last[2 * CAVEAT_KEYS_MAX + 32]; /* text of CAVEAT_COLUMNS, _MORE_COLUMNS */
};
struct caveat_columns caveats_columns(const csy_sync *sync);

/* Returns true if the records may not be in the order of writing. Records may be sorted by thread
 * or by time, or be too few to show their order. */
bool caveats_doubt_order(const csy_sync *sync);

#endif
