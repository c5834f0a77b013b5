/* Finds flushes while a trace is read in which only blocks order records. */
#include "order/block_line.h"

#include "base/array.h"
#include "base/error.h"
#include "order/rebase.h"

#include <stdlib.h>

/* How a location uses buffers. */
enum way { WAY_NONE, WAY_NO_BUFFER, WAY_RECORDS, WAY_BLOCKS };

struct line_location {
    enum way way;
    bool open; /* the last block of the location has not been flushed */
    uint32_t buffer;
    struct instant last; /* the last record of the location */
};

void block_line_fini(struct block_line *line)
{
    block_names_fini(&line->names);
    free(line->states);
    free(line->filled);
    *line = (struct block_line){0};
}

static csy_status find_location(struct block_line *line, const struct event *event,
                                uint32_t *number, csy_error *error)
{
    csy_status status = match_find_location(line->match, event, number, error);
    if (status)
        return status;
    if (!ARRAY_RESERVE(line->states, line->states_capacity, (size_t)*number + 1))
        return error_memory(error);
    for (; line->nstates <= *number; line->nstates++)
        line->states[line->nstates] = (struct line_location){.buffer = NO_BUFFER};
    return CSY_OK;
}

static csy_status find_buffer(struct block_line *line, const struct event *event, uint32_t *number,
                              csy_error *error)
{
    csy_status status = match_find_buffer(line->match, event, number, error);
    if (status || *number == NO_BUFFER)
        return status;
    if (!ARRAY_RESERVE(line->filled, line->filled_capacity, (size_t)*number + 1))
        return error_memory(error);
    while (line->nfilled <= *number)
        line->filled[line->nfilled++] = NO_LOCATION;
    return CSY_OK;
}

/* End the block that is being filled in the buffer, if the records show that it is complete. */
static csy_status close_block(struct block_line *line, uint32_t buffer, csy_error *error)
{
    uint32_t location = line->filled[buffer];
    if (location == NO_LOCATION)
        return CSY_OK;
    struct line_location *state = &line->states[location];
    line->filled[buffer] = NO_LOCATION;
    state->open = false;
    return line->sink.flush(line->sink.user, &state->last, state->last.lo, false, error);
}

/* End a block whose flush has timestamps. The flush comes after the record, or is the record
 * itself. */
static csy_status close_stamped(struct block_line *line, struct line_location *state,
                                const struct event_roles *roles, const struct instant *record,
                                csy_error *error)
{
    int128 lo = (int128)record->lo + roles->flush_lo, hi = (int128)record->lo + roles->flush_hi;
    struct instant flush = *record;
    if (lo <= -X_MAX || hi >= X_MAX)
        return error_set(error, CSY_INPUT, "its flush is 2^58 ticks or more from other stamps");
    flush.lo = (int64_t)lo;
    flush.hi = (int64_t)hi;
    line->filled[record->buffer] = NO_LOCATION;
    state->open = false;
    line->stamped++;
    return line->sink.flush(line->sink.user, &flush, state->last.lo, true, error);
}

static csy_status take_block(struct block_line *line, const struct event *event,
                             struct line_location *state, const struct instant *record,
                             csy_error *error)
{
    const struct event_roles *roles = event->roles;
    uint32_t writer;
    bool begins, itself = roles->flush == FLUSH_ITSELF;
    csy_status status = block_names_take(&line->names, roles, record->location, record->buffer,
                                         &writer, &begins, error);
    if (status)
        return status;
    line->broken = line->broken || (!begins && !state->open) || (begins && itself);
    if (line->broken)
        return CSY_OK;
    line->blocks += begins;
    if (begins)
        status = close_block(line, record->buffer, error);
    if (itself) {
        status = close_stamped(line, state, roles, record, error);
        state->last = record->chained ? *record : state->last;
        return status ? status
                      : line->sink.record(line->sink.user, record, LINE_RECORD_FLUSHED, error);
    }
    if (!status)
        status = line->sink.record(line->sink.user, record,
                                   begins ? LINE_RECORD_BEGINS : LINE_RECORD_PLAIN, error);
    state->last = *record;
    state->open = true;
    line->filled[record->buffer] = record->location;
    return status || roles->flush == FLUSH_NONE ? status
                                                : close_stamped(line, state, roles, record, error);
}

/* Spawns and joins count only for sources that report all of them, which also have streams. */
static bool says_more(const struct event_roles *roles)
{
    size_t lives = roles->spawned ? 0 : roles->stream.size + roles->spawn.size + roles->join.size;
    return lives + roles->send.size + roles->recv.size + roles->post.size + roles->wait.size +
               roles->enter.size + roles->leave.size + roles->members.size + roles->release.size +
               roles->acquire.size + roles->id.size + roles->after.size + roles->lacking >
           0;
}

/* Pass the record to match without its place among blocks. */
static csy_status take_life(struct block_line *line, const struct event *event, int64_t x,
                            csy_error *error)
{
    struct event bare = *event;
    struct event_roles roles = *event->roles;
    roles.buffer = roles.block = (csy_text){0};
    roles.flush = FLUSH_NONE;
    bare.roles = &roles;
    return match_event(line->match, &bare, x, error);
}

/* Pass on the last record of a location, unless match has it already. */
static csy_status end_life(struct block_line *line, const struct instant *last, csy_error *error)
{
    const struct match_kept record = {last->position, last->place, last->clock,
                                      last->location, last->lo,    last->lo};
    return line->lives->locations[last->location].last.position == last->position
               ? CSY_OK
               : match_keep(line->match, &record, error);
}

csy_status block_line_event(struct block_line *line, const struct event *event, int64_t x,
                            csy_error *error)
{
    const struct event_roles *roles = event->roles;
    struct instant record = {.lo = x,
                             .hi = x,
                             .position = event->position,
                             .place = event->place,
                             .clock = event->thread,
                             .kind = INSTANT_END,
                             .chained = !roles->alone};
    csy_status status = find_location(line, event, &record.location, error);
    if (!status)
        status = find_buffer(line, event, &record.buffer, error);
    if (status || line->broken)
        return status;
    struct line_location *state = &line->states[record.location];
    bool block = roles->block.size > 0 || roles->flush != FLUSH_NONE;
    enum way way = block ? WAY_BLOCKS : record.buffer != NO_BUFFER ? WAY_RECORDS : WAY_NO_BUFFER;
    line->broken = says_more(roles) || (state->way != WAY_NONE &&
                                        (state->way != way || state->buffer != record.buffer ||
                                         state->last.clock != record.clock || x < state->last.lo));
    if (line->broken)
        return CSY_OK;
    if (line->lives && roles->spawned &&
        (state->way == WAY_NONE || roles->spawn.size + roles->join.size > 0))
        status = take_life(line, event, x, error);
    state->way = way;
    state->buffer = record.buffer;
    if (!status && record.buffer != NO_BUFFER && line->filled[record.buffer] != record.location)
        status = close_block(line, record.buffer, error);
    if (!status && block)
        return take_block(line, event, state, &record, error);
    state->last = record;
    enum line_record what = way == WAY_RECORDS ? LINE_RECORD_PLACED : LINE_RECORD_PLAIN;
    return status ? status : line->sink.record(line->sink.user, &record, what, error);
}

csy_status block_line_finish(struct block_line *line, csy_error *error)
{
    csy_status status = CSY_OK;
    for (uint32_t b = 0; b < line->nfilled && !status && !line->broken; b++)
        status = close_block(line, b, error);
    size_t nlives = line->lives ? line->lives->nlocations : 0;
    for (uint32_t l = 0; l < nlives && !status && !line->broken; l++)
        status = end_life(line, &line->states[l].last, error);
    return status;
}
