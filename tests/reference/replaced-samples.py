"""Reference values of delta for steps on Poisson samples if a record is replaced by its mirror image, for test_training of
tests/unit/privacy/t-sampling-replace.c.

The output of a step is (1-q) N(0, sigma^2) + q N(1, sigma^2), or its mirror image. Outputs are cut into 4 million cells; the loss of each is divided between the two
nearest points of a grid, so that its mean is kept, and the steps are convolved. Nothing is bounded: two grids say how far the values are off. Run:
python3 replaced-samples.py
"""
import numpy
from scipy.special import ndtr

RUNS = ((1.3, 0.00416667, 3600, 1.535102), (2, 0.05, 2000, 14.528380), (1.1, 0.01, 10000, 9.422297), (1, 0.001, 20000, 1.321985))


def delta(sigma, rate, steps, epsilon, width, points):
    cut = numpy.linspace(-14 * sigma - 1, 14 * sigma + 1, 4000001)
    mass = numpy.diff((1 - rate) * ndtr(cut / sigma) + rate * ndtr((cut - 1) / sigma))
    at = (cut[1:] + cut[:-1]) / 2
    loss = (numpy.log(1 - rate + rate * numpy.exp((2 * at - 1) / (2 * sigma**2)))
            - numpy.log(1 - rate + rate * numpy.exp((-2 * at - 1) / (2 * sigma**2)))) / width
    cell = numpy.floor(loss).astype(numpy.int64)
    one = numpy.zeros(points)
    numpy.add.at(one, cell % points, mass * (1 - (loss - cell)))
    numpy.add.at(one, (cell + 1) % points, mass * (loss - cell))
    all_steps = numpy.fft.irfft(numpy.fft.rfft(one)**steps, points)
    value = numpy.fft.fftfreq(points, 1 / points) * width
    above = value > epsilon
    return float(numpy.sum(all_steps[above] * -numpy.expm1(epsilon - value[above])))


for run in RUNS:
    print(*run, *(delta(*run, width, 1 << 22) for width in (2e-5, 1e-5)))
