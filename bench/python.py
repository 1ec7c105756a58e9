"""What Python adds to the library: ratios of times, the median of several rounds of each, beside their targets.

usage: ./dev python bench/python.py      (./dev bench runs it too)
"""
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np

import dpnoise
from dpnoise._core import ffi, lib


def used():
    """Seconds of processors, of this process and those that it waited for: others on the machine do not count."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def seconds(work, clock=used):
    began = clock()
    work()
    return clock() - began


def ratio(one, other, rounds=7):
    """The median of the ratios of both, made in turns, so that whoever else uses the machine slows both."""
    one(), other()
    return statistics.median(seconds(one) / seconds(other) for _ in range(rounds))


def report(what, value, target, unit=""):
    print(f"{what:<66} {value:8.3f}{unit:<3} target {target}{unit}  {'ok' if value <= target else 'MISSED'}")


def draws(count=10**7):
    law, out = dpnoise.Law("gaussian(sigma=1)"), np.empty(count)
    sampler, source, why = law._sampler(law._grid()), dpnoise._call.random_source(), ffi.new("dpn_error *")
    c = ffi.from_buffer("double[]", out)
    rng = np.random.default_rng()

    def in_c():
        assert lib.dpn_sampler_values(c, sampler, source, count, why) == 0

    report("rvs(10**7, out=...) / dpn_sampler_values", ratio(lambda: law.rvs(out=out), in_c), 1.1)
    def in_c_with_memory():
        fresh = np.empty(count)
        assert lib.dpn_sampler_values(ffi.from_buffer("double[]", fresh), sampler, source, count, why) == 0

    report("rvs(10**7) / dpn_sampler_values into new memory", ratio(lambda: law.rvs(count), in_c_with_memory), 1.1)
    report("rvs(10**7) / numpy's normal(size=10**7)", ratio(lambda: law.rvs(count), lambda: rng.normal(size=count)), 1.0)


def profile(rounds=20000):
    law, out, why = dpnoise.Law("gaussian(sigma=1)"), ffi.new("dpn_delta *"), ffi.new("dpn_error *")

    def in_c():
        for _ in range(rounds):
            lib.dpn_profile_delta(out, law._c, 1.0, 1.0, why)

    def in_python():
        for _ in range(rounds):
            dpnoise.profile(law, 1.0, epsilon=1.0)

    in_c(), in_python()
    added = statistics.median(seconds(in_python, time.process_time) - seconds(in_c, time.process_time) for _ in range(7)) / rounds
    report("profile, beyond dpn_profile_delta", added * 1e6, 5, " us")


def fit(rows=300_000):
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (rows, 5)).round(6)
    y = (X @ [0.5, -0.25, 0.1, 0.2, -0.3] + 0.1 * rng.standard_normal(rows)).round(6)
    tool = os.environ.get("DPNOISE_TOOL", "dpnoise")
    with tempfile.TemporaryDirectory() as directory:
        table = pathlib.Path(directory) / "rows.csv"
        np.savetxt(table, np.column_stack([y, X]), delimiter=",", header="y,a,b,c,d,e", comments="", fmt="%.6f")
        words = [tool, "fit", "linear", table, "--target", "y:-2:2", "--features", "a:-1:1,b:-1:1,c:-1:1,d:-1:1,e:-1:1", "--epsilon", "1",
                 "--new-budget", "--fresh"]

        def shell():
            for name in ("dpnoise-ledger.db", "dpnoise-ledger.db.key"):
                (pathlib.Path(directory) / name).unlink(missing_ok=True)
            subprocess.run(words, check=True, capture_output=True)

        said = dict(target="y:-2:2", features=[f"{name}:-1:1" for name in "abcde"], epsilon=1)
        report("LinearRegression.fit of an array / dpnoise fit of its file",
               ratio(lambda: dpnoise.LinearRegression(epsilon=1, bounds=(-1, 1), target_bounds=(-2, 2)).fit(X, y), shell, 5), 1.1)
        report("fit() of the file / dpnoise fit of the file", ratio(lambda: dpnoise.fit("linear", table, **said), shell, 5), 1.1)


if __name__ == "__main__":
    draws()
    profile()
    fit()
