/* csy_table collects a row for each trace, then writes all rows at once. */
#include "output/report/figures.h"

#include "base/array.h"
#include "base/error.h"
#include "output/encode/difference.h"
#include "output/encode/fine.h"
#include "output/encode/text.h"
#include "output/file/refuse.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

csy_status csy_table_new(const char *path, csy_report_format format, csy_table **out,
                         csy_error *error)
{
    if (format != CSY_REPORT_TEXT && format != CSY_REPORT_CSV && format != CSY_REPORT_TEX &&
        format != CSY_REPORT_MD)
        return error_set(error, CSY_USAGE,
                         "%s: the formats of a table are text, CSV, TeX, and Markdown", path);
    csy_table *table = calloc(1, sizeof *table);
    char *copy = strdup(path);
    if (!table || !copy) {
        free(table);
        free(copy);
        return error_memory(error);
    }
    table->path = copy;
    table->format = format;
    *out = table;
    return CSY_OK;
}

void csy_table_set_unit(csy_table *table, csy_table_unit unit)
{
    table->unit = unit;
    table->microseconds = unit == CSY_TABLE_MICROSECONDS;
}

/* Store a note on a trace. */
static bool add_note(csy_table *table, const char *name, const char *premise, const char *text)
{
    return ARRAY_RESERVE(table->caveats, table->caveats_capacity, table->ncaveats + 1) &&
           asprintf(&table->caveats[table->ncaveats], "%s: %s%s", name, premise, text) >= 0 &&
           ++table->ncaveats > 0;
}

/* Store the caveats for which the table has no mark, and for Markdown the differences of clocks. */
static bool add_notes(csy_table *table, const csy_sync *sync)
{
    char name[ERROR_ESCAPED_MAX], key[32], text[DIFFERENCE_TEXT_MAX], *line_end;
    error_escape(name, sync->trace->name, strlen(sync->trace->name));
    for (size_t next = 0;
         table->format == CSY_REPORT_MD && difference_next(sync, false, &next, text);) {
        while ((line_end = strchr(text, '\n'))) /* two blanks follow */
            memmove(line_end, line_end + 2, strlen(line_end) - 1);
        if (!add_note(table, name, "", text))
            return false;
    }
    for (struct caveats p = caveats_of(sync, NULL); caveats_next(&p);) {
        snprintf(key, sizeof key, " %s ", p.key);
        bool limits = sync->drift && strcmp(p.key, "stamps") == 0; /* limits of rates: no mark */
        if (strstr(" delta assumed dropped order unbounded stamps both_ends ", key) && !limits)
            continue;
        if (!add_note(table, name, p.condition ? "errors hold only if " : "", p.text))
            return false;
    }
    return true;
}

/* Fill in how many pairs of drifting clocks bound each other, and the error of any two events.
 * There are no other figures over pairs. */
static void set_drift(const csy_sync *sync, struct figures_row *row)
{
    const csy_drift *drift = csy_sync_drift(sync);
    csy_summary *summary = &row->summary;
    const csy_group none = {.max_error_ticks = -1, .max_event_error_ticks = -1};
    row->drifts = true;
    row->by_ppe = sync->reference == sync->survey.threads.ppe;
    row->drift = *drift;
    row->drift.clocks = NULL;
    *summary = (csy_summary){.pairs = sync->summary.pairs,
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
        summary->max_event_error_ticks =
            drift->max_event_error.ticks + (drift->max_event_error.billionths > 0);
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
    if (sync->drift)
        set_drift(sync, &table->rows[table->count - 1]);
    return add_notes(table, sync) ? CSY_OK : error_memory(error);
}

const char *figures_clocks(const csy_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].threads > table->rows[i].clocks)
            return "clocks";
    return "threads";
}

csy_status csy_table_write(const csy_table *table, csy_error *error)
{
    struct outfile *out;
    csy_status status =
        error_check_choice("table-unit", (int)table->unit, CSY_TABLE_MICROSECONDS, error);
    if (!status)
        status = outfile_open(table->path, NULL, &out, error);
    if (status)
        return status;
    if (table->format == CSY_REPORT_CSV)
        figures_csv(table, out);
    else if (table->format == CSY_REPORT_TEX)
        figures_tex(table, out);
    else if (table->format == CSY_REPORT_MD)
        figures_markdown(table, out);
    else
        figures_text(table, out);
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
    free(table->caveats);
    free(table->rows);
    free(table->path);
    free(table);
}

static const char *microseconds(const struct figures_row *row, int128 num, int128 den,
                                unsigned decimals, char text[QUOTIENT_TEXT_MAX])
{
    int128 units = decimal_round(num, den * (int128)row->timebase_hz, 6 + decimals);
    return decimal_text(units, decimals, text);
}

/* Print ticks, in whole ticks or in microseconds with this many decimals. */
static void put_ticks(const csy_table *table, const struct figures_row *row, int64_t ticks,
                      unsigned decimals, char text[FIGURES_TEXT_MAX])
{
    if (ticks >= 0 && table->microseconds)
        microseconds(row, ticks, 1, decimals, text);
    else
        *(ticks < 0 ? text : number_put(text, ticks)) = 0;
}

/* For drifting clocks, the mean error against the reference, over records. ppe selects the column
 * of pairs with the PPE. Returns NULL if the mean belongs in the other column, or in none. */
static const csy_fine *drift_mean(const struct figures_row *row, bool ppe)
{
    bool known = row->drifts && row->drift.records > 0;
    return known && (ppe ? row->of_cell && row->by_ppe : !row->of_cell)
               ? &row->drift.mean_event_error
               : NULL;
}

/* Print the mean over pairs with the PPE, or over those without it. */
static void put_mean(const csy_table *table, const struct figures_row *row, bool ppe,
                     unsigned decimals, char text[FIGURES_TEXT_MAX])
{
    csy_mean mean = ppe ? row->summary.event_error_ppe : row->summary.event_error_spe;
    const csy_fine *over_records = drift_mean(row, ppe);
    int128 num = over_records ? fine_units(*over_records) : mean.pairs ? mean_sum(mean) : 0;
    int128 den = over_records ? FINE_UNIT : (int128)mean.pairs;
    if (den == 0)
        *text = 0;
    else if (table->microseconds)
        microseconds(row, num, den, decimals, text);
    else
        decimal_text(decimal_round(num, den, decimals), decimals, text);
}

bool figures_drift(const csy_table *table)
{
    bool drift = false;
    for (size_t i = 0; i < table->count; i++)
        drift |= table->rows[i].drifts;
    return drift;
}

bool figures_of_cell(const csy_table *table)
{
    bool of_cell = table->count == 0;
    for (size_t i = 0; i < table->count; i++)
        of_cell |= table->rows[i].of_cell;
    return of_cell;
}

bool figures_of_others(const csy_table *table)
{
    bool others = false;
    for (size_t i = 0; i < table->count; i++)
        others |= !table->rows[i].of_cell;
    return others && figures_of_cell(table);
}

size_t figures_cells(const csy_table *table, const struct figures_row *row, unsigned decimals,
                     char cells[FIGURES_COLUMNS][FIGURES_TEXT_MAX])
{
    const csy_summary *summary = &row->summary;
    size_t n = 0;
    (void)snprintf(cells[n++], FIGURES_TEXT_MAX, "%zu", row->clocks);
    (void)snprintf(cells[n++], FIGURES_TEXT_MAX, "%" PRIu64, row->records);
    csy_time_text(row->imprecision.delta, row->timebase_hz, cells[n++]);
    put_ticks(table, row, summary->max_event_error_ticks, 3, cells[n++]);
    if (figures_of_cell(table)) {
        put_ticks(table, row, summary->max_event_error_spe_ticks, 3, cells[n++]);
        put_mean(table, row, true, decimals, cells[n++]);
    }
    put_mean(table, row, false, decimals, cells[n++]);
    return n;
}

const char *figures_heading(const csy_table *table, size_t i)
{
    static const char *const headings[][FIGURES_COLUMNS] = {
        {"records", "delta", "max error", "mean error"},
        {"records", "delta", "max error", "max SPE-SPE", "mean SPE-PPE", "mean SPE-SPE"},
        {"records", "delta", "max error", "max no PPE", "mean PPE", "mean no PPE"}};
    return i == 0 ? figures_clocks(table)
                  : headings[figures_of_cell(table) + figures_of_others(table)][i - 1];
}

const char *figures_unit(const csy_table *table)
{
    return table->microseconds ? "microseconds" : "ticks";
}

bool figures_row_has(const struct figures_row *row, enum figures_mark mark)
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

const char *figures_errors(const csy_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].imprecision.added_ticks > 0)
            return "event errors";
    return "error bounds";
}

const char *figures_note(const csy_table *table, enum figures_mark mark)
{
    static const char *const notes[FIGURES_MARKS] = {
        "pairs of threads without bounds are left out",
        "delta was estimated; errors hold only if no timestamp is wrong by more than delta",
        "errors hold only if the assumed numbers of wraps are correct",
        "records were left out; errors hold for the other records",
        ("errors hold only if the records are in the order in which they were written, but they "
         "look sorted"),
        "figures over this many pairs are not computed; to compute them, pass --statistics=all",
        "errors hold only if all clocks run at the same rate",
        "errors hold only if all clocks tick at the same instants",
        ("errors hold only if the send and the receive of every message of a channel were recorded "
         "or, where receives are missing, every send"),
        "the clocks drift; the mean error is over records, between each clock and the reference"};
    for (size_t i = 0; i < table->count; i++)
        if (figures_row_has(&table->rows[i], mark))
            return notes[mark];
    return NULL;
}

const char *figures_note_ticks(const csy_table *table)
{
    for (size_t i = 1; i < table->count && !table->microseconds; i++)
        if (table->rows[i].timebase_hz != table->rows[0].timebase_hz)
            return "the ticks of these traces differ in length";
    return NULL;
}
