/* The HTML report has one function for each section. See cellsync-output(5), HTML report.
 *
 * A page stays below PAGE_BYTES_MAX for every trace: longer parts are cut or aggregated, with a
 * note. */
#ifndef OUTPUT_PAGE_PAGE_H
#define OUTPUT_PAGE_PAGE_H

#include "advice/spans.h"
#include "output/encode/escape.h"
#include "output/encode/scale.h"
#include "output/encode/svg.h"
#include "output/encode/text.h"
#include "output/page/precision.h"
#include "output/trace/members.h"
#include "sync/partial/arrows.h"

enum { PAGE_BYTES_MAX = 2000000, PAGE_WIDTH = 9600, PAGE_LEFT = 1300 };

/* A close-up drawing of a few messages. */
enum { CLOSEUP_CLOCKS = 6, CLOSEUP_MESSAGES = 14 };
struct closeup {
    struct arrow messages[CLOSEUP_MESSAGES]; /* sorted by begin */
    size_t n;                                /* number of messages between clocks */
    uint32_t clocks[CLOSEUP_CLOCKS];         /* clocks, in ascending order */
    size_t nclocks;
    bool backward; /* by raw timestamps, a message is received before it is sent */
};

/* Choose the messages of the close-up in two passes over all messages, in constant memory. `raw` is
 * true if raw timestamps of different clocks are comparable. */
csy_status closeup_find(const struct arrows_source *source, bool raw, struct closeup *out,
                        csy_error *error);

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
    struct scale scale;     /* scale from bounds to colours */
    bool alone;             /* each drawing is a separate file, without heading and caption */
    uint64_t *tables_bytes; /* number of bytes of all tables so far */
    /* the analysis that a separate drawing shows; NULL for drawings of the solution */
    const struct csy_analysis *analysis;
};

/* Collect the data of the page in one pass over the trace. The caller sets `trace`, `sync`, `out`,
 * and `alone`, and all other members to zero. */
csy_status page_init(struct page *page, struct csy_trace *trace, csy_error *error);
void page_fini(struct page *page);

/* Write the verdict and the sections for drifting clocks, which replace most other sections. */
csy_status page_drift_verdict(const struct page *page, csy_error *error);
csy_status page_drift(const struct page *page, csy_error *error);
csy_status page_drift_course(const struct page *page, csy_error *error);

/* Style sheets for the colours, the drawings, and the rest of a page. */
extern const char page_colours[], page_drawing[], page_style[];

/* The SVG pattern that marks unbounded values. */
extern const char page_hatch[];

void page_verdict(const struct page *page);

/* Write a paragraph about the assumptions that cellsync chose, a paragraph for each warning, and a
 * list of the conditions of the bounds. */
void page_warnings(const struct page *page);

/* Tell the reader how to view the trace, unless the diagnosis names a next step. */
void page_next(const struct page *page);

/* Describe the messages that were received before they were sent, if the trace has messages. */
void page_violations(const struct page *page);
void page_read(const struct page *page);
void page_statistics(const struct page *page);
csy_status page_tracer(const struct page *page, csy_error *error);
void page_messages(const struct page *page);
csy_status page_timeline(const struct page *page, csy_error *error);
void page_members(const struct page *page);
csy_status page_precision(const struct page *page, csy_error *error);
void page_distribution(const struct page *page);
csy_status page_map(const struct page *page, csy_error *error);
csy_status page_peers(const struct page *page, csy_error *error);
void page_widest(const struct page *page);
csy_status page_chains(const struct page *page, csy_error *error);

void page_loosest(const struct page *page);
void page_witness(const struct page *page);
void page_threads(const struct page *page);

/* Returns what the page calls errors: "Event errors", or "Error bounds" if delta is 0. */
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

/* page_has returns true if the page has a section. page_heading writes the heading of a section.
 * page_contents writes links to all sections of the page. */
bool page_has(const struct page *page, enum page_section section);
void page_heading(const struct page *page, enum page_section section);
void page_contents(const struct page *page);

/* Begin a drawing, which svg_end ends, with a title and a description. A separate file also gets a
 * style sheet, and notes below the drawing. */
void page_drawing_begin(const struct page *page, const char *id, int width, int height,
                        const char *title, const char *description);

/* page_frame opens an element for drawings, which scrolls if the window is too narrow. page_figure
 * also begins a drawing of width PAGE_WIDTH in this element. */
void page_frame(const struct page *page);
void page_figure(const struct page *page, const char *id, int height, const char *title,
                 const char *description);

/* page_caption ends the drawing and its element, and begins the caption, whose id may be NULL. For
 * a separate file, the result is false: it has no caption. page_caption_end also ends the
 * figure. */
bool page_caption(const struct page *page, const char *id);
void page_caption_end(const struct page *page);

/* Write a style sheet, with names of colours replaced by the colours of light mode. */
void page_colour(struct outfile *out, const char *style);

/* Returns true if a thread is in one of the widest pairs. The timeline has an element life-N for
 * such a thread, to which links lead. */
bool page_is_wide(const struct page *page, size_t thread);

void page_name(const struct page *page, size_t thread);

/* page_table_begin writes the head of a table whose first column has names of threads or clocks.
 * page_row begins a row with such a name. The headings of further columns are separated by "|";
 * "name:" or "why:" before a heading is the class of its cell. */
void page_row(const struct page *page, size_t thread);
void page_table_begin(const struct page *page, const char *id, const char *columns);
void page_table_end(const struct page *page);

/* List how far each clock reads ahead of the clock of the reference
 * (output/encode/difference.h). */
void page_differences(const struct page *page);

/* Write a formatted text of up to 1023 bytes, and group the digits of numbers. "{5}" becomes the
 * name of thread 5, and "{=70}" the time of 70 ticks, as by page_ticks. The text must not contain
 * names from the trace. */
void page_print(const struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* page_text draws a formatted text with grouped digits, which must not contain names from the
 * trace. page_label draws a name from the trace, cut to a number of characters. */
void page_text(const struct page *page, const char *class, int x, int y, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void page_label(const struct page *page, const char *class, int x, int y, const char *name,
                size_t characters);

/* Write "2.45 µs (35 ticks)", rounded up, or "unbounded" for BOUND_NONE. The ticks are left out if
 * a second has 10^n ticks, because the digits of time and ticks are then equal. */
void page_ticks(const struct page *page, int64_t ticks);

/* Format ticks >= 0 as a time such as "3.69 ms", rounded up. Returns `text`. */
const char *page_fine_time(const struct page *page, csy_fine ticks, char text[CSY_TIME_TEXT_MAX]);

/* Format ticks as csy_time_text does, but with the micro sign. Returns `text`. */
const char *page_time(const struct page *page, csy_fraction ticks, char text[CSY_TIME_TEXT_MAX]);
const char *page_whole_time(const struct page *page, int64_t ticks, char text[CSY_TIME_TEXT_MAX]);

/* page_cell_ticks writes a table cell with ticks. page_cell_both also writes a cell with
 * microseconds. A missing value becomes "-", and an infinite value becomes "inf". */
void page_cell_ticks(const struct page *page, int64_t ticks);
void page_cell_both(const struct page *page, int64_t ticks);

/* Returns the CSS class for the colour of a bound. */
const char *page_shade(const struct page *page, int64_t bound);

void page_legend(const struct page *page);

/* Draw a horizontal time axis with marks, labels below, and lines up to the top. page_axis shows a
 * range in ticks since the beginning of the trace; page_time_axis shows the whole trace. */
void page_axis(const struct page *page, struct svg_box box, int128 begin, int128 end);
void page_time_axis(const struct page *page, int left, int right, int top, int bottom);

/* Draw a vertical axis of errors at PAGE_LEFT, with 0 at the bottom. Lines at round values show
 * ticks and times. The label is at y = `key`. */
void page_error_axis(const struct page *page, const struct scale *scale, int top, int bottom,
                     int key);

#endif
