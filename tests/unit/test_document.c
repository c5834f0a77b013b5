/* Documents that several threads of a program read at once, as the first that use libxml2. */
#include "support.h"
#include "trace/pex/metadata.h"

#include <libxml/parser.h>
#include <pthread.h>
#include <string.h>

enum { THREADS = 8, DOCUMENTS = 20, ROUNDS = 5 };

static pthread_barrier_t start;

/* Documents by turns good and bad, so that each thread has an error of its own. */
static void *read_documents(void *user)
{
    static const char good[] = "<pdt_trace version=\"1\"><machine timebase_hz=\"14318000\"/>"
                               "<trace_file/></pdt_trace>",
                      bad[] = "<pdt_trace version=\"1\">\n<machine timebase_hz=\"x\"/>"
                              "<trace_file/></pdt_trace>";
    size_t *well = user;
    pthread_barrier_wait(&start);
    for (int i = 0; i < DOCUMENTS; i++) {
        struct metadata m;
        csy_error error;
        *well += metadata_parse("a.pex", good, strlen(good), &m, &error) == CSY_OK &&
                 m.timebase_hz == 14318000;
        metadata_fini(&m);
        *well += metadata_parse("a.pex", bad, strlen(bad), &m, &error) == CSY_INPUT &&
                 strncmp(error.text, "a.pex: offset 24 (line 2): ", 27) == 0;
        metadata_fini(&m);
    }
    return NULL;
}

START_TEST(threads_read_documents)
{
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        size_t well[THREADS] = {0};
        ck_assert_int_eq(pthread_barrier_init(&start, NULL, THREADS), 0);
        for (int i = 0; i < THREADS; i++)
            ck_assert_int_eq(pthread_create(&threads[i], NULL, read_documents, &well[i]), 0);
        for (int i = 0; i < THREADS; i++)
            ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        pthread_barrier_destroy(&start);
        for (int i = 0; i < THREADS; i++)
            ck_assert_uint_eq(well[i], (size_t)2 * DOCUMENTS);
        xmlCleanupParser(); /* the program has done with it: the next round sets it up again */
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("document");
    tcase_add_test(tests, threads_read_documents);
    return unit_run();
}
