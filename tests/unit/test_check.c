/*
 * csy_check: what cellsync writes is proved, and any change of a record or of the table is found
 * out. Samples are synchronized into a temporary folder and then tampered with.
 */
#include "support.h"
#include "trace/pex/record.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct folder folder;

static const char *const samples[] = {
    "plain",    "switches",       "switches-gz",   "jitter",      "steps-back", "stragglers",
    "embedded", "trailing-bytes", "garbage-begin", "long-sleeps", "rare-ppe",   "tail-after-ppe"};

enum { NSAMPLES = sizeof samples / sizeof *samples };

static void options_for(int variant, csy_options *options)
{
    *options = options_default;
    if (variant == 1)
        options->relax = CSY_RELAX_PAPER;
    if (variant == 2)
        options->unwrap = CSY_UNWRAP_STRICT;
    if (variant == 3) {
        options->relax = CSY_RELAX_GIVEN;
        options->delta = (csy_fraction){15, 2};
        options->alpha = (csy_fraction){1, 3};
    }
}

/* Synchronize a trace into folder/out.pex and out.trace. */
static void synchronize(const char *path, const csy_options *options, bool embed, csy_proof *want)
{
    csy_trace *trace;
    csy_sync *sync;
    csy_error error;
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    ck_ok(csy_trace_synchronize(trace, options, &sync, &error), error);
    const char *out = folder_file(&folder, "out.pex");
    const csy_output output = {.embed = embed, .compress_level = -1};
    ck_ok(csy_sync_write_trace(sync, out, &output, &error), error);
    const csy_imprecision *imprecision = csy_sync_imprecision(sync);
    *want = (csy_proof){.records = csy_sync_records(sync),
                        .threads = csy_sync_nthreads(sync),
                        .inversions = imprecision->inversions,
                        .largest_inversion_ticks = imprecision->largest_inversion_ticks,
                        .allowed_inversion_ticks = imprecision->added_ticks};
    csy_sync_free(sync);
    csy_trace_free(trace);
}

static void write_sample(const char *name, int variant, bool embed, csy_proof *want)
{
    char path[600];
    csy_options options;
    options_for(variant, &options);
    snprintf(path, sizeof path, SAMPLES "/%s.pex", name);
    synchronize(path, &options, embed, want);
}

static csy_status check(csy_proof *proof, csy_error *error)
{
    return prove(folder_file(&folder, "out.pex"), proof, error);
}

START_TEST(samples_are_proved)
{
    for (int variant = 0; variant < 4; variant++) {
        csy_proof want, got;
        csy_error error;
        write_sample(samples[_i], variant, variant > 0, &want);
        ck_assert_msg(check(&got, &error) == CSY_OK, "%s, variant %d: %s", samples[_i], variant,
                      error.text);
        ck_assert_uint_eq(got.records, want.records);
        ck_assert_uint_eq(got.threads, want.threads);
        ck_assert_uint_eq(got.inversions, want.inversions);
        ck_assert_int_eq(got.largest_inversion_ticks, want.largest_inversion_ticks);
        ck_assert_int_eq(got.allowed_inversion_ticks, want.allowed_inversion_ticks);
    }
}
END_TEST

/* Never proved, never a crash. */
static void assert_found_out(const char *what, size_t at)
{
    csy_proof proof;
    csy_error error;
    csy_status status = check(&proof, &error);
    if (status != CSY_CHECK && status != CSY_INPUT)
        ck_abort_msg("%s changed at %zu: status %u", what, at, status);
}

/* One bit of one record. */
START_TEST(changed_records_are_found_out)
{
    csy_proof unused;
    struct random r = random_trial((uint64_t)_i);
    write_sample(samples[_i], 0, false, &unused);
    const char *path = folder_records(&folder, "out");
    struct buffer records = file_read(path);
    for (int trial = 0; trial < trials_of(60); trial++) {
        size_t at = (size_t)random_between(&r, 32, (int64_t)records.size - 1);
        uint8_t bit = (uint8_t)(1 << random_between(&r, 0, 7));
        records.bytes[at] ^= bit;
        file_write(folder_records(&folder, "out"), records.bytes, records.size);
        assert_found_out(samples[_i], at);
        records.bytes[at] ^= bit;
    }
    buffer_free(&records);
}
END_TEST

/* Whether the digit at `at` says how far unwrapping trusts clocks, which need not matter. */
static bool is_free(const char *xml, size_t at)
{
    static const char name[] = "max_imprecision=\"";
    while (xml[at - 1] != '"')
        at--;
    return at >= strlen(name) && memcmp(xml + at - strlen(name), name, strlen(name)) == 0;
}

/* One digit of the table. */
START_TEST(changed_tables_are_found_out)
{
    csy_proof unused;
    struct random r = random_trial(100 + (uint64_t)_i);
    write_sample(samples[_i], 0, false, &unused);
    struct buffer pex = file_read(folder_file(&folder, "out.pex"));
    buffer_add(&pex, "", 1);
    char *xml = (char *)pex.bytes, *table = strstr(xml, "<synchronization");
    ck_assert_ptr_nonnull(table);
    for (int trial = 0; trial < trials_of(60);) {
        size_t at = (size_t)random_between(&r, table - xml, (int64_t)pex.size - 2);
        if (!isdigit((unsigned char)xml[at]) || is_free(xml, at))
            continue;
        char old = xml[at];
        xml[at] = (char)('0' + (old - '0' + random_between(&r, 1, 9)) % 10);
        file_write(folder_file(&folder, "out.pex"), xml, pex.size - 1);
        assert_found_out(samples[_i], at);
        xml[at] = old;
        trial++;
    }
    buffer_free(&pex);
}
END_TEST

/* A copy of the table with every offset and bound later by `shift`. */
static struct buffer shift_table(const char *xml, int64_t shift)
{
    static const char *const names[] = {" offset=\"", " earliest=\"", " latest=\""};
    struct buffer out = {0};
    while (*xml) {
        const char *end = xml + 1;
        int64_t ticks = 0;
        for (size_t i = 0; i < 3; i++)
            if (strncmp(xml, names[i], strlen(names[i])) == 0)
                ticks = strtoll(xml + strlen(names[i]), (char **)(uintptr_t)&end, 10);
        if (end == xml + 1) {
            buffer_add(&out, xml, 1);
        } else {
            char number[32];
            snprintf(number, sizeof number, "%lld", (long long)(ticks + shift));
            buffer_add(&out, xml, (size_t)(strchr(xml, '"') + 1 - xml));
            buffer_text(&out, number);
        }
        xml = end;
    }
    return out;
}

static void shift_stamp(uint8_t *at, int64_t shift)
{
    store64(at, load64(at) + (uint64_t)shift);
}

/* The records of out.trace later by `shift`: those of an SPE context, or with 0 all. */
static void shift_records(uint32_t context, int64_t shift)
{
    struct buffer records = file_read(folder_records(&folder, "out"));
    for (size_t at = 32; at < records.size; at += load16(records.bytes + at)) {
        uint8_t *record = records.bytes + at;
        if (context && (record[2] != CORE_SPE || load32(record + 8) != context))
            continue;
        shift_stamp(record + 16, shift);
        if (record[3] & RECORD_INTERVAL)
            shift_stamp(record + 24, shift);
    }
    file_write(folder_records(&folder, "out"), records.bytes, records.size);
    buffer_free(&records);
}

/* All of out.pex and out.trace, consistently. */
static void shift_all(int64_t shift)
{
    struct buffer pex = file_read(folder_file(&folder, "out.pex"));
    buffer_add(&pex, "", 1);
    struct buffer shifted = shift_table((char *)pex.bytes, shift);
    file_write(folder_file(&folder, "out.pex"), shifted.bytes, shifted.size);
    shift_records(0, shift);
    buffer_free(&pex);
    buffer_free(&shifted);
}

/* Only the PPE's timebase tells. */
START_TEST(shifted_traces_are_found_out)
{
    csy_proof proof;
    csy_error error;
    for (int64_t shift = 0; shift < 20; shift += 7) {
        write_sample("plain", 0, false, &proof);
        shift_all(shift);
        ck_assert_int_eq(check(&proof, &error), shift ? CSY_CHECK : CSY_OK);
        ck_assert(!shift || strstr(error.text, ": the offset of the PPE is not 0"));
    }
}
END_TEST

/* These records, which it frees, as folder/many.pex. */
static void write_local(struct buffer *records)
{
    static const char xml[] = "<pdt_trace version=\"0x1\"><machine timebase_hz=\"14318000\"/>"
                              "<trace_file href=\"many.trace\"/><clock kind=\"local\"/>"
                              "<order granularity=\"record\"/></pdt_trace>\n";
    file_write(folder_file(&folder, "many.trace"), records->bytes, records->size);
    file_write(folder_file(&folder, "many.pex"), xml, strlen(xml));
    buffer_free(records);
}

/* Without a PPE only the origin of global time does. */
START_TEST(shifted_traces_without_a_ppe_are_found_out)
{
    csy_options options;
    csy_proof proof;
    csy_error error;
    options = options_default;
    for (int64_t shift = 0; shift < 20; shift += 7) {
        struct buffer records = {0};
        add_header(&records, 0, 6);
        for (uint32_t i = 0; i < 6; i++)
            add_spe(&records, 1 + i % 2, 9000 - 100 * i);
        write_local(&records);
        synchronize(folder_file(&folder, "many.pex"), &options, false, &proof);
        shift_all(shift);
        ck_assert_int_eq(check(&proof, &error), shift ? CSY_CHECK : CSY_OK);
        ck_assert(!shift || strstr(error.text, ": the smallest global time is not 0"));
    }
}
END_TEST

/*
 * A trace of many live intervals into folder/many.pex: 16 contexts at a time, of 4 records each
 * between switches, and the PPE's own now and then.  Stamps are early or late by up to jitter.
 */
static void write_many(struct random *r, size_t intervals, int64_t jitter)
{
    struct buffer records = {0};
    uint32_t context[16], left[16] = {0}, next = 1;
    int64_t now = 61000000000;
    add_header(&records, 0, UINT64_MAX);
    while (next <= intervals) {
        size_t k = (size_t)random_between(r, 0, 15);
        uint64_t stamp =
            (uint64_t)((now += random_between(r, 1, 20)) + random_between(r, -jitter, jitter));
        if (left[k] == 0) {
            context[k] = next++;
            left[k] = 5;
            add_switch(&records, true, stamp, context[k], k);
        } else if (--left[k] == 0) {
            add_switch(&records, false, stamp, context[k], k);
        } else if (random_chance(r, 10)) {
            add_ppe(&records, stamp);
            left[k]++;
        } else {
            add_spe(&records, context[k], 1000003u * context[k] - (uint32_t)stamp);
        }
    }
    write_local(&records);
}

/* Move the table's n-th end of a bound, or offset, by `shift`; false where that end is
 * unbounded. */
static bool lie(const struct buffer *pex, size_t n, const char *which, int64_t shift)
{
    const char *at = (const char *)pex->bytes, *end;
    struct buffer out = {0};
    char number[32];
    /* Not by strstr, for which a sanitizer sees to the end of the text each time. */
    for (size_t i = 0; i <= n; at += strlen(which), i++)
        while (strncmp(at, which, strlen(which)) != 0)
            at++;
    if (!isdigit((unsigned char)*at) && !isdigit((unsigned char)at[1]))
        return false;
    end = strchr(at, '"');
    snprintf(number, sizeof number, "%lld", strtoll(at, NULL, 10) + (long long)shift);
    buffer_add(&out, pex->bytes, (size_t)(at - (const char *)pex->bytes));
    buffer_text(&out, number);
    buffer_text(&out, end);
    file_write(folder_file(&folder, "out.pex"), out.bytes, out.size);
    buffer_free(&out);
    return true;
}

/* Far more live intervals than a matrix of all pairs would hold; 1: imprecise, 2: another
 * reference. */
START_TEST(many_intervals_are_proved)
{
    enum { INTERVALS = 20000, LIES = 2 };
    struct random r = random_trial((uint64_t)_i);
    csy_options options;
    csy_proof proof;
    csy_error error;
    write_many(&r, INTERVALS, _i == 1 ? 7 : 0);
    options = options_default;
    options.reference = _i == 2 ? "spe9000.1" : NULL;
    synchronize(folder_file(&folder, "many.pex"), &options, false, &proof);
    ck_ok(check(&proof, &error), error);
    ck_assert_uint_gt(proof.threads,
                      INTERVALS - 16); /* the last of each SPE may be without records */
    ck_assert((proof.allowed_inversion_ticks > 0) == (_i == 1));
    struct buffer pex = file_read(folder_file(&folder, "out.pex"));
    buffer_add(&pex, "", 1);
    for (int lies = 0; lies < LIES;) {
        size_t n = (size_t)random_between(&r, 0, INTERVALS - 100);
        if (!lie(&pex, n, lies % 2 ? " latest=\"" : " earliest=\"", random_chance(&r, 50) ? 1 : -1))
            continue;
        lies++;
        ck_assert_int_eq(check(&proof, &error), CSY_CHECK);
        ck_assert_ptr_nonnull(strstr(error.text, "are not those that the records prove"));
    }
    buffer_free(&pex);
}
END_TEST

/* One thread, consistently: an offset that was moved locally has only the order to tell.  1: the
 * paper's relaxation, which looks at neighbours only. */
START_TEST(moved_threads_are_found_out)
{
    csy_options options;
    csy_proof proof;
    csy_error error;
    options = options_default;
    options.center = CSY_CENTER_LOCAL;
    options.relax = _i ? CSY_RELAX_PAPER : CSY_RELAX_EXACT;
    for (int64_t shift = 0; shift <= 2000000; shift += 1000000) {
        synchronize(SAMPLES "/plain.pex", &options, false, &proof);
        struct buffer pex = file_read(folder_file(&folder, "out.pex"));
        buffer_add(&pex, "", 1);
        ck_assert(lie(&pex, 1, " offset=\"", shift));
        shift_records(2, shift); /* the first live interval */
        ck_assert_int_eq(check(&proof, &error), shift ? CSY_CHECK : CSY_OK);
        ck_assert(
            !shift ||
            strstr(error.text, ": this record is before an earlier one by more than delta allows"));
        buffer_free(&pex);
    }
}
END_TEST

START_TEST(cut_records_are_found_out)
{
    csy_proof unused;
    write_sample("plain", 0, false, &unused);
    struct buffer records = file_read(folder_records(&folder, "out"));
    for (size_t size = records.size; size-- > records.size - 200;) {
        file_write(folder_records(&folder, "out"), records.bytes, size);
        assert_found_out("plain", size);
    }
    buffer_free(&records);
}
END_TEST

START_TEST(only_synchronized_traces_are_checked)
{
    csy_proof proof;
    csy_error error;
    ck_refused(prove(SAMPLES "/plain.pex", &proof, &error), CSY_INPUT, error,
               SAMPLES "/plain.pex: the file is not a .pex that was synchronized by cellsync");
    ck_refused(prove(SAMPLES "/paper.csv", &proof, &error), CSY_INPUT, error,
               SAMPLES "/paper.csv: this CSV cannot be checked, because it lacks the line "
                       "# cellsync reference=... (--csv-header=none omits this line)");
    ck_assert_int_eq(prove(SAMPLES "/missing", &proof, NULL), CSY_IO);
}
END_TEST

/* csy_trace_open_files accepts NULL in place of an error, and leaves files that are not joined. */
START_TEST(missing_files_are_refused_without_a_message)
{
    const char *paths[] = {SAMPLES "/missing", SAMPLES "/paper.csv"};
    csy_trace *trace;
    ck_assert_int_eq(csy_trace_open_files(paths, 2, NULL, &trace, NULL), CSY_OK);
    ck_assert_ptr_null(trace);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("check");
    unit_in_folder(tests, &folder);
    tcase_add_loop_test(tests, samples_are_proved, 0, NSAMPLES);
    tcase_add_loop_test(tests, changed_records_are_found_out, 0, NSAMPLES);
    tcase_add_loop_test(tests, changed_tables_are_found_out, 0, NSAMPLES);
    tcase_add_test(tests, shifted_traces_are_found_out);
    tcase_add_test(tests, shifted_traces_without_a_ppe_are_found_out);
    tcase_add_loop_test(tests, many_intervals_are_proved, 0, 3);
    tcase_add_loop_test(tests, moved_threads_are_found_out, 0, 2);
    tcase_add_test(tests, cut_records_are_found_out);
    tcase_add_test(tests, only_synchronized_traces_are_checked);
    tcase_add_test(tests, missing_files_are_refused_without_a_message);
    return unit_run();
}
