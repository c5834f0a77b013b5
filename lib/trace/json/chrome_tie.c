/* Finds the relations between the events of Chrome JSON. */
#include "base/array.h"
#include "base/error.h"
#include "trace/json/chrome.h"
#include "trace/json/chrome_reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_ends(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    return x->key != y->key         ? (x->key < y->key ? -1 : 1)
           : x->begins != y->begins ? (x->begins ? -1 : 1)
                                    : (x->item > y->item) - (x->item < y->item);
}

static int compare_sequences(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return x->series != y->series               ? (x->series < y->series ? -1 : 1)
           : x->has_sequence != y->has_sequence ? (x->has_sequence ? -1 : 1)
           : x->sequence != y->sequence         ? (x->sequence < y->sequence ? -1 : 1)
           : x->document != y->document         ? (x->document < y->document ? -1 : 1)
                                                : (x->item > y->item) - (x->item < y->item);
}

/* --- Counted members ------------------------------------------------------------------------- */

/* A member that is identified by counting, with its document and begin. */
struct counted {
    int64_t begin_ticks;
    uint32_t series, document, member;
};

static int compare_counted(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    return x->series != y->series             ? (x->series < y->series ? -1 : 1)
           : x->document != y->document       ? (x->document < y->document ? -1 : 1)
           : x->begin_ticks != y->begin_ticks ? (x->begin_ticks < y->begin_ticks ? -1 : 1)
                                              : (x->member > y->member) - (x->member < y->member);
}

static const char *rank_text(const struct reading *r, size_t document, char text[64])
{
    int64_t rank = r->documents[document].rank;
    snprintf(text, 64, rank == NO_DOCUMENT_RANK ? "document %" PRId64 : "rank %" PRId64,
             rank == NO_DOCUMENT_RANK ? (int64_t)document : rank);
    return text;
}

/* Returns CSY_INPUT unless all ranks count from the same step. */
static csy_status check_steps(const struct reading *r, const char *series, csy_error *error)
{
    char one[64], two[64];
    for (size_t i = 0; i < r->ndocuments; i++) {
        const struct document *d = &r->documents[i], *first = &r->documents[0];
        if (!d->has_step)
            return error_set(error, CSY_INPUT,
                             "%s: %s without Seq can only be counted from a step of the profiler, "
                             "but %s has no ProfilerStep; call step() of the profiler, or record "
                             "with a PyTorch that writes Seq",
                             r->json.name, series, rank_text(r, i, one));
        if (d->step != first->step)
            return error_set(error, CSY_INPUT,
                             "%s: %s without Seq can only be counted from the same step, but %s "
                             "begins at ProfilerStep#%" PRId64 ", and %s at #%" PRId64,
                             r->json.name, series, rank_text(r, 0, one), first->step,
                             rank_text(r, i, two), d->step);
    }
    return CSY_OK;
}

/* Returns CSY_INPUT unless all ranks have equally many members in the series, adjacent in `all`. */
static csy_status check_counts(const struct reading *r, const struct counted *all, size_t n,
                               const char *series, csy_error *error)
{
    char one[64], two[64];
    size_t first = 0, at = 0;
    for (size_t document = 0; document < r->ndocuments; document++) {
        size_t count = 0;
        for (; at < n && all[at].document == document; at++)
            count++;
        first = document == 0 ? count : first;
        if (count != first)
            return error_set(error, CSY_INPUT,
                             "%s: without Seq, the k-th operations of all ranks belong together "
                             "only if all ranks have as many, but %s has %zu %s, and %s has %zu",
                             r->json.name, rank_text(r, 0, one), first, series,
                             rank_text(r, document, two), count);
    }
    return CSY_OK;
}

/* Returns the only call with a correlation id, or NULL. Ends must be sorted. */
static const struct end *find_call(const struct reading *r, uint32_t key)
{
    size_t low = 0, high = r->nends;
    BISECT(low, high, middle, r->ends[middle].key < key);
    bool found = low < r->nends && r->ends[low].key == key && r->ends[low].begins;
    bool several =
        found && low + 1 < r->nends && r->ends[low + 1].key == key && r->ends[low + 1].begins;
    return found && !several ? &r->ends[low] : NULL;
}

/* Find when the member's process began the operation. Returns false if this is unknown, for example
 * because a GPU has its own clock. Ends must be sorted. */
static bool find_begin(const struct reading *r, const struct member *member, int64_t *out)
{
    bool gloo = member->launch == NO_TEXT;
    const struct end *call = gloo ? NULL : find_call(r, member->launch);
    if (!gloo && !call)
        return false;
    uint32_t item = gloo ? member->item : call->item;
    *out = r->items->all[item].begin_ticks;
    return !r->processes[r->thread_of[r->items->all[item].track].process].is_gpu;
}

/* Number the members without Seq in their series, and use the numbers as Seq. */
static csy_status count_members(struct reading *r, csy_error *error)
{
    struct counted *all = malloc((r->nmembers + 1) * sizeof *all);
    size_t n = 0;
    csy_status status = all ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < r->nmembers && !status; i++) {
        const struct member *member = &r->members[i];
        const struct document *document = &r->documents[member->document];
        int64_t begin;
        if (!member->has_sequence && find_begin(r, member, &begin) &&
            (!document->has_step || begin >= document->step_ticks))
            all[n++] = (struct counted){begin, member->series, member->document, (uint32_t)i};
    }
    if (!status && n > 0 && r->ndocuments > 1)
        qsort(all, n, sizeof *all, compare_counted);
    for (size_t i = 0, next; i < n && r->ndocuments > 1 && !status; i = next) {
        const struct text_item *text = &r->series.items[all[i].series];
        char series[ERROR_ESCAPED_MAX];
        error_escape(series, r->series.bytes + text->at, text->size);
        for (next = i; next < n && all[next].series == all[i].series; next++) {
        }
        status = check_steps(r, series, error);
        if (!status)
            status = check_counts(r, all + i, next - i, series, error);
        for (size_t k = i, number = 0; k < next && !status; k++) {
            number = k > i && all[k].document == all[k - 1].document ? number + 1 : 0;
            r->members[all[k].member].sequence = number;
            r->members[all[k].member].has_sequence = true;
        }
    }
    free(all);
    return status;
}

/* --- Roots ----------------------------------------------------------------------------------- */

static int compare_roots(const void *a, const void *b)
{
    const struct named_root *x = a, *y = b;
    return x->document != y->document   ? (x->document < y->document ? -1 : 1)
           : x->external != y->external ? (x->external < y->external ? -1 : 1)
                                        : (x->root > y->root) - (x->root < y->root);
}

/* Find roots that only records on the CPU name. Removes members with unknown roots. */
static void find_roots(struct reading *r)
{
    size_t kept = 0;
    if (r->nroots > 1)
        qsort(r->roots, r->nroots, sizeof *r->roots, compare_roots);
    for (size_t i = 0; i < r->nmembers; i++) {
        struct member *member = &r->members[i];
        const struct named_root want = {member->document, member->external.value, INT64_MIN};
        size_t low = 0, high = r->nroots;
        bool rooted = member->operation != OPERATION_OF_ALL;
        if (rooted && !member->root.has && member->external.has) {
            BISECT(low, high, middle, compare_roots(&r->roots[middle], &want) < 0);
            member->root.has = low < r->nroots && r->roots[low].document == want.document &&
                               r->roots[low].external == want.external;
            member->root.value = member->root.has ? r->roots[low].root : 0;
        }
        bool known = !rooted || (member->root.has && member->ranks != NO_TEXT);
        r->unknown_roots += !known;
        if (known)
            r->members[kept++] = *member;
    }
    r->nmembers = kept;
}

/* Returns the number at an index of a list such as "[0, 1, ..., 31]", or -1 if it is omitted. */
static int64_t nth_rank(const struct reading *r, uint32_t list, int64_t index)
{
    const struct text_item *item = &r->lists.items[list];
    const char *at = r->lists.bytes + item->at, *end = at + item->size;
    for (int64_t n = 0; at < end; n++) {
        int64_t rank = -1;
        while (at < end && (*at == '[' || *at == ' ' || *at == ','))
            at++;
        for (; at < end && *at >= '0' && *at <= '9' && rank < INT32_MAX; at++)
            rank = (rank < 0 ? 0 : rank) * 10 + (*at - '0');
        if (rank < 0 || at == end || (*at != ',' && *at != ']'))
            return -1;
        if (n == index)
            return rank;
    }
    return -1;
}

/* Returns the root's member. Returns NULL if the root has no member, or if members name several
 * roots, as they would if a profiler wrote each member's own rank. */
static const struct member *find_root(const struct reading *r, const struct member *first, size_t n)
{
    int64_t rank = nth_rank(r, first->ranks, first->root.value);
    const struct member *root = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct member *member = &first[i];
        if (member->ranks != first->ranks || member->root.value != first->root.value)
            return NULL;
        if (rank >= 0 && r->documents[member->document].rank == rank)
            root = member;
    }
    return root;
}

/* --- Calls that wait for a GPU --------------------------------------------------------------- */

static int compare_work(const void *a, const void *b)
{
    const struct work *x = a, *y = b;
    return x->lane != y->lane                   ? (x->lane < y->lane ? -1 : 1)
           : x->launch != y->launch             ? (x->launch < y->launch ? -1 : 1)
           : x->launch_ticks != y->launch_ticks ? (x->launch_ticks < y->launch_ticks ? -1 : 1)
                                                : (x->item > y->item) - (x->item < y->item);
}

/* Returns true for a call that copies at once. A copy in a graph has the id of the graph's launch,
 * which does not wait for it. */
static bool is_copy(const struct items *items, size_t item)
{
    static const char *const calls[] = {"cudaMemcpy", "cuMemcpyDtoH"};
    const struct text_item *name = &items->names.items[items->all[item].name];
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (name->size >= strlen(calls[i]) &&
            memcmp(items->names.bytes + name->at, calls[i], strlen(calls[i])) == 0)
            return true;
    return false;
}

/* Find which work ends before a waiting call ends: the last work on each stream that the same
 * thread launched before. A thread's calls are in the order of their begins, and streams do their
 * work in order. Graphs are left out, because their kernels show other streams. */
static csy_status find_orders(struct reading *r, csy_error *error)
{
    const struct items *items = r->items;
    size_t kept = 0;
    if (!ARRAY_RESERVE(r->orders, r->orders_capacity, r->nwaits))
        return error_memory(error);
    for (size_t i = 0; i < r->nwork && r->nwaits > 0; i++) {
        const struct end *call = find_call(r, r->work[i].launch);
        if (!call)
            continue;
        const struct json_item *item = &items->all[call->item];
        const struct text_item *name = &items->names.items[item->name];
        if (name->size > 0 && memmem(items->names.bytes + name->at, name->size, "Graph", 5))
            continue;
        r->work[kept++] =
            (struct work){r->work[i].lane, r->work[i].item, item->track, item->begin_ticks};
    }
    if (kept > 1)
        qsort(r->work, kept, sizeof *r->work, compare_work);
    for (size_t i = 0; i < r->nwaits; i++) {
        const struct wait *wait = &r->waits[i];
        const struct end *call = find_call(r, wait->call), *last = call;
        if (wait->record != NO_TEXT)
            last = find_call(r, wait->record);
        if (!call || !last || (wait->copy != NO_TEXT && !is_copy(items, call->item)))
            continue;
        const struct json_item *item = &items->all[last->item];
        const struct work want = {wait->lane, 0, item->track, item->begin_ticks};
        size_t low = 0, high = kept;
        BISECT(low, high, middle, compare_work(&r->work[middle], &want) < 0);
        bool found = low > 0 && r->work[low - 1].lane == want.lane &&
                     r->work[low - 1].launch == want.launch &&
                     r->work[low - 1].launch_ticks < want.launch_ticks &&
                     item->begin_ticks <= items->all[call->item].begin_ticks;
        uint32_t from = found ? r->work[low - 1].item : wait->copy;
        if (from != NO_TEXT && items_clock(items, from) != items_clock(items, call->item))
            r->orders[r->norders++] = (struct order){from, call->item};
    }
    return CSY_OK;
}

/* --- Ties ------------------------------------------------------------------------------------ */

static void tie(struct items *items, void *user)
{
    struct reading *r = user;
    struct chrome_counts *counts = r->counts;
    counts->flows = counts->reused_flows = counts->launches = 0;
    counts->collectives = counts->members = counts->unclear = 0;
    counts->rooted = r->unknown_roots;
    /* Flows and launches have one begin, and one or more ends. */
    for (size_t i = 0, next; i < r->nends; i = next) {
        const struct end *first = &r->ends[i];
        for (next = i + 1; next < r->nends && r->ends[next].key == first->key; next++) {
        }
        const char *key = r->keys.bytes + r->keys.items[first->key].at;
        bool flow = strncmp(strchr(key, ' ') + 1, "f ", 2) == 0;
        size_t ends = next - i - 1;
        if (!first->begins || ends == 0)
            continue;
        if (r->ends[i + 1].begins || (flow && ends > 1)) {
            counts->reused_flows++;
            continue;
        }
        for (size_t k = i + 1; k < next; k++) {
            if (items_clock(items, first->item) == items_clock(items, r->ends[k].item))
                continue;
            items_role(items, first->item, ITEM_SEND, items->nkeys);
            items_role(items, r->ends[k].item, ITEM_RECV_BEGIN, items->nkeys++);
            counts->flows += flow;
            counts->launches += !flow;
        }
    }
    for (size_t i = 0, next; i < r->nmembers; i = next) {
        const struct member *first = &r->members[i];
        bool clear = first->has_sequence, several = false;
        for (next = i + 1; next < r->nmembers && r->members[next].series == first->series &&
                           r->members[next].has_sequence == first->has_sequence &&
                           r->members[next].sequence == first->sequence;
             next++) {
            clear &= r->members[next].has_sequence &&
                     r->members[next].document != r->members[next - 1].document;
            several |= items_clock(items, r->members[next].item) != items_clock(items, first->item);
        }
        counts->unclear += !clear && r->ndocuments > 1;
        if (!clear || !several)
            continue;
        bool of_all = first->operation == OPERATION_OF_ALL;
        const struct member *root = of_all ? NULL : find_root(r, first, next - i);
        if (!of_all && !root) {
            counts->rooted++;
            continue;
        }
        counts->collectives++;
        counts->members += next - i;
        for (size_t k = i; k < next; k++) {
            const struct member *member = &r->members[k];
            if (of_all) {
                items_role(items, member->item, ITEM_ENTER, items->nkeys);
                items_role(items, member->item, ITEM_LEAVE, items->nkeys);
            } else if (items_clock(items, member->item) != items_clock(items, root->item)) {
                bool from = first->operation == OPERATION_FROM_ROOT;
                items_role(items, (from ? root : member)->item, ITEM_SEND, items->nkeys);
                items_role(items, (from ? member : root)->item, ITEM_RECV_END, items->nkeys++);
            }
        }
        items->nkeys += of_all;
    }
    for (size_t i = 0; i < r->norders; i++) {
        items_role(items, r->orders[i].from, ITEM_SEND_END, items->nkeys);
        items_role(items, r->orders[i].to, ITEM_RECV_END, items->nkeys++);
    }
    counts->waits = r->norders;
}

csy_status chrome_tie(struct reading *r, csy_error *error)
{
    if (r->nends > 0)
        qsort(r->ends, r->nends, sizeof *r->ends, compare_ends);
    find_roots(r);
    csy_status status = count_members(r, error);
    if (!status)
        status = find_orders(r, error);
    if (!status && r->nmembers > 0)
        qsort(r->members, r->nmembers, sizeof *r->members, compare_sequences);
    return status ? status : items_tie(r->items, tie, r, error);
}
