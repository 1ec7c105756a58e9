/* dpnoise/status.h - how functions report failure.
 *
 * Functions that can fail return a dpn_status and write their results only on success. Those whose failure
 * deserves a sentence also take a dpn_error that the caller owns (NULL is allowed). No function prints, exits
 * or touches global state.
 */
#ifndef DPNOISE_STATUS_H
#define DPNOISE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DPN_API __attribute__((visibility("default")))
#define DPN_MUST_CHECK __attribute__((warn_unused_result))
#else
#define DPN_API
#define DPN_MUST_CHECK
#endif

/* What every options structure starts from, in C and in C++. */
#ifdef __cplusplus
#define DPN_ALL_ZERO \
    {}
#else
#define DPN_ALL_ZERO \
    { 0 }
#endif

/* The values are fixed: what is added comes at the end. */
typedef enum dpn_status {
    DPN_OK = 0,
    DPN_EDOMAIN = 1,      /* an argument lies outside the domain of the function */
    DPN_EPARSE = 2,       /* text that does not follow its grammar */
    DPN_EBUDGET = 3,      /* the privacy budget does not allow the charge */
    DPN_EACCURACY = 4,    /* the accuracy asked for cannot be reached */
    DPN_EENTROPY = 5,     /* the kernel's random source failed */
    DPN_ENOMEM = 6,       /* no memory */
    DPN_EIO = 7,          /* a file could not be read or written */
    DPN_EUNSUPPORTED = 8, /* a valid request that this build or mechanism does not serve */
    DPN_ECANCELLED = 9,   /* the caller did not want to wait any longer */
} dpn_status;

/* A status with one sentence for people. The sentence names the argument at fault and ends without a full stop. */
typedef struct dpn_error {
    dpn_status status;
    char sentence[240];
} dpn_error;

/* The name of a status, "DPN_EDOMAIN" for example; "DPN_?" for a value that is not a status. */
DPN_API const char *dpn_status_name(dpn_status status);

/* A few words on what a status means. Never NULL. */
DPN_API const char *dpn_status_text(dpn_status status);

/* The exit code that the command line gives for a status: 0 done, 1 refused by the budget, 2 misuse, 3 bad data,
 * 4 no answer. */
DPN_API int dpn_status_exit_code(dpn_status status);

/* The five-character SQLSTATE that the SQL fronts raise for a status. */
DPN_API const char *dpn_status_sqlstate(dpn_status status);

#ifdef __cplusplus
}
#endif

#endif
