/* Calibrations for lists of epsilons and deltas: a table, CSV or JSON, a curve or a heat map. */
#include "calibrate/calibrate.h"
#include "kit/fail.h"
#include "kit/json.h"
#include "kit/picture.h"
#include "kit/table.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list of decimals as they were written, separated by commas. */
struct texts {
    char *store;
    const char **at;
    size_t count;
};

/* One guarantee and what it costs. */
struct cell {
    const char *epsilon, *delta; /* as written; delta NULL if it was not given */
    char law[DPN_LAW_TEXT_SIZE];
    double nearest[2];                     /* epsilon and delta as numbers */
    double error, mse, certified, against; /* against: the error of --against, NaN without */
};

struct grid {
    struct texts epsilon, delta;
    struct cell *cell; /* the epsilons of the first delta first */
    const char *family, *against, *plot;
    bool assumed;               /* nobody said how far a row moves the answers */
    dpn_sensitivity neighbours; /* its relation and unit alone */
    dpn_objective objective;
};

bool grid_asked(const struct arguments *arguments) {
    const char *epsilon = arguments_value(arguments, "--epsilon"), *delta = arguments_value(arguments, "--delta");
    return arguments_have(arguments, "--grid") || arguments_have(arguments, "--against") ||
           (epsilon && strchr(epsilon, ',')) || (delta && strchr(delta, ','));
}

/* ---- Reading ---- */

static dpn_status split(struct texts *out, const char *text, dpn_error *why) {
    size_t most = 1;
    out->count = 0;
    size_t length = text ? strlen(text) : 0;
    out->store = calloc(length + 1, 1);
    if (out->store && text) memcpy(out->store, text, length);
    for (const char *c = out->store; c && *c; c++) most += *c == ',';
    out->at = calloc(most, sizeof *out->at);
    if (!out->store || !out->at) return refuse(why, DPN_ENOMEM, "out of memory");
    for (char *c = out->store; text && c;) {
        out->at[out->count++] = c;
        c = strchr(c, ',');
        if (c) *c++ = '\0';
    }
    return DPN_OK;
}

/* The words of the command with one epsilon, one delta and one family in place of the lists. */
static dpn_status choose(struct arguments *out, const struct arguments *all, const struct cell *cell,
                         const char **family, dpn_error *why) {
    *out = *all;
    out->operand = family;
    out->operands = 1;
    out->given = calloc(all->givens + 1, sizeof *out->given);
    if (!out->given) return refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < all->givens; i++) {
        out->given[i] = all->given[i];
        if (!strcmp(all->given[i].option->name, "--epsilon")) out->given[i].value = cell->epsilon;
        if (!strcmp(all->given[i].option->name, "--delta")) out->given[i].value = cell->delta;
    }
    return DPN_OK;
}

static dpn_status fill_one(struct calibrated *out, const struct arguments *all, const struct cell *cell,
                           const char *family, dpn_error *why) {
    struct arguments one;
    dpn_status status = choose(&one, all, cell, &family, why);
    if (!status) status = calibrate_one(out, &one, why);
    free(one.given);
    return status;
}

static dpn_status fill(struct grid *grid, struct cell *cell, const struct arguments *all, dpn_error *why) {
    struct calibrated found = {0};
    cell->against = NAN;
    dpn_status status = fill_one(&found, all, cell, grid->family, why);
    if (!status) {
        const dpn_law *law = plan_common_law(&found.plan);
        if (law) dpn_law_print(cell->law, law);
        cell->nearest[0] = found.asked.asked_epsilon;
        cell->nearest[1] = found.asked.asked_delta;
        cell->error = found.plan.error;
        cell->mse = found.plan.mse;
        cell->certified = found.plan.delta.upper;
        grid->objective = found.asked.options.objective;
    }
    calibrated_free(&found);
    if (status || !grid->against) return status;
    struct calibrated other = {0};
    status = fill_one(&other, all, cell, grid->against, why);
    if (!status) cell->against = other.plan.error;
    calibrated_free(&other);
    return status;
}

/* ---- Printing ---- */

static size_t cells(const struct grid *grid) {
    return grid->epsilon.count * (grid->delta.count ? grid->delta.count : 1);
}

static double decibels(const struct cell *cell) {
    return 10 * log10(cell->error / cell->against);
}

static void print_csv(const struct grid *grid) {
    char error[DPN_NUMBER_SIZE], mse[DPN_NUMBER_SIZE], delta[DPN_NUMBER_SIZE];
    printf("epsilon,delta,error,mse,certified_delta,law%s\n", grid->against ? ",against,decibels" : "");
    for (size_t i = 0; i < cells(grid); i++) {
        const struct cell *cell = &grid->cell[i];
        printf("%s,%s,%s,%s,%s,\"%s\"", cell->epsilon, cell->delta ? cell->delta : "0",
               dpn_number_print(error, cell->error), dpn_number_print(mse, cell->mse),
               dpn_number_print(delta, cell->certified), cell->law);
        if (grid->against) printf(",%s", dpn_number_print(error, cell->against));
        if (grid->against) printf(",%s", dpn_number_print(error, decibels(cell)));
        putchar('\n');
    }
}

static void print_json(const struct grid *grid) {
    struct json object = json_begin(stdout);
    json_string(&object, "family", grid->family);
    if (grid->against) json_string(&object, "against", grid->against);
    json_string(&object, "objective", dpn_objective_name(grid->objective));
    json_open_array(&object, "grid");
    for (size_t i = 0; i < cells(grid); i++) {
        const struct cell *cell = &grid->cell[i];
        json_open_object(&object, NULL);
        json_number(&object, "epsilon", cell->nearest[0]);
        json_number(&object, "delta", cell->nearest[1]);
        json_number(&object, "error", cell->error);
        json_number(&object, "mse", cell->mse);
        json_number(&object, "certified_delta", cell->certified);
        if (cell->law[0]) json_string(&object, "law", cell->law);
        if (grid->against) json_number(&object, "against", cell->against);
        if (grid->against) json_number(&object, "decibels", decibels(cell));
        json_close_object(&object);
    }
    json_close_array(&object);
    if (grid->plot) json_string(&object, "plot", grid->plot);
    json_end(&object);
}

static dpn_status print_text(const struct grid *grid, dpn_error *why) {
    struct table table;
    size_t columns = grid->against ? 6 : 4;
    dpn_status status = table_make(&table, cells(grid) + 1, columns, why);
    if (status) return status;
    table.left = 1u << (columns - 1);
    table_set(&table, 0, 0, "epsilon");
    table_set(&table, 0, 1, "delta");
    table_set(&table, 0, 2, "%s", objective_words(grid->objective));
    if (grid->against) table_set(&table, 0, 3, "%s", grid->against);
    if (grid->against) table_set(&table, 0, 4, "dB");
    table_set(&table, 0, columns - 1, "%s", grid->family);
    for (size_t i = 0; i < cells(grid); i++) {
        const struct cell *cell = &grid->cell[i];
        table_set(&table, i + 1, 0, "%s", cell->epsilon);
        table_set(&table, i + 1, 1, "%s", cell->delta ? cell->delta : "0");
        table_set_number(&table, i + 1, 2, cell->error);
        if (grid->against) table_set_number(&table, i + 1, 3, cell->against);
        if (grid->against) table_set(&table, i + 1, 4, "%.4f", decibels(cell));
        table_set(&table, i + 1, columns - 1, "%s", cell->law[0] ? cell->law : "one for each answer");
    }
    table.head = true;
    table_print(stdout, &table, 0);
    table_free(&table);
    if (grid->assumed) {
        putchar('\n');
        sensitivity_print_assumed(stdout, &grid->neighbours);
    }
    if (grid->plot) printf("\nThe picture is in %s.\n", grid->plot);
    return DPN_OK;
}

/* ---- Drawing ---- */

static double shown(const struct grid *grid, size_t i) {
    return grid->against ? decibels(&grid->cell[i]) : log10(grid->cell[i].error);
}

/* Cells of equal size, with the numbers as they were written at their sides. */
static void write_map(FILE *script, const struct grid *grid) {
    fputs("$grid << E\n0", script);
    for (size_t e = 0; e < grid->epsilon.count; e++) fprintf(script, " \"%s\"", grid->epsilon.at[e]);
    for (size_t d = 0; d < grid->delta.count; d++) {
        fprintf(script, "\n\"%s\"", grid->delta.at[d]);
        for (size_t e = 0; e < grid->epsilon.count; e++)
            fprintf(script, " %.12g", shown(grid, d * grid->epsilon.count + e));
    }
    fputs("\nE\nset xlabel 'epsilon' offset 0,0.3\nset ylabel 'delta' offset 1,0\nset cblabel ", script);
    if (grid->against)
        fprintf(script, "'10 log10(%s/%s)'\n", grid->family, grid->against);
    else
        fprintf(script, "'log10 of the %s'\n", objective_words(grid->objective));
    fputs("set colorbox\nset rmargin at screen 0.85\nset palette defined (0 '#0072b2', 1 '#f7f7f7', 2 '#d55e00')\n"
          "plot $grid matrix rowheaders columnheaders using 1:2:3 with image notitle\n",
          script);
}

/* The error against epsilon, a curve for each delta. */
static void write_curves(FILE *script, const struct grid *grid) {
    size_t curves = grid->delta.count ? grid->delta.count : 1;
    for (size_t d = 0; d < curves; d++) {
        fprintf(script, "$curve%zu << E\n", d);
        for (size_t e = 0; e < grid->epsilon.count; e++)
            fprintf(script, "%s %.12g %.12g\n", grid->epsilon.at[e], grid->cell[d * grid->epsilon.count + e].error,
                    grid->cell[d * grid->epsilon.count + e].against);
        fputs("E\n", script);
    }
    fprintf(script, "set logscale xy\nset xlabel 'epsilon' offset 0,0.3\nset ylabel '%s' offset 1,0\nplot ",
            objective_words(grid->objective));
    for (size_t d = 0; d < curves; d++) {
        fprintf(script, "$curve%zu using 1:2 with linespoints pt 7 ps 0.5 lw 2 lc '%s' notitle, ", d,
                picture_colour(d));
        if (grid->against)
            fprintf(script, "$curve%zu using 1:3 with lines lw 1 dt 2 lc '%s' notitle, ", d, picture_colour(d));
    }
    fputs("1/0 notitle\n", script);
}

static dpn_status draw(const struct grid *grid, dpn_error *why) {
    struct picture picture = picture_of_one(1);
    struct gnuplot gnuplot;
    dpn_status status = picture_open(&gnuplot, &picture, grid->plot, why);
    if (status) return status;
    fprintf(gnuplot.script, "set label '%s%s%s'", grid->family, grid->against ? ", against " : "",
            grid->against ? grid->against : "");
    picture_write_note(gnuplot.script, &picture, 0);
    if (grid->delta.count > 1 && grid->epsilon.count > 1)
        write_map(gnuplot.script, grid);
    else
        write_curves(gnuplot.script, grid);
    return gnuplot_close(&gnuplot, why);
}

/* ---- All of it ---- */

static dpn_status answer(struct grid *grid, const struct arguments *arguments, dpn_error *why) {
    grid->cell = calloc(cells(grid), sizeof *grid->cell);
    if (!grid->cell) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < cells(grid) && !status; i++) {
        grid->cell[i].epsilon = grid->epsilon.at[i % grid->epsilon.count];
        grid->cell[i].delta = grid->delta.count ? grid->delta.at[i / grid->epsilon.count] : NULL;
        status = fill(grid, &grid->cell[i], arguments, why);
    }
    if (!status && grid->plot) status = draw(grid, why);
    if (status) return status;
    if (arguments_have(arguments, "--json"))
        print_json(grid);
    else if (arguments_have(arguments, "--grid"))
        print_csv(grid);
    else
        return print_text(grid, why);
    return DPN_OK;
}

dpn_status calibrate_grid(const char *family, const struct arguments *arguments, dpn_error *why) {
    struct grid grid = {.family = family,
                        .against = arguments_value(arguments, "--against"),
                        .plot = arguments_value(arguments, "--plot"),
                        .assumed = !sensitivity_said(arguments)};
    if (!arguments_have(arguments, "--epsilon"))
        return refuse(why, DPN_EPARSE, "--grid, --against and lists are about --epsilon");
    dpn_status status = split(&grid.epsilon, arguments_value(arguments, "--epsilon"), why);
    if (!status) status = split(&grid.delta, arguments_value(arguments, "--delta"), why);
    if (!status) status = sensitivity_read_neighbours(&grid.neighbours, arguments, why);
    if (!status) status = answer(&grid, arguments, why);
    free(grid.cell);
    free(grid.epsilon.store);
    free(grid.delta.store);
    free(grid.epsilon.at);
    free(grid.delta.at);
    return status;
}
