/*
 * A capture of packets: any bytes.
 *
 * Blocks follow each other without a gap, and a second reading finds the same ones; a packet lies
 * in its block; times moved there and back are the same; salvaged, a capture that is cut off has
 * the same blocks. As a trace it is refused with a message, or solved and written.
 */
#include "output/trace/settings.h"
#include "support.h"
#include "sync/options.h"
#include "trace/pcap/packet.h"

#include <stdlib.h>
#include <string.h>

struct outcome {
    csy_status status;
    uint64_t blocks, sum;
    bool is_cut;
};

/* Move the times of a block there and back. A unit finer than 1 ns is kept, too. */
static void move(const struct capture *capture, const struct capture_block *block)
{
    struct capture_block moved = *block;
    uint8_t *copy = malloc(block->size + 1);
    must(copy != NULL, "memory");
    memcpy(copy, block->bytes, block->size);
    moved.bytes = copy;
    if (capture_shift(capture, block, copy, 3000000000)) {
        moved.time_ns += 3000000000;
        must(capture_shift(capture, &moved, copy, -3000000000), "back");
    }
    free(copy);
}

static struct outcome read_all(struct bytes *bytes, size_t size, bool salvage, csy_error *error)
{
    struct capture capture = {0};
    struct capture_block block;
    struct packet packet;
    struct outcome out = {CSY_OK, 0, 0, false};
    uint64_t next = 0;
    bool more = true;
    bytes_rewind(bytes);
    capture_start(&capture, bytes, "fuzz");
    while (!out.status && more) {
        out.status = capture_next(&capture, &block, &more, salvage, error);
        if (out.status || !more)
            break;
        must(block.place == next && block.size > 0 && block.size <= size, "place");
        next += block.size;
        out.blocks++;
        out.sum = out.sum * 31 + block.size + (uint64_t)block.time_ns + block.kind;
        if (block.kind == CAPTURE_PACKET || block.kind == CAPTURE_STATISTICS)
            move(&capture, &block);
        if (block.kind != CAPTURE_PACKET)
            continue;
        must(block.interface < capture.ninterfaces, "interface");
        must(block.packet >= block.bytes &&
                 block.packet + block.captured <= block.bytes + block.size,
             "packet");
        packet_read(capture.interfaces[block.interface].link, block.packet, block.captured,
                    &packet);
        out.sum = out.sum * 31 + packet.key.low + packet.keyed;
    }
    must_be_told(out.status, error);
    out.is_cut = capture.is_cut;
    capture_fini(&capture);
    return out;
}

/* Solve it as a trace, and write it again. */
static void solve_trace(void)
{
    csy_trace *trace;
    csy_sync *sync;
    csy_error error = {0};
    csy_options options = options_default;
    csy_status status = csy_trace_open(memory_path(), NULL, &trace, &error);
    must_be_told(status, &error);
    if (status)
        return;
    options.premises = CSY_PREMISES_BY_SOURCE;
    csy_trace_set_workers(trace, 1);
    status = csy_trace_synchronize(trace, &options, &sync, &error);
    must_be_told(status, &error);
    if (!status) {
        csy_output output = settings_default;
        for (int merged = 0; merged < 2; merged++) {
            output.format = merged ? CSY_FORMAT_PCAPNG : CSY_FORMAT_PCAP;
            output_empty();
            status = csy_sync_write_trace(sync, output_path(), &output, &error);
            must_be_told(status, &error);
        }
        csy_sync_free(sync);
    }
    csy_trace_free(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes *bytes;
    csy_error error = {0};
    must_be_ok(bytes_new(memory_file(data, size), "fuzz", 0, false, 1, &bytes, &error), error);
    struct outcome first = read_all(bytes, size, false, &error);
    struct outcome second = read_all(bytes, size, false, &error);
    must(first.status == second.status && first.blocks == second.blocks && first.sum == second.sum,
         "another reading");
    struct outcome salvaged = read_all(bytes, size, true, &error);
    must(salvaged.blocks >= first.blocks, "salvaged blocks");
    must(!first.is_cut || (!salvaged.status && salvaged.blocks == first.blocks), "salvaged");
    bytes_free(bytes);
    if (capture_begins(data, size))
        solve_trace();
    return 0;
}
