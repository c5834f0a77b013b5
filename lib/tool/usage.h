/* What the programs say of a wrong command line, alike: what is wrong, what was probably meant, and
 * where there is help.  On standard error. */
#ifndef TOOL_USAGE_H
#define TOOL_USAGE_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

enum { OPTIONS_MAX = 64 }; /* of a program */

/* What stands on the command line, escaped, for a complaint, of which there is one a run: a static
 * text. */
const char *usage_visible(const char *text);

/* What makes a complaint fit the terminal that standard error may be, in place, as show_name does;
 * NULL, the default: it stays as it is.  Returns its text. */
extern char *(*usage_show)(char *text, FILE *stream);

/* "program: ...", and a line that names --help.  Returns false. */
bool usage_complain(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The index of text among words (NULL after the last), or -1 after a complaint.  what: "--option",
 * or what else it is. */
int usage_choose(const char *program, const char *what, const char *text, const char *const *words);

/* Complain of what getopt_long, silent and with an optstring that begins with ':', has answered
 * with '?' (no such option, or one with a value too many) or with ':' (one without its value),
 * written so. */
void usage_refuse(const char *program, const struct option *options, int answer,
                  const char *written);

#endif
