/* Messages about a wrong command line, the same for all programs: the mistake, what was probably
 * meant, and where to find help. On standard error. */
#ifndef TOOL_USAGE_H
#define TOOL_USAGE_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

enum { OPTIONS_MAX = 96 }; /* most options of a program */

/* Escape a word of the command line for a complaint. Returns a static text, so use it once for each
 * complaint. */
const char *usage_visible(const char *text);

/* Adapts a complaint to the terminal, in place, as show_name does. NULL, the default: no change.
 * Returns text. */
extern char *(*usage_show)(char *text, FILE *stream);

/* Print "program: ..." and a line that mentions --help. Returns false. */
bool usage_complain(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The index of text among words (NULL-terminated), or -1 after a complaint. what: "--option", or
 * the name of an operand. */
int usage_choose(const char *program, const char *what, const char *text, const char *const *words);

/* Complain about an answer of getopt_long: '?' for an unknown option, or one with a value too many;
 * ':' for an option without its value. getopt_long must be silent and its optstring begin with ':'.
 * written: the option as given. */
void usage_refuse(const char *program, const struct option *options, int answer,
                  const char *written);

#endif
