/* See pex.h. */
#include "simulator/pex.h"

#include "simulator/vocabulary.h"

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

void pex_print_escaped(struct sink *pex, const char *text)
{
    static const char special[] = "&<\"";
    static const char *const escapes[] = {"&amp;", "&lt;", "&quot;"};
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        sink_print(pex, "%.*s", found ? 6 : 1, found ? escapes[found - special] : text);
    }
}

/* The XML attributes of record types that tell cellsync about the order of records. */
static const char *const order_of[EVENTS] = {
    /* the timestamp of THREAD_START is taken before the context starts */
    [EVENT_THREAD_START] = "order=\"spawn\" thread=\"ctx\" stamp=\"before\"",
    [EVENT_MPI_SEND] = "order=\"send\" match=\"@self peer tag\"",
    [EVENT_MPI_SSEND] = "order=\"send\" sync=\"yes\" match=\"@self peer tag\"",
    [EVENT_MPI_RECV] = "order=\"recv\" match=\"peer @self tag\"",
    [EVENT_MPI_BARRIER] = "order=\"enter leave\" kind=\"barrier\" match=\"\""};

static void print_type(struct sink *pex, const struct event_type *type, bool ordered)
{
    sink_print(pex, "    <recordType name=\"%s\" id=\"0x%04x\" type=\"%s\"%s", type->name, type->id,
               type->interval ? "interval" : "event", type->stall ? " stall=\"yes\"" : "");
    if (ordered && order_of[type - event_types])
        sink_print(pex, " %s", order_of[type - event_types]);
    sink_print(pex, type->nfields ? ">" : "/>\n");
    for (int i = 0; i < type->nfields; i++)
        sink_print(pex, "<field name=\"%s\" type=\"u64\"/>", type->fields[i]);
    if (type->nfields)
        sink_print(pex, "</recordType>\n");
}

/* Returns true if the trace may contain records of this type. */
static bool is_used(enum event event, const struct options *options)
{
    const struct tracing *tracing = &options->tracing;
    bool message = event >= EVENT_MPI_SEND && event <= EVENT_MPI_BARRIER;
    return event == EVENT_E || event == EVENT_X ? options->calls
           : message                            ? options->workload.ranks
           : event == EVENT_CLOCK_PROBE         ? options->advice != NULL
           : event == EVENT_BUFFER_FLUSH ? tracing->block > 0 && tracing->flush == FLUSH_STAMPED
                                         : true;
}

void pex_write_document(struct sink *pex, const struct options *options, char *const *trace_paths,
                        unsigned main_tid)
{
    const struct machine *machine = options->machine;
    const struct workload *workload = &options->workload;
    const struct tracing *tracing = &options->tracing;
    sink_print(pex,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<pdt_trace version=\"%d\" application=\"%s\">\n",
               workload->ranks || tracing->block > 0 ? 2 : 1, workload->name);
    sink_print(pex, "  <machine name=\"%s\" timebase_hz=\"%lld\" ppes=\"%d\" spes=\"%zu\"/>\n",
               machine->label, (long long)machine->timebase_hz, machine->ncells, options->nspes);
    for (size_t i = 0; i < options->nnodes; i++) {
        const char *slash = strrchr(trace_paths[i], '/');
        sink_print(pex, "  <trace_file href=\"");
        pex_print_escaped(pex, slash ? slash + 1 : trace_paths[i]);
        sink_print(pex, "\"");
        if (workload->ranks)
            sink_print(pex, " buffer=\"node%zu\"", i);
        sink_print(pex, " compression=\"%s\"/>\n", options->compress ? "gzip" : "none");
    }
    sink_print(pex, "  <clock kind=\"local\"/>\n");
    if (tracing->block > 0)
        sink_print(pex, "  <order granularity=\"block\" after=\"%s\" records=\"%lld\"/>\n",
                   tracing->flush == FLUSH_DOUBLE ? "block" : "flush", (long long)tracing->block);
    else
        sink_print(pex, "  <order granularity=\"%s\"/>\n",
                   workload->ranks && !workload->buffers ? "thread" : "record");
    sink_print(pex, "  <switch_source kind=\"%s\"/>\n",
               options->notifier ? "notifier" : "switch_log");
    sink_print(pex, "  <threads>\n    <ppe tid=\"%u\" name=\"main\"/>\n", main_tid);
    for (unsigned i = 1; i <= options->ncontexts; i++) {
        sink_print(pex, "    <spe ctx=\"%u\" tid=\"%u\"", i, main_tid + i);
        if (workload->ranks)
            sink_print(pex, " rank=\"%u\"", i - 1);
        sink_print(pex, " image=\"%s_spu\"/>\n", workload->name);
    }
    sink_print(pex, "  </threads>\n");
    bool messages = workload->ranks, blocks = tracing->block > 0, last = messages || options->calls;
    for (size_t g = 0; g < (last ? EVENT_GROUPS : EVENT_GROUPS - 1); g++) {
        sink_print(pex, "  <pdtGroup name=\"%s\" id=\"0x%02x\">\n", event_groups[g].name,
                   event_groups[g].id);
        for (size_t i = 0; i < EVENTS; i++)
            if ((event_types[i].id & 0xff) == event_groups[g].id && is_used((enum event)i, options))
                print_type(pex, &event_types[i], messages || blocks);
        sink_print(pex, "  </pdtGroup>\n");
    }
    if (options->calls)
        sink_print(pex, "  <symbols>\n");
    for (enum routine i = ROUTINE_NONE + 1; options->calls && i < ROUTINES; i++)
        if (workload_calls(workload, i))
            sink_print(pex, "    <symbol at=\"0x%llx\" size=\"%d\" name=\"%s\"/>\n",
                       (unsigned long long)routine_address(i), ROUTINE_BYTES, routine_name(i));
    sink_print(pex, options->calls ? "  </symbols>\n</pdt_trace>\n" : "</pdt_trace>\n");
}
