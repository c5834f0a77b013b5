/* The tables of several sections, one below the other, and the tables of one of them again. */
#ifndef ANALYSIS_WINDOW_SECTION_SHEETS_H
#define ANALYSIS_WINDOW_SECTION_SHEETS_H

#include "analysis/run/sheets.h"

/* The position in a sheet. */
struct section_view {
    struct sheet_reader reader;
    size_t row, next; /* row of the sheet, index of its sections */
};

struct section_views {
    const csy_analysis *all;
    size_t section; /* the last section that was returned, from 1 */
    struct section_view sheets[SHEETS_MAX];
};

/* The caller calls section_views_fini even after a failure. */
csy_status section_views_init(struct section_views *views, const csy_analysis *all,
                              csy_error *error);

/* The tables of the next section, as they were appended; there are all->nsections sections.  The
 * tables use the texts and the time unit of `all`, which must outlive them.  NULL if memory runs
 * out. */
csy_analysis *section_views_next(struct section_views *views);
void section_views_fini(struct section_views *views);

#endif
