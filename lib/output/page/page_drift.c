/* Writes the HTML report for clocks that drift: verdict, errors over time, and clocks. */
#include "advice/spans.h"
#include "base/error.h"
#include "base/sort.h"
#include "output/encode/fine.h"
#include "output/page/page.h"
#include "sync/drift/drift.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Errors in each part of the trace --- */

enum { DRIFT_PARTS = 240 };

/* Errors of the bounded clocks with records in a part of the trace, in ticks, rounded up, for the
 * middle of the part or the clock's nearest record. */
struct drift_part {
    size_t live; /* number of clocks in this part; if 0, all members are 0 */
    int64_t least, median, greatest;
    size_t widest; /* first clock with the greatest error */
};

/* Each step multiplies the error of a local time by the rate's deviation from 1. */
enum { STEPS_MAX = 8 };

/* Returns a thread's local time at a global time, limited to the times of its records. */
static int64_t local_at(const struct csy_sync *sync, size_t t, int64_t global_ticks)
{
    const struct thread *thread = &sync->survey.threads.items[t];
    const struct knots *knots = &sync->drift->clocks[t];
    int128 local = global_ticks - (int128)sync->views[t].offset_ticks;
    for (size_t i = 0; i < STEPS_MAX; i++) {
        if (local < thread->min_ticks)
            return thread->min_ticks;
        if (local > thread->max_ticks)
            return thread->max_ticks;
        int128 off = global_ticks - knots_global(knots, (int64_t)local);
        if (off == 0)
            break;
        local += off;
    }
    return local < thread->min_ticks   ? thread->min_ticks
           : local > thread->max_ticks ? thread->max_ticks
                                       : (int64_t)local;
}

/* O(DRIFT_PARTS T log T) for T threads */
static csy_status drift_course(const struct csy_sync *sync, const struct spans *lives,
                               struct drift_part parts[DRIFT_PARTS], csy_error *error)
{
    int128 length = (int128)lives->end - lives->begin;
    int64_t *errors = malloc((lives->n + 1) * sizeof *errors);
    if (!errors)
        return error_memory(error);
    for (size_t i = 0; i < DRIFT_PARTS; i++) {
        int128 begin = lives->begin + length * (int128)i / DRIFT_PARTS;
        int128 end = lives->begin + length * (int128)(i + 1) / DRIFT_PARTS, least, greatest;
        struct drift_part *part = &parts[i];
        *part = (struct drift_part){0};
        for (size_t t = 0; t < lives->n; t++) {
            const struct span *life = &lives->items[t];
            if (t == sync->reference || life->begin > end || life->end < begin)
                continue;
            int64_t local = local_at(sync, t, (int64_t)((begin + end) / 2));
            if (!drift_bounds(sync, t, local, &least, &greatest))
                continue;
            int64_t width = (int64_t)ceil_div(greatest - least, AGE_UNIT);
            if (part->live == 0 || width > part->greatest) {
                part->greatest = width;
                part->widest = t;
            }
            errors[part->live++] = width;
        }
        if (part->live == 0)
            continue;
        qsort(errors, part->live, sizeof *errors, compare_signed);
        part->least = errors[0];
        part->median = errors[(part->live - 1) / 2];
    }
    free(errors);
    return CSY_OK;
}

enum {
    LEFT = PAGE_LEFT,
    RIGHT = PAGE_WIDTH - 10,
    KEY = 100,
    TOP = 300,
    BOTTOM = 2140,
    CLOCKS_MAX = 200
};

/* --- The verdict --- */

static void write_time(const struct page *page, csy_fine ticks)
{
    char text[CSY_TIME_TEXT_MAX];
    outfile_print(page->out, "%s", page_fine_time(page, ticks, text));
}

csy_status page_drift_verdict(const struct page *page, csy_error *error)
{
    csy_status status = CSY_OK;
    const csy_drift *drift = csy_sync_drift(page->sync);
    const csy_imprecision *imprecision = &page->sync->imprecision;
    size_t unbounded = page->sync->summary.unbounded_threads;
    char events[CSY_TIME_TEXT_MAX], clocks[CSY_TIME_TEXT_MAX];
    csy_drift_pair pair = {.bounded = false};
    size_t s = 0, t = 0;
    bool any = false;
    outfile_add(page->out, "<p id=\"verdict\">");
    if (drift->records == 0) {
        outfile_add(page->out, "No clock is bounded to the clock of the reference on both sides");
    } else {
        outfile_print(page->out, "The time between any two events%s is off by at most <strong>",
                      unbounded > 0 ? " of bounded clocks" : "");
        write_time(page, drift->max_event_error);
        outfile_add(page->out, "</strong>");
        if (imprecision->conditional)
            outfile_print(page->out, ", if no timestamp is off by more than %s",
                          page_time(page, imprecision->delta, clocks));
    }
    if (unbounded > 0)
        page_print(page, "; %zu %s%s not bounded on both sides", unbounded, text_clock(page->sync),
                   unbounded == 1 ? " is" : "s are");
    outfile_add(page->out, ".</p>\n");
    if (drift->records > 0) {
        outfile_add(page->out, "<p id=\"details\">The mean error is ");
        write_time(page, drift->mean_event_error);
        page_print(page,
                   ". The greatest error is at record %" PRIu64
                   " of {%zu}. Errors are measured against the clock of {%zu}.",
                   drift->clocks[drift->max_clock].max_record, drift->max_clock,
                   page->sync->reference);
        page_fine_time(page, drift->max_event_error, events);
        if (strcmp(page_fine_time(page, drift->max_error, clocks), events) != 0)
            outfile_print(page->out,
                          " Clocks cause at most %s of the greatest error, and timestamps cause "
                          "the rest.",
                          clocks);
        status = csy_sync_drift_worst(page->sync, &s, &t, &any, error);
        if (!status && any)
            status = csy_sync_drift_pair(page->sync, s, t, false, &pair, error);
        if (!status && any) {
            page_print(page,
                       " The worst pair of clocks is {%zu} and {%zu}: the range of the time "
                       "between their events is up to ",
                       s, t);
            write_time(page, pair.worst_event);
            page_print(page, " wide, at %d moments of the trace.", CSY_DRIFT_MOMENTS);
        }
        outfile_print(page->out, "%s</p>\n",
                      drift->wander_ppb == CSY_NO_DRIFT
                          ? ""
                          : " With a wander, bounds are proven, but not always the narrowest.");
    }
    page_warnings(page);
    return status;
}

/* --- Errors over time --- */

static int part_x(size_t i)
{
    return LEFT + (int)((size_t)(RIGHT - LEFT) * i / DRIFT_PARTS);
}

static int error_y(const struct scale *scale, int64_t error)
{
    return BOTTOM - scale_place(scale, error, BOTTOM - TOP);
}

csy_status page_drift_course(const struct page *page, csy_error *error)
{
    struct drift_part parts[DRIFT_PARTS];
    int64_t most = 0, usual = 0;
    csy_status status = drift_course(page->sync, &page->lives, parts, error);
    if (status)
        return status;
    for (size_t i = 0; i < DRIFT_PARTS; i++) {
        most = parts[i].greatest > most ? parts[i].greatest : most;
        usual = i == DRIFT_PARTS / 2 ? parts[i].median : usual;
    }
    struct scale scale = scale_make(most, usual);
    page_heading(page, SECTION_COURSE);
    page_figure(page, "course", BOTTOM + 220, "Errors over time",
                "For each part of the trace the least, median and greatest clock error against the "
                "reference, of the clocks that are live in it.");
    page_error_axis(page, &scale, TOP, BOTTOM, KEY);
    svg_rect(page->out, "band", (struct svg_box){LEFT, KEY - 80, 250, 80});
    svg_text(page->out, "", LEFT + 320, KEY, "least to greatest clock error");
    svg_line(page->out, "median", LEFT + 3000, KEY - 40, LEFT + 3250, KEY - 40);
    svg_text(page->out, "", LEFT + 3320, KEY, "median");
    page_time_axis(page, LEFT, RIGHT, TOP, BOTTOM);
    for (size_t i = 0; i < DRIFT_PARTS; i++)
        if (parts[i].live > 0) {
            const struct drift_part *part = &parts[i];
            int x = part_x(i), wide = part_x(i + 1) - x;
            int high = error_y(&scale, part->greatest), low = error_y(&scale, part->least);
            svg_rect_begin(page->out, "band", (struct svg_box){x, high, wide, low - high + 10});
            page_print(page,
                       "%zu live: least {=%" PRId64 "}, median {=%" PRId64 "}, greatest {=%" PRId64
                       "}, of {%zu}",
                       part->live, part->least, part->median, part->greatest, part->widest);
            svg_rect_end(page->out);
            outfile_print(page->out, "<path class=\"median\" d=\"M%d %dh%d\"/>\n", x,
                          error_y(&scale, part->median), wide);
        }
    if (!page_caption(page, NULL))
        return CSY_OK;
    page_print(page,
               "Clock errors against {%zu} in the middle of each of %d equal parts of the trace, "
               "of the clocks that are live in it: from the least to the greatest, and the median "
               "as a line. They are least where messages meet.",
               page->sync->reference, DRIFT_PARTS);
    page_caption_end(page);
    return CSY_OK;
}

/* --- Clocks --- */

static void write_error(const struct page *page, bool bounded, csy_fine error)
{
    outfile_add(page->out, "<td>");
    if (bounded)
        write_time(page, error);
    else
        outfile_add(page->out, "\u221e");
    outfile_add(page->out, "</td>");
}

csy_status page_drift(const struct page *page, csy_error *error)
{
    size_t all = page->lives.n, n = all < CLOCKS_MAX ? all : CLOCKS_MAX;
    csy_status status = page_drift_course(page, error);
    if (status)
        return status;
    page_heading(page, SECTION_THREADS);
    if (n < all)
        page_print(page, "<p>The first %zu of %zu; the JSON report has all.</p>\n", n, all);
    page_differences(page);
    outfile_add(page->out, "<div class=\"wide\" tabindex=\"0\">");
    page_table_begin(page, "clocks",
                     "records|rate, ppm|error at first record|error at last record|mean error|"
                     "greatest error|at record");
    for (size_t t = 0; t < n; t++) {
        const csy_drift_clock *clock = &csy_sync_drift(page->sync)->clocks[t];
        char least[QUOTIENT_TEXT_MAX], greatest[QUOTIENT_TEXT_MAX];
        page_row(page, t);
        page_print(page, "<td>%" PRIu64 "</td><td>%s to %s</td>", page->sync->views[t].records,
                   text_ppm(clock->least_ppb, least), text_ppm(clock->greatest_ppb, greatest));
        write_error(page, clock->bounded,
                    fine_difference(clock->first.latest, clock->first.earliest));
        write_error(page, clock->bounded,
                    fine_difference(clock->last.latest, clock->last.earliest));
        write_error(page, clock->bounded, clock->mean_error);
        write_error(page, clock->bounded, clock->max_error);
        if (clock->bounded)
            page_print(page, "<td>%" PRIu64 "</td></tr>\n", clock->max_record);
        else
            outfile_add(page->out, "<td>\u2013</td></tr>\n");
    }
    page_table_end(page);
    outfile_add(page->out, "</div>\n<p class=\"rest\">Errors of the clocks, without those of "
                           "timestamps; the JSON report has the offsets.</p>\n");
    return CSY_OK;
}
