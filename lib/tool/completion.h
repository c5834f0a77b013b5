/* Makes completions of a program's options for shells from its table. */
#ifndef TOOL_COMPLETION_H
#define TOOL_COMPLETION_H

#include "tool/command.h"

/* The main function of a program that writes completions, `PROGRAM TEMPLATE FILE`. It replaces some
 * lines of the template, if they contain nothing else but blanks: @VALUES@ by cases of the values
 * (bash), @OPTIONS@ by the options (bash), @ARGUMENTS@ by the arguments of _arguments (zsh),
 * @COMPLETE@ by commands (fish), and @VERBS@ by the first operands (bash, zsh). A template for bash
 * must have the functions _PROGRAM_words PREFIX WORD... and _PROGRAM_files PREFIX [REGEX]. Returns
 * the exit status. */
int completion_main(int argc, char **argv, const struct option_table *table);

#endif
