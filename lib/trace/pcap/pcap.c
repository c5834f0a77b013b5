/* Reads packet captures as a source of events (trace/source.h). */
#include "trace/pcap/pcap.h"

#include "base/array.h"
#include "base/error.h"
#include "io/path.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The place of an event in file k is (k << FILE_SHIFT) plus the offset of its packet in the
 * file. */
enum { FILE_SHIFT = 44, FILES_MAX = 4096 };

/* Number of base-32 digits that the number of a pair has in a key. */
enum { KEY_DIGITS = 7 };

/* The state of a trace of one or more files, or of a fork of such a trace. */
struct reading {
    struct hosts hosts;
    struct pairs *pairs;
    bool surveyed, counted;
    /* The packets found so far, as struct sighting. Each pass over the trace reads these packets
     * first, and then finds and appends the others. Forks read the spool of the original only if it
     * is complete. */
    struct spool spool;
    bool complete, failed;          /* true if all packets were found; true after a failure */
    bool salvage;                   /* true if the spool was written with --salvage */
    const struct reading *original; /* the forked reading, or this reading itself */
    struct spool_reader reader;
    uint64_t at, known; /* number of the next packet; number of packets in the spool */
    /* For host k, element 2k is the thread of the sent packets, and element 2k + 1 the thread of
     * all other packets. The names of threads are allocated. */
    struct named_stamp *threads;
    bool is_fork; /* true for a fork, which does not own the survey and the threads */
    struct event_roles roles;
    char key[PAIRS_COPIES * 16]; /* texts of the keys in `roles` */
    size_t last;                 /* index of the last event's thread, or SIZE_MAX */
    unsigned last_decimals;      /* decimals of the last event's time in seconds */
};

static struct reading *reading_of(const struct csy_trace *trace)
{
    return trace->state;
}

const struct hosts *pcap_hosts(const struct csy_trace *trace)
{
    return &reading_of(trace)->hosts;
}

const char *pcap_thread(const struct csy_trace *trace, size_t host, enum capture_way way)
{
    const struct reading *r = reading_of(trace);
    return r->threads[2 * host + (way != CAPTURE_WAY_OUT)].thread;
}

static bool probe(const struct head *head)
{
    return capture_begins(head->bytes, head->size);
}

static csy_status look(struct csy_trace *trace, csy_error *error)
{
    (void)trace, (void)error;
    return CSY_OK;
}

/* --- Opening --------------------------------------------------------------------------------- */

/* Returns the host's name that the user gave, or otherwise the name of the file without suffixes.
 * The caller frees the name. Returns NULL if memory runs out. */
static char *name_of(const struct csy_trace *trace)
{
    static const char *const suffixes[] = {".gz", ".pcapng", ".pcap", ".cap", ".ntar"};
    char *name = strdup(trace->part_name ? trace->part_name : path_name(trace->name));
    for (size_t i = 0; name && !trace->part_name && i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(name), m = strlen(suffixes[i]);
        if (n > m && strcmp(name + n - m, suffixes[i]) == 0)
            name[n - m] = 0;
    }
    return name;
}

/* Make an empty state. Returns NULL if memory runs out. */
static struct reading *new_reading(struct csy_trace *trace)
{
    struct reading *r = trace->state = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->hosts = HOSTS_NONE;
    r->spool.fd = -1;
    r->last = SIZE_MAX;
    r->original = r;
    return r;
}

/* Make the state of a trace that reads these files. */
static csy_status make_reading(struct csy_trace *trace, struct csy_trace *const *files, size_t n,
                               csy_error *error)
{
    struct reading *r = new_reading(trace);
    if (!r || !(r->hosts.items = calloc(n + 1, sizeof *r->hosts.items)) ||
        !(r->threads = calloc(2 * n + 1, sizeof *r->threads)))
        return error_memory(error);
    r->hosts.count = n;
    for (size_t i = 0; i < n; i++) {
        struct host *host = &r->hosts.items[i];
        const struct csy_trace *file = files[i];
        host->trace = file;
        host->name = name_of(file);
        csy_status status = host->name ? CSY_OK : error_memory(error);
        for (size_t k = 0; k < i && !status; k++)
            if (strcmp(r->hosts.items[k].name, host->name) == 0)
                status =
                    error_set(error, CSY_INPUT,
                              "%s: the host '%s' is also in %s; give the hosts different names, as "
                              "in A=%s B=%s",
                              file->name, host->name, files[k]->name, files[k]->name, file->name);
        if (!status)
            status = bytes_new(file->fd, file->name, file->record_start, file->gzip, trace->workers,
                               &host->bytes, error);
        if (status)
            return status;
    }
    return CSY_OK;
}

static csy_status open_pcap(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    struct capture capture = {0};
    struct capture_block block;
    bool more;
    trace->record_start = start;
    trace->timebase_hz = 1000000000;
    trace->partial = trace->loose = true;
    trace->complete = true;
    trace->hosts = 1;
    csy_status status = make_reading(trace, &trace, 1, error);
    if (status)
        return status;
    /* A file with a wrong header is refused before anything else is read. */
    capture_start(&capture, reading_of(trace)->hosts.items[0].bytes, trace->name);
    status = capture_next(&capture, &block, &more, true, error);
    capture_fini(&capture);
    return status;
}

static csy_status join_pcap(struct csy_trace *trace, csy_error *error)
{
    if (trace->nparts > FILES_MAX)
        return error_set(error, CSY_USAGE, "%s: more than %d captures are given", trace->name,
                         FILES_MAX);
    trace->source = trace->parts[0]->source;
    for (size_t i = 0; i < trace->nparts; i++)
        trace->part_places[i] =
            (struct part_places){(uint64_t)i << FILE_SHIFT, trace->parts[i]->record_start};
    return make_reading(trace, trace->parts, trace->nparts, error);
}

/* The functions source.dates and source.joins: times are dates, and files are joined by default. */
static bool always(const struct csy_trace *trace)
{
    (void)trace;
    return true;
}

/* --- The survey ------------------------------------------------------------------------------ */

/* Add a warning about a host, unless the trace has TRACE_WARNINGS_MAX warnings. */
static void warn(struct csy_trace *trace, const struct host *host, uint64_t count, const char *what)
{
    char number[24] = "";
    if (trace->nwarnings == TRACE_WARNINGS_MAX)
        return;
    if (count > 0)
        snprintf(number, sizeof number, "%" PRIu64 " ", count);
    snprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX, "%.60s: %s%.160s", host->name,
             number, what);
}

/* Warn if the survey found something that may make the result inaccurate or wrong. */
static void warn_of_host(struct csy_trace *trace, const struct host *host)
{
    bool unknown = false;
    for (size_t p = 0; p < host->nports; p++)
        unknown |= host->ports[p].packets > 0 && host->ports[p].nown != 1;
    if (host->drops > 0)
        warn(trace, host, host->drops,
             "packets were dropped during the capture, so it is not complete; packets that may be "
             "copies of dropped ones are not used");
    if (unknown)
        warn(trace, host, 0,
             "it is unknown which packets this host sent, so they give no bounds; capture with "
             "tcpdump -i any");
    if (host->two_clocks)
        warn(trace, host, 0,
             "received and sent packets have timestamps of different clocks, so they are treated "
             "as two clocks; capture with tcpdump -j host");
    if (host->cut > 0)
        warn(trace, host, host->cut,
             "packets are cut too short to recognize them: capture at least 128 bytes of each");
}

/* Survey all files, unless they are surveyed already. A file that ends within a packet is refused
 * later, when the events of the file are read. */
static csy_status survey(struct csy_trace *trace, csy_error *error)
{
    struct reading *r = reading_of(trace);
    if (r->surveyed)
        return CSY_OK;
    csy_status status = hosts_survey(&r->hosts, true, error);
    for (size_t i = 0; i < 2 * r->hosts.count && !status; i++) {
        const struct host *host = &r->hosts.items[i / 2];
        char *name;
        int size =
            asprintf(&name, "%s%s", host->name, i % 2 && host->two_clocks ? " (received)" : "");
        if (size < 0)
            return error_memory(error);
        struct named_stamp *stamp = &r->threads[i];
        *stamp = (struct named_stamp){
            .thread = name, .thread_size = (size_t)size, .number = 1 + (uint32_t)i};
        stamp->node =
            (csy_text){r->threads[i & ~(size_t)1].thread, r->threads[i & ~(size_t)1].thread_size};
    }
    for (size_t i = 0; i < r->hosts.count && !status; i++)
        warn_of_host(trace, &r->hosts.items[i]);
    r->surveyed = !status;
    return status;
}

/* --- Events ---------------------------------------------------------------------------------- */

/* Read the next packet from the spool or from the captures. *out is NULL at the end. */
static csy_status next_sighting(struct reading *r, const struct sighting **out, csy_error *error)
{
    const void *known = NULL;
    csy_status status = CSY_OK;
    *out = NULL;
    if (r->at < r->known) {
        status = spool_next(&r->reader, &known, error);
        *out = known;
    } else if (r->pairs && (r->known == 0 || !r->original->complete)) {
        status = pairs_next(r->pairs, out, error);
        r->failed |= status != CSY_OK;
        if (!status && *out && !r->is_fork)
            *(struct sighting *)spool_add(&r->spool) = **out;
        r->complete = !status && !*out;
    }
    r->at += *out != NULL;
    return status;
}

/* Start to read all packets from the first one. */
static csy_status start_pass(struct csy_trace *trace, csy_error *error)
{
    struct reading *r = reading_of(trace);
    const struct reading *of = r->original;
    csy_status status = CSY_OK;
    r->last = SIZE_MAX;
    r->at = r->known = 0;
    if (!r->is_fork)
        spool_flush(&r->spool);
    if (of->spool.fd >= 0 && of->salvage == trace->salvage && !of->failed &&
        (of->complete || !r->is_fork)) {
        r->known = of->spool.count;
        return spool_read(&of->spool, 0, r->known, SPOOL_BUFFER_BYTES, &r->reader, error);
    }
    if (!r->is_fork) {
        spool_fini(&r->spool);
        r->complete = r->failed = false;
        r->salvage = trace->salvage;
        status = spool_init(&r->spool, sizeof(struct sighting), error);
    }
    if (status)
        return status;
    if (!r->pairs)
        return pairs_new(&r->hosts, trace->salvage, &r->pairs, error);
    return pairs_rewind(r->pairs, trace->salvage, error);
}

static csy_status rewind_pcap(struct csy_trace *trace, csy_error *error)
{
    csy_status status = survey(trace, error);
    return status ? status : start_pass(trace, error);
}

/* Append the key of a message: the number of the pair in base 32, and a letter for the receiver.
 * The digits are collected in one word, because one store is faster than eight stores. */
static size_t put_key(char *key, size_t n, uint32_t pair, unsigned receiver)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
    uint64_t word = 'A' + receiver;
    for (unsigned i = 0; i < KEY_DIGITS; i++, pair >>= 5)
        word = word << 8 | (uint8_t)digits[pair & 31];
    for (unsigned i = 0; i <= KEY_DIGITS; i++)
        key[n + i] = (char)(word >> 8 * i);
    return n + KEY_DIGITS + 1;
}

/* Set the messages that a packet sends or receives. A sent packet is a separate message to each
 * receiver. */
static void set_roles(struct reading *r, const struct sighting *s)
{
    size_t n = 0;
    r->roles.send.size = r->roles.recv.size = 0;
    if (s->pair == PAIRS_NONE)
        return;
    if (s->way != CAPTURE_WAY_OUT) {
        n = put_key(r->key, 0, s->pair, s->receivers);
        r->roles.recv = (csy_text){r->key, n};
        return;
    }
    for (unsigned i = 0; i < s->receivers; i++) {
        if (i > 0)
            r->key[n++] = ' ';
        n = put_key(r->key, n, s->pair, i);
    }
    r->roles.send = (csy_text){r->key, n};
}

/* After all packets were read, warn of each host with gaps or with mostly unpaired packets. */
static void warn_of_unmatched(struct csy_trace *trace)
{
    struct reading *r = reading_of(trace);
    for (size_t i = 0; i < r->hosts.count && !r->counted; i++) {
        const struct pairs_counts *counts = pairs_counts(r->pairs, i);
        const struct host *host = &r->hosts.items[i];
        char text[CSV_WARNING_MAX];
        snprintf(
            text, sizeof text,
            "only %" PRIu64 " of the %" PRIu64 " packets of this host limit a clock: %" PRIu64
            " are in no other capture, %" PRIu64 " were forwarded or may be copies, and %" PRIu64
            " are not IP or have no direction",
            counts->paired, host->packets, counts->alone, counts->copies + counts->forwarded,
            host->packets - counts->alone - counts->copies - counts->forwarded - counts->paired);
        if (counts->gaps > 0)
            warn(trace, host, counts->gaps,
                 "gaps of more than 1 s, in which other hosts received packets from this host, so "
                 "the capture is not complete");
        if (counts->paired < host->packets / 2)
            warn(trace, host, 0, text);
    }
    r->counted = true;
}

static csy_status next_packet(struct csy_trace *trace, struct event *event, bool *more,
                              csy_error *error)
{
    static const csy_text ways[] = {[CAPTURE_WAY_UNKNOWN] = {"packet", 6},
                                    [CAPTURE_WAY_IN] = {"in", 2},
                                    [CAPTURE_WAY_OUT] = {"out", 3}};
    struct reading *r = reading_of(trace);
    const struct sighting *s = NULL;
    csy_status status = r->pairs || r->known || r->complete ? CSY_OK : rewind_pcap(trace, error);
    if (!status)
        status = next_sighting(r, &s, error);
    *more = !status && s;
    if (!status && !s && r->pairs) { /* the search for pairs has reached the end */
        if (!r->is_fork)
            warn_of_unmatched(trace);
        pairs_free(r->pairs);
        r->pairs = NULL;
    }
    if (status || !*more)
        return status;
    bool out = s->way == CAPTURE_WAY_OUT;
    size_t number = 2 * (size_t)s->host + !out;
    set_roles(r, s);
    event->place = s->place;
    if (trace->part_places)
        event->place += trace->part_places[s->host].first - trace->part_places[s->host].own;
    event->file = s->host;
    event->bytes = NULL;
    event->size = 0;
    event->record = NULL;
    event->row = NULL;
    event->stamp = r->threads[number];
    event->stamp.same = number == r->last;
    event->stamp.time_ticks = s->time_ns;
    r->last = number;
    r->last_decimals = s->decimals;
    event->name = ways[s->way].bytes;
    event->name_size = ways[s->way].size;
    event->roles = &r->roles;
    return CSY_OK;
}

/* --- The rest of the source ------------------------------------------------------------------ */

static void close_pcap(struct csy_trace *trace)
{
    struct reading *r = reading_of(trace);
    trace->state = NULL;
    if (!r)
        return;
    pairs_free(r->pairs);
    spool_fini(&r->spool);
    spool_reader_fini(&r->reader);
    for (size_t i = 0; i < 2 * r->hosts.count && r->threads && !r->is_fork; i++)
        free(unconst(r->threads[i].thread));
    if (!r->is_fork)
        free(r->threads);
    hosts_fini(&r->hosts);
    free(r);
}

static csy_status fork_pcap(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error)
{
    const struct reading *of = reading_of(trace);
    csy_status surveyed = survey(unconst(trace), error);
    if (surveyed)
        return surveyed;
    struct reading *r = new_reading(fork);
    if (!r)
        return error_memory(error);
    r->is_fork = r->surveyed = true;
    r->threads = of->threads;
    r->original = of;
    csy_status status = hosts_fork(&of->hosts, trace->workers, &r->hosts, error);
    return status ? status : start_pass(fork, error);
}

static const csy_cut *cut(const struct csy_trace *trace)
{
    const struct hosts *hosts = pcap_hosts(trace);
    for (size_t i = 0; i < hosts->count; i++)
        if (hosts->items[i].is_cut)
            return &hosts->items[i].cut_at;
    return NULL;
}

static uint64_t time_steps(const struct csy_trace *trace)
{
    uint64_t steps = 1;
    for (unsigned i = 0; i < reading_of(trace)->last_decimals; i++)
        steps *= 10;
    return steps;
}

static bool time_decimals(const struct csy_trace *trace, unsigned *decimals)
{
    (void)trace;
    *decimals = 0;
    return false;
}

static const char *place_file(const struct csy_trace *trace)
{
    const struct reading *r = reading_of(trace);
    size_t host = r->last == SIZE_MAX ? 0 : r->last / 2;
    return r->hosts.items[host].trace->name;
}

static void progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    const struct reading *r = reading_of(trace);
    *done = r->at;
    *total = 0;
    for (size_t i = 0; i < r->hosts.count; i++)
        *total += r->hosts.items[i].packets;
}

static const char *keys(const struct csy_trace *trace)
{
    (void)trace;
    return "packets with the same content, apart from fields that routers change, are one packet, "
           "and no copy was sent before the captures began";
}

const struct source source_pcap = {
    .format = CSY_FORMAT_PCAP,
    .written_as = CSY_FORMAT_PCAP,
    .title = "a packet capture",
    .place = "offset",
    .called = "packet",
    .rows_keep_order = true,
    .probe = probe,
    .look = look,
    .open = open_pcap,
    .rewind = rewind_pcap,
    .next = next_packet,
    .close = close_pcap,
    .fork = fork_pcap,
    .join = close_pcap,
    .cut = cut,
    .time_decimals = time_decimals,
    .time_steps = time_steps,
    .dates = always,
    .keys = keys,
    .joins = always,
    .join_parts = join_pcap,
    .place_file = place_file,
    .progress = progress,
};
