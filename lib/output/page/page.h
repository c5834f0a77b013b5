/* The HTML report, with a function for each section. See cellsync-output(5), HTML report.
 *
 * A page stays below PAGE_BYTES_MAX for every trace: longer parts are cut or summarized, with a
 * note. */
#ifndef OUTPUT_PAGE_PAGE_H
#define OUTPUT_PAGE_PAGE_H

#include "advice/spans.h"
#include "output/encode/escape.h"
#include "output/encode/scale.h"
#include "output/encode/text.h"
#include "output/page/precision.h"
#include "sync/partial/arrows.h"

enum { PAGE_BYTES_MAX = 2000000, PAGE_WIDTH = 9600, PAGE_LEFT = 1300 };
enum { PAGE_RIGHT = PAGE_WIDTH - 10 }; /* right edge of drawings; labels are left of PAGE_LEFT */

/* SVG drawings. Units are tenths of a pixel. The style sheet of the page defines the classes. */
struct svg_box {
    int x, y, width, height;
};

#define SVG_FILE_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

void svg_end(struct outfile *out);

/* svg_rect writes a rectangle. After svg_rect_begin, add a title if desired, then svg_rect_end. */
void svg_rect(struct outfile *out, const char *class, struct svg_box box);
void svg_rect_begin(struct outfile *out, const char *class, struct svg_box box);
void svg_rect_end(struct outfile *out);

void svg_line(struct outfile *out, const char *class, int x1, int y1, int x2, int y2);

/* svg_text writes text at (x, y). After svg_text_begin, the caller writes the text. */
void svg_text(struct outfile *out, const char *class, int x, int y, const char *text);
void svg_text_begin(struct outfile *out, const char *class, int x, int y);
void svg_text_end(struct outfile *out);

/* A close-up drawing of a few messages. */
enum { CLOSEUP_CLOCKS = 6, CLOSEUP_MESSAGES = 14 };
struct closeup {
    struct arrow messages[CLOSEUP_MESSAGES]; /* messages, sorted by the begin of each */
    size_t n;
    uint32_t clocks[CLOSEUP_CLOCKS]; /* clocks of the messages, in ascending order */
    size_t nclocks;
    bool backward; /* true if, by raw timestamps, a message is received before it is sent */
};

/* Choose the messages of the close-up. This takes two passes over all messages, and constant
 * memory. `raw` is true if raw timestamps of different clocks can be compared. */
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
    struct scale scale; /* conversion of errors to colours and positions */
    /* true if each drawing is a separate file, without heading and caption */
    bool alone;
    uint64_t *tables_bytes; /* number of bytes of the tables written so far */
    /* the analysis that a separate drawing shows, or NULL if it shows a solution */
    const struct csy_analysis *analysis;
};

/* Collect the data of the page in one pass over the trace. The caller sets `trace`, `sync`, `out`,
 * and `alone`; all other members must be 0. */
csy_status page_init(struct page *page, struct csy_trace *trace, csy_error *error);
void page_fini(struct page *page);

/* Write the report as a page without other files. The caller has computed the results that
 * report/report.h lists. */
csy_status page_report(struct csy_sync *sync, struct outfile *out, csy_error *error);

/* Style sheets, made of the files in style/: colours, drawings, and everything else. Bounds have
 * the colours of cividis, which people who do not see red or green can distinguish. In light and
 * in dark mode, small bounds are light, and large bounds are dark. */
extern const char page_colours[], page_drawing[], page_style[];

/* The SVG pattern for values that are not bounded. */
extern const char page_hatch[];

csy_status page_tracer(const struct page *page, csy_error *error);
void page_messages(const struct page *page);
csy_status page_timeline(const struct page *page, csy_error *error);
void page_members(const struct page *page);
csy_status page_precision(const struct page *page, csy_error *error);
void page_distribution(const struct page *page);
csy_status page_map(const struct page *page, csy_error *error);
csy_status page_peers(const struct page *page, csy_error *error);

/* Returns the page's name for errors: "Event errors", or "Error bounds" if timestamps are exact. */
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

/* page_has returns true if a section exists. page_contents writes links to all sections. */
bool page_has(const struct page *page, enum page_section section);
void page_heading(const struct page *page, enum page_section section);
void page_contents(const struct page *page);

/* Begin a drawing with a title and a description for screen readers. Call svg_end at its end. A
 * drawing in a separate file begins with SVG_FILE_HEAD, and its conditions are written below it. */
void page_drawing_begin(const struct page *page, const char *id, int width, int height,
                        const char *title, const char *description);

/* page_frame opens an element that scrolls in narrow windows. page_figure also begins a drawing. */
void page_frame(const struct page *page);
void page_figure(const struct page *page, const char *id, int height, const char *title,
                 const char *description);

/* page_caption ends a drawing of page_figure, and begins its caption with an id, or without one if
 * `id` is NULL. The caller writes the caption and calls page_caption_end. A drawing in a separate
 * file has no caption; page_caption then returns false. */
bool page_caption(const struct page *page, const char *id);
void page_caption_end(const struct page *page);

/* Write a style sheet, with names of colours replaced by the colours of light mode. */
void page_colour(struct outfile *out, const char *style);

/* Returns true for the threads of page->widest. Only these have an id, such as "life-5". */
bool page_is_wide(const struct page *page, size_t thread);

/* page_table_begin writes the head of a table. The first column has names of threads or clocks.
 * `columns` has the other headings, separated by "|". A heading may have its cells' CSS class in
 * front, as in "name:" or "why:". page_row begins a row with the name of a thread. */
void page_row(const struct page *page, size_t thread);
void page_table_begin(const struct page *page, const char *id, const char *columns);
void page_table_end(const struct page *page);

/* Write a formatted text, and separate groups of digits in numbers. "{5}" becomes the name of
 * thread 5, "{=70}" the time of 70 ticks. The text has at most 1023 bytes, and no names from the
 * trace. */
void page_print(const struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* page_text draws text without names from the trace. page_label cuts a name to `characters`. */
void page_text(const struct page *page, const char *class, int x, int y, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void page_label(const struct page *page, const char *class, int x, int y, const char *name,
                size_t characters);

/* Write a time such as "2.45 µs (35 ticks)", rounded up, or "unbounded" for BOUND_NONE. If a second
 * has 10^n ticks, the ticks are omitted, because they would have the same digits. */
void page_ticks(const struct page *page, int64_t ticks);

/* Format ticks, at least 0, as a time rounded up, such as "3.69 ms". Returns `text`. */
const char *page_fine_time(const struct page *page, csy_fine ticks, char text[CSY_TIME_TEXT_MAX]);

/* Format ticks as csy_time_text does, but with the micro sign. Returns `text`. */
const char *page_time(const struct page *page, csy_fraction ticks, char text[CSY_TIME_TEXT_MAX]);
const char *page_whole_time(const struct page *page, int64_t ticks, char text[CSY_TIME_TEXT_MAX]);

/* page_cell_ticks writes a table cell with ticks. page_cell_both adds a cell with microseconds.
 * Missing values become "-", and infinite values "inf". */
void page_cell_ticks(const struct page *page, int64_t ticks);
void page_cell_both(const struct page *page, int64_t ticks);

/* Returns the CSS class for the colour of an error bound. */
const char *page_shade(const struct page *page, int64_t bound);

void page_legend(const struct page *page);

/* Draw a horizontal time axis with labels, and vertical lines through the drawing. page_axis shows
 * a range in ticks since the beginning of the trace, page_time_axis the whole trace. */
void page_axis(const struct page *page, struct svg_box box, int128 begin, int128 end);
void page_time_axis(const struct page *page, int left, int right, int top, int bottom);

/* Draw a vertical axis of errors at PAGE_LEFT, from 0 at `bottom`. Lines at round values are
 * labelled with ticks and times. The title of the axis is at y = `key`. */
void page_error_axis(const struct page *page, const struct scale *scale, int top, int bottom,
                     int key);

#endif
