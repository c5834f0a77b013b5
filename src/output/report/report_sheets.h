/* What the formats of sheets share. */
#ifndef OUTPUT_REPORT_REPORT_SHEETS_H
#define OUTPUT_REPORT_REPORT_SHEETS_H

#include "base/number.h"
#include "output/file/outfile.h"

#include <cellsync/analysis.h>

enum { PPM_DECIMALS = 6 };

static inline const csy_value *sheets_value(const csy_sheet *sheet, size_t row, size_t column)
{
    return &sheet->values[row * sheet->ncolumns + column];
}

/* "exact", "proven", "star", "clock", "unknown" */
const char *sheets_kind(csy_range_kind kind);

/* A number of a column for people; one of millionths as a fraction, of units of so many decimals.
 * Returns text or a word. */
const char *sheets_number(csy_column_kind kind, int64_t number, unsigned decimals,
                          char text[QUOTIENT_TEXT_MAX]);

/* The same for TeX. */
csy_status sheets_tex(const csy_analysis *analysis, const csy_sync *sync, struct outfile *out,
                      csy_error *error);

#endif
