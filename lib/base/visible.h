/*
 * Text with \xNN escapes (csy_escape) as a terminal that has UTF-8 may be given it: valid UTF-8 as
 * it is, but for what a reader would not see or could be deceived by.
 */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stddef.h>

/* How many columns of a terminal the text takes once csy_unescape has been at it: by the code
 * points alone, 2 for those that are wide, 0 for marks that combine, whatever the locale. */
size_t visible_columns(const char *escaped);

#endif
