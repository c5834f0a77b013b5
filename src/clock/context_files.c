/* What a context has in each file. */
#include "clock/context_files.h"

#include "base/error.h"
#include "trace/pex/record.h"

#include <stdlib.h>

static void begin_blocks(struct context_files *files)
{
    files->touched = 1;
    files->residency = 0;
    files->interval = UINT64_MAX;
    files->spe = CSY_NO_SPE;
    files->in_block = false;
}

csy_status context_files_new(const struct unwrapper *like, size_t file, struct context_files **out,
                             csy_error *error)
{
    struct context_files *files = *out = calloc(1, sizeof *files);
    if (!files)
        return error_memory(error);
    files->file = file;
    unwrap_init(&files->unwrapper, like->imprecision_ticks, like->strict, like->known);
    files->unwrapper.closed = like->closed;
    files->unwrapper.closed_user = like->closed_user;
    begin_blocks(files);
    return CSY_OK;
}

void context_files_free(struct context_files *files)
{
    if (files)
        unwrap_fini(&files->unwrapper);
    free(files);
}

csy_status context_files_tell_out(struct context_files *files, csy_error *error)
{
    if (!files->has_out)
        return CSY_OK;
    files->has_out = false;
    return unwrap_ppe(&files->unwrapper, files->out_position, files->out_ticks, error);
}

/* What it has in the file that is over. */
static void end_file(struct context_files *files)
{
    if (files->recorded && !files->cut && !files->has_bare) {
        files->has_bare = true;
        files->bare_file = files->file;
        files->bare_offset = files->offset;
    }
    if (files->residencies > 1 && !files->has_many) {
        files->has_many = true;
        files->many_file = files->file;
        files->many = files->residencies;
    }
    files->recorded = files->cut = false;
    files->residencies = 0;
}

csy_status context_files_enter(struct context_files *files, size_t file, bool *begins,
                               csy_error *error)
{
    *begins = files->file != file;
    if (!*begins)
        return CSY_OK;
    csy_status status = context_files_tell_out(files, error);
    end_file(files);
    begin_blocks(files);
    files->file = file;
    return status ? status : unwrap_break(&files->unwrapper, error);
}

bool context_files_are_uncut(struct context_files *files, struct uncut *out)
{
    end_file(files);
    out->file = files->bare_file;
    out->offset = files->bare_offset;
    out->other_file = files->many_file;
    out->residencies = files->many;
    return files->has_bare && files->has_many;
}

/* A begin that is stamped. */
static bool has_begin(const struct event *event)
{
    return event->stamp.interval && event->stamp.begin_ticks <= event->stamp.time_ticks;
}

bool context_life_tells(const struct event *event, uint32_t *context)
{
    const struct record *record = event->record;
    const struct event_roles *roles = event->roles;
    bool starts = record->id == ID_THREAD_START, stops = record->id == ID_THREAD_STOP;
    if (!roles || record->npayload == 0 || (!starts && !stops) ||
        (starts ? roles->spawn.size == 0 || (roles->late && !has_begin(event))
                : roles->join.size == 0))
        return false;
    uint64_t id = load64(record_payload(record, false));
    *context = (uint32_t)id;
    return id <= UINT32_MAX;
}

void context_life_note(struct context_life *life, const struct event *event)
{
    bool starts = event->record->id == ID_THREAD_START;
    int64_t ticks =
        starts && has_begin(event) ? event->stamp.begin_ticks : (int64_t)event->record->stamp;
    if (starts ? !life->started || ticks < life->start_ticks
               : !life->stopped || ticks > life->stop_ticks)
        *(starts ? &life->start_ticks : &life->stop_ticks) = ticks;
    life->started |= starts;
    life->stopped |= !starts;
}

bool context_life_is_short(const struct context_life *life, int64_t imprecision_ticks)
{
    int128 length = (int128)life->stop_ticks - life->start_ticks;
    return life->started && life->stopped && length >= 0 &&
           length + imprecision_ticks < UNWRAP_WRAP;
}
