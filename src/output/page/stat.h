/*
 * The HTML page of an analysis: a part for each of its sheets, a function and a row each.
 * cellstat(1), HTML page.
 *
 * Whatever the sheets, a page stays below 4 MiB: what would be longer is cut, and says so.
 * Tables have STAT_TABLES_BYTES of that together, as they come.
 */
#ifndef OUTPUT_PAGE_STAT_H
#define OUTPUT_PAGE_STAT_H

#include "output/encode/cells.h"
#include "output/page/page.h"

enum { STAT_TABLES_BYTES = 5 << 19, STAT_ROWS_MAX = 500, STAT_COLUMNS_MAX = 250 };

csy_status stat_page(const csy_analysis *analysis, csy_sync *sync, struct outfile *out,
                     csy_error *error);

/* The heading of a sheet, and in *words that of its own below it, or NULL. */
const char *stat_title(const csy_sheet *sheet, const char **words);

/* Sheets "timeline" and "activity", which the analysis has, as one drawing, a file of its own. */
void stat_drawing(const csy_analysis *analysis, csy_sync *sync, struct outfile *out);

/* Drawings of sheets, one function each; false on no memory.  What it says nothing of is not
 * drawn. */
typedef bool stat_draw(const struct page *page, const csy_sheet *sheet);
stat_draw stat_timeline, stat_activity, stat_levels, stat_comm, stat_flame, stat_graph;

/* A sheet as a table; false on no memory. */
bool stat_table(const struct page *page, const csy_sheet *sheet);

/* A figure with its range, as text: "28.25 [28.21, 28.29]". */
void stat_figure(const struct page *page, const csy_column *column, const csy_value *value);

/* Styles that only these drawings and pages have; what the page does where scripts may run, and the
 * hash by which it is let. */
extern const char stat_shapes[], stat_style[], stat_script[], stat_script_hash[];

#endif
