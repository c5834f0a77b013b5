/* Chooses which location of a part is read next. */
#include "trace/streams.h"

size_t streams_choose(const struct streams *streams, size_t n,
                      struct stream_state (*state)(const struct streams *streams, size_t i))
{
    size_t best = 0;
    struct stream_state least = state(streams, 0);
    for (size_t i = 1; i < n; i++) {
        const struct stream_state item = state(streams, i);
        if (item.wanted > least.wanted ||
            (item.wanted == least.wanted && item.elapsed_ticks < least.elapsed_ticks)) {
            best = i;
            least = item;
        }
    }
    return best;
}

bool streams_want(const struct streams_part *part, size_t first, size_t n)
{
    bool wanted = false;
    for (size_t i = 0; part->wants && i < n && !wanted; i++)
        wanted = part->wants(part->user, first + i);
    return wanted;
}

size_t streams_open_most(const struct streams_part *part)
{
    return part->widens && part->widens(part->user) ? part->open_limit : part->open_most;
}
