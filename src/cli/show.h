/* Names of others as people read them, where the terminal can show them. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include <stdbool.h>
#include <stdio.h>

/* Whether the locale of the environment has UTF-8; where the system does not know the locale, by
 * the name of it. */
bool cli_show_is_utf8(void);

/* Text, escaped, as csy_unescape has it if the stream is a terminal with such a locale.  Returns
 * text. */
char *cli_show(char *text, FILE *stream);

#endif
