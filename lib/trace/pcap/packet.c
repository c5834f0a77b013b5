/* Computes the key of a packet, which identifies it in the captures of all hosts. */
#include "trace/pcap/packet.h"

#include "base/number.h"

#include <string.h>

enum {
    LINK_NULL = 0,
    LINK_ETHERNET = 1,
    LINK_RAW_OLD = 12,
    LINK_RAW = 101,
    LINK_LOOP = 108,
    LINK_COOKED = 113,
    LINK_IPV4 = 228,
    LINK_IPV6 = 229,
    LINK_COOKED_2 = 276
};

enum { TYPE_IPV4 = 0x0800, TYPE_IPV6 = 0x86dd, TYPE_VLAN = 0x8100, TYPE_VLANS = 0x88a8 };
enum { PROTOCOL_ICMP = 1, PROTOCOL_TCP = 6, PROTOCOL_UDP = 17, PROTOCOL_ICMP6 = 58 };
enum { PROTOCOL_SCTP = 132 };
enum {
    IPV4_BYTES = 20,
    IPV6_BYTES = 40,
    TCP_BYTES = 20,
    PORTS_BYTES = 4,
    KEY_IPV4_BYTES = 60,
    KEY_IPV6_BYTES = 72
};
enum { WAY_SENT = 4 }; /* packet type in the headers of tcpdump -i any: sent by this host */

static unsigned big16(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static uint64_t load_word(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    const uint128 product = (uint128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Returns two hashes of the bytes, with different multipliers. `size` must be a multiple of 8. */
static inline struct packet_key hash(const uint8_t *bytes, size_t size)
{
    struct packet_key key = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f};
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = load_word(bytes + i);
        key.high = mix(key.high ^ word, 0xff51afd7ed558ccd);
        key.low = mix(key.low + word, 0xa0761d6478bd642f);
    }
    return key;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the offset of the checksum in the transport header, or -1 if the protocol is unknown. */
static int checksum_at(unsigned protocol)
{
    return protocol == PROTOCOL_TCP                                  ? 16
           : protocol == PROTOCOL_UDP                                ? 6
           : protocol == PROTOCOL_ICMP || protocol == PROTOCOL_ICMP6 ? 2
           : protocol == PROTOCOL_SCTP                               ? 8
                                                                     : -1;
}

/* Leave out of the key what differs between a TCP packet and the first of the segments that a
 * network card divides it into, or merges: the length, except that it is not 0, and two flags.
 * `length` is the size of the TCP packet, and `at` is the offset of the length in `copy`. */
static void allow_segments(uint8_t *copy, size_t at, size_t n, size_t length)
{
    enum { FLAGS = 13, CWR_PSH = 0x88 };
    copy[at] = 0;
    copy[at + 1] = length > (size_t)(copy[n + 12] >> 4) * 4;
    copy[n + FLAGS] &= (uint8_t)~CWR_PSH;
}

/* Append the transport header to the IP header in `copy`, and set the key of the packet. The IP
 * header has `n` bytes; the last ones are the addresses of the sender and the receiver. `length` is
 * the size of the packet without the IP header, of which `size` bytes are in the key. */
static inline void add_transport(struct packet *out, uint8_t *copy, size_t n,
                                 const uint8_t *transport, size_t size, size_t length,
                                 unsigned protocol, bool first)
{
    int at = checksum_at(protocol);
    /* For the usual sizes, calls with constants are faster. */
    bool usual = n == IPV4_BYTES && size == KEY_IPV4_BYTES - IPV4_BYTES;
    size_t addresses = n == IPV4_BYTES ? 8 : 32;
    uint64_t ends = protocol;
    if (first && size >= 4 && at >= 0 && protocol != PROTOCOL_ICMP && protocol != PROTOCOL_ICMP6)
        ends = ends << 32 | (uint64_t)big16(transport) << 16 | big16(transport + 2);
    out->flow = (uint32_t)mix(hash(copy + n - addresses, addresses).low ^ ends, 0xa0761d6478bd642f);
    if (usual)
        memcpy(copy + n, transport, KEY_IPV4_BYTES - IPV4_BYTES);
    else
        memcpy(copy + n, transport, size);
    if (first && at >= 0) /* the bytes after the header are 0 already */
        memset(copy + n + at, 0, protocol == PROTOCOL_SCTP ? 4 : 2);
    if (first && protocol == PROTOCOL_TCP && size >= TCP_BYTES)
        allow_segments(copy, n == IPV4_BYTES ? 2 : 4, n, length);
    /* A TCP timestamp in its usual place makes the key unique, even without addresses. */
    out->translates = protocol == PROTOCOL_TCP && first && size >= 32 && transport[12] >> 4 >= 8 &&
                      memcmp(transport + 20, (const uint8_t[]){1, 1, 8, 10}, 4) == 0;
    out->unique |= out->translates;
    if (out->translates)
        memset(copy + n - addresses, 0, addresses + PORTS_BYTES);
    out->key = usual ? hash(copy, KEY_IPV4_BYTES + 4) : hash(copy, (n + size + 7) & ~(size_t)7);
    out->keyed = true;
}

static void read_ipv4(const uint8_t *ip, size_t have, struct packet *out)
{
    uint8_t copy[KEY_IPV4_BYTES + 8] = {0};
    if (have < IPV4_BYTES || ip[0] >> 4 != 4)
        return;
    size_t header = (size_t)(ip[0] & 15) * 4, total = big16(ip + 2);
    bool first = (big16(ip + 6) & 0x1fff) == 0;
    if (total == 0 && ip[9] == PROTOCOL_TCP)
        total = UINT16_MAX; /* more than 64 KiB, which the network card divides */
    if (header < IPV4_BYTES || total < header)
        return;
    size_t size = least(total - header, KEY_IPV4_BYTES - IPV4_BYTES);
    out->cut = have < header + size;
    if (out->cut)
        return;
    memcpy(copy, ip, IPV4_BYTES);
    copy[0] = 4;
    copy[1] = copy[8] = copy[10] = copy[11] = 0; /* clear service class, hop limit, and checksum */
    copy[6] &= 0x3f;                             /* clear the reserved bit */
    out->unique = big16(ip + 4) != 0;
    out->hops = ip[16] < 224 ? ip[8] : 0;
    add_transport(out, copy, IPV4_BYTES, ip + header, size, total - header, ip[9], first);
}

static void read_ipv6(const uint8_t *ip, size_t have, struct packet *out)
{
    uint8_t copy[KEY_IPV6_BYTES + 8] = {0};
    if (have < IPV6_BYTES || ip[0] >> 4 != 6)
        return;
    size_t size = least(big16(ip + 4), KEY_IPV6_BYTES - IPV6_BYTES);
    /* The checksum cannot be found if an extension header precedes the transport header. */
    if (checksum_at(ip[6]) < 0)
        return;
    out->cut = have < IPV6_BYTES + size;
    if (out->cut)
        return;
    memcpy(copy, ip, IPV6_BYTES);
    copy[0] = 6;
    copy[1] = copy[2] = copy[3] = copy[7] = 0; /* clear service class, flow label, and hop limit */
    out->hops = ip[24] != 0xff ? ip[7] : 0;
    add_transport(out, copy, IPV6_BYTES, ip + IPV6_BYTES, size, big16(ip + 4), ip[6], true);
}

static void read_ip(unsigned type, const uint8_t *ip, size_t have, bool ends, struct packet *out)
{
    if (ends && type == TYPE_IPV4 && have >= IPV4_BYTES) {
        memcpy(out->from.bytes, ip + 12, 4);
        memcpy(out->to.bytes, ip + 16, 4);
        out->many = ip[16] >= 224;
    } else if (ends && type == TYPE_IPV6 && have >= IPV6_BYTES) {
        memcpy(out->from.bytes, ip + 8, 16);
        memcpy(out->to.bytes, ip + 24, 16);
        out->many = ip[24] == 0xff;
    }
    if (type == TYPE_IPV4)
        read_ipv4(ip, have, out);
    else if (type == TYPE_IPV6)
        read_ipv6(ip, have, out);
}

/* Read the headers that follow a protocol type at offset `skip`. */
static void read_behind_type(const uint8_t *bytes, size_t have, size_t skip, struct packet *out)
{
    while (have >= skip + 6 &&
           (big16(bytes + skip) == TYPE_VLAN || big16(bytes + skip) == TYPE_VLANS))
        skip += 4;
    if (have >= skip + 2)
        read_ip(big16(bytes + skip), bytes + skip + 2, have - skip - 2, false, out);
}

/* Read a packet of `tcpdump -i any`. Its header, in one of two versions, states the direction. */
static void read_cooked(const uint8_t *bytes, size_t have, bool second, struct packet *out)
{
    size_t size = second ? 20 : 16;
    if (have < size)
        return;
    unsigned way = second ? bytes[10] : big16(bytes);
    out->way = way == WAY_SENT ? CAPTURE_WAY_OUT : CAPTURE_WAY_IN;
    if (second)
        read_ip(big16(bytes), bytes + size, have - size, false, out);
    else
        read_behind_type(bytes, have, size - 2, out);
}

void packet_read(uint16_t link, const uint8_t *bytes, size_t captured, struct packet *out)
{
    size_t skip = link == LINK_NULL || link == LINK_LOOP ? 4 : 0;
    memset(out, 0, sizeof *out);
    switch (link) {
    case LINK_ETHERNET:
        if (captured < 14)
            break;
        memcpy(out->to.bytes, bytes, 6);
        memcpy(out->from.bytes, bytes + 6, 6);
        out->many = bytes[0] & 1;
        read_behind_type(bytes, captured, 12, out);
        break;
    case LINK_COOKED:
    case LINK_COOKED_2:
        read_cooked(bytes, captured, link == LINK_COOKED_2, out);
        break;
    case LINK_NULL:
    case LINK_LOOP:
    case LINK_RAW:
    case LINK_RAW_OLD:
    case LINK_IPV4:
    case LINK_IPV6:
        if (captured > skip)
            read_ip(bytes[skip] >> 4 == 6 ? TYPE_IPV6 : TYPE_IPV4, bytes + skip, captured - skip,
                    true, out);
        break;
    default:
        break;
    }
}
