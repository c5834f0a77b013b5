/*
 * Tables of several traces for LaTeX, laid out as Table 1 of [BHH08] by the booktabs package.
 *
 * Names stand in the typewriter font, in which printable ASCII looks like itself once TeX's own
 * characters are escaped and ligatures are broken up; other bytes are \xNN as in the text report.
 */
#include "base/error.h"
#include "base/number.h"
#include "output/figures.h"

#include <inttypes.h>
#include <string.h>

/* A byte of printable ASCII; by its number where a command would want another font for it. */
static void write_byte(char c, struct outfile *out)
{
    if (strchr("#%&_", c))
        outfile_print(out, "\\%c", c);
    else if (strchr("\\{}~^$", c))
        outfile_print(out, "\\char%d{}", c);
    else
        outfile_write(out, &c, 1);
}

/* Neighbours of these may become one glyph: --, <<, ,, ?` and the like. */
static bool may_join(char c)
{
    return c != '\0' && strchr("-<>,?!`'", c);
}

static void write_name(const char *text, struct outfile *out)
{
    outfile_print(out, "\\texttt{");
    for (const char *c = text; *c; c++) {
        write_byte(*c, out);
        if (may_join(*c) && may_join(c[1]))
            outfile_print(out, "{}");
    }
    outfile_print(out, "}");
}

/* The name of a trace without folder and suffix; the caller's buffer. */
static const char *stem(const char *path, char text[ERROR_ESCAPED_MAX])
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return error_escape(text, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static void write_max(int64_t ticks, struct outfile *out)
{
    if (ticks < 0)
        outfile_print(out, " & --");
    else
        outfile_print(out, " & %" PRId64, ticks);
}

static void write_mean(csy_mean mean, struct outfile *out)
{
    char text[QUOTIENT_TEXT_MAX];
    if (mean.pairs == 0)
        outfile_print(out, " & --");
    else
        outfile_print(out, " & %s",
                      decimal_text(decimal_round(mean_sum(mean), (int128)mean.pairs, 1), 1, text));
}

static void write_row(const struct figures_row *row, struct outfile *out)
{
    char name[ERROR_ESCAPED_MAX], delta[CSY_TIME_TEXT_MAX];
    const csy_summary *summary = &row->summary;
    outfile_print(out, "%% %s, %" PRIu64 " Hz\n", error_escape(name, row->name, strlen(row->name)),
                  row->timebase_hz);
    write_name(stem(row->name, name), out);
    outfile_print(out, "%s & %zu & %" PRIu64 " & %s",
                  figures_row_partial(row) ? "\\textsuperscript{*}" : "", row->threads,
                  row->records, csy_time_text(row->imprecision.delta, row->timebase_hz, delta));
    write_max(summary->max_event_error_ticks, out);
    write_max(summary->max_event_error_spe_ticks, out);
    write_mean(summary->event_error_ppe, out);
    write_mean(summary->event_error_spe, out);
    outfile_print(out, " \\\\\n");
}

/* A note below the figures; NULL: none. */
static void write_note(const char *mark, const char *note, struct outfile *out)
{
    if (note)
        outfile_print(out, "\\multicolumn{8}{l}{\\footnotesize %s%s} \\\\\n", mark, note);
}

void figures_tex(const csy_table *table, struct outfile *out)
{
    outfile_print(out,
                  "%% %s in ticks, by cellsync %s; it takes \\usepackage{booktabs}\n"
                  "\\begin{tabular}{lrrrrrrr}\n\\toprule\n"
                  " & & & & \\multicolumn{2}{c}{max error} & \\multicolumn{2}{c}{mean error} "
                  "\\\\\n\\cmidrule(lr){5-6}\\cmidrule(lr){7-8}\n"
                  "trace & threads & records & $\\delta$ & all & SPEs & SPE--PPE & SPE--SPE "
                  "\\\\\n\\midrule\n",
                  figures_errors(table), CSY_VERSION);
    for (size_t i = 0; i < table->count; i++)
        write_row(&table->rows[i], out);
    outfile_print(out, "\\bottomrule\n");
    write_note("\\textsuperscript{*} ", figures_note_pairs(table), out);
    write_note("", figures_note_ticks(table), out);
    outfile_print(out, "\\end{tabular}\n");
}
