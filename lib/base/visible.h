/* Shows text with \xNN escapes (csy_escape) on terminals with UTF-8: as UTF-8, except characters
 * that are invisible or could deceive the reader. */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stddef.h>

/* Returns how many columns of a terminal the text takes after csy_unescape: 2 for a wide character,
 * 0 for a combining mark. The locale does not matter. */
size_t visible_columns(const char *escaped);

#endif
