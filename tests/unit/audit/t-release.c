/* Whole releases against what they declare: those that are shipped pass, and claims that are too strong are refuted. Faults in
 * the tally and in the threshold are planted by tests/planted/audit-release.txt, and found here.
 *
 * Random words come from a seeded source: a verdict is the same each time. */
#include "unit/random/seeded.h"

#include <dpnoise/audit.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Releases of each table: below SAMPLES the planted faults are not seen; claims that are far too strong are refuted with FEW. */
enum { SAMPLES = 5000, FEW = 1500 };

static void declare(dpn_declaration *out, const char *text) {
    dpn_error why;
    if (dpn_declaration_read(out, text, strlen(text), &why)) fail_msg("%s", why.sentence);
}

static dpn_audit audit(const char *text, uint64_t samples, double epsilon, double delta) {
    dpn_declaration declaration;
    static seeded source;
    dpn_audit out;
    dpn_error why;
    seeded_begin(&source, 1);
    declare(&declaration, text);
    dpn_audit_release_options options = dpn_audit_release_options_init();
    options.declaration = &declaration;
    options.samples = samples;
    options.claimed = epsilon > 0;
    options.epsilon = epsilon;
    options.delta = delta;
    if (dpn_audit_release(&out, &options, &source.rng, &why)) fail_msg("%s: %s", text, why.sentence);
    dpn_declaration_free(&declaration);
    return out;
}

static const char count[] = "{\"statistics\": [{\"kind\": \"count\"}], \"epsilon\": \"1\", \"missing\": \"skip\"}";

/* Rows and groups of persons, in groups that are declared. */
static const char persons[] = "{\"statistics\": [{\"kind\": \"count\"}], \"by\": [{\"column\": \"r\", \"levels\": "
                              "[\"a\", \"b\", \"c\"]}], \"person\": \"id\", "
                              "\"max_rows\": \"2\", \"max_groups\": \"1\", \"epsilon\": \"1\", \"missing\": \"skip\"}";

/* Bounds, and rows that cannot be used. */
static const char sums[] =
    "{\"statistics\": [{\"kind\": \"sum\", \"column\": \"x\", \"lower\": \"0\", \"upper\": \"10\"}, "
    "{\"kind\": \"count\"}], \"epsilon\": \"1\", \"missing\": \"skip\"}";

/* A key that one person has is shown with a probability near its share of delta: the noise is 2 or more with 0.0407. */
static const char keys[] =
    "{\"statistics\": [{\"kind\": \"count\"}], \"by\": [{\"column\": \"r\"}], \"epsilon\": \"1.5\", "
    "\"delta\": \"0.09\", \"noise\": \"discrete-laplace\", \"missing\": \"skip\"}";

static const char median[] = "{\"statistics\": [{\"kind\": \"quantile\", \"column\": \"x\", \"quantile\": \"0.5\", "
                             "\"edges\": [\"0\", \"1\", \"3\", \"5\", "
                             "\"7\", \"8\"]}], \"epsilon\": \"2\", \"missing\": \"skip\"}";

static const char replaced[] = "{\"statistics\": [{\"kind\": \"mean\", \"column\": \"x\", \"lower\": \"-1\", "
                               "\"upper\": \"3\"}, {\"kind\": \"histogram\", "
                               "\"column\": \"y\", \"edges\": [\"0\", \"1\", \"2\"]}], \"where\": [{\"column\": \"z\", "
                               "\"is\": \">=\", \"value\": \"18\"}, "
                               "{\"column\": \"w\", \"is\": \"!=\", \"value\": \"no\"}], \"relation\": \"replace\", "
                               "\"epsilon\": \"1\", \"missing\": "
                               "\"skip\"}";

static void releases_keep_what_they_declare(void **state) {
    (void)state;
    const char *const texts[] = {count, persons, sums, keys, median, replaced};
    /* How much of epsilon is seen at least: less where the worst unit is not among those tried. */
    static const double seen[] = {0.8, 0.6, 0.5, -1, 0.3, 0.1};
    dpn_audit of_keys = {.samples = 0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dpn_audit out = audit(texts[i], SAMPLES, 0, 0);
        if (texts[i] == keys) of_keys = out;
        if (!out.pass || out.at.epsilon_lower < seen[i] * out.at.epsilon)
            fail_msg("%s: %g at delta %g, claimed %g", texts[i], out.at.epsilon_lower, out.at.delta, out.at.epsilon);
        assert_true(out.confidence == 0.999 && out.samples == SAMPLES && out.pairs >= 2 &&
                    out.events == 34 * out.pairs);
    }
    /* The key of one person: its probability comes near the share of delta, and is what the law says. */
    double delta_lower = of_keys.point[16].delta_lower;
    if (!(delta_lower > 0.01 && delta_lower < 0.0407)) fail_msg("delta at least %g", delta_lower);
}

static void claims_that_are_too_strong_are_refuted(void **state) {
    (void)state;
    assert_false(audit(count, FEW, 0.5, 0).pass);
    assert_false(audit(persons, FEW, 0.2, 0).pass);
    assert_false(audit(keys, SAMPLES, 1.5, 0.01).pass); /* a delta that the shown key exceeds */
    assert_true(audit(keys, SAMPLES, 1.5, 0.0408).pass);
    assert_false(audit(median, FEW, 0.3, 0).pass);
}

static void misuse_is_refused(void **state) {
    (void)state;
    dpn_declaration declaration;
    seeded source;
    dpn_audit out = {.samples = 7};
    seeded_begin(&source, 1);
    declare(&declaration, count);
    const dpn_audit_release_options good = {
        .size = sizeof good, .declaration = &declaration, .samples = 1000, .claimed = true, .epsilon = 1};
    dpn_audit_release_options bad[6];
    for (size_t i = 0; i < 6; i++) bad[i] = good;
    bad[0].declaration = NULL;
    bad[1].samples = 999;
    bad[2].confidence = 1;
    bad[3].epsilon = -1;
    bad[4].delta = 1;
    bad[5].size = 3;
    for (size_t i = 0; i < 6; i++) assert_int_equal(dpn_audit_release(&out, &bad[i], &source.rng, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_audit_release(&out, &good, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(out.samples, 7);
    assert_int_equal(dpn_audit_release(&out, &good, &source.rng, NULL), DPN_OK);
    dpn_declaration_free(&declaration);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases_keep_what_they_declare),
        cmocka_unit_test(claims_that_are_too_strong_are_refuted),
        cmocka_unit_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
