/* The answer of `dpnoise loss --json`. */
#include "kit/json.h"
#include "loss/loss.h"

#include <math.h>

static void write_whole(struct json *json, const struct loss_curve *curve) {
    char text[DPN_LAW_TEXT_SIZE];
    json_string(json, "law", dpn_law_print(text, &curve->law));
    json_number(json, "shift", curve->shift);
    if (curve->has_affine) {
        json_open_object(json, "affine");
        json_number(json, "slope", curve->affine.slope);
        json_number(json, "offset", curve->affine.offset);
        json_close_object(json);
    } else {
        json_number(json, "affine", NAN); /* null */
    }
    if (!curve->has_terms) return;
    json_number(json, "r", curve->r);
    json_number(json, "omega", curve->terms.omega);
    json_number(json, "log_omega", curve->terms.log_omega);
    json_number(json, "theta", curve->terms.theta);
}

static void write_points(struct json *json, const struct loss_curve *curve, const struct numbers *at) {
    json_open_array(json, "at");
    for (size_t i = 0; i < at->count; i++) {
        double t = at->at[i];
        json_open_object(json, NULL);
        json_number(json, "t", t);
        json_number(json, "loss", dpn_privacy_loss(&curve->law, curve->shift, t));
        json_number(json, "loss_bound", loss_bound(curve, t));
        json_number(json, "centred", dpn_privacy_loss_centred(&curve->law, curve->shift, t));
        json_number(json, "centred_bound", loss_bound_centred(curve, t));
        json_close_object(json);
    }
    json_close_array(json);
}

static void write_threshold(struct json *json, const struct loss_curve *curve, double epsilon, uint64_t dimension,
                            const struct loss_threshold *at) {
    json_open_object(json, NULL);
    json_number(json, "epsilon", epsilon);
    json_number(json, "inverse", at->z);
    json_number(json, "t1", at->t1);
    json_number(json, "t2", at->t2);
    json_number(json, "sf_t1", dpn_law_sf(&curve->law, at->t1));
    json_number(json, "sf_t2", dpn_law_sf(&curve->law, at->t2));
    json_number(json, "delta", at->delta.upper);
    json_number(json, "delta_lower", at->delta.lower);
    if (at->table_case) json_count(json, "case", (uint64_t)at->table_case);
    if (dimension) {
        json_open_object(json, "algorithm_2");
        json_count(json, "dim", dimension);
        json_number(json, "printed", at->printed.upper);
        json_number(json, "corrected", at->corrected.upper);
        json_number(json, "corrected_lower", at->corrected.lower);
        json_close_object(json);
    }
    json_close_object(json);
}

/* A list of pairs of an argument and a value. */
static void write_pair(struct json *json, const char *argument, double x, const char *name, double value) {
    json_open_object(json, NULL);
    json_number(json, argument, x);
    json_number(json, name, value);
    json_close_object(json);
}

static dpn_status write_curve(struct json *json, const struct loss_question *question, const struct loss_curve *curve,
                              dpn_error *why) {
    dpn_status status = DPN_OK;
    write_whole(json, curve);
    write_points(json, curve, &question->at);
    json_open_array(json, "thresholds");
    for (size_t i = 0; i < question->epsilon.count && !status; i++) {
        struct loss_threshold at;
        status = loss_threshold_at(&at, curve, question->epsilon.at[i], question->dimension, why);
        if (!status) write_threshold(json, curve, question->epsilon.at[i], question->dimension, &at);
    }
    json_close_array(json);
    json_open_array(json, "orlicz");
    for (size_t i = 0; i < question->orlicz.count && !status; i++) {
        double value = NAN;
        status = dpn_law_orlicz(&value, &curve->law, question->orlicz.at[i], why);
        write_pair(json, "s", question->orlicz.at[i], "value", value);
    }
    json_close_array(json);
    json_open_array(json, "r_inverse");
    for (size_t i = 0; i < question->r_inverse.count; i++)
        write_pair(json, "nu", question->r_inverse.at[i], "alpha",
                   dpn_flipped_huber_r_inverse(fabs(curve->shift), question->r_inverse.at[i]));
    json_close_array(json);
    return status;
}

dpn_status loss_print_json(const struct loss_question *question, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t c = 0; c < question->curves && !status; c++) /* before anything is printed */
        for (size_t i = 0; i < question->epsilon.count && !status; i++)
            status = loss_threshold_at(&(struct loss_threshold){0}, &question->curve[c], question->epsilon.at[i],
                                       question->dimension, why);
    if (status) return status;
    struct json object = json_begin(stdout);
    if (question->curves == 1) {
        status = write_curve(&object, question, &question->curve[0], why);
    } else {
        json_open_array(&object, "losses");
        for (size_t c = 0; c < question->curves && !status; c++) {
            json_open_object(&object, NULL);
            status = write_curve(&object, question, &question->curve[c], why);
            json_close_object(&object);
        }
        json_close_array(&object);
    }
    if (question->plot) json_string(&object, "plot", question->plot);
    json_end(&object);
    return status;
}
