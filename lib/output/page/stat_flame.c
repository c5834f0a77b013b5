/* Draws a flame graph, which shows the calls that take the time. Each frame is a path of calls,
 * below the frame of its caller, and as wide as its time. Paths that are too narrow to be seen
 * share a frame. If there are still too many frames, the lower ones are left out. */
#include "output/page/stat.h"

#include "base/array.h"
#include "base/sort.h"
#include "base/texts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PATH, CALLS, DIRECT, TOTAL };
enum {
    FRAMES_MAX = 2000,
    DEPTH_MAX = 64,
    LINE = 200,
    NARROW = 12,
    CHARACTER = 80, /* average width of a character */
    TITLE_CHARACTERS = 80,
    NO_FRAME = -1
};

/* A path of calls. Several rows may have the same path, as names may contain semicolons. */
struct path {
    uint32_t parent; /* index in flame.paths of the path of the caller, or NO_TEXT if there is no
                      * caller */
    size_t row;
    int64_t calls, direct, total;
    bool ranged; /* true if the row's range of times is valid, because no other row has this path */
};

/* A path and its caller's path. Children are sorted by caller, then by time, the longest first. */
struct child {
    uint32_t parent, path;
    int64_t total;
};

struct frame {
    uint32_t path;
    int x, width, depth;
    size_t others; /* number of paths that share the frame, or 0 for a single path */
    int64_t total;
};

struct flame {
    const struct page *page;
    const csy_sheet *sheet;
    struct texts names;
    struct path *paths;
    struct child *children;
    size_t n;
    struct frame *frames;
    size_t nframes;
    size_t hidden;
    int depth; /* number of rows of frames in the drawing */
    int64_t whole;
};

/* --- The tree ------------------------------------------------------------------------------- */

static int compare_children(const void *a, const void *b)
{
    const struct child *x = a, *y = b;
    return 4 * COMPARE(x->parent + 1, y->parent + 1) + 2 * COMPARE(y->total, x->total) +
           COMPARE(x->path, y->path);
}

/* --- Positions of frames --------------------------------------------------------------------- */

/* Place the children of the path `parent` below the frame `room`. The width of this frame stands
 * for `whole` ticks. The children that are too narrow come last, and share one frame. */
static void place_children(struct flame *flame, uint32_t parent, const struct frame *room,
                           int64_t whole)
{
    size_t first = 0, end = flame->n;
    int128 sum = 0, before = 0;
    BISECT(first, end, middle, flame->children[middle].parent + 1 < parent + 1);
    for (; end < flame->n && flame->children[end].parent == parent; end++)
        sum += flame->children[end].total;
    int128 all = sum > whole ? sum : whole;
    for (size_t i = first; i < end; i++) {
        const struct child *child = &flame->children[i];
        struct frame frame = {.path = child->path, .depth = room->depth + 1, .total = child->total};
        bool narrow = all == 0 || room->width * (int128)child->total < NARROW * all;
        int128 after = narrow ? sum : before + child->total;
        frame.others = narrow && end - i > 1 ? end - i : 0;
        frame.total = after - before > INT64_MAX ? INT64_MAX : (int64_t)(after - before);
        frame.x = room->x + (int)(all > 0 ? room->width * before / all : 0);
        frame.width = room->x + (int)(all > 0 ? room->width * after / all : 0) - frame.x;
        if (frame.width < NARROW || flame->nframes == FRAMES_MAX || frame.depth == DEPTH_MAX) {
            flame->hidden += narrow ? end - i : 1;
        } else {
            flame->frames[flame->nframes++] = frame;
            flame->depth = frame.depth + 1 > flame->depth ? frame.depth + 1 : flame->depth;
        }
        if (narrow)
            return;
        before = after;
    }
}

/* --- Drawing -------------------------------------------------------------------------------- */

static const char *last_name(const struct flame *flame, uint32_t path)
{
    const char *text = cells_at(flame->sheet, flame->paths[path].row, PATH)->text;
    const char *last = strrchr(text, ';');
    return last ? last + 1 : text;
}

static void write_title(const struct flame *flame, const struct frame *frame)
{
    const struct path *path = &flame->paths[frame->path];
    struct outfile *out = flame->page->out;
    const csy_range range = {frame->total, frame->total, frame->total, CSY_RANGE_CLOCK};
    csy_value value = {.range = range};
    char text[CSY_TIME_TEXT_MAX], share[QUOTIENT_TEXT_MAX];
    if (frame->others > 0) {
        page_print(flame->page, "%zu paths, each too narrow to be drawn: ", frame->others);
    } else {
        html_text(out, last_name(flame, frame->path), TITLE_CHARACTERS);
        page_print(flame->page, ": %" PRId64 " call%s, ", path->calls,
                   text_plural((uint64_t)path->calls));
    }
    /* Write the ticks (with their range, if valid), the time, and the share of the time. */
    if (path->ranged && frame->others == 0)
        value = *cells_at(flame->sheet, path->row, TOTAL);
    stat_figure(flame->page, &flame->sheet->columns[TOTAL], &value);
    page_print(flame->page, " ticks (%s), %s %% of all",
               page_whole_time(flame->page, frame->total, text),
               decimal_text(decimal_round((int128)frame->total * 100, flame->whole, 1), 1, share));
    if (frame->others == 0)
        page_print(flame->page, "; %" PRId64 " ticks of its own", path->direct);
}

static void draw(const struct flame *flame)
{
    const struct page *page = flame->page;
    char text[CSY_TIME_TEXT_MAX];
    outfile_add(page->out, "<p class=\"key\"><span class=\"chip s0\"></span>its time is in what it "
                           "calls <span class=\"chip s7\"></span>its time is its own</p>\n"
                           "<div class=\"zooms\">\n");
    page_figure(page, "flame-graph", flame->depth * LINE, "Flame graph of routines",
                "Each frame is a routine, below its caller; its width is its time.");
    for (size_t i = 0; i < flame->nframes; i++) {
        /* A frame is darker if more of its time is spent in the routine itself. */
        const struct frame *frame = &flame->frames[i];
        struct outfile *out = flame->page->out;
        const struct path *path = &flame->paths[frame->path];
        int128 shade = path->total > 0 ? (int128)path->direct * SHADES / path->total : 0;
        char class[24];
        int room = (frame->width - CHARACTER) / CHARACTER, y = frame->depth * LINE;
        shade = shade < SHADES ? shade : SHADES - 1;
        snprintf(class, sizeof class, frame->others ? "frame others" : "frame s%d", (int)shade);
        outfile_add(out, "<g>");
        svg_rect_begin(out, class, (struct svg_box){frame->x, y, frame->width, LINE});
        write_title(flame, frame);
        svg_rect_end(out);
        if (room >= 3) {
            snprintf(class, sizeof class, "on-s%d", (int)shade);
            svg_text_begin(out, frame->others ? "" : class, frame->x + CHARACTER / 2, y + 140);
            if (frame->others)
                outfile_print(out, "%zu", frame->others);
            else
                html_text(out, last_name(flame, frame->path), (size_t)room);
            svg_text_end(out);
        }
        outfile_add(out, "</g>\n");
    }
    page_caption(page, NULL);
    page_print(page,
               "Each frame is a routine, called by the routine above it. Its width shows the time "
               "in the routine and in all that it calls; the whole width is %s. A darker frame "
               "spends more of this time in the routine itself. Grey frames combine routines that "
               "would be too narrow.",
               page_whole_time(page, flame->whole, text));
    if (flame->hidden > 0)
        page_print(page,
                   " %zu path%s of %zu, and the calls that %s made, %s not drawn: below %d lines, "
                   "more than %d frames, or too narrow.",
                   flame->hidden, text_plural(flame->hidden), flame->n,
                   flame->hidden == 1 ? "it" : "they", flame->hidden == 1 ? "is" : "are", DEPTH_MAX,
                   FRAMES_MAX);
    page_caption_end(page);
    outfile_add(page->out, "</div>\n");
}

bool stat_flame(const struct page *page, const csy_sheet *sheet)
{
    struct flame flame = {.page = page, .sheet = sheet};
    flame.paths = malloc((sheet->nrows + 1) * sizeof *flame.paths);
    flame.children = malloc((sheet->nrows + 1) * sizeof *flame.children);
    flame.frames = malloc(FRAMES_MAX * sizeof *flame.frames);
    bool good = flame.paths && flame.children && flame.frames;
    for (size_t row = 0; good && row < sheet->nrows; row++) {
        const csy_value *values = cells_at(sheet, row, 0);
        const char *text = values[PATH].text, *last = strrchr(text, ';');
        uint32_t id;
        bool added;
        good = texts_find(&flame.names, text, strlen(text), &id, &added);
        if (!good)
            break;
        struct path *path = &flame.paths[id];
        if (added) {
            *path = (struct path){.parent = NO_TEXT, .row = row};
            flame.n++;
            if (last && !texts_look(&flame.names, text, (size_t)(last - text), &path->parent))
                path->parent = NO_TEXT;
        }
        path->ranged = added;
        path->calls = stat_plus(path->calls, values[CALLS].range.estimate);
        int64_t direct = values[DIRECT].range.estimate, total = values[TOTAL].range.estimate;
        path->direct = stat_plus(path->direct, direct > 0 ? direct : 0);
        path->total = stat_plus(path->total, total > 0 ? total : 0);
    }
    for (uint32_t i = 0; good && i < flame.n; i++)
        flame.children[i] = (struct child){flame.paths[i].parent, i, flame.paths[i].total};
    if (good) {
        SORT(flame.children, flame.n, compare_children);
        place_children(&flame, NO_TEXT, &(struct frame){.width = PAGE_WIDTH, .depth = NO_FRAME}, 0);
    }
    for (size_t i = 0; good && i < flame.nframes; i++) {
        const struct frame frame = flame.frames[i];
        flame.whole = stat_plus(flame.whole, frame.depth == 0 ? frame.total : 0);
        if (frame.others == 0)
            place_children(&flame, frame.path, &frame, frame.total);
    }
    if (good && flame.nframes > 0 && flame.whole > 0)
        draw(&flame);
    texts_fini(&flame.names);
    FREE_ALL(flame.paths, flame.children, flame.frames);
    return good;
}
