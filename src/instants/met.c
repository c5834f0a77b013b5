/* What was met of plain records. */
#include "instants/met.h"

#include "sync/events.h"

void met_init(struct met *met)
{
    *met = (struct met){0};
    for (uint64_t address = 1; met->routines[0].address == 0; address++)
        if (met_routine_of(met, address) != met->routines)
            met->routines[0].address = address; /* 0 leads here, and nowhere else */
}

bool met_learn_routine(const struct senses *senses, uint64_t address, struct met_routine *out)
{
    uint32_t routine = routines_known(&senses->routines, address);
    if (routine == NO_TEXT)
        return false;
    *out = (struct met_routine){address, routine};
    return true;
}

/* Whether it is one that struct fast_ppe has, if its stamp is. */
static bool is_short_ppe(uint64_t head)
{
    uint64_t size = head >> 48;
    uint16_t id = (uint16_t)(head >> 16);
    return (uint8_t)(head >> 40) == CORE_PPE && (uint8_t)(head >> 32) <= RECORD_INTERVAL &&
           size % 8 == 0 && size <= FAST_LOOKAHEAD && id != ID_SWITCH_IN && id != ID_SWITCH_OUT;
}

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
                          .size = (uint16_t)size,
                          .routine = sense->routine,
                          .place = by_value && said ? (uint32_t)(fixed + 8 * (size_t)at->place) : 0,
                          .spe = met_is_spe(head),
                          .calls = alone && calls && said,
                          .short_ppe = alone && calls && said && is_short_ppe(head),
                          .enters = enters,
                          .silent = alone && !calls && sense->role != ROLE_NONE && !waits};
    return out;
}
