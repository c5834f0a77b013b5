/* capturegen - write packet captures of several hosts, whose clocks differ, drift, and wander.
 *
 * Usage: capturegen PREFIX HOSTS PACKETS BYTES SECONDS SPREAD_US
 *
 * PREFIX0.pcap contains Ethernet packets with times in microseconds. The other files contain cooked
 * packets, as from `tcpdump -i any`, with times in nanoseconds. Each of PACKETS packets goes from
 * one host to another, and is in both captures. BYTES is its length on Ethernet. Three of four
 * packets are TCP with timestamps, the others UDP. A packet takes 40 us plus up to SPREAD_US. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS_MAX = 8, PENDING_MAX = 1 << 16, BYTES_LEAST = 80, BYTES_MAX = 9000 };

struct packet {
    double sent_s, arrives_s;
    unsigned from, to, number;
};

static struct packet pending[PENDING_MAX]; /* sorted by time of arrival, the latest packet first */
static size_t npending;
static FILE *files[HOSTS_MAX];
static unsigned bytes;
static uint64_t state = 88172645463325252;

static uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static void put(uint8_t *at, unsigned size, uint64_t value)
{
    while (size-- > 0) {
        at[size] = (uint8_t)value;
        value >>= 8;
    }
}

static void put_address(uint8_t *at, unsigned host)
{
    put(at, 4, 0x0a000001 + host);
}

/* Write a packet to the capture of a host, with the time of the host's clock. */
static void capture(unsigned host, const struct packet *packet, double at_s)
{
    static uint8_t record[32 + BYTES_MAX];
    const double tau = 6.283185307179586;
    double shown = at_s + 5.25 * host + 1e-6 * host * (20 * at_s + 3 / tau * (1 - cos(tau * at_s)));
    unsigned link = host == 0 ? 14 : 20, whole = bytes - 14, captured = whole + link;
    double whole_s = floor(shown);
    uint32_t part = (uint32_t)((shown - whole_s) * (host == 0 ? 1e6 : 1e9));
    const uint32_t head[] = {1700000000 + (uint32_t)whole_s, part, captured, captured};
    memcpy(record, head, sizeof head);
    uint8_t *at = record + 16, *ip = at + link, *transport = ip + 20;
    memset(at, 0, captured);
    if (host == 0) {
        at[5] = (uint8_t)(packet->to + 1);
        at[11] = (uint8_t)(packet->from + 1);
        put(at + 12, 2, 0x0800);
    } else {
        put(at, 2, 0x0800);
        at[10] = packet->from == host ? 4 : 0;
    }
    ip[0] = 0x45;
    put(ip + 2, 2, whole);
    put(ip + 4, 2, packet->number);
    ip[8] = 64;
    put_address(ip + 12, packet->from);
    put_address(ip + 16, packet->to);
    put(transport, 2, 40000);
    put(transport + 2, 2, 8080);
    if (packet->number % 4 == 0) {
        ip[9] = 17;
        put(transport + 4, 2, whole - 20);
        put(transport + 8, 4, packet->number);
    } else {
        static const uint8_t options[] = {1, 1, 8, 10};
        ip[9] = 6;
        put(transport + 4, 4, packet->number * 48);
        put(transport + 8, 4, packet->number * 16);
        transport[12] = 0x80;
        memcpy(transport + 20, options, sizeof options);
        put(transport + 24, 4, (uint32_t)(packet->sent_s * 1000));
    }
    if (fwrite(record, 16 + captured, 1, files[host]) != 1)
        exit(1);
}

/* Write all packets that arrive before this time. */
static void deliver(double before_s)
{
    for (; npending > 0 && pending[npending - 1].arrives_s < before_s; npending--) {
        const struct packet *packet = &pending[npending - 1];
        capture(packet->to, packet, packet->arrives_s);
    }
}

int main(int argc, char **argv)
{
    if (argc != 7)
        return 2;
    unsigned hosts = (unsigned)atoi(argv[2]), packets = (unsigned)atoi(argv[3]);
    double seconds = atof(argv[5]), spread_s = 1e-6 * atof(argv[6]);
    bytes = (unsigned)atoi(argv[4]);
    if (hosts < 2 || hosts > HOSTS_MAX || bytes < BYTES_LEAST || bytes > BYTES_MAX)
        return 2;
    for (unsigned host = 0; host < hosts; host++) {
        char path[4096];
        const uint32_t head[] = {
            host == 0 ? 0xa1b2c3d4 : 0xa1b23c4d, 0x00040002, 0, 0, 262144, host == 0 ? 1 : 276};
        snprintf(path, sizeof path, "%s%u.pcap", argv[1], host);
        files[host] = fopen(path, "wb");
        if (!files[host] || fwrite(head, sizeof head, 1, files[host]) != 1)
            return 1;
    }
    for (unsigned i = 0; i < packets; i++) {
        double sent_s = (i + draw() / 4294967296.0) * seconds / packets;
        struct packet packet = {.sent_s = sent_s, .from = draw() % hosts, .number = i};
        packet.to = (packet.from + 1 + draw() % (hosts - 1)) % hosts;
        packet.arrives_s = sent_s + 40e-6 + spread_s * (draw() / 4294967296.0);
        deliver(sent_s);
        capture(packet.from, &packet, sent_s);
        if (npending == PENDING_MAX)
            return 1;
        size_t at = npending++;
        for (; at > 0 && pending[at - 1].arrives_s < packet.arrives_s; at--)
            pending[at] = pending[at - 1];
        pending[at] = packet;
    }
    deliver(HUGE_VAL);
    for (unsigned host = 0; host < hosts; host++)
        if (fclose(files[host]) != 0)
            return 1;
    return 0;
}
