/* The HTML report has one function for each section. See cellsync-output(5), HTML report.
 *
 * A page stays below PAGE_BYTES_MAX for every trace: longer parts are cut or aggregated, with a
 * note. */
#ifndef OUTPUT_PAGE_PAGE_H
#define OUTPUT_PAGE_PAGE_H

#include "advice/widest.h"
#include "output/encode/html.h"
#include "output/encode/scale.h"
#include "output/encode/svg.h"
#include "output/encode/text.h"
#include "output/page/closeup.h"
#include "output/page/precision.h"
#include "output/trace/members.h"
#include "sync/partial/arrows.h"

enum { PAGE_BYTES_MAX = 2000000, PAGE_WIDTH = 9600, PAGE_LEFT = 1300 };

struct page {
    const struct csy_trace *trace;
    struct csy_sync *sync;
    struct outfile *out;
    struct spans lives;
    struct members members;
    struct precision course;
    struct widest widest;
    struct arrows arrows;
    struct closeup closeup;
    struct scale scale;     /* the scale of all bounds */
    bool alone;             /* drawings are separate files, without headings and captions */
    uint64_t *tables_bytes; /* bytes of the analysis's tables so far */
    /* the analysis that a separate drawing shows; NULL: it shows the solution */
    const struct csy_analysis *analysis;
};

/* Collect the data of the page in one pass over the trace. The caller sets trace and sync, and all
 * else to zero. */
csy_status page_init(struct page *page, struct csy_trace *trace, csy_error *error);
void page_fini(struct page *page);

/* Sections for drifting clocks; they replace most other sections. */
csy_status page_drift_verdict(const struct page *page, csy_error *error);
csy_status page_drift(const struct page *page, csy_error *error);
csy_status page_drift_course(const struct page *page, csy_error *error);

/* Style sheets for colours, for drawings, and for all other parts. */
extern const char page_colours[], page_drawing[], page_style[];

/* The SVG pattern that marks unbounded values. */
extern const char page_hatch[];

void page_verdict(const struct page *page);

/* After the verdict: write a paragraph for the premises that no option set, a paragraph for each
 * warning, and a list of the conditions of the bounds. */
void page_warnings(const struct page *page);

/* Name the next step of a reader. */
void page_next(const struct page *page);

/* Write about messages received before they were sent, if there are messages. */
void page_violations(const struct page *page);
void page_read(const struct page *page);
void page_table(const struct page *page);
csy_status page_tracer(const struct page *page, csy_error *error);
void page_messages(const struct page *page);
csy_status page_timeline(const struct page *page, csy_error *error);
void page_members(const struct page *page);
void page_precision(const struct page *page);
void page_distribution(const struct page *page);
csy_status page_map(const struct page *page, csy_error *error);
csy_status page_peers(const struct page *page, csy_error *error);
void page_widest(const struct page *page);

/* The number of widest pairs shown with their chains. Each chain needs a pass, so it is CHAINS_MAX,
 * or 1 for a trace with more than CHAINS_RECORDS_MAX records. */
enum { CHAINS_MAX = 3, CHAINS_RECORDS_MAX = 1000000 };
size_t page_nchains(const struct page *page);
csy_status page_chains(const struct page *page, csy_error *error);

void page_loosest(const struct page *page);
void page_witness(const struct page *page);
void page_threads(const struct page *page);

/* The name of errors on the page: "Event errors", or "Error bounds" if delta is 0. */
const char *page_errors(const struct page *page);

enum page_section {
    SECTION_READ,
    SECTION_BOUNDS,
    SECTION_MESSAGES,
    SECTION_TRACER,
    SECTION_TIMELINE,
    SECTION_MEMBERS,
    SECTION_COURSE,
    SECTION_DISTRIBUTION,
    SECTION_MAP,
    SECTION_PEERS,
    SECTION_WIDEST,
    SECTION_CHAINS,
    SECTION_LOOSEST,
    SECTION_WITNESS,
    SECTION_THREADS,
    SECTIONS
};

/* True if the page has a section; write a section's heading; write links to all sections. */
bool page_has(const struct page *page, enum page_section section);
void page_heading(const struct page *page, enum page_section section);
void page_contents(const struct page *page);

/* Begin a drawing with a title and a description; svg_end ends it. A separate file also gets its
 * style sheet. */
void page_drawing_begin(const struct page *page, const char *id, int width, int height,
                        const char *title, const char *description);

/* Notes below a separate drawing. page_notes_height returns their height, page_draw_notes draws
 * them below y, and page_describe_notes adds them to the description. */
int page_notes_height(const struct page *page);
void page_draw_notes(const struct page *page, int y);
void page_describe_notes(const struct page *page);

/* Write a style sheet in which the names of colours are replaced by their values for light mode. */
void page_colour(struct outfile *out, const char *style);

/* Begin and end the element around a drawing; it scrolls if the window is too narrow. */
void page_figure(const struct page *page);
void page_figure_end(const struct page *page);

/* True if the thread is in one of the widest pairs. Links lead to the element life-N of such a
 * thread in the timeline. */
bool page_is_wide(const struct page *page, size_t thread);

/* Write the names of at most `most` threads that share this clock. */
void page_member_names(const struct page *page, size_t thread, size_t most);

void page_name(const struct page *page, size_t thread);

/* List how far each clock reads ahead of the reference's (output/encode/difference.h). */
void page_differences(const struct page *page);

/* Write the last cell of a row in a partial order: why one record precedes the next. */
#define STEPS_COLUMN "<th scope=\"col\" class=\"name\">by</th>"
void page_steps(const struct page *page, const csy_witness_edge *edge);

/* Print up to 1023 bytes and group the digits. The text must not contain names from the trace. */
void page_print(const struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "2.45 µs (35 ticks)", rounded up, or "unbounded" for BOUND_NONE. The ticks are left out if a tick
 * is a power of ten of a second, so that they would only repeat the digits. */
void page_ticks(const struct page *page, int64_t ticks);
bool page_has_decimal_ticks(const struct page *page);

/* Nonnegative ticks as a time, rounded up: "3.69 ms". Returns text. */
const char *page_fine_time(const struct page *page, csy_fine ticks, char text[CSY_TIME_TEXT_MAX]);

/* Format ticks as csy_time_text does, but with the micro sign. Returns text. */
const char *page_time(const struct page *page, csy_fraction ticks, char text[CSY_TIME_TEXT_MAX]);
const char *page_whole_time(const struct page *page, int64_t ticks, char text[CSY_TIME_TEXT_MAX]);

/* Write table cells with ticks; page_cell_both adds microseconds. A missing value is "-", an
 * infinite one "inf". */
void page_cell_ticks(const struct page *page, int64_t ticks);
void page_cell_both(const struct page *page, int64_t ticks);

/* The CSS class for the colour of a bound. */
const char *page_shade(const struct page *page, int64_t bound);

void page_legend(const struct page *page);

/* Draw a horizontal time axis with marks, labels below, and lines up to the top. The range is given
 * in ticks since the beginning of the trace, or is the whole trace. */
void page_axis(const struct page *page, struct svg_box box, int128 begin, int128 end);
void page_time_axis(const struct page *page, int left, int right, int top, int bottom);

/* Draw a vertical axis of errors at PAGE_LEFT, with 0 at the bottom. Lines at round values show
 * ticks and times; `key` is the y of the label. */
void page_error_axis(const struct page *page, const struct scale *scale, int top, int bottom,
                     int key);

#endif
