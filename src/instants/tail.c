/* Tail: who records what last, seen from the end of the file backwards. */
#include "instants/tail.h"

/* Records begin where so many seem to follow one another, in a piece of the file that has that many
 * bytes; of so many slots no more are used. */
enum { LOOK_RECORDS = 4, LOOK_BYTES = 4096, SLOTS_USED = TAIL_SLOTS / 4 * 3 };

/* A piece, as it is gone over. */
struct piece {
    struct tail *tail;
    uint64_t at, end; /* offsets: of the next record, and where the piece ends */
    uint64_t records;
    size_t n;
    struct tail_slot slots[TAIL_SLOTS]; /* by positions in it */
};

void tail_init(struct tail *tail, struct met *met, const struct senses *senses, struct bytes *bytes,
               uint64_t end, uint64_t records)
{
    *tail = (struct tail){
        .met = met, .senses = senses, .bytes = bytes, .first = end, .position = records};
}

/* That of a writer, or the one for it. */
static inline size_t slot_of(const struct tail_slot *slots, uint64_t key)
{
    size_t at = (size_t)(key ^ key >> 28);
    while (slots[at & (TAIL_SLOTS - 1)].key != key && slots[at & (TAIL_SLOTS - 1)].key != 0)
        at++;
    return at & (TAIL_SLOTS - 1);
}

const struct tail_slot *tail_find(const struct tail *tail, uint64_t key)
{
    const struct tail_slot *slot = &tail->slots[slot_of(tail->slots, key)];
    return slot->key == key ? slot : NULL;
}

static inline void see_call(struct tail_slot *slot, bool enters, uint64_t routine)
{
    slot->level += enters ? 1 : -1;
    if (slot->level >= slot->least)
        return;
    slot->least = slot->level;
    slot->routine = routine;
}

/* Records at hand, as many as are calls, or mean nothing more than one does, and whole. */
static size_t see_some(struct piece *piece, const uint8_t *at, size_t have)
{
    const struct tail *tail = piece->tail;
    const uint8_t *p = at, *end = at + have;
    while (end - p >= RECORD_SPE_BYTES && piece->n < SLOTS_USED) {
        size_t size = load16(p);
        const struct met_head *known = met_head_of(tail->met, tail->senses, load64(p));
        if (size > (size_t)(end - p) || !(known->calls | known->silent))
            break;
        uint64_t key = known->writer | load32(p + 8), routine = 0;
        if (known->calls && !met_named(known, p, &routine))
            break;
        struct tail_slot *slot = &piece->slots[slot_of(piece->slots, key)];
        piece->n += slot->key == 0;
        slot->key = key;
        slot->last = piece->records++;
        if (known->calls)
            see_call(slot, known->enters, routine);
        p += size;
    }
    return (size_t)(p - at);
}

/* Whether some records seem to begin there. */
static bool looks_right(const struct tail *tail, const uint8_t *p, size_t have)
{
    const uint8_t *end = p + have;
    for (int i = 0; i < LOOK_RECORDS && end - p >= RECORD_SPE_BYTES; i++) {
        const struct met_head *known = met_head_of(tail->met, tail->senses, load64(p));
        if (!(known->calls | known->silent))
            return false;
        if (known->size > (size_t)(end - p))
            break;
        p += known->size;
    }
    return true;
}

/* Where the first record of the piece may be. */
static csy_status find_first(struct piece *piece, csy_error *error)
{
    struct bytes *bytes = piece->tail->bytes;
    uint64_t left = piece->end - piece->at;
    size_t need = left < LOOK_BYTES ? (size_t)left : LOOK_BYTES, have, skipped = 0;
    const uint8_t *at;
    bytes_seek(bytes, piece->at);
    csy_status status = bytes_peek(bytes, need, &at, &have, error);
    need = have < need ? have : need;
    while (!status && skipped + 8 < need && !looks_right(piece->tail, at + skipped, need - skipped))
        skipped += 8;
    bytes_skip(bytes, skipped);
    piece->at += skipped;
    return status;
}

static csy_status see_all(struct piece *piece, csy_error *error)
{
    struct bytes *bytes = piece->tail->bytes;
    size_t need = 2, have;
    csy_status status = CSY_OK;
    while (!status && need > 0 && piece->at < piece->end) {
        const uint8_t *at;
        uint64_t left = piece->end - piece->at;
        status = bytes_peek(bytes, need, &at, &have, error);
        if (status || have < need)
            break;
        size_t all = have < left ? have : (size_t)left, used = see_some(piece, at, all);
        size_t size = load16(at);
        need = used > 0 ? 2 : size > all && size <= left ? size : 0; /* 0: it is not such */
        bytes_skip(bytes, used);
        piece->at += used;
    }
    return status;
}

/* What a writer did in a piece, before what was seen of it. */
static void put_before(struct tail_slot *own, const struct tail_slot *slot)
{
    if (slot->level + own->least >= slot->least) {
        own->least = slot->least;
        own->routine = slot->routine;
    } else {
        own->least += slot->level;
    }
    own->level += slot->level;
}

/* Of writers that do not record after the piece the last records in it are the last. */
static bool join(struct tail *tail, const struct piece *piece)
{
    uint64_t first = tail->position - piece->records;
    for (size_t i = 0; i < TAIL_SLOTS; i++) {
        const struct tail_slot *slot = &piece->slots[i];
        struct tail_slot *own = &tail->slots[slot_of(tail->slots, slot->key)];
        if (slot->key == 0)
            continue;
        if (own->key == 0 && tail->n == SLOTS_USED)
            return false;
        if (own->key == 0) {
            *own = (struct tail_slot){.key = slot->key, .last = first + slot->last};
            tail->n++;
        }
        put_before(own, slot);
    }
    return true;
}

csy_status tail_extend(struct tail *tail, uint64_t offset, bool *good, csy_error *error)
{
    struct piece piece = {.tail = tail, .at = offset, .end = tail->first};
    *good = false;
    if (offset >= piece.end)
        return CSY_OK;
    csy_status status = find_first(&piece, error);
    uint64_t first = piece.at;
    if (!status)
        status = see_all(&piece, error);
    if (status || piece.at != piece.end || piece.records > tail->position || !join(tail, &piece))
        return status;
    tail->first = first;
    tail->position -= piece.records;
    *good = true;
    return CSY_OK;
}
