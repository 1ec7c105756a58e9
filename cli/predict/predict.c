/* dpnoise predict: what a model says of rows. */
#include "predict/predict.h"

#include "kit/command.h"
#include "kit/fail.h"
#include "kit/file.h"
#include "kit/json.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

dpn_status predict_read_model(dpn_model **out, const char *name, dpn_error *why) {
    char *text = NULL;
    size_t length = 0;
    dpn_status status = file_read(&text, &length, name, FILE_MOST, "the model: ", why);
    if (status) return status;
    status = length > FILE_MOST ? refuse(why, DPN_EIO, "the model '%.80s' is longer than 64 MiB", name)
                                : dpn_model_read(out, text, length, why);
    free(text);
    return status;
}

/* The columns of the features, and with --score that of the target. */
static dpn_status open_rows(dpn_table **out, const dpn_model *model, const struct arguments *arguments,
                            dpn_error *why) {
    dpn_table_options options = dpn_table_options_init();
    options.table = arguments_value(arguments, "--table");
    options.in_order = true;
    dpn_status status = dpn_table_open(out, arguments->operand[1], &options, why);
    if (status) return status == DPN_EPARSE ? (why->status = DPN_EIO) : status;
    size_t columns = model->features + arguments_have(arguments, "--score");
    size_t *wanted = calloc(columns, sizeof *wanted);
    if (!wanted) return refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t j = 0; j < columns && !status; j++)
        status = dpn_table_find(&wanted[j], *out, j < model->features ? model->feature[j].column : model->target, why);
    if (!status) status = dpn_table_want(*out, wanted, columns, why);
    free(wanted);
    return status;
}

static void print(struct json *json, double value) {
    char text[DPN_NUMBER_SIZE];
    if (json)
        json_number(json, NULL, value);
    else
        puts(isnan(value) ? "" : dpn_number_print(text, value));
}

/* Rows of text that could not be split have their place; those of databases stand before the others that come with them. */
static dpn_status predict(struct json *json, const dpn_model *model, dpn_table *table, dpn_error *why) {
    const dpn_field *field;
    size_t rows = 1;
    uint64_t unusable = 0;
    dpn_status status = DPN_OK;
    while (!status && rows > 0) {
        status = dpn_table_next(&field, &rows, table, why);
        for (; unusable < dpn_table_unusable(table, NULL) && !status; unusable++) print(json, NAN);
        for (size_t r = 0; r < rows && !status; r++) print(json, dpn_model_predict(model, field + r * model->features));
    }
    if (!status && unusable > 0) status = refuse(why, DPN_EIO, "some rows cannot be read");
    return status;
}

static dpn_status print_predictions(const struct arguments *arguments, const dpn_model *model, dpn_table *table,
                                    dpn_error *why) {
    if (!arguments_have(arguments, "--json")) return predict(NULL, model, table, why);
    struct json object = json_begin(stdout);
    json_string(&object, "target", model->target);
    json_open_array(&object, "predictions");
    dpn_status status = predict(&object, model, table, why);
    json_close_array(&object);
    json_end(&object);
    return status;
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    dpn_model *model = NULL, *other = NULL;
    dpn_table *table = NULL;
    const char *against = arguments_value(arguments, "--against");
    bool score = arguments_have(arguments, "--score");
    if (arguments->operands != 2)
        return refuse(why, DPN_EPARSE, "give a model and the rows: dpnoise predict model.json people.csv");
    if (against && !score) return refuse(why, DPN_EPARSE, "--against belongs to --score: give both");
    dpn_status status = predict_read_model(&model, arguments->operand[0], why);
    if (!status && against) status = predict_read_model(&other, against, why);
    if (!status) status = open_rows(&table, model, arguments, why);
    if (!status)
        status = score ? predict_score(arguments, model, other, table, why)
                       : print_predictions(arguments, model, table, why);
    dpn_table_close(table);
    dpn_model_free(other);
    dpn_model_free(model);
    return status;
}

static const struct option options[] = {
    {"--score", NULL, false, "instead, how well the model does on the rows, which have the target too: not private"},
    {"--against", "MODEL", false, "with --score: also how far its coefficients are from those of this model"},
    {"--table", "NAME", false, "the table of a database"},
    {NULL, NULL, false, NULL},
};

const struct command predict_command = {
    .name = "predict",
    .summary = "what a fitted model says of rows",
    .synopsis = "MODEL DATA [--score [--against MODEL]] [--json]",
    .description =
        "MODEL is what dpnoise fit --json printed, DATA a table with the columns of its features. One number a line: "
        "the\n"
        "mean of the target, within its bounds, or the probability of the upper class; an empty line (in JSON null) "
        "where a field is no\n"
        "number. Nothing is charged: the model is private already, and the rows are those of whoever asks.\n",
    .example = "  printf 'hours,income\\n38,31000\\n40,42000\\n20,18000\\n' >people.csv\n"
               "  dpnoise fit linear people.csv --target income:0:100000 --features hours:0:80 --epsilon 1 --json "
               ">model.json\n"
               "  dpnoise predict model.json people.csv\n"
               "  dpnoise predict model.json people.csv --score\n",
    .options = options,
    .run = run,
};
