/* Names of others as people read them, where the terminal can show them. */
#ifndef TOOL_SHOW_H
#define TOOL_SHOW_H

#include <stdbool.h>
#include <stdio.h>

/* Whether the locale of the environment has UTF-8; where the system does not know the locale, by
 * the name of it. */
bool show_is_utf8(void);

/* Text, escaped, as csy_unescape has it if the stream is a terminal with such a locale.  Returns
 * text. */
char *show_name(char *text, FILE *stream);

#endif
