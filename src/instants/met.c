/* What was met of plain records. */
#include "instants/met.h"

const struct met_kind *met_learn_kind(const struct senses *senses, uint64_t head,
                                      struct met_kind *kind)
{
    const struct sense *sense = senses_known(senses, met_is_spe(head), (uint16_t)(head >> 16));
    if (!sense)
        return NULL;
    const struct field_at *at = senses_field(senses, sense, FIELD_ROUTINE);
    bool calls =
        sense->plain && !sense->calls && (at->where == AT_NOWHERE || at->where == AT_VALUE);
    *kind = (struct met_kind){.key = met_kind_key(head),
                              .enters = calls && sense->role == ROLE_ENTER,
                              .exits = calls && sense->role == ROLE_EXIT,
                              .by_value = at->where == AT_VALUE,
                              .place = at->place,
                              .routine = sense->routine};
    return kind->enters || kind->exits ? kind : NULL;
}
