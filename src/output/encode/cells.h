/* Values of sheets, as several formats spell them. */
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

/* What is true of all ranges of an analysis: "exact: both ends are attained"; imprecise: stamps may
 * be off.  Returns text. */
enum { CELLS_RANGES_MAX = 256 };
const char *cells_ranges(const csy_analysis *analysis, bool imprecise, char text[CELLS_RANGES_MAX]);

/* Why there are none, where all that could have one is CSY_RANGE_CLOCK. */
#define CELLS_NO_RANGES "no figure here depends on two clocks"

/* A number of a column for people; one of millionths as a fraction, of units of so many decimals.
 * Returns text or a word. */
const char *cells_number(csy_column_kind kind, int64_t number, unsigned decimals,
                         char text[QUOTIENT_TEXT_MAX]);

/* How many decimals times of a column have where they are nanoseconds, or 0. */
unsigned cells_time_decimals(csy_column_kind kind);

/* The sheet of that name, or NULL; sheet_reader has its rows if they are packed. */
const csy_sheet *cells_sheet(const csy_analysis *analysis, const char *name);

#endif
