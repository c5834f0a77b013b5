/* The rows of a CSV as Chrome trace events. */
#include "output/json.h"
#include "output/members.h"
#include "output/picture.h"

#include <inttypes.h>
#include <string.h>

unsigned picture_row_group(struct picture *p, size_t index)
{
    const csy_thread *clock = &p->sync->views[index];
    if (!members_share(clock))
        return GROUP_ROWS;
    unsigned group = GROUP_CLOCKS + (unsigned)index;
    if (!p->clocks[index].named)
        picture_name_group(p, group, clock->name);
    p->clocks[index].named = true;
    return group;
}

csy_status picture_row_track(struct picture *p, size_t index, struct track **out, csy_error *error)
{
    const csy_track *track = &p->sync->tracks[index];
    return picture_find_track(p, picture_row_group(p, track->thread), index, track->name, out,
                              error);
}

/* The characters of a field, in which a quote may be doubled. */
static void write_field(struct outfile *out, const struct csv_field *field)
{
    const char *at = field->at, *end = at + field->size;
    while (at < end) {
        const char *quote = field->quoted ? memchr(at, '"', (size_t)(end - at)) : NULL;
        json_characters(out, at, (size_t)((quote ? quote + 1 : end) - at));
        at = quote ? quote + 2 : end;
    }
}

/* The name that the column event gives, without blanks around it. */
static void write_row_name(struct picture *p, const struct csv_row *row)
{
    size_t column = p->trace->csv.columns.event;
    struct csv_field name = {NULL, 0, false};
    if (column != CSV_NO_COLUMN)
        name = csv_field_trim(row->fields[column]);
    outfile_print(p->out, ",\"name\":\"");
    if (name.size > 0)
        write_field(p->out, &name);
    else
        outfile_print(p->out, "row");
    outfile_print(p->out, "\"");
}

/* The name of a row's event and all that it holds, up to the event's end. */
static void write_row(struct picture *p, const struct csv_row *row, const csy_event *event,
                      const int64_t *begin)
{
    write_row_name(p, row);
    if (picture_write_few(p, event)) {
        outfile_print(p->out, p->output->json_args == CSY_JSON_NONE ? "}" : "}}");
        return;
    }
    outfile_print(p->out,
                  ",\"args\":{\"record\":%" PRIu64 ",\"ticks\":%" PRId64 ",\"local\":%" PRId64,
                  event->record, event->global_ticks, event->local_ticks);
    if (begin)
        outfile_print(p->out, ",\"begin_ticks\":%" PRId64 ",\"begin_local\":%" PRId64, *begin,
                      row->begin_ticks);
    outfile_print(p->out, ",\"row\":\"");
    json_characters(p->out, row->bytes, row->size);
    outfile_print(p->out, "\"}}");
}

/* An interval, as write_interval of a record. */
static csy_status write_row_interval(struct picture *p, struct track *track,
                                     const struct csv_row *row, const csy_event *event,
                                     int64_t *reach, csy_error *error)
{
    bool nests;
    int64_t begin;
    csy_status status = row_global_begin(p->trace, row, event, &begin, error);
    if (status)
        return status;
    struct slice slice = {begin < event->global_ticks ? begin : event->global_ticks,
                          event->global_ticks};
    slice.begin = slice.begin < p->base_ticks ? p->base_ticks : slice.begin;
    status = picture_begin_slice(p, track, "row", slice, &nests, error);
    if (status)
        return status;
    if (!nests)
        picture_write_id(p, 'r', event->record);
    write_row(p, row, event, &begin);
    if (!nests) {
        picture_begin_end(p, track, "row", slice.end);
        picture_write_id(p, 'r', event->record);
        write_row_name(p, row);
        outfile_print(p->out, "}");
    }
    *reach = nests ? slice.begin : slice.end;
    return CSY_OK;
}

csy_status picture_draw_row(struct picture *p, const struct csv_row *row, const csy_event *event,
                            csy_error *error)
{
    struct track *track;
    int64_t reach = event->global_ticks;
    csy_status status = picture_row_track(p, event->track, &track, error);
    if (!status && row->interval) {
        status = write_row_interval(p, track, row, event, &reach, error);
    } else if (!status) {
        picture_begin_instant(p, "row", track, event->global_ticks);
        write_row(p, row, event, NULL);
    }
    return status ? status : picture_note_life(p, event, reach, error);
}

csy_status picture_draw_shared(struct picture *p, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; !status && i < p->sync->survey.threads.ntracks; i++)
        if (p->sync->views[p->sync->tracks[i].thread].nmembers > 1 && p->lives[i].records > 0)
            status = picture_write_live(p, i, error);
    return status;
}
