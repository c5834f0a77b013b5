/* What the document of a recorded process says of it: pex(5), Runs. */
#ifndef TRACE_PEX_SAID_PROCESS_H
#define TRACE_PEX_SAID_PROCESS_H

#include "trace/pex/element.h"

enum said_complete {
    COMPLETE_UNSAID, /* it is no process of a run */
    COMPLETE_NO,
    COMPLETE_EXEC, /* the process went on as another program */
    COMPLETE_YES
};

struct said_process {
    enum said_complete complete;
    char *host, *clock_id; /* "" where they are not said */
    uint64_t pid, lost;
};

/* Any of the elements may be missing.  False without memory. */
bool said_process_read(struct said_process *out, const struct element *clock,
                       const struct element *process, const struct element *recording);
void said_process_fini(struct said_process *process);

#endif
