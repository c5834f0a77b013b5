/* The command line of celltrace(1). The completions of shells are made from its table, too. */
#ifndef CELLTRACE_LAUNCHER_LAUNCHER_OPTIONS_H
#define CELLTRACE_LAUNCHER_LAUNCHER_OPTIONS_H

#include "tool/command.h"

/* The options. Their values are written into CELLTRACE; NULL: the default. */
struct launcher_options {
    const char *run, *events, *order, *buffer, *page, *full, *skew;
    char **program; /* the program to run, its arguments, and NULL */
};

extern const struct option_table launcher_table;

/* Read the command line; errors are printed. */
enum command_action launcher_read(int argc, char **argv, struct launcher_options *out);

void launcher_print_help(void);

#endif
