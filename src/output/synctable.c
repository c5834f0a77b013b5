/* The XML of a synchronized trace. */
#include "output/synctable.h"

#include "base/error.h"
#include "base/number.h"
#include "output/words.h"
#include "trace/hush.h"

#include <inttypes.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(string) ((const xmlChar *)(string))

/* Marks where the table's lines go; the other one is as long, and differs from its first byte. */
#define MARK "live intervals"
#define OTHER_MARK "LIVE INTERVALS"
#define COMMENT "<!--" MARK "-->"

/* The child element of this name, made as the root's last one where there is none. */
static xmlNode *child_or_new(xmlNode *root, const char *name)
{
    xmlNode *child = metadata_child(root, name);
    return child ? child : xmlNewChild(root, NULL, TEXT(name), NULL);
}

static bool set(xmlNode *node, const char *attribute, const char *value)
{
    return node && xmlSetProp(node, TEXT(attribute), TEXT(value));
}

static bool set_number(xmlNode *node, const char *attribute, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return set(node, attribute, text);
}

static bool set_ticks(xmlNode *node, const char *attribute, int64_t ticks)
{
    char text[TICKS_TEXT_MAX];
    return set(node, attribute, words_ticks(ticks, "-inf", "inf", text));
}

/* The positions of records that are left out, with blanks between them. */
static bool set_dropped(xmlNode *node, const struct survey *survey)
{
    char *text = malloc(survey->ndropped * (NUMBER_DIGITS_MAX + 1) + 1), *at = text;
    for (size_t i = 0; text && i < survey->ndropped; i++) {
        at = number_put_unsigned(at, survey->dropped[i]);
        *at++ = i + 1 < survey->ndropped ? ' ' : '\0';
    }
    bool good = text && set(node, "dropped", text);
    free(text);
    return good;
}

/* The attributes of <synchronization>. */
static bool describe(xmlNode *node, const struct csy_sync *sync, uint32_t original_crc32)
{
    char text[FRACTION_TEXT_MAX], crc[16];
    const csy_clock_report *clock = &sync->survey.clock_report;
    const csy_imprecision *imprecision = &sync->imprecision;
    snprintf(crc, sizeof crc, "0x%08" PRIx32, original_crc32);
    bool bounded = sync->method == CSY_METHOD_BHH;
    bool good = set(node, "method", words_method(sync->method));
    if (bounded)
        good = good && set(node, "reference", sync->views[sync->reference].name) &&
               set(node, "alpha", fraction_text(sync->alpha, text)) &&
               set(node, "center", words_center(sync->center)) &&
               set(node, "relax", words_relax(imprecision->relax)) &&
               set(node, "delta", fraction_text(imprecision->delta, text)) &&
               set_ticks(node, "added_ticks", imprecision->added_ticks);
    if (sync->survey.ndropped > 0)
        good = good && set_dropped(node, &sync->survey);
    const csy_cut *cut = csy_get_cut(sync);
    good = good && (!cut || set_number(node, "salvaged_until", cut->place));
    return good && set(node, "original_crc32", crc) &&
           set_number(node, "records", sync->survey.records) &&
           set_ticks(node, "wraps", clock->wraps) && set_number(node, "splits", clock->splits) &&
           set_number(node, "assumed", clock->assumed) &&
           set(node, "unwrap", sync->survey.rules.strict ? "strict" : "assume") &&
           set_ticks(node, "max_imprecision", sync->survey.rules.imprecision_ticks);
}

/* A comment where the table's lines go. */
static bool add_mark(xmlNode *node, const char *mark)
{
    return xmlAddChild(node, xmlNewComment(TEXT(mark))) != NULL;
}

static bool add_text(xmlNode *node, const char *text)
{
    return xmlAddChild(node, xmlNewText(TEXT(text))) != NULL;
}

/* All of it, or NULL: without memory libxml2 copies some. */
static xmlDoc *copy_document(const struct csy_trace *trace)
{
    struct hush hush;
    hush_begin(&hush);
    xmlDoc *doc = xmlCopyDoc(trace->metadata.doc, 1);
    if (hush_end(&hush))
        return doc;
    xmlFreeDoc(doc);
    return NULL;
}

/* The document as it is to be written, with `mark` where the lines of the table go. */
static xmlDoc *make_document(const struct csy_trace *trace, const struct csy_sync *sync,
                             const struct trace_file *described, const char *mark)
{
    xmlDoc *doc = copy_document(trace);
    if (!doc)
        return NULL;
    xmlNode *root = xmlDocGetRootElement(doc);
    xmlNode *file = child_or_new(root, "trace_file");
    bool good = set(child_or_new(root, "clock"), "kind", "global") &&
                set(file, "compression", described->gzip ? "gzip" : "none");
    if (described->href)
        good = good && set(file, "href", described->href);
    else
        xmlUnsetProp(file, TEXT("href"));
    xmlNode *table = xmlNewChild(root, NULL, TEXT("synchronization"), NULL);
    good = good && table && describe(table, sync, described->original_crc32) &&
           add_mark(table, mark) && add_text(root, "\n");
    if (good)
        return doc;
    xmlFreeDoc(doc);
    return NULL;
}

/* The document in bytes, in *out, or NULL there. */
static void dump_marked(const struct csy_trace *trace, const struct csy_sync *sync,
                        const struct trace_file *file, const char *mark, const char *encoding,
                        xmlChar **out, int *size)
{
    *out = NULL;
    xmlDoc *doc = make_document(trace, sync, file, mark);
    if (doc)
        xmlDocDumpMemoryEnc(doc, out, size, encoding);
    xmlFreeDoc(doc);
}

/* The document in bytes, *mark_at being the offset of the mark in it, <!--MARK-->, or SIZE_MAX if
 * that is not ASCII there.  Where the document has such comments of its own, ours is where another
 * mark makes the first difference. */
static csy_status find_mark(const struct csy_trace *trace, const struct csy_sync *sync,
                            const struct trace_file *file, const char *encoding, xmlChar **out,
                            int *size, size_t *mark_at, csy_error *error)
{
    dump_marked(trace, sync, file, MARK, encoding, out, size);
    if (!*out)
        return error_memory(error);
    const char *text = (const char *)*out, *at = strstr(text, COMMENT);
    if (at && strstr(at + 1, COMMENT)) {
        xmlChar *other;
        dump_marked(trace, sync, file, OTHER_MARK, encoding, &other, size);
        if (!other) {
            xmlFree(*out);
            return error_memory(error);
        }
        at = text;
        while (*at == (char)other[at - text])
            at++;
        at -= strlen("<!--");
        xmlFree(other);
    }
    *mark_at = at ? (size_t)(at - text) : SIZE_MAX;
    return CSY_OK;
}

/* The same.  It keeps its encoding if the mark, and so the table, is ASCII there; else it becomes
 * UTF-8. */
static csy_status dump_document(const struct csy_trace *trace, const struct csy_sync *sync,
                                const struct trace_file *file, xmlChar **out, int *size,
                                size_t *mark_at, csy_error *error)
{
    const char *kept = (const char *)trace->metadata.doc->encoding;
    csy_status status =
        find_mark(trace, sync, file, kept ? kept : "UTF-8", out, size, mark_at, error);
    if (status || *mark_at < SIZE_MAX)
        return status;
    xmlFree(*out);
    return find_mark(trace, sync, file, "UTF-8", out, size, mark_at, error);
}

/* What the document has before the names of its own elements: nothing, or a prefix and a colon. */
struct prefix {
    const char *bytes;
    size_t size;
};

/* That of the table, whose tag ends at the mark. */
static struct prefix prefix_before(const char *mark)
{
    const char *tag = mark;
    while (*tag != '<')
        tag--;
    size_t name = strcspn(tag + 1, " ");
    return (struct prefix){tag + 1, name - strlen("synchronization")};
}

static void write_thread(struct outfile *out, const struct prefix *prefix, size_t index,
                         const csy_thread *thread)
{
    char earliest[TICKS_TEXT_MAX], latest[TICKS_TEXT_MAX];
    outfile_print(out, "\n    <");
    outfile_write(out, prefix->bytes, prefix->size);
    if (thread->kind == CSY_KIND_PPE) {
        outfile_print(out, "ppe_thread");
    } else {
        outfile_print(out, "live_interval id=\"%zu\" ctx=\"%" PRId64 "\"", index, thread->context);
        if (thread->spe != CSY_NO_SPE)
            outfile_print(out, " spe=\"%" PRIu64 "\"", thread->spe);
    }
    outfile_print(out, " first_record=\"%" PRIu64 "\" records=\"%" PRIu64 "\"",
                  thread->first_record, thread->records);
    if (thread->kind == CSY_KIND_SPE)
        outfile_print(out, " decr_first=\"%" PRIu32 "\"", thread->decr_first);
    if (thread->offset_ticks != CSY_NO_OFFSET)
        outfile_print(out, " offset=\"%" PRId64 "\"", thread->offset_ticks);
    outfile_print(out, " earliest=\"%s\" latest=\"%s\"/>",
                  words_ticks(thread->earliest_ticks, "-inf", "inf", earliest),
                  words_ticks(thread->latest_ticks, "-inf", "inf", latest));
}

csy_status synctable_write(const struct csy_trace *trace, const struct csy_sync *sync,
                           const struct trace_file *file, struct outfile *out, csy_error *error)
{
    struct hush hush;
    xmlChar *xml = NULL;
    int size = 0;
    size_t mark_at = 0;
    hush_begin(&hush);
    csy_status status = dump_document(trace, sync, file, &xml, &size, &mark_at, error);
    if (!hush_end(&hush) && !status) {
        xmlFree(xml);
        status = error_memory(error);
    }
    if (status)
        return status;
    struct prefix prefix = prefix_before((const char *)xml + mark_at - 1);
    outfile_write(out, xml, mark_at);
    for (size_t t = 0; t < sync->survey.threads.count; t++)
        write_thread(out, &prefix, t, &sync->views[t]);
    outfile_print(out, "\n  ");
    mark_at += strlen(COMMENT);
    outfile_write(out, xml + mark_at, (size_t)size - mark_at);
    xmlFree(xml);
    return CSY_OK;
}
