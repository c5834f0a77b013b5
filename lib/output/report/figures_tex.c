/* Tables of several traces for LaTeX, in the layout of Table 1 of [BHH08], with the booktabs
 * package.
 *
 * Names are in the typewriter font, in which printable ASCII looks right once TeX's characters are
 * escaped and ligatures are broken up; other bytes are \xNN as in the text report. */
#include "base/error.h"
#include "base/number.h"
#include "output/encode/tex.h"
#include "output/encode/text.h"
#include "output/report/figures.h"

#include <inttypes.h>
#include <string.h>

static void write_max(const csy_table *table, const struct figures_row *row, int64_t ticks,
                      struct outfile *out)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, " & %s", ticks < 0 ? "--" : figures_ticks(table, row, ticks, 3, text));
}

static const char *const marks[FIGURES_MARKS] = {
    "\\textsuperscript{*}",      "\\textsuperscript{+}", "\\textsuperscript{?}",
    "\\textsuperscript{-}",      "\\textsuperscript{!}", "\\textsuperscript{\\#}",
    "\\textsuperscript{/}",      "\\textsuperscript{=}", "\\textsuperscript{@}",
    "\\textsuperscript{$\\sim$}"};

/* Write the mean over pairs with the PPE, or without it. */
static void write_mean(const csy_table *table, const struct figures_row *row, bool ppe,
                       struct outfile *out)
{
    char text[QUOTIENT_TEXT_MAX];
    unsigned decimals = table->microseconds ? 3 : 1;
    csy_mean mean = ppe ? row->summary.event_error_ppe : row->summary.event_error_spe;
    const csy_fine *over_records = figures_drift_mean(row, ppe);
    outfile_print(out, " & %s",
                  over_records ? figures_fine(table, row, *over_records, decimals, text)
                  : mean.pairs ? figures_mean(table, row, mean, decimals, text)
                               : "--");
}

static void write_row(const csy_table *table, const struct figures_row *row, struct outfile *out)
{
    char name[ERROR_ESCAPED_MAX], delta[CSY_TIME_TEXT_MAX];
    const csy_summary *summary = &row->summary;
    outfile_print(out, "%% %s, %" PRIu64 " Hz\n", error_escape(name, row->name, strlen(row->name)),
                  row->timebase_hz);
    tex_name(out, tex_stem(row->name, name));
    for (enum figures_mark mark = 0; mark < FIGURES_MARKS; mark++)
        outfile_print(out, "%s", figures_row_has(row, mark) ? marks[mark] : "");
    outfile_print(out, " & %zu & %" PRIu64 " & %s", row->clocks, row->records,
                  csy_time_text(row->imprecision.delta, row->timebase_hz, delta));
    write_max(table, row, summary->max_event_error_ticks, out);
    if (figures_of_cell(table)) {
        write_max(table, row, summary->max_event_error_spe_ticks, out);
        write_mean(table, row, true, out);
    }
    write_mean(table, row, false, out);
    outfile_print(out, " \\\\\n");
}

/* Write the notes below the figures, as wide as the column: the unit, and what the reader needs to
 * know. */
static void write_notes(const csy_table *table, struct outfile *out)
{
    const char *ticks = figures_note_ticks(table);
    outfile_print(out, "\\par\\smallskip\\noindent\\parbox{\\linewidth}{%s in %s: %s; %s.\n",
                  figures_errors(table), figures_unit(table), text_latency, text_order);
    for (enum figures_mark mark = 0; mark < FIGURES_MARKS; mark++)
        if (figures_note(table, mark))
            outfile_print(out, "%s~%s.\n", marks[mark], figures_note(table, mark));
    for (size_t i = 0; i < table->ncaveats; i++) {
        tex_text(out, table->caveats[i]);
        outfile_print(out, ".\n");
    }
    if (ticks)
        outfile_print(out, "The %s.\n", ticks);
    outfile_print(out, "}\n");
}

/* A column of a two-column article is about 230 points wide; hence small letters and narrow gaps,
 * which TeX reduces further if necessary. */
void figures_tex(const csy_table *table, struct outfile *out)
{
    bool of_cell = figures_of_cell(table);
    outfile_print(out,
                  "%% %s in %s, by cellsync %s; it takes \\usepackage{booktabs}\n"
                  "\\begingroup\\setlength{\\tabcolsep}{2.5pt}\n"
                  "\\def\\cellsynctable{\\begin{tabular}{@{}lrrrrr%s@{}}\n\\toprule\n%s"
                  "trace & %s & records & $\\delta$ & %s \\\\\n\\midrule\n",
                  figures_errors(table), figures_unit(table), CSY_VERSION, of_cell ? "rr" : "",
                  of_cell ? " & & & & \\multicolumn{2}{c}{max error} & "
                            "\\multicolumn{2}{c}{mean error} \\\\\n"
                            "\\cmidrule(lr){5-6}\\cmidrule(l){7-8}\n"
                          : "",
                  figures_clocks(table),
                  figures_of_others(table) ? "all & no PPE & PPE & no PPE"
                  : of_cell                ? "all & SPEs & PPE & SPEs"
                                           : "max error & mean error");
    for (size_t i = 0; i < table->count; i++)
        write_row(table, &table->rows[i], out);
    outfile_print(out, "\\bottomrule\n\\end{tabular}}\n"
                       "\\footnotesize\\setbox0\\hbox{\\cellsynctable}\n"
                       "\\ifdim\\wd0>\\linewidth\\setlength{\\tabcolsep}{2pt}\\scriptsize\n"
                       "\\setbox0\\hbox{\\cellsynctable}\\fi\n"
                       "\\ifdim\\wd0>\\linewidth\\setlength{\\tabcolsep}{1.4pt}\\fi\n"
                       "\\noindent\\cellsynctable\n");
    write_notes(table, out);
    outfile_print(out, "\\endgroup\n");
}
