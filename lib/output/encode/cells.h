/* Values of sheets as text, for several output formats. */
#ifndef OUTPUT_ENCODE_CELLS_H
#define OUTPUT_ENCODE_CELLS_H

#include "base/number.h"

#include <cellsync/analysis.h>

enum { PPM_DECIMALS = 6 };

static inline const csy_value *cells_at(const csy_sheet *sheet, size_t row, size_t column)
{
    return &sheet->values[row * sheet->ncolumns + column];
}

/* Returns the name of a kind of range, such as "exact" or "unknown". */
const char *cells_kind(csy_range_kind kind);

/* Describe ranges: "exact: some valid offsets attain each end". `imprecise`: timestamps may be wrong. */
enum { CELLS_RANGES_MAX = 256 };
const char *cells_ranges(const csy_analysis *analysis, bool imprecise, char text[CELLS_RANGES_MAX]);

/* The text for an analysis without ranges, in which each figure comes from only one clock. */
#define CELLS_NO_RANGES "no figure here depends on two clocks"

/* Format a number of a column for people. A number in millionths is printed with `decimals`
 * decimals. Returns text or a constant. */
const char *cells_number(csy_column_kind kind, int64_t number, unsigned decimals,
                         char text[QUOTIENT_TEXT_MAX]);

/* Returns the number of decimals that show nanoseconds in a column of this kind, or 0. */
unsigned cells_time_decimals(csy_column_kind kind);

/* Find a sheet by its name, or return NULL. sheet_reader reads the rows of a packed sheet. */
const csy_sheet *cells_sheet(const csy_analysis *analysis, const char *name);

#endif
