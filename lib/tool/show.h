/* Shows names from traces with all their characters, if the terminal can display them. */
#ifndef TOOL_SHOW_H
#define TOOL_SHOW_H

#include <stdbool.h>
#include <stdio.h>

/* Returns true if the environment's locale, or the name of a missing locale, is UTF-8. */
bool show_is_utf8(void);

/* Undo the escapes in `text`, in place, if `stream` is a terminal with UTF-8. Returns text. */
char *show_name(char *text, FILE *stream);

#endif
