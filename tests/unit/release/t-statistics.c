/* Statistics of a table from declaration to answer: what one unit moves lies in the declared set, the plan is certified for it,
 * the intervals cover, and what is public is exact. */
#include "privacy/filter/filter.h"
#include "release/tally/tally.h"
#include "reference/draw.h"
#include "unit/points.h"
#include "unit/random/seeded.h"

#include <dpnoise/plan.h>
#include <dpnoise/statistics.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Declarations ---- */

typedef struct wanted {
    const char *part[6][2]; /* kind of statistic, "by", "levels" or "where", and its text */
    const char *person;
    uint64_t max_rows, max_groups;
    dpn_relation relation;
    const char *epsilon, *delta;
    const char *missing; /* NULL: skip */
    bool count_left_out, nonnegative, consistent;
    const char *noise;
    dpn_per_person per_person;
} wanted;

static dpn_statistic_kind kind_named(const char *name) {
    for (int k = 0; dpn_statistic_kind_name((dpn_statistic_kind)k); k++)
        if (strcmp(dpn_statistic_kind_name((dpn_statistic_kind)k), name) == 0) return (dpn_statistic_kind)k;
    fail_msg("no kind %s", name);
    return DPN_STATISTIC_COUNT;
}

static char *text_copy(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    assert_non_null(copy);
    return memcpy(copy, text, size);
}

static dpn_declaration declared(const wanted *w) {
    dpn_declaration d = {.relation = w->relation, .count_left_out = w->count_left_out};
    dpn_error why = {0};
    if (dpn_declare_missing(&d, w->missing ? w->missing : "skip", &why)) fail_msg("%s", why.sentence);
    for (size_t i = 0; i < 6 && w->part[i][0]; i++) {
        const char *what = w->part[i][0], *text = w->part[i][1];
        dpn_status status = strcmp(what, "by") == 0       ? dpn_declare_by(&d, text, &why)
                            : strcmp(what, "levels") == 0 ? dpn_declare_levels(&d, text, &why)
                            : strcmp(what, "where") == 0  ? dpn_declare_where(&d, text, &why)
                                                          : dpn_declare_statistic(&d, kind_named(what), text, &why);
        if (status) fail_msg("%s %s: %s", what, text ? text : "", why.sentence);
    }
    d.max_rows = w->max_rows ? w->max_rows : 1;
    d.max_groups = w->max_groups ? w->max_groups : 1;
    d.person = w->person ? text_copy(w->person) : NULL;
    d.epsilon = text_copy(w->epsilon ? w->epsilon : "1");
    d.delta = text_copy(w->delta ? w->delta : "0");
    d.noise = w->noise ? text_copy(w->noise) : NULL;
    d.nonnegative = w->nonnegative;
    d.consistent = w->consistent;
    d.per_person = w->per_person;
    return d;
}

static dpn_query *compiled(const wanted *w) {
    dpn_declaration d = declared(w);
    dpn_query *query = NULL;
    dpn_error why = {0};
    if (dpn_query_new(&query, &d, NULL, &why)) fail_msg("%s", why.sentence);
    dpn_declaration_free(&d);
    return query;
}

/* ---- Tables ---- */

enum { ROWS = 60, TEXT = 24 };

typedef struct row {
    char region[TEXT], x[TEXT], y[TEXT], id[TEXT];
} row;

/* The person of a row that stands for a line of which no fields can be made. */
#define NO_ROW "#"

/* A row; `unusable` says that now and then a field is not what it should be. */
static row draw_row(draw_source *source, bool unusable) {
    row made = {0};
    snprintf(made.region, TEXT, "%c", "abcde"[draw_bits(source) % 5]); /* e is no declared level */
    snprintf(made.x, TEXT, "%.3f", draw_uniform(source, -30, 130));    /* bounds are crossed */
    snprintf(made.y, TEXT, "%d", (int)(draw_bits(source) % 13) - 1);
    snprintf(made.id, TEXT, "p%d", (int)(draw_bits(source) % 12));
    if (draw_chance(source, 0.1)) snprintf(made.x, TEXT, draw_chance(source, 0.5) ? "0" : "100"); /* the ends */
    if (unusable && draw_chance(source, 0.2)) strcpy(made.x, draw_chance(source, 0.5) ? "" : "none");
    if (unusable && draw_chance(source, 0.1)) strcpy(made.y, "?");
    if (unusable && draw_chance(source, 0.05)) strcpy(made.region, "\xff");
    if (unusable && draw_chance(source, 0.05)) strcpy(made.id, draw_chance(source, 0.5) ? " " : NO_ROW);
    return made;
}

static dpn_field field_of(const row *of, const char *column) {
    const char *text = strcmp(column, "region") == 0 ? of->region
                       : strcmp(column, "x") == 0    ? of->x
                       : strcmp(column, "y") == 0    ? of->y
                                                     : of->id;
    return (dpn_field){text, strlen(text)};
}

static void add_rows(dpn_tally *tally, const dpn_query *query, const row *rows, size_t count) {
    dpn_field field[8 * ROWS];
    size_t columns = 0;
    while (dpn_query_column(query, columns)) columns++;
    assert_true(columns <= 8 && count <= ROWS);
    size_t usable = 0;
    for (size_t r = 0; r < count; r++) {
        if (strcmp(rows[r].id, NO_ROW) == 0) continue;
        for (size_t c = 0; c < columns; c++)
            field[usable * columns + c] = field_of(&rows[r], dpn_query_column(query, c));
        usable++;
    }
    dpn_error why = {0};
    if (dpn_tally_rows(tally, field, usable, &why)) fail_msg("%s", why.sentence);
    if (dpn_tally_unusable(tally, count - usable, &why)) fail_msg("%s", why.sentence);
}

/* Noise of each test is the same in each run. */
static dpn_rng *source_of_noise(void) {
    static seeded source;
    seeded_begin(&source, 20261117);
    return &source.rng;
}

static dpn_tally *tallied(const dpn_query *query, dpn_rng *rng, const row *rows, size_t count) {
    dpn_tally *tally = NULL;
    dpn_error why = {0};
    if (dpn_tally_new(&tally, query, rng, &why)) fail_msg("%s", why.sentence);
    for (size_t at = 0; at < count; at += ROWS)
        add_rows(tally, query, rows + at, count - at < ROWS ? count - at : ROWS);
    return tally;
}

/* ---- What one unit moves ---- */

static const wanted sets[] = {
    {.part = {{"count", NULL}}, .relation = DPN_ADD_REMOVE},
    {.part = {{"sum", "x:0:100"}}, .relation = DPN_ADD_REMOVE},
    {.part = {{"sum", "x:0:100"}, {"count", NULL}, {"by", "region"}, {"levels", "region=a,b,c,d"}},
     .relation = DPN_ADD_REMOVE},
    {.part = {{"mean", "x:0:100"}, {"by", "region"}, {"levels", "region=a,b,c,d"}}, .relation = DPN_ADD_REMOVE},
    {.part = {{"variance", "x:0.1:99.7"}, {"where", "y>=3"}}, .relation = DPN_ADD_REMOVE},
    {.part = {{"covariance", "x:0:100,y:0:10"}}, .relation = DPN_ADD_REMOVE},
    {.part = {{"histogram", "x:0,10,50,100"}, {"mean", "x:0:100"}}, .relation = DPN_ADD_REMOVE},
    {.part = {{"count", NULL}, {"mean", "x:0:100"}}, .relation = DPN_ADD_REMOVE, .count_left_out = true},
    {.part = {{"count", NULL}}, .relation = DPN_REPLACE},
    {.part = {{"count", NULL}, {"sum", "x:0:100"}}, .relation = DPN_REPLACE},
    {.part = {{"count", NULL}, {"sum", "x:0:100"}}, .relation = DPN_REPLACE, .missing = "value:7"},
    {.part = {{"sum", "x:0:100"}, {"quantile", "y:0.5:0:10"}}, .relation = DPN_REPLACE, .count_left_out = true},
    {.part = {{"variance", "x:0:100"}, {"where", "y>=3"}}, .relation = DPN_REPLACE, .count_left_out = true},
    {.part = {{"covariance", "x:0:100,y:0:10"}}, .relation = DPN_REPLACE, .missing = "value:250"},
    {.part = {{"histogram", "x:0,10,50,100"}, {"quantile", "y:0.25:0:10"}}, .relation = DPN_REPLACE},
    {.part = {{"mean", "x:0:100"}}, .relation = DPN_REPLACE},
    {.part = {{"variance", "x:0:100"}, {"by", "region"}, {"levels", "region=a,b,c,d"}}, .relation = DPN_REPLACE},
    {.part = {{"sum", "x:20:100"}, {"sum", "y:-1:12"}, {"where", "y!=5"}}, .relation = DPN_REPLACE},
    {.part = {{"sum", "x:20:100"}}, .relation = DPN_REPLACE},
    {.part = {{"histogram", "x:-inf,10,50,inf"}, {"count", NULL}, {"where", "y!=5"}}, .relation = DPN_REPLACE},
    {.part = {{"sum", "x:0:100"}, {"count", NULL}, {"by", "region"}, {"levels", "region=a,b,c,d"}},
     .relation = DPN_ADD_REMOVE,
     .person = "id",
     .max_rows = 2,
     .max_groups = 2},
    {.part = {{"histogram", "x:0,10,50,100"}, {"by", "region"}, {"levels", "region=a,b,c,d"}},
     .relation = DPN_ADD_REMOVE,
     .person = "id",
     .max_rows = 3,
     .max_groups = 1},
    {.part = {{"mean", "x:0:100"}, {"by", "region"}, {"levels", "region=a,b,c,d"}},
     .relation = DPN_REPLACE,
     .person = "id",
     .max_rows = 1,
     .max_groups = 2},
    {.part = {{"quantile", "x:0.5:0:100:1"}, {"quantile", "x:0.9:0:100:1"}}, .relation = DPN_ADD_REMOVE},
    {.part = {{"quantile", "x:0.5:0:100:10"}, {"count", NULL}, {"histogram", "x:0,10,50"}}, .relation = DPN_REPLACE},
    {.part = {{"quantile", "x:0.5:0:100:5"}, {"sum", "y:-1:1"}, {"by", "region"}, {"levels", "region=a,b,c,d"}},
     .relation = DPN_REPLACE,
     .person = "id",
     .max_rows = 2,
     .max_groups = 2},
    {.part = {{"sum", "x:-20:100"}, {"by", "region"}, {"levels", "region=a,b,c,d"}},
     .relation = DPN_ADD_REMOVE,
     .person = "id",
     .max_groups = 2,
     .per_person = DPN_PER_PERSON_SUM},
    {.part = {{"variance", "x:0:300"}, {"count", NULL}},
     .relation = DPN_REPLACE,
     .person = "id",
     .per_person = DPN_PER_PERSON_SUM},
    {.part = {{"covariance", "x:0:100,y:0:10"}, {"by", "region"}, {"levels", "region=a,b,c,d"}},
     .relation = DPN_REPLACE,
     .person = "id",
     .max_groups = 2,
     .per_person = DPN_PER_PERSON_MEAN},
    {.part = {{"mean", "x:0:100"}, {"by", "region"}},
     .relation = DPN_ADD_REMOVE,
     .delta = "1e-6",
     .person = "id",
     .max_groups = 3,
     .per_person = DPN_PER_PERSON_SUM},
    {.part = {{"count", NULL}, {"by", "region"}}, .relation = DPN_ADD_REMOVE, .delta = "1e-6"},
    {.part = {{"quantile", "x:0.25:0:100:10"}, {"by", "region"}},
     .relation = DPN_ADD_REMOVE,
     .delta = "1e-6",
     .person = "id",
     .max_rows = 2,
     .max_groups = 2},
    {.part = {{"sum", "x:0:100"}, {"quantile", "x:0.5:0:100"}},
     .relation = DPN_REPLACE,
     .person = "id",
     .max_rows = 2,
     .count_left_out = true},
    {.part = {{"histogram", "x:0,10,50,100"}, {"by", "region"}, {"levels", "region=a,b,c,d"}},
     .relation = DPN_REPLACE,
     .person = "id",
     .max_rows = 2,
     .max_groups = 2,
     .count_left_out = true},
    {.part = {{"sum", "x:0:100"}, {"by", "region"}}, .relation = DPN_REPLACE, .delta = "1e-6", .count_left_out = true},
    {.part = {{"count", NULL}, {"by", "region"}},
     .relation = DPN_ADD_REMOVE,
     .delta = "1e-6",
     .person = "id",
     .max_rows = 3,
     .max_groups = 2},
};

static const dpn_group *group_named(const dpn_group *group, size_t groups, char *const *key, size_t bys) {
    for (size_t g = 0; g < groups; g++) {
        bool same = true;
        for (size_t i = 0; i < bys; i++) same = same && strcmp(group[g].key[i], key[i]) == 0;
        if (same) return &group[g];
    }
    return NULL;
}

/* Whether the sums of a group changed; every change has to be within the cell's sensitivity. A group that is not there has sums of
 * 0. */
static bool changed(const dpn_query *query, const dpn_group *one, const dpn_group *other, double *farthest) {
    const dpn_query_facts facts = dpn_query_look(query);
    bool any = false;
    size_t start = 0;
    for (size_t i = 0; i < query->moments; i++) {
        if (query->moment[i].kind == DPN_MOMENT_BINS) continue;
        int64_t moved = (one ? one->sum[i] : 0) - (other ? other->sum[i] : 0);
        any |= moved != 0;
        double size = fabs(ldexp((double)moved, query->moment[i].exponent));
        if (size > facts.cell[i].sensitivity) fail_msg("%s moved by %lld steps", facts.cell[i].name, (long long)moved);
        farthest[i] = fmax(farthest[i], size);
    }
    int64_t most = (int64_t)query->declaration.max_rows * (query->declaration.relation == DPN_REPLACE ? 2 : 1);
    for (size_t b = 0; b < dpn_bin_sets(query); b++) {
        const dpn_tree *tree = &query->bins[b].tree;
        for (size_t level = 0; level < (tree->levels ? tree->levels : 1); level++) {
            size_t stride = dpn_tree_stride(tree, level);
            int64_t moved = 0, node = 0;
            for (size_t i = 0; i + 1 < query->bins[b].edges; i++) {
                node += (one ? one->count[start + i] : 0) - (other ? other->count[start + i] : 0);
                if ((i + 1) % stride && i + 2 < query->bins[b].edges) continue;
                moved += llabs(node);
                node = 0;
            }
            any |= moved != 0;
            if (moved > most) fail_msg("bins moved by %lld", (long long)moved);
        }
        start += query->bins[b].edges - 1;
    }
    return any;
}

/* A field of a row that could be used, but for this. */
static void spoil(row *one, draw_source *source) {
    char *field[] = {one->x, one->y, one->region, one->id};
    size_t bad = draw_bits(source) % 5;
    strcpy(field[bad % 4], bad == 3 ? NO_ROW : "\xff");
}

/* A table and its neighbour: the unit of the first row is away, or another is in its place, which may be the same but for a field
 * that cannot be used. */
static size_t neighbour(row *out, const row *rows, size_t count, const dpn_query *query, draw_source *source) {
    bool persons = query->declaration.person != NULL;
    size_t kept = 0;
    for (size_t r = 0; r < count; r++)
        if (persons ? strcmp(rows[r].id, rows[0].id) != 0 : r != 0) out[kept++] = rows[r];
    if (query->declaration.relation == DPN_ADD_REMOVE) return kept;
    for (size_t extra = persons ? draw_bits(source) % 5 : 1; extra > 0 && kept < ROWS; extra--) {
        out[kept] = draw_row(source, true);
        if (draw_chance(source, 0.3)) {
            out[kept] = rows[0];
            spoil(&out[kept], source);
        }
        if (persons) snprintf(out[kept].id, TEXT, "new");
        kept++;
    }
    return kept;
}

static void one_unit_moves_within_the_set(void **state) {
    (void)state;
    draw_source source = {7};
    const int pairs = points(1000, 5000);
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        dpn_query *query = compiled(&sets[s]);
        uint64_t most_moved = 0;
        double farthest[32] = {0};
        for (int p = 0; p < pairs; p++) {
            row rows[ROWS], other[ROWS];
            size_t count = 1 + draw_bits(&source) % (ROWS - 6);
            for (size_t r = 0; r < count; r++) rows[r] = draw_row(&source, true);
            size_t other_count = neighbour(other, rows, count, query, &source);
            /* The same secret chooses rows of persons in both: the set holds for every secret. */
            seeded one, two;
            seeded_begin(&one, (uint64_t)p);
            seeded_begin(&two, (uint64_t)p);
            dpn_tally *tally = tallied(query, &one.rng, rows, count),
                      *twin = tallied(query, &two.rng, other, other_count);
            dpn_error why = {0};
            const dpn_group *group = NULL, *group2 = NULL;
            size_t groups = 0, groups2 = 0, bys = query->declaration.bys;
            assert_int_equal(dpn_tally_settle(&group, &groups, tally, &why), DPN_OK);
            assert_int_equal(dpn_tally_settle(&group2, &groups2, twin, &why), DPN_OK);
            uint64_t moved = 0;
            for (size_t g = 0; g < groups; g++)
                moved += changed(query, &group[g], group_named(group2, groups2, group[g].key, bys), farthest);
            for (size_t g = 0; g < groups2; g++)
                if (!group_named(group, groups, group2[g].key, bys))
                    moved += changed(query, NULL, &group2[g], farthest);
            if (moved > most_moved) most_moved = moved;
            dpn_tally_free(tally);
            dpn_tally_free(twin);
        }
        uint64_t allowed = dpn_query_look(query).moved_groups;
        if (most_moved > allowed) fail_msg("set %zu: %llu groups moved", s, (unsigned long long)most_moved);
        for (size_t i = 0; i < query->moments;
             i++) { /* counts are seen to move as far as they may: less would not do */
            dpn_moment_kind kind = query->moment[i].kind;
            bool counts = kind == DPN_MOMENT_ROWS || kind == DPN_MOMENT_LEFT_OUT;
            if (counts && sets[s].max_rows < 3 && farthest[i] < dpn_query_look(query).cell[i].sensitivity)
                fail_msg("set %zu: %s moved by %g at most", s, dpn_query_look(query).cell[i].name, farthest[i]);
        }
        dpn_query_free(query);
    }
}

/* ---- The guarantee ---- */

static void plans_are_certified(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        dpn_query *query = compiled(&sets[s]);
        dpn_query_facts facts = dpn_query_look(query);
        double bound[16];
        for (size_t i = 0; i < facts.cells; i++) bound[i] = facts.cell[i].sensitivity;
        dpn_sensitivity set = {.dimension = facts.cells, .bound = bound};
        dpn_delta delta = {0};
        dpn_argument argument;
        dpn_error why = {0};
        dpn_status status =
            dpn_plan_delta(&delta, &argument, NULL, facts.plan, &set, facts.moved_groups, 1, NULL, &why);
        if (status == DPN_EACCURACY) { /* atoms on no lattice: what the calibration found, and the largest losses */
            double loss = 0;
            for (size_t i = 0; i < facts.cells; i++)
                loss += dpn_plan_law(facts.plan, i) ? bound[i] / dpn_plan_law(facts.plan, i)->parameter[0] : 0;
            assert_non_null(strstr(facts.plan->family, "laplace"));
            if (loss * (double)facts.moved_groups > 1 + 1e-4) fail_msg("set %zu: loss %g", s, loss);
            delta = facts.plan->delta;
        } else if (status) {
            fail_msg("set %zu: %s", s, why.sentence);
        }
        double allowed = sets[s].delta ? 1e-6 : 0;
        if (!(delta.upper + facts.threshold_delta <= allowed)) fail_msg("set %zu: delta %g", s, delta.upper);
        assert_int_equal(facts.unknown_keys, sets[s].delta != NULL);
        dpn_query_free(query);
    }
}

/* Each bin has a draw of its own, and so the law of a bin, or of what is held against a threshold, must not be a part of joint
 * noise: draws of its parts one by one lose up to twice as much as the plan says. */
static void bins_and_thresholds_have_noise_of_their_own(void **state) {
    (void)state;
    static const wanted questions[] = {
        {.part = {{"count", NULL}, {"histogram", "x:0,1,2"}}, .relation = DPN_ADD_REMOVE},
        {.part = {{"histogram", "x:0,1,2"}, {"histogram", "y:0,1,2"}}, .relation = DPN_REPLACE},
        {.part = {{"sum", "x:0:1"}, {"by", "region"}}, .relation = DPN_ADD_REMOVE, .delta = "1e-6"},
        {.part = {{"mean", "x:0:1"}, {"sum", "y:-1:1"}, {"histogram", "x:0,1,2"}}, .relation = DPN_ADD_REMOVE},
        {.part = {{"mean", "x:0:1"}, {"sum", "y:-1:1"}, {"by", "region"}}, .relation = DPN_REPLACE, .delta = "1e-6"},
    };
    static const char *const noise[] = {NULL, "blocks", "laplace"};
    for (size_t i = 0; i < 3 * (sizeof questions / sizeof *questions); i++) {
        wanted asked = questions[i / 3];
        asked.noise = noise[i % 3];
        dpn_query *query = compiled(&asked);
        for (size_t m = 0; m < query->moments; m++)
            if ((query->moment[m].kind == DPN_MOMENT_BINS || m == query->persons) &&
                !dpn_plan_law(dpn_query_look(query).plan, m))
                fail_msg("question %zu, noise %zu: moment %zu has a part of joint noise", i / 3, i % 3, m);
        dpn_query_free(query);
    }
}

static dpn_decimal decimal(const char *text) {
    dpn_decimal made;
    assert_int_equal(dpn_decimal_parse(&made, text, NULL), DPN_OK);
    return made;
}

/* A release fits a budget of its own size once, and ten fit ten times that. */
static void charges_fit_their_budget(void **state) {
    (void)state;
    static const wanted more[] = {
        {.part = {{"sum", "x:0:1"}}, .relation = DPN_ADD_REMOVE, .delta = "1e-6", .noise = "gaussian"},
        {.part = {{"quantile", "x:0.5:0:1"}, {"count", NULL}}, .relation = DPN_ADD_REMOVE},
    };
    size_t count = sizeof sets / sizeof *sets;
    for (size_t s = 0; s < count + 2; s++) {
        const wanted *w = s < count ? &sets[s] : &more[s - count];
        dpn_query *query = compiled(w);
        for (int ten = 0; ten < 2; ten++) {
            dpn_decimal epsilon = decimal(ten ? "10" : "1"), delta = decimal(!w->delta ? "0" : ten ? "1e-5" : "1e-6");
            dpn_filter_terms plan;
            dpn_filter filter;
            dpn_error why = {0};
            assert_int_equal(dpn_filter_terms_default(&plan, &epsilon, &delta, &why), DPN_OK);
            assert_int_equal(dpn_filter_begin(&filter, &plan, &why), DPN_OK);
            bool free = dpn_query_look(query).count_is_public && dpn_query_look(query).cells == 1;
            for (int i = 0; i < (ten ? 10 : 1); i++) {
                dpn_charge charge;
                if (dpn_query_charge(&charge, query, &filter, &why)) fail_msg("set %zu: %s", s, why.sentence);
                if (dpn_filter_admit(&filter, &charge, &why)) fail_msg("set %zu, charge %d: %s", s, i, why.sentence);
            }
            dpn_charge charge;
            if (ten || free) continue; /* many may fit better than they sum */
            assert_int_equal(dpn_query_charge(&charge, query, &filter, &why), DPN_OK);
            if (dpn_filter_admit(&filter, &charge, &why) != DPN_EBUDGET) fail_msg("set %zu: a second one fits", s);
        }
        dpn_query_free(query);
    }
}

/* Unknown keys cost the probability that their threshold fails, beside noise that is pure or has divergences; delta is divided
 * between the two, and noise does not spend it for nothing. */
static void unknown_keys_charge_their_threshold(void **state) {
    (void)state;
    for (int gaussian = 0; gaussian < 2; gaussian++) {
        wanted asked = {.part = {{"count", NULL}, {"by", "region"}}, .relation = DPN_ADD_REMOVE, .delta = "1e-6"};
        if (gaussian) asked.noise = "gaussian";
        dpn_query *query = compiled(&asked);
        dpn_query_facts facts = dpn_query_look(query);
        dpn_decimal epsilon = decimal("10"), delta = decimal("1e-5"), half = decimal("5e-7"), one = decimal("1");
        dpn_filter_terms plan;
        dpn_filter filter;
        dpn_charge charge;
        dpn_error why = {0};
        assert_int_equal(dpn_filter_terms_default(&plan, &epsilon, &delta, &why), DPN_OK);
        assert_int_equal(dpn_filter_begin(&filter, &plan, &why), DPN_OK);
        assert_int_equal(dpn_query_charge(&charge, query, &filter, &why), DPN_OK);
        assert_true(dpn_decimal_upper(&charge.delta) >= facts.threshold_delta && facts.threshold_delta > 0);
        assert_true(dpn_decimal_compare(&charge.delta, &half) <= 0);
        assert_true(facts.plan->delta.upper + facts.threshold_delta <= 1e-6);
        assert_int_equal(charge.pure, !gaussian);
        if (!gaussian) {
            assert_true(facts.plan->delta.upper == 0);
            assert_int_equal(dpn_decimal_compare(&charge.epsilon, &one), 0);
        } else {
            dpn_divergence renyi[DPN_FILTER_ORDERS];
            double bound = 1;
            dpn_sensitivity set = {.dimension = 1, .bound = &bound};
            assert_int_equal(
                dpn_plan_renyi(renyi, NULL, facts.plan, &set, facts.moved_groups, plan.order, plan.orders, &why), 0);
            for (size_t i = 0; i < plan.orders; i++) assert_true(charge.divergence[i] == renyi[i].upper);
        }
        dpn_query_free(query);
    }
}

/* A person moves the counts of as many groups as are allowed, each by as many rows, and of twice as many groups when replaced: Gaussian noise
 * loses the sum of their squares over 2 sigma^2 at order 1, which is written out here. */
static void each_group_of_a_person_is_charged(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        wanted asked = {.part = {{"count", NULL}, {"by", "region"}, {"levels", "region=a,b,c,d,e,f,g,h"}},
                        .person = "id",
                        .max_groups = i & 1 ? 4 : 1,
                        .max_rows = i & 2 ? 3 : 1,
                        .relation = i & 4 ? DPN_REPLACE : DPN_ADD_REMOVE,
                        .delta = "1e-6",
                        .noise = "gaussian"};
        dpn_query *query = compiled(&asked);
        dpn_decimal epsilon = decimal("10"), delta = decimal("1e-5");
        dpn_filter_terms terms;
        dpn_filter filter;
        dpn_charge charge;
        dpn_error why = {0};
        assert_int_equal(dpn_filter_terms_default(&terms, &epsilon, &delta, &why), DPN_OK);
        assert_int_equal(dpn_filter_begin(&filter, &terms, &why), DPN_OK);
        assert_int_equal(dpn_query_charge(&charge, query, &filter, &why), DPN_OK);
        double sigma = dpn_law_parameter(dpn_plan_law(dpn_query_look(query).plan, 0), "sigma");
        double rows = (double)asked.max_rows,
               moved = (double)asked.max_groups * (asked.relation == DPN_REPLACE ? 2 : 1);
        double rho = moved * rows * rows / (2 * sigma * sigma);
        assert_true(!charge.pure && sigma > 0);
        for (size_t k = 0; k < terms.orders; k++)
            if (!(charge.divergence[k] >= terms.order[k] * rho * (1 - 1e-12)))
                fail_msg("question %d, order %g: %g for %g", i, terms.order[k], charge.divergence[k],
                         terms.order[k] * rho);
        dpn_query_free(query);
    }
}

/* What is known of some declarations by other means. */
static void known_plans(void **state) {
    (void)state;
    /* A mean by K-norm noise in two dimensions: 4/eps^2 for each, in units of the sensitivity
     * (docs/proofs/calibrate/blocks.md, claim 3), not the 8 of two halves. */
    dpn_query *query = compiled(&(wanted){.part = {{"mean", "x:0:128"}}, .relation = DPN_ADD_REMOVE});
    dpn_query_facts facts = dpn_query_look(query);
    assert_int_equal(facts.cells, 2);
    for (size_t i = 0; i < 2; i++) {
        double unit = facts.cell[i].sensitivity;
        assert_true(fabs(facts.cell[i].variance / (unit * unit) - 4) < 1e-6);
    }
    assert_true(facts.cell[0].sensitivity == 1 && facts.cell[1].sensitivity == 64);
    assert_true(facts.cell[1].naive95 > facts.cell[1].interval95);
    dpn_query_free(query);
    /* A sum alone: the farther bound. */
    query = compiled(&(wanted){.part = {{"sum", "x:-200:100"}}, .relation = DPN_ADD_REMOVE});
    assert_true(dpn_query_look(query).cell[0].sensitivity == 200);
    dpn_query_free(query);
    /* A row that is replaced moves a sum from one end of its terms to the other, 0 being one where it may be left out; about the
     * middle where the number of rows is public. */
    static const struct {
        const char *bounds, *where;
        double move;
    } replaced[] = {{"x:0:128", "y<1", 128}, {"x:64:128", "y<1", 128},   {"x:-200:100", "y<1", 300},
                    {"x:64:128", NULL, 64},  {"x:-128:-64", "y<1", 128}, {"x:-128:-64", NULL, 64}};
    query = compiled(&(wanted){.part = {{"sum", "x:64:128"}}, .relation = DPN_REPLACE});
    assert_true(dpn_query_look(query).cells == 1 && dpn_query_look(query).cell[0].sensitivity == 128);
    dpn_query_free(query);
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
        wanted asked = {.part = {{"sum", replaced[i].bounds}}, .relation = DPN_REPLACE, .missing = "value:0"};
        if (replaced[i].where) asked.part[1][0] = "where", asked.part[1][1] = replaced[i].where;
        query = compiled(&asked);
        facts = dpn_query_look(query);
        assert_true(facts.cell[facts.cells - 1].sensitivity == replaced[i].move);
        assert_int_equal(facts.cells, replaced[i].where ? 1 : 2);
        dpn_query_free(query);
    }
    /* Beside the count that a threshold needs, a sum is taken about its middle. */
    query = compiled(
        &(wanted){.part = {{"sum", "x:0:100"}, {"by", "region"}}, .relation = DPN_ADD_REMOVE, .delta = "1e-6"});
    assert_true(dpn_query_look(query).cells == 2 && dpn_query_look(query).cell[1].sensitivity == 50);
    dpn_query_free(query);
    /* A square moves by half of h^2. */
    query = compiled(&(wanted){.part = {{"variance", "x:0:128"}}, .relation = DPN_ADD_REMOVE});
    assert_true(fabs(dpn_query_look(query).cell[2].sensitivity / 2048 - 1) < 1e-6);
    dpn_query_free(query);
    /* A histogram beside a mean: joint noise on the two sums at epsilon e, 4/e^2 each, and Laplace noise on the bins, 2/f^2;
     * with e + f = 1 the least sum has e/f = (8/2)^(1/3). */
    query = compiled(&(wanted){.part = {{"mean", "x:0:128"}, {"histogram", "y:0,1,2"}}, .relation = DPN_ADD_REMOVE});
    facts = dpn_query_look(query);
    double e = cbrt(4) / (1 + cbrt(4)), f = 1 / (1 + cbrt(4));
    assert_string_equal(facts.plan->family, "blocks");
    assert_true(fabs(facts.cell[0].variance / (4 / (e * e)) - 1) < 1e-6);
    assert_true(fabs(facts.cell[1].variance / (4096 * 4 / (e * e)) - 1) < 1e-6);
    assert_true(fabs(facts.cell[2].variance / (2 / (f * f)) - 1) < 1e-6);
    assert_non_null(dpn_plan_law(facts.plan, 2));
    dpn_query_free(query);
    /* A person of many groups is in no more than there are. */
    query = compiled(&(wanted){.part = {{"count", NULL}, {"by", "region"}, {"levels", "region=a,b,c"}},
                               .relation = DPN_ADD_REMOVE,
                               .person = "id",
                               .max_rows = 1,
                               .max_groups = 50});
    assert_int_equal(dpn_query_look(query).moved_groups, 3);
    dpn_query_free(query);
    /* Groups are moved one at a time: as many as there are do not matter. */
    query = compiled(&(wanted){.part = {{"count", NULL}, {"by", "region"}, {"levels", "region=a,b,c,d"}},
                               .relation = DPN_ADD_REMOVE,
                               .noise = "laplace"});
    assert_true(fabs(dpn_query_look(query).cell[0].variance - 2) < 1e-6);
    dpn_query_free(query);
}

/* A threshold: the probability that a single person's key is shown, by the law's own tail. */
static void thresholds(void **state) {
    (void)state;
    dpn_query *query = compiled(&(wanted){
        .part = {{"count", NULL}, {"by", "region"}}, .relation = DPN_ADD_REMOVE, .delta = "1e-6", .noise = "laplace"});
    dpn_query_facts facts = dpn_query_look(query);
    const dpn_law *law = dpn_plan_law(facts.plan, 0);
    double at = dpn_law_sf(law, (double)facts.threshold - 1), below = dpn_law_sf(law, (double)facts.threshold - 2);
    assert_true(at <= 0.5e-6 && below > 0.5e-6);
    assert_true(facts.threshold_delta >= at && facts.threshold_delta <= 0.5e-6);
    dpn_query_free(query);
}

/* The noise that hides a key is that of the number of persons, wherever it stands among the numbers and whatever noise the others have: a person with rows in two
 * groups shows either key with at most half of delta's half, by the law of that coordinate. */
static void thresholds_are_of_the_noise_of_persons(void **state) {
    (void)state;
    static const char *const others[][2] = {
        {"count", NULL}, {"sum", "x:0:100"}, {"sum", "x:0:0.001"}, {"mean", "x:0:5"}};
    for (size_t o = 0; o < 2 * (sizeof others / sizeof *others); o++) {
        dpn_query *query = compiled(&(wanted){.part = {{others[o / 2][0], others[o / 2][1]}, {"by", "region"}},
                                              .relation = DPN_ADD_REMOVE,
                                              .person = "id",
                                              .max_rows = o % 2 ? 4 : 2,
                                              .max_groups = 2,
                                              .delta = "1e-6",
                                              .noise = "laplace"});
        dpn_query_facts facts = dpn_query_look(query);
        size_t persons = 0;
        while (persons < query->moments && query->moment[persons].kind != DPN_MOMENT_PERSONS) persons++;
        assert_true(persons > 0 && persons < query->moments);
        const dpn_law *law = dpn_plan_law(facts.plan, persons);
        assert_non_null(law);
        double at = dpn_law_sf(law, (double)facts.threshold - 1), below = dpn_law_sf(law, (double)facts.threshold - 2);
        if (!(2 * at <= 0.5e-6 && 2 * below > 0.5e-6 && facts.threshold_delta >= 2 * at))
            fail_msg("%s: %g and %g", others[o / 2][0], at, below);
        dpn_query_free(query);
    }
}

/* ---- Answers ---- */

static double truth_of(const row *rows, size_t count, const char *what) {
    double n = 0, sum = 0, squares = 0, low = 0, high = 0, bin = 0;
    bool histogram = sscanf(what, "histogram(x)[%lf,%lf", &low, &high) == 2;
    for (size_t r = 0; r < count; r++) {
        double value = strtod(rows[r].x, NULL), x = fmin(fmax(value, 0), 100);
        bin += value >= low && (value < high || (value == high && high == 100));
        n += 1;
        sum += x;
        squares += x * x;
    }
    if (histogram) return bin;
    if (strcmp(what, "count") == 0) return n;
    if (strcmp(what, "sum(x)") == 0) return sum;
    if (strcmp(what, "mean(x)") == 0) return sum / n;
    return (squares - sum * sum / n) / (n - 1);
}

/* Coverage between the quantiles of a binomial law at 1e-7 on each side, of a share between 94% and 97%: integers and rounding
 * outwards make intervals somewhat wider than asked for. */
static void intervals_cover(void **state) {
    (void)state;
    enum { MANY = 600 };
    const int times = points_needed(2000, 5000);
    draw_source source = {11};
    row rows[MANY];
    for (size_t r = 0; r < MANY; r++) rows[r] = draw_row(&source, false);
    static const wanted questions[] = {
        {.part = {{"count", NULL}, {"sum", "x:0:100"}, {"mean", "x:0:100"}},
         .relation = DPN_ADD_REMOVE,
         .epsilon = "0.1"},
        {.part = {{"sum", "x:0:100"}}, .relation = DPN_ADD_REMOVE, .epsilon = "0.2", .delta = "1e-6"},
        {.part = {{"variance", "x:0:100"}}, .relation = DPN_ADD_REMOVE, .epsilon = "0.5"},
        {.part = {{"mean", "x:0:100"}}, .relation = DPN_ADD_REMOVE, .epsilon = "0.05"},
        {.part = {{"histogram", "x:0,20,60,100"}}, .relation = DPN_ADD_REMOVE, .epsilon = "0.05"},
    };
    dpn_rng *rng = source_of_noise();
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
        dpn_query *query = compiled(&questions[q]);
        dpn_tally *tally = tallied(query, rng, rows, MANY);
        int covered[4] = {0};
        double value[4] = {0};
        for (int t = 0; t < times; t++) {
            dpn_answer *answer = NULL;
            dpn_error why = {0};
            if (dpn_answer_draw(&answer, query, tally, rng, &why)) fail_msg("%s", why.sentence);
            assert_int_equal(answer->groups, 1);
            for (size_t i = 0; i < answer->outputs; i++) {
                double truth = truth_of(rows, MANY, answer->output[i]);
                covered[i] += answer->cell[i].low <= truth && truth <= answer->cell[i].high;
                value[i] += answer->cell[i].value / times;
            }
            dpn_answer_free(answer);
        }
        for (size_t i = 0; dpn_query_output(query, i); i++) {
            double share = (double)covered[i] / times;
            if (share < 0.94 - 5.2 * sqrt(0.94 * 0.06 / times) || share > 0.97 + 5.2 * sqrt(0.97 * 0.03 / times))
                fail_msg("question %zu, %s: %g covered (mean answer %g)", q, dpn_query_output(query, i), share,
                         value[i]);
        }
        dpn_tally_free(tally);
        dpn_query_free(query);
    }
}

/* Under replace the number of rows is public where each is used, whatever it holds: it is exact, and costs nothing. */
static void public_counts_are_exact(void **state) {
    (void)state;
    draw_source source = {13};
    row rows[ROWS];
    for (size_t r = 0; r < 50; r++) rows[r] = draw_row(&source, false);
    dpn_rng *rng = source_of_noise();
    wanted asked = {.part = {{"count", NULL}, {"mean", "x:0:100"}}, .relation = DPN_REPLACE};
    dpn_query *query = compiled(&asked);
    assert_false(dpn_query_look(query).count_is_public);
    dpn_query_free(query);
    asked.missing = "value:0";
    query = compiled(&asked);
    assert_true(dpn_query_look(query).count_is_public);
    dpn_tally *tally = tallied(query, rng, rows, 50);
    dpn_answer *answer = NULL;
    dpn_error why = {0};
    if (dpn_query_answer(&answer, query, tally, rng, &why)) fail_msg("%s", why.sentence);
    assert_true(answer->cell[0].value == 50 && answer->cell[0].low == 50 && answer->cell[0].high == 50);
    assert_true(answer->cell[1].low < answer->cell[1].high);
    dpn_answer_free(answer);
    dpn_tally_free(tally);
    dpn_query_free(query);
}

/* A charge buys one answer: neither the tally nor one that was split from it gives another, and none is given by a query for the
 * rows of another. */
static void one_answer_for_one_charge(void **state) {
    (void)state;
    row rows[] = {{.x = "1"}, {.x = "2"}};
    dpn_rng *rng = source_of_noise();
    const wanted asked = {.part = {{"sum", "x:0:1"}}, .relation = DPN_ADD_REMOVE};
    wanted loose = asked;
    loose.epsilon = "100";
    dpn_query *query = compiled(&asked), *other = compiled(&loose);
    dpn_tally *tally = tallied(query, rng, rows, 2), *part = NULL;
    dpn_answer *answer = NULL, *second = NULL;
    dpn_error why = {0};
    assert_int_equal(dpn_tally_split(&part, tally, &why), DPN_OK);
    assert_int_equal(dpn_query_answer(&second, other, tally, rng, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_query_answer(&second, query, NULL, rng, &why), DPN_EDOMAIN);
    if (dpn_query_answer(&answer, query, tally, rng, &why)) fail_msg("%s", why.sentence);
    assert_int_equal(dpn_query_answer(&second, query, tally, rng, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_query_answer(&second, query, part, rng, &why), DPN_EDOMAIN);
    assert_null(second);
    dpn_answer_free(answer);
    dpn_tally_free(part);
    dpn_tally_free(tally);
    dpn_query_free(query);
    dpn_query_free(other);
}

/* Keys of many persons appear, a key of one person practically never does (delta 1e-9). */
static void unknown_keys(void **state) {
    (void)state;
    static row rows[2000];
    for (size_t r = 0; r < 2000; r++) {
        rows[r] = (row){0};
        snprintf(rows[r].region, TEXT, "%s", r == 0 ? "rare" : r % 2 ? "north" : "south");
        snprintf(rows[r].id, TEXT, "%zu", r);
    }
    dpn_rng *rng = source_of_noise();
    dpn_query *query = compiled(&(wanted){
        .part = {{"count", NULL}, {"by", "region"}}, .relation = DPN_ADD_REMOVE, .epsilon = "1", .delta = "1e-9"});
    assert_int_equal(dpn_query_groups(query), 0);
    dpn_tally *tally = tallied(query, rng, rows, 2000);
    for (int t = 0; t < 100; t++) {
        dpn_answer *answer = NULL;
        dpn_error why = {0};
        if (dpn_answer_draw(&answer, query, tally, rng, &why)) fail_msg("%s", why.sentence);
        assert_int_equal(answer->groups, 2);
        assert_string_equal(answer->key[0], "north");
        assert_string_equal(answer->key[1], "south");
        dpn_answer_free(answer);
    }
    dpn_tally_free(tally);
    dpn_query_free(query);
}

/* A key is shown where its noisy number of persons is above the threshold, for which delta is worked out, and not where it is the threshold itself. Of a key
 * with as many persons as that, noise on the integers shows half of the draws that are not 0: all of these, and no more. The share of 4000 draws is within
 * 7 of its standard deviations, and the seed is fixed. */
static void keys_are_shown_above_the_threshold(void **state) {
    (void)state;
    enum { DRAWS = 4000 };
    dpn_rng *rng = source_of_noise();
    dpn_query *query = compiled(&(wanted){.part = {{"count", NULL}, {"by", "region"}},
                                          .relation = DPN_ADD_REMOVE,
                                          .epsilon = "1",
                                          .delta = "1e-6",
                                          .noise = "discrete-laplace"});
    dpn_query_facts facts = dpn_query_look(query);
    size_t persons = (size_t)facts.threshold, shown = 0;
    row rows[ROWS] = {{{0}, {0}, {0}, {0}}};
    assert_true(persons > 1 && persons < ROWS);
    for (size_t r = 0; r < persons; r++) strcpy(rows[r].region, "north");
    dpn_tally *tally = tallied(query, rng, rows, persons);
    for (int t = 0; t < DRAWS; t++) {
        dpn_answer *answer = NULL;
        dpn_error why = {0};
        if (dpn_answer_draw(&answer, query, tally, rng, &why)) fail_msg("%s", why.sentence);
        shown += answer->groups;
        if (answer->groups && !(answer->cell[0].value > (double)facts.threshold))
            fail_msg("a key of %g persons is shown, the threshold being %g", answer->cell[0].value,
                     (double)facts.threshold);
        dpn_answer_free(answer);
    }
    double share = dpn_law_sf(dpn_plan_law(facts.plan, 0), 0); /* P(Z > 0) */
    double off = (double)shown - DRAWS * share, spread = sqrt(DRAWS * share * (1 - share));
    if (!(share > 0.2 && share < 0.5 && fabs(off) < 7 * spread))
        fail_msg("%zu of %d draws are shown, not %g", shown, DRAWS, DRAWS * share);
    dpn_tally_free(tally);
    dpn_query_free(query);
}

/* Sums of values of which none is negative are raised to 0, and no others: rows of -90 have a negative sum, and rows of 0 one below 0 in half of all draws. */
static void sums_that_may_be_negative_stay(void **state) {
    (void)state;
    static const struct {
        const char *sum, *x;
        bool may;
    } of[] = {{"x:-100:100", "-90", true},
              {"x:-100:0", "-90", true},
              {"x:-1:100", "-90", true},
              {"x:0:100", "0", false},
              {"x:20:100", "0", false}};
    dpn_rng *rng = source_of_noise();
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        row rows[ROWS] = {{{0}, {0}, {0}, {0}}};
        for (size_t r = 0; r < ROWS; r++) snprintf(rows[r].x, TEXT, "%s", of[i].x);
        dpn_query *query = compiled(&(wanted){.part = {{"sum", of[i].sum}},
                                              .relation = DPN_ADD_REMOVE,
                                              .epsilon = of[i].may ? "1000" : "0.001",
                                              .nonnegative = true});
        dpn_tally *tally = tallied(query, rng, rows, ROWS);
        for (int t = 0; t < 40; t++) {
            dpn_answer *answer = NULL;
            dpn_error why = {0};
            if (dpn_answer_draw(&answer, query, tally, rng, &why)) fail_msg("%s", why.sentence);
            if ((answer->cell[0].value < 0) != of[i].may) fail_msg("sum %s: %g", of[i].sum, answer->cell[0].value);
            dpn_answer_free(answer);
        }
        dpn_tally_free(tally);
        dpn_query_free(query);
    }
}

/* Bins add up to the count, are whole, and none is negative if that is asked. */
static void totals_add_up(void **state) {
    (void)state;
    draw_source source = {17};
    row rows[ROWS];
    for (size_t r = 0; r < 50; r++) rows[r] = draw_row(&source, false);
    dpn_rng *rng = source_of_noise();
    for (int nonnegative = 0; nonnegative < 2; nonnegative++) {
        dpn_query *query = compiled(&(wanted){.part = {{"count", NULL}, {"histogram", "x:-inf,0,25,50,75,100,inf"}},
                                              .relation = DPN_ADD_REMOVE,
                                              .epsilon = "0.005",
                                              .nonnegative = nonnegative,
                                              .consistent = true});
        dpn_tally *tally = tallied(query, rng, rows, 50);
        bool negative = false;
        for (int t = 0; t < 300; t++) {
            dpn_answer *answer = NULL;
            dpn_error why = {0};
            if (dpn_answer_draw(&answer, query, tally, rng, &why)) fail_msg("%s", why.sentence);
            double sum = 0;
            for (size_t i = 1; i < answer->outputs; i++) {
                sum += answer->cell[i].value;
                negative |= answer->cell[i].value < 0;
                assert_true(answer->cell[i].value == floor(answer->cell[i].value));
            }
            assert_true(sum == answer->cell[0].value);
            dpn_answer_free(answer);
        }
        assert_true(negative == !nonnegative);
        dpn_tally_free(tally);
        dpn_query_free(query);
    }
}

/* One bin has all the rows and a hundred have none: what noise adds to those is taken from the one, and its interval must
 * hold the exact value all the same. Of 400, 95% less five standard deviations are 358. */
static void moved_bins_keep_their_interval(void **state) {
    (void)state;
    static row rows[100];
    char edges[600] = "x:-inf";
    for (size_t r = 0; r < 100; r++) rows[r] = (row){.x = "-1"};
    for (int i = 0; i < 100; i++) snprintf(edges + strlen(edges), sizeof edges - strlen(edges), ",%d", i);
    strcat(edges, ",inf");
    dpn_rng *rng = source_of_noise();
    dpn_query *query = compiled(&(wanted){.part = {{"count", NULL}, {"histogram", edges}},
                                          .relation = DPN_ADD_REMOVE,
                                          .epsilon = "0.2",
                                          .nonnegative = true,
                                          .consistent = true});
    dpn_tally *tally = tallied(query, rng, rows, 100);
    int held = 0;
    for (int t = 0; t < 400; t++) {
        dpn_answer *answer = NULL;
        dpn_error why = {0};
        if (dpn_answer_draw(&answer, query, tally, rng, &why)) fail_msg("%s", why.sentence);
        const dpn_answer_cell *full = &answer->cell[1];
        held += full->low <= 100 && 100 <= full->high;
        assert_true(full->low <= full->value && full->value <= full->high);
        dpn_answer_free(answer);
    }
    if (held < 358) fail_msg("only %d of 400 intervals hold the exact value", held);
    dpn_tally_free(tally);
    dpn_query_free(query);
}

/* A median: within its rank error nearly always, and one of the edges. */
static void medians(void **state) {
    (void)state;
    static row rows[5000];
    draw_source source = {19};
    for (size_t r = 0; r < 5000; r++) {
        rows[r] = (row){0};
        snprintf(rows[r].x, TEXT, "%.2f", draw_uniform(&source, 0, 100));
    }
    dpn_rng *rng = source_of_noise();
    dpn_query *query =
        compiled(&(wanted){.part = {{"quantile", "x:0.5:0:100"}, {"count", NULL}}, .relation = DPN_ADD_REMOVE});
    assert_true(dpn_query_look(query).quantile_epsilon <= 0.5 && dpn_query_look(query).quantile_epsilon > 0.49999);
    dpn_tally *tally = tallied(query, rng, rows, 5000);
    int within = 0;
    for (int t = 0; t < 400; t++) {
        dpn_answer *answer = NULL;
        dpn_error why = {0};
        if (dpn_answer_draw(&answer, query, tally, rng, &why)) fail_msg("%s", why.sentence);
        double below = 0, value = answer->cell[0].value;
        for (size_t r = 0; r < 5000; r++) below += strtod(rows[r].x, NULL) < value;
        within += fabs(below - 2500) <= answer->cell[0].rank95 + 5; /* the best edge is off by a few rows itself */
        assert_true(fabs(value * 10 - round(value * 10)) < 1e-9);
        dpn_answer_free(answer);
    }
    assert_true(within >=
                360); /* 0.95 or more each: fewer than 360 of 400 has a probability below 1e-4 only at 0.95 exactly */
    dpn_tally_free(tally);
    dpn_query_free(query);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        wanted wanted;
        dpn_status status;
    } bad[] = {
        {{.part = {{"count", NULL}, {"by", "region"}}, .relation = DPN_ADD_REMOVE}, DPN_EDOMAIN},
        {{.part = {{"count", NULL}}, .relation = DPN_ADD_REMOVE, .consistent = true}, DPN_EDOMAIN},
        /* a histogram that leaves rows out has another total */
        {{.part = {{"count", NULL}, {"histogram", "x:0,1,inf"}}, .relation = DPN_ADD_REMOVE, .consistent = true},
         DPN_EDOMAIN},
        {{.part = {{"count", NULL}, {"histogram", "x:-inf,0,1"}}, .relation = DPN_ADD_REMOVE, .consistent = true},
         DPN_EDOMAIN},
        {{.part = {{"count", NULL}, {"histogram", "x:0,1,2"}}, .relation = DPN_ADD_REMOVE, .noise = "k-norm"},
         DPN_EUNSUPPORTED},
        {{.part = {{"histogram", "x:0,1,2"}},
          .relation = DPN_ADD_REMOVE,
          .noise = "staircase",
          .person = "id",
          .max_rows = 2},
         DPN_EUNSUPPORTED},
        {{.part = {{"count", NULL}}, .relation = DPN_ADD_REMOVE, .missing = "refuse"}, DPN_EDOMAIN},
        {{.part = {{"count", NULL}}, .relation = DPN_ADD_REMOVE, .noise = "gaussian"}, DPN_EUNSUPPORTED},
        {{.part = {{"sum", "x:0:1000000"}}, .relation = DPN_ADD_REMOVE, .person = "id", .max_rows = 1000000000},
         DPN_EDOMAIN},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_declaration d = declared(&bad[i].wanted);
        dpn_query *query = NULL;
        dpn_error why = {0};
        dpn_status status = dpn_query_new(&query, &d, NULL, &why);
        if (status != bad[i].status) fail_msg("case %zu: %d %s", i, (int)status, why.sentence);
        assert_true(why.sentence[0] && !query);
        dpn_declaration_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_unit_moves_within_the_set),
        cmocka_unit_test(plans_are_certified),
        cmocka_unit_test(bins_and_thresholds_have_noise_of_their_own),
        cmocka_unit_test(charges_fit_their_budget),
        cmocka_unit_test(unknown_keys_charge_their_threshold),
        cmocka_unit_test(each_group_of_a_person_is_charged),
        cmocka_unit_test(known_plans),
        cmocka_unit_test(thresholds),
        cmocka_unit_test(thresholds_are_of_the_noise_of_persons),
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(public_counts_are_exact),
        cmocka_unit_test(one_answer_for_one_charge),
        cmocka_unit_test(unknown_keys),
        cmocka_unit_test(keys_are_shown_above_the_threshold),
        cmocka_unit_test(sums_that_may_be_negative_stay),
        cmocka_unit_test(totals_add_up),
        cmocka_unit_test(moved_bins_keep_their_interval),
        cmocka_unit_test(medians),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
