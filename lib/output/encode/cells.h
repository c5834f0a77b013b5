/* Values of sheets as text, shared by several output formats. */
#ifndef OUTPUT_ENCODE_CELLS_H
#define OUTPUT_ENCODE_CELLS_H

#include "base/number.h"

#include <cellsync/analysis.h>

enum { PPM_DECIMALS = 6 };

static inline const csy_value *cells_at(const csy_sheet *sheet, size_t row, size_t column)
{
    return &sheet->values[row * sheet->ncolumns + column];
}

/* Name a kind of range: "exact", "proven", "star", "clock", or "unknown". */
const char *cells_kind(csy_range_kind kind);

/* Describe the common kind of all ranges of an analysis: "exact: both ends are attained".
 * imprecise: timestamps may be wrong. Returns text. */
enum { CELLS_RANGES_MAX = 256 };
const char *cells_ranges(const csy_analysis *analysis, bool imprecise, char text[CELLS_RANGES_MAX]);

/* Text to print if an analysis has no ranges, because all of them would be CSY_RANGE_CLOCK. */
#define CELLS_NO_RANGES "no figure here depends on two clocks"

/* Format a number of a column for people. A number in millionths becomes a fraction with this many
 * decimals. Returns text or a constant. */
const char *cells_number(csy_column_kind kind, int64_t number, unsigned decimals,
                         char text[QUOTIENT_TEXT_MAX]);

/* The number of decimals that a column of this kind needs for nanoseconds, or 0. */
unsigned cells_time_decimals(csy_column_kind kind);

/* Find a sheet by its name, or return NULL. If the rows of the sheet are packed, use sheet_reader.
 * */
const csy_sheet *cells_sheet(const csy_analysis *analysis, const char *name);

#endif
