/* The HTML page of an analysis. A table in stat_page.c has a row for each sheet, with the function
 * that draws the sheet. See cellstat-tables(5), HTML PAGE. A page stays below 4 MiB: longer parts
 * are cut, with a note. All tables together have at most STAT_TABLES_BYTES; the first tables are
 * complete. */
#ifndef OUTPUT_PAGE_STAT_H
#define OUTPUT_PAGE_STAT_H

#include "output/encode/cells.h"
#include "output/page/page.h"

enum { STAT_TABLES_BYTES = 5 << 19, STAT_ROWS_MAX = 500, STAT_COLUMNS_MAX = 250 };

/* Columns of the sheets "timeline" and "activity". */
enum { TIMELINE_BEGIN, TIMELINE_END, TIMELINE_CONCURRENCY };
enum {
    ACTIVITY_NAME,
    ACTIVITY_BEGIN,
    ACTIVITY_END,
    ACTIVITY_ACTIVE,
    ACTIVITY_READY,
    ACTIVITY_WAITING,
    ACTIVITY_UNTOLD /* time in an unknown state; the column may be missing */
};

/* stat_number returns the estimate in a cell. stat_plus returns a sum, or a very large number if
 * the sum overflows. */
static inline int64_t stat_number(const csy_sheet *sheet, size_t row, size_t column)
{
    return cells_at(sheet, row, column)->range.estimate;
}

static inline int64_t stat_plus(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX - 1 : sum;
}

/* Returns true if the state of some actor is unknown at times. */
static inline bool stat_has_untold(const csy_sheet *activity)
{
    return activity->ncolumns > ACTIVITY_UNTOLD;
}

csy_status stat_page(const csy_analysis *analysis, csy_sync *sync, struct outfile *out,
                     csy_error *error);

/* Returns the heading of a sheet. *words becomes the second heading of the sheet, or NULL. */
const char *stat_title(const csy_sheet *sheet, const char **words);

/* Draw the sheets "timeline" and "activity" as one drawing in a separate file. The analysis must
 * have both. */
void stat_drawing(const csy_analysis *analysis, csy_sync *sync, struct outfile *out);

/* A function that draws a sheet, if the sheet has rows for the drawing. Returns false if memory
 * runs out. */
typedef bool stat_draw(const struct page *page, const csy_sheet *sheet);
stat_draw stat_timeline, stat_activity, stat_levels, stat_comm, stat_flame, stat_graph;

/* Write a sheet as a table. Returns false if memory runs out. */
bool stat_table(const struct page *page, const csy_sheet *sheet);

/* Write a figure with its range, such as "28.25 [28.21, 28.29]". */
void stat_figure(const struct page *page, const csy_column *column, const csy_value *value);

/* Write a number of a CSY_COLUMN_PPM column in a sentence, such as "1.838 (1.833 to 1.842)". */
void stat_ratio(const struct page *page, const csy_range *range);

/* The style sheets of drawings and pages of an analysis, the script of such a page, and the hash of
 * this script. A page permits only the script with this hash. */
extern const char stat_shapes[], stat_style[], stat_script[], stat_script_hash[];

#endif
