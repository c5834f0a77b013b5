/* A partial order in reports. */
#include "output/report/report_order.h"

#include "base/error.h"
#include "output/encode/json.h"

#include <inttypes.h>
#include <string.h>

/* Write "2 locations" after a comma, or nothing for 0. */
static void write_count(uint64_t n, const char *what, struct outfile *out)
{
    if (n > 0)
        outfile_print(out, ", %" PRIu64 " %s%s", n, what, text_plural(n));
}

/* Write how many ends of this kind lack a partner for this reason, and name the first of them. */
static void write_unused(const struct csy_trace *trace, const csy_matched *matched,
                         const csy_unused *unused, struct outfile *out)
{
    char key[ERROR_ESCAPED_MAX], place[CSY_PLACE_TEXT_MAX];
    size_t word = strlen(csy_trace_place_name(trace));
    const char *why = text_left_out(unused->why);
    if (text_is_last_of_channel(matched, unused))
        why = unused->end == CSY_END_SEND
                  ? "the channel has fewer receives, so its last sends are left out"
                  : "the channel has fewer waits, so its last posts are left out";
    outfile_print(out, "left out    %" PRIu64 " %s%s: %s; %s", unused->count, text_end(unused->end),
                  text_plural(unused->count), why, csy_trace_place_name(trace));
    for (size_t i = 0; i < unused->nlisted; i++)
        outfile_print(out, "%s%s ('%s')", i ? "," : "",
                      csy_trace_place_text(trace, unused->listed[i].place, place) + word,
                      error_escape(key, unused->listed[i].key, strlen(unused->listed[i].key)));
    outfile_print(out, "%s\n", unused->count > unused->nlisted ? ", ..." : "");
}

void matched_text(const struct csy_trace *trace, const csy_matched *matched, struct outfile *out)
{
    outfile_print(out, "order       partial: %" PRIu64 " location%s", matched->locations,
                  text_plural(matched->locations));
    write_count(matched->messages, "message", out);
    if (matched->synchronous > 0)
        outfile_print(out, " (%" PRIu64 " synchronous)", matched->synchronous);
    write_count(matched->groups, "group", out);
    if (matched->groups > 0)
        outfile_print(out, " (entered %" PRIu64 " time%s, left %" PRIu64 ")", matched->enters,
                      text_plural(matched->enters), matched->leaves);
    write_count(matched->posts, "post", out);
    if (matched->rooms > 0)
        outfile_print(out, " (%" PRIu64 " waited for a free place)", matched->rooms);
    write_count(matched->handovers, "hand-over", out);
    write_count(matched->spawns, "spawn", out);
    write_count(matched->joins, "join", out);
    write_count(matched->afters, "after relation", out);
    write_count(matched->limits, "limit", out);
    write_count(matched->buffers, "buffer", out);
    write_count(matched->blocks, "block", out);
    if (matched->blocks > 0)
        outfile_print(out, " (%" PRIu64 " with a flush timestamp)", matched->flushes);
    outfile_print(out, "\n");
    for (size_t i = 0; i < matched->nunused; i++)
        write_unused(trace, matched, &matched->unused[i], out);
}

void matched_json(const csy_matched *matched, struct outfile *out)
{
    outfile_print(out,
                  "  \"matched\": {\"locations\": %" PRIu64 ", \"buffers\": %" PRIu64
                  ", \"messages\": %" PRIu64 ", \"synchronous\": %" PRIu64 ", \"groups\": %" PRIu64
                  ", \"enters\": %" PRIu64 ", \"leaves\": %" PRIu64 ", \"afters\": %" PRIu64
                  ", \"blocks\": %" PRIu64 ", \"flushes\": %" PRIu64 ", \"posts\": %" PRIu64
                  ", \"rooms\": %" PRIu64 ", \"handovers\": %" PRIu64 ", \"spawns\": %" PRIu64
                  ", \"joins\": %" PRIu64 ", \"limits\": %" PRIu64 ", \"left_out\": [",
                  matched->locations, matched->buffers, matched->messages, matched->synchronous,
                  matched->groups, matched->enters, matched->leaves, matched->afters,
                  matched->blocks, matched->flushes, matched->posts, matched->rooms,
                  matched->handovers, matched->spawns, matched->joins, matched->limits);
    for (size_t i = 0; i < matched->nunused; i++) {
        const csy_unused *unused = &matched->unused[i];
        outfile_print(
            out, "%s\n    {\"end\": \"%s\", \"why\": \"%s\", \"count\": %" PRIu64 ", \"listed\": [",
            i ? "," : "", text_end(unused->end), text_left_out(unused->why), unused->count);
        for (size_t k = 0; k < unused->nlisted; k++) {
            const csy_unused_end *end = &unused->listed[k];
            outfile_print(out, "%s{\"record\": %" PRIu64 ", \"place\": %" PRIu64 ", \"key\": ",
                          k ? ", " : "", end->record, end->place);
            json_string(out, end->key);
            outfile_print(out, "}");
        }
        outfile_print(out, "]}");
    }
    outfile_print(out, "%s]},\n", matched->nunused ? "\n  " : "");
}

/* --- Messages received before they were sent --- */

static void write_backward(const struct csy_sync *sync, const char *by,
                           const csy_backward *backward, struct outfile *out)
{
    char text[CSY_TIME_TEXT_MAX];
    if (!backward->known)
        return;
    outfile_print(out, "%s %" PRIu64, by, backward->count);
    if (backward->count > 0)
        outfile_print(out, ", by up to %s",
                      text_time(backward->largest_ticks, sync->trace->timebase_hz, text));
}

void violations_text(const struct csy_sync *sync, struct outfile *out)
{
    const csy_violations *violations = sync->violations;
    if (!violations)
        return;
    outfile_print(out, "violations  among %" PRIu64 " message%s, received before the send",
                  violations->messages, text_plural(violations->messages));
    write_backward(sync, ": raw timestamps", &violations->raw, out);
    write_backward(sync, "; offsets of the tracer", &violations->tracer, out);
    write_backward(sync, violations->raw.known ? "; global times" : ": global times",
                   &violations->ours, out);
    outfile_print(out, "\n");
}

static void write_backward_json(const char *key, const csy_backward *backward, struct outfile *out)
{
    if (backward->known)
        outfile_print(out, ", \"%s\": {\"count\": %" PRIu64 ", \"largest_ticks\": %" PRId64 "}",
                      key, backward->count, backward->largest_ticks);
    else
        outfile_print(out, ", \"%s\": null", key);
}

void violations_json(const struct csy_sync *sync, struct outfile *out)
{
    const csy_violations *violations = sync->violations;
    if (!violations)
        return;
    outfile_print(out, "  \"violations\": {\"messages\": %" PRIu64, violations->messages);
    write_backward_json("raw", &violations->raw, out);
    write_backward_json("tracer", &violations->tracer, out);
    write_backward_json("ours", &violations->ours, out);
    outfile_print(out, "},\n");
}

void steps_json(const csy_witness_edge *edge, struct outfile *out)
{
    outfile_print(out, ", \"latency_ticks\": %" PRId64 ", \"by\": [", edge->latency_ticks);
    for (size_t i = 0; i < edge->nsteps; i++) {
        const csy_order_step *step = &edge->steps[i];
        outfile_print(out, "%s{\"order\": \"%s\", \"key\": ", i ? ", " : "", text_step(step->kind));
        if (step->key.bytes) {
            outfile_print(out, "\"");
            json_characters(out, step->key.bytes, step->key.size);
            outfile_print(out, "\"");
        } else {
            outfile_print(out, "null");
        }
        outfile_print(out, ", \"latency_ticks\": %" PRId64 "}", step->latency_ticks);
    }
    outfile_print(out, "]");
}
