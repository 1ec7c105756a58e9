/* Milliseconds for delta of many copies of a law with sensitivity/scale = 0.1, at the default accuracy in a warm
 * workspace, with the method that was taken and the width of the interval: at epsilon = 1, and, since delta is nearly 1
 * there for the longer compositions, where delta is 1e-9. Then the FFT by itself as a multiple of one transform of its
 * length in the same minutes. Targets stand beside. Prints tables; always exits with 0, since time is not truth.
 */
#define _POSIX_C_SOURCE 200809L        /* clock_gettime */
#include "privacy/compose/workspace.h" /* one transform of the length that the FFT used last */

#include <dpnoise/privacy.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char *const laws[] = {
    "laplace(scale=10)",
    "gaussian(sigma=10)",
    "flipped-huber(alpha=10,gamma=10)",
    "osgt(m=10,sigma=10)",
};

/* Copies, and the target of the FFT in milliseconds (0: none). That of the contour sum is the same for all. */
static const struct {
    uint64_t times;
    double fft_target;
} copies[] = {{20, 6}, {100, 6}, {1000, 30}, {1000000, 0}, {1000000000, 0}};
enum { COPIES = sizeof copies / sizeof *copies };

static const double contour_target = 0.5, transforms_target = 10, memory_target = 100;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A composition of one part and how it is computed. */
struct job {
    dpn_workspace *workspace;
    dpn_part part;
    dpn_accounting_options options;
    double epsilon;
};

static dpn_status run(dpn_delta *out, const struct job *job, dpn_error *why) {
    return dpn_compose_delta(out, job->workspace, &job->part, 1, job->epsilon, &job->options, why);
}

/* The least of many calls after a first one, which warms the workspace. */
static dpn_status measure(double *seconds, dpn_delta *out, const struct job *job, dpn_error *why) {
    enum { MOST = 1000 };
    dpn_status status = run(out, job, why);
    *seconds = INFINITY;
    double begin = now();
    for (int i = 0; i < MOST && !status && (i < 3 || now() - begin < 0.3); i++) {
        double start = now();
        status = run(out, job, why);
        *seconds = fmin(*seconds, now() - start);
    }
    return status;
}

/* One forward transform of the length that the workspace has now. */
static double transform_seconds(dpn_workspace *workspace) {
    double least = INFINITY;
    for (int i = 0; i < 50; i++) {
        double start = now();
        dpn_workspace_forward(workspace);
        least = fmin(least, now() - start);
    }
    return least;
}

static bool same(const dpn_delta *a, const dpn_delta *b) {
    return a->log_lower == b->log_lower && a->log_upper == b->log_upper;
}

/* Which method gave this answer: each gives the same bits every time. */
static const char *method_of(const struct job *job, const dpn_delta *answer) {
    struct job other = *job;
    dpn_error why;
    dpn_delta delta;
    other.options.method = DPN_METHOD_CONTOUR;
    if (!run(&delta, &other, &why) && same(&delta, answer)) return "contour";
    other.options.method = DPN_METHOD_FFT; /* its memory at many copies is not what is measured */
    if (job->part.times <= 1000 && !run(&delta, &other, &why) && same(&delta, answer)) return "fft";
    return "closed form";
}

static void print_time(double seconds, double target) {
    char text[32] = "-";
    if (target > 0) snprintf(text, sizeof text, "%g", target);
    printf(" %10.4f %7s%c", 1e3 * seconds, text, target > 0 && 1e3 * seconds > target ? '*' : ' ');
}

static void print_answer(const dpn_delta *delta) {
    if (delta->log_upper > -600)
        printf(" %17.9e", delta->upper);
    else
        printf("    e^%13.9g", delta->log_upper);
    printf(" %9.1e", expm1(delta->log_upper - delta->log_lower));
}

static void bench_auto(const char *text, const struct job *job, double fft_target) {
    dpn_delta delta;
    dpn_error why;
    double seconds;
    printf("%-34s %11" PRIu64 " %12.6g", text, job->part.times, job->epsilon);
    if (measure(&seconds, &delta, job, &why)) {
        printf("  %s\n", why.sentence);
        return;
    }
    const char *method = method_of(job, &delta);
    print_answer(&delta);
    print_time(seconds, strcmp(method, "fft") == 0 ? fft_target : contour_target);
    printf(" %s\n", method);
}

static void bench_fft(const char *text, const struct job *job, double fft_target) {
    dpn_delta delta;
    dpn_error why;
    double seconds;
    printf("%-34s %11" PRIu64 " %12.6g", text, job->part.times, job->epsilon);
    if (measure(&seconds, &delta, job, &why)) {
        printf("  %s\n", why.sentence);
        return;
    }
    double transform = transform_seconds(job->workspace);
    print_answer(&delta);
    print_time(seconds, fft_target);
    printf(" %9.3f %7.1f %5g%c\n", 1e3 * transform, seconds / transform, transforms_target,
           seconds > transforms_target * transform ? '*' : ' ');
}

static dpn_status make_job(struct job *out, const char *text, uint64_t times, dpn_workspace *workspace,
                           dpn_error *why) {
    dpn_law law;
    *out = (struct job){.workspace = workspace, .part = {.times = times}, .epsilon = 1};
    dpn_status status = dpn_law_parse(&law, text, why);
    return status ? status : dpn_loss_law(&out->part.loss, &law, 1, why);
}

/* Move a job to where delta is small. */
static dpn_status go_to_tail(struct job *job, dpn_error *why) {
    dpn_epsilon tail;
    dpn_status status = dpn_compose_epsilon(&tail, job->workspace, &job->part, 1, 1e-9, &job->options, why);
    if (!status) job->epsilon = tail.upper;
    return status;
}

static void bench_all(dpn_workspace *workspace, dpn_method method, bool tail) {
    printf("%-34s %11s %12s %17s %9s %10s %7s  %s\n", "law", "copies", "epsilon", "delta", "width", "ms", "target",
           method == DPN_METHOD_FFT ? "transform   ratio target" : "method");
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        for (size_t j = 0; j < COPIES; j++) {
            struct job job;
            dpn_error why;
            if (method == DPN_METHOD_FFT && copies[j].fft_target == 0) continue;
            if (make_job(&job, laws[i], copies[j].times, workspace, &why) || (tail && go_to_tail(&job, &why))) {
                printf("%-34s %s\n", laws[i], why.sentence);
                continue;
            }
            job.options.method = method;
            if (method == DPN_METHOD_FFT)
                bench_fft(laws[i], &job, copies[j].fft_target);
            else
                bench_auto(laws[i], &job, copies[j].fft_target);
            fflush(stdout);
        }
}

int main(void) {
    dpn_workspace *workspace;
    if (dpn_workspace_new(&workspace)) return 1;
    printf("the cheapest method at epsilon = 1, sensitivity 1, default accuracy (* over the target)\n");
    bench_all(workspace, DPN_METHOD_AUTO, false);
    printf("\nthe same where delta is 1e-9\n");
    bench_all(workspace, DPN_METHOD_AUTO, true);
    printf("\nthe FFT by itself, and one transform of its length\n");
    bench_all(workspace, DPN_METHOD_FFT, false);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("\nmemory at most %.0f MB (target %g)\n", (double)usage.ru_maxrss / 1024, memory_target);
    dpn_workspace_free(workspace);
    return 0;
}
