/* Pairs of neighbouring inputs of something that draws: events are fixed after a pilot, then counted in other draws, and judged. */
#ifndef DPN_AUDIT_PAIRS_H
#define DPN_AUDIT_PAIRS_H

#include <dpnoise/audit.h>

enum { DPN_PAIRS_MOST = 7 };

typedef struct dpn_audit_pairs {
    size_t pairs; /* at most DPN_PAIRS_MOST */
    size_t features,
        own;          /* numbers of an output, the first of them whether there is one; and of another event (watch.h) */
    uint64_t samples; /* from each input */
    double confidence, epsilon, delta;
    /* The numbers of one output of a pair's first or second input. */
    dpn_status (*draw)(double *feature, void *what, size_t pair, bool second, dpn_error *why);
    void *what;
    void (*progress)(void *context, double done); /* NULL: off */
    void *context;
    bool (*cancelled)(void *context); /* NULL: never */
} dpn_audit_pairs;

/* Errors   those of draw; DPN_ECANCELLED, DPN_ENOMEM. On error *out is not written. */
dpn_status dpn_audit_pairs_run(dpn_audit *out, const dpn_audit_pairs *asked, dpn_error *why);

/* What audits of whole outputs are asked: DPN_EDOMAIN for samples, confidence or a claim outside their domains. */
dpn_status dpn_audit_pairs_check(uint64_t samples, double confidence, bool claimed, double epsilon, double delta,
                                 dpn_error *why);

/* The claim of a declaration. A decimal that is no double is the double above it. */
dpn_status dpn_audit_declared(double *epsilon, double *delta, const dpn_declaration *declaration, dpn_error *why);

#endif
