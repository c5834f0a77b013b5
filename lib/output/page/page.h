/* The HTML report, one function for each section. See cellsync-output(5), HTML report.
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
    struct scale scale;     /* for all bounds */
    bool alone;             /* drawings are separate files, without headings and captions */
    uint64_t *tables_bytes; /* number of bytes of an analysis's tables so far */
    /* the analysis of a separate drawing; NULL: the solution's */
    const struct csy_analysis *analysis;
};

/* Collect the data of the page in one pass over the trace. page must have trace and sync, and
 * otherwise zeros. */
csy_status page_init(struct page *page, struct csy_trace *trace, csy_error *error);
void page_fini(struct page *page);

/* The sections for drifting clocks, which replace most other sections. */
csy_status page_drift_verdict(const struct page *page, csy_error *error);
csy_status page_drift(const struct page *page, csy_error *error);
csy_status page_drift_course(const struct page *page, csy_error *error);

/* Style sheets: for colours, for drawings, and for the rest. */
extern const char page_colours[], page_drawing[], page_style[];

/* The pattern of unbounded values. */
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

/* The number of the widest pairs shown with their chains: up to CHAINS_MAX, but one in a trace with
 * many records, because each needs a pass. */
enum { CHAINS_MAX = 3, CHAINS_RECORDS_MAX = 1000000 };
size_t page_nchains(const struct page *page);
csy_status page_chains(const struct page *page, csy_error *error);

void page_loosest(const struct page *page);
void page_witness(const struct page *page);
void page_threads(const struct page *page);

/* The name of all errors on the page: "Event errors", or with delta 0 "Error bounds". */
const char *page_errors(const struct page *page);

/* Sections, in order. */
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

/* Test whether the page has a section; write its heading; and write links to all sections. */
bool page_has(const struct page *page, enum page_section section);
void page_heading(const struct page *page, enum page_section section);
void page_contents(const struct page *page);

/* Begin a drawing with a name and a description; svg_end ends it. A separate file contains its
 * style. */
void page_drawing_begin(const struct page *page, const char *id, int width, int height,
                        const char *title, const char *description);

/* The notes of a separate drawing. page_notes_height: their height. page_draw_notes: draw them
 * below y. */
int page_notes_height(const struct page *page);
void page_draw_notes(const struct page *page, int y);
void page_describe_notes(const struct page *page);

/* Write a style sheet with the values of the colours that it names. They are the colours for light
 * mode in page_colours. */
void page_colour(struct outfile *out, const char *style);

/* Surround a drawing, so that it can be scrolled if the window is too narrow. */
void page_figure(const struct page *page);
void page_figure_end(const struct page *page);

/* True if a thread is in one of the widest pairs: links then lead to its place in time, the element
 * life-N. */
bool page_is_wide(const struct page *page, size_t thread);

/* Write up to `most` names of threads on a clock. */
void page_member_names(const struct page *page, size_t thread, size_t most);

/* Write the name of a thread. */
void page_name(const struct page *page, size_t thread);

/* Write how far each clock reads ahead of the reference's, as a list
 * (output/encode/difference.h). */
void page_differences(const struct page *page);

/* In a partial order, the last cell of a row: what makes a record precede another. */
#define STEPS_COLUMN "<th scope=\"col\" class=\"name\">by</th>"
void page_steps(const struct page *page, const csy_witness_edge *edge);

/* Print text of up to 1023 bytes, without names from the trace, with grouped digits. */
void page_print(const struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "2.45 µs (35 ticks)", rounded up, or "unbounded" for BOUND_NONE. The ticks are left out if a tick
 * is a power of ten of a second, so that they would only repeat the digits. */
void page_ticks(const struct page *page, int64_t ticks);
bool page_has_decimal_ticks(const struct page *page);

/* Nonnegative ticks as a time, rounded up: "3.69 ms". Returns text. */
const char *page_fine_time(const struct page *page, csy_fine ticks, char text[CSY_TIME_TEXT_MAX]);

/* Ticks as a time, like csy_time_text but with the micro sign. Returns text. */
const char *page_time(const struct page *page, csy_fraction ticks, char text[CSY_TIME_TEXT_MAX]);
const char *page_whole_time(const struct page *page, int64_t ticks, char text[CSY_TIME_TEXT_MAX]);

/* Write table cells with ticks, with or without microseconds; "-" and "inf" for missing and
 * infinite values. */
void page_cell_ticks(const struct page *page, int64_t ticks);
void page_cell_both(const struct page *page, int64_t ticks);

/* The class for a bound's colour. */
const char *page_shade(const struct page *page, int64_t bound);

/* Write the legend of the colours. */
void page_legend(const struct page *page);

/* Draw a horizontal time axis: marks, labels below, and lines up to the top; for a range in ticks
 * since the beginning of the trace, or for the whole trace. */
void page_axis(const struct page *page, struct svg_box box, int128 begin, int128 end);
void page_time_axis(const struct page *page, int left, int right, int top, int bottom);

/* Draw a vertical axis of errors from PAGE_LEFT, with 0 at the bottom: lines at round values with
 * ticks and times, and a label at `key`. */
void page_error_axis(const struct page *page, const struct scale *scale, int top, int bottom,
                     int key);

#endif
