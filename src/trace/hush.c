/* libxml2 where it has no memory. */
#include "trace/hush.h"

#include <libxml/globals.h>

/* Later versions of libxml2 have const here. */
static void take_note(void *context, xmlErrorPtr error)
{
    struct hush *hush = context;
    hush->no_memory = hush->no_memory || error->code == XML_ERR_NO_MEMORY;
}

void hush_begin(struct hush *hush)
{
    *hush = (struct hush){
        .no_memory = false, .handler = xmlStructuredError, .context = xmlStructuredErrorContext};
    xmlSetStructuredErrorFunc(hush, take_note);
}

bool hush_end(const struct hush *hush)
{
    xmlSetStructuredErrorFunc(hush->context, hush->handler);
    return !hush->no_memory;
}
