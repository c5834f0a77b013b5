/* Shows names from traces with all their characters, if the terminal can display them. */
#ifndef TOOL_SHOW_H
#define TOOL_SHOW_H

#include <stdbool.h>
#include <stdio.h>

/* Returns true if the environment's locale uses UTF-8, or names UTF-8 but is not installed. */
bool show_is_utf8(void);

/* If `stream` is a terminal with UTF-8, undo the escapes in `text` in place. Returns text. */
char *show_name(char *text, FILE *stream);

#endif
