/* Notes about a drawing in a separate file, in its description and below it. */
#include "output/encode/caveats.h"
#include "output/encode/utf8.h"
#include "output/page/page.h"

#include <string.h>

/* NOTE_CHARACTERS fit in a line if letters are at most 64 wide, as most are. */
enum { NOTE_CHARACTERS = 150, NOTE_HEIGHT = 120, NOTES_TOP = 80 };

static const char *before_note(const struct caveats *p)
{
    return p->analysis ? "holds if: " : p->condition ? "bounds hold if " : "";
}

/* The number of bytes in the next line of text, up to and including a space if possible. */
static size_t line_size(const char *text)
{
    size_t size = 0, space = 0;
    for (size_t i = 0; i < NOTE_CHARACTERS && text[size]; i++) {
        size_t n = utf8_length((const unsigned char *)text + size, strlen(text + size));
        size += n ? n : 1;
        if (text[size - 1] == ' ')
            space = size;
    }
    return text[size] && space > 0 ? space : size;
}

enum { NOTE_TEXT_MAX = CSY_WARNING_TEXT_MAX + 16 };

/* Draw the lines of all notes from y on, or only count them. */
static int each_line(const struct page *page, bool drawn, int y)
{
    char note[NOTE_TEXT_MAX];
    int lines = 0;
    for (struct caveats p = caveats_of(page->sync, page->analysis); caveats_next(&p);) {
        snprintf(note, sizeof note, "%s%s", before_note(&p), p.text);
        for (char *at = note; *at; lines++) {
            size_t size = line_size(at);
            char after = at[size];
            at[size] = '\0';
            if (drawn)
                svg_text(page->out, "small", 0, y + lines * NOTE_HEIGHT, at);
            at[size] = after;
            at += size;
        }
    }
    return lines;
}

int page_notes_height(const struct page *page)
{
    int lines = each_line(page, false, 0);
    return lines > 0 ? NOTES_TOP + lines * NOTE_HEIGHT : 0;
}

void page_draw_notes(const struct page *page, int y)
{
    each_line(page, true, y + NOTES_TOP + NOTE_HEIGHT);
}

void page_describe_notes(const struct page *page)
{
    for (struct caveats p = caveats_of(page->sync, page->analysis); caveats_next(&p);) {
        outfile_print(page->out, "\n%s", before_note(&p));
        html_text(page->out, p.text, SIZE_MAX);
    }
}
