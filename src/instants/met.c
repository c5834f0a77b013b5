/* What was met of plain records. */
#include "instants/met.h"

const struct met_head *met_learn(const struct senses *senses, uint64_t head, struct met_head *out)
{
    static const struct met_head nothing;
    const struct sense *sense = senses_known(senses, met_is_spe(head), (uint16_t)(head >> 16));
    size_t fixed = met_is_spe(head) ? RECORD_SPE_BYTES : RECORD_PPE_BYTES;
    size_t size = (size_t)(head >> 48), values = (uint16_t)head;
    if (!sense || (uint8_t)(head >> 40) > CORE_SPE || fixed + 8 * values > size)
        return &nothing;
    const struct field_at *at = senses_field(senses, sense, FIELD_ROUTINE);
    bool enters = sense->role == ROLE_ENTER, calls = enters || sense->role == ROLE_EXIT;
    bool alone = sense->plain && !sense->calls, by_value = at->where == AT_VALUE;
    bool waits = head >> 32 & RECORD_INTERVAL && sense_may_wait(sense);
    bool said = by_value ? at->place < values
                         : at->where == AT_NOWHERE && (!enters || sense->routine != NO_TEXT);
    *out =
        (struct met_head){.head = head,
                          .writer = met_writer_key(met_is_spe(head), 0),
                          .size = (uint32_t)size,
                          .routine = sense->routine,
                          .place = by_value && said ? (uint32_t)(fixed + 8 * (size_t)at->place) : 0,
                          .spe = met_is_spe(head),
                          .calls = alone && calls && said,
                          .enters = enters,
                          .silent = alone && !calls && sense->role != ROLE_NONE && !waits};
    return out;
}
