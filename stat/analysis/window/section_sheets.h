/* Splits tables that have the rows of all sections into the tables of each section. */
#ifndef ANALYSIS_WINDOW_SECTION_SHEETS_H
#define ANALYSIS_WINDOW_SECTION_SHEETS_H

#include "analysis/run/sheets.h"

/* The position in one sheet. */
struct section_view {
    struct sheet_reader reader;
    /* row: next row; next: next item of sheet.sections */
    size_t row, next;
};

struct section_views {
    const csy_analysis *all;
    size_t section; /* number of the last section returned; the first is 1 */
    struct section_view sheets[SHEETS_MAX];
};

/* Prepare. The caller calls section_views_fini even after a failure. */
csy_status section_views_init(struct section_views *views, const csy_analysis *all,
                              csy_error *error);

/* Make the tables of the next of all->nsections sections, with the rows as appended. The tables use
 * texts and time unit of `all`, which must outlive them. Returns NULL if out of memory. */
csy_analysis *section_views_next(struct section_views *views);
void section_views_fini(struct section_views *views);

#endif
