/* Reads the files of a part of a trace with the functions of its format. See streams.h. */
#include "trace/streams.h"

#include "base/error.h"
#include "trace/trace.h"

csy_status streams_start(const struct csy_trace *trace, const struct streams_part *part,
                         struct streams **out, csy_error *error)
{
    struct streams *s = *out = calloc(1, sizeof *s);
    if (!s)
        return error_memory(error);
    *s = (struct streams){.trace = trace, .part = *part, .next = part->first};
    s->open = calloc(part->open_most, sizeof(struct stream_file *));
    return s->open ? trace->source->streams->start(s, error) : error_memory(error);
}

/* Returns the item of part.starts for the clock of the file, or NULL. */
static int64_t *start_of(const struct streams_part *part, const struct stream_file *file)
{
    return part->starts ? &part->starts[part->clocks[file->first]] : NULL;
}

static bool is_wanted(const struct streams_part *part, const struct stream_file *file)
{
    bool wanted = false;
    for (size_t i = 0; part->wants && i < file->nlocations && !wanted; i++)
        wanted = part->wants(part->user, file->first + i);
    return wanted;
}

/* Returns the time from the first event on the clock (without part.starts: in the file) to the last
 * event read. Returns -1 if no event was read. */
static int64_t elapsed(const struct streams_part *part, const struct stream_file *file)
{
    const int64_t *start = start_of(part, file);
    return file->totals.events == 0
               ? -1
               : file->last_ticks - (start ? *start : file->totals.first_ticks);
}

/* Returns the index of the open file to read next: a wanted one or, if there is none, the one with
 * the least elapsed time. */
static size_t choose(const struct streams *s)
{
    size_t best = 0;
    bool best_wanted = false;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < s->nopen; i++) {
        bool wanted = is_wanted(&s->part, s->open[i]);
        int64_t ticks = elapsed(&s->part, s->open[i]);
        if (i == 0 || wanted > best_wanted || (wanted == best_wanted && ticks < least)) {
            best = i;
            best_wanted = wanted;
            least = ticks;
        }
    }
    return best;
}

/* Open files up to the limit, and read from one of them. */
static bool read_file(struct streams *s)
{
    const struct stream_reading *of = s->trace->source->streams;
    bool good = true, more = true;
    while (good && more && s->nopen < s->part.open_most && s->next < s->nfiles) {
        struct stream_file *opened = NULL;
        good = of->open(s, s->next, &opened);
        more = opened != NULL;
        if (more) {
            s->open[s->nopen++] = opened;
            s->next += s->part.step;
        }
    }
    if (!good || s->nopen == 0)
        return good;
    s->current = choose(s);
    s->count = 0;
    struct stream_file *file = s->open[s->current];
    file->nbatches = 1;
    good = of->read(s, file);
    int64_t *start = start_of(&s->part, file);
    if (start && file->totals.events > 0 && file->totals.first_ticks < *start)
        *start = file->totals.first_ticks;
    return good && !s->failed;
}

bool streams_next(struct streams *s, struct stream_batch *batch)
{
    const struct stream_reading *of = s->trace->source->streams;
    while (!s->failed) {
        struct stream_file *file = s->nopen > 0 ? s->open[s->current] : NULL;
        if (file && file->nbatches > 0) {
            file->nbatches--;
            *batch =
                (struct stream_batch){.location = file->first,
                                      .items = s->items,
                                      .count = s->count,
                                      .known = file->ended ? UINT64_MAX : file->totals.events,
                                      .known_ticks = file->ended ? INT64_MAX : file->last_ticks,
                                      .ended = file->ended,
                                      .totals = file->totals};
            if (of->give)
                of->give(file, batch);
            return true;
        }
        if (file && file->ended) {
            of->close(file);
            s->open[s->current] = s->open[--s->nopen];
        }
        s->failed = !read_file(s);
        if (s->nopen == 0)
            return false;
    }
    return false;
}

void streams_stop(struct streams *s)
{
    if (!s)
        return;
    const struct stream_reading *of = s->trace->source->streams;
    while (s->nopen > 0)
        of->close(s->open[--s->nopen]);
    if (of->stop)
        of->stop(s);
    FREE_ALL(s->open, s->items, s->own, s);
}
