/* Finds the messages of each event while a trace is read again. */
#include "order/flows.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

struct flows {
    struct match *match;
    struct match_pairing *channels;
    uint64_t (*counts)[2]; /* for each channel: number of sends and of receives so far */
    size_t n;
    bool all; /* true to include messages of channels where receives are missing */
    struct event_flows found;
};

csy_status flows_new(struct match *match, bool all, struct flows **out, csy_error *error)
{
    size_t n = match_nchannels(match);
    struct flows *flows = calloc(1, sizeof *flows);
    if (!flows)
        return error_memory(error);
    *flows = (struct flows){.match = match, .n = n, .all = all};
    flows->channels = calloc(n + 1, sizeof *flows->channels);
    flows->counts = calloc(n + 1, sizeof *flows->counts);
    csy_status status = flows->channels && flows->counts ? CSY_OK : error_memory(error);
    if (!status)
        status = match_pair(match, flows->channels, error);
    if (status)
        flows_free(flows);
    else
        *out = flows;
    return status;
}

void flows_free(struct flows *flows)
{
    if (!flows)
        return;
    for (size_t c = 0; flows->channels && c < flows->n; c++) {
        free(flows->channels[c].places[0]);
        free(flows->channels[c].places[1]);
    }
    FREE_ALL(flows->channels, flows->counts, flows);
}

/* Find the messages of the sends or receives with these keys. Returns the number of messages. */
static unsigned take_ends(struct flows *flows, csy_text keys, bool recv, struct event_flow *out)
{
    csy_text key;
    uint32_t c;
    unsigned n = 0;
    while (match_next_key(&keys, &key)) {
        if (!match_look_channel(flows->match, key, &c) || c >= flows->n)
            continue;
        const struct match_pairing *channel = &flows->channels[c];
        uint64_t k = flows->counts[c][recv]++;
        if (channel->places[recv] && k < channel->counts[recv])
            k = channel->places[recv][k];
        if ((flows->all || !channel->apart) && k < channel->pairs && k < UINT32_MAX &&
            n < EVENT_FLOWS_MAX)
            out[n++] = (struct event_flow){c, (uint32_t)k, channel->apart};
    }
    return n;
}

const struct event_flows *flows_take(struct flows *flows, const struct event *event)
{
    const struct event_roles *roles = event->roles;
    struct event_flows *found = &flows->found;
    if (!roles || roles->send.size + roles->recv.size == 0)
        return NULL;
    found->nsent = take_ends(flows, roles->send, false, found->sent);
    found->nreceived = take_ends(flows, roles->recv, true, found->received);
    return found->nsent + found->nreceived > 0 ? found : NULL;
}
