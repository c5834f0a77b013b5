/* Tables of several traces: text for terminals, Markdown, and CSV, which has every figure. */
#include "base/error.h"
#include "base/number.h"
#include "output/encode/csv_field.h"
#include "output/encode/fine.h"
#include "output/encode/markdown.h"
#include "output/encode/text.h"
#include "output/report/figures.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_COLUMNS_MIN = 6 };

/* Print the maximum, or return `none` if no pair is bounded. */
static const char *max_text(int64_t ticks, const char *none, char text[TICKS_TEXT_MAX])
{
    return ticks < 0 ? none : text_ticks(ticks, "", "", text);
}

static const char *mean_text(csy_mean mean, const char *none, char text[QUOTIENT_TEXT_MAX])
{
    return mean.pairs ? quotient_text(mean_sum(mean), (int128)mean.pairs, text) : none;
}

static const char marks[FIGURES_MARKS] = {'*', '+', '?', '-', '!', '#', '/', '=', '@', '~'};

/* Append the marks of its notes to the name of a row. */
enum { MARKED_NAME_MAX = ERROR_ESCAPED_MAX + 1 + FIGURES_MARKS };
static const char *marked_name(const struct figures_row *row, char text[MARKED_NAME_MAX])
{
    error_escape(text, row->name, strlen(row->name));
    char *end = text + strlen(text), *at = end;
    for (enum figures_mark mark = 0; mark < FIGURES_MARKS; mark++) {
        if (!figures_row_has(row, mark))
            continue;
        if (at == end)
            *at++ = ' ';
        *at++ = marks[mark];
    }
    *at = 0;
    return text;
}

void figures_text(const csy_table *table, struct outfile *out)
{
    char name[MARKED_NAME_MAX], cells[FIGURES_COLUMNS][FIGURES_TEXT_MAX];
    const char *ticks = figures_note_ticks(table);
    static const int widths[FIGURES_COLUMNS] = {7, 11, 8, 10, 14, 14, 14};
    int columns = NAME_COLUMNS_MIN;
    outfile_show_text(out);
    for (size_t i = 0; i < table->count; i++) {
        int length = (int)outfile_columns(out, marked_name(&table->rows[i], name));
        columns = length > columns ? length : columns;
    }
    outfile_print(out, "%-*s", columns, "trace");
    for (size_t i = 0; figures_heading(table, i); i++)
        outfile_print(out, " %*s", widths[i], figures_heading(table, i));
    outfile_print(out, "\n");
    for (size_t i = 0; i < table->count; i++) {
        size_t n = figures_cells(table, &table->rows[i], 6, cells);
        outfile_print_name(out, -columns, marked_name(&table->rows[i], name));
        for (size_t cell = 0; cell < n; cell++)
            outfile_print(out, " %*s", widths[cell], *cells[cell] ? cells[cell] : "-");
        outfile_print(out, "\n");
    }
    outfile_print(out, "%s in %s%s%s\n", figures_errors(table), figures_unit(table),
                  ticks ? "; " : "", ticks ? ticks : "");
    for (enum figures_mark mark = 0; mark < FIGURES_MARKS; mark++)
        if (figures_note(table, mark))
            outfile_print(out, "%c %s\n", marks[mark], figures_note(table, mark));
    for (size_t i = 0; i < table->ncaveats; i++)
        outfile_print(out, "%s\n", table->caveats[i]);
}

/* Write the table, then a list of notes. Notes never begin with a name from a trace. */
void figures_markdown(const csy_table *table, struct outfile *out)
{
    char name[MARKED_NAME_MAX], cells[FIGURES_COLUMNS][FIGURES_TEXT_MAX];
    const char *ticks = figures_note_ticks(table);
    size_t n = 0;
    outfile_print(out, "| trace |");
    for (; figures_heading(table, n); n++)
        outfile_print(out, " %s |", figures_heading(table, n));
    outfile_print(out, "\n|---|");
    for (size_t i = 0; i < n; i++)
        outfile_print(out, "---:|");
    for (size_t i = 0; i < table->count; i++) {
        figures_cells(table, &table->rows[i], 3, cells);
        outfile_print(out, "\n| ");
        markdown_text(out, marked_name(&table->rows[i], name));
        for (size_t cell = 0; cell < n; cell++)
            outfile_print(out, " | %s", *cells[cell] ? cells[cell] : "-");
        outfile_print(out, " |");
    }
    outfile_print(out, "\n\n- unit: %s in %s%s%s\n", figures_errors(table), figures_unit(table),
                  ticks ? "; " : "", ticks ? ticks : "");
    for (enum figures_mark mark = 0; mark < FIGURES_MARKS; mark++)
        if (figures_note(table, mark))
            outfile_print(out, "- mark \\%c: %s\n", marks[mark], figures_note(table, mark));
    for (size_t i = 0; i < table->ncaveats; i++) {
        outfile_print(out, "- note: ");
        markdown_text(out, table->caveats[i]);
        outfile_print(out, "\n");
    }
}

/* Write the CSV columns about drift; they are empty if clocks do not drift. */
static void write_csv_drift(const struct figures_row *row, struct outfile *out)
{
    const csy_drift *drift = &row->drift;
    const csy_fine errors[] = {drift->max_error, drift->mean_error, drift->mean_event_error};
    char text[QUOTIENT_TEXT_MAX];
    if (row->drifts)
        outfile_print(out, ",%" PRId64 ",", drift->rate_ppb);
    else
        outfile_print(out, ",,");
    if (row->drifts && drift->wander_ppb != CSY_NO_DRIFT)
        outfile_print(out, "%" PRId64, drift->wander_ppb);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        outfile_print(out, ",%s",
                      row->drifts && drift->records > 0 ? fine_text(errors[i], 9, text) : "");
}

static void write_csv_row(const csy_table *table, const struct figures_row *row,
                          struct outfile *out)
{
    char delta[FRACTION_TEXT_MAX], ticks[TICKS_TEXT_MAX], mean[QUOTIENT_TEXT_MAX];
    const csy_imprecision *imprecision = &row->imprecision;
    const csy_summary *summary = &row->summary;
    csv_field_write(out, row->name);
    outfile_print(out, ",%" PRIu64 ",%" PRIu64 ",%zu,%s,%s,%" PRId64 ",%" PRIu64 ",%" PRId64,
                  row->timebase_hz, row->records, row->threads, text_relax(imprecision->relax),
                  fraction_text(imprecision->delta, delta), imprecision->added_ticks,
                  imprecision->inversions, imprecision->largest_inversion_ticks);
    outfile_print(out, ",%" PRIu64 ",", summary->pairs);
    if (summary->uncomputed_steps == 0)
        outfile_print(out, "%" PRIu64, summary->bounded);
    outfile_print(out, ",%s", max_text(summary->max_error_ticks, "", ticks));
    outfile_print(out, ",%s", max_text(summary->max_error_spe_ticks, "", ticks));
    outfile_print(out, ",%s", mean_text(summary->error_ppe, "", mean));
    outfile_print(out, ",%s", mean_text(summary->error_spe, "", mean));
    outfile_print(out, ",%s", mean_text(summary->live.mean, "", mean));
    outfile_print(out, ",%s", mean_text(summary->successive.mean, "", mean));
    outfile_print(out, ",%" PRIu64 ",%" PRIu64 ",%" PRId64, row->order.neighbours,
                  row->order.before.wrong, row->order.before.largest_ticks);
    outfile_print(out, ",%" PRIu64 ",%" PRId64, row->order.after.wrong,
                  row->order.after.largest_ticks);
    outfile_print(out, ",%s", max_text(summary->max_event_error_ticks, "", ticks));
    outfile_print(out, ",%s", max_text(summary->max_event_error_spe_ticks, "", ticks));
    outfile_print(out, ",%s", mean_text(summary->event_error_ppe, "", mean));
    outfile_print(out, ",%s", mean_text(summary->event_error_spe, "", mean));
    outfile_print(out, ",%s", mean_text(summary->live.event_mean, "", mean));
    outfile_print(out, ",%s", mean_text(summary->successive.event_mean, "", mean));
    outfile_print(out, ",%s,%zu,%s", row->caveats.first, row->clocks, row->caveats.last);
    if (figures_drift(table))
        write_csv_drift(row, out);
    outfile_print(out, "\n");
}

void figures_csv(const csy_table *table, struct outfile *out)
{
    outfile_print(
        out,
        "trace,timebase_hz,records,threads,relax,delta_ticks,added_ticks,inversions,"
        "largest_inversion_ticks,pairs,bounded,max_error_ticks,max_error_spe_ticks,"
        "mean_error_ppe_ticks,mean_error_spe_ticks,mean_error_live_ticks,"
        "mean_error_successive_ticks,neighbours,wrong_before,"
        "largest_wrong_before_ticks,wrong_after,largest_wrong_after_ticks,max_event_error_ticks,"
        "max_event_error_spe_ticks,mean_event_error_ppe_ticks,"
        "mean_event_error_spe_ticks,mean_event_error_live_ticks,"
        "mean_event_error_successive_ticks," CAVEAT_COLUMNS ",clocks," CAVEAT_MORE_COLUMNS "%s\n",
        figures_drift(table) ? ",drift_ppb,wander_ppb,max_record_error_ticks,"
                               "mean_record_error_ticks,mean_record_event_error_ticks"
                             : "");
    for (size_t i = 0; i < table->count; i++)
        write_csv_row(table, &table->rows[i], out);
}
