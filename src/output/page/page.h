/*
 * The HTML report, a function a section.  cellsync-formats(5), HTML report.
 *
 * Whatever the trace, a page stays below PAGE_BYTES_MAX: what would be longer is cut or aggregated,
 * and says so.
 */
#ifndef OUTPUT_PAGE_PAGE_H
#define OUTPUT_PAGE_PAGE_H

#include "advice/widest.h"
#include "output/encode/html.h"
#include "output/encode/scale.h"
#include "output/encode/svg.h"
#include "output/encode/words.h"
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
    struct scale scale;     /* of all bounds */
    bool alone;             /* drawings are files of their own: without headings and captions */
    uint64_t *tables_bytes; /* of tables of an analysis, so far */
    /* of which a drawing is that is alone; NULL: of the solution */
    const struct csy_analysis *analysis;
};

/* What it will show, before any of it is written: one pass over the trace.  page has trace, sync
 * and zeros. */
csy_status page_init(struct page *page, struct csy_trace *trace, csy_error *error);
void page_fini(struct page *page);

/* Of clocks that drift, in the place of most sections. */
void page_drift_verdict(const struct page *page);
csy_status page_drift(const struct page *page, csy_error *error);
csy_status page_drift_course(const struct page *page, csy_error *error);

/* Styles: of colours, of drawings, and of all else. */
extern const char page_colours[], page_drawing[], page_style[];

/* The pattern of what is unbounded. */
extern const char page_hatch[];

void page_verdict(const struct page *page);

/* The last sentence of a verdict: what bounds rest on that nothing has said. */
void page_say_condition(const struct page *page);

/* A paragraph for each warning. */
void page_warnings(const struct page *page);

/* Messages received before they were sent; of traces with some. */
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

/* The chains of the first CHAINS_MAX of the widest pairs, or of the first alone where records are
 * many: a pass over them each. */
enum { CHAINS_MAX = 3, CHAINS_RECORDS_MAX = 1000000 };
size_t page_nchains(const struct page *page);
csy_status page_chains(const struct page *page, csy_error *error);

void page_loosest(const struct page *page);
void page_witness(const struct page *page);
void page_threads(const struct page *page);

/* What all errors on the page are: "Event errors", or with delta 0 "Error bounds". */
const char *page_errors(const struct page *page);

/* The sections, in their order. */
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

/* Whether the page has a section; its heading; and links to all that it has. */
bool page_has(const struct page *page, enum page_section section);
void page_heading(const struct page *page, enum page_section section);
void page_contents(const struct page *page);

/* A drawing with its name and its description, which svg_end ends; alone, with its style inside. */
void page_drawing_begin(const struct page *page, const char *id, int width, int height,
                        const char *title, const char *description);

/* What a drawing that is alone rests on: how much higher that makes it, below y, and as words. */
int page_notes_height(const struct page *page);
void page_draw_notes(const struct page *page, int y);
void page_describe_notes(const struct page *page);

/* A style with the colours that it names; they are looked up in page_colours, the light ones. */
void page_colour(struct outfile *out, const char *style);

/* Around a drawing: where the window is too narrow for it, it can be moved from side to side. */
void page_figure(const struct page *page);
void page_figure_end(const struct page *page);

/* Whether a thread is of one of the widest pairs: links lead to its place in time, the element
 * life-N. */
bool page_is_wide(const struct page *page, size_t thread);

/* The names of the threads that run on a clock, so many of them. */
void page_member_names(const struct page *page, size_t thread, size_t most);

/* The name of a thread. */
void page_name(const struct page *page, size_t thread);

/* In a partial order, the cell of a row that says by what a record comes before another; its column
 * is the last. */
#define STEPS_COLUMN "<th scope=\"col\" class=\"name\">by</th>"
void page_steps(const struct page *page, const csy_witness_edge *edge);

/* Text, up to 1023 bytes, the digits of its numbers in groups; no name of others. */
void page_print(const struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "35 ticks (2.44 µs)", or "unbounded" for BOUND_NONE. */
void page_ticks(const struct page *page, int64_t ticks);

/* Ticks as a time, as csy_time_text has them, but with the sign for micro.  Returns text. */
const char *page_time(const struct page *page, csy_fraction ticks, char text[CSY_TIME_TEXT_MAX]);
const char *page_whole_time(const struct page *page, int64_t ticks, char text[CSY_TIME_TEXT_MAX]);

/* Cells of a row: of ticks, with or without their microseconds; "-" and "inf" where there are
 * none. */
void page_cell_ticks(const struct page *page, int64_t ticks);
void page_cell_both(const struct page *page, int64_t ticks);

/* The class of a bound's colour. */
const char *page_shade(const struct page *page, int64_t bound);

/* The legend of the colours. */
void page_legend(const struct page *page);

/* Time from left to right: marks, their labels below, and lines up to the top; of a time, in ticks
 * since the beginning of all, or all of it. */
void page_axis(const struct page *page, struct svg_box box, int128 begin, int128 end);
void page_time_axis(const struct page *page, int left, int right, int top, int bottom);

/* Errors from the bottom, where they are 0, to the top, in a drawing from PAGE_LEFT to the right:
 * lines at round ones, ticks and times beside them, and at the base `key` what they are. */
void page_error_axis(const struct page *page, const struct scale *scale, int top, int bottom,
                     int key);

#endif
