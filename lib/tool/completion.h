/* Makes the completions of a program's options for shells, from the table of options. */
#ifndef TOOL_COMPLETION_H
#define TOOL_COMPLETION_H

#include "tool/command.h"

/* The main function of a program that writes completions. It is called as `PROGRAM TEMPLATE FILE`,
 * and copies TEMPLATE to FILE. Lines that contain only one of these words and blanks are replaced:
 * @VALUES@ by cases for the values of options (bash), @OPTIONS@ by the options (bash), @ARGUMENTS@
 * by the arguments of _arguments (zsh), @COMPLETE@ by commands (fish), and @VERBS@ by the possible
 * first operands (bash, zsh). A template for bash must define the functions _PROGRAM_words PREFIX
 * WORD... and _PROGRAM_files PREFIX [REGEX]. Returns the exit status. */
int completion_main(int argc, char **argv, const struct option_table *table);

#endif
