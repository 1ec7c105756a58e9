#include "reference/draw.h"

#include <math.h>

/* SplitMix64 (Steele, Lea, Flood 2014). */
uint64_t draw_bits(draw_source *source) {
    uint64_t z = source->state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

double draw_uniform(draw_source *source, double low, double high) {
    return low + (high - low) * ldexp((double)(draw_bits(source) >> 11), -53);
}

double draw_log_uniform(draw_source *source, double low, double high) {
    return fmin(fmax(exp(draw_uniform(source, log(low), log(high))), low), high);
}

bool draw_chance(draw_source *source, double probability) {
    return draw_uniform(source, 0, 1) < probability;
}

double draw_scale(draw_source *source) {
    double kind = draw_uniform(source, 0, 1);
    if (kind < 0.1) return 1;
    if (kind < 0.6) return draw_log_uniform(source, 0.05, 50);
    if (kind < 0.8) return draw_log_uniform(source, 1e-9, 1e9);
    return draw_log_uniform(source, 1e-150, 1e150);
}

double draw_ratio(draw_source *source, bool *ordinary) {
    double kind = draw_uniform(source, 0, 1);
    *ordinary = kind < 0.95;
    if (kind < 0.5) return draw_log_uniform(source, 0.02, 200);
    if (kind < 0.95) return draw_log_uniform(source, 1e-12, 1e6);
    return draw_log_uniform(source, 1e-100, 1e100);
}

double draw_integer_scale(draw_source *source) {
    double kind = draw_uniform(source, 0, 1);
    double scale = draw_log_uniform(source, 0.05, 100);
    if (kind < 0.1)
        scale = draw_log_uniform(source, 1e-50, 1e12);
    else if (kind < 0.5)
        scale = draw_log_uniform(source, 1e-2, 1e9);
    return draw_chance(source, 0.2) && scale >= 1 ? floor(scale) : scale;
}
