/* A csy_table collects a row of figures (errors, counts) for each trace, and then writes all rows
 * as text, Markdown, LaTeX, or CSV. Only CSV has all figures. See cellsync-json(5), TABLES. */
#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "output/encode/caveats.h"
#include "output/encode/difference.h"
#include "output/encode/escape.h"
#include "output/encode/fine.h"
#include "output/encode/text.h"
#include "output/file/outfile.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A row: facts about a trace and its solution. */
struct figures_row {
    char *name; /* name of the trace as the caller passed it */
    uint64_t timebase_hz;
    uint64_t records;
    size_t threads, clocks; /* numbers of threads, and of the clocks that they read */
    bool of_cell;           /* true if the threads are a PPE and SPEs */
    csy_imprecision imprecision;
    csy_order order;
    /* errors; if clocks drift, only `pairs`, `bounded`, and max_event_error_ticks are valid */
    csy_summary summary;
    /* by_ppe: true if the reference is the clock of the PPE */
    bool drifts, by_ppe;
    csy_drift drift; /* errors of clocks that drift; the member `clocks` is NULL */
    struct caveat_columns caveats;
};

struct csy_table {
    char *path;
    csy_report_format format;
    csy_table_unit unit; /* the unit of all formats except CSV */
    struct figures_row *rows;
    size_t count, capacity;
    char **caveats; /* notes below the table that begin with the name of a trace */
    size_t ncaveats, caveats_capacity;
    /* true if some trace: has a PPE and SPEs (cell), lacks them (other), has a clock that several
     * threads use (shared), has clocks that drift (drifts), has a timestamp error (imprecise), or
     * has ticks of another length than the first trace (mixed) */
    bool cell, other, shared, drifts, imprecise, mixed;
};

static bool has_spes(const csy_table *table)
{
    return table->cell || table->count == 0;
}

csy_status csy_table_new(const char *path, csy_report_format format, csy_table **out,
                         csy_error *error)
{
    if (format != CSY_REPORT_TEXT && format != CSY_REPORT_CSV && format != CSY_REPORT_TEX &&
        format != CSY_REPORT_MD)
        return error_set(error, CSY_USAGE,
                         "%s: the formats of a table are text, CSV, TeX, and Markdown", path);
    csy_table *table = calloc(1, sizeof *table);
    if (!table || !(table->path = strdup(path))) {
        free(table);
        return error_memory(error);
    }
    table->format = format;
    *out = table;
    return CSY_OK;
}

void csy_table_set_unit(csy_table *table, csy_table_unit unit)
{
    table->unit = unit;
}

/* Store a note about a trace, to be printed below the table. */
static bool add_note(csy_table *table, const char *name, const char *premise, const char *text)
{
    return ARRAY_RESERVE(table->caveats, table->caveats_capacity, table->ncaveats + 1) &&
           asprintf(&table->caveats[table->ncaveats], "%s: %s%s", name, premise, text) >= 0 &&
           ++table->ncaveats > 0;
}

/* Add notes for caveats (conditions of the bounds) that no sign in `marks` stands for. Markdown
 * also gets notes about differences of clocks. */
static bool add_notes(csy_table *table, const csy_sync *sync)
{
    char name[ERROR_ESCAPED_MAX], key[32], text[DIFFERENCE_TEXT_MAX], *line_end;
    error_escape(name, sync->trace->name, strlen(sync->trace->name));
    for (size_t next = 0;
         table->format == CSY_REPORT_MD && difference_next(sync, false, &next, text);) {
        while ((line_end = strchr(text, '\n'))) /* each line break is followed by two blanks */
            memmove(line_end, line_end + 2, strlen(line_end) - 1);
        if (!add_note(table, name, "", text))
            return false;
    }
    for (struct caveats p = caveats_of(sync, NULL); caveats_next(&p);) {
        snprintf(key, sizeof key, " %s ", p.key);
        bool limits = sync->drift && strcmp(p.key, "stamps") == 0;
        if (strstr(" delta assumed dropped order unbounded stamps both_ends ", key) && !limits)
            continue;
        if (!add_note(table, name, p.condition ? "errors hold only if " : "", p.text))
            return false;
    }
    return true;
}

csy_status csy_table_add(csy_table *table, const csy_sync *sync, csy_error *error)
{
    const struct csy_trace *trace = sync->trace;
    csy_status status =
        sync->drift ? solution_check_feasible(sync, error) : solution_check_bounds(sync, error);
    if (!status && strcmp(table->path, "-") != 0)
        status = refuse_input(trace, table->path, error);
    if (status)
        return status;
    size_t n = csy_sync_nthreads(sync), ntracks = csy_sync_ntracks(sync);
    char *name = strdup(trace->name);
    if (!name || !ARRAY_RESERVE(table->rows, table->capacity, table->count + 1)) {
        free(name);
        return error_memory(error);
    }
    table->rows[table->count++] = (struct figures_row){.name = name,
                                                       .timebase_hz = trace->timebase_hz,
                                                       .records = sync->survey.records,
                                                       .threads = ntracks > n ? ntracks : n,
                                                       .clocks = n,
                                                       .of_cell = text_of_cell(sync),
                                                       .caveats = caveats_columns(sync),
                                                       .imprecision = sync->imprecision,
                                                       .order = sync->order,
                                                       .summary = sync->summary};
    struct figures_row *row = &table->rows[table->count - 1];
    table->cell |= row->of_cell;
    table->other |= !row->of_cell;
    table->shared |= row->threads > row->clocks;
    table->drifts |= sync->drift != NULL;
    table->imprecise |= row->imprecision.added_ticks > 0;
    table->mixed |= row->timebase_hz != table->rows[0].timebase_hz;
    if (sync->drift) {
        /* If clocks drift, the table shows only bounded pairs and the greatest error. */
        const csy_drift *drift = csy_sync_drift(sync);
        const csy_group none = {.max_error_ticks = -1, .max_event_error_ticks = -1};
        row->drifts = true;
        row->by_ppe = sync->reference == sync->survey.threads.ppe;
        row->drift = *drift;
        row->drift.clocks = NULL;
        row->summary = (csy_summary){.pairs = sync->summary.pairs,
                                     .bounded = sync->summary.bounded,
                                     .max_error_ticks = -1,
                                     .max_error_spe_ticks = -1,
                                     .max_event_error_ticks = -1,
                                     .max_event_error_spe_ticks = -1,
                                     .live = none,
                                     .successive = none,
                                     .met = none,
                                     .unbounded_threads = sync->summary.unbounded_threads};
        if (drift->records > 0 && drift->max_event_error.ticks < INT64_MAX)
            row->summary.max_event_error_ticks = fine_up(drift->max_event_error);
    }
    return add_notes(table, sync) ? CSY_OK : error_memory(error);
}

/* --- Cells ------------------------------------------------------------------------------------ */

enum { FIGURES_TEXT_MAX = CSY_TIME_TEXT_MAX };

static const char *microseconds(const struct figures_row *row, int128 num, int128 den,
                                unsigned decimals, char text[QUOTIENT_TEXT_MAX])
{
    int128 units = decimal_round(num, den * (int128)row->timebase_hz, 6 + decimals);
    return decimal_text(units, decimals, text);
}

/* Write ticks in the table's unit, or "" if negative. Microseconds have `decimals` decimals. */
static void put_ticks(const csy_table *table, const struct figures_row *row, int64_t ticks,
                      unsigned decimals, char text[FIGURES_TEXT_MAX])
{
    if (ticks >= 0 && table->unit == CSY_TABLE_MICROSECONDS)
        microseconds(row, ticks, 1, decimals, text);
    else
        *(ticks < 0 ? text : number_put(text, ticks)) = 0;
}

/* Write the mean error of the time between events of two threads, for pairs with the PPE (`ppe` is
 * true) or without it. If clocks drift, write the mean error of the time between a record and the
 * reference instead. */
static void put_mean(const csy_table *table, const struct figures_row *row, bool ppe,
                     unsigned decimals, char text[FIGURES_TEXT_MAX])
{
    csy_mean mean = ppe ? row->summary.event_error_ppe : row->summary.event_error_spe;
    int128 num = mean.pairs ? mean_sum(mean) : 0, den = (int128)mean.pairs;
    if (row->drifts && row->drift.records > 0 &&
        (ppe ? row->of_cell && row->by_ppe : !row->of_cell)) {
        num = fine_units(row->drift.mean_event_error);
        den = FINE_UNIT;
    }
    if (den == 0)
        *text = 0;
    else if (table->unit == CSY_TABLE_MICROSECONDS)
        microseconds(row, num, den, decimals, text);
    else
        decimal_text(decimal_round(num, den, decimals), decimals, text);
}

/* Write the texts of a row's cells after the name, and return their number. Errors are in the unit
 * of the table. A missing error is "". Means have `decimals` decimals. */
enum { FIGURES_COLUMNS = 7 };
static size_t figures_cells(const csy_table *table, const struct figures_row *row,
                            unsigned decimals, char cells[FIGURES_COLUMNS][FIGURES_TEXT_MAX])
{
    const csy_summary *summary = &row->summary;
    size_t n = 0;
    (void)snprintf(cells[n++], FIGURES_TEXT_MAX, "%zu", row->clocks);
    (void)snprintf(cells[n++], FIGURES_TEXT_MAX, "%" PRIu64, row->records);
    csy_time_text(row->imprecision.delta, row->timebase_hz, cells[n++]);
    put_ticks(table, row, summary->max_event_error_ticks, 3, cells[n++]);
    if (has_spes(table)) {
        put_ticks(table, row, summary->max_event_error_spe_ticks, 3, cells[n++]);
        put_mean(table, row, true, decimals, cells[n++]);
    }
    put_mean(table, row, false, decimals, cells[n++]);
    return n;
}

static const char *clocks_word(const csy_table *table)
{
    return table->shared ? "clocks" : "threads";
}

/* Returns the heading of cell i, or NULL after the last cell. */
static const char *figures_heading(const csy_table *table, size_t i)
{
    static const char *const headings[][FIGURES_COLUMNS] = {
        {"records", "delta", "max error", "mean error"},
        {"records", "delta", "max error", "max SPE-SPE", "mean SPE-PPE", "mean SPE-SPE"},
        {"records", "delta", "max error", "max no PPE", "mean PPE", "mean no PPE"}};
    return i == 0 ? clocks_word(table)
                  : headings[has_spes(table) + (table->cell && table->other)][i - 1];
}

/* Write "event errors in ticks", and a note if lengths of ticks differ. */
static void write_unit(const csy_table *table, const char *note, struct outfile *out)
{
    outfile_print(out, "%s in %s%s", table->imprecise ? "event errors" : "error bounds",
                  table->unit == CSY_TABLE_MICROSECONDS ? "microseconds" : "ticks",
                  table->mixed && table->unit != CSY_TABLE_MICROSECONDS ? note : "");
}

/* Marks after a trace's name, and the notes below the table that explain them. */
static const struct {
    char sign;
    const char *tex, *note;
} marks[] = {
    {'*', "*", "pairs of threads without bounds are left out"},
    {'+', "+", "delta was estimated; errors hold only if no timestamp is wrong by more than delta"},
    {'?', "?", "errors hold only if the assumed numbers of wraps are correct"},
    {'-', "-", "records were left out; errors hold for the other records"},
    {'!', "!",
     "errors hold only if the records are in the order in which they were written, but they look "
     "sorted"},
    {'#', "\\#",
     "figures over this many pairs are not computed; to compute them, pass --statistics=all"},
    {'/', "/", "errors hold only if all clocks run at the same rate"},
    {'=', "=", "errors hold only if all clocks tick at the same instants"},
    {'@', "@",
     "errors hold only if the send and the receive of every message of a channel were recorded or, "
     "where receives are missing, every send"},
    {'~', "$\\sim$",
     "the clocks drift; the mean error is over records, between each clock and the reference"}};
enum { FIGURES_MARKS = sizeof marks / sizeof *marks };

/* Returns true if marks[mark] applies to the trace in this row. */
static bool figures_row_has(const struct figures_row *row, size_t mark)
{
    const csy_summary *summary = &row->summary;
    bool uncomputed = summary->uncomputed_steps > 0;
    bool partial = summary->bounded < summary->pairs && !uncomputed;
    const bool has[FIGURES_MARKS] = {partial,
                                     row->imprecision.conditional,
                                     row->caveats.assumed != 0,
                                     row->caveats.dropped != 0,
                                     row->caveats.order_doubted,
                                     uncomputed,
                                     summary->bounded > 0 && row->caveats.one_rate,
                                     summary->bounded > 0 && row->caveats.one_step,
                                     summary->bounded > 0 && row->caveats.both_ends,
                                     row->drifts};
    return has[mark];
}

/* Returns the note that explains a mark, or NULL if no row has the mark. */
static const char *figures_note(const csy_table *table, size_t mark)
{
    for (size_t i = 0; i < table->count; i++)
        if (figures_row_has(&table->rows[i], mark))
            return marks[mark].note;
    return NULL;
}

/* --- Text and Markdown ------------------------------------------------------------------------ */

#define TICKS_DIFFER "ticks of these traces differ in length"
enum { NAME_COLUMNS_MIN = 6 };

/* Write the name of a trace, followed by its marks. */
enum { MARKED_NAME_MAX = ERROR_ESCAPED_MAX + 1 + FIGURES_MARKS };
static const char *marked_name(const struct figures_row *row, char text[MARKED_NAME_MAX])
{
    error_escape(text, row->name, strlen(row->name));
    char *end = text + strlen(text), *at = end;
    for (size_t mark = 0; mark < FIGURES_MARKS; mark++) {
        if (!figures_row_has(row, mark))
            continue;
        if (at == end)
            *at++ = ' ';
        *at++ = marks[mark].sign;
    }
    *at = 0;
    return text;
}

/* Write text or Markdown. In lists of notes, text precedes each name from a trace, so that the name
 * cannot become markup. */
static void figures_plain(const csy_table *table, bool markdown, struct outfile *out)
{
    static const int widths[FIGURES_COLUMNS] = {7, 11, 8, 10, 14, 14, 14};
    char name[MARKED_NAME_MAX], cells[FIGURES_COLUMNS][FIGURES_TEXT_MAX];
    int columns = markdown ? 0 : NAME_COLUMNS_MIN;
    size_t n = 0;
    if (!markdown)
        outfile_show_text(out);
    for (size_t i = 0; i < table->count && !markdown; i++) {
        int length = (int)outfile_columns(out, marked_name(&table->rows[i], name));
        columns = length > columns ? length : columns;
    }
    outfile_print(out, markdown ? "| %-*s |" : "%-*s", columns, "trace");
    for (; figures_heading(table, n); n++)
        outfile_print(out, markdown ? " %*s |" : " %*s", markdown ? 0 : widths[n],
                      figures_heading(table, n));
    outfile_add(out, markdown ? "\n|---|" : "\n");
    for (size_t i = 0; i < n && markdown; i++)
        outfile_add(out, i + 1 < n ? "---:|" : "---:|\n");
    for (size_t i = 0; i < table->count; i++) {
        figures_cells(table, &table->rows[i], markdown ? 3 : 6, cells);
        marked_name(&table->rows[i], name);
        outfile_add(out, markdown ? "| " : "");
        if (markdown)
            markdown_text(out, name);
        else
            outfile_print_name(out, -columns, name);
        outfile_add(out, markdown ? " |" : "");
        for (size_t k = 0; k < n; k++)
            outfile_print(out, markdown ? " %*s |" : " %*s", markdown ? 0 : widths[k],
                          *cells[k] ? cells[k] : "-");
        outfile_add(out, "\n");
    }
    outfile_add(out, markdown ? "\n- unit: " : "");
    write_unit(table, "; the " TICKS_DIFFER, out);
    outfile_add(out, "\n");
    for (size_t mark = 0; mark < FIGURES_MARKS; mark++)
        if (figures_note(table, mark))
            outfile_print(out, markdown ? "- mark \\%c: %s\n" : "%c %s\n", marks[mark].sign,
                          marks[mark].note);
    for (size_t i = 0; i < table->ncaveats; i++) {
        outfile_add(out, markdown ? "- note: " : "");
        if (markdown)
            markdown_text(out, table->caveats[i]);
        else
            outfile_print(out, "%s", table->caveats[i]);
        outfile_add(out, "\n");
    }
}

/* --- CSV ------------------------------------------------------------------------------------- */

/* Write a comma and the greatest error, or only the comma if `ticks` is negative. */
static void csv_max(struct outfile *out, int64_t ticks)
{
    char text[TICKS_TEXT_MAX];
    outfile_print(out, ",%s", ticks < 0 ? "" : text_ticks(ticks, "", "", text));
}

static void csv_mean(struct outfile *out, csy_mean mean)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, ",%s",
                  mean.pairs ? quotient_text(mean_sum(mean), (int128)mean.pairs, text) : "");
}

static void figures_csv(const csy_table *table, struct outfile *out)
{
    char delta[FRACTION_TEXT_MAX];
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
        table->drifts ? ",drift_ppb,wander_ppb,max_record_error_ticks,"
                        "mean_record_error_ticks,mean_record_event_error_ticks"
                      : "");
    for (size_t i = 0; i < table->count; i++) {
        const struct figures_row *row = &table->rows[i];
        const csy_imprecision *imprecision = &row->imprecision;
        const csy_summary *summary = &row->summary;
        csv_field_write(out, row->name);
        outfile_print(out, ",%" PRIu64 ",%" PRIu64 ",%zu,%s,%s,%" PRId64 ",%" PRIu64 ",%" PRId64,
                      row->timebase_hz, row->records, row->threads,
                      text_relax_words[imprecision->relax],
                      fraction_text(imprecision->delta, delta), imprecision->added_ticks,
                      imprecision->inversions, imprecision->largest_inversion_ticks);
        outfile_print(out, ",%" PRIu64 ",", summary->pairs);
        if (summary->uncomputed_steps == 0)
            outfile_print(out, "%" PRIu64, summary->bounded);
        csv_max(out, summary->max_error_ticks);
        csv_max(out, summary->max_error_spe_ticks);
        csv_mean(out, summary->error_ppe);
        csv_mean(out, summary->error_spe);
        csv_mean(out, summary->live.mean);
        csv_mean(out, summary->successive.mean);
        outfile_print(out, ",%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%" PRIu64 ",%" PRId64,
                      row->order.neighbours, row->order.before.wrong,
                      row->order.before.largest_ticks, row->order.after.wrong,
                      row->order.after.largest_ticks);
        csv_max(out, summary->max_event_error_ticks);
        csv_max(out, summary->max_event_error_spe_ticks);
        csv_mean(out, summary->event_error_ppe);
        csv_mean(out, summary->event_error_spe);
        csv_mean(out, summary->live.event_mean);
        csv_mean(out, summary->successive.event_mean);
        outfile_print(out, ",%s,%zu,%s", row->caveats.first, row->clocks, row->caveats.last);
        if (table->drifts) { /* a trace without drift leaves these cells empty */
            const csy_drift *drift = &row->drift;
            const csy_fine errors[] = {drift->max_error, drift->mean_error,
                                       drift->mean_event_error};
            char text[QUOTIENT_TEXT_MAX];
            if (row->drifts)
                outfile_print(out, ",%" PRId64 ",", drift->rate_ppb);
            else
                outfile_add(out, ",,");
            if (row->drifts && drift->wander_ppb != CSY_NO_DRIFT)
                outfile_print(out, "%" PRId64, drift->wander_ppb);
            for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
                outfile_print(out, ",%s",
                              row->drifts && drift->records > 0 ? fine_text(errors[k], 9, text)
                                                                : "");
        }
        outfile_add(out, "\n");
    }
}

/* --- LaTeX ------------------------------------------------------------------------------------
 *
 * The table is laid out as Table 1 of [BHH08], with the booktabs package. Names are in the
 * typewriter font. Printable ASCII looks right there once the characters of TeX are escaped and
 * ligatures are broken up. Other bytes are \xNN, as in the text report. */

/* Write the table for LaTeX. A column of a two-column article is about 230 points wide, so letters
 * are small and gaps are narrow. TeX shrinks the table further if necessary. */
static void figures_tex(const csy_table *table, struct outfile *out)
{
    char name[ERROR_ESCAPED_MAX], cells[FIGURES_COLUMNS][FIGURES_TEXT_MAX];
    bool of_cell = has_spes(table);
    outfile_add(out, "% ");
    write_unit(table, "", out);
    outfile_print(out,
                  ", by cellsync %s; it takes \\usepackage{booktabs}\n"
                  "\\begingroup\\setlength{\\tabcolsep}{2.5pt}\n"
                  "\\def\\cellsynctable{\\begin{tabular}{@{}lrrrrr%s@{}}\n\\toprule\n%s"
                  "trace & %s & records & $\\delta$ & %s \\\\\n\\midrule\n",
                  CSY_VERSION, of_cell ? "rr" : "",
                  of_cell ? " & & & & \\multicolumn{2}{c}{max error} & "
                            "\\multicolumn{2}{c}{mean error} \\\\\n"
                            "\\cmidrule(lr){5-6}\\cmidrule(l){7-8}\n"
                          : "",
                  clocks_word(table),
                  table->cell && table->other ? "all & no PPE & PPE & no PPE"
                  : of_cell                   ? "all & SPEs & PPE & SPEs"
                                              : "max error & mean error");
    for (size_t i = 0; i < table->count; i++) {
        const struct figures_row *row = &table->rows[i];
        size_t n = figures_cells(table, row, table->unit == CSY_TABLE_MICROSECONDS ? 3 : 1, cells);
        outfile_print(out, "%% %s, %" PRIu64 " Hz\n",
                      error_escape(name, row->name, strlen(row->name)), row->timebase_hz);
        tex_name(out, tex_stem(row->name, name));
        for (size_t mark = 0; mark < FIGURES_MARKS; mark++)
            if (figures_row_has(row, mark))
                outfile_print(out, "\\textsuperscript{%s}", marks[mark].tex);
        for (size_t cell = 0; cell < n; cell++)
            outfile_print(out, " & %s", *cells[cell] ? cells[cell] : "--");
        outfile_add(out, " \\\\\n");
    }
    outfile_add(out, "\\bottomrule\n\\end{tabular}}\n"
                     "\\footnotesize\\setbox0\\hbox{\\cellsynctable}\n"
                     "\\ifdim\\wd0>\\linewidth\\setlength{\\tabcolsep}{2pt}\\scriptsize\n"
                     "\\setbox0\\hbox{\\cellsynctable}\\fi\n"
                     "\\ifdim\\wd0>\\linewidth\\setlength{\\tabcolsep}{1.4pt}\\fi\n"
                     "\\noindent\\cellsynctable\n");
    /* Write the notes below the table, as wide as a column of the article. */
    outfile_add(out, "\\par\\smallskip\\noindent\\parbox{\\linewidth}{");
    write_unit(table, "", out);
    outfile_print(out, ": %s; %s.\n", text_latency, text_order);
    for (size_t mark = 0; mark < FIGURES_MARKS; mark++)
        if (figures_note(table, mark))
            outfile_print(out, "\\textsuperscript{%s}~%s.\n", marks[mark].tex, marks[mark].note);
    for (size_t i = 0; i < table->ncaveats; i++) {
        tex_text(out, table->caveats[i]);
        outfile_add(out, ".\n");
    }
    if (table->mixed && table->unit != CSY_TABLE_MICROSECONDS)
        outfile_add(out, "The " TICKS_DIFFER ".\n");
    outfile_add(out, "}\n\\endgroup\n");
}

csy_status csy_table_write(const csy_table *table, csy_error *error)
{
    struct outfile *out;
    csy_status status =
        error_check_choice("table-unit", (int)table->unit, CSY_TABLE_MICROSECONDS, error);
    status = status ? status : outfile_open(table->path, NULL, &out, error);
    if (status)
        return status;
    if (table->format == CSY_REPORT_CSV)
        figures_csv(table, out);
    else if (table->format == CSY_REPORT_TEX)
        figures_tex(table, out);
    else
        figures_plain(table, table->format == CSY_REPORT_MD, out);
    return outfile_complete(out, status, error);
}

void csy_table_free(csy_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->count; i++)
        free(table->rows[i].name);
    for (size_t i = 0; i < table->ncaveats; i++)
        free(table->caveats[i]);
    FREE_ALL(table->caveats, table->rows, table->path, table);
}
