/* The trace format, version 1 (pex(5)): the file header of the records, and the document beside
 * them. */
#include "pdtsim/pex.h"

#include "pdtsim/vocabulary.h"

#include <string.h>

enum { HEADER_BYTES = 32, COUNT_OFF = 16 };

void pex_write_header(struct sink *trace)
{
    static const uint8_t header[HEADER_BYTES] = {
        'P', 'D', 'T', 'T', 'R',  'A',  'C',  'E',  0,    1,    0,    HEADER_BYTES,
        0,   0,   0,   0,   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    sink_write(trace, header, sizeof header);
}

void pex_patch_count(struct sink *trace, uint64_t records)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(records >> (56 - 8 * i));
    sink_patch(trace, COUNT_OFF, bytes, sizeof bytes);
}

/* A file name within an attribute. */
static void print_escaped(struct sink *pex, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            sink_print(pex, "&amp;");
            break;
        case '<':
            sink_print(pex, "&lt;");
            break;
        case '"':
            sink_print(pex, "&quot;");
            break;
        default:
            sink_write(pex, text, 1);
        }
}

static void print_threads(struct sink *pex, const struct options *options, unsigned main_tid)
{
    sink_print(pex, "  <threads>\n    <ppe tid=\"%u\" name=\"main\"/>\n", main_tid);
    for (unsigned i = 1; i <= options->ncontexts; i++)
        sink_print(pex, "    <spe ctx=\"%u\" tid=\"%u\" image=\"%s_spu\"/>\n", i, main_tid + i,
                   options->workload.name);
    sink_print(pex, "  </threads>\n");
}

static void print_type(struct sink *pex, const struct event_type *type)
{
    sink_print(pex, "    <recordType name=\"%s\" id=\"0x%04x\" type=\"%s\"%s", type->name, type->id,
               type->interval ? "interval" : "event", type->stall ? " stall=\"yes\"" : "");
    sink_print(pex, type->nfields ? ">" : "/>\n");
    for (int i = 0; i < type->nfields; i++)
        sink_print(pex, "<field name=\"%s\" type=\"u64\"/>", type->fields[i]);
    if (type->nfields)
        sink_print(pex, "</recordType>\n");
}

static void print_groups(struct sink *pex)
{
    for (size_t g = 0; g < EVENT_GROUPS; g++) {
        sink_print(pex, "  <pdtGroup name=\"%s\" id=\"0x%02x\">\n", event_groups[g].name,
                   event_groups[g].id);
        for (size_t i = 0; i < EVENTS; i++)
            if ((event_types[i].id & 0xff) == event_groups[g].id)
                print_type(pex, &event_types[i]);
        sink_print(pex, "  </pdtGroup>\n");
    }
}

void pex_write_document(struct sink *pex, const struct options *options, const char *trace_path,
                        unsigned main_tid)
{
    const struct machine *machine = options->machine;
    const char *slash = strrchr(trace_path, '/');
    sink_print(pex,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<pdt_trace version=\"1\" application=\"%s\">\n",
               options->workload.name);
    sink_print(pex,
               "  <machine name=\"%s\" timebase_hz=\"%lld\" ppes=\"%d\" spes=\"%zu\"/>\n"
               "  <trace_file href=\"",
               machine->label, (long long)machine->timebase_hz, machine->ncells, options->nspes);
    print_escaped(pex, slash ? slash + 1 : trace_path);
    sink_print(pex,
               "\" compression=\"%s\"/>\n"
               "  <clock kind=\"local\"/>\n"
               "  <order granularity=\"record\"/>\n"
               "  <switch_source kind=\"%s\"/>\n",
               options->compress ? "gzip" : "none", options->notifier ? "notifier" : "switch_log");
    print_threads(pex, options, main_tid);
    print_groups(pex);
    sink_print(pex, "</pdt_trace>\n");
}
