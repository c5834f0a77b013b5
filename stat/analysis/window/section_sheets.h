/* Splits the tables of several sections, in which the rows of sections follow one another, into the
 * tables of each section. */
#ifndef ANALYSIS_WINDOW_SECTION_SHEETS_H
#define ANALYSIS_WINDOW_SECTION_SHEETS_H

#include "analysis/run/sheets.h"

/* The position in one sheet. */
struct section_view {
    struct sheet_reader reader;
    /* row: next row of the sheet; next: index of the next item of sheet.sections */
    size_t row, next;
};

struct section_views {
    const csy_analysis *all;
    size_t section; /* number of the last section that was returned; the first section is 1 */
    struct section_view sheets[SHEETS_MAX];
};

/* The caller calls section_views_fini even after a failure. */
csy_status section_views_init(struct section_views *views, const csy_analysis *all,
                              csy_error *error);

/* Make the tables of the next section, with the rows as they were appended. There are
 * all->nsections sections. The tables use the texts and the time unit of `all`, which must outlive
 * them. Returns NULL if memory runs out. */
csy_analysis *section_views_next(struct section_views *views);
void section_views_fini(struct section_views *views);

#endif
