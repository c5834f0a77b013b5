/* Caveats: warnings about a solution or an analysis, and conditions of its bounds. Every format
 * iterates over this one list, so a caveat that is added to caveats.c appears in all formats. */
#ifndef OUTPUT_ENCODE_CAVEATS_H
#define OUTPUT_ENCODE_CAVEATS_H

#include <cellsync/analysis.h>

struct caveats {
    const csy_sync *sync;
    const csy_analysis *analysis; /* NULL: list only the caveats of the solution */
    bool ranged;                  /* the analysis has ranges, so conditions of bounds apply */
    bool stamped;                 /* some figures use only one clock's timestamps, and delta > 0 */
    /* next: position in the table of caveats; own: position in analysis->conditions */
    size_t next, own;
    /* The current caveat. */
    const char *key; /* NULL if the analysis added it */
    bool condition;  /* the text completes "bounds hold if" */
    const char *see; /* report section with details, printed after "see"; or NULL */
    const char *see_html;
    char text[CSY_WARNING_TEXT_MAX];
};
struct caveats caveats_of(const csy_sync *sync, const csy_analysis *analysis);

/* Advance to the next caveat. Returns false after the last. */
bool caveats_next(struct caveats *p);

/* The caveats as columns of CSV reports and tables. */
enum { CAVEAT_KEYS_MAX = 128 };
#define CAVEAT_COLUMNS "conditional,assumed,dropped,order_doubted"
#define CAVEAT_MORE_COLUMNS "one_rate,one_step,both_ends,warnings,conditions"
struct caveat_columns {
    uint64_t assumed;   /* number of gaps whose length was assumed */
    size_t dropped;     /* number of records that were left out */
    bool conditional;   /* delta was estimated, so the bounds are conditional */
    bool order_doubted; /* result of caveats_doubt_order */
    /* Bounds assume that all clocks run at one rate, that they step at the same instants, and that
     * messages of channels were recorded at both ends. */
    bool one_rate, one_step, both_ends;
    char keys[2][CAVEAT_KEYS_MAX]; /* keys of warnings and of conditions, separated by blanks */
    char first[64], last[2 * CAVEAT_KEYS_MAX + 32]; /* values of CAVEAT_COLUMNS, _MORE_COLUMNS */
};
struct caveat_columns caveats_columns(const csy_sync *sync);

/* True if the records may not be in the order of writing: they are sorted by thread or by time, or
 * too few records exclude this. */
bool caveats_doubt_order(const csy_sync *sync);

#endif
