/* The metadata of a CTF folder in TSDL, the language of CTF 1.8. */
#include "base/number.h"
#include "output/encode/caveats.h"
#include "output/encode/text.h"
#include "output/encode/utf8.h"
#include "output/trace/ctf.h"

#include <inttypes.h>
#include <string.h>

/* Write a string in quotes. Bytes that TSDL cannot contain become octal. NUL, and bytes that are
 * not UTF-8, become U+FFFD. */
static void write_bytes(struct outfile *out, const char *text, size_t size)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + size;
    outfile_write(out, "\"", 1);
    while (p < end) {
        size_t n = utf8_length(p, (size_t)(end - p));
        if (n == 0 || *p == 0)
            outfile_write(out, "\xef\xbf\xbd", 3);
        else if (*p == '"' || *p == '\\')
            outfile_print(out, "\\%c", *p);
        else if (utf8_is_control(p, n))
            for (size_t i = 0; i < n; i++)
                outfile_print(out, "\\%03o", p[i]);
        else
            outfile_write(out, p, n);
        p += n ? n : 1;
    }
    outfile_write(out, "\"", 1);
}

static void write_string(struct outfile *out, const char *text)
{
    write_bytes(out, text, strlen(text));
}

static void write_types(const struct csy_trace *trace, struct outfile *out)
{
    static const struct {
        const char *name;
        unsigned bits, base;
        bool is_signed;
    } types[] = {{"uint8_t", 8, 10, false},   {"uint16_t", 16, 10, false},
                 {"uint32_t", 32, 10, false}, {"uint64_t", 64, 10, false},
                 {"int64_t", 64, 10, true},   {"hex16_t", 16, 16, false},
                 {"hex32_t", 32, 16, false}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        outfile_print(
            out, "typealias integer { size = %u; align = 8; signed = %s; base = %u; } := %s;\n",
            types[i].bits, types[i].is_signed ? "true" : "false", types[i].base, types[i].name);
    if (trace->types && trace->types->typed)
        outfile_print(out, "typealias integer { size = 64; align = 8; signed = false; base = 16; } "
                           ":= hex64_t;\n"
                           "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } "
                           ":= f64_t;\n");
}

static void write_text(struct outfile *out, const char *key, const char *text)
{
    outfile_print(out, "    %s = ", key);
    write_string(out, text);
    outfile_print(out, ";\n");
}

/* Write the names of the columns, because TSDL identifiers cannot express all of them. */
static csy_status write_columns(const struct ctf_rows *rows, struct outfile *out, csy_error *error)
{
    struct csv_row header;
    csy_status status = csv_header(rows->reader, &header, error);
    if (status)
        return status;
    outfile_print(out, "    header = ");
    write_bytes(out, header.bytes, header.size);
    outfile_print(out, ";\n    unnamed = %" PRIu64 ";\n", rows->unnamed);
    return CSY_OK;
}

static csy_status write_environment(const struct csy_trace *trace, const struct csy_sync *sync,
                                    const struct ctf_written *written, struct outfile *out,
                                    csy_error *error)
{
    csy_status status = CSY_OK;
    char text[FRACTION_TEXT_MAX], key[32];
    size_t n = 0;
    outfile_print(out, "env {\n");
    write_text(out, "tracer_name", "cellsync");
    write_text(out, "tracer_version", csy_version());
    write_text(out, "trace_name", trace->name);
    write_text(out, "machine", csy_trace_machine(trace));
    write_text(out, "method", text_method(sync->method));
    if (sync->method == CSY_METHOD_BHH) {
        write_text(out, "reference", sync->views[sync->reference].name);
        write_text(out, "alpha", fraction_text(sync->alpha, text));
        write_text(out, "center", text_center(sync->center));
        write_text(out, "relax", text_relax(sync->imprecision.relax));
        write_text(out, "delta_ticks", fraction_text(sync->imprecision.delta, text));
        outfile_print(out, "    added_ticks = %" PRId64 ";\n", sync->imprecision.added_ticks);
        outfile_print(out, "    conditional = %d;\n", sync->imprecision.conditional);
    }
    outfile_print(out, "    assumed = %" PRIu64 ";\n", sync->survey.clock_report.assumed);
    for (struct caveats p = caveats_of(sync, NULL); caveats_next(&p); n += p.condition) {
        if (!p.condition)
            snprintf(key, sizeof key, "%s_warning", p.key);
        else
            snprintf(key, sizeof key, n > 0 ? "condition_%zu" : "condition", n + 1);
        write_text(out, key, p.text);
    }
    if (written->part)
        write_text(out, "part", "yes");
    if (written->rows)
        status = write_columns(written->rows, out, error);
    outfile_print(out,
                  "    records = %" PRIu64 ";\n    base_ticks = %" PRId64 ";\n    raised = %" PRIu64
                  ";\n};\n\n",
                  sync->survey.records, written->base_ticks, written->raised);
    return status;
}

/* The context of an event that comes from a record, or from a row. */
static const char *const context_of_record =
    "        string thread;\n        uint32_t tid;\n"
    "        hex16_t event_id;\n        hex32_t pc;\n"
    "        int64_t global;\n        int64_t local;\n        uint64_t stamp;\n"
    "        uint8_t interval;\n        int64_t begin;\n"
    "        uint64_t begin_stamp;\n";
static const char *const context_of_row = "        string thread;\n        string clock_name;\n"
                                          "        int64_t global;\n        int64_t local;\n"
                                          "        uint8_t interval;\n        int64_t begin;\n"
                                          "        int64_t begin_local;\n";

static void write_stream(enum ctf_core core, struct outfile *out)
{
    bool row = core == CTF_CLOCK;
    outfile_print(out,
                  "stream {\n    id = %d;\n"
                  "    packet.context := struct {\n"
                  "        ticks_t timestamp_begin;\n        ticks_t timestamp_end;\n"
                  "        uint64_t content_size;\n        uint64_t packet_size;\n"
                  "        uint64_t packet_seq_num;\n%s    };\n"
                  "    event.header := struct { uint32_t id; ticks_t timestamp; };\n"
                  "    event.context := struct {\n        uint64_t record;\n%s    };\n};\n\n",
                  (int)core,
                  row ? "        int64_t clock_number;\n"
                      : "        int64_t spe;\n        int64_t context;\n",
                  row ? context_of_row : context_of_record);
}

static void begin_class(enum ctf_core core, uint32_t id, const char *name, struct outfile *out)
{
    outfile_print(out, "event {\n    id = %" PRIu32 ";\n    stream_id = %d;\n    name = ", id,
                  (int)core);
    write_string(out, name);
    outfile_print(out, ";\n    fields := struct {\n");
}

static void end_class(struct outfile *out)
{
    outfile_print(out, "    };\n};\n\n");
}

static void write_thread_class(enum ctf_core core, struct outfile *out)
{
    static const char *const names[] = {"ppe_thread", "live_interval", "clock"};
    begin_class(core, CTF_THREAD, names[core], out);
    outfile_print(out, "        uint64_t _first_record;\n        uint64_t _records;\n");
    if (core != CTF_CLOCK)
        outfile_print(out, "        int64_t _spe;\n        uint32_t _decr_first;\n");
    outfile_print(out, "        int64_t _offset;\n        int64_t _earliest;\n"
                       "        int64_t _latest;\n");
    end_class(out);
}

static bool same_word(const char *a, const char *b)
{
    a = ctf_bare(a);
    b = ctf_bare(b);
    while (*a && ctf_word(*a) == ctf_word(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* True if the field's name gives an identifier that no earlier field has. O(at). */
static bool has_word(const struct event_types *types, const struct record_type *type, size_t at)
{
    const char *name = types_field_name(types, type, at);
    for (size_t i = 0; name && i < at; i++) {
        const char *other = types_field_name(types, type, i);
        if (other && same_word(other, name))
            return false;
    }
    return name && !ctf_is_made(ctf_bare(name));
}

/* Write a field. An underscore before its name distinguishes it from TSDL keywords; readers remove
 * it. */
static void write_field(const struct event_types *types, const struct record_type *type, size_t at,
                        struct outfile *out)
{
    static const char *const kinds[] = {[VALUE_UNSIGNED] = "uint64_t",
                                        [VALUE_SIGNED] = "int64_t",
                                        [VALUE_REAL] = "f64_t",
                                        [VALUE_ADDRESS] = "hex64_t"};
    outfile_print(out, "        %s _", kinds[types_value_kind(types, type, at)]);
    if (has_word(types, type, at)) {
        for (const char *p = types_field_name(types, type, at); *p; p++)
            outfile_print(out, "%c", ctf_word(*p));
        outfile_print(out, ";\n");
    } else {
        outfile_print(out, "value%zu;\n", at);
    }
}

static void write_event_class(const struct event_types *types, enum ctf_core core, uint16_t id,
                              bool described, struct outfile *out)
{
    char text[TYPE_TEXT_MAX];
    const struct record_type *type = types_of_id(types, id);
    begin_class(core, id + (described ? 0U : CTF_SEQUENCE),
                types_event_text(types, id, core == CTF_SPE, text), out);
    for (size_t i = 0; described && type && i < type->nfields; i++)
        write_field(types, type, i, out);
    if (!described)
        outfile_print(out, "        uint16_t _count;\n        uint64_t _values[_count];\n");
    end_class(out);
}

/* Write the classes of rows. Their fields are a separate struct, which many classes share. */
static csy_status write_row_classes(const struct ctf_rows *rows, struct outfile *out,
                                    csy_error *error)
{
    csy_status status = ctf_rows_write_fields(rows, out, error);
    write_stream(CTF_CLOCK, out);
    write_thread_class(CTF_CLOCK, out);
    for (size_t id = CTF_ROW; id <= rows->nnames && !status; id++) {
        outfile_print(out, "event {\n    id = %zu;\n    stream_id = %d;\n    name = ", id,
                      CTF_CLOCK);
        write_string(out, id == CTF_ROW ? "row" : ctf_rows_name(rows, id));
        outfile_print(out, ";\n    fields := struct row;\n};\n\n");
    }
    return status;
}

static void write_record_classes(const struct event_types *types, const struct ctf_written *written,
                                 struct outfile *out)
{
    for (enum ctf_core core = CTF_PPE; core <= CTF_SPE; core++) {
        write_stream(core, out);
        write_thread_class(core, out);
        for (uint32_t id = 0; id < CTF_IDS; id++) {
            if (written->described[core][id / 8] >> id % 8 & 1)
                write_event_class(types, core, (uint16_t)id, true, out);
            if (written->sequences[core][id / 8] >> id % 8 & 1)
                write_event_class(types, core, (uint16_t)id, false, out);
        }
    }
}

csy_status ctf_metadata_write(const struct csy_trace *trace, const struct csy_sync *sync,
                              const struct ctf_written *written, struct outfile *out,
                              csy_error *error)
{
    outfile_print(out, CTF_SIGNATURE "\n");
    write_types(trace, out);
    outfile_print(out, "\ntrace {\n    major = 1;\n    minor = 8;\n    byte_order = be;\n"
                       "    packet.header := struct {\n        uint32_t magic;\n"
                       "        uint32_t stream_id;\n        uint64_t stream_instance_id;\n"
                       "    };\n};\n\n");
    csy_status status = write_environment(trace, sync, written, out, error);
    outfile_print(out,
                  "clock {\n    name = global;\n    description = \"global time, from base_ticks "
                  "on\";\n    freq = %" PRIu64 ";\n    offset = 0;\n};\n\n"
                  "typealias integer { size = 64; align = 8; signed = false; "
                  "map = clock.global.value; } := ticks_t;\n\n",
                  trace->timebase_hz);
    if (!written->rows)
        write_record_classes(trace->types, written, out);
    else if (!status)
        status = write_row_classes(written->rows, out, error);
    return status;
}
