/* Shows text of csy_escape on terminals with UTF-8: \xNN become characters, unless these are
 * invisible or could deceive the reader. */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stddef.h>

/* Returns the number of columns that the text takes on a terminal after csy_unescape. A wide
 * character takes 2 columns, and a combining mark takes none. The locale does not matter. */
size_t visible_columns(const char *escaped);

#endif
