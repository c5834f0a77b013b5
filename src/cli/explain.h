/* --explain: the chains of records that set the ends of a bound, as text. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "cli/progress.h"

/* Print to standard output why the bound of "A,B" is not closer; a line of progress is wiped
 * before.  CSY_USAGE where these are not two threads. */
csy_status cli_explain(csy_trace *trace, csy_sync *sync, const char *pair,
                       struct cli_progress *progress, csy_error *error);

#endif
