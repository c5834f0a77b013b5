/* The line of facts of a synchronized CSV. */
#include "output/trace/facts_line.h"

#include "base/put.h"
#include "output/encode/caveats.h"
#include "output/encode/words.h"
#include "output/trace/times.h"

#include <inttypes.h>

static void add_string(struct sheet *sheet, const char *text)
{
    sheet_add(sheet, text, strlen(text));
}

/* A name in the line of facts, which blanks separate. */
static void add_name(struct sheet *sheet, const char *name)
{
    char escaped[8];
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c > ' ' && c != '%' && c != 0x7f)
            sheet_add(sheet, name, 1);
        else
            sheet_add(sheet, escaped, (size_t)snprintf(escaped, sizeof escaped, "%%%02X", c));
    }
}

static void add_pair(struct sheet *sheet, const char *key, const char *value)
{
    add_string(sheet, key);
    add_string(sheet, value);
}

/* How the CSV was read, where its names do not say it, so that it can be read again. */
static void add_asked(const struct csy_trace *trace, struct sheet *sheet)
{
    const struct csv_asked *asked = &trace->csv.asked;
    const char *per = words_clock_per(trace->clock_per);
    if (per)
        add_pair(sheet, " clock_per=", per);
    if (trace->independent)
        add_string(sheet, " ticks_apart=yes");
    if (trace->source->carried != CARRIED_ROWS)
        return;
    if (asked->unit != CSV_AUTO)
        add_pair(sheet, " time_unit=", csv_unit_word(asked->unit));
    if (asked->columns && *asked->columns) {
        add_string(sheet, " columns=");
        add_name(sheet, asked->columns);
    }
}

/* What all of it rests on. */
static void add_conditions(struct sheet *sheet, const struct csy_sync *sync)
{
    char text[TICKS_TEXT_MAX];
    const struct caveat_columns told = caveats_columns(sync);
    snprintf(text, sizeof text, "%" PRIu64, told.assumed);
    add_string(sheet, told.conditional ? " conditional=yes" : "");
    if (told.assumed > 0)
        add_pair(sheet, " assumed=", text);
    add_string(sheet, told.order_doubted ? " order_doubted=yes" : "");
    if (sync->method != CSY_METHOD_BHH)
        return;
    add_string(sheet, told.one_rate ? " one_rate=yes" : "");
    add_string(sheet, told.one_step ? " one_step=yes" : "");
    for (struct caveats p = caveats_of(sync, NULL); caveats_next(&p);)
        if (p.condition && strcmp(p.key, "stamps") != 0 && strcmp(p.key, "order") != 0) {
            add_pair(sheet, " ", p.key);
            add_string(sheet, "=yes");
        }
}

/* A line for each warning. */
static void add_warnings(struct sheet *sheet, const struct facts_line *facts)
{
    for (struct caveats p = caveats_of(facts->sync, NULL); caveats_next(&p) && !p.condition;) {
        add_pair(sheet, CSV_WARNING, p.text);
        sheet_add(sheet, facts->end, facts->end_size);
    }
}

static uint64_t add_facts(struct sheet *sheet, const struct facts_line *facts)
{
    const struct csy_sync *sync = facts->sync;
    uint64_t crc32_at = 0;
    char text[FRACTION_TEXT_MAX], digits[CRC32_DIGITS + 1];
    if (sync->method != CSY_METHOD_BHH) {
        add_pair(sheet, "# cellsync method=", words_method(sync->method));
        add_asked(facts->trace, sheet);
        add_conditions(sheet, sync);
        return 0;
    }
    add_string(sheet, "# cellsync reference=");
    add_name(sheet, sync->views[sync->reference].name);
    add_pair(sheet, " alpha=", fraction_text(sync->alpha, text));
    add_pair(sheet, " delta=", fraction_text(sync->imprecision.delta, text));
    add_string(sheet, " added_ticks=");
    sheet_add(sheet, text, (size_t)(number_put(text, sync->imprecision.added_ticks) - text));
    if (facts->provable) {
        add_string(sheet, " original_crc32=0x");
        crc32_at = sheet_size(sheet);
        snprintf(digits, sizeof digits, "%08" PRIx32, facts->crc32);
        add_string(sheet, digits);
    }
    add_pair(sheet, " relax=", words_relax(sync->imprecision.relax));
    add_pair(sheet, " center=", words_center(sync->center));
    for (size_t i = 0; i < sync->survey.ndropped; i++) {
        add_string(sheet, i ? "," : " dropped=");
        sheet_add(sheet, text, (size_t)(number_put_unsigned(text, sync->survey.dropped[i]) - text));
    }
    if (sync->latency_ticks > 0) {
        add_string(sheet, " latency=");
        sheet_add(sheet, text, (size_t)(number_put(text, sync->latency_ticks) - text));
    }
    if (sync->drift) {
        const csy_drift *drift = csy_sync_drift(sync); /* in ppm */
        char ppm[QUOTIENT_TEXT_MAX];
        add_pair(sheet, " drift=", decimal_text(drift->rate_ppb, 3, ppm));
        if (drift->wander_ppb != CSY_NO_DRIFT)
            add_pair(sheet, " wander=", decimal_text(drift->wander_ppb, 3, ppm));
    }
    if (sync->monotonic)
        add_string(sheet, " monotonic=yes");
    if (facts->part)
        add_string(sheet, " part=yes");
    if (facts->lacks) {
        add_string(sheet, " lacks=");
        add_string(sheet, facts->lacks);
    }
    add_asked(facts->trace, sheet);
    add_conditions(sheet, sync);
    return crc32_at;
}

uint64_t facts_line_add(struct sheet *sheet, const struct facts_line *facts)
{
    uint64_t crc32_at = add_facts(sheet, facts);
    sheet_add(sheet, facts->end, facts->end_size);
    add_warnings(sheet, facts);
    return crc32_at;
}
