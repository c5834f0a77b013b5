/*
 * Drawings inside a page.  The unit of every coordinate is a tenth of a pixel; the style of the
 * page gives the classes their looks.
 */
#ifndef OUTPUT_ENCODE_SVG_H
#define OUTPUT_ENCODE_SVG_H

#include "output/file/outfile.h"

struct svg_box {
    int x, y, width, height;
};

/* A drawing with its name and its description, for who cannot see it. */
void svg_begin(struct outfile *out, const char *id, int width, int height, const char *title,
               const char *description);

/* How such a file begins. */
#define SVG_FILE_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

/* The same as a file of its own, of what is within box; the caller may describe it further before
 * svg_description_end. */
void svg_begin_file(struct outfile *out, const char *id, struct svg_box box, const char *title,
                    const char *description);
void svg_description_end(struct outfile *out);
void svg_end(struct outfile *out);

/* A rectangle; or one with a title, which the caller writes in between. */
void svg_rect(struct outfile *out, const char *class, struct svg_box box);
void svg_rect_begin(struct outfile *out, const char *class, struct svg_box box);
void svg_rect_end(struct outfile *out);

void svg_line(struct outfile *out, const char *class, int x1, int y1, int x2, int y2);

/* A line of text with its anchor at (x, y); or one that the caller writes in between. */
void svg_text(struct outfile *out, const char *class, int x, int y, const char *text);
void svg_text_begin(struct outfile *out, const char *class, int x, int y);
void svg_text_end(struct outfile *out);

#endif
