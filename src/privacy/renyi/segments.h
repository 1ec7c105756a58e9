/* Renyi divergences of losses that consist of segments and atoms (loss/shape.h): in closed form, and by quadrature with
 * a proven error. */
#ifndef DPN_PRIVACY_RENYI_SEGMENTS_H
#define DPN_PRIVACY_RENYI_SEGMENTS_H

#include "privacy/loss/shape.h"
#include "privacy/renyi/tilted.h"

/* What the densities at zero of the laws, and so the total mass of a shape, may err by: a thousand times what was seen
 * (docs/accuracy.md). */
#define DPN_PLAIN_ERROR 1e-12

/* The divergence of order 1 + theta, theta >= 0, of a symmetric shape that is neither Gaussian nor listed: the closed
 * form where M is not near 1, else the quadrature. The error is infinite if neither serves. */
dpn_growth dpn_segments_divergence(const dpn_shape *shape, double theta);

/* The two by themselves. The closed form wants theta > 0; its error grows like 1/log M. */
dpn_growth dpn_segments_closed(const dpn_shape *shape, double theta);
dpn_growth dpn_segments_quadrature(const dpn_shape *shape, double theta);

/* The total of m (1 + e^-L), and its relative error: 1 less the mass of infinite loss, in units of the shape. */
dpn_growth dpn_segments_total(const dpn_shape *shape);

#endif
