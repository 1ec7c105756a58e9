/* A synthetic census: the same rows every time. Nobody in it exists.
 *
 * Incomes are skewed (log-normal with the weight of education, region and age), so that means and medians differ, and regions
 * have different sizes. The random numbers are those of Park and Miller, 16807 x mod 2^31 - 1. */
#include "example/example.h"

#include <math.h>

struct dice {
    uint64_t seed;
};

static double uniform(struct dice *dice) {
    dice->seed = 16807 * dice->seed % 2147483647;
    return (double)dice->seed / 2147483647;
}

static double normal(struct dice *dice) {
    double sum = 0;
    for (int i = 0; i < 12; i++) sum += uniform(dice);
    return sum - 6;
}

/* What is drawn by weight: regions and schools, with the factor by which they pay. */
struct group {
    const char *name;
    double weight, pay;
};

static const struct group *pick(struct dice *dice, const struct group *groups, size_t count) {
    double point = uniform(dice);
    size_t i = 0;
    for (; i + 1 < count && point >= groups[i].weight; i++) point -= groups[i].weight;
    return &groups[i];
}

/* Pay rises up to fifty and falls a little after it. */
static double pay_at(double age) {
    return age < 50 ? 0.62 + 0.38 * (age - 18) / 32 : 1 - 0.006 * (age - 50);
}

static void print_person(FILE *out, struct dice *dice, uint64_t id) {
    static const struct group regions[] = {
        {"north", 0.34, 1.12}, {"south", 0.27, 0.92}, {"east", 0.22, 0.85}, {"west", 0.17, 1.04}};
    static const struct group schools[] = {{"primary", 0.16, 0.70},
                                           {"secondary", 0.35, 0.92},
                                           {"vocational", 0.21, 1.02},
                                           {"bachelor", 0.18, 1.34},
                                           {"master", 0.10, 1.72}};
    const struct group *region = pick(dice, regions, sizeof regions / sizeof *regions);
    const struct group *school = pick(dice, schools, sizeof schools / sizeof *schools);
    double age = 72 * uniform(dice);
    age = trunc(18 + age * (0.55 + 0.45 * uniform(dice)));
    bool is_woman = uniform(dice) < 0.51, works = uniform(dice) < (age < 66 ? 0.82 : 0.11);
    double hours = works ? fmin(fmax(trunc(38 + 7 * normal(dice)), 0), 80) : 0;
    double spread = exp(0.5 * normal(dice)), share = works ? 0.3 + 0.7 * hours / 38 : 0.52; /* pensions are more even */
    double income = trunc(27000 * region->pay * school->pay * pay_at(age) * spread * share);
    fprintf(out, "%llu,%s,%s,%.0f,%s,%.0f,%.0f\n", (unsigned long long)id, region->name, school->name, age,
            is_woman ? "f" : "m", income, hours);
}

void example_census(FILE *out, uint64_t rows) {
    struct dice dice = {20261116};
    fputs("id,region,education,age,sex,income,hours\n", out);
    for (uint64_t id = 1; id <= rows && !ferror(out); id++) print_person(out, &dice, id);
}
