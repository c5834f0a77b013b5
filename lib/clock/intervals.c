/* Divides the records of each SPE context in a .pex into live intervals. Each live interval is a
 * thread of the solution. See timeline.h. */
#include "clock/timeline.h"

#include "base/array.h"
#include "base/error.h"
#include "base/id_map.h"
#include "base/number.h"
#include "base/sort.h"
#include "trace/event.h"
#include "trace/pex/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* For a partial order: facts about the records of an SPE context in the current and earlier files.
 * A residency is the time from a switch IN to a switch OUT of the context. */
struct context_files {
    size_t file;
    bool recorded, cut;   /* true if `file` has records of the context; or switches (cut) */
    uint64_t offset;      /* file offset of the context's first record in the current file */
    uint64_t residencies; /* number of residencies in `file` */
    bool has_bare;        /* true if one file (bare_file) has records of the context, but no
                           * switches */
    bool has_many;
    size_t bare_file, many_file;
    uint64_t bare_offset, many;
    /* The following members are used only if each thread writes its records in blocks. */
    uint64_t touched;
    uint64_t residency;
    uint64_t spe;
    /* residency that contains the current live interval; UINT64_MAX: it may be any of several */
    uint64_t interval;
    uint64_t block;
    bool in_block; /* true if `block` is the block of the context's previous record */
    bool has_out;
    uint64_t out_position;
    int64_t out_ticks;
    struct unwrapper unwrapper;
};

/* PPE times before and after all records of a context, when its thread started and stopped. */
struct context_life {
    bool started, stopped;
    int64_t start_ticks, stop_ticks;
};

static void begin_blocks(struct context_files *files)
{
    files->touched = 1;
    files->residency = 0;
    files->interval = UINT64_MAX;
    files->spe = CSY_NO_SPE;
    files->in_block = false;
}

/* Pass the time of a switch OUT to the unwrapper, once. */
static csy_status context_files_tell_out(struct context_files *files, csy_error *error)
{
    if (!files->has_out)
        return CSY_OK;
    files->has_out = false;
    return unwrap_ppe(&files->unwrapper, files->out_position, files->out_ticks, error);
}

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

static bool has_begin(const struct event *event)
{
    return event->stamp.interval && event->stamp.begin_ticks <= event->stamp.time_ticks;
}

/* Returns true if a PPE record shows when the thread of *context started or stopped. A start that
 * was recorded late without a begin shows nothing: the thread may have run before. */
static bool context_life_tells(const struct event *event, uint32_t *context)
{
    const struct record *record = event->record;
    const struct event_roles *roles = event->roles;
    bool starts = record->id == ID_THREAD_START, stops = record->id == ID_THREAD_STOP;
    if (!roles || record->npayload == 0 || (!starts && !stops) ||
        (starts ? roles->spawn.size == 0 || (roles->late && !has_begin(event))
                : roles->join.size == 0))
        return false;
    uint64_t id = payload_value(record_payload(record, false), 0);
    *context = (uint32_t)id;
    return id <= UINT32_MAX;
}

enum { CACHE_SLOTS = 1024 };

enum residency { RESIDENCY_UNKNOWN, RESIDENCY_IN, RESIDENCY_OUT };

struct context {
    uint32_t id;
    enum residency residency;
    uint32_t latest; /* index of the latest live interval, or NO_THREAD */
    uint32_t intervals;
    bool written; /* true if the context has records */
    uint64_t spe; /* SPE of the last switch IN, or CSY_NO_SPE */
    struct unwrap_clock clock;
    struct context_life life;
    struct context_files *files; /* NULL unless the order is partial */
};

struct intervals {
    struct threads *threads;
    struct unwrapper unwrapper;
    struct id_map contexts;
    struct context **items; /* all contexts, in the order of first use */
    size_t count, capacity;
    struct context *cache[CACHE_SLOTS];
    uint32_t ended; /* live interval that ends with the current record, or NO_THREAD */
    struct intervals_rules rules;
    bool apart;
    bool in_blocks;
    size_t file; /* index of the current record file */
    csy_clock_report report;
};

static void start_unwrapper(const struct intervals *iv, struct unwrapper *u)
{
    const struct intervals_rules *rules = &iv->rules;
    unwrap_init(u, rules->imprecision_ticks, rules->strict, rules->known);
    u->closed = rules->closed;
    u->closed_user = rules->closed_user;
}

csy_status intervals_new(struct threads *threads, const struct intervals_rules *rules,
                         struct intervals **out, csy_error *error)
{
    struct intervals *iv = calloc(1, sizeof *iv);
    if (!iv)
        return error_memory(error);
    iv->threads = threads;
    iv->rules = *rules;
    iv->apart = rules->partial && rules->order != GRANULARITY_RECORD;
    iv->in_blocks = rules->partial && rules->order >= GRANULARITY_BLOCK;
    start_unwrapper(iv, &iv->unwrapper);
    *out = iv;
    return CSY_OK;
}

void intervals_free(struct intervals *iv)
{
    if (!iv)
        return;
    unwrap_fini(&iv->unwrapper);
    id_map_fini(&iv->contexts);
    for (size_t i = 0; i < iv->count; i++) {
        struct context_files *files = iv->items[i]->files;
        if (files)
            unwrap_fini(&files->unwrapper);
        FREE_ALL(files, iv->items[i]);
    }
    FREE_ALL(iv->items, iv);
}

/* Find or add the context with this id. Returns NULL if memory runs out. */
static struct context *find_context(struct intervals *iv, uint32_t id)
{
    struct context **cached = &iv->cache[id % CACHE_SLOTS], *before = *cached;
    if (before && before->id == id)
        return before;
    void **place = id_map_place(&iv->contexts, id);
    if (!place)
        return NULL;
    if (!*place) {
        struct context *context = malloc(sizeof *context);
        /* An array of pointers: NOLINTNEXTLINE(bugprone-sizeof-expression) */
        if (!context || !ARRAY_PUSH(iv->items, iv->count, iv->capacity, context)) {
            free(context);
            return NULL;
        }
        *context = (struct context){
            .id = id, .latest = NO_THREAD, .clock = {.thread = NO_THREAD}, .spe = CSY_NO_SPE};
        *place = context;
    }
    return *cached = *place;
}

/* Prepare a context for its records and switches in the current file. */
static csy_status enter_file(struct intervals *iv, struct context *context, csy_error *error)
{
    struct context_files *files = context->files;
    if (files && files->file == iv->file)
        return CSY_OK;
    if (!files) {
        files = context->files = calloc(1, sizeof *files);
        if (!files)
            return error_memory(error);
        start_unwrapper(iv, &files->unwrapper);
        files->file = iv->file;
        begin_blocks(files);
        return CSY_OK;
    }
    csy_status status = context_files_tell_out(files, error);
    end_file(files);
    begin_blocks(files);
    files->file = iv->file;
    status = status ? status : unwrap_break(&files->unwrapper, error);
    if (status)
        return status;
    context->residency = RESIDENCY_UNKNOWN;
    context->written = false;
    context->spe = CSY_NO_SPE;
    context->clock.thread = NO_THREAD;
    context->clock.has_before = context->clock.has_after = false;
    return CSY_OK;
}

static struct unwrapper *unwrapper_of(struct intervals *iv, struct context *context)
{
    return iv->apart ? &context->files->unwrapper : &iv->unwrapper;
}

static void end_interval(struct intervals *iv, struct context *context)
{
    iv->ended = context->clock.thread;
    context->clock.thread = NO_THREAD;
}

static void switch_in(struct intervals *iv, struct context *context, uint64_t spe)
{
    bool first = context->residency == RESIDENCY_UNKNOWN;
    /* Two switches IN, or records before the first IN, show that the record of a switch OUT is
     * missing. A notifier may record an IN late, so records before the first IN then prove
     * nothing. */
    bool lost_out =
        context->residency == RESIDENCY_IN || (first && context->written && !iv->rules.notifier);
    iv->report.lost_outs += lost_out;
    if (lost_out || !first)
        end_interval(iv, context);
    context->residency = RESIDENCY_IN;
    context->spe = spe;
    if (context->clock.thread != NO_THREAD)
        iv->threads->items[context->clock.thread].spe = spe;
}

static void switch_out(struct intervals *iv, struct context *context, uint64_t spe)
{
    iv->report.lost_ins += context->residency == RESIDENCY_OUT;
    bool resident = context->residency != RESIDENCY_OUT && context->clock.thread != NO_THREAD;
    if (resident && iv->threads->items[context->clock.thread].spe == CSY_NO_SPE)
        iv->threads->items[context->clock.thread].spe = spe;
    end_interval(iv, context);
    context->residency = RESIDENCY_OUT;
    context->spe = CSY_NO_SPE;
}

/* Do the same as switch_in or switch_out if threads write their records in blocks. Records from
 * before the switch may then come after it in the file. */
static csy_status switch_blocks(struct intervals *iv, struct context *context,
                                const struct record *record, uint64_t spe, csy_error *error)
{
    struct context_files *files = context->files;
    bool first = context->residency == RESIDENCY_UNKNOWN, in = record->id == ID_SWITCH_IN;
    bool late = in && first && context->written && iv->rules.notifier;
    if (iv->rules.order == GRANULARITY_BLOCK && files->in_block) {
        files->touched = context->residency != RESIDENCY_OUT;
        files->in_block = false;
    }
    if (!in) {
        iv->report.lost_ins += context->residency == RESIDENCY_OUT;
        if (!files->has_out) {
            files->has_out = true;
            files->out_position = record->position;
            files->out_ticks = (int64_t)record->stamp;
        }
        context->residency = RESIDENCY_OUT;
        files->spe = files->spe == CSY_NO_SPE ? spe : files->spe;
        return CSY_OK;
    }
    iv->report.lost_outs +=
        context->residency == RESIDENCY_IN || (first && context->written && !iv->rules.notifier);
    csy_status status = context_files_tell_out(files, error);
    if (!late) {
        files->residency++;
        files->touched = first && !context->written ? 1 : files->touched + 1;
    }
    context->residency = RESIDENCY_IN;
    files->spe = spe;
    return status ? status
                  : unwrap_ppe(&files->unwrapper, record->position, (int64_t)record->stamp, error);
}

static csy_status take_switch(struct intervals *iv, const struct record *record, const char *name,
                              csy_error *error)
{
    const uint8_t *payload = record_payload(record, false);
    const char *which = record->id == ID_SWITCH_IN ? "SPE_SWITCH_IN" : "SPE_SWITCH_OUT";
    if (record->npayload < 2)
        return error_offset(error, name, record->offset,
                            "%s has %u payload values, expected two: context and SPE", which,
                            record->npayload);
    uint64_t id = payload_value(payload, 0);
    if (id > UINT32_MAX)
        return error_offset(error, name, record->offset,
                            "%s has the context %" PRIu64 ", which does not fit 32 bits", which,
                            id);
    struct context *context = find_context(iv, (uint32_t)id);
    csy_status status = context ? CSY_OK : error_memory(error);
    if (!status && iv->rules.partial)
        status = enter_file(iv, context, error);
    if (status)
        return status;
    if (iv->rules.partial) {
        context->files->residencies += record->id == ID_SWITCH_IN || !context->files->cut;
        context->files->cut = true;
    }
    if (iv->apart && !iv->in_blocks)
        status =
            unwrap_ppe(&context->files->unwrapper, record->position, (int64_t)record->stamp, error);
    if (status)
        return status;
    if (iv->in_blocks && context->files)
        return switch_blocks(iv, context, record, payload_value(payload, 1), error);
    if (record->id == ID_SWITCH_IN)
        switch_in(iv, context, payload_value(payload, 1));
    else
        switch_out(iv, context, payload_value(payload, 1));
    return CSY_OK;
}

static csy_status take_ppe(struct intervals *iv, const char *name, struct event *event,
                           csy_error *error)
{
    const struct record *record = event->record;
    csy_status status = threads_add_ppe(iv->threads, record->position, error);
    event->thread = iv->threads->ppe;
    event->local_ticks = (int64_t)record->stamp;
    if (!status && !iv->apart)
        status = unwrap_ppe(&iv->unwrapper, record->position, event->local_ticks, error);
    if (!status && (record->id == ID_SWITCH_IN || record->id == ID_SWITCH_OUT))
        status = take_switch(iv, record, name, error);
    struct context *living = NULL;
    uint32_t id;
    if (!status && iv->apart && context_life_tells(event, &id))
        status = (living = find_context(iv, id)) ? CSY_OK : error_memory(error);
    if (status || !living)
        return status;
    struct context_life *life = &living->life;
    bool starts = record->id == ID_THREAD_START;
    int64_t ticks = starts && has_begin(event) ? event->stamp.begin_ticks : (int64_t)record->stamp;
    if (starts && (!life->started || ticks < life->start_ticks))
        life->start_ticks = ticks;
    if (!starts && (!life->stopped || ticks > life->stop_ticks))
        life->stop_ticks = ticks;
    life->started |= starts;
    life->stopped |= !starts;
    return CSY_OK;
}

static csy_status begin_interval(struct intervals *iv, struct context *context, uint32_t decr,
                                 uint64_t position, csy_error *error)
{
    bool straggler = iv->in_blocks && context->files ? context->files->interval == UINT64_MAX
                                                     : context->residency == RESIDENCY_OUT;
    end_interval(iv, context);
    struct thread interval = {.kind = CSY_KIND_SPE,
                              .context = context->id,
                              .ordinal = ++context->intervals,
                              .spe = context->spe, /* CSY_NO_SPE if the last switch was OUT */
                              .decr_first = decr,
                              .split_from = NO_THREAD,
                              .first_record = position};
    iv->report.contexts += interval.ordinal == 1;
    iv->report.stragglers += straggler;
    context->written = true;
    context->clock.local_ticks = 0;
    csy_status status = threads_add(iv->threads, &interval, &context->clock.thread, error);
    if (!status && context->latest != NO_THREAD)
        iv->threads->items[context->latest].next = context->clock.thread;
    context->latest = context->clock.thread;
    return status;
}

static csy_status continue_interval(struct intervals *iv, struct context *context,
                                    const struct record *record, const char *name, csy_error *error)
{
    bool split;
    int64_t elapsed;
    uint32_t before = context->clock.thread;
    csy_status status = unwrap_gap(unwrapper_of(iv, context), &context->clock, record->position,
                                   (uint32_t)record->stamp, &split, &elapsed, error);
    if (status)
        return status;
    if (split) {
        status = begin_interval(iv, context, (uint32_t)record->stamp, record->position, error);
        if (!status)
            iv->threads->items[context->clock.thread].split_from = before;
        return status;
    }
    if (__builtin_add_overflow(context->clock.local_ticks, elapsed, &context->clock.local_ticks))
        return error_offset(error, name, record->offset,
                            "the local time of context %" PRIu32 " does not fit 64 bits",
                            context->id);
    return CSY_OK;
}

static csy_status take_spe(struct intervals *iv, const char *name, struct event *event,
                           csy_error *error)
{
    const struct record *record = event->record;
    struct context *context = find_context(iv, record->thread);
    csy_status status = context ? CSY_OK : error_memory(error);
    if (!status && iv->rules.partial)
        status = enter_file(iv, context, error);
    if (status)
        return status;
    if (iv->rules.partial && !context->files->recorded) {
        context->files->recorded = true;
        context->files->offset = record->offset;
    }
    struct context_files *files = context->files;
    if (iv->in_blocks && files) {
        bool resident = context->residency != RESIDENCY_OUT,
             flush = event->roles->flush == FLUSH_ITSELF;
        if (iv->rules.order == GRANULARITY_BLOCK && files->in_block &&
            event->roles->block_number != files->block)
            files->touched = resident;
        files->in_block = true;
        files->block = event->roles->block_number;
        bool sure = files->touched == 1 || (flush && resident);
        bool same =
            sure && context->clock.thread != NO_THREAD && files->interval == files->residency;
        files->interval = sure ? files->residency : UINT64_MAX;
        context->spe = sure ? files->spe : CSY_NO_SPE;
        status =
            same ? continue_interval(iv, context, record, name, error)
                 : begin_interval(iv, context, (uint32_t)record->stamp, record->position, error);
        if (flush) {
            files->touched = resident;
            files->in_block = false;
        }
    } else if (context->clock.thread == NO_THREAD || context->residency == RESIDENCY_OUT)
        status = begin_interval(iv, context, (uint32_t)record->stamp, record->position, error);
    else
        status = continue_interval(iv, context, record, name, error);
    context->clock.decr = (uint32_t)record->stamp;
    event->thread = context->clock.thread;
    event->local_ticks = context->clock.local_ticks;
    return status ? status : unwrap_remember(unwrapper_of(iv, context), &context->clock, error);
}

csy_status intervals_push(struct intervals *iv, const char *name, struct event *event,
                          csy_error *error)
{
    csy_status status = CSY_OK;
    iv->ended = NO_THREAD;
    if (event->file != iv->file) {
        iv->file = event->file;
        status = unwrap_break(&iv->unwrapper, error);
    }
    if (!status)
        status = event->record->spe ? take_spe(iv, name, event, error)
                                    : take_ppe(iv, name, event, error);
    event->ended = iv->ended;
    if (!status)
        threads_note(iv->threads, event->thread, event->record->position, event->local_ticks);
    return status;
}

bool intervals_may_run(const struct intervals *iv, uint64_t *until)
{
    const struct unwrapper *u = &iv->unwrapper;
    bool more = u->known && u->next_window < u->known->nwindows;
    *until = more ? u->known->windows[u->next_window].opened_at : UINT64_MAX;
    return u->has_ppe && !u->window_known;
}

bool intervals_may_continue(const struct intervals *iv, uint32_t context)
{
    const struct context *found = iv->cache[context % CACHE_SLOTS];
    return found && found->id == context && found->residency != RESIDENCY_OUT &&
           found->clock.thread != NO_THREAD;
}

/* Set the local time of a clock and the value of its decrementer, and count the wraps between. */
static void move_clock(struct intervals *iv, struct unwrap_clock *clock, uint32_t decr,
                       int64_t local_ticks)
{
    int64_t fell = (int64_t)clock->decr - decr;
    iv->unwrapper.wraps += (local_ticks - clock->local_ticks - fell) / UNWRAP_WRAP;
    clock->decr = decr;
    clock->local_ticks = local_ticks;
}

bool intervals_may_enter(struct intervals *iv, uint32_t context)
{
    const struct context *found = find_context(iv, context);
    return found && found->clock.thread == NO_THREAD && found->residency != RESIDENCY_IN &&
           (found->residency == RESIDENCY_OUT || !found->written);
}

void intervals_enter(struct intervals *iv, uint32_t context, uint64_t spe)
{
    struct context *found = iv->cache[context % CACHE_SLOTS];
    switch_in(iv, found, spe);
}

bool intervals_may_begin(const struct intervals *iv, uint32_t context)
{
    const struct context *found = iv->cache[context % CACHE_SLOTS];
    return found && found->id == context && found->residency == RESIDENCY_IN &&
           found->clock.thread == NO_THREAD;
}

csy_status intervals_begin(struct intervals *iv, uint32_t context, uint32_t decr, uint64_t position,
                           uint32_t *thread, csy_error *error)
{
    struct context *found = iv->cache[context % CACHE_SLOTS];
    csy_status status = begin_interval(iv, found, decr, position, error);
    found->clock.decr = decr;
    *thread = found->clock.thread;
    if (status)
        return status;
    struct thread *born = &iv->threads->items[*thread];
    born->first_ticks = born->last_ticks = born->min_ticks = born->max_ticks = 0;
    return CSY_OK;
}

void intervals_leave(struct intervals *iv, uint32_t context, uint64_t spe, uint32_t decr,
                     int64_t local_ticks)
{
    struct context *found = find_context(iv, context);
    if (!found)
        return; /* cannot happen: intervals_may_continue was true */
    move_clock(iv, &found->clock, decr, local_ticks);
    switch_out(iv, found, spe);
}

csy_status intervals_take_run(struct intervals *iv, const struct intervals_run *run,
                              csy_error *error)
{
    struct unwrapper *u = &iv->unwrapper;
    csy_status status = CSY_OK;
    if (run->ppe_records > 0) {
        status = unwrap_ppe(u, run->ppe_position, run->ppe_first_ticks, error);
        u->ppe_ticks = run->ppe_last_ticks;
    }
    for (size_t i = 0; i < run->ncontexts && !status; i++) {
        const struct context_run *of = &run->contexts[i];
        struct context *found = find_context(iv, of->context);
        if (!found)
            return error_memory(error);
        struct unwrap_clock *clock = &found->clock;
        move_clock(iv, clock, of->decr, of->local_ticks);
        if (!of->has_after)
            status = unwrap_remember(u, clock, error);
        clock->has_before = true;
        clock->before_ticks = of->before_ticks;
        clock->has_after = of->has_after;
        clock->after_ticks = of->after_ticks;
    }
    if (status || run->pending == 0)
        return status;
    int128 assumed = (int128)u->ppe_ticks + run->end_reach_ticks;
    u->pending += run->pending;
    u->end_least = run->end_least_ticks > u->end_least ? run->end_least_ticks : u->end_least;
    u->end_assumed = assumed < u->end_assumed ? assumed : u->end_assumed;
    return CSY_OK;
}

csy_status intervals_check_files(const struct intervals *iv, const struct record_file *files,
                                 csy_error *error)
{
    const struct context *found = NULL; /* first context with records but no switches in a file */
    for (size_t i = 0; i < iv->count && iv->file > 0; i++) {
        struct context_files *own = iv->items[i]->files;
        if (own)
            end_file(own);
        if (own && own->has_bare && own->has_many &&
            !(found && COMPARE_THEN(found->files->bare_file, own->bare_file,
                                    COMPARE(found->files->bare_offset, own->bare_offset)) < 0))
            found = iv->items[i];
    }
    if (!found)
        return CSY_OK;
    const struct context_files *of = found->files;
    return error_offset(
        error, files[of->bare_file].name, of->bare_offset,
        "context %" PRIu32 " has records in buffer '%s', but the switch records of its %" PRIu64
        " stays on SPEs are in buffer '%s'",
        found->id, files[of->bare_file].buffer, of->many, files[of->many_file].buffer);
}

csy_status intervals_finish(struct intervals *iv, bool *again, struct unwrap_lore *learnt,
                            csy_clock_report *report, csy_error *error)
{
    struct unwrapper *all = &iv->unwrapper;
    csy_status status = unwrap_finish(all, again, error);
    for (size_t i = 0; i < iv->count && iv->apart && !status; i++) {
        const struct context *context = iv->items[i];
        if (!context->files)
            continue;
        struct unwrapper *own = &context->files->unwrapper;
        bool more = false;
        status = context_files_tell_out(context->files, error);
        status = status ? status : unwrap_finish(own, &more, error);
        status = status ? status : unwrap_lore_add(&all->learnt, &own->learnt, error);
        *again = *again || more;
        all->wraps += own->wraps;
        all->splits += own->splits;
        int128 length = (int128)context->life.stop_ticks - context->life.start_ticks;
        if (!(context->life.started && context->life.stopped && length >= 0 &&
              length + own->imprecision_ticks < UNWRAP_WRAP))
            all->assumed += own->assumed;
    }
    unwrap_lore_sort(&all->learnt);
    *report = iv->report;
    report->wraps = all->wraps;
    report->splits = all->splits;
    report->assumed = all->assumed;
    *learnt = all->learnt;
    all->learnt = (struct unwrap_lore){0};
    return status;
}
