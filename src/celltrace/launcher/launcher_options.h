/* The command line of celltrace(1), which the completions follow from, too. */
#ifndef CELLTRACE_LAUNCHER_LAUNCHER_OPTIONS_H
#define CELLTRACE_LAUNCHER_LAUNCHER_OPTIONS_H

#include "tool/command.h"

/* Values as they go into CELLTRACE; NULL: what is usual. */
struct launcher_options {
    const char *run, *events, *order, *buffer, *page, *full, *skew;
    char **program; /* and its arguments, NULL at last */
};

extern const struct option_table launcher_table;

/* Read it; a complaint has been written where it is wrong. */
enum command_action launcher_read(int argc, char **argv, struct launcher_options *out);

void launcher_print_help(void);

#endif
