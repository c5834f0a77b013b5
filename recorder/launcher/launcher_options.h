/* The command line of celltrace(1). Its table also provides the completions of shells. */
#ifndef CELLTRACE_LAUNCHER_LAUNCHER_OPTIONS_H
#define CELLTRACE_LAUNCHER_LAUNCHER_OPTIONS_H

#include "tool/command.h"

/* Values of options, to be copied into CELLTRACE. NULL means the default. */
struct launcher_options {
    const char *run, *events, *order, *buffer, *page, *full, *skew;
    char **program; /* the program to run, its arguments, and NULL */
};

extern const struct option_table launcher_table;

/* Read the command line. Prints errors. */
enum command_action launcher_read(int argc, char **argv, struct launcher_options *out);

void launcher_print_help(void);

#endif
