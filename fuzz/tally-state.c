/* A hostile state of a tally. The first byte chooses a query, with persons or without, with declared groups or without; if it is
 * "r" the rest is the state as it is, else what stands between a head that fits and a check that fits: a fuzzer would not get
 * past these. Whatever it is, nothing may crash; a refusal has a reason and changes nothing; and what is taken is written again in
 * one form. */
#include "release/tally/state.h"

#include <dpnoise/random.h>
#include <dpnoise/statistics.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept, const char *what) {
    if (kept) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

enum { HEAD = DPN_STATE_MAGIC_SIZE + 8 + DPN_SHAPE_PARTS * DPN_DIGEST_SIZE + DPN_DIGEST_SIZE };

static dpn_query *make_query(bool persons, bool unknown) {
    char text[1000];
    dpn_declaration declaration;
    dpn_query *query = NULL;
    snprintf(text, sizeof text,
             "{\"statistics\": [{\"kind\": \"count\"}, {\"kind\": \"variance\", \"column\": \"x\", \"lower\": \"0\", "
             "\"upper\": \"100\"},"
             " {\"kind\": \"histogram\", \"column\": \"x\", \"edges\": [\"0\", \"10\", \"inf\"]}], \"by\": "
             "[{\"column\": \"region\"%s}],"
             " %s \"missing\": \"skip\", \"epsilon\": \"1\"%s}",
             unknown ? "" : ", \"levels\": [\"a\", \"b\", \"c\"]",
             persons ? "\"person\": \"id\", \"max_rows\": 2, \"max_groups\": 2," : "",
             unknown ? ", \"delta\": \"1e-6\"" : "");
    dpn_error why = {DPN_OK, ""};
    promise(!dpn_declaration_read(&declaration, text, strlen(text), &why), why.sentence);
    promise(!dpn_query_new_shape(&query, &declaration, &why), why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

static dpn_tally *open_tally(const dpn_query *query, dpn_rng *rng) {
    static const dpn_tally_secret secret = {{1, 2, 3}};
    dpn_tally *tally = NULL;
    promise(!dpn_tally_new_with(&tally, query, &secret, rng, NULL), "a tally opens");
    return tally;
}

/* A state with the head of an empty one, these bytes, and the check of all. */
static unsigned char *compose(size_t *length, dpn_tally *empty, const uint8_t *data, size_t size) {
    unsigned char *own, *state;
    size_t own_length;
    dpn_digest digest;
    promise(!dpn_tally_write(&own, &own_length, empty, NULL) && own_length > HEAD, "an empty tally is written");
    *length = HEAD + size + DPN_DIGEST_SIZE;
    state = malloc(*length);
    promise(state != NULL, "there is memory");
    memcpy(state, own, HEAD);
    if (size > 0) memcpy(state + HEAD, data, size);
    dpn_digest_begin(&digest);
    dpn_digest_add(&digest, state, HEAD + size);
    dpn_digest_end(state + HEAD + size, &digest);
    dpn_tally_state_free(own, own_length);
    return state;
}

/* The bytes that a tally has after it took a state; NULL if it refused. */
static unsigned char *taken(size_t *out_length, const dpn_query *query, dpn_rng *rng, const unsigned char *state,
                            size_t length) {
    dpn_tally *tally = open_tally(query, rng);
    unsigned char *before, *after;
    size_t before_length;
    dpn_error why = {DPN_OK, ""};
    promise(!dpn_tally_write(&before, &before_length, tally, NULL), "a tally is written");
    dpn_status status = dpn_tally_add_state(tally, state, length, &why);
    promise(!status || (why.status == status && why.sentence[0]), "no refusal without a reason");
    promise(!dpn_tally_write(&after, out_length, tally, NULL), "it is written again");
    if (status) {
        promise(before_length == *out_length && memcmp(before, after, before_length) == 0, "a refusal changes nothing");
        dpn_tally_state_free(after, *out_length);
        after = NULL;
    }
    dpn_tally_state_free(before, before_length);
    dpn_tally_free(tally);
    return after;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static dpn_query *query[4];
    static dpn_rng *rng;
    if (!rng) promise(!dpn_rng_new(&rng, NULL), "there are random bits");
    for (int i = 0; i < 4; i++)
        if (!query[i]) query[i] = make_query(i & 1, i & 2);
    if (size == 0) return 0;
    const dpn_query *of = query[data[0] & 3];
    dpn_tally *empty = open_tally(of, rng);
    size_t length = size - 1, once_length, twice_length;
    unsigned char *made = data[0] == 'r' ? NULL : compose(&length, empty, data + 1, size - 1);
    dpn_tally_free(empty);
    unsigned char *once = taken(&once_length, of, rng, made ? made : data + 1, length), *twice = NULL;
    if (once) {
        twice = taken(&twice_length, of, rng, once, once_length);
        promise(twice && twice_length == once_length && memcmp(once, twice, once_length) == 0, "it has one form");
        dpn_tally_state_free(twice, twice_length);
        dpn_tally_state_free(once, once_length);
    }
    free(made);
    return 0;
}
