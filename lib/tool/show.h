/* Shows foreign names with all their characters, if the terminal can display them. */
#ifndef TOOL_SHOW_H
#define TOOL_SHOW_H

#include <stdbool.h>
#include <stdio.h>

/* True if the locale of the environment uses UTF-8; by the name of the locale if the system does
 * not have it. */
bool show_is_utf8(void);

/* Undo the escapes of text, in place, as csy_unescape does, if stream is a terminal with such a
 * locale. Returns text. */
char *show_name(char *text, FILE *stream);

#endif
