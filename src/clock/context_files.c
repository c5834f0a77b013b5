/* What a context has in each file. */
#include "clock/context_files.h"

#include "base/error.h"

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
