/* Shows names from traces with all their characters, if the terminal can display them. */
#ifndef TOOL_SHOW_H
#define TOOL_SHOW_H

#include <stdbool.h>
#include <stdio.h>

/* Returns true if the locale of the environment uses UTF-8. If the system does not have this
 * locale, its name decides. */
bool show_is_utf8(void);

/* Undo the escapes in `text`, in place, as csy_unescape does, if `stream` is a terminal and the
 * locale uses UTF-8. Returns text. */
char *show_name(char *text, FILE *stream);

#endif
