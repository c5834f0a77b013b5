/* Tables of several traces for LaTeX, laid out as Table 1 of [BHH08], with the booktabs package.
 *
 * Names are in the typewriter font. Printable ASCII looks right there once TeX's characters are
 * escaped and ligatures are broken up. Other bytes are \xNN, as in the text report. */
#include "base/error.h"
#include "output/encode/tex.h"
#include "output/encode/text.h"
#include "output/report/figures.h"

#include <inttypes.h>
#include <string.h>

static const char *const marks[FIGURES_MARKS] = {
    "\\textsuperscript{*}",      "\\textsuperscript{+}", "\\textsuperscript{?}",
    "\\textsuperscript{-}",      "\\textsuperscript{!}", "\\textsuperscript{\\#}",
    "\\textsuperscript{/}",      "\\textsuperscript{=}", "\\textsuperscript{@}",
    "\\textsuperscript{$\\sim$}"};

static void write_row(const csy_table *table, const struct figures_row *row, struct outfile *out)
{
    char name[ERROR_ESCAPED_MAX], cells[FIGURES_COLUMNS][FIGURES_TEXT_MAX];
    size_t n = figures_cells(table, row, table->microseconds ? 3 : 1, cells);
    outfile_print(out, "%% %s, %" PRIu64 " Hz\n", error_escape(name, row->name, strlen(row->name)),
                  row->timebase_hz);
    tex_name(out, tex_stem(row->name, name));
    for (enum figures_mark mark = 0; mark < FIGURES_MARKS; mark++)
        outfile_print(out, "%s", figures_row_has(row, mark) ? marks[mark] : "");
    for (size_t i = 0; i < n; i++)
        outfile_print(out, " & %s", *cells[i] ? cells[i] : "--");
    outfile_print(out, " \\\\\n");
}

/* Write the notes below the figures, in the width of the column: the unit, and explanations. */
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

/* In a two-column article, a column is about 230 points wide. Therefore letters are small and gaps
 * narrow; TeX shrinks the table further if necessary. */
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
