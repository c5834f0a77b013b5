/* What the document of a recorded process says of it. */
#include "trace/pex/said_process.h"

#include <stdlib.h>
#include <string.h>

static char *copy_text(const struct element *element, const char *attribute)
{
    const char *text = element->text ? element_text(element, attribute) : NULL;
    return strdup(text ? text : "");
}

bool said_process_read(struct said_process *out, const struct element *clock,
                       const struct element *process, const struct element *recording)
{
    if (recording->text) {
        out->complete = element_says(recording, "complete", "yes")    ? COMPLETE_YES
                        : element_says(recording, "complete", "exec") ? COMPLETE_EXEC
                                                                      : COMPLETE_NO;
        element_number(recording, "lost", &out->lost);
    }
    if (process->text)
        element_number(process, "pid", &out->pid);
    out->host = copy_text(process, "host");
    out->clock_id = copy_text(clock, "id");
    return out->host && out->clock_id;
}

void said_process_fini(struct said_process *process)
{
    free(process->host);
    free(process->clock_id);
}
