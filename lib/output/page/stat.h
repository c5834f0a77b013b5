/* Writes the HTML page of an analysis (a set of tables, called sheets). See cellstat-tables(5),
 * HTML PAGE. A page stays below 4 MiB: longer parts are cut, with a note. All tables together take
 * at most STAT_TABLES_BYTES; the first tables are complete. */
#ifndef OUTPUT_PAGE_STAT_H
#define OUTPUT_PAGE_STAT_H

#include "output/page/page.h"

enum { STAT_TABLES_BYTES = 5 << 19, STAT_ROWS_MAX = 500, STAT_COLUMNS_MAX = 250 };

enum { PPM_DECIMALS = 6 };

static inline const csy_value *cells_at(const csy_sheet *sheet, size_t row, size_t column)
{
    return &sheet->values[row * sheet->ncolumns + column];
}

/* Returns a word for how ranges were found, such as "exact" or "unknown". */
const char *cells_kind(csy_range_kind kind);

/* Describe what ranges promise, as in "exact: some valid offsets attain each end" of each range. */
enum { CELLS_RANGES_MAX = 256 };
const char *cells_ranges(const csy_analysis *analysis, const csy_sync *sync,
                         char text[CELLS_RANGES_MAX]);

/* Text instead of ranges, if each number of an analysis is computed from a single clock. */
#define CELLS_NO_RANGES "no figure here depends on two clocks"

/* Format a number for people, in millionths with `decimals` decimals. Returns text or a
 * constant. */
const char *cells_number(csy_column_kind kind, int64_t number, unsigned decimals,
                         char text[QUOTIENT_TEXT_MAX]);

/* Returns the number of decimals that show nanoseconds in a column of this kind, or 0. */
unsigned cells_time_decimals(csy_column_kind kind);

/* Find a sheet by its name, or return NULL. Use sheet_reader to read the rows of a packed sheet. */
const csy_sheet *cells_sheet(const csy_analysis *analysis, const char *name);

/* Numbers of the columns in the sheets "timeline" and "activity". */
enum { TIMELINE_BEGIN, TIMELINE_END, TIMELINE_CONCURRENCY };
enum {
    ACTIVITY_NAME,
    ACTIVITY_BEGIN,
    ACTIVITY_END,
    ACTIVITY_ACTIVE,
    ACTIVITY_READY,
    ACTIVITY_WAITING,
    ACTIVITY_UNTOLD /* time in a state that the trace does not show; the sheet may lack this
                     * column */
};

/* stat_number returns a cell's estimate. stat_plus returns a + b, or INT64_MAX - 1 on overflow,
 * because INT64_MAX stands for infinity. */
static inline int64_t stat_number(const csy_sheet *sheet, size_t row, size_t column)
{
    return cells_at(sheet, row, column)->range.estimate;
}

static inline int64_t stat_plus(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX - 1 : sum;
}

/* Returns true if the sheet "activity" has a column for time in an unknown state. */
static inline bool stat_has_untold(const csy_sheet *activity)
{
    return activity->ncolumns > ACTIVITY_UNTOLD;
}

csy_status stat_page(const csy_analysis *analysis, csy_sync *sync, struct outfile *out,
                     csy_error *error);

/* Returns the heading of a sheet. *words becomes the second heading below it, or NULL. */
const char *stat_title(const csy_sheet *sheet, const char **words);

/* Draw the sheets "timeline" and "activity", which must exist, as one drawing in a file. */
void stat_drawing(const csy_analysis *analysis, csy_sync *sync, struct outfile *out);

/* Draws a sheet, or nothing without suitable rows. Returns false if out of memory. */
typedef bool stat_draw(const struct page *page, const csy_sheet *sheet);
stat_draw stat_timeline, stat_activity, stat_levels, stat_comm, stat_flame, stat_graph;

/* Write a value and its range, such as "28.25 [28.21, 28.29]". */
void stat_figure(const struct page *page, const csy_column *column, const csy_value *value);

/* Style sheets of drawings and of everything else that only this page has, a script, which sorts
 * and filters tables, shows the time under the pointer, and widens drawings, and a text. See
 * page.h. */
extern const char stat_shapes[], stat_style[], stat_script[], stat_rules[];

#endif
