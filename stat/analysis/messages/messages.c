/* Finds the messages that actors send to each other. */
#include "analysis/messages/messages.h"

#include "analysis/run/skim.h"
#include "base/array.h"
#include "base/error.h"
#include "instants/instants.h"
#include "order/match.h"
#include "sync/events.h"
#include "sync/partial/arrows.h"
#include "sync/partial_order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 4, KEY_BYTES = 64 };

/* --- Halves: ends of messages that wait for the other end ----------------------------------- */

struct half {
    struct moment begin, end;
    uint64_t bytes, datatype;
    uint32_t actor, function;
    enum message_kind kind;
    bool recv, waits;
    bool ordered;  /* true if the solution assumes that the send precedes the receive */
    bool apart;    /* true if the send and the receive may belong to different messages */
    uint32_t next; /* next item in the list of free items */
};

struct halves {
    struct half *items;
    size_t count, capacity;
    uint32_t free;
    struct keys keyed;
};

static void halves_fini(struct halves *halves)
{
    free(halves->items);
    keys_fini(&halves->keyed);
    *halves = (struct halves){.free = NO_ITEM};
}

/* Returns the index of the new item, or NO_ITEM if out of memory. */
static uint32_t halves_add(struct halves *halves, const struct half *half)
{
    uint32_t index;
    if (!ARRAY_TAKE(halves->items, halves->capacity, halves->count, next, halves->free, &index))
        return NO_ITEM;
    halves->items[index] = *half;
    halves->items[index].waits = true;
    return index;
}

static void halves_drop(struct halves *halves, uint32_t index)
{
    halves->items[index].waits = false;
    halves->items[index].next = halves->free;
    halves->free = index;
}

/* --- Queues: ends of messages with equal keys, in the order of posting ------------------------ */

/* Matches the k-th send with a key with its k-th receive. Index 0 of the arrays is for sends. */
struct queue {
    uint32_t first, last; /* waiting sends or receives; NO_ITEM if none waits */
    uint32_t actors[2];   /* actor of the last send, and of the last receive, or NO_ITEM */
    int64_t posted_ticks[2];
    uint64_t positions[2];
    bool met; /* true if at least one message is complete */
};

struct queues {
    struct texts keys;
    struct queue *items;
    size_t count, capacity;
};

static void queues_fini(struct queues *queues)
{
    texts_fini(&queues->keys);
    free(queues->items);
    *queues = (struct queues){.items = NULL};
}

static struct queue *queues_find(struct queues *queues, const uint32_t key[4])
{
    uint32_t number;
    bool good =
        texts_find(&queues->keys, (const char *)key, 4 * sizeof *key, &number, NULL) &&
        ARRAY_EXTEND(
            queues->items, queues->count, queues->capacity, (size_t)number + 1,
            (struct queue){
                NO_ITEM, NO_ITEM, {NO_ITEM, NO_ITEM}, {INT64_MIN, INT64_MIN}, {0, 0}, false});
    return good ? &queues->items[number] : NULL;
}

/* Returns true if some queue has joined sends to receives, but a send or receive still waits. */
static bool queues_are_uneven(const struct queues *queues)
{
    bool uneven = false;
    for (size_t i = 0; i < queues->count; i++)
        uneven |= queues->items[i].met && queues->items[i].first != NO_ITEM;
    return uneven;
}

/* --- One pass ------------------------------------------------------------------------------- */

struct matched {
    struct match *match; /* NULL if the solution's partial.match is used */
    struct points points;
    struct flows *flows; /* numbers of matched messages, or NULL */
};

struct message_reader {
    struct messages *m;
    const struct messages_sink *sink;
    csy_events *events;
    struct halves halves;
    struct queues sends, words;
    struct texts numbers; /* different values of tags and communicators, numbered from 0 */
    struct matched by_order;
    struct matched by_keys;
    bool gathers;      /* true while sends and receives are only stored, to be matched later */
    bool again;        /* true if another pass must match messages first */
    csy_status status; /* last status from sink->take */
    csy_error *error;
};

static bool give(struct message_reader *r, const struct message *message)
{
    struct messages *m = r->m;
    const struct actor *actors = m->actors.items;
    bool meant = !m->actors_meant ||
                 actor_fits(&actors[message->sender], m->sync, m->actors_meant) ||
                 actor_fits(&actors[message->receiver], m->sync, m->actors_meant);
    m->left_out |= !meant;
    m->met |= meant;
    if (!r->status && meant)
        r->status = r->sink->take(r->sink->user, message, r->error);
    return !r->status;
}

static bool meet_halves(struct message_reader *r, uint32_t sent, uint32_t received)
{
    const struct half *send = &r->halves.items[sent], *recv = &r->halves.items[received];
    /* Use the size from the send, because a receive may ask for more bytes than it gets. */
    bool by_send =
        send->bytes != MESSAGE_NO_BYTES && (send->bytes > 0 || recv->bytes == MESSAGE_NO_BYTES);
    struct message message = {.kind = send->kind,
                              .sender = send->actor,
                              .receiver = recv->actor,
                              .sent = send->begin,
                              .posted = recv->begin,
                              .received = recv->end,
                              .bytes = by_send ? send->bytes : recv->bytes,
                              .datatype = send->datatype,
                              .function = send->function,
                              .ordered = send->ordered && recv->ordered,
                              .untimed = send->apart || recv->apart};
    halves_drop(&r->halves, sent);
    halves_drop(&r->halves, received);
    return give(r, &message);
}

/* Join the two ends of a message. If the other end is not known yet, store this end. */
static csy_status join(struct message_reader *r, const struct event_flow *flow, struct half *half)
{
    half->apart = flow->apart;
    uint32_t index = halves_add(&r->halves, half), other;
    uint64_t key = keys_pair(flow->channel, flow->number);
    if (index == NO_ITEM)
        return error_memory(r->error);
    if (keys_remove(&r->halves.keyed, key, &other))
        meet_halves(r, half->recv ? other : index, half->recv ? index : other);
    else if (!keys_put(&r->halves.keyed, key, index))
        return error_memory(r->error);
    return r->status;
}

static csy_status join_all(struct message_reader *r, const struct event_flows *flows,
                           struct half *half)
{
    csy_status status = CSY_OK;
    for (unsigned i = 0; flows && i < flows->nsent + flows->nreceived && !status; i++) {
        half->recv = i >= flows->nsent;
        status = join(r, half->recv ? &flows->received[i - flows->nsent] : &flows->sent[i], half);
    }
    return status;
}

static bool is_interval(const csy_decoded *event)
{
    return event->interval && event->local_begin_ticks <= event->local_ticks;
}

static bool make_half(struct message_reader *r, const csy_decoded *event,
                      const struct event_kind *event_kind, enum message_kind kind, struct half *out)
{
    struct messages *m = r->m;
    bool added;
    bool begins = is_interval(event);
    *out = (struct half){.kind = kind, .datatype = MESSAGE_NO_DATATYPE};
    out->end = (struct moment){event->local_ticks, event->global_ticks, event->thread};
    out->begin =
        begins ? (struct moment){event->local_begin_ticks, event->global_begin_ticks, event->thread}
               : out->end;
    out->bytes =
        kind == MESSAGE_WORD ? WORD_BYTES : event_kinds_bytes(&m->event_kinds, event_kind, event);
    (void)event_kinds_number(&m->event_kinds, event_kind, event, FIELD_DATATYPE, &out->datatype);
    return texts_find(&m->functions, event->name_size > 0 ? event->name : "", event->name_size,
                      &out->function, &added);
}

static csy_status take_by_order(struct message_reader *r, const csy_decoded *decoded,
                                const struct event_kind *event_kind, uint32_t actor)
{
    const struct event *event = &r->events->event;
    const struct event_flows *flows = flows_take(r->by_order.flows, event);
    struct half half;
    if (!flows)
        return CSY_OK;
    if (!make_half(r, decoded, event_kind, MESSAGE_SENT, &half))
        return error_memory(r->error);
    half.actor = actor;
    half.ordered = r->m->sync->dropped.count == 0 && /* --drop exempted no record from the order */
                   r->m->sync->imprecision.relax != CSY_RELAX_PAPER;
    int64_t ago, at; /* time since the receive was posted, and global time of posting */
    if (event->roles->posting == POSTING_GIVEN &&
        !__builtin_sub_overflow(half.end.local_ticks, event->roles->posted_ticks, &ago) &&
        ago >= 0 && !__builtin_sub_overflow(half.end.global_ticks, ago, &at))
        half.begin = (struct moment){event->roles->posted_ticks, at, half.end.clock};
    return join_all(r, flows, &half);
}

/* Find the actor at the other end of a message. *out becomes NO_ACTOR if it is not known. */
static bool find_partner(struct message_reader *r, const csy_decoded *event,
                         const struct event_kind *event_kind, uint32_t *out)
{
    struct messages *m = r->m;
    return partners_find(&m->partners, &m->event_kinds, &m->actors, event, event_kind,
                         FIELD_PARTNER, out);
}

/* Set *out to 1 plus the number of a field's value, such as a tag, in r->numbers; 0 if none. */
static bool number_of(struct message_reader *r, const csy_decoded *event,
                      const struct event_kind *event_kind, enum field_role role, uint32_t *out)
{
    uint64_t value;
    bool added;
    *out = 0;
    if (!event_kinds_number(&r->m->event_kinds, event_kind, event, role, &value))
        return true;
    bool good = texts_find(&r->numbers, (const char *)&value, sizeof value, out, &added);
    ++*out;
    return good;
}

/* If r->gathers is true, only store a send or receive. Otherwise, join it to its other half. */
static csy_status take_by_keys(struct message_reader *r, const csy_decoded *decoded,
                               const uint32_t key[4], struct half *half)
{
    char name[KEY_BYTES], location[KEY_BYTES];
    int size = snprintf(name, sizeof name, "%" PRIx32 ":%" PRIx32 ":%" PRIx32 ":%" PRIx32, key[0],
                        key[1], key[2], key[3]);
    csy_text text = {name, (size_t)size};
    struct event_roles roles = {.location = {0}};
    struct event event = {.position = decoded->record,
                          .thread = decoded->thread,
                          .local_ticks = decoded->local_ticks,
                          .roles = &roles};
    size = snprintf(location, sizeof location, "%" PRIx32, half->actor);
    *(half->recv ? &roles.recv : &roles.send) = text;
    event.stamp = (struct named_stamp){.thread = location,
                                       .thread_size = (size_t)size,
                                       .time_ticks = half->end.local_ticks,
                                       .interval = true,
                                       .begin_ticks = half->begin.local_ticks};
    if (r->gathers)
        return match_event(r->by_keys.match, &event,
                           rebase_x(&r->m->sync->survey.rough, event.thread, event.local_ticks),
                           r->error);
    return join_all(r, flows_take(r->by_keys.flows, &event), half);
}

/* Match an end of a message with a waiting end, or let it wait. r->again becomes true if ends
 * complete in another order than they were posted, or if several actors send, or receive, by one
 * key. */
static csy_status take_as_it_comes(struct message_reader *r, struct queues *queues,
                                   const uint32_t key[4], uint64_t position, int64_t posted_ticks,
                                   const struct half *half)
{
    uint32_t index = halves_add(&r->halves, half);
    struct queue *queue = index == NO_ITEM ? NULL : queues_find(queues, key);
    if (!queue)
        return error_memory(r->error);
    bool recv = half->recv;
    uint32_t actor = half->kind == MESSAGE_WORD ? 0 : half->actor;
    int64_t last_ticks = queue->posted_ticks[recv];
    r->again = r->again || (queue->actors[recv] != NO_ITEM && queue->actors[recv] != actor) ||
               posted_ticks < last_ticks ||
               (posted_ticks == last_ticks && position <= queue->positions[recv]);
    if (r->again)
        return r->status;
    queue->actors[recv] = actor;
    queue->posted_ticks[recv] = posted_ticks;
    queue->positions[recv] = position;
    uint32_t other = queue->first;
    r->halves.items[index].next = NO_ITEM;
    if (other != NO_ITEM && r->halves.items[other].recv != recv) {
        queue->first = r->halves.items[other].next;
        queue->met = true;
        meet_halves(r, recv ? other : index, recv ? index : other);
        r->again |= r->status != CSY_OK;
        return r->status;
    }
    *(other == NO_ITEM ? &queue->first : &r->halves.items[queue->last].next) = index;
    queue->last = index;
    return r->status;
}

static bool has_part(const csy_decoded *event, const char *part)
{
    size_t size = strlen(part);
    for (size_t i = 0; i + size <= event->name_size; i++)
        if (memcmp(event->name + i, part, size) == 0)
            return true;
    return false;
}

/* Match a read or write of a mailbox. A context has three: inbound, outbound, and interrupting. */
static csy_status take_word(struct message_reader *r, const csy_decoded *event,
                            const struct event_kind *event_kind, uint32_t actor)
{
    struct half half;
    uint32_t context = actor;
    bool own = event->name_size >= 4 && memcmp(event->name, "SPU_", 4) == 0;
    if ((!own && !find_partner(r, event, event_kind, &context)) ||
        (context != NO_ACTOR && !make_half(r, event, event_kind, MESSAGE_WORD, &half)))
        return error_memory(r->error);
    if (context == NO_ACTOR)
        return CSY_OK;
    half.actor = actor;
    half.recv = has_part(event, "READ");
    const uint32_t key[4] = {context, has_part(event, "OUT"), has_part(event, "INTR"), 0};
    return take_as_it_comes(r, &r->words, key, event->record, 0, &half);
}

/* GET and READ move data from memory. Without a duration, the end of the transfer is unknown. */
static csy_status take_transfer(struct message_reader *r, const csy_decoded *event,
                                const struct event_kind *event_kind, uint32_t actor)
{
    struct half half;
    uint32_t memory;
    if (!find_partner(r, event, event_kind, &memory) ||
        (memory == NO_ACTOR && !actors_find(&r->m->actors, ACTOR_MEMORY, 0, &memory)) ||
        !make_half(r, event, event_kind, MESSAGE_TRANSFER, &half))
        return error_memory(r->error);
    bool in = has_part(event, "GET") || has_part(event, "READ");
    struct message message = {.kind = MESSAGE_TRANSFER,
                              .sender = in ? memory : actor,
                              .receiver = in ? actor : memory,
                              .sent = half.begin,
                              .posted = half.begin,
                              .received = half.end,
                              .bytes = half.bytes,
                              .datatype = half.datatype,
                              .function = half.function,
                              .untimed = !is_interval(event)};
    give(r, &message);
    return r->status;
}

/* --- Passes --- */

static csy_status take_event(void *user, const csy_decoded *event, csy_error *error)
{
    struct message_reader *r = user;
    const struct event *source = &r->events->event;
    const struct event_roles *roles = source->roles;
    csy_text node = r->m->sync->trace->partial ? source->stamp.node : (csy_text){"", 0};
    struct event_kind event_kind;
    uint32_t actor, context;
    uint64_t unit;
    if (!event_kinds_find(&r->m->event_kinds, r->events, event, &event_kind))
        return error_memory(error);
    if (event_switches_in(event, &context, &unit)) {
        if (!actors_find(&r->m->actors, ACTOR_SPE, context, &actor))
            return error_memory(error);
        r->m->actors.items[actor].unit = unit;
    }
    if (!actors_find_writer(&r->m->actors, event, &actor) ||
        !sites_note(&r->m->sites, actor, event, node))
        return error_memory(error);
    if (r->by_order.flows && roles && roles->send.size + roles->recv.size > 0)
        return r->gathers ? CSY_OK : take_by_order(r, event, &event_kind, actor);
    if (event_kind.role == ROLE_SEND || event_kind.role == ROLE_RECV) {
        struct half half;
        uint32_t partner, key[4];
        if (!find_partner(r, event, &event_kind, &partner))
            return error_memory(error);
        if (partner == NO_ACTOR)
            return CSY_OK;
        if (!make_half(r, event, &event_kind, MESSAGE_SENT, &half) ||
            !number_of(r, event, &event_kind, FIELD_COMM, &key[0]) ||
            !number_of(r, event, &event_kind, FIELD_TAG, &key[3]))
            return error_memory(error);
        half.actor = actor;
        half.recv = event_kind.role == ROLE_RECV;
        key[1] = half.recv ? partner : actor;
        key[2] = half.recv ? actor : partner;
        return r->by_keys.match ? take_by_keys(r, event, key, &half)
                                : take_as_it_comes(r, &r->sends, key, event->record,
                                                   half.begin.global_ticks, &half);
    }
    if (r->gathers)
        return CSY_OK;
    if (event_kind.role == ROLE_TRANSFER)
        return take_transfer(r, event, &event_kind, actor);
    bool mailbox = (event_kind.role == ROLE_WAIT || event_kind.role == ROLE_POST) &&
                   has_part(event, "MBOX") && (has_part(event, "READ") || has_part(event, "WRITE"));
    return mailbox ? take_word(r, event, &event_kind, actor) : CSY_OK;
}

/* Read the events once. Messages are passed to the sink, unless r->gathers is true. */
static csy_status pass(struct message_reader *r)
{
    bool partial = r->m->sync->trace->partial;
    struct event_pass events = {.events = r->events,
                                .event_kinds = &r->m->event_kinds,
                                .matters = partial ? NULL : skim_messages,
                                .single = partial,
                                .stop = &r->again};
    halves_fini(&r->halves);
    queues_fini(&r->sends);
    queues_fini(&r->words);
    r->again = false;
    if (r->by_order.flows && !r->gathers)
        flows_rewind(r->by_order.flows);
    csy_status status = r->gathers ? CSY_OK : r->sink->begin(r->sink->user, r->error);
    if (!status)
        status = events_each(&events, take_event, r, r->error);
    if (!status && queues_are_uneven(&r->sends))
        r->again = true;
    return status;
}

static csy_status match_record(void *user, const csy_decoded *decoded, csy_error *error)
{
    const struct message_reader *r = user;
    const struct event *event = &r->events->event;
    (void)decoded;
    return event->roles ? match_event(r->by_order.match, event, event->local_ticks, error) : CSY_OK;
}

static csy_status open_by_order(struct message_reader *r)
{
    csy_sync *sync = r->m->sync;
    const struct partial *partial = sync->partial;
    csy_status status = CSY_OK;
    if (sync->read && sync->trace->partial) {
        struct matched *out = &r->by_order;
        struct event_pass events = {.events = r->events, .single = true};
        uint64_t place;
        status = match_new(&out->points, 0, sync->trace, &out->match, r->error);
        if (!status)
            status = events_each(&events, match_record, r, r->error);
        if (!status)
            status = match_finish(out->match, &place, r->error);
        if (!status)
            status = flows_new(out->match, true, &out->flows, r->error);
        return status ? status : csy_events_seek(r->events, 0, r->error);
    }
    if (!partial)
        return CSY_OK;
    if (partial->streamed || partial->loose)
        status = arrows_match(sync->trace, sync, &r->by_order.points, &r->by_order.match, r->error);
    struct match *match = r->by_order.match ? r->by_order.match : partial->match;
    if (!status)
        status = flows_new(match, true, &r->by_order.flows, r->error);
    return status;
}

static void matched_fini(struct matched *matched)
{
    flows_free(matched->flows);
    match_free(matched->match);
    points_fini(&matched->points);
}

static void count_unmatched(struct message_reader *r)
{
    struct messages *m = r->m;
    const csy_matched *reports[2] = {NULL, NULL};
    if (r->by_order.flows)
        reports[0] = m->sync->matched ? m->sync->matched : match_report(r->by_order.match);
    if (r->by_keys.match)
        reports[1] = match_report(r->by_keys.match);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; reports[k] && i < reports[k]->nunused; i++) {
            const csy_unused *unused = &reports[k]->unused[i];
            if (unused->end == CSY_END_SEND || unused->end == CSY_END_RECV)
                m->unmatched[MESSAGE_SENT][unused->end == CSY_END_RECV] += unused->count;
        }
    for (size_t i = 0; i < r->halves.count; i++)
        if (r->halves.items[i].waits)
            m->unmatched[r->halves.items[i].kind][r->halves.items[i].recv]++;
}

csy_status messages_read(struct messages *m, csy_sync *sync, const csy_meaning *meaning,
                         const char *actors, const struct messages_sink *sink, csy_error *error)
{
    *m = (struct messages){.sync = sync, .actors_meant = actors};
    struct message_reader r = {.m = m, .sink = sink, .error = error};
    r.halves.free = NO_ITEM;
    csy_status status = csy_events_open(sync, &r.events, error);
    if (status)
        return status;
    status = event_kinds_init(&m->event_kinds, sync->trace, meaning, r.events, error);
    if (!status && (!partners_init(&m->partners, sync) || !sites_init(&m->sites, &m->event_kinds)))
        status = error_memory(error);
    if (!status)
        status = open_by_order(&r);
    if (!status)
        status = pass(&r);
    if (!status && r.again) {
        uint64_t place;
        status = match_new(&r.by_keys.points, 0, NULL, &r.by_keys.match, r.error);
        if (!status)
            status = csy_events_seek(r.events, 0, r.error);
        r.gathers = true;
        if (!status)
            status = pass(&r);
        r.gathers = false;
        if (!status)
            status = match_finish(r.by_keys.match, &place, r.error);
        if (!status)
            status = flows_new(r.by_keys.match, true, &r.by_keys.flows, r.error);
        status = status ? status : csy_events_seek(r.events, 0, r.error);
        if (!status)
            status = pass(&r);
    }
    if (!status)
        status = instants_check_fit(&m->actors, sync, meaning, actors, error);
    if (!status)
        count_unmatched(&r);
    if (!status && !m->met && !m->left_out &&
        m->unmatched[MESSAGE_SENT][0] + m->unmatched[MESSAGE_SENT][1] == 0)
        status = messages_refuse(sync, error);
    queues_fini(&r.sends);
    queues_fini(&r.words);
    matched_fini(&r.by_order);
    matched_fini(&r.by_keys);
    halves_fini(&r.halves);
    texts_fini(&r.numbers);
    csy_events_free(r.events);
    return status;
}

const char *const message_kind_names[MESSAGE_KINDS] = {"message", "mailbox", "transfer"};

csy_status messages_refuse(const csy_sync *sync, csy_error *error)
{
    const char *how = sync->trace->source->record_messages;
    return how ? error_set(error, CSY_INPUT, "%s: the trace contains no messages: %s",
                           sync->trace->name, how)
               : error_set(error, CSY_INPUT,
                           "%s: the trace contains no messages: no event has role=\"send\", "
                           "\"recv\", or \"transfer\", or belongs to a mailbox; cellsync-events(5) "
                           "describes how to give events a role",
                           sync->trace->name);
}

void messages_fini(struct messages *m)
{
    event_kinds_fini(&m->event_kinds);
    actors_fini(&m->actors);
    partners_fini(&m->partners);
    sites_fini(&m->sites);
    texts_fini(&m->functions);
    *m = (struct messages){.sync = NULL};
}
