/* A synchronized trace as a folder of the Common Trace Format, 1.8. See cellsync-output(5), CTF.
 *
 *   metadata   TSDL text: one clock, classes of streams (PPE and SPE; for a CSV its clocks), and
 *              classes of events
 *   ppe, ...   one stream each: packets of events, all big-endian, not aligned
 *
 * The PPE, each SPE, and each context with an unknown SPE have a stream; for a CSV, each clock has
 * one. Streams beyond STREAMS_MAX share the last one. Timestamps of a stream must not decrease.
 * In buffer order they increase, unless timestamps are imprecise. An event that would precede its
 * predecessor gets the timestamp of the predecessor, and the event's context has its own time.
 *
 * Event classes come from the .pex. If an event has as many values as its description, the values
 * are its fields; otherwise the event has a count and a sequence. An additional event describes
 * each thread before its first record.
 *
 * Rows, which are events of named threads, all have the same fields: the columns of a CSV as
 * strings, except the columns in the context of an event. Up to NAMES_MAX event names become a
 * class each. Other names become a field. */
#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/texts.h"
#include "output/encode/caveats.h"
#include "output/encode/escape.h"
#include "output/encode/text.h"
#include "output/file/outfolder.h"
#include "output/trace/trace_out.h"
#include "output/trace/writer.h"
#include "trace/csv/csv.h"
#include "trace/pex/record.h"

#include <inttypes.h>
#include <string.h>

#define CTF_MAGIC UINT32_C(0xc1fc1fc1)
#define CTF_SIGNATURE "/* CTF 1.8 */\n" /* first bytes of the file metadata */

/* Classes of streams. The values are their ids. */
enum core { CORE_PPE_STREAM, CORE_SPE_STREAM, CORE_CLOCK_STREAM };

/* Ids of event classes. A record's class is its event id, plus ID_SEQUENCE if it has more or fewer
 * values than the description of its event. A row's class is the number of its event's name, from
 * 1, or ID_ROW if the name has none. Events that describe a thread have ID_THREAD. */
enum { ID_ROW = 0, ID_SEQUENCE = 0x10000, ID_THREAD = 0x20000 };

enum {
    STREAMS_MAX = 256,
    NAMES_MAX = 4096,         /* largest number of event names that get a class */
    NAME_BYTES_MAX = 256,     /* maximum size of an event name that has a class */
    IDS = 0x10000,            /* number of event ids of records */
    PACKET_BYTES = 32 * 1024, /* usual size of a packet; one event may be larger */
    HEADER_BYTES = 16,        /* packet header: magic number, stream class, and stream */
    CONTEXT_BYTES = 56,       /* packet context; 8 bytes shorter for a CSV, which has no SPE */
    EVENT_BYTES = 12          /* event header: id and timestamp */
};

struct packet {
    uint8_t *bytes;
    size_t capacity;
};

/* A stream of a CTF trace. outfolder_publish returns the first failure of a write. */
struct stream {
    char name[40];
    struct outfolder *folder;
    enum core core;
    uint64_t instance;
    /* -1 if unknown */
    int64_t spe, context;
    struct packet packet;
    size_t used;          /* number of bytes in the packet, or 0 if the packet has no event */
    uint64_t first, last; /* first timestamp of the packet, last timestamp of the stream */
    uint64_t packets;
};

struct ctf_trace {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    struct selection selection;
    struct outfolder *folder;
    const struct relay *relay;           /* writes packets in another thread; or NULL */
    struct packet spares[RELAY_PENDING]; /* packets that the relay's thread may still write */
    size_t next_spare;
    struct stream *streams[STREAMS_MAX];
    size_t nstreams;
    struct stream **of_thread; /* stream of each csy_thread; NULL before its first record */
    int64_t base_ticks;        /* global time of the timestamp 0 */
    uint64_t raised;           /* number of events that got the timestamp of an earlier event */
    /* A bit for each core and event id, set after a record was written: in `described` if it had as
     * many values as its event's description, otherwise in `sequences`. */
    uint8_t described[2][IDS / 8], sequences[2][IDS / 8];
    struct texts names;
    uint64_t unnamed; /* number of rows with an event name that has no class */
    char *text;       /* fields of the last row, each with a NUL at its end */
    size_t size, capacity;
};

static bool has_rows(const struct ctf_trace *w)
{
    return w->sync->tracks != NULL;
}

/* --- Rows ----------------------------------------------------------------------------------- */

/* Append a field and a NUL to w->text. Doubled quotes become one. A NUL byte becomes U+FFFD. An
 * empty field becomes a blank, because babeltrace2 2.0 shows an earlier value for empty strings. */
static csy_status add_field(struct ctf_trace *w, struct csv_field field, csy_error *error)
{
    static const char replacement[] = "\xef\xbf\xbd";
    size_t most = (field.size && memchr(field.at, 0, field.size) ? 3 : 1) * field.size + 2;
    if (!ARRAY_RESERVE(w->text, w->capacity, w->size + most))
        return error_memory(error);
    char *to = w->text + w->size;
    for (size_t i = 0; i < field.size; i++) {
        if (field.at[i])
            *to++ = field.at[i];
        else {
            memcpy(to, replacement, sizeof replacement - 1);
            to += sizeof replacement - 1;
        }
        i += field.quoted && field.at[i] == '"';
    }
    if (field.size == 0)
        *to++ = ' ';
    *to++ = 0;
    w->size = (size_t)(to - w->text);
    return CSY_OK;
}

/* Returns true if events need no field for column i, because their context or header has it. */
static bool is_told(const struct csv_header *columns, size_t i)
{
    return i == columns->thread || i == columns->clock || csv_header_is_global(columns, i);
}

/* Convert a row: store its fields in w->text and the id of its event class in *id. */
static csy_status take_row(struct ctf_trace *w, const struct event *event, uint32_t *id,
                           csy_error *error)
{
    const struct csv_row *row = event->row;
    uint32_t number;
    bool added;
    w->size = 0;
    csy_status status =
        add_field(w, (struct csv_field){event->name, event->name_size, false}, error);
    size_t size = status ? 0 : w->size - 1;
    *id = ID_ROW;
    if (event->name_size > 0 && !status) {
        bool known = texts_look(&w->names, w->text, size, &number);
        if (!known && (w->names.count == NAMES_MAX || size > NAME_BYTES_MAX))
            w->unnamed++;
        else if (!known && !texts_find(&w->names, w->text, size, &number, &added))
            status = error_memory(error);
        else
            *id = number + 1;
    }
    w->size = 0;
    for (size_t i = 0; row && i < row->nfields && !status; i++)
        if (!is_told(&w->trace->lines.columns, i))
            status = add_field(w, row->fields[i], error);
    if (!status && w->trace->source->valued)
        status =
            add_field(w, (struct csv_field){(const char *)event->bytes, event->size, false}, error);
    if (!status && w->trace->has_routines)
        status = add_field(w, (struct csv_field){event->routine.bytes, event->routine.size, false},
                           error);
    return status;
}

/* --- Identifiers of TSDL -------------------------------------------------------------------- */

/* Returns c, or an underscore if a TSDL identifier cannot contain c. */
static char word_character(char c)
{
    bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return (char)(good || !c ? c : '_');
}

/* Skip the first bytes of a name that would become underscores. Readers may remove several
 * underscores, so names must differ in the rest. */
static const char *bare_name(const char *name)
{
    while (*name && word_character(*name) == '_')
        name++;
    return name;
}

static bool is_generated(const char *bare)
{
    return !*bare ||
           (strncmp(bare, "value", 5) == 0 && bare[5] && !bare[5 + strspn(bare + 5, "0123456789")]);
}

/* Returns true if CTF readers take two names for the same identifier. */
static bool same_word(const char *a, const char *b)
{
    a = bare_name(a);
    b = bare_name(b);
    for (; *a && word_character(*a) == word_character(*b); a++)
        b++;
    return *a == *b;
}

/* Returns true if a field's name, as an identifier, differs from all earlier names. O(at). */
static bool has_word(const struct event_types *types, const struct record_type *type, size_t at)
{
    const char *name = types_field_name(types, type, at);
    for (size_t i = 0; name && i < at; i++) {
        const char *other = types_field_name(types, type, i);
        if (other && same_word(other, name))
            return false;
    }
    return name && !is_generated(bare_name(name));
}

/* --- Metadata ------------------------------------------------------------------------------- */

/* Write a string in quotes, with escapes. NUL, and bytes that are not UTF-8, become U+FFFD. */
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

static void write_text(struct outfile *out, const char *key, const char *text)
{
    outfile_print(out, "    %s = ", key);
    write_bytes(out, text, strlen(text));
    outfile_print(out, ";\n");
}

static csy_status write_environment(const struct ctf_trace *w, struct outfile *out,
                                    csy_error *error)
{
    const struct csy_sync *sync = w->sync;
    struct csv_row header = {0};
    csy_status status = CSY_OK;
    char text[FRACTION_TEXT_MAX], key[32];
    size_t n = 0;
    outfile_print(out, "env {\n");
    write_text(out, "tracer_name", "cellsync");
    write_text(out, "tracer_version", csy_version());
    write_text(out, "trace_name", w->trace->name);
    write_text(out, "machine", csy_trace_machine(w->trace));
    write_text(out, "method", text_method(sync->method));
    if (sync->method == CSY_METHOD_BHH) {
        write_text(out, "reference", sync->views[sync->reference].name);
        write_text(out, "alpha", fraction_text(sync->alpha, text));
        write_text(out, "center", text_center_words[sync->center]);
        write_text(out, "relax", text_relax_words[sync->imprecision.relax]);
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
    if (!w->selection.all)
        write_text(out, "part", "yes");
    if (has_rows(w))
        status = csv_header(&w->trace->lines, &header, error);
    if (has_rows(w) && !status) {
        /* Write the CSV's header, because TSDL identifiers cannot express all names of columns. */
        outfile_print(out, "    header = ");
        write_bytes(out, header.bytes, header.size);
        outfile_print(out, ";\n    unnamed = %" PRIu64 ";\n", w->unnamed);
    }
    outfile_print(out,
                  "    records = %" PRIu64 ";\n    base_ticks = %" PRId64 ";\n    raised = %" PRIu64
                  ";\n};\n\n",
                  sync->survey.records, w->base_ticks, w->raised);
    return status;
}

static void begin_class(enum core core, uint32_t id, csy_text name, struct outfile *out)
{
    outfile_print(out, "event {\n    id = %" PRIu32 ";\n    stream_id = %d;\n    name = ", id,
                  (int)core);
    write_bytes(out, name.bytes, name.size);
    outfile_print(out, ";\n    fields := struct ");
}

/* Write the class of a stream, and the class of the events that describe threads. */
static void write_stream(enum core core, struct outfile *out)
{
    static const char *const names[] = {"ppe_thread", "live_interval", "clock"};
    bool row = core == CORE_CLOCK_STREAM;
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
                  row ? "        string thread;\n        string clock_name;\n"
                        "        int64_t global;\n        int64_t local;\n"
                        "        uint8_t interval;\n        int64_t begin;\n"
                        "        int64_t begin_local;\n"
                      : "        string thread;\n        uint32_t tid;\n"
                        "        hex16_t event_id;\n        hex32_t pc;\n"
                        "        int64_t global;\n        int64_t local;\n        uint64_t stamp;\n"
                        "        uint8_t interval;\n        int64_t begin;\n"
                        "        uint64_t begin_stamp;\n");
    begin_class(core, ID_THREAD, (csy_text){names[core], strlen(names[core])}, out);
    outfile_print(out,
                  "{\n        uint64_t _first_record;\n        uint64_t _records;\n%s"
                  "        int64_t _offset;\n        int64_t _earliest;\n"
                  "        int64_t _latest;\n    };\n};\n\n",
                  row ? "" : "        int64_t _spe;\n        uint32_t _decr_first;\n");
}

/* Write the class of the records with an id. Field names get an underscore, which readers remove,
 * so that they differ from TSDL keywords. */
static void write_record_class(const struct event_types *types, enum core core, uint16_t id,
                               bool described, struct outfile *out)
{
    static const char *const kinds[] = {[VALUE_UNSIGNED] = "uint64_t",
                                        [VALUE_SIGNED] = "int64_t",
                                        [VALUE_REAL] = "f64_t",
                                        [VALUE_ADDRESS] = "hex64_t"};
    char text[TYPE_TEXT_MAX];
    const struct record_type *type = types_of_id(types, id);
    const char *name = types_event_text(types, id, core == CORE_SPE_STREAM, text);
    begin_class(core, id + (described ? 0U : ID_SEQUENCE), (csy_text){name, strlen(name)}, out);
    outfile_print(out, "{\n");
    for (size_t i = 0; described && type && i < type->nfields; i++) {
        outfile_print(out, "        %s _", kinds[types_value_kind(types, type, i)]);
        if (has_word(types, type, i)) {
            for (const char *p = types_field_name(types, type, i); *p; p++)
                outfile_print(out, "%c", word_character(*p));
            outfile_print(out, ";\n");
        } else {
            outfile_print(out, "value%zu;\n", i);
        }
    }
    if (!described)
        outfile_print(out, "        uint16_t _count;\n        uint64_t _values[_count];\n");
    outfile_print(out, "    };\n};\n\n");
}

/* Write the classes of rows. All classes use the same struct of fields. */
static csy_status write_row_classes(const struct ctf_trace *w, struct outfile *out,
                                    csy_error *error)
{
    struct csv_row header;
    csy_status status = csv_header(&w->trace->lines, &header, error);
    if (status)
        return status;
    struct texts seen = {0};
    char *text = malloc(header.size + header.nfields + 1), *at = text;
    if (!text)
        status = error_memory(error);
    outfile_print(out, "struct row {\n");
    for (size_t i = 0; i < header.nfields && !status; i++) {
        /* Make an identifier of the column's name. If an earlier column has it, use a number. */
        struct csv_field name = csv_field_trim(header.fields[i]);
        const char *word = at;
        uint32_t number;
        bool added = false;
        for (size_t k = 0; k < name.size; k++) {
            *at++ = word_character(name.at[k]);
            k += name.quoted && name.at[k] == '"';
        }
        *at++ = 0;
        const char *bare = bare_name(word);
        if (!texts_find(&seen, bare, strlen(bare), &number, &added))
            status = error_memory(error);
        if (status || is_told(&w->trace->lines.columns, i))
            continue;
        if (!added || is_generated(bare))
            outfile_print(out, "    string _value%zu;\n", i);
        else
            outfile_print(out, "    string _%s;\n", word);
    }
    outfile_print(out, "%s%s};\n\n", w->trace->source->valued ? "    string _values;\n" : "",
                  w->trace->has_routines ? "    string _routine;\n" : "");
    texts_fini(&seen);
    free(text);
    write_stream(CORE_CLOCK_STREAM, out);
    for (uint32_t id = ID_ROW; id <= w->names.count && !status; id++) {
        csy_text row = {"row", strlen("row")};
        begin_class(CORE_CLOCK_STREAM, id, id == ID_ROW ? row : texts_text(&w->names, id - 1), out);
        outfile_print(out, "row;\n};\n\n");
    }
    return status;
}

static csy_status write_metadata(const struct ctf_trace *w, struct outfile *out, csy_error *error)
{
    static const struct {
        const char *name;
        unsigned bits, base;
        bool is_signed;
    } integers[] = {{"uint8_t", 8, 10, false},   {"uint16_t", 16, 10, false},
                    {"uint32_t", 32, 10, false}, {"uint64_t", 64, 10, false},
                    {"int64_t", 64, 10, true},   {"hex16_t", 16, 16, false},
                    {"hex32_t", 32, 16, false}};
    outfile_print(out, CTF_SIGNATURE "\n");
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        outfile_print(
            out, "typealias integer { size = %u; align = 8; signed = %s; base = %u; } := %s;\n",
            integers[i].bits, text_bool(integers[i].is_signed), integers[i].base, integers[i].name);
    if (w->trace->types && w->trace->types->typed)
        outfile_print(out, "typealias integer { size = 64; align = 8; signed = false; base = 16; } "
                           ":= hex64_t;\n"
                           "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } "
                           ":= f64_t;\n");
    outfile_print(out, "\ntrace {\n    major = 1;\n    minor = 8;\n    byte_order = be;\n"
                       "    packet.header := struct {\n        uint32_t magic;\n"
                       "        uint32_t stream_id;\n        uint64_t stream_instance_id;\n"
                       "    };\n};\n\n");
    csy_status status = write_environment(w, out, error);
    outfile_print(out,
                  "clock {\n    name = global;\n    description = \"global time, from base_ticks "
                  "on\";\n    freq = %" PRIu64 ";\n    offset = 0;\n};\n\n"
                  "typealias integer { size = 64; align = 8; signed = false; "
                  "map = clock.global.value; } := ticks_t;\n\n",
                  w->trace->timebase_hz);
    if (has_rows(w))
        return status ? status : write_row_classes(w, out, error);
    for (enum core core = CORE_PPE_STREAM; core <= CORE_SPE_STREAM; core++) {
        write_stream(core, out);
        for (uint32_t id = 0; id < IDS; id++) {
            if (w->described[core][id / 8] >> id % 8 & 1)
                write_record_class(w->trace->types, core, (uint16_t)id, true, out);
            if (w->sequences[core][id / 8] >> id % 8 & 1)
                write_record_class(w->trace->types, core, (uint16_t)id, false, out);
        }
    }
    return status;
}

/* --- Packets -------------------------------------------------------------------------------- */

/* Append bytes to an event. Returns the new end of the event. */
static inline uint8_t *put(uint8_t *at, const void *bytes, size_t size)
{
    if (size > 0)
        memcpy(at, bytes, size);
    return at + size;
}

static inline uint8_t *put16(uint8_t *at, uint16_t value)
{
    store16(at, value);
    return at + 2;
}

static inline uint8_t *put32(uint8_t *at, uint32_t value)
{
    store32(at, value);
    return at + 4;
}

static inline uint8_t *put64(uint8_t *at, uint64_t value)
{
    store64(at, value);
    return at + 8;
}

static size_t head_bytes(const struct stream *stream)
{
    return HEADER_BYTES + CONTEXT_BYTES - (stream->core == CORE_CLOCK_STREAM ? 8 : 0);
}

static void append(void *user, const void *bytes, size_t size)
{
    const struct stream *stream = user;
    outfolder_append(stream->folder, stream->name, bytes, size);
}

/* Write the packet of a stream, if any. While a relay writes it, the stream fills a spare one. */
static void flush(struct ctf_trace *w, struct stream *stream)
{
    uint8_t *p = stream->packet.bytes;
    if (stream->used == 0)
        return;
    store32(p, CTF_MAGIC);
    store32(p + 4, (uint32_t)stream->core);
    store64(p + 8, stream->instance);
    store64(p + 16, stream->first);
    store64(p + 24, stream->last);
    store64(p + 32, 8 * (uint64_t)stream->used);
    store64(p + 40, 8 * (uint64_t)stream->used);
    store64(p + 48, stream->packets++);
    store64(p + 56, (uint64_t)stream->spe);
    store64(p + head_bytes(stream) - 8, (uint64_t)stream->context);
    stream->folder = w->folder;
    if (w->relay) {
        struct packet *spare = &w->spares[w->next_spare++ % RELAY_PENDING], full = stream->packet;
        w->relay->ask(w->relay->user, append, stream, full.bytes, stream->used);
        stream->packet = *spare;
        *spare = full;
    } else {
        append(stream, p, stream->used);
    }
    stream->used = 0;
}

/* Begin an event. Returns room for `bytes` bytes of context and fields, or NULL if out of memory.
 * The timestamp is the event's time or, if later, the last timestamp of the stream. */
static uint8_t *begin_event(struct ctf_trace *w, struct stream *stream, uint32_t id,
                            int64_t global_ticks, size_t bytes)
{
    size_t need = EVENT_BYTES + bytes, least = head_bytes(stream) + need;
    int128 since = (int128)global_ticks - w->base_ticks;
    bool raised = since < (int128)stream->last;
    uint64_t timestamp = raised ? stream->last : (uint64_t)since;
    w->raised += raised;
    if (stream->used > 0 && stream->used + need > PACKET_BYTES)
        flush(w, stream);
    if (!ARRAY_RESERVE(stream->packet.bytes, stream->packet.capacity,
                       least > PACKET_BYTES ? least : PACKET_BYTES))
        return NULL;
    if (stream->used == 0) {
        stream->used = head_bytes(stream);
        stream->first = timestamp;
    }
    stream->last = timestamp;
    return put64(put32(stream->packet.bytes + stream->used, id), timestamp);
}

static void write_nothing(void *file, const void *bytes, size_t size)
{
    (void)file, (void)bytes, (void)size;
}

/* End the event at `end`. If the packet is long enough, write the packet. */
static void end_event(struct ctf_trace *w, struct stream *stream, const uint8_t *end)
{
    stream->used = (size_t)(end - stream->packet.bytes);
    if (stream->used <= PACKET_BYTES)
        return;
    flush(w, stream);
    /* Free a packet that is larger than usual. */
    struct packet *packet = &stream->packet;
    if (w->relay) {
        packet = &w->spares[(w->next_spare - 1) % RELAY_PENDING];
        for (unsigned i = 0; i < RELAY_PENDING; i++) /* wait until the packet is written */
            w->relay->ask(w->relay->user, write_nothing, NULL, NULL, 0);
    }
    free(packet->bytes);
    *packet = (struct packet){0};
}

/* --- Events --------------------------------------------------------------------------------- */

/* Returns the stream of an SPE, context, or clock, or NULL. For the PPE, both numbers are -1. */
static struct stream *find_stream(const struct ctf_trace *w, enum core core, int64_t spe,
                                  int64_t context)
{
    for (size_t i = 0; i < w->nstreams; i++) {
        struct stream *stream = w->streams[i];
        if (stream->core == core && stream->spe == spe && stream->context == context)
            return stream;
    }
    return NULL;
}

/* Find or make the stream of a thread. Returns NULL if out of memory. */
static struct stream *thread_stream(struct ctf_trace *w, size_t index)
{
    const csy_thread *thread = &w->sync->views[index];
    enum core core = has_rows(w)                    ? CORE_CLOCK_STREAM
                     : thread->kind == CSY_KIND_PPE ? CORE_PPE_STREAM
                                                    : CORE_SPE_STREAM;
    bool clock = core == CORE_CLOCK_STREAM, ppe = core == CORE_PPE_STREAM;
    /* An SPE number of more than 63 bits counts as unknown. */
    int64_t spe = !clock && thread->spe <= INT64_MAX ? (int64_t)thread->spe : -1;
    int64_t context = clock ? (int64_t)index : spe < 0 ? thread->context : -1;
    struct stream *stream = find_stream(w, core, spe, context);
    /* Reserve the last two streams: one for the PPE, and one for all other threads. */
    if (!stream && w->nstreams >= STREAMS_MAX - 2 && !ppe) {
        spe = context = -1;
        stream = find_stream(w, core, spe, context);
    }
    if (stream || !(stream = calloc(1, sizeof *stream)))
        return stream;
    *stream =
        (struct stream){.core = core, .instance = w->nstreams, .spe = spe, .context = context};
    const char *kind = ppe           ? "ppe"
                       : spe >= 0    ? "spe"
                       : context < 0 ? "others"
                       : clock       ? "clock"
                                     : "context";
    if (ppe || (spe < 0 && context < 0))
        snprintf(stream->name, sizeof stream->name, "%s", kind);
    else
        snprintf(stream->name, sizeof stream->name, "%s%" PRId64, kind, spe >= 0 ? spe : context);
    w->streams[w->nstreams++] = stream;
    return stream;
}

struct item {
    const csy_event *event;
    const struct record *record; /* the record, or NULL if the event is a row */
    const char *thread, *clock;
    size_t thread_size, clock_size;
    bool interval;
    int64_t begin_ticks;
    uint64_t begin_stamp; /* begin as in the trace: raw for a record, in local time for a row */
};

static uint8_t *put_context(uint8_t *at, const struct item *item)
{
    const struct record *record = item->record;
    at = put64(at, item->event->record);
    at = put(at, item->thread, item->thread_size + 1);
    if (record) {
        at = put32(at, record->thread);
        at = put16(at, record->id);
        at = put32(at, load32(record->bytes + 12));
    } else {
        at = put(at, item->clock, item->clock_size + 1);
    }
    at = put64(at, (uint64_t)item->event->global_ticks);
    at = put64(at, (uint64_t)item->event->local_ticks);
    if (record)
        at = put64(at, record->stamp);
    *at++ = item->interval;
    at = put64(at, (uint64_t)item->begin_ticks);
    return put64(at, item->begin_stamp);
}

static csy_status put_event(void *user, const struct event *read, const csy_event *event,
                            csy_error *error)
{
    struct ctf_trace *w = user;
    const csy_thread *thread = &w->sync->views[event->thread];
    struct stream **own = &w->of_thread[event->thread];
    const struct record *record = has_rows(w) ? NULL : read->record;
    struct item item = {.event = event,
                        .record = record,
                        .thread = thread->name,
                        .thread_size = strlen(thread->name)};
    uint32_t id;
    bool counted = false; /* true if the number of fields precedes the fields */
    csy_status status =
        placement_event_begin(w->sync, read, event, &item.interval, &item.begin_ticks, error);
    if (status)
        return status;
    if (record) {
        const struct record_type *type = types_of_id(w->trace->types, record->id);
        counted = record->npayload != (type ? type->nfields : 0);
        uint8_t(*met)[IDS / 8] = counted ? w->sequences : w->described;
        met[record->spe][record->id / 8] |= (uint8_t)(1U << record->id % 8);
        id = record->id + (counted ? ID_SEQUENCE : 0U);
        item.begin_stamp = record->begin;
    } else {
        item.clock = item.thread;
        item.clock_size = item.thread_size;
        item.thread = w->sync->tracks[event->track].name;
        item.thread_size = strlen(item.thread);
        item.begin_stamp = (uint64_t)read->stamp.begin_ticks;
        status = take_row(w, read, &id, error);
    }
    size_t context_bytes = 60 + item.thread_size + item.clock_size;
    size_t size = record ? 8 * (size_t)record->npayload : w->size;
    if (!status && !*own) { /* describe the thread before its first event */
        *own = thread_stream(w, event->thread);
        uint8_t *at =
            *own ? begin_event(w, *own, ID_THREAD, event->global_ticks, context_bytes + 52) : NULL;
        if (!at)
            return error_memory(error);
        at = put64(put64(put_context(at, &item), thread->first_record), thread->records);
        if (record)
            at = put32(put64(at, thread->spe),
                       thread->decr_first); /* an unknown SPE is stored as -1 */
        at = put64(at, (uint64_t)thread->offset_ticks);
        at = put64(at, (uint64_t)thread->earliest_ticks);
        end_event(w, *own, put64(at, (uint64_t)thread->latest_ticks));
    }
    if (status)
        return status;
    uint8_t *at = begin_event(w, *own, id, event->global_ticks, context_bytes + 2 + size);
    if (!at)
        return error_memory(error);
    at = put_context(at, &item);
    if (counted)
        at = put16(at, record->npayload);
    const void *fields = record ? (const void *)record_payload(record, false) : w->text;
    end_event(w, *own, put(at, fields, size));
    return CSY_OK;
}

static bool has_failed(const void *user)
{
    return outfolder_failed(((const struct ctf_trace *)user)->folder);
}

static void set_relay(void *user, const struct relay *relay)
{
    ((struct ctf_trace *)user)->relay = relay;
}

/* --- The folder ----------------------------------------------------------------------------- */

static bool is_ctf_file(void *user, int folder_fd, const char *name)
{
    bool *has_metadata = user;
    static const uint8_t magic[] = {0xc1, 0xfc, 0x1f, 0xc1}, turned[] = {0xc1, 0x1f, 0xfc, 0xc1};
    char head[sizeof CTF_SIGNATURE - 1] = "";
    if (outfolder_read_head(folder_fd, name, head, sizeof head) <= 0)
        return false;
    if (strcmp(name, "metadata") == 0) {
        *has_metadata = true;
        return memcmp(head, CTF_SIGNATURE, sizeof head) == 0;
    }
    return memcmp(head, magic, sizeof magic) == 0 || memcmp(head, turned, sizeof turned) == 0;
}

static bool holds_ctf(const char *path)
{
    bool has_metadata = false;
    return outfolder_visit(path, is_ctf_file, &has_metadata) && has_metadata;
}

csy_status ctf_check_target(const char *path, csy_error *error)
{
    return outfolder_check_target(path, "a CTF trace", holds_ctf, error);
}

csy_status ctf_write(struct csy_trace *trace, const struct csy_sync *sync, const csy_output *output,
                     const char *path, csy_error *error)
{
    static const struct writer_format format = {
        .event = put_event, .relay = set_relay, .failed = has_failed};
    csy_status status = ctf_check_target(path, error);
    if (status)
        return status;
    struct ctf_trace *w = calloc(1, sizeof *w);
    if (!w)
        return error_memory(error);
    w->trace = trace;
    w->sync = sync;
    w->base_ticks = times_base(sync);
    w->of_thread = calloc(sync->survey.threads.count, sizeof(struct stream *));
    status =
        w->of_thread ? selection_init(&w->selection, sync, output, error) : error_memory(error);
    status = status ? status : outfolder_open(path, &w->folder, error);
    if (!status)
        status = writer_walk(&(struct writer){trace, sync, &w->selection, &format, w}, error);
    for (size_t i = 0; i < w->nstreams; i++) {
        if (!status)
            flush(w, w->streams[i]);
        FREE_ALL(w->streams[i]->packet.bytes, w->streams[i]);
    }
    if (!status) {
        struct outfile *out;
        char *metadata = outfolder_path(w->folder, "metadata");
        status = metadata ? outfile_open(metadata, NULL, &out, error) : error_memory(error);
        free(metadata);
        if (!status) {
            status = outfile_complete(out, write_metadata(w, out, error), error);
            if (status == CSY_IO) /* name the final folder, not the temporary one */
                status = error_io(error, path, NULL);
        }
    }
    status = status ? status : trace_check_unchanged(trace, error);
    status = status ? status : ctf_check_target(path, error); /* the folder may have changed */
    status = status ? status : outfolder_publish(w->folder, &trace->progress, error);
    outfolder_close(w->folder);
    selection_fini(&w->selection);
    for (size_t i = 0; i < RELAY_PENDING; i++)
        free(w->spares[i].bytes);
    texts_fini(&w->names);
    FREE_ALL(w->text, w->of_thread, w);
    return status;
}
