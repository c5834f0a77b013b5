/* Reads the blocks of pcap and pcapng. */
#include "trace/pcap/capture.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/cut.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)
#define US_PER_S INT64_C(1000000)
#define MONTH_NS ((int128)30 * 86400 * NS_PER_S)

enum {
    PCAP_HEADER_BYTES = 24,
    PCAP_PACKET_BYTES = 16,
    BLOCK_BYTES_MIN = 12,
    BLOCK_BYTES_MAX = 16 << 20,
    PACKET_BYTES_MAX = 256 << 10, /* the limit of libpcap */
    INTERFACES_MAX = 1 << 16,
    EXPONENT_MAX = 18, /* a date in units below 10^-18 s needs more than 64 bits */
    BITS_MAX = 62
};

enum block_type {
    BLOCK_INTERFACE = 1,
    BLOCK_OLD_PACKET = 2,
    BLOCK_SIMPLE_PACKET = 3,
    BLOCK_STATISTICS = 5,
    BLOCK_PACKET = 6
};

#define BLOCK_SECTION UINT32_C(0x0a0d0d0a)
#define BYTE_ORDER_MAGIC UINT32_C(0x1a2b3c4d)
#define PCAP_US UINT32_C(0xa1b2c3d4)
#define PCAP_NS UINT32_C(0xa1b23c4d)

enum option {
    OPTION_END = 0,
    OPTION_FLAGS = 2,
    OPTION_MAC = 6,
    OPTION_UNIT = 9,
    OPTION_OFFSET = 14,
    OPTION_BEGIN = 2, /* from here on: options of a statistics block */
    OPTION_LAST = 3,
    OPTION_DROPS = 5,
    OPTION_SYSTEM_DROPS = 7
};

/* --- Numbers ------------------------------------------------------------------------------- */

static uint32_t little32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t get32(const struct capture *c, const uint8_t *p)
{
    return c->swapped ? __builtin_bswap32(little32(p)) : little32(p);
}

static uint16_t get16(const struct capture *c, const uint8_t *p)
{
    return (uint16_t)(c->swapped ? p[0] << 8 | p[1] : p[1] << 8 | p[0]);
}

static void put32(const struct capture *c, uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[c->swapped ? 3 - i : i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get64(const struct capture *c, const uint8_t *p)
{
    uint32_t first = get32(c, p), second = get32(c, p + 4);
    return c->swapped ? (uint64_t)first << 32 | second : (uint64_t)second << 32 | first;
}

/* Read a timestamp. Its high half comes first in either byte order. */
static uint64_t get_stamp(const struct capture *c, const uint8_t *p)
{
    return (uint64_t)get32(c, p) << 32 | get32(c, p + 4);
}

static int64_t power_of_10(unsigned exponent)
{
    int64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

static void set_unit(struct capture_interface *interface, bool binary, uint8_t exponent)
{
    interface->binary = binary;
    interface->exponent = exponent;
    if (exponent <= (binary ? BITS_MAX : EXPONENT_MAX))
        interface->units = binary ? (int64_t)(UINT64_C(1) << exponent) : power_of_10(exponent);
}

unsigned capture_decimals(const struct capture_interface *interface)
{
    unsigned decimals = 0;
    if (!interface->binary)
        return interface->exponent < 9 ? interface->exponent : 9;
    while (decimals < 9 && power_of_10(decimals + 1) <= interface->units)
        decimals++;
    return decimals;
}

/* --- Blocks ---------------------------------------------------------------------------------- */

bool capture_begins(const uint8_t *bytes, size_t size)
{
    uint32_t magic = size >= 4 ? little32(bytes) : 0, swapped = __builtin_bswap32(magic);
    return magic == PCAP_US || magic == PCAP_NS || swapped == PCAP_US || swapped == PCAP_NS ||
           magic == BLOCK_SECTION;
}

void capture_start(struct capture *c, struct bytes *bytes, const char *name)
{
    struct capture_interface *interfaces = c->interfaces;
    size_t capacity = c->capacity;
    *c = (struct capture){.name = name,
                          .bytes = bytes,
                          .place = bytes_offset(bytes),
                          .interfaces = interfaces,
                          .capacity = capacity};
}

void capture_fini(struct capture *c)
{
    free(c->interfaces);
    c->interfaces = NULL;
    c->capacity = 0;
}

static csy_status refuse(const struct capture *c, const char *what, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: offset %" PRIu64 ": %s", c->name, c->place, what);
}

/* Load at least `need` bytes, or fewer at the end of the file. If the file ends within a block,
 * c->is_cut becomes true. */
static csy_status load(struct capture *c, size_t need, csy_error *error)
{
    bytes_skip(c->bytes, c->taken);
    c->taken = 0;
    csy_status status = bytes_peek(c->bytes, need, &c->at, &c->left, error);
    if (status || c->left >= need || c->left == 0)
        return status;
    c->is_cut = true;
    c->cut.place = c->place;
    c->cut.records = c->packets;
    snprintf(c->cut.text, sizeof c->cut.text,
             "%s: offset %" PRIu64 ": the capture ends within a %s: need %zu bytes, have %zu",
             c->name, c->cut.place, c->pcapng ? "block" : "packet", need, c->left);
    return CSY_OK;
}

/* Make the next `need` bytes available at c->at. At the end of the file, c->left is less. */
static inline csy_status peek(struct capture *c, size_t need, csy_error *error)
{
    return c->left >= need ? CSY_OK : load(c, need, error);
}

/* Pass over the block at c->at, which has `size` bytes. */
static void skip(struct capture *c, size_t size)
{
    c->at += size;
    c->left -= size;
    c->taken += size;
    c->place += size;
}

/* If the next block begins with `size` zeros, sets c->is_cut and returns true. A host that crashed
 * may leave zeros where packets were not written to the disk yet. */
static bool ends_in_zeros(struct capture *c, const uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (at[i] != 0)
            return false;
    c->is_cut = true;
    c->cut.place = c->place;
    c->cut.records = c->packets;
    snprintf(c->cut.text, sizeof c->cut.text,
             "%s: offset %" PRIu64 ": the rest of the capture is not written: it begins with zeros",
             c->name, c->cut.place);
    return true;
}

static csy_status add_interface(struct capture *c, struct capture_interface **out, csy_error *error)
{
    if (c->ninterfaces == INTERFACES_MAX)
        return refuse(c, "there are more than 65536 interfaces", error);
    if (!ARRAY_PUSH(c->interfaces, c->ninterfaces, c->capacity, {.link = 0}))
        return error_memory(error);
    *out = &c->interfaces[c->ninterfaces - 1];
    set_unit(*out, false, 6);
    return CSY_OK;
}

static csy_status next_pcap(struct capture *c, struct capture_block *block, bool *more,
                            csy_error *error)
{
    size_t size = c->ninterfaces == 0 ? PCAP_HEADER_BYTES : PCAP_PACKET_BYTES;
    csy_status status = peek(c, size, error);
    const uint8_t *at = c->at;
    *more = !status && c->left >= size;
    if (status || !*more)
        return status;
    *block = (struct capture_block){.kind = CAPTURE_HEADER, .place = c->place};
    if (c->ninterfaces == 0) {
        uint32_t magic = little32(at);
        c->swapped = magic != PCAP_US && magic != PCAP_NS;
        magic = get32(c, at);
        if (get16(c, at + 4) != 2)
            return refuse(c, "this version of pcap is unknown: expected 2", error);
        struct capture_interface *interface;
        status = add_interface(c, &interface, error);
        if (status)
            return status;
        set_unit(interface, false, magic == PCAP_NS ? 9 : 6);
        interface->snap_bytes = get32(c, at + 16);
        interface->link = (uint16_t)get32(c, at + 20);
    } else {
        const struct capture_interface *interface = c->interfaces;
        if (ends_in_zeros(c, at, PCAP_PACKET_BYTES)) {
            *more = false;
            return CSY_OK;
        }
        block->kind = CAPTURE_PACKET;
        block->captured = get32(c, at + 8);
        block->length = get32(c, at + 12);
        block->time_ns = (int64_t)get32(c, at) * NS_PER_S +
                         (int64_t)get32(c, at + 4) * (interface->exponent == 9 ? 1 : 1000);
        if (block->captured > PACKET_BYTES_MAX)
            return refuse(c, "a packet claims more than 262144 bytes", error);
        size += block->captured;
        status = peek(c, size, error);
        *more = !status && c->left >= size;
        block->packet = c->at + PCAP_PACKET_BYTES;
    }
    if (status || !*more)
        return status;
    block->bytes = c->at;
    block->size = size;
    skip(c, size);
    return CSY_OK;
}

/* --- pcapng ---------------------------------------------------------------------------------- */

/* Move *at from an option's header to its value. Returns false if no option follows. */
static bool next_option(const struct capture *c, const uint8_t **at, const uint8_t *end,
                        unsigned *code, unsigned *size)
{
    if (end - *at < 4)
        return false;
    *code = get16(c, *at);
    *size = get16(c, *at + 2);
    *at += 4;
    return *code != OPTION_END && (size_t)(end - *at) >= *size;
}

static const uint8_t *after_option(const uint8_t *at, const uint8_t *end, unsigned size)
{
    size_t padded = ((size_t)size + 3) & ~(size_t)3;
    return (size_t)(end - at) < padded ? end : at + padded;
}

static csy_status read_interface(struct capture *c, struct capture_block *block, csy_error *error)
{
    const uint8_t *at = block->bytes + 16, *end = block->bytes + block->size - 4;
    unsigned code, size;
    if (block->size < 20)
        return refuse(c, "an interface needs at least 20 bytes", error);
    struct capture_interface *interface = NULL;
    csy_status status = add_interface(c, &interface, error);
    if (!interface)
        return status;
    block->interface = c->ninterfaces - 1;
    interface->link = get16(c, block->bytes + 8);
    interface->snap_bytes = get32(c, block->bytes + 12);
    for (; next_option(c, &at, end, &code, &size); at = after_option(at, end, size)) {
        if (code == OPTION_UNIT && size == 1) {
            set_unit(interface, *at >> 7, *at & 0x7f);
        } else if (code == OPTION_OFFSET && size == 8) {
            interface->offset_s = (int64_t)get64(c, at);
        } else if (code == OPTION_MAC && size == 6) {
            memcpy(interface->mac, at, 6);
            interface->has_mac = true;
        }
    }
    if (interface->exponent > (interface->binary ? BITS_MAX : EXPONENT_MAX))
        return refuse(c, "the unit of this interface's timestamps is too small", error);
    return CSY_OK;
}

/* Convert a timestamp to ns since 1970, rounded down. Returns false if it is out of range. */
static bool stamp_ns(const struct capture_interface *interface, uint64_t stamp, int64_t *out)
{
    uint64_t units = (uint64_t)interface->units;
    int128 ns = (int128)interface->offset_s * NS_PER_S;
    if (units == NS_PER_S)
        ns += stamp;
    else
        ns += (int128)(stamp / units) * NS_PER_S +
              (int64_t)((uint128)(stamp % units) * NS_PER_S / units);
    *out = (int64_t)ns;
    return ns >= INT64_MIN / 2 && ns <= INT64_MAX / 2;
}

static csy_status read_packet(struct capture *c, struct capture_block *block, uint32_t type,
                              csy_error *error)
{
    const uint8_t *at = block->bytes + 8;
    const uint8_t *end = block->bytes + block->size - 4;
    unsigned code, size;
    if (block->size < 32)
        return refuse(c, "a packet block needs at least 32 bytes", error);
    block->kind = CAPTURE_PACKET;
    block->interface = c->section + (type == BLOCK_PACKET ? get32(c, at) : get16(c, at));
    if (block->interface < c->section || block->interface >= c->ninterfaces)
        return refuse(c, "a packet names an interface that was not described", error);
    block->captured = get32(c, at + 12);
    block->length = get32(c, at + 16);
    block->packet = at + 20;
    if (block->captured > (size_t)(end - block->packet))
        return refuse(c, "a packet claims more bytes than its block has", error);
    if (!stamp_ns(&c->interfaces[block->interface], get_stamp(c, at + 4), &block->time_ns))
        return refuse(c, "a timestamp is more than 146 years from 1970", error);
    at = after_option(block->packet, end, block->captured);
    for (; next_option(c, &at, end, &code, &size); at = after_option(at, end, size))
        if (code == OPTION_FLAGS && size == 4) {
            unsigned way = get32(c, at) & 3;
            block->way = way == 1   ? CAPTURE_WAY_IN
                         : way == 2 ? CAPTURE_WAY_OUT
                                    : CAPTURE_WAY_UNKNOWN;
        }
    return CSY_OK;
}

static csy_status read_statistics(struct capture *c, struct capture_block *block, csy_error *error)
{
    const uint8_t *at = block->bytes + 20, *end = block->bytes + block->size - 4;
    unsigned code, size;
    uint64_t drops = 0;
    if (block->size < 24)
        return refuse(c, "statistics need at least 24 bytes", error);
    block->interface = c->section + get32(c, block->bytes + 8);
    if (block->interface < c->section || block->interface >= c->ninterfaces)
        return refuse(c, "statistics name an interface that was not described", error);
    for (; next_option(c, &at, end, &code, &size); at = after_option(at, end, size))
        if ((code == OPTION_DROPS || code == OPTION_SYSTEM_DROPS) && size == 8)
            drops += get64(c, at);
    block->kind = CAPTURE_STATISTICS;
    if (!stamp_ns(&c->interfaces[block->interface], get_stamp(c, block->bytes + 12),
                  &block->time_ns))
        return refuse(c, "a timestamp is more than 146 years from 1970", error);
    c->interfaces[block->interface].drops = drops;
    return CSY_OK;
}

static csy_status next_pcapng(struct capture *c, struct capture_block *block, bool *more,
                              csy_error *error)
{
    size_t size = BLOCK_BYTES_MIN;
    csy_status status = peek(c, size, error);
    *more = !status && c->left >= size && !ends_in_zeros(c, c->at, size);
    if (status || !*more)
        return status;
    bool section = little32(c->at) == BLOCK_SECTION;
    if (section) {
        status = peek(c, size = 28, error);
        *more = !status && c->left >= size;
        if (!status && *more) {
            uint32_t magic = little32(c->at + 8);
            if (magic != BYTE_ORDER_MAGIC && __builtin_bswap32(magic) != BYTE_ORDER_MAGIC)
                return refuse(c, "a section has no byte-order magic", error);
            c->swapped = magic != BYTE_ORDER_MAGIC;
            c->section = c->ninterfaces;
            if (get16(c, c->at + 12) != 1)
                return refuse(c, "this version of pcapng is unknown: expected 1", error);
        }
    }
    uint32_t type = get32(c, c->at);
    size_t claimed = status || !*more ? size : get32(c, c->at + 4);
    if (!status && *more && (claimed < size || claimed > BLOCK_BYTES_MAX || claimed % 4 != 0))
        return refuse(c, "the length of a block is wrong", error);
    if (!status && *more) {
        status = peek(c, claimed, error);
        *more = !status && c->left >= claimed;
    }
    if (status || !*more)
        return status;
    const uint8_t *at = c->at;
    if (get32(c, at + claimed - 4) != claimed)
        return refuse(c, "the two lengths of a block differ", error);
    *block = (struct capture_block){.kind = section ? CAPTURE_HEADER : CAPTURE_OTHER,
                                    .place = c->place,
                                    .bytes = at,
                                    .size = claimed};
    if (type == BLOCK_INTERFACE && !section) {
        block->kind = CAPTURE_INTERFACE;
        status = read_interface(c, block, error);
    } else if (type == BLOCK_PACKET || type == BLOCK_OLD_PACKET) {
        status = read_packet(c, block, type, error);
    } else if (type == BLOCK_STATISTICS) {
        status = read_statistics(c, block, error);
    } else if (type == BLOCK_SIMPLE_PACKET) {
        block->kind = CAPTURE_UNTIMED;
    }
    if (!status)
        skip(c, claimed);
    return status;
}

csy_status capture_next(struct capture *c, struct capture_block *block, bool *more, bool salvage,
                        csy_error *error)
{
    csy_status status = CSY_OK;
    if (c->ninterfaces == 0 && c->packets == 0 && !c->pcapng) {
        status = bytes_peek(c->bytes, 4, &c->at, &c->left, error);
        if (!status && !capture_begins(c->at, c->left))
            return refuse(c, "this is not a packet capture", error);
        c->pcapng = !status && little32(c->at) == BLOCK_SECTION;
    }
    if (!status)
        status = c->pcapng ? next_pcapng(c, block, more, error) : next_pcap(c, block, more, error);
    if (!status && *more && block->kind == CAPTURE_PACKET) {
        c->packets++;
        c->interfaces[block->interface].last_ns = block->time_ns;
    }
    if (!status && c->is_cut && !salvage)
        return cut_refuse(&c->cut, "packet", true, error);
    return status;
}

/* --- Other timestamps ------------------------------------------------------------------------ */

/* Add shift_ns to a timestamp, and round down. A second has `units` units of the timestamp. Returns
 * false if the result does not fit into 64 bits. */
static bool shift_stamp(const struct capture *c, int64_t units, uint8_t *at, int64_t shift_ns)
{
    /* Both terms of the sum count billionths of a unit. */
    int128 parts = (int128)get_stamp(c, at) * NS_PER_S + (int128)shift_ns * units;
    int128 stamp = units == NS_PER_S ? (int128)get_stamp(c, at) + shift_ns : parts / NS_PER_S;
    if (parts < 0 || stamp > UINT64_MAX)
        return false;
    put32(c, at, (uint32_t)((uint64_t)stamp >> 32));
    put32(c, at + 4, (uint32_t)stamp);
    return true;
}

bool capture_shift(const struct capture *c, const struct capture_block *block, uint8_t *copy,
                   int64_t shift_ns)
{
    const struct capture_interface *interface = &c->interfaces[block->interface];
    unsigned code, size;
    if (!c->pcapng) {
        int64_t ns;
        if (__builtin_add_overflow(block->time_ns, shift_ns, &ns) || ns < 0 ||
            ns / NS_PER_S > UINT32_MAX)
            return false;
        put32(c, copy, (uint32_t)(ns / NS_PER_S));
        put32(c, copy + 4, (uint32_t)(ns % NS_PER_S / (interface->exponent == 9 ? 1 : 1000)));
        return true;
    }
    int64_t units = interface->units;
    uint64_t stamp = get_stamp(c, block->bytes + 12);
    if (block->kind == CAPTURE_STATISTICS && interface->last_ns != 0 &&
        stamp <= (uint64_t)INT64_MAX / 2000) {
        /* If only microseconds give a time near the last packet, the block counts microseconds. */
        int128 stated = (int128)block->time_ns - interface->last_ns;
        int128 in_us = (int128)stamp * 1000 - interface->last_ns;
        if ((stated < -MONTH_NS || stated > MONTH_NS) && in_us > -MONTH_NS && in_us < MONTH_NS)
            units = US_PER_S;
    }
    if (!shift_stamp(c, units, copy + 12, shift_ns))
        return false;
    if (block->kind != CAPTURE_STATISTICS)
        return true;
    const uint8_t *at = block->bytes + 20, *end = block->bytes + block->size - 4;
    for (; next_option(c, &at, end, &code, &size); at = after_option(at, end, size))
        if ((code == OPTION_BEGIN || code == OPTION_LAST) && size == 8 &&
            !shift_stamp(c, units, copy + (at - block->bytes), shift_ns))
            return false;
    return true;
}
