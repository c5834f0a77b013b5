/* Escaping text for output formats. No other file escapes text for these formats. */
#ifndef OUTPUT_ENCODE_ESCAPE_H
#define OUTPUT_ENCODE_ESCAPE_H

#include "output/encode/caveats.h"
#include "output/file/outfile.h"

/* --- Bytes that may not be UTF-8 -------------------------------------------------------------- */

/* Returns the length of the UTF-8 sequence at p, or 0 if it is invalid or longer than `size`. */
size_t utf8_length(const unsigned char *p, size_t size);

/* Returns the code point of the valid sequence at p, which has 1 to 4 bytes. */
uint32_t utf8_point(const unsigned char *p, size_t length);

/* Returns true if a terminal might interpret the sequence at p as a command. Such sequences are the
 * control characters C0, DEL, and C1, and any byte that is not UTF-8 (length 0). */
bool utf8_is_control(const unsigned char *p, size_t length);

/* --- HTML ------------------------------------------------------------------------------------- */

enum { HTML_NAME_MAX = 24, HTML_PATH_MAX = 240 };

/* Write text as the content of an element or of a quoted attribute, with markup escaped. Control
 * characters, directional and invisible characters, bytes that are not UTF-8, and backslashes
 * appear as \xNN or \u{NNNN}. A text of more than `most` characters is cut and gets an ellipsis. */
void html_text(struct outfile *out, const char *text, size_t most);

/* Write html_text between two pieces of markup. */
void html_between(struct outfile *out, const char *before, const char *text, size_t most,
                  const char *after);

/* Returns the entity of a markup character, in HTML and XML, or NULL for other characters. */
const char *html_entity(uint32_t point);

/* --- JSON (RFC 8259) -------------------------------------------------------------------------- */

/* Write a string in quotes. Each byte that is not UTF-8 becomes U+FFFD. */
void json_string(struct outfile *out, const char *text);

/* Write `before`, such as a key and a colon, and a string in quotes; null if `string` is NULL. */
void json_member(struct outfile *out, const char *before, const char *string);

/* Write a part of a string without quotes. The part must consist of whole characters. */
void json_characters(struct outfile *out, const char *bytes, size_t size);

/* Returns true if json_characters would write the bytes unchanged. */
bool json_is_plain(const char *bytes, size_t size);

/* Write caveats as an array of strings: the warnings, or the conditions under which bounds hold, or
 * both. */
enum json_caveats { JSON_WARNINGS, JSON_CONDITIONS, JSON_ALL };
void json_caveats(struct outfile *out, struct caveats p, enum json_caveats which);

/* --- CSV (RFC 4180) --------------------------------------------------------------------------- */

/* Write a field of a report, quoted as RFC 4180 requires. A text that a spreadsheet would read as a
 * formula gets an apostrophe before it. Control characters and invalid UTF-8 become \xNN. */
void csv_field_write(struct outfile *out, const char *text);

/* Write a heading as a field: a name from the trace and a constant `end` of letters, digits, _. */
void csv_field_write_heading(struct outfile *out, const char *name, const char *end);

/* Returns true if the text certainly needs no escapes and no quotes. False proves nothing. */
bool csv_field_is_plain(const char *text, size_t size);

/* Write a field of a trace. Line ends and tabs are data and stay unchanged. */
typedef void (*csv_field_sink)(void *user, const char *bytes, size_t size);
void csv_field_put(csv_field_sink sink, void *user, const char *text, size_t size);

/* Write a name for flame graphs. Control characters and bytes that are not UTF-8 become \xNN. */
void folded_text(struct outfile *out, const char *text);

/* --- TeX -------------------------------------------------------------------------------------- */

/* Write printable ASCII: tex_name in the typewriter font, tex_text in the current font. */
void tex_name(struct outfile *out, const char *text);
void tex_text(struct outfile *out, const char *text);

/* Write a trace's name without folder and suffix to text[ERROR_ESCAPED_MAX], and return text. */
const char *tex_stem(const char *path, char *text);

/* --- GitHub's Markdown ------------------------------------------------------------------------ */

/* Write text from error_escape, csy_escape, or a caveat so that it looks the same in Markdown.
 * UTF-8 names are shown as by csy_unescape. Special characters get a backslash. Texts are cut at 2
 * CSY_WARNING_TEXT_MAX bytes. Not for the begin of a line, where "1." would begin a list. */
void markdown_text(struct outfile *out, const char *escaped);

/* --- DOT, the language of Graphviz ------------------------------------------------------------ */

/* Write a name in quotes. Long names are cut to the length that names have in messages. */
void dot_text(struct outfile *out, const char *text);

/* Write a text from error_escape or a caveat in quotes. UTF-8 names are shown as by csy_unescape.
 * Texts are cut as by markdown_text. */
void dot_escaped(struct outfile *out, const char *escaped);

#endif
