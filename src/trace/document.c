/* XML, parsed without trust. */
#include "trace/document.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/memory.h"
#include "trace/metadata.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>

/* libxml2 takes time quadratic in these, also behind a fault where it does not recover: it tells
 * nobody of elements there. */
enum { ATTRIBUTES_MAX = 1000, NAMESPACES_MAX = 1000, NAMES_MAX = 100000 };

/* Of the name of a namespace: it is compared at each element. */
enum { NAMESPACE_BYTES_MAX = 1000 };

/* libxml2 lets go of what is parsed only near the end of a document, and fails where a tag or white
 * space there is longer than what it calls near and 10 MB are before it. */
enum { BEHIND_MAX = 8 * 1024 * 1024 };

/* Offset of the first byte of line `line`, counted from 1. */
static size_t line_offset(const struct source *src, long line)
{
    const char *at = src->xml;
    const char *end = src->xml + src->size;
    while (--line > 0) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            break;
        at = newline + 1;
    }
    return (size_t)(at - src->xml);
}

csy_status document_refuse(const struct source *src, long line, const char *what)
{
    return error_set(src->error, CSY_INPUT, "%s: offset %zu (line %ld): %s", src->name,
                     line_offset(src, line), line, what);
}

struct parse {
    const char *refusal; /* what we do not take, or NULL */
    document_take *take;
    void *user;
};

static void stop(xmlParserCtxt *parser, const char *refusal)
{
    ((struct parse *)parser->_private)->refusal = refusal;
    xmlStopParser(parser);
}

/* SAX: a document type declaration begins.  Stop before anything in it is read. */
static void refuse_dtd(void *context, const xmlChar *name, const xmlChar *external,
                       const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    stop(context, "a document type declaration is refused");
}

/* Encodings of which the bytes of = and quotes stand for nothing else, which find_crowd relies on,
 * by the beginnings of their names. */
static bool is_plain(const char *encoding)
{
    static const char *const names[] = {"UTF-8", "ASCII",   "US-ASCII", "ISO-8859-", "WINDOWS-125",
                                        "CP125", "KOI8-",   "EUC-",     "SHIFT_JIS", "GB2312",
                                        "GBK",   "GB18030", "BIG5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ascii_same(encoding, names[i], strlen(names[i])))
            return true;
    return false;
}

#define OTHER_ENCODING "want the encoding UTF-8 or another one that pex(5) names"

/* Whether the XML declaration names an encoding that is not taken, before a converter is loaded for
 * it.  Of a declaration that is not ASCII, start_document judges. */
static bool names_other_encoding(const struct source *src)
{
    enum { DECLARATION_MAX = 1000 };
    char text[DECLARATION_MAX + 1], name[64];
    size_t n = src->size < DECLARATION_MAX ? src->size : DECLARATION_MAX, blanks;
    memcpy(text, src->xml, n);
    text[n] = '\0';
    char *at = text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0), *end;
    if (strncmp(at, "<?xml", 5) != 0 || !(end = strstr(at, "?>")))
        return false;
    *end = '\0';
    if (!(at = strstr(at, "encoding")))
        return false;
    at += strlen("encoding");
    blanks = strspn(at, " \t\r\n=");
    if (!strchr("\"'", at[blanks]) || at[blanks] == '\0')
        return false;
    at += blanks + 1;
    n = strcspn(at, "\"'");
    n = n < sizeof name ? n : sizeof name - 1;
    memcpy(name, at, n);
    name[n] = '\0';
    return !is_plain(name);
}

/* SAX: the XML declaration, if there is one, is behind us. */
static void start_document(void *context)
{
    xmlParserCtxt *parser = context;
    const xmlParserInputBuffer *buffer = parser->input ? parser->input->buf : NULL;
    if (buffer && buffer->encoder && !is_plain(buffer->encoder->name))
        stop(parser, OTHER_ENCODING);
    else
        xmlSAX2StartDocument(parser);
    parser->loadsubset |= XML_SKIP_IDS; /* nobody asks for elements by their xml:id */
}

/* Stop where names become too many.  The dictionary has texts of up to 3 bytes, too. */
static bool is_crowded(xmlParserCtxt *parser)
{
    bool crowded = xmlDictSize(parser->dict) > NAMES_MAX;
    if (crowded)
        stop(parser, "more than 100000 different names and short texts");
    return crowded;
}

/* Stop there, or behind a fault. */
static bool is_over(xmlParserCtxt *parser)
{
    if (is_crowded(parser))
        return true;
    if (!parser->wellFormed)
        xmlStopParser(parser);
    return !parser->wellFormed;
}

/* SAX: a processing instruction. */
static void instruct(void *context, const xmlChar *target, const xmlChar *data)
{
    if (!is_over(context))
        xmlSAX2ProcessingInstruction(context, target, data);
}

/* SAX: a reference to an entity, of which there are none. */
static xmlEntity *find_entity(void *context, const xmlChar *name)
{
    (void)name;
    (void)is_crowded(context);
    return NULL;
}

static bool is_long(const xmlChar **namespaces, int n)
{
    for (int i = 0; i < n; i++)
        if (namespaces[2 * i + 1] &&
            strlen((const char *)namespaces[2 * i + 1]) > NAMESPACE_BYTES_MAX)
            return true;
    return false;
}

/* SAX: an element begins. */
static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int nnamespaces, const xmlChar **namespaces,
                          int nattributes, int ndefaulted, const xmlChar **attributes)
{
    const xmlParserCtxt *parser = context;
    if (parser->nsNr > 2 * NAMESPACES_MAX)
        stop(context, "more than 1000 declarations of namespaces are in force");
    else if (is_long(namespaces, nnamespaces))
        stop(context, "the name of a namespace is longer than 1000 bytes");
    else if (!is_over(context))
        xmlSAX2StartElementNs(context, name, prefix, uri, nnamespaces, namespaces, nattributes,
                              ndefaulted, attributes);
}

static bool is_text(const xmlNode *node)
{
    return node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE;
}

static void forget(xmlNode *node)
{
    xmlUnlinkNode(node);
    xmlFreeNode(node);
}

/* SAX: an element ends. */
static void end_element(void *context, const xmlChar *name, const xmlChar *prefix,
                        const xmlChar *uri)
{
    xmlParserCtxt *parser = context;
    const struct parse *parse = parser->_private;
    xmlNode *node = parser->node;
    xmlSAX2EndElementNs(context, name, prefix, uri);
    if (parser->input->cur - parser->input->base > BEHIND_MAX)
        xmlParserInputShrink(parser->input);
    if (!node || !parser->wellFormed || !parse->take(parse->user, node))
        return;
    while (node->prev && is_text(node->prev))
        forget(node->prev);
    forget(node);
}

/* What libxml2 takes at least for a node or an attribute with its text, and for a byte. */
enum { NODE_BYTES = 120, ATTRIBUTE_BYTES = 200, BYTE_BYTES = 2 };

/* The rows of a table do not stay in the tree. */
static bool is_row(const char *tag, size_t size)
{
    static const char name[] = "<live_interval ";
    return size >= sizeof name - 1 && memcmp(tag, name, sizeof name - 1) == 0;
}

/* Where there are more attributes than may be before a next tag, as far as quotes behind = are
 * those of attributes; or the size of the document.  Behind a fault libxml2 may take for tags what
 * stands in a comment, so those of comments count.  *bytes: what the tree will take. */
static size_t find_crowd(const struct source *src, uint64_t *bytes)
{
    unsigned attributes = 0;
    char last = 0;
    bool stays = true;
    *bytes = BYTE_BYTES * (uint64_t)src->size;
    for (size_t i = 0; i < src->size; i++) {
        char c = src->xml[i];
        if (c == '<') {
            *bytes += stays ? NODE_BYTES + (uint64_t)ATTRIBUTE_BYTES * attributes : 0;
            stays = !is_row(src->xml + i, src->size - i);
            attributes = 0;
        }
        if (last == '=' && (c == '"' || c == '\'') && ++attributes > ATTRIBUTES_MAX)
            return i;
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            last = c;
    }
    return src->size;
}

/* What libxml2 tells: the last fault of the line of the first one, as those of later lines follow
 * from that; and, only here and on
 * stderr otherwise, of bytes that are none of their encoding, where it takes the document to end in
 * front of them. */
struct told {
    bool fault;
    long line;
    char text[ERROR_ESCAPED_MAX];
    bool unconverted;
    xmlStructuredErrorFunc handler; /* whose turn is next */
    void *context;
};

static void note_fault(void *user, const xmlError *fault)
{
    struct told *told = user;
    bool converting = fault->domain == XML_FROM_I18N || fault->domain == XML_FROM_IO;
    told->unconverted = told->unconverted || converting;
    long line = fault->line > 0 ? fault->line : 1;
    bool counts = !converting && fault->message && fault->level >= XML_ERR_ERROR;
    if (counts && (!told->fault || line == told->line)) {
        told->fault = true;
        told->line = line;
        error_escape(told->text, fault->message, strcspn(fault->message, "\n"));
    }
    if (told->handler)
        told->handler(told->context, unconst(fault));
}

static csy_status refuse_xml(const struct source *src, const xmlParserCtxt *parser,
                             const struct told *told, const char *refusal)
{
    if (refusal)
        return document_refuse(src, parser->input ? parser->input->line : 1, refusal);
    const xmlError *fault = &parser->lastError;
    bool huge = fault->message && strstr(fault->message, "huge");
    if (!fault->message || !told->fault || (fault->code == XML_ERR_NO_MEMORY && !huge))
        return error_memory(src->error); /* which also took the memory for a message */
    char text[256];
    snprintf(text, sizeof text, "not well-formed XML: %s", told->text);
    return document_refuse(src, told->line, text);
}

/* Of some encodings (ASCII) not even there. */
static bool has_rest(const xmlParserCtxt *parser)
{
    const xmlParserInput *input = parser->input;
    return input && (input->cur < input->end ||
                     (input->buf && input->buf->raw && xmlBufUse(input->buf->raw) > 0));
}

/* Parse; told->unconverted says whether bytes could not be.  Nothing is printed. */
static xmlDoc *read_memory(xmlParserCtxt *parser, const struct source *src, struct told *told)
{
    *told = (struct told){.handler = xmlStructuredError, .context = xmlStructuredErrorContext};
    xmlSetStructuredErrorFunc(told, (xmlStructuredErrorFunc)note_fault);
    xmlDoc *doc = xmlCtxtReadMemory(parser, src->xml, (int)src->size, NULL, NULL,
                                    XML_PARSE_NONET | XML_PARSE_RECOVER | XML_PARSE_BIG_LINES |
                                        XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlSetStructuredErrorFunc(told->context, told->handler);
    told->unconverted = told->unconverted || (parser->wellFormed && has_rest(parser));
    return doc;
}

csy_status document_parse(const struct source *src, document_take *take, void *user, xmlDoc **out)
{
    if (src->size > DOCUMENT_BYTES_MAX)
        return error_set(src->error, CSY_INPUT, "%s: offset %d: the XML is longer than %d bytes",
                         src->name, DOCUMENT_BYTES_MAX, DOCUMENT_BYTES_MAX);
    uint64_t bytes;
    size_t crowd = find_crowd(src, &bytes);
    if (crowd < src->size)
        return error_set(src->error, CSY_INPUT,
                         "%s: offset %zu: an element has more than %d attributes", src->name, crowd,
                         ATTRIBUTES_MAX);
    csy_status status = memory_check(bytes, src->name, "its XML", src->error);
    if (status)
        return status;
    if (names_other_encoding(src))
        return document_refuse(src, 1, OTHER_ENCODING);
    struct parse parse = {NULL, take, user};
    struct told told;
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (!parser)
        return error_memory(src->error);
    parser->_private = &parse;
    parser->sax->startDocument = start_document;
    parser->sax->internalSubset = refuse_dtd;
    parser->sax->processingInstruction = instruct;
    parser->sax->getEntity = find_entity;
    parser->sax->startElementNs = start_element;
    parser->sax->endElementNs = end_element;
    *out = read_memory(parser, src, &told);
    if (told.unconverted && !parse.refusal)
        status = document_refuse(
            src, parser->input ? parser->input->line : 1,
            "not well-formed XML: bytes that the document's encoding does not have");
    else if (!*out || parse.refusal || !parser->wellFormed)
        status = refuse_xml(src, parser, &told, parse.refusal);
    xmlFreeParserCtxt(parser);
    return status;
}
