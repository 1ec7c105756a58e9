/* dpnoise predict --score: how well a model does. */
#include "predict/predict.h"

#include "kit/fail.h"
#include "kit/json.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct score {
    uint64_t rows, left_out; /* left out: a field that is not a number */
    double residuals;        /* sum of squares */
    double sizes, below;     /* sum of their sizes; rows with less than the prediction, half of those that are equal */
    double sum, squares;     /* of the target's distance from the middle of its bounds */
    double wrong, log_loss;  /* of a logistic model */
    double nmse, distance, held; /* against another model; held: the share of intervals that hold its coefficient */
};

/* ---- Against the data ---- */

static double number_of(dpn_field field) {
    char text[512];
    double value;
    if (!field.text || field.length == 0 || field.length >= sizeof text) return NAN;
    memcpy(text, field.text, field.length);
    text[field.length] = '\0';
    return dpn_number_parse(&value, text, NULL) ? NAN : value;
}

static void add_row(struct score *score, const dpn_model *model, double predicted, double y) {
    double middle = 0.5 * (model->lower + model->upper);
    if (isnan(predicted) || isnan(y)) {
        score->left_out++;
        return;
    }
    score->rows++;
    if (model->kind == DPN_FIT_LOGISTIC) {
        bool above = y > middle;
        score->wrong += (predicted > 0.5) != above;
        score->log_loss -= log(above ? predicted : 1 - predicted);
        return;
    }
    score->residuals += (y - predicted) * (y - predicted);
    score->sizes += fabs(y - predicted);
    score->below += y < predicted ? 1 : y == predicted ? 0.5 : 0;
    score->sum += y - middle;
    score->squares += (y - middle) * (y - middle);
}

static dpn_status read_rows(struct score *score, const dpn_model *model, dpn_table *table, dpn_error *why) {
    const dpn_field *field;
    size_t rows = 1, width = model->features + 1;
    dpn_status status = DPN_OK;
    while (!status && rows > 0) {
        status = dpn_table_next(&field, &rows, table, why);
        for (size_t r = 0; r < rows && !status; r++)
            add_row(score, model, dpn_model_predict(model, field + r * width), number_of(field[r * width + width - 1]));
    }
    score->left_out += dpn_table_unusable(table, NULL);
    return status;
}

/* ---- Against another model ---- */

/* Coefficient i in the unit in which target and features lie between -1 and 1, 0 being the constant. */
static double scaled(const dpn_model *model, size_t i) {
    double height = model->kind != DPN_FIT_LOGISTIC ? 0.5 * (model->upper - model->lower) : 1;
    double middle = model->kind != DPN_FIT_LOGISTIC ? 0.5 * (model->upper + model->lower) : 0;
    if (i > 0) {
        const dpn_feature *feature = &model->feature[i - 1];
        double half = feature->level ? 1 : 0.5 * (feature->upper - feature->lower);
        return model->coefficient[i - 1 + model->intercept].value * half / height;
    }
    if (!model->intercept) return 0;
    double sum = model->coefficient[0].value;
    for (size_t j = 0; j < model->features; j++)
        if (!model->feature[j].level)
            sum += model->coefficient[j + 1].value * 0.5 * (model->feature[j].lower + model->feature[j].upper);
    return (sum - middle) / height;
}

static bool same_shape(const dpn_model *a, const dpn_model *b) {
    if (a->kind != b->kind || a->intercept != b->intercept || a->coefficients != b->coefficients) return false;
    bool same = a->lower == b->lower && a->upper == b->upper;
    for (size_t i = 0; i < a->coefficients; i++) same &= strcmp(a->coefficient[i].name, b->coefficient[i].name) == 0;
    for (size_t j = 0; j < a->features && same; j++)
        same = a->feature[j].lower == b->feature[j].lower && a->feature[j].upper == b->feature[j].upper;
    return same;
}

static dpn_status compare(struct score *score, const dpn_model *model, const dpn_model *other, dpn_error *why) {
    double squares = 0, apart = 0, held = 0, told = 0;
    if (!same_shape(model, other))
        return refuse(why, DPN_EDOMAIN, "--against: the models have other features, bounds or kinds");
    for (size_t i = 0; i <= model->features; i++) {
        squares += scaled(other, i) * scaled(other, i);
        apart += (scaled(model, i) - scaled(other, i)) * (scaled(model, i) - scaled(other, i));
    }
    for (size_t i = 0; i < model->coefficients; i++) {
        told += !isnan(model->coefficient[i].low);
        held += model->coefficient[i].low <= other->coefficient[i].value &&
                other->coefficient[i].value <= model->coefficient[i].high;
    }
    score->distance = sqrt(apart);
    score->nmse = apart / squares;
    score->held = told > 0 ? held / told : NAN;
    return DPN_OK;
}

/* ---- Telling ---- */

/* The measures of a kind of fit: what the residuals are of the sum of squares about the mean, and about 0, which papers use. */
struct measure {
    const char *name, *words;
    double value;
};

static size_t measures_of(struct measure out[8], const struct score *score, const dpn_model *model, bool against) {
    double n = (double)score->rows, middle = 0.5 * (model->lower + model->upper);
    double about_mean = score->squares - score->sum * score->sum / n;
    double about_zero = score->squares + 2 * middle * score->sum + n * middle * middle;
    size_t count = 0;
    if (model->kind == DPN_FIT_QUANTILE) {
        out[count++] = (struct measure){"share_below", "share of rows with less than predicted", score->below / n};
        out[count++] = (struct measure){"mae", "mean distance from the prediction", score->sizes / n};
    } else if (model->kind == DPN_FIT_LINEAR) {
        out[count++] = (struct measure){"rmse", "root of the mean squared error", sqrt(score->residuals / n)};
        out[count++] =
            (struct measure){"normalised_rss", "residual share of the variance", score->residuals / about_mean};
        out[count++] = (struct measure){"test_error", "residual share of the squares of the target",
                                        score->residuals / about_zero};
    } else {
        out[count++] =
            (struct measure){"misclassification", "share of rows on the wrong side of 1/2", score->wrong / n};
        out[count++] = (struct measure){"log_loss", "mean log loss", score->log_loss / n};
    }
    if (!against) return count;
    out[count++] = (struct measure){"nmse", "squared distance of the coefficients, as a share", score->nmse};
    out[count++] = (struct measure){"distance", "distance of the coefficients, all columns in -1..1", score->distance};
    out[count++] = (struct measure){"coverage", "share of the intervals that hold them", score->held};
    return count;
}

dpn_status predict_score(const struct arguments *arguments, const dpn_model *model, const dpn_model *against,
                         dpn_table *table, dpn_error *why) {
    struct score score = {0};
    struct measure measure[8];
    dpn_status status = against ? compare(&score, model, against, why) : DPN_OK;
    if (!status) status = read_rows(&score, model, table, why);
    if (!status && score.rows == 0)
        status =
            refuse(why, DPN_EIO, "there is no row to score: none has a number in every column that the model needs");
    if (status) return status;
    size_t measures = measures_of(measure, &score, model, against != NULL);
    if (arguments_have(arguments, "--json")) {
        struct json object = json_begin(stdout);
        json_string(&object, "target", model->target);
        json_count(&object, "rows", score.rows);
        json_count(&object, "left_out", score.left_out);
        for (size_t i = 0; i < measures; i++) json_number(&object, measure[i].name, measure[i].value);
        json_bool(&object, "private", false);
        json_end(&object);
        return DPN_OK;
    }
    printf("  %-18s %" PRIu64 "; %" PRIu64 " without a number left out\n", "rows", score.rows, score.left_out);
    for (size_t i = 0; i < measures; i++)
        printf("  %-18s %-10.5g %s\n", measure[i].name, measure[i].value, measure[i].words);
    puts("  guarantee          NONE: these numbers were computed from the rows as they are");
    return DPN_OK;
}
