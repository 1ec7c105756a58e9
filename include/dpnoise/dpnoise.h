/* dpnoise/dpnoise.h - every public header of libdpnoise-core. Each one is the manual of its room. What libdpnoise has
 * beyond the core is included by name: dpnoise/geometry.h, dpnoise/table.h. */
#ifndef DPNOISE_DPNOISE_H
#define DPNOISE_DPNOISE_H

#include <dpnoise/answer.h>
#include <dpnoise/audit.h>
#include <dpnoise/calibrate.h>
#include <dpnoise/condition.h>
#include <dpnoise/convert.h>
#include <dpnoise/decimal.h>
#include <dpnoise/declaration.h>
#include <dpnoise/field.h>
#include <dpnoise/filter.h>
#include <dpnoise/law.h>
#include <dpnoise/ledger.h>
#include <dpnoise/number.h>
#include <dpnoise/plan.h>
#include <dpnoise/privacy.h>
#include <dpnoise/quantile.h>
#include <dpnoise/random.h>
#include <dpnoise/release.h>
#include <dpnoise/renyi.h>
#include <dpnoise/sampler.h>
#include <dpnoise/sampling.h>
#include <dpnoise/statistics.h>
#include <dpnoise/status.h>
#include <dpnoise/vector-sampler.h>

#endif
