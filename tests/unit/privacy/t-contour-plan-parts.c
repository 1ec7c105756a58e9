/* What the plan of a contour is made of, piece by piece: suprema, geometric sums and integrals by brute force, and each choice held to be the one that it says it is. */
#include "privacy/compose/contour-plan.h"
#include "privacy/compose/contour-plan.c" /* to see each piece */

#include "case.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void near(double found, double wanted, double share, const char *what) {
    if (!(fabs(found - wanted) <= share * fabs(wanted))) fail_msg("%s: %.17g, not %.17g", what, found, wanted);
}

static dpn_part part_of(const char *text, double shift, uint64_t times) {
    dpn_law law = case_law(text);
    dpn_part part = {.times = times};
    if (dpn_loss_law(&part.loss, &law, shift, NULL)) fail();
    return part;
}

static void make_sum(dpn_sum *sum, const dpn_part *part, size_t parts) {
    dpn_error why;
    if (dpn_sum_make(sum, part, parts, false, &why)) fail_msg("%s", why.sentence);
}

static void tilt(dpn_sum *sum, double theta) {
    dpn_error why;
    if (dpn_sum_tilt(sum, theta, 0, 1e-12, &why)) fail_msg("%s", why.sentence);
}

/* ---- Chernoff ---- */

static void suprema(void **state) {
    (void)state;
    for (double rho = 1e-3; rho < 1e4; rho *= 3) {
        double most = 0, peak = log1p(1 / rho); /* about */
        for (double y = 0; y < 20 * peak; y += 1e-4 * peak) most = fmax(most, -expm1(-y) * exp(-rho * y));
        double found = chernoff(DPN_LINE_RIGHT, rho);
        if (!(found >= most * (1 - 1e-14) && found <= most * (1 + 1e-6)))
            fail_msg("rho %g: %.17g, not %.17g", rho, found, most);
    }
    assert_true(chernoff(DPN_LINE_RIGHT, 0) == 1);
    for (double rho = -1; rho <= 0; rho += 0.25) assert_true(chernoff(DPN_LINE_MIDDLE, rho) == 1);
}

/* ---- the line ---- */

/* The exponent of the integrand of Gaussian noise, of which the saddle point is the least. */
static double exponent(double square, double epsilon, double x) {
    return 0.5 * square * x * (x + 1) - x * epsilon - log(fabs(x * (1 + x)));
}

static void lines_are_as_wide_as_they_say(void **state) {
    (void)state;
    for (double mu = 0.3; mu < 9; mu *= 3)
        for (double z = -5; z < 9; z += 1) {
            dpn_part part = part_of("gaussian(sigma=1)", mu, 1);
            dpn_sum sum;
            make_sum(&sum, &part, 1);
            double square = mu * mu, epsilon = 0.5 * square + z * mu, h;
            dpn_contour_plan plan = {.epsilon = epsilon, .accuracy = 1e-3, .log_infinite = -INFINITY};
            assert_int_equal(dpn_plan_line(&plan, &sum, NULL), DPN_OK);
            assert_int_equal(plan.line, z >= -3 ? DPN_LINE_RIGHT : DPN_LINE_MIDDLE);
            near(plan.scale, 0.5 * square * plan.theta * (1 + plan.theta) - plan.theta * epsilon, 1e-12, "scale");
            h = 1e-3 * fmin(fabs(plan.theta), 1 + plan.theta);
            double bend = (exponent(square, epsilon, plan.theta - h) - 2 * exponent(square, epsilon, plan.theta) +
                           exponent(square, epsilon, plan.theta + h)) /
                          (h * h);
            double slope =
                (exponent(square, epsilon, plan.theta + h) - exponent(square, epsilon, plan.theta - h)) / (2 * h);
            near(plan.width, 1 / sqrt(bend), 1e-4, "width");
            assert_true(fabs(slope) < 0.11 * sqrt(bend));
            /* The saddle point's estimate of the integral, in its unit, and what that leaves for its errors. */
            double peak = exp(exponent(square, epsilon, plan.theta) - plan.scale);
            near(plan.estimate, peak / sqrt(2 * acos(-1) * bend), 1e-4, "estimate");
            double answer = plan.line == DPN_LINE_RIGHT ? plan.estimate : exp(-plan.scale);
            near(plan.tolerance, 1e-3 * answer, 1e-9, "tolerance");
            /* The best Chernoff bound at this place, and the doubt of the unit. */
            double most = plan.line == DPN_LINE_RIGHT ? chernoff(DPN_LINE_RIGHT, plan.theta) : 1;
            assert_true(plan.most >= most * exp(plan.doubt) * (1 - 1e-15) && plan.most <= most * (1 + 1e-11));
            assert_true(plan.doubt >= 4 * DBL_EPSILON * (1 + fabs(plan.scale)));
            assert_true(plan.doubt <= sum.cumulants.error + 4.01 * DBL_EPSILON * (1 + fabs(plan.scale)));
            assert_true(plan.doubt >= sum.cumulants.error * (1 + 1e-3) || sum.cumulants.error == 0);
            dpn_sum_free(&sum);
        }
}

/* With mass at infinity and on a lattice. */
static void lines_of_other_losses(void **state) {
    (void)state;
    dpn_part part = part_of("gaussian(sigma=1)", 1, 1);
    dpn_sum sum;
    make_sum(&sum, &part, 1);
    dpn_contour_plan plan = {.epsilon = 6, .accuracy = 1e-3, .log_infinite = log(0.01)}, less = plan;
    assert_int_equal(dpn_plan_line(&plan, &sum, NULL), DPN_OK);
    near(plan.tolerance, 1e-3 * (plan.estimate + exp(log(0.01) - plan.scale)), 1e-9, "tolerance with infinite loss");
    /* A search that may end early does, and its bound is below what was enough. */
    less.log_infinite = -INFINITY;
    less.enough = 1e-4;
    assert_int_equal(dpn_plan_line(&less, &sum, NULL), DPN_OK);
    assert_true(less.theta <= plan.theta && less.scale < log(1e-4));
    dpn_sum_free(&sum);

    if (dpn_loss_pure(&part.loss, 0.3, NULL)) fail();
    part.times = 40;
    make_sum(&sum, &part, 1);
    plan = (dpn_contour_plan){.epsilon = 2.1, .accuracy = 1e-3, .log_infinite = -INFINITY};
    plan.lattice = dpn_lattice_find(&sum, 2.1);
    assert_true(plan.lattice.step > 0);
    assert_int_equal(dpn_plan_line(&plan, &sum, NULL), DPN_OK);
    double kernel = 0;
    for (double above = plan.lattice.gap; above < 200; above += plan.lattice.step)
        kernel += plan.lattice.step * exp(-plan.theta * above) * -expm1(-above);
    near(plan.estimate, kernel * fmin(plan.width / sqrt(2 * acos(-1)), 1 / plan.lattice.step), 1e-9, "on a lattice");
    dpn_sum_free(&sum);
}

/* ---- aliasing ---- */

static void geometric_sums(void **state) {
    (void)state;
    for (double rate = 0.01; rate < 3; rate *= 4)
        for (double period = 0.7; period < 40; period *= 3) {
            side s = {-1.7, rate};
            double sum = 0;
            for (int k = 1; k * rate * period < 60; k++) sum += exp(-1.7 - rate * (k * period));
            near(alias_of(s, period), sum, 1e-12, "alias");
            near(exp(s.log_first - rate * period_of(s, log(0.003))), 0.003, 1e-12, "the period of a goal");
        }
}

static void sides_hold_the_bound_of_chernoff(void **state) {
    (void)state;
    dpn_part part = part_of("laplace(scale=1)", 0.8, 7);
    dpn_sum sum;
    make_sum(&sum, &part, 1);
    for (int middle = 0; middle < 2; middle++)
        for (double rho = middle ? -1 : 0; rho < (middle ? 0.01 : 5); rho += 0.25) {
            dpn_contour_plan plan = {.epsilon = 2, .theta = middle ? -0.4 : 0.6, .scale = -1.3, .doubt = 0.25};
            plan.line = middle ? DPN_LINE_MIDDLE : DPN_LINE_RIGHT;
            side s;
            tilt(&sum, rho);
            double exact = dpn_two_value(sum.cumulants.value) - rho * 2 + 1.3 + log(chernoff(plan.line, rho));
            sum.goal = 0;
            assert_int_equal(make_side(&s, &plan, &sum, rho, NULL), DPN_OK);
            double error = sum.cumulants.error;
            assert_true(s.log_first >= exact + 0.25 - 1e-12 && s.log_first <= exact + 0.25 + 2 * error + 1e-12);
            near(s.rate, fabs(rho - plan.theta), 1e-15, "rate");
        }
    dpn_sum_free(&sum);
}

/* The step makes the larger alias what is allowed, or the period is as short as it may be. */
static void steps_are_no_smaller_than_needed(void **state) {
    (void)state;
    static const double z[] = {-5, -4, -1, 0.5, 2, 5, 9};
    for (size_t i = 0; i < sizeof z / sizeof *z; i++)
        for (int smooth = 0; smooth < 2; smooth++)
            for (double accuracy = 1e-9; accuracy < 1; accuracy *= 1e4) {
                dpn_part part = part_of("gaussian(sigma=1)", 3, 1);
                dpn_sum sum;
                make_sum(&sum, &part, 1);
                double epsilon = 4.5 + 3 * z[i];
                dpn_contour_plan plan = {.epsilon = epsilon, .accuracy = accuracy, .log_infinite = -INFINITY};
                assert_int_equal(dpn_plan_line(&plan, &sum, NULL), DPN_OK);
                plan.smooth = smooth;
                assert_int_equal(choose_step(&plan, &sum, NULL), DPN_OK);
                double period = 2 * acos(-1) / plan.step, goal = 1e-4 * plan.tolerance;
                assert_true(period >= 2 / plan.width * (1 - 1e-12) && plan.alias <= 4 * goal);
                /* The two sums anew, each at its own place. */
                bool right = plan.line == DPN_LINE_RIGHT;
                double place[2] = {plan.theta - 6 * plan.width, plan.theta + 6 * plan.width}, alias = 0, first = 0;
                double margin = 0.02 * plan.width;
                if (place[0] < (right ? 0 : -1) + margin) place[0] = right ? 0 : -1;
                if (!right && place[1] > -margin) place[1] = 0;
                for (int k = 0; k < 2; k++) {
                    double rho = place[k], rate = fabs(rho - plan.theta);
                    double log_one = 4.5 * rho * (1 + rho) - rho * epsilon - plan.scale + log(chernoff(plan.line, rho));
                    double one = exp(log_one - rate * period);
                    first = fmax(first, one);
                    alias += one / -expm1(-rate * period);
                }
                near(plan.alias, alias, 1e-9, "both aliases");
                if (period > 2.001 / plan.width) near(first, goal, 1e-6, "the larger of the first terms");
                dpn_sum_free(&sum);
            }
}

/* Whole steps of the lattice make up the period. */
static void periods_on_a_lattice(void **state) {
    (void)state;
    dpn_part part = {.times = 30};
    if (dpn_loss_pure(&part.loss, 0.2, NULL)) fail();
    for (double epsilon = 0.3; epsilon < 5; epsilon += 0.7) {
        dpn_sum sum;
        make_sum(&sum, &part, 1);
        dpn_contour_plan plan = {.epsilon = epsilon, .accuracy = 1e-6, .log_infinite = -INFINITY};
        plan.lattice = dpn_lattice_find(&sum, epsilon);
        assert_int_equal(dpn_plan_line(&plan, &sum, NULL), DPN_OK);
        assert_int_equal(choose_step(&plan, &sum, NULL), DPN_OK);
        double steps = 2 * acos(-1) / plan.step / plan.lattice.step;
        assert_true(fabs(steps - round(steps)) < 1e-9 && plan.alias <= 4e-4 * plan.tolerance && steps < 200);
        dpn_sum_free(&sum);
    }
}

/* ---- truncation ---- */

static void products_of_bounds(void **state) {
    (void)state;
    dpn_part parts[2] = {part_of("laplace(scale=1)", 1, 3), part_of("logistic(scale=2)", 1, 5)};
    dpn_sum sum;
    make_sum(&sum, parts, 2);
    tilt(&sum, 0.7);
    sum.gaussian = 0.31;
    dpn_contour_plan plan = {.line = DPN_LINE_RIGHT, .theta = 0.7};
    for (double omega = 0.01; omega < 200; omega *= 2.3) {
        double log_all = -0.155 * omega * omega;
        for (int i = 0; i < 2; i++) log_all += sum.term[i].times * dpn_decay_log_bound(&sum.term[i].rule.decay, omega);
        near(log_product(&plan, &sum, omega), log_all, 1e-13, "the product");
    }
    /* On a lattice what is smooth falls up to a place of its own. */
    dpn_lattice_decay decay[2] = {{1, 0, 0.5}, {1, 0, 0.5}};
    plan.lattice = (dpn_lattice){0.5, 0.1};
    plan.decay = decay;
    double most = dpn_lattice_smooth(&plan.lattice);
    for (double omega = 0.1; omega < 6; omega *= 1.4)
        near(log_product(&plan, &sum, omega), -0.155 * fmin(omega, most) * fmin(omega, most) - 8 * log(2), 1e-12,
             "on a lattice");
    dpn_sum_free(&sum);
}

static void products_without_atoms(void **state) {
    (void)state;
    dpn_part parts[2] = {part_of("laplace(scale=1)", 0.3, 4), part_of("flipped-huber(alpha=2,gamma=1)", 0.5, 2)};
    dpn_sum sum;
    make_sum(&sum, parts, 2);
    tilt(&sum, 0.7);
    bool seen[2] = {false, false};
    for (double omega = 0.01; omega < 1e5; omega *= 4)
        for (int often = 0; often < 2; often++) {
            if (often) sum.term[0].times = 4000;
            long double all = 1, atoms = 1;
            for (int i = 0; i < 2; i++) {
                const dpn_decay *decay = &sum.term[i].rule.decay;
                atoms *= powl(decay->atoms, sum.term[i].times);
                all *= powl((long double)decay->atoms + dpn_decay_rest(decay, omega), sum.term[i].times);
            }
            bool small = logl(all / atoms) < 1;
            double found = product_without_atoms(&sum, omega), wanted = (double)(small ? all - atoms : all);
            near(found, wanted, 1e-9, "without atoms");
            seen[small] = true;
            if (often) sum.term[0].times = 4;
        }
    assert_true(seen[0] && seen[1]);
    dpn_sum_free(&sum);
}

/* (1/pi) the integral from omega on of the kernel's bound, times the product there. */
static void tails_are_integrals(void **state) {
    (void)state;
    dpn_part part = part_of("laplace(scale=1)", 1, 3);
    dpn_sum sum;
    make_sum(&sum, &part, 1);
    tilt(&sum, 0.7);
    static const double thetas[] = {0.7, 3, -0.2, -0.9};
    for (int i = 0; i < 4; i++)
        for (double omega = 0.05; omega < 30; omega *= 3) {
            dpn_contour_plan plan = {.theta = thetas[i], .line = thetas[i] > 0 ? DPN_LINE_RIGHT : DPN_LINE_MIDDLE};
            double near_pole = i < 2 ? thetas[i] : i == 2 ? 0.2 : 0.1, integral = 0;
            for (int k = 0; k < 4000; k++) { /* with x = omega/u */
                double u = (k + 0.5) / 4000, x = omega / u;
                integral += omega / (u * u) / (x * x + near_pole * near_pole) / 4000;
            }
            double product = exp(3 * dpn_decay_log_bound(&sum.term[0].rule.decay, omega));
            near(tail_beyond(&plan, &sum, omega), product * integral / acos(-1), 1e-6, "tail");
            plan.without_atoms = true;
            near(tail_beyond(&plan, &sum, omega), product_without_atoms(&sum, omega) * integral / acos(-1), 1e-6,
                 "without atoms");
            plan.without_atoms = false;
            dpn_lattice_decay decay = {1, 0, 0.5};
            plan.lattice = (dpn_lattice){0.05, 0.01};
            plan.decay = &decay;
            near(tail_beyond(&plan, &sum, omega),
                 integral / acos(-1) * dpn_lattice_kernel_bound(&plan.lattice, thetas[i]) / 8, 1e-6, "on a lattice");
        }
    dpn_sum_free(&sum);
}

static void ends_are_found_to_a_few_percent(void **state) {
    (void)state;
    dpn_part part = part_of("laplace(scale=1)", 1, 12);
    dpn_sum sum;
    make_sum(&sum, &part, 1);
    tilt(&sum, 0.7);
    sum.gaussian = 0.01;
    for (double goal = 1e-1; goal > 1e-12; goal *= 0.03)
        for (int smooth = 0; smooth < 2; smooth++) {
            dpn_contour_plan plan = {.theta = 0.7, .line = DPN_LINE_RIGHT, .width = 0.8, .smooth = smooth ? 0.01 : 0};
            assert_true(find_omega(&plan, &sum, goal, 1e6));
            near(plan.tail, tail_beyond(&plan, &sum, plan.omega), 1e-15, "what is left out");
            assert_true(plan.tail <= goal &&
                        (plan.omega < 0.8 * 0.04 || tail_beyond(&plan, &sum, 0.96 * plan.omega) > goal));
            double omega = plan.omega, product = exp(log_product(&plan, &sum, omega)), integral = 0;
            for (double x = 0; x < 60; x += 1e-3) integral += 1e-3 * exp(-0.005 * x * (x + 2 * omega));
            if (!smooth)
                assert_true(plan.density_tail == 0);
            else { /* (1/pi) the integral of the product beyond, that of a Gaussian at most */
                assert_true(plan.density_tail >= product * integral / acos(-1) * (1 - 1e-3));
                near(plan.density_tail, product / (acos(-1) * 0.01 * omega), 1e-12, "density");
            }
            dpn_contour_plan short_one = {.theta = 0.7, .line = DPN_LINE_RIGHT, .width = 0.8};
            assert_false(find_omega(&short_one, &sum, goal, 0.99 * omega));
            assert_true(find_omega(&short_one, &sum, goal, omega));
        }
    dpn_sum_free(&sum);
}

/* On a lattice the whole period is the end of all searches. */
static void the_period_is_the_end(void **state) {
    (void)state;
    dpn_part part = {.times = 1};
    if (dpn_loss_pure(&part.loss, 0.2, NULL)) fail();
    for (int often = 0; often < 2; often++) {
        part.times = often ? 3000 : 1;
        dpn_sum sum;
        dpn_lattice_decay decay;
        make_sum(&sum, &part, 1);
        dpn_contour_plan plan = {.epsilon = 0.1, .accuracy = 1e-6, .log_infinite = -INFINITY, .decay = &decay};
        plan.lattice = dpn_lattice_find(&sum, 0.1);
        assert_int_equal(dpn_plan_line(&plan, &sum, NULL), DPN_OK);
        tilt(&sum, plan.theta);
        plan.tail = 7;
        truncate_period(&plan, &sum);
        double half = acos(-1) / 0.4;
        if (often)
            assert_true(plan.omega < 0.9 * half && plan.tail > 0 && plan.tail <= 1e-3 * plan.tolerance);
        else
            assert_true(fabs(plan.omega / half - 1) < 1e-12 && plan.tail == 0);
        dpn_sum_free(&sum);
    }
}

/* Atoms are taken out where they are in the way, on the right line alone, and where they are few. */
static void atoms_in_the_way(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t times;
        double epsilon;
        int parts;
        bool found, out;
    } row[] = {{"laplace(scale=1)", 2, 0.7, 1, true, true},
               {"laplace(scale=1)", 300, 60, 1, true, false},
               {"laplace(scale=0.05)", 300, 10199.9, 2, false, false},
               {"laplace(scale=0.05)", 2, 30, 1, false, false}, /* on the middle line */
               {"logistic(scale=1)", 1, 0.7, 1, true, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_part part[2] = {part_of(row[i].text, 1, row[i].times), part_of(row[i].text, 0.7, row[i].times)};
        dpn_sum sum;
        make_sum(&sum, part, (size_t)row[i].parts);
        dpn_contour_plan plan = {.epsilon = row[i].epsilon, .accuracy = 1e-6, .log_infinite = -INFINITY, .work = 1e6};
        assert_int_equal(dpn_plan_line(&plan, &sum, NULL), DPN_OK);
        assert_int_equal(choose_step(&plan, &sum, NULL), DPN_OK);
        tilt(&sum, plan.theta);
        bool found = truncate_line(&plan, &sum);
        assert_int_equal(plan.without_atoms, row[i].out);
        if (found) assert_true(plan.tail <= plan.tolerance / 6);
        dpn_sum_free(&sum);
    }
}

/* Rare losses far beyond the others: a nearer place gives a shorter period, and its alias is counted there. */
static void nearer_places_for_rare_losses(void **state) {
    (void)state;
    static const double value[] = {-0.1, 0.1, 40}, probability[] = {0.4, 0.6 - 1e-30, 1e-30};
    dpn_part part = {.times = 50};
    if (dpn_loss_explicit(&part.loss, value, probability, 3, NULL)) fail();
    double period[2];
    for (int smooth = 0; smooth < 2; smooth++) {
        dpn_sum sum;
        make_sum(&sum, &part, 1);
        dpn_contour_plan plan = {.epsilon = 1.2, .accuracy = 1e-4, .log_infinite = -INFINITY};
        assert_int_equal(dpn_plan_line(&plan, &sum, NULL), DPN_OK);
        plan.smooth = smooth;
        assert_int_equal(choose_step(&plan, &sum, NULL), DPN_OK);
        period[smooth] = 2 * acos(-1) / plan.step;
        assert_true(plan.alias <= 4e-4 * plan.tolerance);
        dpn_sum_free(&sum);
    }
    assert_true(period[1] < 0.9 * period[0]);
}

/* ---- what it costs ---- */

static void costs_and_closed_forms(void **state) {
    (void)state;
    dpn_part part = part_of("laplace(scale=1)", 1, 4);
    dpn_sum sum;
    make_sum(&sum, &part, 1);
    tilt(&sum, 0.7);
    dpn_term *term = &sum.term[0];
    double deviation = sqrt(term->rule.variance), count = (double)term->rule.count,
           segments = (double)term->shape.segments;
    double wide = 8 * deviation + fmin(8 * deviation, fabs(term->rule.mean));
    assert_true(dpn_mgf_is_closed(&term->shape) && segments > 0 && term->shape.segment[0].log_density.c[2] == 0);
    near(term_cost(term, 1, 1), count + wide, 1e-12, "a rule");
    assert_false(term->closed);
    near(term_cost(term, 1e6, 1), 200 * segments, 1e-12, "a closed form");
    assert_true(term->closed);
    near(term_cost(term, 1e6, 1e-12), count + 1e6 * wide, 1e-12, "a rule, for its accuracy");
    assert_false(term->closed);
    double edge = 4 * DPN_MGF_ERROR / 1e-2; /* where four errors are a hundredth of the tolerance */
    term_cost(term, 1e6, edge * 1.001);
    assert_true(term->closed);
    term_cost(term, 1e6, edge * 0.999);
    assert_false(term->closed);
    dpn_sum_free(&sum);
    part = part_of("flipped-huber(alpha=0.4,gamma=1)", 1, 4);
    make_sum(&sum, &part, 1);
    tilt(&sum, 0.7);
    double closed = 0;
    for (size_t i = 0; i < sum.term[0].shape.segments; i++)
        closed += sum.term[0].shape.segment[i].log_density.c[2] == 0 ? 200 : 400;
    assert_true(closed > 200 * (double)sum.term[0].shape.segments);
    near(term_cost(&sum.term[0], 1e7, 1), closed, 1e-12, "squares cost twice as much");
    dpn_sum_free(&sum);
}

static void work_is_limited(void **state) {
    (void)state;
    dpn_part part = part_of("laplace(scale=1)", 1, 60);
    for (int i = 0; i < 2; i++) {
        dpn_sum sum;
        make_sum(&sum, &part, 1);
        dpn_contour_plan plan = {.epsilon = 30, .accuracy = 1e-6, .log_infinite = -INFINITY, .work = 1e9};
        dpn_error why;
        assert_int_equal(dpn_plan_line(&plan, &sum, NULL), DPN_OK);
        assert_int_equal(dpn_plan_nodes(&plan, &sum, &why), DPN_OK);
        double nodes = plan.omega / plan.step;
        double cost = 100 + term_cost(&sum.term[0], plan.omega, plan.tolerance / plan.estimate);
        plan.work = nodes * cost * (i ? 1.0001 : 0.9999);
        dpn_status status = dpn_plan_nodes(&plan, &sum, &why);
        assert_int_equal(status, i ? DPN_OK : DPN_EACCURACY);
        if (!i) assert_string_equal(why.sentence, "the contour sum takes too many nodes");
        assert_true(plan.alias + plan.tail <= 0.2 * plan.tolerance);
        dpn_sum_free(&sum);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suprema),
        cmocka_unit_test(lines_are_as_wide_as_they_say),
        cmocka_unit_test(lines_of_other_losses),
        cmocka_unit_test(geometric_sums),
        cmocka_unit_test(sides_hold_the_bound_of_chernoff),
        cmocka_unit_test(steps_are_no_smaller_than_needed),
        cmocka_unit_test(periods_on_a_lattice),
        cmocka_unit_test(products_of_bounds),
        cmocka_unit_test(products_without_atoms),
        cmocka_unit_test(tails_are_integrals),
        cmocka_unit_test(ends_are_found_to_a_few_percent),
        cmocka_unit_test(the_period_is_the_end),
        cmocka_unit_test(atoms_in_the_way),
        cmocka_unit_test(nearer_places_for_rare_losses),
        cmocka_unit_test(costs_and_closed_forms),
        cmocka_unit_test(work_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
