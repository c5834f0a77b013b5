/* What the processes of a run say of what their events mean. */
#include "trace/run/process_meanings.h"

#include "base/error.h"
#include "base/texts.h"

#include <string.h>

/* A routine's address is no value of its event. */
static bool take_field(struct csy_trace *trace, const struct process *p,
                       const struct said_meaning *item, const struct record_type *type)
{
    uint32_t routine = p->routines ? p->routines[type - p->metadata.types].field : 0;
    if (routine == item->field + 1)
        return true;
    return said_meanings_copy(&trace->metadata.meanings, item,
                              metadata_event_name(&p->metadata, type->id, false),
                              item->field - (routine > 0 && item->field >= routine));
}

csy_status process_meanings_take(struct csy_trace *trace, const struct process *processes,
                                 size_t count, csy_error *error)
{
    struct texts names = {0};
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        const struct process *p = &processes[i];
        const struct record_type *last = NULL;
        bool added = false;
        for (size_t k = 0; k < p->metadata.meanings.count && good; k++) {
            const struct said_meaning *item = &p->metadata.meanings.items[k];
            const struct record_type *type = metadata_type(&p->metadata, item->id);
            const char *name = type ? metadata_event_name(&p->metadata, type->id, false) : NULL;
            uint32_t index;
            if (item->field == SAID_STATE && i == 0)
                good = said_meanings_copy(&trace->metadata.meanings, item, NULL, item->field);
            if (item->field == SAID_STATE || item->field == SAID_PLACE ||
                item->field == SAID_TOPOLOGY || !name)
                continue;
            if (type != last)
                good = texts_find(&names, name, strlen(name), &index, &added);
            last = type;
            if (good && added)
                good = item->field == SAID_TYPE
                           ? said_meanings_copy(&trace->metadata.meanings, item, name, item->field)
                           : take_field(trace, p, item, type);
        }
    }
    texts_fini(&names);
    return good ? CSY_OK : error_memory(error);
}
