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

typedef enum dpn_status {
    DPN_OK = 0,
    DPN_EDOMAIN,      /* an argument lies outside the domain of the function */
    DPN_EPARSE,       /* text that does not follow its grammar */
    DPN_EBUDGET,      /* the privacy budget does not allow the charge */
    DPN_EACCURACY,    /* the accuracy asked for cannot be reached */
    DPN_EENTROPY,     /* the kernel's random source failed */
    DPN_ENOMEM,       /* no memory */
    DPN_EIO,          /* a file could not be read or written */
    DPN_EUNSUPPORTED, /* a valid request that this build or mechanism does not serve */
} dpn_status;

/* A status with one sentence for people. The sentence names the argument at fault and ends without a full stop. */
typedef struct dpn_error {
    dpn_status status;
    char sentence[240];
} dpn_error;

/* The name of a status, "DPN_EDOMAIN" for example; "DPN_?" for a value that is none.
 * Since    0.1
 */
DPN_API const char *dpn_status_name(dpn_status status);

/* A few words on what a status means. Never NULL.
 * Since    0.1
 */
DPN_API const char *dpn_status_text(dpn_status status);

/* The exit code that the command line gives for a status: 0 done, 1 refused by the budget, 2 misuse, 3 bad data,
 * 4 no answer.
 * Since    0.1
 */
DPN_API int dpn_status_exit_code(dpn_status status);

/* The five-character SQLSTATE that the SQL fronts raise for a status.
 * Since    0.1
 */
DPN_API const char *dpn_status_sqlstate(dpn_status status);

/* The version of the library that is loaded, "0.1.0" for example.
 * Since    0.1
 */
DPN_API const char *dpn_version(void);

#ifdef __cplusplus
}
#endif

#endif
