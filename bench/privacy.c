/* Milliseconds for delta of many copies of a law with sensitivity/scale = 0.1, at the default accuracy in a warm
 * workspace, with the method that was taken and the width of the interval: at epsilon = 1, and, since delta is nearly 1
 * there for the longer compositions, where delta is 1e-9. Then the FFT by itself as a multiple of one transform of its
 * length by FFTW in the same minutes; and our transform beside FFTW's at every length. Targets stand beside. Prints tables; always exits with 0, since time is not truth.
 */
#define _POSIX_C_SOURCE 200809L        /* clock_gettime */
#include "privacy/compose/workspace.h" /* the length that the FFT used last */

#include <dpnoise/privacy.h>
#include <fftw3.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

static const double contour_target = 0.5, transforms_target = 10, memory_target = 100, transform_target = 2;

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

/* Memory at a multiple of 64 bytes; without it there is nothing to tell. */
static void *room(size_t bytes) {
    void *made = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!made) exit(0);
    return made;
}

static void fill(double *x, size_t length) {
    for (size_t j = 0; j < length; j++) x[j] = 1 / (1.0 + (double)j);
}

/* One transform by FFTW, forward and backward, planned in the quick way; planning is not counted. */
static void fftw_seconds(double *forward, double *backward, int log2_length) {
    size_t length = (size_t)1 << log2_length;
    double *x = room(length * sizeof *x);
    fftw_complex *spectrum = room((length / 2 + 1) * sizeof *spectrum);
    fftw_plan there = fftw_plan_dft_r2c_1d((int)length, x, spectrum, FFTW_ESTIMATE);
    fftw_plan back = fftw_plan_dft_c2r_1d((int)length, spectrum, x, FFTW_ESTIMATE);
    *forward = *backward = INFINITY;
    double begin = now();
    for (int i = 0; i < 3 || (i < 1000 && now() - begin < 0.1); i++) {
        fill(x, length);
        double start = now();
        fftw_execute(there);
        double middle = now();
        fftw_execute(back);
        *forward = fmin(*forward, middle - start);
        *backward = fmin(*backward, now() - middle);
    }
    fftw_destroy_plan(there);
    fftw_destroy_plan(back);
    free(spectrum);
    free(x);
}

static void our_seconds(double *forward, double *backward, int log2_length) {
    size_t length = (size_t)1 << log2_length;
    double *x = room(length * sizeof *x);
    dpn_fft_cell *spectrum = room(dpn_fft_cells(log2_length) * sizeof *spectrum);
    dpn_fft_tables tables = {0};
    if (dpn_fft_prepare(&tables, log2_length)) exit(0);
    *forward = *backward = INFINITY;
    double begin = now();
    for (int i = 0; i < 3 || (i < 1000 && now() - begin < 0.1); i++) {
        fill(x, length);
        double start = now();
        dpn_fft_forward(spectrum, x, log2_length, &tables);
        double middle = now();
        dpn_fft_inverse(x, spectrum, log2_length, &tables);
        *forward = fmin(*forward, middle - start);
        *backward = fmin(*backward, now() - middle);
    }
    dpn_fft_release(&tables);
    free(spectrum);
    free(x);
}

static void bench_transforms(void) {
    printf("%8s %12s %12s %12s %12s %9s %9s %7s\n", "length", "FFTW ms", "back", "ours ms", "back", "ratio", "back",
           "target");
    for (int log2_length = 12; log2_length <= 22; log2_length++) {
        double theirs, theirs_back, ours, ours_back;
        fftw_seconds(&theirs, &theirs_back, log2_length);
        our_seconds(&ours, &ours_back, log2_length);
        printf("    2^%-2d %12.4f %12.4f %12.4f %12.4f %9.2f %9.2f %7g%c\n", log2_length, 1e3 * theirs,
               1e3 * theirs_back, 1e3 * ours, 1e3 * ours_back, ours / theirs, ours_back / theirs_back, transform_target,
               ours > transform_target * theirs || ours_back > transform_target * theirs_back ? '*' : ' ');
        fflush(stdout);
    }
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
    double transform, unused;
    fftw_seconds(&transform, &unused, dpn_workspace_log2_length(job->workspace));
    print_answer(&delta);
    print_time(seconds, fft_target);
    printf(" %9.3f %7.1f %5g%c\n", 1e3 * transform, seconds / transform, transforms_target,
           seconds > transforms_target * transform ? '*' : ' ');
}

static dpn_status make_job(struct job *out, const char *text, uint64_t times, dpn_workspace *workspace,
                           dpn_error *why) {
    dpn_law law;
    *out = (struct job){
        .workspace = workspace, .part = {.times = times}, .epsilon = 1, .options = dpn_accounting_options_init()};
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
    printf("\nthe FFT by itself, and one transform of its length by FFTW\n");
    bench_all(workspace, DPN_METHOD_FFT, false);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("\nmemory at most %.0f MB (target %g)\n", (double)usage.ru_maxrss / 1024, memory_target);
    dpn_workspace_free(workspace);
    printf("\nour transform and FFTW's\n");
    bench_transforms();
    return 0;
}
