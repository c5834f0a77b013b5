/* The rows of a CSV as Chrome trace events. */
#include "analysis/members.h"
#include "base/put.h"
#include "output/encode/json.h"
#include "output/trace/picture.h"

#include <string.h>

unsigned picture_row_group(struct picture *p, size_t index)
{
    const csy_thread *clock = &p->sync->views[index];
    if (!members_share(clock))
        return GROUP_ROWS;
    unsigned group = GROUP_CLOCKS + (unsigned)index;
    if (!p->named[index])
        picture_name_group(p, group, clock->name);
    p->named[index] = true;
    return group;
}

csy_status picture_row_track(struct picture *p, size_t index, struct track **out, csy_error *error)
{
    const csy_track *track = &p->sync->tracks[index];
    return picture_find_track(p, picture_row_group(p, track->thread), index, track->name, out,
                              error);
}

/* A routine that is entered or left is a slice with its name. */
static bool is_call(const struct event *source)
{
    return source->call != EVENT_NO_CALL && source->routine.size > 0;
}

static void write_name(struct picture *p, const struct event *source)
{
    outfile_add(p->out, ",\"name\":\"");
    if (is_call(source))
        json_characters(p->out, source->routine.bytes, source->routine.size);
    else if (source->name_size > 0)
        json_characters(p->out, source->name, source->name_size);
    else
        outfile_add(p->out, "row");
    outfile_add(p->out, "\"");
}

/* The name of an event and all that it holds, up to its end. */
static void write_row(struct picture *p, const struct event *source, const csy_event *event,
                      const int64_t *begin)
{
    write_name(p, source);
    char *at = outfile_text(p->out, PICTURE_PIECE_MAX);
    if (p->output->json_args != CSY_JSON_ALL) {
        at = picture_put_few(p, at, event);
        outfile_end(p->out, put_text(at, p->output->json_args == CSY_JSON_NONE ? "}" : "}}"));
        return;
    }
    at = put_unsigned(at, ",\"args\":{\"record\":", event->record);
    at = put_number(at, ",\"ticks\":", event->global_ticks);
    at = put_number(at, ",\"local\":", event->local_ticks);
    if (begin) {
        at = put_number(at, ",\"begin_ticks\":", *begin);
        at = put_number(at, ",\"begin_local\":", source->stamp.begin_ticks);
    }
    outfile_end(p->out, at);
    if (source->row) {
        outfile_add(p->out, ",\"row\":\"");
        json_characters(p->out, source->row->bytes, source->row->size);
        outfile_add(p->out, "\"");
    }
    if (source->routine.size > 0 && !is_call(source)) {
        outfile_add(p->out, ",\"routine\":\"");
        json_characters(p->out, source->routine.bytes, source->routine.size);
        outfile_add(p->out, "\"");
    }
    if (p->trace->source->valued && source->size > 0) {
        outfile_add(p->out, ",\"values\":\"");
        json_characters(p->out, (const char *)source->bytes, source->size);
        outfile_add(p->out, "\"");
    }
    outfile_add(p->out, "}}");
}

/* An interval, as write_interval of a record. */
static csy_status write_row_interval(struct picture *p, struct track *track,
                                     const struct event *source, const csy_event *event,
                                     int64_t *reach, csy_error *error)
{
    bool nests;
    int64_t begin;
    csy_status status = placement_stamp_begin(p->sync, source, event->global_ticks, &begin, error);
    if (status)
        return status;
    const struct slice slice = slice_from(begin, event->global_ticks, p->base_ticks);
    status = picture_begin_slice(p, track, "row", slice, &nests, error);
    if (status)
        return status;
    if (!nests)
        picture_write_id(p, 'r', event->record);
    write_row(p, source, event, &begin);
    if (!nests) {
        picture_begin_end(p, track, "row", slice.end);
        picture_write_id(p, 'r', event->record);
        write_name(p, source);
        outfile_print(p->out, "}");
    }
    *reach = nests ? slice.begin : slice.end;
    picture_draw_flows(p, source, track, slice.begin, slice.end);
    return CSY_OK;
}

csy_status picture_draw_row(void *user, const struct event *source, const csy_event *event,
                            csy_error *error)
{
    struct picture *p = user;
    struct track *track;
    int64_t reach = event->global_ticks;
    csy_status status = picture_row_track(p, event->track, &track, error);
    if (!status && source->stamp.interval) {
        status = write_row_interval(p, track, source, event, &reach, error);
    } else if (!status) {
        char *at = outfile_text(p->out, PICTURE_PIECE_MAX);
        at = is_call(source) ? picture_put_call(at, p, source->call == EVENT_ENTERS, track, reach)
                             : picture_put_instant(at, p, "row", track, reach);
        outfile_end(p->out, at);
        write_row(p, source, event, NULL);
        picture_draw_flows(p, source, track, event->global_ticks, event->global_ticks);
    }
    return status ? status : lives_draw(&p->lives, event, reach, error);
}
