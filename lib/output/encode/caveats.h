/* Caveats are warnings about a solution or an analysis, and conditions of its bounds. Every format
 * iterates over this one list, so a caveat that is added to caveats.c appears in all formats. */
#ifndef OUTPUT_ENCODE_CAVEATS_H
#define OUTPUT_ENCODE_CAVEATS_H

#include <cellsync/analysis.h>

struct caveats {
    const csy_sync *sync;
    const csy_analysis *analysis; /* the analysis, or NULL to list only caveats of the solution */
    bool ranged;                  /* true if the analysis prints ranges, not only estimates. Then
                                   * the caveats include the conditions under which the ranges are
                                   * right. */
    bool stamped;                 /* true if results of the analysis depend on the timestamp
                                   * error */
    /* The next caveat comes from one of three lists: warned is an index in the warnings of the
     * trace, `next` in the table of caveats.c, `own` in analysis->conditions. */
    size_t warned, next, own;
    /* caveats_next sets the following members; they describe one caveat. */
    const char *key; /* name of the caveat in JSON, or NULL if it comes from the analysis */
    bool condition;  /* true if the text completes the sentence "bounds hold if" */
    const char *see; /* report section with details, printed after "see"; or NULL */
    const char *see_html;
    char text[CSY_WARNING_TEXT_MAX];
};
struct caveats caveats_of(const csy_sync *sync, const csy_analysis *analysis);

/* Advance to the next caveat. Returns false after the last caveat. */
bool caveats_next(struct caveats *p);

/* Columns of CSV reports and tables that show the caveats. */
enum { CAVEAT_KEYS_MAX = 128 };
#define CAVEAT_COLUMNS "conditional,assumed,dropped,order_doubted"
#define CAVEAT_MORE_COLUMNS "one_rate,one_step,both_ends,warnings,conditions"
struct caveat_columns {
    uint64_t assumed;   /* number of gaps with an assumed number of counter wraps */
    size_t dropped;     /* number of records that were left out */
    bool conditional;   /* true if the timestamp error delta was estimated, not given */
    bool order_doubted; /* true if the order of records is doubtful, or if too few records show
                         * it */
    /* True if bounds assume equal rates of all clocks (one_rate), simultaneous ticks (one_step), or
     * that both ends of all messages were recorded (both_ends). */
    bool one_rate, one_step, both_ends;
    char keys[2][CAVEAT_KEYS_MAX]; /* keys of warnings and of conditions, separated by blanks */
    char first[64], last[2 * CAVEAT_KEYS_MAX + 32]; /* values of CAVEAT_COLUMNS and of
                                                     * CAVEAT_MORE_COLUMNS */
};
struct caveat_columns caveats_columns(const csy_sync *sync);

/* Returns true if the order of records is doubtful, or if too few records show it. */
bool caveats_doubt_order(const csy_sync *sync);

#endif
