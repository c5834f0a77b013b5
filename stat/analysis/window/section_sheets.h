/* Splits tables that have the rows of all sections into the tables of each section. */
#ifndef ANALYSIS_WINDOW_SECTION_SHEETS_H
#define ANALYSIS_WINDOW_SECTION_SHEETS_H

#include "analysis/run/sheets.h"

/* The position in one sheet while sections are read one by one. */
struct section_view {
    struct sheet_reader reader;
    /* row: index of the next row; next: index of the next item of sheet.sections */
    size_t row, next;
};

struct section_views {
    const csy_analysis *all;
    size_t section; /* number of the section that was returned last; the first one is 1 */
    struct section_view sheets[SHEETS_MAX];
};

/* Prepare to return sections. The caller calls section_views_fini even after a failure. */
csy_status section_views_init(struct section_views *views, const csy_analysis *all,
                              csy_error *error);

/* Make the tables of the next of all->nsections sections, with the rows in the order in which they
 * were appended. The tables use texts and time unit of `all`, which must outlive the tables.
 * Returns NULL if out of memory. */
csy_analysis *section_views_next(struct section_views *views);
void section_views_fini(struct section_views *views);

#endif
