/* SVG drawings in a page, whose style sheet defines the classes. Units are tenths of a pixel. */
#ifndef OUTPUT_ENCODE_SVG_H
#define OUTPUT_ENCODE_SVG_H

#include "output/file/outfile.h"

struct svg_box {
    int x, y, width, height;
};

/* Begin a drawing. Screen readers read its title and its description. */
void svg_begin(struct outfile *out, const char *id, int width, int height, const char *title,
               const char *description);

#define SVG_FILE_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

/* Begin a file that shows the area `box`. svg_description_end ends its description. */
void svg_begin_file(struct outfile *out, const char *id, struct svg_box box, const char *title,
                    const char *description);
void svg_description_end(struct outfile *out);
void svg_end(struct outfile *out);

/* svg_rect writes a rectangle. After svg_rect_begin, the caller may add a title to a rectangle. */
void svg_rect(struct outfile *out, const char *class, struct svg_box box);
void svg_rect_begin(struct outfile *out, const char *class, struct svg_box box);
void svg_rect_end(struct outfile *out);

void svg_line(struct outfile *out, const char *class, int x1, int y1, int x2, int y2);

/* svg_text writes text with its anchor at (x, y). After svg_text_begin, the caller writes it. */
void svg_text(struct outfile *out, const char *class, int x, int y, const char *text);
void svg_text_begin(struct outfile *out, const char *class, int x, int y);
void svg_text_end(struct outfile *out);

#endif
