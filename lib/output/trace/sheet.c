/* A CSV file that is being written. */
#include "output/trace/sheet.h"

#include "base/array.h"
#include "base/crc.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/sort.h"
#include "io/bytes.h"
#include "io/range.h"
#include "output/encode/escape.h"
#include "output/encode/text.h"
#include "trace/offsets.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Tags of the pieces of sorted rows. The checksum includes original pieces, not added (NEW)
 * ones. */
enum { NEW, ORIGINAL };

/* --- Sorting -------------------------------------------------------------------------------- */

enum { RUN_BYTES = 64 * 1024 };

/* A row in memory. Its pieces are at bytes[at] to bytes[at + size - 1]. */
struct row {
    int64_t ticks;
    size_t at, size;
};

/* In the temporary file, row_head precedes each row, and struct piece each piece of a row. */
struct row_head {
    int64_t ticks;
    uint64_t size;
};

struct piece {
    uint32_t tag, size;
};

/* A run of sorted rows in the temporary file. */
struct run {
    uint64_t next, end; /* offsets of the next bytes to read and of the end of the run */
    char *bytes;        /* bytes of the run that were read ahead */
    size_t at, have;
    struct row_head row; /* header of the next row; its pieces follow */
};

struct sorted {
    char *bytes;
    size_t size, bytes_capacity;
    struct row *rows;
    size_t nrows, capacity;
    FILE *file; /* temporary file, or NULL before the first run is written */
    uint64_t written;
    struct run *runs;
    size_t nruns, runs_capacity;
    bool memory, failed;
};

static void sorted_free(struct sorted *sorted)
{
    if (!sorted)
        return;
    for (size_t i = 0; i < sorted->nruns; i++)
        free(sorted->runs[i].bytes);
    FREE_ALL(sorted->runs, sorted->rows, sorted->bytes);
    if (sorted->file)
        (void)fclose(sorted->file);
    free(sorted);
}

static int compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return 2 * COMPARE(x->ticks, y->ticks) + COMPARE(x->at, y->at);
}

/* Write the rows in memory to the temporary file as a run. */
static void spill(struct sorted *sorted)
{
    uint64_t start = sorted->written;
    SORT(sorted->rows, sorted->nrows, compare);
    if (!sorted->file) {
        int fd = -1;
        sorted->file = bytes_temporary(&fd, NULL) ? NULL : fdopen(fd, "r+");
        sorted->failed = !sorted->file;
        if (!sorted->file && fd >= 0)
            close(fd);
    }
    for (size_t i = 0; i < sorted->nrows && !sorted->failed; i++) {
        const struct row *row = &sorted->rows[i];
        const struct row_head head = {row->ticks, row->size};
        sorted->failed = fwrite(&head, sizeof head, 1, sorted->file) != 1 ||
                         fwrite(sorted->bytes + row->at, 1, row->size, sorted->file) != row->size;
        sorted->written += sizeof head + row->size;
    }
    sorted->failed = sorted->failed || fflush(sorted->file) != 0;
    sorted->memory = !ARRAY_PUSH(sorted->runs, sorted->nruns, sorted->runs_capacity,
                                 {.next = start, .end = sorted->written});
    sorted->nrows = sorted->size = 0;
}

/* Append bytes to the last row. sheet_sort returns the first failure. */
static void sorted_append(struct sorted *sorted, unsigned tag, const char *bytes, size_t size)
{
    const struct piece piece = {tag, (uint32_t)size};
    if (sorted->memory || sorted->failed || size == 0)
        return;
    if (!ARRAY_RESERVE(sorted->bytes, sorted->bytes_capacity, sorted->size + sizeof piece + size)) {
        sorted->memory = true;
        return;
    }
    memcpy(sorted->bytes + sorted->size, &piece, sizeof piece);
    memcpy(sorted->bytes + sorted->size + sizeof piece, bytes, size);
    sorted->size += sizeof piece + size;
    sorted->rows[sorted->nrows - 1].size += sizeof piece + size;
}

/* Read on until `need` bytes of the run are at run->bytes[run->at]. Returns false on failure. */
static bool run_need(const struct sorted *sorted, struct run *run, size_t need)
{
    if (run->have - run->at >= need)
        return true;
    size_t have = run->have - run->at, room = need > RUN_BYTES ? need : RUN_BYTES;
    uint64_t left = run->end - run->next;
    size_t more = room - have < left ? room - have : (size_t)left;
    char *bytes = malloc(room);
    if (!bytes)
        return false;
    memcpy(bytes, run->bytes ? run->bytes + run->at : "", have);
    free(run->bytes);
    run->bytes = bytes;
    run->at = 0;
    run->have = have + more;
    bool good = range_read_at(fileno(sorted->file), bytes + have, more, run->next);
    run->next += more;
    return good && run->have >= need;
}

/* An entry of a heap of runs, which are ordered by the time of their next row. */
struct next_row {
    int64_t ticks;
    size_t run;
};

/* At equal times, the run that was collected first has the earlier rows. */
static bool is_before(const void *a, const void *b)
{
    const struct next_row *x = a, *y = b;
    return x->ticks != y->ticks ? x->ticks < y->ticks : x->run < y->run;
}

/* Read the header of a run's next row, and add the run to the heap. Returns false on failure. */
static bool run_advance(const struct sorted *sorted, size_t index, struct next_row *heap, size_t *n)
{
    struct run *run = &sorted->runs[index];
    if (run->at == run->have && run->next == run->end)
        return true;
    if (!run_need(sorted, run, sizeof run->row))
        return false;
    memcpy(&run->row, run->bytes + run->at, sizeof run->row);
    run->at += sizeof run->row;
    heap_put(heap, n, sizeof *heap, &(struct next_row){run->row.ticks, index}, is_before);
    return run_need(sorted, run, (size_t)run->row.size);
}

/* --- Writing -------------------------------------------------------------------------------- */

void sheet_begin(struct sheet *sheet, struct outfile *out, bool summing)
{
    sheet->sorted = NULL;
    sheet->out = out;
    sheet->summing = summing;
    sheet->crc32 = 0;
    sheet->written = 0;
    sheet->noriginal = 0;
}

static void flush_original(struct sheet *sheet)
{
    sheet->crc32 = crc_add(sheet->crc32, (const uint8_t *)sheet->original, sheet->noriginal);
    sheet->noriginal = 0;
}

void sheet_add(struct sheet *sheet, const char *bytes, size_t size)
{
    if (sheet->sorted) {
        sorted_append(sheet->sorted, NEW, bytes, size);
    } else if (sheet->out) {
        outfile_write(sheet->out, bytes, size);
        sheet->written += size;
    }
}

void sheet_put(struct sheet *sheet, const char *bytes, size_t size)
{
    if (sheet->sorted) {
        sorted_append(sheet->sorted, ORIGINAL, bytes, size);
        return;
    }
    sheet_add(sheet, bytes, size);
    while (sheet->summing && size > 0) {
        size_t room = SHEET_BYTES - sheet->noriginal, n = size < room ? size : room;
        memcpy(sheet->original + sheet->noriginal, bytes, n);
        sheet->noriginal += n;
        bytes += n;
        size -= n;
        if (sheet->noriginal == SHEET_BYTES)
            flush_original(sheet);
    }
}

/* Returns room in the buffer for the checksum, so that the text need not be copied there. */
char *sheet_room(struct sheet *sheet, size_t size)
{
    if (size > SHEET_BYTES - sheet->noriginal)
        flush_original(sheet);
    return sheet->original + sheet->noriginal;
}

/* Copy the text to the output. Pieces of constant length are faster. */
void sheet_end(struct sheet *sheet, const char *end)
{
    const char *from = sheet->original + sheet->noriginal;
    size_t size = (size_t)(end - from);
    if (sheet->sorted) {
        sorted_append(sheet->sorted, ORIGINAL, from, size);
        return;
    }
    if (sheet->out) {
        char *at = outfile_text(sheet->out, size + SHEET_PIECE);
        for (size_t i = 0; i < size; i += SHEET_PIECE)
            memcpy(at + i, from + i, SHEET_PIECE);
        outfile_end(sheet->out, at + size);
        sheet->written += size;
    }
    sheet->noriginal += sheet->summing ? size : 0;
}

csy_status sheet_collect(struct sheet *sheet, csy_error *error)
{
    sheet->sorted = calloc(1, sizeof *sheet->sorted);
    return sheet->sorted ? CSY_OK : error_memory(error);
}

void sheet_begin_row(struct sheet *sheet, int64_t ticks)
{
    struct sorted *sorted = sheet->sorted;
    if (sorted->memory || sorted->failed)
        return;
    if (sorted->size + sorted->nrows * sizeof *sorted->rows >= SORTED_BYTES)
        spill(sorted);
    sorted->memory |=
        !ARRAY_PUSH(sorted->rows, sorted->nrows, sorted->capacity, {ticks, sorted->size, 0});
}

static void put_row(struct sheet *sheet, const char *bytes, size_t size)
{
    struct piece piece;
    for (size_t at = 0; at < size; at += sizeof piece + piece.size) {
        memcpy(&piece, bytes + at, sizeof piece);
        if (piece.tag == ORIGINAL)
            sheet_put(sheet, bytes + at + sizeof piece, piece.size);
        else
            sheet_add(sheet, bytes + at + sizeof piece, piece.size);
    }
}

csy_status sheet_sort(struct sheet *sheet, csy_error *error)
{
    struct sorted *sorted = sheet->sorted;
    if (!sorted)
        return CSY_OK;
    sheet->sorted = NULL; /* sheet_put and sheet_add now write rows immediately */
    if (sorted->file && !sorted->memory && !sorted->failed && sorted->nrows > 0)
        spill(sorted);
    size_t n = 0;
    struct next_row *heap = calloc(sorted->nruns + 1, sizeof *heap);
    sorted->memory |= !heap;
    bool good = !sorted->memory && !sorted->failed;
    if (good && !sorted->file) {
        SORT(sorted->rows, sorted->nrows, compare);
        for (size_t i = 0; i < sorted->nrows; i++)
            put_row(sheet, sorted->bytes + sorted->rows[i].at, sorted->rows[i].size);
    }
    for (size_t i = 0; i < sorted->nruns && good; i++)
        good = run_advance(sorted, i, heap, &n);
    while (good && n > 0) {
        struct next_row first;
        heap_take(heap, &n, sizeof *heap, &first, is_before);
        struct run *run = &sorted->runs[first.run];
        put_row(sheet, run->bytes + run->at, (size_t)run->row.size);
        run->at += (size_t)run->row.size;
        good = run_advance(sorted, first.run, heap, &n);
    }
    csy_status status = good             ? CSY_OK
                        : sorted->memory ? error_memory(error)
                                         : error_io(error, "temporary file", NULL);
    free(heap);
    sorted_free(sorted);
    return status;
}

void sheet_fini(struct sheet *sheet)
{
    sorted_free(sheet->sorted);
    sheet->sorted = NULL;
}

uint32_t sheet_finish(struct sheet *sheet)
{
    flush_original(sheet);
    return sheet->crc32;
}

static void put_field(void *user, const char *bytes, size_t size)
{
    sheet_put(user, bytes, size);
}

void sheet_put_field(struct sheet *sheet, const char *bytes, size_t size)
{
    csv_field_put(put_field, sheet, bytes, size);
}

/* --- The line of facts ---------------------------------------------------------------------- */

/* Write a name as one word. Characters that would end the word are escaped. */
static void put_name(FILE *out, const char *name)
{
    for (; *name; name++)
        fprintf(out, (unsigned char)*name > ' ' && *name != '%' && *name != 0x7f ? "%c" : "%%%02X",
                (unsigned char)*name);
}

static void put_solution(FILE *out, const struct facts_line *facts)
{
    const struct csy_sync *sync = facts->sync;
    char text[FRACTION_TEXT_MAX], decimal[QUOTIENT_TEXT_MAX];
    csy_relax relax = sync->imprecision.relax;
    fprintf(out, "reference=");
    put_name(out, sync->views[sync->reference].name);
    fprintf(out, " alpha=%s", fraction_text(sync->alpha, text));
    fprintf(out, " delta=%s added_ticks=%" PRId64, fraction_text(sync->imprecision.delta, text),
            sync->imprecision.added_ticks);
    if (facts->provable)
        fprintf(out, " original_crc32=0x%08" PRIx32, facts->crc32);
    /* Timestamps in an OTF2 archive may be wrong by half a tick or more. A delta always applies. */
    relax = facts->archive && relax == CSY_RELAX_NONE ? CSY_RELAX_GIVEN : relax;
    fprintf(out, " relax=%s center=%s", text_relax_words[relax], text_center_words[sync->center]);
    if (sync->ordered && !sync->partial && !sync->drift)
        fprintf(out, " placed=order");
    for (size_t i = 0; i < sync->survey.ndropped; i++)
        fprintf(out, "%s%" PRIu64, i ? "," : " dropped=", sync->survey.dropped[i]);
    if (sync->latency_ticks > 0)
        fprintf(out, " latency=%" PRId64, sync->latency_ticks);
    if (sync->partial && sync->latency_max_ticks < INT64_MAX)
        fprintf(out, " max_latency=%" PRId64, sync->latency_max_ticks);
    const struct measured_offsets *offsets = sync->trace->offsets;
    if (offsets)
        fprintf(out, " offsets=%zu:0x%08" PRIx32, offsets->count, offsets->crc32);
    if (sync->drift) {
        const csy_drift *drift = csy_sync_drift(sync);
        fprintf(out, " drift=%s", decimal_text(drift->rate_ppb, 3, decimal));
        if (drift->wander_ppb != CSY_NO_DRIFT)
            fprintf(out, " wander=%s", decimal_text(drift->wander_ppb, 3, decimal));
    }
    char premise[CSY_WARNING_TEXT_MAX];
    if (csy_sync_premise(sync, premise)) {
        fprintf(out, " premises=");
        put_name(out, premise);
    }
    fprintf(out, "%s%s", sync->monotonic ? " monotonic=yes" : "", facts->part ? " part=yes" : "");
    if (facts->lacks)
        fprintf(out, " lacks=%s", facts->lacks);
}

char *facts_line_text(const struct facts_line *facts)
{
    const struct csy_trace *trace = facts->trace;
    const struct csy_sync *sync = facts->sync;
    bool bounded = sync->method == CSY_METHOD_BHH;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (bounded)
        put_solution(out, facts);
    else
        fprintf(out, "method=%s", text_method(sync->method));
    /* Options for reading are written only if column names do not state them. */
    if (facts->clock_per == CSY_CLOCK_PER_NODE || facts->clock_per == CSY_CLOCK_PER_LOCATION)
        fprintf(out, " clock_per=%s", facts->clock_per == CSY_CLOCK_PER_NODE ? "node" : "location");
    if (trace->spans == CSY_SPANS_NESTED)
        fprintf(out, " spans=nested");
    if (trace->independent && !facts->archive)
        fprintf(out, " ticks_apart=yes");
    if (facts->dated)
        fprintf(out, " epoch=%" PRId64, facts->epoch_ticks);
    const struct csv_asked *asked = &trace->lines.asked;
    if (asked->unit != CSV_AUTO)
        fprintf(out, " time_unit=%s", csv_unit_word(asked->unit));
    /* The positions of steps count the records of all files, so one file cannot state them. */
    for (size_t i = 0; i < sync->steps.count && !facts->part; i++) {
        const struct clock_step *step = &sync->steps.items[i];
        fprintf(out, " step=");
        put_name(out, step->clock);
        if (step->timed)
            fprintf(out, ":%" PRIu64 "@%" PRId64 "-%" PRIu64 "@%" PRId64, step->before,
                    step->before_ticks, step->after, step->after_ticks);
        else
            fprintf(out, ":%" PRIu64 "-%" PRIu64, step->before, step->after);
    }
    if (asked->counter_bits > 0)
        fprintf(out, " counter_bits=%u", asked->counter_bits);
    if (asked->columns && *asked->columns) {
        fprintf(out, " columns=");
        put_name(out, asked->columns);
    }
    const struct caveat_columns told = caveats_columns(sync);
    fprintf(out, "%s", told.conditional ? " conditional=yes" : "");
    if (told.assumed > 0)
        fprintf(out, " assumed=%" PRIu64, told.assumed);
    fprintf(out, "%s", told.order_doubted ? " order_doubted=yes" : "");
    if (bounded)
        fprintf(out, "%s%s", told.one_rate ? " one_rate=yes" : "",
                told.one_step ? " one_step=yes" : "");
    for (struct caveats p = caveats_of(sync, NULL); bounded && caveats_next(&p);)
        if (p.condition && strcmp(p.key, "stamps") != 0 && strcmp(p.key, "order") != 0)
            fprintf(out, " %s=yes", p.key);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static void add_line(struct sheet *sheet, const struct facts_line *facts, const char *head,
                     const char *text)
{
    sheet_add(sheet, head, strlen(head));
    sheet_add(sheet, text, strlen(text));
    sheet_add(sheet, facts->end, facts->end_size);
}

csy_status facts_line_add(struct sheet *sheet, const struct facts_line *facts, uint64_t *crc32_at,
                          csy_error *error)
{
    static const char head[] = "# cellsync ", key[] = " original_crc32=0x";
    char *text = facts_line_text(facts);
    if (!text)
        return error_memory(error);
    if (crc32_at && facts->provable)
        *crc32_at =
            sheet->written + strlen(head) + strlen(key) + (size_t)(strstr(text, key) - text);
    add_line(sheet, facts, head, text);
    free(text);
    for (struct caveats p = caveats_of(facts->sync, NULL); caveats_next(&p) && !p.condition;)
        add_line(sheet, facts, CSV_WARNING, p.text);
    return CSY_OK;
}
