/* Records of a synchronized .pex as they were before. */
#include "sync/reread/restore.h"

#include "clock/global.h"

/* The record as it was before it was synchronized, in restore->original. */
static struct record undo(struct restore *restore, const struct record *r,
                          const struct table_thread *thread)
{
    struct record raw = *r;
    uint8_t *original = restore->original;
    uint64_t local = (uint64_t)placement_local(thread->offset_ticks, (int64_t)r->stamp);
    uint64_t begin = r->begin;
    memcpy(original, r->bytes, RECORD_PREFIX_BYTES);
    raw.bytes = original;
    if (r->spe) {
        uint32_t decr = (uint32_t)(thread->decr_first - local);
        uint32_t decr_begin = r->interval ? (uint32_t)(decr + (r->stamp - begin)) : (uint32_t)begin;
        raw.size = r->size - 8;
        raw.stamp = decr;
        raw.begin = decr_begin;
        store32(original + 16, decr);
        store32(original + 20, decr_begin);
        memcpy(original + 24, r->bytes + 32, r->size - 32);
    } else {
        raw.stamp = local;
        if (r->interval)
            raw.begin = (uint64_t)placement_local(thread->offset_ticks, (int64_t)begin);
        store64(original + 16, raw.stamp);
        store64(original + 24, raw.begin);
        memcpy(original + 32, r->bytes + 32, r->size - 32);
    }
    store16(original, (uint16_t)raw.size);
    return raw;
}

const char *restore_record(struct restore *restore, struct record *record)
{
    restore->global = *record;
    restore->said = table_find(restore->table, record);
    if (!restore->said || restore->said->first_record > record->position)
        return "the table has no thread for it";
    *record = undo(restore, record, restore->said);
    return !record->spe && record->stamp > INT64_MAX ? "its PPE time would be negative" : NULL;
}
