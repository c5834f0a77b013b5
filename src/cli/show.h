/* Names of others as people read them, where the terminal can show them. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include <stdio.h>

/* Give text, as csy_escape or a csy_error has it, its UTF-8 back in place of \xNN, if the stream is
 * a terminal and LC_ALL, LC_CTYPE or LANG, the first that is set, names UTF-8.  Control characters,
 * those of C1 and those that turn the direction of writing stay escaped.  Returns text. */
char *cli_show(char *text, FILE *stream);

#endif
