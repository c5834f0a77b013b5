/* A synchronized OTF2 archive: the same archive with other ClockOffset records, which readers
 * apply.
 *
 *   NAME.otf2       with properties for --check
 *   NAME.def        unchanged, except for the length of the trace if that has grown
 *   NAME/LOC.def    unchanged, except for its ClockOffset records
 *   all others      byte for byte
 *
 * A single ClockOffset has no effect: libotf2 makes intervals of two, and continues beyond the last
 * with its slope. Between two it rounds to whole ticks, in double, so a drifting clock is correct
 * to 1 tick. */
#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "io/path.h"
#include "output/file/outfolder.h"
#include "output/file/tempname.h"
#include "output/trace/facts_line.h"
#include "output/trace/otf2_anchor.h"
#include "output/trace/otf2_definitions.h"
#include "output/trace/otf2_folder.h"
#include "output/trace/settings.h"
#include "output/trace/trace_out.h"
#include "output/trace/writer.h"
#include "sync/drift/drift.h"
#include "sync/placement.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first and last timestamp of a clock. */
struct extent {
    int64_t first_ticks, last_ticks;
    bool any;
};

struct writing {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const struct csy_output *output;
    const struct otf2_archive *archive;
    const char *target;
    char *name; /* of the archive */
    struct outfolder *folder;
    struct texts clocks;    /* names; numbers are those of threads */
    struct extent *extents; /* by thread */
    int128 shift_ticks;     /* of all clocks */
    uint64_t length_ticks;
    struct otf2_offset *offsets; /* of a location */
    size_t noffsets, offsets_capacity;
    uint32_t crc32; /* of the event files, in the order of their locations */
};

/* --- Offsets -----------------------------------------------------------------------------------
 */

static void extend(struct extent *extent, int64_t ticks)
{
    if (!extent->any || ticks < extent->first_ticks)
        extent->first_ticks = ticks;
    if (!extent->any || ticks > extent->last_ticks)
        extent->last_ticks = ticks;
    extent->any = true;
}

static csy_status take_stamps(void *user, const struct event *source, const csy_event *event,
                              csy_error *error)
{
    struct writing *w = user;
    (void)error;
    extend(&w->extents[event->thread], source->stamp.time_ticks);
    if (source->stamp.interval)
        extend(&w->extents[event->thread], source->stamp.begin_ticks);
    return CSY_OK;
}

/* Shift global times so that the least is the previous origin, unless a timestamp would leave 64
 * bits. */
static csy_status find_shift(struct writing *w, csy_error *error)
{
    int128 least = 0, greatest = 0, begin = w->archive->offset_ticks;
    bool any = false;
    for (size_t t = 0; t < w->sync->survey.threads.count; t++) {
        const struct extent *extent = &w->extents[t];
        if (!extent->any)
            continue;
        int128 first = placement_of(w->sync, t, extent->first_ticks);
        int128 last = placement_of(w->sync, t, extent->last_ticks);
        least = !any || first < least ? first : least;
        greatest = !any || last > greatest ? last : greatest;
        any = true;
    }
    if (begin + (greatest - least) > INT64_MAX) /* treat it as unknown */
        begin = 0;
    if (greatest - least > INT64_MAX)
        return error_set(error, CSY_INPUT, "%s: its global times span 2^63 ticks or more",
                         w->trace->name);
    w->shift_ticks = begin - least;
    uint64_t span = (uint64_t)(greatest + w->shift_ticks - begin);
    bool known = begin == w->archive->offset_ticks;
    int128 ends = (int128)w->archive->offset_ticks + w->archive->length_ticks;
    w->length_ticks = known && greatest + w->shift_ticks > ends ? span : w->archive->length_ticks;
    return CSY_OK;
}

/* Half the width of the offset's bounds; infinite if there are none. */
static double deviation(const struct csy_sync *sync, size_t t, int64_t local_ticks)
{
    const csy_thread *thread = &sync->views[t];
    int128 least, greatest;
    if (sync->drift)
        return drift_bounds(sync, t, local_ticks, &least, &greatest)
                   ? (double)(greatest - least) / (2.0 * AGE_UNIT)
                   : HUGE_VAL;
    if (thread->earliest_ticks == INT64_MIN || thread->latest_ticks == INT64_MAX)
        return HUGE_VAL;
    return (double)((int128)thread->latest_ticks - thread->earliest_ticks) / 2;
}

/* Add a record with this time for the offset of a clock at a local time. */
static csy_status add_offset(struct writing *w, size_t thread, int64_t local_ticks,
                             int64_t time_ticks, csy_error *error)
{
    int128 offset = placement_of(w->sync, thread, local_ticks) - local_ticks + w->shift_ticks;
    if (!fits_int64(offset))
        return error_set(error, CSY_INPUT, "%s: the offset of %s would leave 64 bits",
                         w->trace->name, w->sync->views[thread].name);
    if (!ARRAY_RESERVE(w->offsets, w->offsets_capacity, w->noffsets + 1))
        return error_memory(error);
    w->offsets[w->noffsets++] = (struct otf2_offset){(uint64_t)time_ticks, (int64_t)offset,
                                                     deviation(w->sync, thread, local_ticks)};
    return CSY_OK;
}

/* Add the offsets of a drifting clock: where its rate changes, and at both ends of its timestamps.
 */
static csy_status make_kinks(struct writing *w, size_t thread, csy_error *error)
{
    const struct knots *knots = &w->sync->drift->clocks[thread];
    const struct extent *extent = &w->extents[thread];
    int64_t last = extent->first_ticks;
    csy_status status = add_offset(w, thread, last, last, error);
    for (size_t i = 0; i <= knots->count && !status; i++) {
        int64_t local = i < knots->count ? knots->items[i].local_ticks : extent->last_ticks;
        if (local <= last || local > extent->last_ticks)
            continue;
        status = add_offset(w, thread, local, local, error);
        last = local;
    }
    return status || w->noffsets > 1 ? status : add_offset(w, thread, last, last + 1, error);
}

/* --- Files ---------------------------------------------------------------------------------- */

static char *spell(const char *front, const char *suffix)
{
    char *path;
    return asprintf(&path, "%s%s", front, suffix) < 0 ? NULL : path;
}

/* Copy a file of the archive; an optional one may be absent. */
static csy_status copy_file(struct writing *w, const char *suffix, bool optional, bool linked,
                            uint32_t *crc32, csy_error *error)
{
    uint32_t own = 0;
    char *from = spell(w->archive->folder, suffix), *to = spell(w->name, suffix);
    csy_status status = from && to ? CSY_OK : error_memory(error);
    if (!status && (!optional || access(from, F_OK) == 0))
        status = outfolder_copy(w->folder, to, from, linked, crc32 ? crc32 : &own, error);
    free(from);
    free(to);
    return status;
}

static csy_status copy_location(struct writing *w, struct otf2_definitions *definitions,
                                const struct otf2_location *location, csy_error *error)
{
    char suffix[40];
    uint32_t thread;
    csy_status status = CSY_OK;
    w->noffsets = 0;
    /* A clock without events has no offsets. */
    if (texts_look(&w->clocks, location->clock.bytes, location->clock.size, &thread)) {
        status = w->sync->drift ? make_kinks(w, thread, error) : add_offset(w, thread, 0, 0, error);
        if (!status && !w->sync->drift)
            status = add_offset(w, thread, 0, 1, error);
    }
    if (!status)
        status = otf2_definitions_location(definitions, location, w->offsets, w->noffsets, error);
    snprintf(suffix, sizeof suffix, "/%" PRIu64 ".evt", location->id);
    if (!status)
        status = copy_file(w, suffix, w->trace->salvage, w->output->linked, &w->crc32, error);
    snprintf(suffix, sizeof suffix, "/%" PRIu64 ".snap", location->id);
    if (!status)
        status = copy_file(w, suffix, true, w->output->linked, NULL, error);
    return status;
}

static csy_status write_files(struct writing *w, csy_error *error)
{
    struct otf2_definitions *definitions = NULL;
    const struct otf2_copy copy = {w->trace->name, w->archive, outfolder_temp(w->folder), w->name,
                                   w->target};
    bool same = w->length_ticks == w->archive->length_ticks;
    csy_status status = copy_file(w, ".otf2", false, false, NULL, error); /* until it is replaced */
    if (!status)
        status = otf2_definitions_open(&copy, &definitions, error);
    for (size_t i = 0; i < w->archive->nlocations && !status; i++) {
        progress_tell(&w->trace->progress, "writing", CSY_UNIT_THREADS, i, w->archive->nlocations);
        if (outfolder_failed(w->folder))
            break;
        status = copy_location(w, definitions, &w->archive->locations[i], error);
    }
    if (!status && !same)
        status = otf2_definitions_global(definitions, w->length_ticks, error);
    status = otf2_definitions_close(definitions, status, error);
    if (!status && same)
        status = copy_file(w, ".def", false, false, NULL, error);
    return status ? status : copy_file(w, ".marker", true, false, NULL, error);
}

/* Read an anchor file, which is small. */
static csy_status read_anchor(const char *name, uint8_t **out, size_t *size, csy_error *error)
{
    enum { ANCHOR_MAX = 16 << 20 };
    struct stat st;
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) {
        csy_status status = error_io(error, name, NULL);
        if (fd >= 0)
            close(fd);
        return status;
    }
    size_t room = st.st_size < ANCHOR_MAX ? (size_t)st.st_size : ANCHOR_MAX;
    uint8_t *bytes = malloc(room + 1);
    ssize_t n = bytes ? pread(fd, bytes, room, 0) : 0;
    csy_status status = !bytes ? error_memory(error) : n < 0 ? error_io(error, name, NULL) : CSY_OK;
    close(fd);
    if (status) {
        free(bytes);
        return status;
    }
    *out = bytes;
    *size = (size_t)n;
    return CSY_OK;
}

static csy_status write_anchor(struct writing *w, csy_error *error)
{
    const struct facts_line line = {
        .trace = w->trace, .sync = w->sync, .archive = true, .clock_per = w->archive->clock_per};
    char crc32[16], *facts = facts_line_text(&line);
    const struct otf2_property properties[] = {{OTF2_PROPERTY_CRC, crc32},
                                               {OTF2_PROPERTY_FACTS, facts}};
    uint8_t *old = NULL, *made = NULL;
    size_t size = 0, made_size = 0;
    char *name = spell(w->name, ".otf2"), *path = NULL;
    snprintf(crc32, sizeof crc32, "0x%08" PRIx32, w->crc32);
    csy_status status =
        name && facts ? read_anchor(w->trace->name, &old, &size, error) : error_memory(error);
    if (!status)
        status = otf2_anchor_set(w->trace->name, old, size, properties,
                                 sizeof properties / sizeof *properties, &made, &made_size, error);
    if (!status) {
        path = outfolder_path(w->folder, name);
        status = path ? CSY_OK : error_memory(error);
    }
    if (!status) {
        /* Empty the anchor file of libotf2, which has another trace id. The file itself stays,
         * since it identifies an archive. */
        if (truncate(path, 0) < 0)
            status = error_io(error, path, NULL);
        else
            outfolder_append(w->folder, name, made, made_size);
    }
    free(path);
    free(facts);
    free(name);
    free(old);
    free(made);
    return status;
}

/* --- The archive ------------------------------------------------------------------------------ */

static csy_status prepare(struct writing *w, csy_error *error)
{
    static const struct writer_format format = {.event = take_stamps};
    const struct threads *threads = &w->sync->survey.threads;
    uint32_t number;
    bool added;
    w->extents = calloc(threads->count + 1, sizeof *w->extents);
    w->name = strdup(path_name(w->archive->folder));
    csy_status status = w->extents && w->name ? CSY_OK : error_memory(error);
    for (size_t t = 0; t < threads->count && !status; t++) {
        const char *name = threads->items[t].name;
        if (!texts_find(&w->clocks, name, strlen(name), &number, &added))
            status = error_memory(error);
    }
    if (!status)
        status = writer_walk(&(struct writer){w->trace, w->sync, NULL, &format, w}, error);
    return status ? status : find_shift(w, error);
}

csy_status otf2_write(struct csy_trace *trace, const struct csy_sync *sync,
                      const csy_output *output, const char *path, csy_error *error)
{
    struct writing w = {.trace = trace,
                        .sync = sync,
                        .output = output,
                        .archive = otf2_archive_of(trace),
                        .target = path};
    csy_status status = otf2_check_target(trace, path, error);
    if (!status)
        status = prepare(&w, error);
    if (!status)
        status = outfolder_open(path, &w.folder, error);
    if (!status)
        status = write_files(&w, error);
    if (!status)
        status = write_anchor(&w, error);
    if (!status)
        status = trace_check_unchanged(trace, error);
    if (!status)
        status = otf2_check_target(trace, path, error); /* may have changed */
    if (!status)
        status = outfolder_publish(w.folder, &trace->progress, error);
    outfolder_close(w.folder);
    texts_fini(&w.clocks);
    free(w.extents);
    free(w.offsets);
    free(w.name);
    return status;
}
