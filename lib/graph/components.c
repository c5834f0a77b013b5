/* Finds strongly connected components by Tarjan's algorithm, without recursion. */
#include "graph/components.h"

#include "base/error.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct search {
    size_t n;
    const size_t *start;
    const uint32_t *to;
    size_t *next;        /* for each vertex: index of its next edge to follow */
    uint32_t *met, *low; /* met: number of the visit; low: least such number in reach */
    uint32_t *path, *open, *component; /* stacks: vertices on the path, and without component */
    size_t npath, nopen, nmet, ncomponents;
};

static void visit_first(struct search *s, uint32_t v)
{
    s->met[v] = s->low[v] = (uint32_t)s->nmet++;
    s->path[s->npath++] = s->open[s->nopen++] = v;
}

static void lower(uint32_t *low, uint32_t to)
{
    *low = to < *low ? to : *low;
}

/* written to through the struct: NOLINTNEXTLINE(readability-non-const-parameter) */
csy_status components_find(size_t n, const size_t *start, const uint32_t *to, uint32_t *component,
                           size_t *count, csy_error *error)
{
    struct search s = {.n = n, .start = start, .to = to, .component = component};
    s.next = malloc((n + 1) * sizeof *s.next);
    s.met = malloc((4 * n + 1) * sizeof *s.met);
    bool good = s.next && s.met;
    for (size_t v = 0; good && v < n; v++) {
        s.next[v] = start[v];
        s.met[v] = component[v] = NONE;
    }
    if (good) {
        s.low = s.met + n;
        s.path = s.low + n;
        s.open = s.path + n;
    }
    for (uint32_t v = 0; good && v < n; v++) {
        if (s.met[v] != NONE)
            continue;
        visit_first(&s, v);
        while (s.npath > 0) {
            uint32_t at = s.path[s.npath - 1];
            if (s.next[at] < s.start[at + 1]) {
                uint32_t next = s.to[s.next[at]++];
                if (s.met[next] == NONE)
                    visit_first(&s, next);
                else if (s.component[next] == NONE)
                    lower(&s.low[at], s.met[next]);
                continue;
            }
            s.npath--; /* no edge of the vertex is left */
            if (s.npath > 0)
                lower(&s.low[s.path[s.npath - 1]], s.low[at]);
            if (s.low[at] != s.met[at])
                continue;
            do
                s.component[s.open[--s.nopen]] = (uint32_t)s.ncomponents;
            while (s.open[s.nopen] != at);
            s.ncomponents++;
        }
    }
    *count = s.ncomponents;
    free(s.next);
    free(s.met);
    return good ? CSY_OK : error_memory(error);
}
