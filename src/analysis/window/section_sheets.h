/* Sections: the tables of several, one below the other, and those of one of them again. */
#ifndef ANALYSIS_WINDOW_SECTION_SHEETS_H
#define ANALYSIS_WINDOW_SECTION_SHEETS_H

#include "analysis/run/sheets.h"

/* How far a sheet has been read. */
struct section_view {
    struct sheet_reader reader;
    size_t row, next; /* of the sheet, and of its sections */
};

struct section_views {
    const csy_analysis *all;
    size_t section; /* that was given last, from 1 */
    struct section_view sheets[SHEETS_MAX];
};

/* The caller calls section_views_fini even after a failure. */
csy_status section_views_init(struct section_views *views, const csy_analysis *all,
                              csy_error *error);

/* The tables of the next section, as they were appended, with the texts and the unit of all, which
 * must outlive them; NULL on no memory.  There are all->nsections of them. */
csy_analysis *section_views_next(struct section_views *views);
void section_views_fini(struct section_views *views);

#endif
