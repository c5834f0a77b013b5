/* Values of sheets as text, shared by several formats. */
#ifndef OUTPUT_ENCODE_CELLS_H
#define OUTPUT_ENCODE_CELLS_H

#include "base/number.h"

#include <cellsync/analysis.h>

enum { PPM_DECIMALS = 6 };

static inline const csy_value *cells_at(const csy_sheet *sheet, size_t row, size_t column)
{
    return &sheet->values[row * sheet->ncolumns + column];
}

/* "exact", "proven", "star", "clock", "unknown" */
const char *cells_kind(csy_range_kind kind);

/* The common kind of all ranges of an analysis: "exact: both ends are attained". imprecise:
 * timestamps may be wrong. Returns text. */
enum { CELLS_RANGES_MAX = 256 };
const char *cells_ranges(const csy_analysis *analysis, bool imprecise, char text[CELLS_RANGES_MAX]);

/* The reason why there are no ranges: all possible ranges are of the kind CSY_RANGE_CLOCK. */
#define CELLS_NO_RANGES "no figure here depends on two clocks"

/* A number of a column as text for people. A number in millionths is written as a fraction, in
 * units with this many decimals. Returns text or a constant. */
const char *cells_number(csy_column_kind kind, int64_t number, unsigned decimals,
                         char text[QUOTIENT_TEXT_MAX]);

/* The number of decimals of times in nanoseconds in such a column, or 0. */
unsigned cells_time_decimals(csy_column_kind kind);

/* The sheet with this name, or NULL; use sheet_reader if its rows are packed. */
const csy_sheet *cells_sheet(const csy_analysis *analysis, const char *name);

#endif
