/* Text with \xNN escapes (csy_escape) for terminals with UTF-8: valid UTF-8 is shown, except
 * characters that are invisible or could deceive the reader. */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stddef.h>

/* The number of columns that the text takes on a terminal after csy_unescape. Depends only on code
 * points: 2 for wide ones, 0 for combining marks, in any locale. */
size_t visible_columns(const char *escaped);

#endif
