/* Sheets about time, drawn with characters. Each column stands for a part of the time. */
#include "output/encode/text.h"
#include "output/report/report_sheets.h"

#include "base/error.h"
#include "sync/solution.h"

#include <stdlib.h>
#include <string.h>

enum { TIMELINE_BEGIN, TIMELINE_END, TIMELINE_CONCURRENCY };
enum { ACTIVITY_NAME, ACTIVITY_BEGIN, ACTIVITY_END, ACTIVITY_ACTIVE, ACTIVITY_READY };
enum { ACTIVITY_WAITING = ACTIVITY_READY + 1, ACTIVITY_UNTOLD };
enum { NS_PER_S = 1000000000 };
enum { PPM = 1000000, LEVELS_MAX = 16, LABEL = 4 };

static int64_t number(const csy_sheet *sheet, size_t row, size_t column)
{
    return cells_at(sheet, row, column)->range.estimate;
}

/* Write the begin and end of the time below the columns. */
static void write_axis(const csy_sync *sync, const csy_sheet *timeline, size_t left,
                       struct outfile *out)
{
    char begin[CSY_TIME_TEXT_MAX] = "0", end[CSY_TIME_TEXT_MAX];
    size_t n = timeline->nrows;
    bool ticks = timeline->columns[TIMELINE_END].kind == CSY_COLUMN_TICKS;
    uint64_t hz = ticks ? sync->trace->timebase_hz : NS_PER_S;
    text_time(n ? number(timeline, n - 1, TIMELINE_END) : 0, hz, end);
    if (n && number(timeline, 0, TIMELINE_BEGIN) > 0)
        text_time(number(timeline, 0, TIMELINE_BEGIN), hz, begin);
    size_t least = strlen(end) + 1, room = n > strlen(begin) ? n - strlen(begin) : 0;
    outfile_print(out, "%*s%s%*s\n", (int)left + 1, "", begin, (int)(room > least ? room : least),
                  end);
}

/* The mark of a level: "#" is certainly active, "+" probably, "." possibly. */
static const char *level_mark(const csy_range *range, int128 half)
{
    bool known = range->kind != CSY_RANGE_UNKNOWN;
    return known && range->lo >= half   ? "#"
           : range->estimate >= half    ? "+"
           : known && range->hi >= half ? "."
                                        : " ";
}

void sheets_draw_timeline(const csy_sheet *sheet, const csy_sync *sync, struct outfile *out)
{
    int64_t most = 1; /* the greatest level shown */
    for (size_t row = 0; row < sheet->nrows; row++) {
        const csy_range *range = &cells_at(sheet, row, TIMELINE_CONCURRENCY)->range;
        int64_t high = range->kind == CSY_RANGE_UNKNOWN ? range->estimate : range->hi;
        int64_t here = (int64_t)floor_div((int128)high + PPM / 2, PPM);
        most = here > most ? here : most;
    }
    int64_t step = (most + LEVELS_MAX - 1) / LEVELS_MAX;
    outfile_add(out, "how many units were active: # certain, + by the estimate, . possible\n");
    for (int64_t level = (most + step - 1) / step * step; level > 0; level -= step) {
        outfile_print(out, "%*lld |", LABEL, (long long)level);
        for (size_t row = 0; row < sheet->nrows; row++) {
            int128 half = (int128)level * PPM - (int128)step * PPM / 2;
            outfile_add(out, level_mark(&cells_at(sheet, row, TIMELINE_CONCURRENCY)->range, half));
        }
        outfile_add(out, "|\n");
    }
    write_axis(sync, sheet, LABEL + 1, out);
}

static const char *name_at(const csy_sheet *sheet, size_t row, char text[ERROR_ESCAPED_MAX])
{
    const char *name = cells_at(sheet, row, ACTIVITY_NAME)->text;
    return error_escape(text, name, strlen(name));
}

/* True if the state of some actor is unknown at times. */
static bool has_untold(const csy_sheet *sheet)
{
    return sheet->ncolumns > ACTIVITY_UNTOLD;
}

/* The mark of the state that takes most of a part of the time. */
static const char *doing_mark(const csy_sheet *sheet, size_t row)
{
    int64_t length = number(sheet, row, ACTIVITY_END) - number(sheet, row, ACTIVITY_BEGIN);
    int64_t active = number(sheet, row, ACTIVITY_ACTIVE);
    int64_t ready = number(sheet, row, ACTIVITY_READY);
    int64_t waiting = number(sheet, row, ACTIVITY_WAITING);
    if ((int128)4 * active >= (int128)3 * length)
        return "#";
    if (active > 0)
        return "+";
    if (has_untold(sheet) && number(sheet, row, ACTIVITY_UNTOLD) > 0)
        return "?";
    return waiting > 0 && waiting >= ready ? "." : ready > 0 ? "-" : " ";
}

/* Draw an actor. Its rows are adjacent and sorted by time. There is no row for times without it. */
static size_t draw_actor(const csy_sheet *sheet, size_t row, const csy_sheet *timeline, int width,
                         struct outfile *out)
{
    char text[ERROR_ESCAPED_MAX];
    const char *name = cells_at(sheet, row, ACTIVITY_NAME)->text;
    outfile_print_name(out, -width, name_at(sheet, row, text));
    outfile_add(out, " |");
    for (size_t bin = 0; bin < timeline->nrows; bin++) {
        bool there = row < sheet->nrows && cells_at(sheet, row, ACTIVITY_NAME)->text == name &&
                     number(sheet, row, ACTIVITY_BEGIN) == number(timeline, bin, TIMELINE_BEGIN);
        outfile_add(out, there ? doing_mark(sheet, row) : " ");
        row += there;
    }
    while (row < sheet->nrows && cells_at(sheet, row, ACTIVITY_NAME)->text == name)
        row++;
    outfile_add(out, "|\n");
    return row;
}

void sheets_draw_activity(const csy_sheet *sheet, const csy_sheet *timeline, size_t most,
                          const csy_sync *sync, struct outfile *out)
{
    char text[ERROR_ESCAPED_MAX];
    size_t width = LABEL;
    for (size_t row = 0; row < sheet->nrows; row++)
        if (row == 0 || cells_at(sheet, row, ACTIVITY_NAME)->text !=
                            cells_at(sheet, row - 1, ACTIVITY_NAME)->text) {
            size_t columns = outfile_columns(out, name_at(sheet, row, text));
            width = columns > width ? columns : width;
        }
    outfile_print(out, "what actors did: # active, + active in part, . waiting, - %s%s\n",
                  text_ready(sync), has_untold(sheet) ? ", ? not told" : "");
    size_t row = 0;
    for (size_t i = 0; i < most && row < sheet->nrows; i++)
        row = draw_actor(sheet, row, timeline, (int)width, out);
    write_axis(sync, timeline, width + 1, out);
    if (row < sheet->nrows)
        outfile_add(out, "and more actors\n");
}
