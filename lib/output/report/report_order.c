/* Writes about a partial order, receives before their sends, and the offsets of the tracer. */
#include "base/error.h"
#include "output/encode/escape.h"
#include "output/report/report.h"

#include <inttypes.h>
#include <string.h>

/* Write a comma, a number, and `what`, as in ", 2 locations". Write nothing if the number is 0. */
static void write_count(uint64_t n, const char *what, struct outfile *out)
{
    if (n > 0)
        outfile_print(out, ", %" PRIu64 " %s%s", n, what, text_plural(n));
}

void matched_text(const struct csy_trace *trace, const csy_matched *matched, struct outfile *out)
{
    char key[ERROR_ESCAPED_MAX], place[CSY_PLACE_TEXT_MAX];
    size_t word = strlen(csy_trace_place_name(trace));
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
    outfile_add(out, "\n");
    /* For each kind of record and each reason, list the first records without a partner. */
    for (size_t i = 0; i < matched->nunused; i++) {
        const csy_unused *unused = &matched->unused[i];
        const char *why = text_left_out(unused->why);
        if (text_is_last_of_channel(matched, unused))
            why = unused->end == CSY_END_SEND
                      ? "the channel has fewer receives, so its last sends are left out"
                      : "the channel has fewer waits, so its last posts are left out";
        outfile_print(out, "left out    %" PRIu64 " %s%s: %s; %s", unused->count,
                      text_end(unused->end), text_plural(unused->count), why,
                      csy_trace_place_name(trace));
        for (size_t k = 0; k < unused->nlisted; k++)
            outfile_print(out, "%s%s ('%s')", k ? "," : "",
                          csy_trace_place_text(trace, unused->listed[k].place, place) + word,
                          error_escape(key, unused->listed[k].key, strlen(unused->listed[k].key)));
        outfile_add(out, unused->count > unused->nlisted ? ", ...\n" : "\n");
    }
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
            outfile_print(out, "%s{\"record\": %" PRIu64 ", \"place\": %" PRIu64, k ? ", " : "",
                          end->record, end->place);
            put_string(out, ", \"key\": ", end->key);
            outfile_add(out, "}");
        }
        outfile_add(out, "]}");
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
    outfile_add(out, "\n");
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
    outfile_add(out, "},\n");
}

void steps_json(const csy_witness_edge *edge, struct outfile *out)
{
    outfile_print(out, ", \"latency_ticks\": %" PRId64 ", \"by\": [", edge->latency_ticks);
    for (size_t i = 0; i < edge->nsteps; i++) {
        const csy_order_step *step = &edge->steps[i];
        outfile_print(out, "%s{\"order\": \"%s\", \"key\": ", i ? ", " : "", text_step(step->kind));
        if (step->key.bytes) {
            outfile_add(out, "\"");
            json_characters(out, step->key.bytes, step->key.size);
            outfile_add(out, "\"");
        } else {
            outfile_add(out, "null");
        }
        outfile_print(out, ", \"latency_ticks\": %" PRId64 "}", step->latency_ticks);
    }
    outfile_add(out, "]");
}

/* --- Offsets of the tracer ------------------------------------------------------------------- */

void tracer_text(const struct csy_sync *sync, struct outfile *out)
{
    if (!sync->tracer)
        return;
    const csy_tracer *tracer = &sync->tracer->view;
    const char *clock = text_clock(sync);
    bool bounds = sync->method == CSY_METHOD_BHH;
    char text[CSY_TIME_TEXT_MAX];
    if (tracer->readings == 0) {
        outfile_add(out, "tracer      no recorded clock offsets (ClockOffset)\n");
        return;
    }
    size_t known = tracer->inside + tracer->outside;
    outfile_print(out, "tracer      the recorded offsets of %zu %s%s are", known, clock,
                  text_plural(known));
    if (bounds && tracer->outside == 0)
        outfile_add(out, " within the bounds");
    else if (bounds)
        outfile_print(out, " %zu within the bounds, %zu outside", tracer->inside, tracer->outside);
    if (bounds && tracer->outside > 0) {
        const csy_tracer_clock *worst = &tracer->clocks[tracer->worst];
        char name[ERROR_ESCAPED_MAX];
        outfile_print(out, ": %s by up to %s, at %" PRId64, report_name(sync, tracer->worst, name),
                      text_time(worst->outside_ticks, sync->trace->timebase_hz, text),
                      worst->worst.local_ticks);
    }
    int64_t most = 0;
    for (size_t t = 0; t < tracer->nclocks; t++)
        if (t != sync->reference && tracer->clocks[t].distance_ticks > most)
            most = tracer->clocks[t].distance_ticks;
    outfile_print(out, "; they differ from the offsets in this report by at most %s",
                  text_time(most, sync->trace->timebase_hz, text));
    if (tracer->unknown > 0)
        outfile_print(out, "; unknown for %zu", tracer->unknown);
    outfile_add(out, "\n");
}

static void write_moment(struct outfile *out, const char *key, const csy_tracer_moment *moment)
{
    outfile_print(out,
                  ", \"%s\": {\"local_ticks\": %" PRId64 ", \"tracer_ticks\": %" PRId64
                  ", \"offset_ticks\": %" PRId64,
                  key, moment->local_ticks, moment->tracer_ticks, moment->offset_ticks);
    put_ticks(out, "earliest_ticks", moment->earliest_ticks);
    put_ticks(out, "latest_ticks", moment->latest_ticks);
    outfile_add(out, "}");
}

void tracer_json(const struct csy_sync *sync, struct outfile *out)
{
    const char *separator = "\n    {\"name\": ";
    if (!sync->tracer)
        return;
    const csy_tracer *tracer = &sync->tracer->view;
    bool bhh = sync->method == CSY_METHOD_BHH, some = tracer->readings > 0;
    outfile_print(out, "  \"tracer\": {\"readings\": %" PRIu64, tracer->readings);
    put_ticks(out, "inside", bhh && some ? (int64_t)tracer->inside : INT64_MAX);
    put_ticks(out, "outside", bhh && some ? (int64_t)tracer->outside : INT64_MAX);
    put_ticks(out, "unknown", some ? (int64_t)tracer->unknown : INT64_MAX);
    outfile_add(out, ", \"clocks\": [");
    for (size_t t = 0; some && t < tracer->nclocks && !outfile_failed(out); t++) {
        const csy_tracer_clock *clock = &tracer->clocks[t];
        bool bounds = bhh && clock->known;
        if (t == sync->reference)
            continue;
        put_string(out, separator, sync->views[t].name);
        outfile_print(out, ", \"readings\": %" PRIu64 ", \"inside\": %s", clock->readings,
                      bounds ? text_bool(clock->outside_ticks == 0) : "null");
        put_ticks(out, "outside_ticks", bounds ? clock->outside_ticks : INT64_MAX);
        put_ticks(out, "distance_ticks", clock->known ? clock->distance_ticks : INT64_MAX);
        if (clock->known) {
            write_moment(out, "first", &clock->first);
            write_moment(out, "last", &clock->last);
            write_moment(out, "worst", &clock->worst);
            outfile_add(out, "}");
        } else {
            outfile_add(out, ", \"first\": null, \"last\": null, \"worst\": null}");
        }
        separator = ",\n    {\"name\": ";
    }
    outfile_add(out, some && tracer->nclocks > 1 ? "\n  ]},\n" : "]},\n");
}
