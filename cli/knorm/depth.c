/* Depth, concentration sets and conditional variances of K-norm noise; the power of tests against it. */
#include "kit/fail.h"
#include "kit/table.h"
#include "knorm/knorm.h"

#include <math.h>
#include <stdio.h>

/* What there is to say of a point: all in the scale of the noise. */
struct point {
    double norm, depth,
        variance; /* variance: of the noise along the line through the point, given that it lies there */
};

static struct point look_at(const struct knorm_question *question, const double *x) {
    const struct knorm_ball *at = &question->ball[0];
    double scale = at->delta / question->epsilon;
    return (struct point){dpn_ball_norm(at->ball, x), dpn_knorm_depth(at->ball, scale, x),
                          dpn_knorm_conditional_variance(at->ball, scale, x)};
}

/* The volume of tK, t the radius; NaN if that of K is not known. */
static double volume_of(const struct knorm_question *question, double radius) {
    const struct knorm_ball *at = &question->ball[0];
    return exp(at->volume.log + (double)question->dimension * log(radius));
}

static void write_json(const struct knorm_question *question, const struct numbers *x, const struct numbers *prob) {
    const struct knorm_ball *at = &question->ball[0];
    double scale = at->delta / question->epsilon;
    struct json object = json_begin(stdout);
    json_string(&object, "ball", at->text);
    json_count(&object, "dimension", question->dimension);
    json_number(&object, "epsilon", question->epsilon);
    json_number(&object, "sensitivity", at->delta);
    if (x->count) {
        struct point found = look_at(question, x->at);
        json_number(&object, "norm", found.norm);
        json_number(&object, "depth", found.depth);
        json_number(&object, "conditional_variance", found.variance);
    }
    json_open_array(&object, "concentration");
    for (size_t i = 0; i < prob->count; i++) {
        double radius = dpn_knorm_radius(question->dimension, scale, prob->at[i]);
        json_open_object(&object, NULL);
        json_number(&object, "p", prob->at[i]);
        json_number(&object, "radius", radius);
        json_number(&object, "volume", volume_of(question, radius));
        json_close_object(&object);
    }
    json_close_array(&object);
    json_end(&object);
}

static dpn_status print_sets(const struct knorm_question *question, const struct numbers *prob, dpn_error *why) {
    static const char *const head[] = {"probability", "radius", "volume"};
    struct table table;
    dpn_status status = table_make(&table, prob->count + 1, 3, why);
    if (status) return status;
    for (size_t i = 0; i < 3; i++) table_set(&table, 0, i, "%s", head[i]);
    for (size_t i = 0; i < prob->count; i++) {
        double scale = question->ball[0].delta / question->epsilon;
        double radius = dpn_knorm_radius(question->dimension, scale, prob->at[i]);
        table_set_number(&table, i + 1, 0, prob->at[i]);
        table_set_number(&table, i + 1, 1, radius);
        table_set_number(&table, i + 1, 2, volume_of(question, radius));
    }
    puts("\nThe smallest sets with a given probability of the noise, multiples of the ball:");
    table_print(stdout, &table, 2);
    table_free(&table);
    return DPN_OK;
}

static dpn_status print_text(const struct knorm_question *question, const struct numbers *x, const struct numbers *prob,
                             dpn_error *why) {
    const struct knorm_ball *at = &question->ball[0];
    printf("%s in %zu dimensions\n  sensitivity   %.10g\n", at->text, question->dimension, at->delta);
    if (x->count) {
        struct point found = look_at(question, x->at);
        printf("  norm          %.10g\n  depth         %.10g at epsilon %.10g\n", found.norm, found.depth,
               question->epsilon);
        printf("  variance      %.10g along this line, given that the noise is on it\n", found.variance);
    }
    return prob->count ? print_sets(question, prob, why) : DPN_OK;
}

dpn_status knorm_depth(struct knorm_question *question, const struct numbers *x, const struct numbers *prob, bool json,
                       dpn_error *why) {
    if (!x->count && !prob->count)
        return refuse(why, DPN_EPARSE, "depth needs a vector, --at 1,2, or a probability, --prob 0.95");
    if (x->count && x->count != question->dimension)
        return refuse(why, DPN_EPARSE, "--at has %zu numbers, but %.40s has %zu dimensions", x->count,
                      question->ball[0].text, question->dimension);
    dpn_status status = DPN_OK;
    if (prob->count)
        status = dpn_ball_volume(&question->ball[0].volume, question->ball[0].ball, question->rng,
                                 (size_t)question->points, why);
    if (status) return status;
    if (!json) return print_text(question, x, prob, why);
    write_json(question, x, prob);
    return DPN_OK;
}

/* ---- Power ---- */

dpn_status knorm_power(double epsilon, const struct numbers *level, bool json, dpn_error *why) {
    if (!level->count) return refuse(why, DPN_EPARSE, "power needs the level of a test: --level 0.05");
    if (json) {
        struct json object = json_begin(stdout);
        json_number(&object, "epsilon", epsilon);
        json_open_array(&object, "power");
        for (size_t i = 0; i < level->count; i++) {
            dpn_test_power found = dpn_knorm_power(epsilon, level->at[i]);
            json_open_object(&object, NULL);
            json_number(&object, "level", level->at[i]);
            json_number(&object, "printed", found.printed);
            json_number(&object, "power", found.both);
            json_close_object(&object);
        }
        json_close_array(&object);
        json_end(&object);
        return DPN_OK;
    }
    printf("The most power that a test for one record has at epsilon %.10g:\n", epsilon);
    for (size_t i = 0; i < level->count; i++) {
        dpn_test_power found = dpn_knorm_power(epsilon, level->at[i]);
        printf("  level %.10g   %.10g (level times e^epsilon: %.10g)\n", level->at[i], found.both, found.printed);
    }
    return DPN_OK;
}
