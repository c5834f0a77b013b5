/* Makes shell completions from a table of options. */
#ifndef TOOL_COMPLETION_H
#define TOOL_COMPLETION_H

#include "tool/command.h"

/* Main function of a program that writes shell completions. `PROGRAM TEMPLATE FILE` copies TEMPLATE
 * to FILE. A line with only one of these words is replaced: @VALUES@ by cases for values of options
 * (bash), @OPTIONS@ by the options (bash), @ARGUMENTS@ by arguments of _arguments (zsh), @COMPLETE@
 * by commands (fish), and @VERBS@ by the possible first operands (bash, zsh). A template for bash
 * must define the functions _PROGRAM_words PREFIX WORD... and _PROGRAM_files PREFIX [REGEX].
 * Returns the exit status. */
int completion_main(int argc, char **argv, const struct option_table *table);

#endif
