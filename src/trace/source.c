/* The table of input formats. */
#include "trace/source.h"

enum { SOURCES = 2 };

/* The last one takes what no other does. */
static const struct source *const sources[SOURCES] = {&source_pex, &source_csv};

static const struct source *added;

void source_add(const struct source *source)
{
    added = source;
}

const struct source *source_of_format(csy_format format)
{
    for (size_t i = 0; i < SOURCES; i++)
        if (sources[i]->format == format)
            return sources[i];
    return NULL;
}

const struct source *source_of_head(const struct head *head)
{
    if (added && added->probe(head))
        return added;
    size_t i = 0;
    while (i + 1 < SOURCES && !sources[i]->probe(head))
        i++;
    return sources[i];
}
