/* Separates tables with the rows of all sections into the tables of each section. */
#ifndef ANALYSIS_WINDOW_SECTION_SHEETS_H
#define ANALYSIS_WINDOW_SECTION_SHEETS_H

#include "analysis/run/sheets.h"

struct section_view {
    struct sheet_reader reader;
    size_t row, next; /* indices of the next row, and of the next item of sheet.sections */
};

struct section_views {
    const csy_analysis *all;
    size_t section; /* number of the section returned last, from 1; 0 before the first section */
    struct section_view sheets[SHEETS_MAX];
};

/* Prepare to return sections one by one. Call section_views_fini even after a failure. */
csy_status section_views_init(struct section_views *views, const csy_analysis *all,
                              csy_error *error);

/* Returns the tables of the next section, or NULL if out of memory. May be called all->nsections
 * times. The tables use texts of `all`, which must outlive them. */
csy_analysis *section_views_next(struct section_views *views);
void section_views_fini(struct section_views *views);

#endif
