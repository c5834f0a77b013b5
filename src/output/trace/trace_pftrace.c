/*
 * A synchronized trace as a Perfetto trace.  cellsync(1), Perfetto traces.
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

static csy_status write_live(struct perfetto *p, size_t index, csy_error *error)
{
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
    return perfetto_slice(p, live, p->lives[index].slice, error);
}

/* The PPE as a whole has no track. */
static bool is_drawn(const struct perfetto *p, size_t index)
{
    return !p->trace->source->contexts || index != p->sync->survey.threads.ppe;
}

static size_t life_index(const csy_event *event)
{
    return event->track == CSY_NO_TRACK ? event->thread : event->track;
}

/* How far the time between an event of this clock and one of the reference can be off, at most. */
static csy_status write_uncertainty(struct perfetto *p, const csy_event *event, int64_t ticks,
                                    csy_error *error)
{
    static const char front[] = "uncertainty of ";
    const csy_thread *thread = &p->sync->views[event->thread];
    int128 uncertainty = times_uncertainty(p->sync, event->thread, event->local_ticks);
    struct track *track, *counter;
    if (p->sync->method != CSY_METHOD_BHH || thread->earliest_ticks == INT64_MIN ||
        thread->latest_ticks == INT64_MAX || !fits_int64(uncertainty))
        return CSY_OK;
    csy_status status = perfetto_thread_track(p, life_index(event), &track, error);
    if (status)
        return status;
    bool named = !p->trace->source->contexts;
    char text[PERFETTO_NAME_MAX], *name = NULL;
    const char *what = named ? thread->name : perfetto_track_name(track, text);
    if (asprintf(&name, "%s%s", front, what) < 0)
        return error_memory(error);
    status = perfetto_find_track(p, SET_COUNTER, named ? NULL : track,
                                 named ? perfetto_row_group(p, event->thread) : track->group,
                                 named ? event->thread : track->number, name, &counter, error);
    free(name);
    if (status)
        return status;
    return perfetto_count(p, counter, ticks, (int64_t)uncertainty, error);
}

/* A record has passed, drawn or not; the last one of its clock ends its slice. */
static csy_status pass_record(void *user, const csy_event *event, csy_error *error)
{
    struct perfetto *p = user;
    const csy_thread *thread = &p->sync->views[event->thread];
    struct perfetto_clock *clock = &p->clocks[event->thread];
    if (++clock->passed < thread->records || !clock->drawn || !is_drawn(p, event->thread))
        return CSY_OK;
    csy_status status = write_uncertainty(p, event, clock->end_ticks, error);
    if (status || thread->nmembers > 1)
        return status;
    return write_live(p, life_index(event), error);
}

csy_status perfetto_note_life(struct perfetto *p, const csy_event *event, int64_t begin,
                              csy_error *error)
{
    struct perfetto_span *life = &p->lives[life_index(event)];
    struct perfetto_clock *clock = &p->clocks[event->thread];
    struct slice *slice = &life->slice;
    csy_status status = CSY_OK;
    bool changes = clock->drawn &&
                   times_must_show(p->sync, event->thread, clock->shown_ticks, event->local_ticks);
    if (!clock->drawn || changes) {
        clock->end_ticks = changes ? clock->end_ticks : event->global_ticks;
        clock->drawn = true;
        clock->shown_ticks = event->local_ticks;
        if (is_drawn(p, event->thread))
            status = write_uncertainty(p, event, event->global_ticks, error);
    }
    if (event->global_ticks > clock->end_ticks)
        clock->end_ticks = event->global_ticks;
    if (life->records++ == 0)
        *slice = (struct slice){begin, event->global_ticks};
    slice->begin = begin < slice->begin ? begin : slice->begin;
    slice->end = event->global_ticks > slice->end ? event->global_ticks : slice->end;
    return status ? status : pass_record(p, event, error);
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
                                        [NOTE_CONTEXT] = "context",
                                        [NOTE_SPE] = "spe",
                                        [NOTE_CLOCK] = "clock",
                                        [NOTE_DECR_FIRST] = "decr_first",
                                        [NOTE_FIRST_RECORD] = "first_record",
                                        [NOTE_RECORDS] = "records",
                                        [NOTE_OFFSET_TICKS] = "offset_ticks",
                                        [NOTE_EARLIEST_TICKS] = "earliest_ticks",
                                        [NOTE_LATEST_TICKS] = "latest_ticks"};
    static const char *const categories[] = {[CATEGORY_PPE] = "ppe",
                                             [CATEGORY_SPE] = "spe",
                                             [CATEGORY_ROW] = "row",
                                             [CATEGORY_SWITCH] = "switch",
                                             [CATEGORY_LIVE] = "live"};
    for (size_t i = 1; i < sizeof notes / sizeof *notes; i++)
        perfetto_intern(p, INTERNED_NOTE, i, notes[i], strlen(notes[i]));
    for (size_t i = 1; i < sizeof categories / sizeof *categories; i++)
        perfetto_intern(p, INTERNED_CATEGORY, i, categories[i], strlen(categories[i]));
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
    if (!p->selection.all)
        perfetto_fact_unsigned(p, "part", 1);
    return perfetto_facts(p, "cellsync", error);
}

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
    csy_status status = write_facts(p, error);
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

/* Of threads of a CSV that share a clock no record can follow now. */
static csy_status end_trace(void *user, csy_error *error)
{
    struct perfetto *p = user;
    csy_status status = CSY_OK;
    for (size_t i = 0; !status && i < p->sync->survey.threads.ntracks; i++)
        if (p->sync->views[p->sync->tracks[i].thread].nmembers > 1 && p->lives[i].records > 0)
            status = write_live(p, i, error);
    return status;
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
    static const struct writer_format records = {.begin = begin_trace,
                                                 .event = perfetto_draw_record,
                                                 .pass = pass_record,
                                                 .end = end_trace,
                                                 .relay = set_relay,
                                                 .failed = has_failed};
    static const struct writer_format rows = {.begin = begin_trace,
                                              .event = perfetto_draw_row,
                                              .pass = pass_record,
                                              .end = end_trace,
                                              .relay = set_relay,
                                              .failed = has_failed};
    return writer_walk(&(struct writer){p->trace, p->sync, &p->selection,
                                        p->trace->source->contexts ? &records : &rows, p},
                       error);
}

csy_status pftrace_write(struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_output *output, struct outfile *out, csy_error *error)
{
    struct perfetto p = {.trace = trace, .sync = sync, .output = output, .out = out};
    const struct threads *threads = &sync->survey.threads;
    p.lives = calloc(trace->source->contexts ? threads->count : threads->ntracks, sizeof *p.lives);
    p.clocks = calloc(threads->count, sizeof *p.clocks);
    csy_status status = p.lives && p.clocks ? CSY_OK : error_memory(error);
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
    free(p.lives);
    free(p.clocks);
    return status;
}
