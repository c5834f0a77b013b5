/* Prints mistakes of a command line, corrections of misspelled words, and where to find help. */
#ifndef TOOL_USAGE_H
#define TOOL_USAGE_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

enum { OPTIONS_MAX = 96 }; /* largest number of options of a program */

/* Escape a word for a message. Returns a static text, which the next call overwrites. */
const char *usage_visible(const char *text);

/* If not NULL, this function adapts each message to the terminal, in place, as show_name does. */
extern char *(*usage_show)(char *text, FILE *stream);

/* Print "PROGRAM: ..." and a line that mentions --help. Returns false. */
bool usage_complain(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the index of `text` among `words`, or -1 after printing an error. The list `words` ends
 * in NULL. `what` is the name of the option ("--option") or of the operand. */
int usage_choose(const char *program, const char *what, const char *text, const char *const *words);

/* Print an error for a result of getopt_long. `answer` is '?' for an unknown option or an
 * unexpected value, and ':' for a missing value. getopt_long must be silent, and its optstring must
 * begin with ':'. `written` is the option as the user wrote it. */
void usage_refuse(const char *program, const struct option *options, int answer,
                  const char *written);

#endif
