/* Writes a synchronized trace as Chrome trace events, for Perfetto. See cellsync-output(5), Trace
 * events. Each event has one line, in the order of the records. A thread's live interval (first to
 * last record) follows its last record. Viewers sort events by time. */
#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "output/encode/escape.h"
#include "output/encode/kept.h"
#include "output/encode/text.h"
#include "output/trace/trace_out.h"
#include "output/trace/tracks.h"
#include "trace/pex/record.h"

#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    EVENTS = 256,      /* number of events with cached names */
    FIELDS = 4,        /* number of cached field names of each event; few records have more */
    RECORD_MAX = 1280, /* maximum bytes of a record, without uncached names and further fields */
    PIECE_MAX = 512,   /* maximum bytes of an event, without names */
    LEAST_DECIMALS = 3,
    MICROSECONDS = 6
};

/* Cached JSON for the events with one id on one kind of core: name, and field names with colons. */
struct event_text {
    uint32_t key; /* id and core of the event, and a bit that is set if the entry is used */
    struct kept name, fields[FIELDS];
};

struct picture {
    struct lives lives; /* must be the first member, because functions of tracks.h get it as
                         * `user` */
    struct outfile *out;
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const csy_output *output;

    unsigned decimals; /* number of decimals of times in microseconds */
    struct tracks tracks;
    bool *named;              /* for each csy_thread: true after its group of tracks was named */
    struct event_text *texts; /* array of EVENTS entries: cached JSON of kinds of events */
    const char *separator;
};

/* Convert ticks to microseconds, in units of the last decimal. */
static int128 units_of(const struct picture *p, int64_t ticks)
{
    int128 since = (int128)ticks - p->lives.base_ticks;
    return decimal_round(since, (int128)p->trace->timebase_hz, MICROSECONDS + p->decimals);
}

#if FLT_EVAL_METHOD != 0
/* Divide n by d, and round to the nearest integer. Halves are rounded to even. */
static uint64_t round_even(uint128 n, uint64_t d)
{
    uint128 whole = n / d, rest = 2 * (n % d);
    return (uint64_t)(whole + (rest > d || (rest == d && whole % 2 == 1)));
}
#endif

/* Compute units / 1000 * 1000 as Perfetto does: round each step to a double, drop the fraction. */
static int64_t by_doubles(int64_t units)
{
#if FLT_EVAL_METHOD == 0
    return (int64_t)((double)units / 1000.0 * 1000.0);
#else /* this machine computes with more bits than a double has */
    uint128 n = (uint128)units << 63;
    unsigned scale = 63;
    for (; n / 1000 >> 53; scale--)
        n >>= 1; /* no bit that is set is lost, because 0 < units < 2^53 */
    uint64_t quotient = round_even(n, 1000), product = quotient * 1000;
    unsigned cut = 0;
    while (product >> cut >> 53)
        cut++;
    return (int64_t)((uint128)round_even(product, (uint64_t)1 << cut) << cut >> scale);
#endif
}

static char *put_units(char *at, const struct picture *p, const char *key, int128 units)
{
    at = decimal_put(put_text(at, key), units, p->decimals);
    /* Perfetto converts times to nanoseconds by doubles, and rounds down. If an outer slice lost a
     * nanosecond, it would end before an inner slice. One more digit prevents the loss. */
    if (p->decimals == LEAST_DECIMALS && units > 0 && units < (int128)1 << 53 &&
        by_doubles((int64_t)units) < (int64_t)units)
        *at++ = '1';
    return at;
}

/* Begin an event and write its members up to "pid". The caller appends the value of "pid". */
static char *put_event(char *at, struct picture *p, const char *phase, const char *category)
{
    at = put_text(put_text(at, p->separator), "{\"ph\":\"");
    at = put_text(put_text(at, phase), "\",\"cat\":\"");
    p->separator = ",\n";
    return put_text(put_text(at, category), "\",\"pid\":");
}

static char *put_track_event(char *at, struct picture *p, const char *phase, const char *category,
                             const struct track *track, int128 units)
{
    at = put_event(at, p, phase, category);
    memcpy(at, track->words, sizeof track->words);
    return put_units(at + track->nwords, p, ",\"ts\":", units);
}

/* Write metadata of a group, or of the track `tid` in the group, up to the value of `key`. */
static void write_metadata(struct picture *p, unsigned group, const uint64_t *tid, const char *what,
                           const char *key)
{
    outfile_print(p->out, "%s{\"ph\":\"M\",\"pid\":%u", p->separator, group);
    if (tid)
        outfile_print(p->out, ",\"tid\":%" PRIu64, *tid);
    outfile_print(p->out, ",\"name\":\"%s\",\"args\":{\"%s\":", what, key);
    p->separator = ",\n";
}

static void name_group(struct picture *p, unsigned group, const char *name)
{
    write_metadata(p, group, NULL, "process_name", "name");
    json_string(p->out, name);
    outfile_print(p->out, "}}");
    write_metadata(p, group, NULL, "process_sort_index", "sort_index");
    outfile_print(p->out, "%u}}", group);
}

static csy_status find_track(struct picture *p, struct track_place place, struct track **out,
                             csy_error *error)
{
    bool made;
    unsigned group = place.group;
    csy_status status = tracks_find(&p->tracks, group, place.number, out, &made, error);
    if (status || !made)
        return status;
    if (group >= GROUP_CLOCKS && !p->named[group - GROUP_CLOCKS]) {
        name_group(p, group, p->sync->views[group - GROUP_CLOCKS].name);
        p->named[group - GROUP_CLOCKS] = true;
    }
    /* Viewers reserve the tid 0. A thread of the PPE keeps its own tid. */
    uint64_t tid = group == GROUP_PPE ? place.number : place.number + 1;
    char *words = (*out)->words;
    const char *end = put_unsigned(number_put_unsigned(words, group), ",\"tid\":", tid);
    (*out)->nwords = (size_t)(end - words);
    write_metadata(p, group, &tid, "thread_name", "name");
    if (place.name)
        json_string(p->out, place.name);
    else
        outfile_print(p->out, "\"%s %" PRIu64 "\"", track_kinds[group], place.number);
    outfile_print(p->out, "}}");
    write_metadata(p, group, &tid, "thread_sort_index", "sort_index");
    outfile_print(p->out, "%" PRIu64 "}}", tid);
    return CSY_OK;
}

/* Write a limit as a JSON member, or null if the limit is infinite. */
static char *put_limit(char *at, const char *key, int64_t ticks)
{
    char text[TICKS_TEXT_MAX];
    return put_text(put_text(at, key), text_ticks(ticks, "null", "null", text));
}

/* Write facts about the clock of a thread as members of a JSON object. */
static void write_clock(struct outfile *out, const csy_thread *thread)
{
    char *at =
        put_unsigned(outfile_text(out, PIECE_MAX), "\"first_record\":", thread->first_record);
    at = put_unsigned(at, ",\"records\":", thread->records);
    at = put_limit(at, ",\"offset_ticks\":", thread->offset_ticks);
    at = put_limit(at, ",\"earliest_ticks\":", thread->earliest_ticks);
    outfile_end(out, put_limit(at, ",\"latest_ticks\":", thread->latest_ticks));
}

/* Begin a slice. If it overlaps others of its track only as an inner or outer slice, *nests becomes
 * true, and one event is written. Otherwise a pair is, which viewers show in another row. */
static csy_status begin_slice(struct picture *p, struct track *track, const char *category,
                              struct slice slice, bool *nests, csy_error *error)
{
    csy_status status = track_lay(track, slice, nests, error);
    if (status)
        return status;
    int128 begin = units_of(p, slice.begin);
    char *at = outfile_text(p->out, PIECE_MAX);
    at = put_track_event(at, p, *nests ? "X" : "b", category, track, begin);
    if (*nests)
        at = put_units(at, p, ",\"dur\":", units_of(p, slice.end) - begin);
    outfile_end(p->out, at);
    return CSY_OK;
}

/* Write the id that connects a pair of events: a letter for their kind, and a number. */
static void write_id(struct picture *p, char kind, uint64_t number)
{
    outfile_print(p->out, ",\"id\":\"%c%" PRIu64 "\"", kind, number);
}

/* Begin the second event of a pair, and write its members up to the id. */
static void begin_end(struct picture *p, const struct track *track, const char *category,
                      int64_t end, char kind, uint64_t number)
{
    char *at = outfile_text(p->out, PIECE_MAX);
    outfile_end(p->out, put_track_event(at, p, "e", category, track, units_of(p, end)));
    write_id(p, kind, number);
}

static csy_status write_live(void *user, size_t index, struct slice slice, csy_error *error)
{
    struct picture *p = user;
    bool nests;
    struct track *track;
    bool named = p->sync->tracks;
    const csy_thread *thread = &p->sync->views[named ? p->sync->tracks[index].thread : index];
    const char *name = named ? p->sync->tracks[index].name : thread->name;
    csy_status status = find_track(p, track_place_of(p->sync, index), &track, error);
    status = status ? status : begin_slice(p, track, "live", slice, &nests, error);
    if (status)
        return status;
    if (!nests)
        write_id(p, 't', index);
    json_member(p->out, ",\"name\":", name);
    outfile_print(p->out, ",\"args\":{");
    write_clock(p->out, thread);
    if (named && members_share(thread)) {
        json_member(p->out, ",\"clock\":", thread->name);
    }
    if (thread->context != CSY_NO_CONTEXT)
        outfile_print(p->out, ",\"context\":%" PRId64 ",\"decr_first\":%" PRIu32, thread->context,
                      thread->decr_first);
    if (thread->spe != CSY_NO_SPE)
        outfile_print(p->out, ",\"spe\":%" PRIu64, thread->spe);
    outfile_print(p->out, "}}");
    if (!nests) {
        begin_end(p, track, "live", slice.end, 't', index);
        json_member(p->out, ",\"name\":", name);
        outfile_print(p->out, "}");
    }
    return CSY_OK;
}

/* Write a counter with the uncertainty of a clock, which may change during the trace. */
static csy_status write_uncertainty(void *user, size_t index, size_t clock, int64_t global_ticks,
                                    int64_t uncertainty_ticks, csy_error *error)
{
    struct picture *p = user;
    bool named = p->sync->tracks;
    struct track *track = NULL;
    csy_status status =
        named ? CSY_OK : find_track(p, track_place_of(p->sync, index), &track, error);
    if (status)
        return status;
    unsigned group = named ? track_clock_group(p->sync, clock) : track->group;
    char *at = outfile_text(p->out, PIECE_MAX);
    at = number_put_unsigned(put_event(at, p, "C", "uncertainty"), group);
    at = put_units(at, p, ",\"ts\":", units_of(p, global_ticks));
    outfile_end(p->out, put_text(at, ",\"name\":\"uncertainty of "));
    if (named)
        json_characters(p->out, p->sync->views[clock].name, strlen(p->sync->views[clock].name));
    else
        outfile_print(p->out, "%s %" PRIu64, track_kinds[track->group], track->number);
    outfile_print(p->out, "\",\"args\":{\"ticks\":%" PRId64 "}}", uncertainty_ticks);
    return CSY_OK;
}

/* Write the global time of an event and, if requested, the ranges of the event's times. */
static char *put_ticks(const struct picture *p, char *at, const struct event *source,
                       const csy_event *event)
{
    struct times_range ranges[2];
    at = put_number(at, ",\"ticks\":", event->global_ticks);
    if (!p->output->ranges)
        return at;
    bool begins = times_event_ranges(p->sync, source, event, ranges);
    at = put_limit(at, ",\"global_earliest\":", ranges[0].earliest_ticks);
    at = put_limit(at, ",\"global_latest\":", ranges[0].latest_ticks);
    if (times_is_set(p->sync, event))
        at = put_text(at, ",\"global_mark\":\"" CSV_MARK_STEP "\"");
    if (!begins)
        return at;
    at = put_limit(at, ",\"global_begin_earliest\":", ranges[1].earliest_ticks);
    return put_limit(at, ",\"global_begin_latest\":", ranges[1].latest_ticks);
}

static void draw_flow(struct picture *p, const char *phase, const struct track *track,
                      struct event_flow flow, int64_t ticks)
{
    char *at = outfile_text(p->out, PIECE_MAX);
    at = put_track_event(at, p, phase, "message", track, units_of(p, ticks));
    at = put_unsigned(at, ",\"id\":\"m", flow.channel);
    at = put_unsigned(at, ".", flow.number);
    outfile_end(p->out, put_text(at, *phase == 's' ? "\",\"name\":\"message\"}"
                                                   : "\",\"bp\":\"e\",\"name\":\"message\"}"));
}

static char *put_string(struct picture *p, char *at, const char *text)
{
    outfile_end(p->out, at);
    json_string(p->out, text);
    return outfile_text(p->out, RECORD_MAX);
}

static char *put_event_name(struct picture *p, char *at, const struct record *record)
{
    const struct event_types *types = p->trace->types;
    char text[TYPE_TEXT_MAX];
    uint32_t key = UINT32_C(1) << 31 | (uint32_t)record->spe << 16 | record->id;
    struct event_text *cached = &p->texts[record_id_place(record->id, EVENTS)];
    if (cached->key != key) { /* names that need escapes are not cached */
        *cached = (struct event_text){.key = key};
        const char *name = types_event_text(types, record->id, record->spe, text);
        if (json_is_plain(name, strlen(name)))
            kept_make(&cached->name, "\"", name, "\"");
        for (unsigned i = 0; i < FIELDS; i++) {
            name = types_field_text(types, record->id, i, text);
            if (json_is_plain(name, strlen(name)))
                kept_make(&cached->fields[i], "\"", name, "\":");
        }
    }
    return cached->name.size > 0
               ? kept_put(at, &cached->name)
               : put_string(p, at, types_event_text(types, record->id, record->spe, text));
}

/* Write the values of a record, which follow the name of the event. */
static char *put_payload(struct picture *p, char *at, const struct record *record)
{
    const struct kept *fields = p->texts[record_id_place(record->id, EVENTS)].fields;
    const uint8_t *values = record_payload(record, false);
    const struct event_types *types = p->trace->types;
    const struct record_type *typed = types_typed(types, record->id);
    at = put_text(at, ",\"payload\":{");
    for (unsigned i = 0; i < record->npayload; i++) {
        char text[TYPE_TEXT_MAX];
        if (i > 0)
            *at++ = ',';
        if (i < FIELDS && fields[i].size > 0)
            at = kept_put(at, &fields[i]);
        else
            at = put_text(put_string(p, at, types_field_text(types, record->id, i, text)), ":");
        enum value_kind kind = types_value_kind(types, typed, i);
        uint64_t bits = load64(values + 8 * (size_t)i);
        const char *quote = value_is_decimal(kind, bits) ? "" : "\"";
        at = put_text(value_put(put_text(at, quote), kind, bits), quote);
    }
    return put_text(at, "}");
}

/* Returns true if an event enters or leaves a named routine, which viewers draw as a slice. */
static bool is_call(const struct event *source)
{
    return source->call != EVENT_NO_CALL && source->routine.size > 0;
}

static void write_member(struct picture *p, const char *key, const char *text, size_t size)
{
    outfile_add(p->out, key);
    json_characters(p->out, text, size);
    outfile_add(p->out, "\"");
}

static void write_row_name(struct picture *p, const struct event *source)
{
    if (is_call(source))
        write_member(p, ",\"name\":\"", source->routine.bytes, source->routine.size);
    else if (source->name_size > 0)
        write_member(p, ",\"name\":\"", source->name, source->name_size);
    else
        outfile_add(p->out, ",\"name\":\"row\"");
}

/* Write the name and the values of an event, up to the event's end. */
static void write_event(struct picture *p, const struct event *source, const csy_event *event,
                        const int64_t *begin)
{
    const struct record *record = source->record;
    csy_json_args args = p->output->json_args;
    if (!record)
        write_row_name(p, source);
    char *at = outfile_text(p->out, RECORD_MAX);
    if (record)
        at = put_event_name(p, put_text(at, ",\"name\":"), record);
    if (args != CSY_JSON_ALL) {
        if (args != CSY_JSON_NONE)
            at = put_ticks(p, put_unsigned(at, ",\"args\":{\"record\":", event->record), source,
                           event);
        if (record && args == CSY_JSON_SHORT && record->npayload > 0)
            at = put_payload(p, at, record);
        outfile_end(p->out, put_text(at, args == CSY_JSON_NONE ? "}" : "}}"));
        return;
    }
    at = put_unsigned(at, ",\"args\":{\"record\":", event->record);
    if (record)
        at = put_text(put_text(put_text(at, ",\"thread\":\""), p->sync->views[event->thread].name),
                      "\"");
    at = put_ticks(p, at, source, event);
    at = put_number(at, ",\"local\":", event->local_ticks);
    if (record)
        at = put_unsigned(at, ",\"stamp\":", record->stamp);
    if (begin)
        at = put_number(at, ",\"begin_ticks\":", *begin);
    if (record) {
        at = put_unsigned(at, ",\"begin_stamp\":", record->begin);
        at = put_unsigned(at, ",\"tid\":", record->thread);
        at = number_put_hex(put_text(at, ",\"id\":\"0x"), record->id, 4);
        at = number_put_hex(put_text(at, "\",\"pc\":\"0x"), load32(record->bytes + 12), 8);
        outfile_end(p->out, put_text(put_payload(p, put_text(at, "\""), record), "}}"));
        return;
    }
    if (begin)
        at = put_number(at, ",\"begin_local\":", source->stamp.begin_ticks);
    outfile_end(p->out, at);
    if (source->row)
        write_member(p, ",\"row\":\"", source->row->bytes, source->row->size);
    if (source->routine.size > 0 && !is_call(source))
        write_member(p, ",\"routine\":\"", source->routine.bytes, source->routine.size);
    if (p->trace->source->valued && source->size > 0)
        write_member(p, ",\"values\":\"", (const char *)source->bytes, source->size);
    outfile_add(p->out, "}}");
}

static csy_status draw_event(void *user, const struct event *source, const csy_event *event,
                             csy_error *error)
{
    struct picture *p = user;
    const struct record *record = source->record;
    struct track *track;
    bool interval, nests;
    int64_t begin, reach = event->global_ticks;
    struct slice slice = {reach, reach};
    const char *category = !record ? "row" : record->spe ? "spe" : "ppe";
    struct track_place place = record && !record->spe
                                   ? (struct track_place){GROUP_PPE, record->thread, NULL}
                                   : track_place_of(p->sync, record ? event->thread : event->track);
    csy_status status = find_track(p, place, &track, error);
    if (!status)
        status = placement_event_begin(p->sync, source, event, &interval, &begin, error);
    if (!status && interval) {
        slice = slice_from(begin, event->global_ticks, p->lives.base_ticks);
        status = begin_slice(p, track, category, slice, &nests, error);
    }
    if (status)
        return status;
    if (interval) {
        reach = nests ? slice.begin : slice.end;
        if (!nests)
            write_id(p, 'r', event->record);
        write_event(p, source, event, &begin);
        if (!nests) {
            begin_end(p, track, category, slice.end, 'r', event->record);
            if (record) {
                char *at = put_text(outfile_text(p->out, RECORD_MAX), ",\"name\":");
                outfile_end(p->out, put_event_name(p, at, record));
            } else {
                write_row_name(p, source);
            }
            outfile_add(p->out, "}");
        }
    } else {
        bool call = !record && is_call(source);
        const char *phase = !call ? "i" : source->call == EVENT_ENTERS ? "B" : "E";
        char *at = outfile_text(p->out, PIECE_MAX);
        at = put_track_event(at, p, phase, category, track, units_of(p, event->global_ticks));
        outfile_end(p->out, call ? at : put_text(at, ",\"s\":\"t\""));
        write_event(p, source, event, NULL);
    }
    /* Draw an arrow for each message, from the begin of the send to the end of the receive. */
    const struct event_flows *flows = source->flows;
    for (unsigned i = 0; flows && i < flows->nsent; i++)
        draw_flow(p, "s", track, flows->sent[i], slice.begin);
    for (unsigned i = 0; flows && i < flows->nreceived; i++)
        draw_flow(p, "f", track, flows->received[i], slice.end);
    const uint8_t *payload = record ? record_payload(record, false) : NULL;
    if (record && record_is_switch(record) && load64(payload + 8) != CSY_NO_SPE) {
        /* Draw the context switch also on the track of its SPE. */
        place = (struct track_place){GROUP_SPE, load64(payload + 8), NULL};
        status = find_track(p, place, &track, error);
        if (status)
            return status;
        char *at = outfile_text(p->out, RECORD_MAX);
        at = put_track_event(at, p, "i", "switch", track, units_of(p, event->global_ticks));
        at = put_event_name(p, put_text(at, ",\"s\":\"t\",\"name\":"), record);
        if (p->output->json_args != CSY_JSON_NONE) {
            at = put_unsigned(at, ",\"args\":{\"record\":", event->record);
            at = put_text(put_unsigned(at, ",\"context\":", load64(payload)), "}");
        }
        outfile_end(p->out, put_text(at, "}"));
    }
    return status ? status : lives_draw(&p->lives, event, reach, error);
}

static csy_status begin_picture(void *user, csy_error *error)
{
    struct picture *p = user;
    const struct csy_sync *sync = p->sync;
    struct outfile *out = p->out;
    outfile_print(
        out, "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"producer\":\"cellsync %s\",\"trace\":",
        csy_version());
    json_string(out, p->trace->name);
    json_member(out, ",\"machine\":", csy_trace_machine(p->trace));
    outfile_print(out,
                  ",\"timebase_hz\":%" PRIu64 ",\"records\":%" PRIu64 ",\"base_ticks\":%" PRId64
                  ",\"method\":\"%s\"",
                  p->trace->timebase_hz, sync->survey.records, p->lives.base_ticks,
                  text_method(sync->method));
    if (sync->method == CSY_METHOD_BHH) {
        char alpha[FRACTION_TEXT_MAX], delta[FRACTION_TEXT_MAX];
        json_member(out, ",\"reference\":", sync->views[sync->reference].name);
        outfile_print(out, ",\"alpha\":\"%s\",\"center\":\"%s\",\"relax\":\"%s\"",
                      fraction_text(sync->alpha, alpha), text_center_words[sync->center],
                      text_relax_words[sync->imprecision.relax]);
        if (sync->drift) {
            const csy_drift *drift = csy_sync_drift(sync);
            outfile_print(out, ",\"drift_ppb\":%" PRId64, drift->rate_ppb);
            if (drift->wander_ppb != CSY_NO_DRIFT)
                outfile_print(out, ",\"wander_ppb\":%" PRId64, drift->wander_ppb);
        }
        outfile_print(out, ",\"delta_ticks\":\"%s\",\"added_ticks\":%" PRId64 ",\"conditional\":%s",
                      fraction_text(sync->imprecision.delta, delta), sync->imprecision.added_ticks,
                      text_bool(sync->imprecision.conditional));
    }
    outfile_print(out, ",\"assumed\":%" PRIu64 ",\"warnings\":", sync->survey.clock_report.assumed);
    json_caveats(out, caveats_of(sync, NULL), JSON_WARNINGS);
    outfile_print(out, ",\"conditions\":");
    json_caveats(out, caveats_of(sync, NULL), JSON_CONDITIONS);
    if (!p->lives.selection.all)
        outfile_print(out, ",\"part\":true");
    bool ppe = sync->survey.threads.ppe != NO_THREAD;
    outfile_print(out, ",\"ppe\":%s", ppe ? "{" : "null");
    if (ppe)
        write_clock(out, &sync->views[sync->survey.threads.ppe]);
    outfile_print(out, "%s},\n\"traceEvents\":[\n", ppe ? "}" : "");
    unsigned first = p->sync->tracks ? GROUP_ROWS : GROUP_PPE;
    for (unsigned group = first; group == first || group < GROUP_ROWS; group++)
        name_group(p, group, track_groups[group]);
    /* If a PPE thread has several names, use the first one. */
    struct track *track;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < p->trace->nlisted && !status && !p->sync->tracks; i++) {
        const struct listed_thread *listed = &p->trace->listed[i];
        const char *name = types_text(p->trace->types, listed->name);
        status = find_track(p, (struct track_place){GROUP_PPE, listed->tid, name}, &track, error);
    }
    return status;
}

static csy_status end_picture(void *user, csy_error *error)
{
    struct picture *p = user;
    csy_status status = lives_end(&p->lives, error);
    outfile_print(p->out, "\n]}\n");
    return status;
}

csy_status json_write(struct csy_trace *trace, const struct csy_sync *sync,
                      const csy_output *output, struct outfile *out, csy_error *error)
{
    static const struct lives_format drawn = {write_live, write_uncertainty};
    static const struct writer_format format = {.begin = begin_picture,
                                                .event = draw_event,
                                                .messages = true,
                                                .pass = lives_pass,
                                                .end = end_picture,
                                                .has_file = true};
    /* Use enough decimals to give each tick a different text. */
    unsigned decimals = LEAST_DECIMALS;
    for (int128 units = 1000000000; units < (int128)trace->timebase_hz; units *= 10)
        decimals++;
    struct picture p = {.lives = {.out = out, .sync = sync, .format = &drawn},
                        .trace = trace,
                        .sync = sync,
                        .output = output,
                        .out = out,
                        .decimals = decimals,
                        .separator = ""};
    p.named = calloc(sync->survey.threads.count, sizeof *p.named);
    p.texts = calloc(EVENTS, sizeof *p.texts);
    csy_status status = p.named && p.texts ? CSY_OK : error_memory(error);
    status = status ? status : lives_walk(&p.lives, trace, output, &format, error);
    tracks_fini(&p.tracks);
    FREE_ALL(p.texts, p.named);
    return status;
}
