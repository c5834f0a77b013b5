/* Completions of a program's options for shells, by its table. */
#ifndef TOOL_COMPLETION_H
#define TOOL_COMPLETION_H

#include "tool/command.h"

/* The main function of what writes completions, `PROGRAM TEMPLATE FILE`: lines of the template,
 * that, but for blanks before them, hold nothing but @VALUES@ (cases of the values, for bash),
 * @OPTIONS@ (the options, for bash) or @ARGUMENTS@ (what _arguments of zsh takes) become that.  For
 * bash the template has functions _PROGRAM_words PREFIX WORD... and _PROGRAM_files PREFIX [REGEX].
 * Exit status. */
int completion_main(int argc, char **argv, const struct option_table *table);

#endif
