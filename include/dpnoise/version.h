/* dpnoise/version.h - which version of dpnoise this is: the one compiled against, and the one that is loaded.
 *
 * Until 1.0 every minor version may change the interface, and the shared library is named after it: a program that was linked
 * with 0.1 asks for libdpnoise.so.0.1 and never meets another one.
 *
 *     #if DPN_VERSION_NUMBER < 100
 *     #error "dpnoise 0.1.0 or later is needed"
 *     #endif
 */
#ifndef DPNOISE_VERSION_H
#define DPNOISE_VERSION_H

#include <dpnoise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers. */
#define DPN_VERSION_MAJOR 0
#define DPN_VERSION_MINOR 1
#define DPN_VERSION_PATCH 0
#define DPN_VERSION_TEXT "0.1.0"

/* A number to compare: 0.1.0 is 100, 1.2.3 is 10203. */
#define DPN_VERSION_NUMBER (DPN_VERSION_MAJOR * 10000 + DPN_VERSION_MINOR * 100 + DPN_VERSION_PATCH)

/* The version of the library that is loaded, "0.1.0" for example.
 */
DPN_API const char *dpn_version(void);

#ifdef __cplusplus
}
#endif

#endif
