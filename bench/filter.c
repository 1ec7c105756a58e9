/* Seconds for a filter to admit a million charges, Gaussian and pure, with the default plan and with as many orders as
 * it takes. The target is one second. Prints a table; always exits with 0, since time is not truth. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <dpnoise/filter.h>
#include <stdio.h>
#include <time.h>

enum { CHARGES = 1000000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static dpn_decimal decimal(const char *text) {
    dpn_decimal out = {{0}};
    if (dpn_decimal_parse(&out, text, NULL)) printf("%s is no decimal\n", text);
    return out;
}

static void bench(const char *name, const dpn_filter_plan *plan, bool pure) {
    dpn_filter *filter = NULL;
    dpn_charge charge;
    dpn_decimal epsilon = decimal("0.000001"), none = decimal("0");
    dpn_status status = dpn_filter_new(&filter, plan, NULL);
    if (!status && pure) charge = dpn_charge_pure(filter, &epsilon, &none);
    if (!status && !pure) status = dpn_charge_zcdp(&charge, filter, 0, 1e-9, &none, NULL);
    double start = now();
    int admitted = 0;
    while (!status && admitted < CHARGES && !(status = dpn_filter_admit(filter, &charge, NULL))) admitted++;
    double seconds = now() - start;
    printf("%-28s %7zu %10d %10.3f %8d%c\n", name, plan->orders, admitted, seconds, 1, seconds > 1 ? '*' : ' ');
    dpn_filter_free(filter);
}

int main(void) {
    dpn_decimal epsilon = decimal("1"), delta = decimal("1e-6"), weight = decimal("0.03125");
    double orders[DPN_FILTER_ORDERS];
    dpn_decimal weights[DPN_FILTER_ORDERS];
    dpn_filter *usual;
    if (dpn_filter_new_default(&usual, &epsilon, &delta, NULL)) return 0;
    dpn_filter_plan plan = dpn_filter_plan_of(usual);
    printf("%-28s %7s %10s %10s %8s\n", "charges", "orders", "admitted", "seconds", "target");
    bench("Gaussian, default plan", &plan, false);
    bench("pure, default plan", &plan, true);
    plan.orders = DPN_FILTER_ORDERS;
    plan.order = orders;
    plan.weight = weights;
    for (int i = 0; i < DPN_FILTER_ORDERS; i++) {
        orders[i] = 2 + i;
        weights[i] = weight;
    }
    bench("Gaussian, all orders", &plan, false);
    dpn_filter_free(usual);
    return 0;
}
