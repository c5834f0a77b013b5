/* Sheets about calls as a graph for dot(1), or as folded stacks. See cellstat(1), calls. */
#include "output/report/report_sheets.h"

#include "analysis/run/sheets.h"
#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "output/encode/dot.h"
#include "output/encode/text.h"
#include "output/encode/utf8.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CALLER, CALLEE, KIND, FILE_NAME, LINE, CALLS, TIME, BYTES, CALLS_COLUMNS };
enum { NAME_BYTES = 512 };
enum { PATH, PATH_CALLS, PATH_DIRECT, PATH_COLUMNS };

/* --- Nodes ---------------------------------------------------------------------------------- */

struct node {
    const char *name;
    const csy_value *row; /* a row of the routine that has its file, or NULL */
    bool active, innermost;
};

struct nodes {
    struct texts names;
    struct node *items;
    size_t count, capacity;
    struct texts edges; /* edges that occur in active paths */
};

static bool find_node(struct nodes *nodes, const char *name, size_t size, uint32_t *out)
{
    char key[NAME_BYTES]; /* name as it is in paths */
    bool added;
    size = size < sizeof key ? size : sizeof key;
    memcpy(key, name, size);
    for (size_t i = 0; i < size; i++)
        if (key[i] == ';' || key[i] == '\n')
            key[i] = ':';
    if (!texts_find(&nodes->names, key, size, out, &added) ||
        !ARRAY_RESERVE(nodes->items, nodes->capacity, nodes->names.count))
        return false;
    if (added)
        nodes->items[nodes->count++] = (struct node){.name = name};
    return true;
}

/* Mark the routines of a path as active. An actor is in the last one. */
static bool mark_path(struct nodes *nodes, const char *path)
{
    uint32_t key[2] = {NO_TEXT, NO_TEXT};
    while (*path) {
        size_t size = strcspn(path, ";");
        uint32_t node, edge;
        bool added;
        if (texts_look(&nodes->names, path, size, &node) && node < nodes->count) {
            nodes->items[node].active = true;
            nodes->items[node].innermost |= path[size] == 0;
            key[0] = key[1];
            key[1] = node;
            if (key[0] != NO_TEXT &&
                !texts_find(&nodes->edges, (const char *)key, sizeof key, &edge, &added))
                return false;
        }
        path += size + (path[size] == ';');
    }
    return true;
}

/* --- Edges ---------------------------------------------------------------------------------- */

static void write_weight(const csy_value *row, csy_weight weight, struct outfile *out)
{
    static const size_t columns[] = {CALLS, TIME, BYTES};
    const csy_value *value = &row[columns[weight]];
    const csy_range *range = &value->range;
    char lo[TICKS_TEXT_MAX], hi[TICKS_TEXT_MAX];
    if (value->none) {
        outfile_add(out, "-");
        return;
    }
    outfile_print(out, "%" PRId64, range->estimate);
    if (range->kind == CSY_RANGE_UNKNOWN)
        outfile_add(out, " ?");
    else if (range->kind != CSY_RANGE_CLOCK)
        outfile_print(out, " [%s, %s]", text_ticks(range->lo, "-inf", "inf", lo),
                      text_ticks(range->hi, "-inf", "inf", hi));
}

/* Find the nodes of a row. node[1] is NO_TEXT for a leaf, which is not a routine. */
static bool find_ends(struct nodes *nodes, const csy_value *row, uint32_t node[2])
{
    bool leaf = strcmp(row[KIND].text, "leaf") == 0;
    node[0] = node[1] = NO_TEXT;
    return (row[CALLER].none ||
            find_node(nodes, row[CALLER].text, strlen(row[CALLER].text), &node[0])) &&
           (leaf || find_node(nodes, row[CALLEE].text, strlen(row[CALLEE].text), &node[1]));
}

csy_status sheets_dot(const csy_analysis *analysis, const struct csy_sync *sync,
                      struct outfile *out, csy_error *error)
{
    static const char *const weights[] = {"calls", "ticks", "bytes"};
    const csy_sheet *calls = cells_sheet(analysis, "calls");
    const csy_sheet *active = cells_sheet(analysis, "active");
    struct nodes nodes = {.count = 0};
    uint32_t node[2], edge;
    bool good = true;
    if (!calls)
        return error_set(error, CSY_USAGE, "the format dot requires the verb calls");
    for (size_t i = 0; good && i < calls->nrows; i++) {
        good = find_ends(&nodes, cells_at(calls, i, 0), node);
        if (good && node[1] != NO_TEXT)
            nodes.items[node[1]].row = cells_at(calls, i, 0);
    }
    for (size_t i = 0; active && good && i < active->nrows; i++)
        good = mark_path(&nodes, cells_at(active, i, 1)->text);
    outfile_add(out, "digraph calls {\n  graph [label=\"");
    dot_text(out, sync->trace->name);
    outfile_print(out, ": %s", weights[analysis->weight]);
    for (size_t i = 0; active && i < active->nrows; i++) {
        outfile_add(out, "\\n");
        dot_text(out, cells_at(active, i, 0)->text);
        outfile_add(out, ": ");
        dot_text(out, cells_at(active, i, 1)->text);
    }
    outfile_add(out, "\"];\n");
    for (size_t i = 0; i < nodes.count; i++) {
        const struct node *item = &nodes.items[i];
        outfile_print(out, "  r%zu [label=\"", i);
        dot_text(out, item->name);
        if (item->row && !item->row[FILE_NAME].none) {
            outfile_add(out, " ");
            dot_text(out, item->row[FILE_NAME].text);
            if (!item->row[LINE].none)
                outfile_print(out, ":%" PRId64, item->row[LINE].range.estimate);
        }
        outfile_print(out, "\"%s%s];\n", item->active ? " shape=box" : "",
                      item->innermost ? " style=filled" : "");
    }
    for (size_t i = 0; good && i < calls->nrows; i++) {
        const csy_value *row = cells_at(calls, i, 0);
        if (row[CALLER].none)
            continue;
        good = find_ends(&nodes, row, node);
        if (node[1] == NO_TEXT) {
            outfile_print(out, "  l%zu [shape=plaintext label=\"", i);
            dot_text(out, row[CALLEE].text);
            outfile_print(out, "\"];\n  r%" PRIu32 " -> l%zu [label=\"", node[0], i);
        } else {
            outfile_print(out, "  r%" PRIu32 " -> r%" PRIu32 " [label=\"", node[0], node[1]);
        }
        write_weight(row, analysis->weight, out);
        bool marked =
            node[1] != NO_TEXT && texts_look(&nodes.edges, (const char *)node, sizeof node, &edge);
        outfile_add(out, marked ? "\" penwidth=3];\n" : "\"];\n");
    }
    outfile_add(out, "}\n");
    texts_fini(&nodes.names);
    texts_fini(&nodes.edges);
    free(nodes.items);
    return good ? CSY_OK : error_memory(error);
}

csy_status sheets_folded(const csy_analysis *analysis, struct outfile *out, csy_error *error)
{
    const csy_sheet *paths = cells_sheet(analysis, "paths");
    size_t column = analysis->weight == CSY_WEIGHT_TIME ? PATH_DIRECT : PATH_CALLS;
    if (!paths)
        return error_set(error, CSY_USAGE, "the format folded requires the verb calls");
    for (size_t i = 0; i < paths->nrows; i++) {
        const csy_value *row = cells_at(paths, i, 0);
        /* Write a path of calls. Control characters, and bytes that are not UTF-8, become \xNN. */
        const unsigned char *p = (const unsigned char *)row[PATH].text;
        while (*p) {
            const unsigned char *plain = p;
            size_t n = utf8_length(p, SIZE_MAX);
            while (*p && !utf8_is_control(p, n)) {
                p += n;
                n = utf8_length(p, SIZE_MAX);
            }
            outfile_write(out, plain, (size_t)(p - plain));
            for (size_t k = 0; *p && k < (n ? n : 1); k++)
                outfile_print(out, "\\x%02x", p[k]);
            p += *p == 0 ? 0 : n ? n : 1;
        }
        outfile_print(out, " %" PRId64 "\n", row[column].range.estimate);
    }
    return CSY_OK;
}
