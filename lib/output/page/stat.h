/* The HTML page of an analysis. Each sheet has a row of a table and a function that draws it. See
 * cellstat-tables(5), HTML PAGE.
 *
 * A page stays below 4 MiB for all sheets: longer parts are cut, with a note. Tables share
 * STAT_TABLES_BYTES of these, the first sheets first. */
#ifndef OUTPUT_PAGE_STAT_H
#define OUTPUT_PAGE_STAT_H

#include "output/encode/cells.h"
#include "output/page/page.h"

enum { STAT_TABLES_BYTES = 5 << 19, STAT_ROWS_MAX = 500, STAT_COLUMNS_MAX = 250 };

csy_status stat_page(const csy_analysis *analysis, csy_sync *sync, struct outfile *out,
                     csy_error *error);

/* The heading of a sheet; *words becomes the heading below it, or NULL. */
const char *stat_title(const csy_sheet *sheet, const char **words);

/* Draw the sheets "timeline" and "activity" as one drawing in a separate file. The analysis must
 * have both. */
void stat_drawing(const csy_analysis *analysis, csy_sync *sync, struct outfile *out);

/* Draw a sheet, unless it has no relevant rows. Returns false if out of memory. */
typedef bool stat_draw(const struct page *page, const csy_sheet *sheet);
stat_draw stat_timeline, stat_activity, stat_levels, stat_comm, stat_flame, stat_graph;

/* Write a sheet as a table. Returns false if out of memory. */
bool stat_table(const struct page *page, const csy_sheet *sheet);

/* Write a figure with its range: "28.25 [28.21, 28.29]". */
void stat_figure(const struct page *page, const csy_column *column, const csy_value *value);

/* Write a number of a column CSY_COLUMN_PPM for a sentence: "1.838 (1.833 to 1.842)". */
void stat_ratio(const struct page *page, const csy_range *range);

/* Style sheets for these drawings and pages, the script of the page, and the hash that permits
 * it. */
extern const char stat_shapes[], stat_style[], stat_script[], stat_script_hash[];

#endif
