/*
 * Spans and profiles in JSON: any bytes are refused with a message, or are a trace that is solved
 * with one worker and with three, with the same outcome.  What is written in the format that was
 * read is JSON again, which is refused, as its times are corrected already.
 */
#include "support.h"

#include <string.h>
#include <sys/stat.h>

static csy_status solve(unsigned nworkers, csy_trace **trace, csy_sync **sync, csy_error *error)
{
    csy_status status = csy_trace_open(memory_path(), NULL, trace, error);
    if (status)
        return status;
    csy_trace_set_workers(*trace, nworkers);
    return csy_trace_synchronize(*trace, NULL, sync, error);
}

static void write_back(csy_sync *sync, csy_format format)
{
    csy_error error;
    csy_output *output = NULL;
    csy_trace *again = NULL;
    must_be_ok(csy_output_new(&output, &error), error);
    must_be_ok(csy_output_set_format(output, format, &error), error);
    output_empty();
    csy_status status = csy_sync_write_trace(sync, "-", output, &error);
    csy_output_free(output);
    must_be_told(status, &error);
    if (status)
        return;
    status = csy_trace_open(output_path(), NULL, &again, &error);
    must(status == CSY_OK || strstr(error.text, "corrected"), error.text);
    /* An array of events has no place to say so. */
    must(status != CSY_OK || format == CSY_FORMAT_JSON, "spans do not say that they are corrected");
    csy_trace_free(again);
}

/* An archive has all bytes, a manifest, a header of each, and two blocks at its end. */
static void write_archive(csy_sync *sync, size_t size)
{
    csy_error error;
    csy_output *output = NULL;
    struct stat st;
    must_be_ok(csy_output_new(&output, &error), error);
    must_be_ok(csy_output_set_format(output, CSY_FORMAT_TAR, &error), error);
    output_empty();
    csy_status status = csy_sync_write_trace(sync, "-", output, &error);
    csy_output_free(output);
    must_be_told(status, &error);
    must(stat(output_path(), &st) == 0, "no output");
    must(status != CSY_OK || st.st_size == (off_t)((5 + (size + 511) / 512) * 512),
         "an archive of another size");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    csy_trace *trace = NULL, *other_trace = NULL;
    csy_sync *sync = NULL, *other_sync = NULL;
    csy_error error, other_error;
    if (size == 0 || (data[0] != '{' && data[0] != '['))
        return 0;
    memory_file(data, size);
    csy_status status = solve(1, &trace, &sync, &error);
    must_be_told(status, &error);
    csy_status other = solve(3, &other_trace, &other_sync, &other_error);
    must(status == other, "another outcome with other workers");
    must(status == CSY_OK || strcmp(error.text, other_error.text) == 0, "another message");
    if (status == CSY_OK && csy_trace_format(trace) != CSY_FORMAT_CSV)
        write_back(sync, csy_trace_format(trace));
    if (status == CSY_OK && csy_trace_format(trace) == CSY_FORMAT_JSON)
        write_archive(sync, size);
    csy_sync_free(sync);
    csy_sync_free(other_sync);
    csy_trace_free(trace);
    csy_trace_free(other_trace);
    return 0;
}
