/* Converts values of sheets to text. */
#include "output/encode/cells.h"

#include "analysis/run/sheets.h"
#include "output/encode/text.h"

#include <stdio.h>
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

const char *cells_ranges(const csy_analysis *analysis, bool imprecise, char text[CELLS_RANGES_MAX])
{
    static const char *const words[] = {
        [CSY_RANGE_EXACT] = "exact: some valid offsets attain each end",
        [CSY_RANGE_PROVEN] = "proven: no value",
        [CSY_RANGE_STAR] = "star: no value",
        [CSY_RANGE_CLOCK] = "none: each value comes from a single clock",
        [CSY_RANGE_UNKNOWN] = "unknown: values with ? have no bounds"};
    csy_range_kind kind = csy_analysis_kind(analysis);
    bool proven = kind == CSY_RANGE_PROVEN || kind == CSY_RANGE_STAR;
    bool has_star = sheets_facts(analysis).kinds & 1U << CSY_RANGE_STAR;
    const char *star = kind == CSY_RANGE_STAR ? ", from the bounds of each clock to the reference"
                       : has_star ? ", some of them from the bounds of each clock to the reference"
                                  : "";
    (void)snprintf(text, CELLS_RANGES_MAX, "%s%s%s%s", words[kind],
                   proven && imprecise ? " that has a range" : "",
                   proven ? " is outside its range" : "", proven ? star : "");
    return text;
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
        return text_ticks(number, "-inf", "inf", text);
    return decimal_text(number, decimals, text);
}

const csy_sheet *cells_sheet(const csy_analysis *analysis, const char *name)
{
    for (size_t i = 0; i < analysis->nsheets; i++)
        if (strcmp(analysis->sheets[i].view.name, name) == 0)
            return &analysis->sheets[i].view;
    return NULL;
}
