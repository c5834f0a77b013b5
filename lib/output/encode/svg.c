/* Writes SVG drawings. */
#include "output/encode/svg.h"

#include "output/encode/escape.h"

static void begin_element(struct outfile *out, const char *id, struct svg_box box,
                          const char *title, const char *description, const char *more)
{
    outfile_print(out,
                  "<svg id=\"%s\"%s viewBox=\"%d %d %d %d\" role=\"img\" "
                  "aria-labelledby=\"%s-title %s-desc\">\n<title id=\"%s-title\">",
                  id, more, box.x, box.y, box.width, box.height, id, id, id);
    html_text(out, title, SIZE_MAX);
    outfile_print(out, "</title>\n<desc id=\"%s-desc\">", id);
    html_text(out, description, SIZE_MAX);
}

void svg_begin(struct outfile *out, const char *id, int width, int height, const char *title,
               const char *description)
{
    begin_element(out, id, (struct svg_box){0, 0, width, height}, title, description, "");
    svg_description_end(out);
}

void svg_begin_file(struct outfile *out, const char *id, struct svg_box box, const char *title,
                    const char *description)
{
    char more[128];
    snprintf(more, sizeof more, " xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\"",
             box.width / 10, box.height / 10);
    outfile_print(out, SVG_FILE_HEAD);
    begin_element(out, id, box, title, description, more);
}

void svg_description_end(struct outfile *out)
{
    outfile_print(out, "</desc>\n");
}

void svg_end(struct outfile *out)
{
    outfile_print(out, "</svg>\n");
}

void svg_rect_begin(struct outfile *out, const char *class, struct svg_box box)
{
    outfile_print(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><title>",
                  class, box.x, box.y, box.width, box.height);
}

void svg_rect(struct outfile *out, const char *class, struct svg_box box)
{
    outfile_print(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", class,
                  box.x, box.y, box.width, box.height);
}

void svg_rect_end(struct outfile *out)
{
    outfile_print(out, "</title></rect>\n");
}

void svg_line(struct outfile *out, const char *class, int x1, int y1, int x2, int y2)
{
    outfile_print(out, "<path class=\"%s\" d=\"M%d %dL%d %d\"/>\n", class, x1, y1, x2, y2);
}

void svg_text(struct outfile *out, const char *class, int x, int y, const char *text)
{
    svg_text_begin(out, class, x, y);
    html_text(out, text, SIZE_MAX);
    svg_text_end(out);
}

void svg_text_begin(struct outfile *out, const char *class, int x, int y)
{
    outfile_print(out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
}

void svg_text_end(struct outfile *out)
{
    outfile_print(out, "</text>\n");
}
