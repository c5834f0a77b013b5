/* The tracer's offsets compared with ours, in reports. */
#include "output/report/report_tracer.h"

#include "base/error.h"
#include "output/encode/json.h"
#include "output/encode/text.h"

#include <inttypes.h>
#include <string.h>

void tracer_text(const struct csy_sync *sync, struct outfile *out)
{
    if (!sync->tracer)
        return;
    const csy_tracer *tracer = &sync->tracer->view;
    const char *clock = text_clock(sync);
    bool bounds = sync->method == CSY_METHOD_BHH;
    char text[CSY_TIME_TEXT_MAX];
    if (tracer->readings == 0) {
        outfile_print(out, "tracer      no recorded clock offsets (ClockOffset)\n");
        return;
    }
    size_t known = tracer->inside + tracer->outside;
    outfile_print(out, "tracer      the recorded offsets of %zu %s%s are", known, clock,
                  text_plural(known));
    if (bounds && tracer->outside == 0)
        outfile_print(out, " within the bounds");
    else if (bounds)
        outfile_print(out, " %zu within the bounds, %zu outside", tracer->inside, tracer->outside);
    if (bounds && tracer->outside > 0) {
        const csy_tracer_clock *worst = &tracer->clocks[tracer->worst];
        const char *name = sync->views[tracer->worst].name;
        char escaped[ERROR_ESCAPED_MAX];
        outfile_print(out, ": %s by up to %s, at %" PRId64,
                      error_escape(escaped, name, strlen(name)),
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
    outfile_print(out, "\n");
}

/* --- JSON ----------------------------------------------------------------------------------- */

static void write_ticks(struct outfile *out, const char *key, int64_t ticks)
{
    char text[TICKS_TEXT_MAX];
    outfile_print(out, ", \"%s\": %s", key, text_ticks(ticks, "null", "null", text));
}

static void write_moment(struct outfile *out, const char *key, const csy_tracer_moment *moment)
{
    outfile_print(out,
                  ", \"%s\": {\"local_ticks\": %" PRId64 ", \"tracer_ticks\": %" PRId64
                  ", \"offset_ticks\": %" PRId64,
                  key, moment->local_ticks, moment->tracer_ticks, moment->offset_ticks);
    write_ticks(out, "earliest_ticks", moment->earliest_ticks);
    write_ticks(out, "latest_ticks", moment->latest_ticks);
    outfile_print(out, "}");
}

static void write_clock(const struct csy_sync *sync, size_t t, struct outfile *out)
{
    const csy_tracer_clock *clock = &sync->tracer->view.clocks[t];
    bool bounds = sync->method == CSY_METHOD_BHH && clock->known;
    outfile_print(out, "{\"name\": ");
    json_string(out, sync->views[t].name);
    outfile_print(out, ", \"readings\": %" PRIu64 ", \"inside\": %s", clock->readings,
                  !bounds                     ? "null"
                  : clock->outside_ticks == 0 ? "true"
                                              : "false");
    write_ticks(out, "outside_ticks", bounds ? clock->outside_ticks : INT64_MAX);
    write_ticks(out, "distance_ticks", clock->known ? clock->distance_ticks : INT64_MAX);
    if (clock->known) {
        write_moment(out, "first", &clock->first);
        write_moment(out, "last", &clock->last);
        write_moment(out, "worst", &clock->worst);
    } else {
        outfile_print(out, ", \"first\": null, \"last\": null, \"worst\": null");
    }
    outfile_print(out, "}");
}

void tracer_json(const struct csy_sync *sync, struct outfile *out)
{
    const char *separator = "\n    ";
    if (!sync->tracer)
        return;
    const csy_tracer *tracer = &sync->tracer->view;
    bool bounds = sync->method == CSY_METHOD_BHH;
    char inside[TICKS_TEXT_MAX], outside[TICKS_TEXT_MAX];
    if (tracer->readings == 0) {
        outfile_print(out, "  \"tracer\": {\"readings\": 0, \"inside\": null, \"outside\": null, "
                           "\"unknown\": null, \"clocks\": []},\n");
        return;
    }
    outfile_print(out,
                  "  \"tracer\": {\"readings\": %" PRIu64
                  ", \"inside\": %s, \"outside\": %s, \"unknown\": %zu, \"clocks\": [",
                  tracer->readings,
                  text_ticks(bounds ? (int64_t)tracer->inside : INT64_MAX, "", "null", inside),
                  text_ticks(bounds ? (int64_t)tracer->outside : INT64_MAX, "", "null", outside),
                  tracer->unknown);
    for (size_t t = 0; t < tracer->nclocks && !outfile_failed(out); t++) {
        if (t == sync->reference)
            continue;
        outfile_print(out, "%s", separator);
        write_clock(sync, t, out);
        separator = ",\n    ";
    }
    outfile_print(out, "%s]},\n", tracer->nclocks > 1 ? "\n  " : "");
}
