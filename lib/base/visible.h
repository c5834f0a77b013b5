/* Shows text with \xNN escapes (csy_escape) on terminals with UTF-8: as UTF-8, except characters
 * that are invisible or could deceive the reader. */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stddef.h>

/* Returns the number of columns that the text takes on a terminal after csy_unescape. It depends
 * only on code points, not on the locale: 2 for wide ones, 0 for combining marks. */
size_t visible_columns(const char *escaped);

#endif
