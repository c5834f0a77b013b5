/*
 * A synchronized trace as a Perfetto trace.  cellsync-formats(5), Perfetto traces.
 *
 * One packet an event, as the records come; a live interval, and how far its clock can be off,
 * follow its last record.
 */
#include "analysis/members.h"
#include "base/error.h"
#include "output/encode/words.h"
#include "output/trace/perfetto.h"
#include "output/trace/times.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------- live intervals */

/* Ticks that may be infinite, which are left out. */
static void note_limit(struct perfetto *p, unsigned note, int64_t ticks)
{
    if (ticks != INT64_MIN && ticks != INT64_MAX)
        perfetto_note_number(p, note, ticks);
}

static csy_status write_live(void *user, size_t index, struct slice slice, csy_error *error)
{
    struct perfetto *p = user;
    bool named = !p->trace->source->contexts;
    size_t clock = named ? p->sync->tracks[index].thread : index;
    const csy_thread *thread = &p->sync->views[clock];
    const char *name = named ? p->sync->tracks[index].name : thread->name;
    struct track *track, *live;
    csy_status status = perfetto_thread_track(p, index, &track, error);
    if (!status)
        status = perfetto_find_track(p, SET_LIVE, track, track->group, track->number, "live", &live,
                                     error);
    if (status)
        return status;
    perfetto_begin(p, CATEGORY_LIVE);
    perfetto_name_text(p, name, strlen(name));
    perfetto_note_unsigned(p, NOTE_FIRST_RECORD, thread->first_record);
    perfetto_note_unsigned(p, NOTE_RECORDS, thread->records);
    if (thread->offset_ticks != CSY_NO_OFFSET)
        perfetto_note_number(p, NOTE_OFFSET_TICKS, thread->offset_ticks);
    note_limit(p, NOTE_EARLIEST_TICKS, thread->earliest_ticks);
    note_limit(p, NOTE_LATEST_TICKS, thread->latest_ticks);
    if (named && members_share(thread))
        perfetto_note_thread(p, NOTE_CLOCK, clock);
    if (thread->context != CSY_NO_CONTEXT) {
        perfetto_note_number(p, NOTE_CONTEXT, thread->context);
        perfetto_note_unsigned(p, NOTE_DECR_FIRST, thread->decr_first);
    }
    if (thread->spe != CSY_NO_SPE)
        perfetto_note_unsigned(p, NOTE_SPE, thread->spe);
    return perfetto_slice(p, live, slice, error);
}

/* How far the time between an event of this clock and one of the reference can be off, at most. */
static csy_status write_uncertainty(void *user, size_t index, size_t clock, int64_t global_ticks,
                                    int64_t uncertainty_ticks, csy_error *error)
{
    static const char front[] = "uncertainty of ";
    struct perfetto *p = user;
    struct track *track, *counter;
    csy_status status = perfetto_thread_track(p, index, &track, error);
    if (status)
        return status;
    bool named = !p->trace->source->contexts;
    char text[PERFETTO_NAME_MAX], *name = NULL;
    const char *what = named ? p->sync->views[clock].name : perfetto_track_name(track, text);
    if (asprintf(&name, "%s%s", front, what) < 0)
        return error_memory(error);
    status = perfetto_find_track(p, SET_COUNTER, named ? NULL : track,
                                 named ? perfetto_row_group(p, clock) : track->group,
                                 named ? clock : track->number, name, &counter, error);
    free(name);
    if (status)
        return status;
    return perfetto_count(p, counter, global_ticks, uncertainty_ticks, error);
}

static csy_status pass_record(void *user, const csy_event *event, csy_error *error)
{
    struct perfetto *p = user;
    return lives_pass(&p->lives, event, error);
}

/* -------------------------------------------------------------------------- begin and end */

static void intern_fixed(struct perfetto *p)
{
    static const char *const notes[] = {[NOTE_RECORD] = "record",
                                        [NOTE_THREAD] = "thread",
                                        [NOTE_TICKS] = "ticks",
                                        [NOTE_LOCAL] = "local",
                                        [NOTE_STAMP] = "stamp",
                                        [NOTE_BEGIN_TICKS] = "begin_ticks",
                                        [NOTE_BEGIN_LOCAL] = "begin_local",
                                        [NOTE_BEGIN_STAMP] = "begin_stamp",
                                        [NOTE_TID] = "tid",
                                        [NOTE_ID] = "id",
                                        [NOTE_PC] = "pc",
                                        [NOTE_PAYLOAD] = "payload",
                                        [NOTE_ROW] = "row",
                                        [NOTE_VALUES] = "values",
                                        [NOTE_CONTEXT] = "context",
                                        [NOTE_SPE] = "spe",
                                        [NOTE_CLOCK] = "clock",
                                        [NOTE_DECR_FIRST] = "decr_first",
                                        [NOTE_FIRST_RECORD] = "first_record",
                                        [NOTE_RECORDS] = "records",
                                        [NOTE_OFFSET_TICKS] = "offset_ticks",
                                        [NOTE_EARLIEST_TICKS] = "earliest_ticks",
                                        [NOTE_LATEST_TICKS] = "latest_ticks",
                                        [NOTE_ROUTINE] = "routine"};
    static const char *const categories[] = {[CATEGORY_PPE] = "ppe",
                                             [CATEGORY_SPE] = "spe",
                                             [CATEGORY_ROW] = "row",
                                             [CATEGORY_SWITCH] = "switch",
                                             [CATEGORY_LIVE] = "live"};
    for (size_t i = 1; i < (p->trace->has_routines ? NOTE_ROUTINE + 1 : NOTE_ROUTINE); i++)
        perfetto_intern(p, INTERNED_NOTE, i, notes[i], strlen(notes[i]));
    for (size_t i = 1; i < sizeof categories / sizeof *categories; i++)
        perfetto_intern(p, INTERNED_CATEGORY, i, categories[i], strlen(categories[i]));
}

static const char facts_name[] = "cellsync";

/* Name the PPE threads that the .pex lists; of several names of one the first stands. */
static csy_status name_listed(struct perfetto *p, csy_error *error)
{
    const struct metadata *m = &p->trace->metadata;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < m->nlisted && !status; i++) {
        struct track *track;
        status = perfetto_find_track(p, SET_MAIN, NULL, PERFETTO_PPE, m->listed[i].tid,
                                     metadata_name(m, m->listed[i].name), &track, error);
    }
    return status;
}

static csy_status begin_trace(void *user, csy_error *error)
{
    struct perfetto *p = user;
    p->nuuids = PERFETTO_CLOCKS;
    intern_fixed(p);
    perfetto_describe_facts(p, facts_name);
    csy_status status = perfetto_check(p, error);
    if (status)
        return status;
    if (!p->trace->source->contexts) {
        perfetto_describe_group(p, PERFETTO_ROWS, "threads");
        return perfetto_check(p, error);
    }
    perfetto_describe_group(p, PERFETTO_PPE, "PPE");
    perfetto_describe_group(p, PERFETTO_SPE, "SPE");
    perfetto_describe_group(p, PERFETTO_CONTEXT, "contexts, SPE unknown");
    status = name_listed(p, error);
    return status ? status : perfetto_check(p, error);
}

/* How global times were found: annotations of an instant on a track of its own. */
static csy_status write_facts(struct perfetto *p, csy_error *error)
{
    const struct csy_sync *sync = p->sync;
    char text[FRACTION_TEXT_MAX], warning[CSY_WARNING_TEXT_MAX];
    proto_clear(&p->event);
    perfetto_fact(p, "version", csy_version());
    perfetto_fact(p, "trace", p->trace->name);
    perfetto_fact(p, "machine", csy_trace_machine(p->trace));
    perfetto_fact_unsigned(p, "timebase_hz", p->trace->timebase_hz);
    perfetto_fact_unsigned(p, "records", sync->survey.records);
    perfetto_fact_number(p, "base_ticks", p->base_ticks);
    perfetto_fact(p, "method", words_method(sync->method));
    if (sync->method == CSY_METHOD_BHH) {
        perfetto_fact(p, "reference", sync->views[sync->reference].name);
        perfetto_fact(p, "alpha", fraction_text(sync->alpha, text));
        perfetto_fact(p, "center", words_center(sync->center));
        perfetto_fact(p, "relax", words_relax(sync->imprecision.relax));
        perfetto_fact(p, "delta_ticks", fraction_text(sync->imprecision.delta, text));
        perfetto_fact_number(p, "added_ticks", sync->imprecision.added_ticks);
        perfetto_fact_unsigned(p, "conditional", sync->imprecision.conditional);
    }
    perfetto_fact_unsigned(p, "assumed", sync->survey.clock_report.assumed);
    for (size_t i = 0; i < WORDS_WARNINGS; i++)
        if (words_warning(sync, i, warning))
            perfetto_fact(p, "warning", warning);
    for (size_t i = 0; csy_sync_condition_at(sync, i, warning); i++)
        perfetto_fact(p, "condition", warning);
    if (!p->selection.all)
        perfetto_fact_unsigned(p, "part", 1);
    return perfetto_facts(p, facts_name, error);
}

static csy_status end_trace(void *user, csy_error *error)
{
    struct perfetto *p = user;
    csy_status status = lives_end(&p->lives, error);
    return status ? status : write_facts(p, error);
}

static bool has_failed(const void *user)
{
    return outfile_failed(((const struct perfetto *)user)->out);
}

static void set_relay(void *user, const struct relay *relay)
{
    outfile_relay(((const struct perfetto *)user)->out, relay);
}

static csy_status draw(struct perfetto *p, csy_error *error)
{
    const struct writer_format format = {
        .begin = begin_trace,
        .event = p->trace->source->contexts ? perfetto_draw_record : perfetto_draw_row,
        .messages = true,
        .pass = pass_record,
        .end = end_trace,
        .relay = set_relay,
        .failed = has_failed,
    };
    return writer_walk(&(struct writer){p->trace, p->sync, &p->selection, &format, p}, error);
}

csy_status pftrace_write(struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_output *output, struct outfile *out, csy_error *error)
{
    struct perfetto p = {.trace = trace, .sync = sync, .output = output, .out = out};
    static const struct lives_format drawn = {write_live, write_uncertainty};
    csy_status status = lives_init(&p.lives, trace, sync, &drawn, &p, error);
    p.clocks = calloc(sync->survey.threads.count, sizeof *p.clocks);
    if (!status && !p.clocks)
        status = error_memory(error);
    if (!status)
        status = perfetto_names_new(&p.names, error);
    if (!status)
        status = selection_init(&p.selection, sync, output, error);
    if (!status)
        status = times_base_of_begins(trace, sync, &p.base_ticks, error);
    if (!status)
        status = draw(&p, error);
    selection_fini(&p.selection);
    for (size_t i = 0; i < PERFETTO_SETS; i++)
        tracks_fini(&p.tracks[i]);
    proto_fini(&p.packet);
    proto_fini(&p.event);
    proto_fini(&p.interned);
    perfetto_names_free(p.names);
    lives_fini(&p.lives);
    free(p.clocks);
    return status;
}
