/* Values of sheets. */
#include "output/encode/cells.h"

#include "output/encode/words.h"

#include <string.h>

const char *cells_kind(csy_range_kind kind)
{
    static const char *const kinds[] = {[CSY_RANGE_EXACT] = "exact",
                                        [CSY_RANGE_PROVEN] = "proven",
                                        [CSY_RANGE_STAR] = "star",
                                        [CSY_RANGE_CLOCK] = "clock",
                                        [CSY_RANGE_UNKNOWN] = "unknown"};
    return kinds[kind];
}

const char *cells_kind_words(csy_range_kind kind)
{
    static const char *const words[] = {
        [CSY_RANGE_EXACT] = "exact: both ends are attained",
        [CSY_RANGE_PROVEN] = "proven: no figure is outside",
        [CSY_RANGE_STAR] = "star: no figure is outside, by each clock's bound to the reference",
        [CSY_RANGE_CLOCK] = "none: each figure is by one clock",
        [CSY_RANGE_UNKNOWN] = "unknown: those with ? have no bounds"};
    return words[kind];
}

unsigned cells_time_decimals(csy_column_kind kind)
{
    return kind == CSY_COLUMN_S ? 9 : kind == CSY_COLUMN_MS ? 6 : kind == CSY_COLUMN_US ? 3 : 0;
}

const char *cells_number(csy_column_kind kind, int64_t number, unsigned decimals,
                         char text[QUOTIENT_TEXT_MAX])
{
    bool millionths = kind == CSY_COLUMN_PPM || kind == CSY_COLUMN_MICROTICKS;
    unsigned of_time = cells_time_decimals(kind);
    if (of_time > 0 && number != INT64_MIN && number != INT64_MAX)
        return decimal_text(number, of_time, text);
    if (!millionths || number == INT64_MIN || number == INT64_MAX)
        return words_ticks(number, "-inf", "inf", text);
    return decimal_text(number, decimals, text);
}

const csy_sheet *cells_sheet(const csy_analysis *analysis, const char *name)
{
    for (size_t i = 0; i < csy_analysis_nsheets(analysis); i++)
        if (strcmp(csy_analysis_sheet(analysis, i)->name, name) == 0)
            return csy_analysis_sheet(analysis, i);
    return NULL;
}
