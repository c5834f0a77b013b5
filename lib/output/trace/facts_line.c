/* Writes the line of facts: how the global times of a synchronized trace were found. */
#include "output/trace/facts_line.h"

#include "base/error.h"
#include "output/encode/caveats.h"
#include "output/encode/text.h"
#include "trace/offsets.h"

#include <inttypes.h>
#include <stdlib.h>

/* Write a name as one word. Characters that would end the word are escaped. */
static void put_name(FILE *out, const char *name)
{
    for (; *name; name++)
        fprintf(out, (unsigned char)*name > ' ' && *name != '%' && *name != 0x7f ? "%c" : "%%%02X",
                (unsigned char)*name);
}

static void put_solution(FILE *out, const struct facts_line *facts)
{
    const struct csy_sync *sync = facts->sync;
    char text[FRACTION_TEXT_MAX], decimal[QUOTIENT_TEXT_MAX];
    csy_relax relax = sync->imprecision.relax;
    fprintf(out, "reference=");
    put_name(out, sync->views[sync->reference].name);
    fprintf(out, " alpha=%s", fraction_text(sync->alpha, text));
    fprintf(out, " delta=%s added_ticks=%" PRId64, fraction_text(sync->imprecision.delta, text),
            sync->imprecision.added_ticks);
    if (facts->provable)
        fprintf(out, " original_crc32=0x%08" PRIx32, facts->crc32);
    /* Timestamps in an archive may be wrong by half a tick or more. */
    relax = facts->archive && relax == CSY_RELAX_NONE ? CSY_RELAX_GIVEN : relax;
    fprintf(out, " relax=%s center=%s", text_relax(relax), text_center(sync->center));
    if (sync->ordered && !sync->partial && !sync->drift)
        fprintf(out, " placed=order");
    for (size_t i = 0; i < sync->survey.ndropped; i++)
        fprintf(out, "%s%" PRIu64, i ? "," : " dropped=", sync->survey.dropped[i]);
    if (sync->latency_ticks > 0)
        fprintf(out, " latency=%" PRId64, sync->latency_ticks);
    if (sync->partial && sync->latency_max_ticks < INT64_MAX)
        fprintf(out, " max_latency=%" PRId64, sync->latency_max_ticks);
    const struct measured_offsets *offsets = sync->trace->offsets;
    if (offsets)
        fprintf(out, " offsets=%zu:0x%08" PRIx32, offsets->count, offsets->crc32);
    if (sync->drift) {
        const csy_drift *drift = csy_sync_drift(sync); /* limits of rates, or NULL without drift */
        fprintf(out, " drift=%s", decimal_text(drift->rate_ppb, 3, decimal));
        if (drift->wander_ppb != CSY_NO_DRIFT)
            fprintf(out, " wander=%s", decimal_text(drift->wander_ppb, 3, decimal));
    }
    char premise[CSY_WARNING_TEXT_MAX];
    if (csy_sync_premise(sync, premise)) {
        fprintf(out, " premises=");
        put_name(out, premise);
    }
    fprintf(out, "%s%s", sync->monotonic ? " monotonic=yes" : "", facts->part ? " part=yes" : "");
    if (facts->lacks)
        fprintf(out, " lacks=%s", facts->lacks);
}

char *facts_line_text(const struct facts_line *facts)
{
    const struct csy_trace *trace = facts->trace;
    const struct csy_sync *sync = facts->sync;
    bool bounded = sync->method == CSY_METHOD_BHH;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (bounded)
        put_solution(out, facts);
    else
        fprintf(out, "method=%s", text_method(sync->method));
    /* Options for reading are written only if column names do not state them. */
    if (facts->clock_per == CSY_CLOCK_PER_NODE || facts->clock_per == CSY_CLOCK_PER_LOCATION)
        fprintf(out, " clock_per=%s", facts->clock_per == CSY_CLOCK_PER_NODE ? "node" : "location");
    if (trace->independent && !facts->archive)
        fprintf(out, " ticks_apart=yes");
    if (facts->dated)
        fprintf(out, " epoch=%" PRId64, facts->epoch_ticks);
    const struct csv_asked *asked = &trace->lines.asked;
    if (asked->unit != CSV_AUTO)
        fprintf(out, " time_unit=%s", csv_unit_word(asked->unit));
    for (size_t i = 0; i < sync->steps.count; i++) {
        const struct clock_step *step = &sync->steps.items[i];
        fprintf(out, " step=");
        put_name(out, step->clock);
        if (step->timed)
            fprintf(out, ":%" PRIu64 "@%" PRId64 "-%" PRIu64 "@%" PRId64, step->before,
                    step->before_ticks, step->after, step->after_ticks);
        else
            fprintf(out, ":%" PRIu64 "-%" PRIu64, step->before, step->after);
    }
    if (asked->counter_bits > 0)
        fprintf(out, " counter_bits=%u", asked->counter_bits);
    if (asked->columns && *asked->columns) {
        fprintf(out, " columns=");
        put_name(out, asked->columns);
    }
    const struct caveat_columns told = caveats_columns(sync);
    fprintf(out, "%s", told.conditional ? " conditional=yes" : "");
    if (told.assumed > 0)
        fprintf(out, " assumed=%" PRIu64, told.assumed);
    fprintf(out, "%s", told.order_doubted ? " order_doubted=yes" : "");
    if (bounded)
        fprintf(out, "%s%s", told.one_rate ? " one_rate=yes" : "",
                told.one_step ? " one_step=yes" : "");
    for (struct caveats p = caveats_of(sync, NULL); bounded && caveats_next(&p);)
        if (p.condition && strcmp(p.key, "stamps") != 0 && strcmp(p.key, "order") != 0)
            fprintf(out, " %s=yes", p.key);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static void add_line(struct sheet *sheet, const struct facts_line *facts, const char *head,
                     const char *text)
{
    sheet_add(sheet, head, strlen(head));
    sheet_add(sheet, text, strlen(text));
    sheet_add(sheet, facts->end, facts->end_size);
}

csy_status facts_line_add(struct sheet *sheet, const struct facts_line *facts, uint64_t *crc32_at,
                          csy_error *error)
{
    static const char head[] = "# cellsync ", key[] = " original_crc32=0x";
    char *text = facts_line_text(facts);
    if (!text)
        return error_memory(error);
    if (crc32_at && facts->provable)
        *crc32_at =
            sheet->written + strlen(head) + strlen(key) + (size_t)(strstr(text, key) - text);
    add_line(sheet, facts, head, text);
    free(text);
    for (struct caveats p = caveats_of(facts->sync, NULL); caveats_next(&p) && !p.condition;)
        add_line(sheet, facts, CSV_WARNING, p.text);
    return CSY_OK;
}
