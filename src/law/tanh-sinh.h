/* Numerical integration over an interval at whose ends the integrand may have singular derivatives. */
#ifndef DPN_LAW_TANH_SINH_H
#define DPN_LAW_TANH_SINH_H

/* int_0^width f(x) dx for f >= 0, by the double-exponential rule of Takahasi and Mori 1974. f is asked at points that keep
 * their relative accuracy near 0, never at 0 itself. The relative error is a few 1e-16 where f is analytic inside the interval and its
 * logarithm falls by less than a hundred or so towards the ends. */
double dpn_integrate(double (*f)(const void *context, double x), const void *context, double width);

#endif
