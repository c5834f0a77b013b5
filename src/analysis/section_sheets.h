/* Sections: the tables of several, one below the other, and those of one of them again. */
#ifndef ANALYSIS_SECTION_SHEETS_H
#define ANALYSIS_SECTION_SHEETS_H

#include "analysis/sheets.h"

/* The tables of a section, from 1, as they were appended, with the texts and the unit of all, which
 * must outlive them; NULL on no memory. */
csy_analysis *section_sheets_view(const csy_analysis *all, size_t section);

#endif
