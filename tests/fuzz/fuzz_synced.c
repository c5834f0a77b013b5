/*
 * The reader of synchronized traces: csy_check of any bytes, which proves them or says why not.
 *
 * What is proved is within what the table allows, and is proved a second time.
 */
#include "support.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    csy_error error;
    csy_proof proof = {0}, again = {0};
    memory_file(data, size);
    csy_status status = prove(memory_path(), &proof, &error);
    must_be_told(status, &error);
    if (status)
        return 0;
    must(proof.threads > 0 && proof.records >= proof.threads, "threads without records");
    must(proof.neighbours_only || proof.largest_inversion_ticks <= proof.allowed_inversion_ticks,
         "an inversion beyond what is allowed");
    must_be_ok(prove(memory_path(), &again, &error), error);
    must(again.original_crc32 == proof.original_crc32 && again.inversions == proof.inversions,
         "another proof");
    return 0;
}
