import math
import os
import pickle
import threading

import numpy as np
import pytest

import dpnoise


def some_laws():
    return [dpnoise.Law(text) for text in (
        "gaussian(sigma=2)", "laplace(scale=0.3)", "flipped-huber(alpha=3,gamma=1)", "osgt(m=3,sigma=6.3)",
        "staircase(epsilon=1,sensitivity=1,gamma=0.4)", "subbotin(p=1.5,scale=1)", "discrete-laplace(scale=5)",
        "discrete-gaussian(sigma=3)")]


@pytest.mark.parametrize("law", some_laws(), ids=str)
def test_texts_and_values(law):
    assert dpnoise.Law(str(law)) == law and hash(dpnoise.Law(str(law))) == hash(law)
    assert pickle.loads(pickle.dumps(law)) == law
    assert dpnoise.Law(law.family, **law.parameters) == law
    with pytest.raises(AttributeError):
        law.family = "laplace"


@pytest.mark.parametrize("law", some_laws(), ids=str)
def test_members_agree_with_the_shell(law, shell):
    told = shell("law", law)
    assert law.var() == told["variance"] and law.entropy() == told["entropy"] and law.mean_abs() == told["mean_abs"]
    assert law.is_integer == told["integer"] and law.is_log_concave == told["log_concave"]


def test_members_by_their_formulas():
    t = np.linspace(-5, 5, 11)
    law = dpnoise.Law("gaussian", sigma=2)
    assert np.allclose(law.pdf(t), np.exp(-(t**2) / 8) / math.sqrt(8 * math.pi), rtol=1e-14)
    assert np.allclose(law.sf(t), [math.erfc(x / math.sqrt(8)) / 2 for x in t], rtol=1e-13)
    assert np.allclose(law.ppf(law.cdf(t)), t, rtol=1e-9) and np.allclose(law.logsf(t), np.log(law.sf(t)))
    laplace = dpnoise.Law("laplace(scale=0.5)")
    assert np.allclose(laplace.cdf(t), np.where(t < 0, np.exp(2 * t) / 2, 1 - np.exp(-2 * t) / 2), rtol=1e-13)
    assert math.isclose(laplace.var(), 0.5, rel_tol=1e-13) and laplace.std() ** 2 == pytest.approx(0.5)
    assert laplace.interval(0.95)[1] == pytest.approx(-0.5 * math.log(0.05))


def test_shapes_and_types():
    law = dpnoise.Law("gaussian(sigma=1)")
    assert isinstance(law.pdf(0), float) and law.pdf([[0, 1], [2, 3]]).shape == (2, 2)
    assert law.cdf(np.arange(6, dtype=np.int32)[::-2]).tolist() == [law.cdf(5), law.cdf(3), law.cdf(1)]
    assert isinstance(law.rvs(), float) and law.rvs((2, 3)).dtype == np.float64
    whole = dpnoise.Law("discrete-gaussian(sigma=3)")
    assert whole.rvs(5).dtype == np.int64 and isinstance(whole.rvs(), int)
    out = np.empty(4)
    assert law.rvs(out=out) is out
    with pytest.raises(ValueError):
        law.rvs(out=np.empty(4, dtype=np.float32))
    assert law.rvs(0).shape == (0,)


def test_draws_have_the_law():
    """Mean square and tail of 10^6 draws, each within six standard errors: false alarms below 1e-8."""
    law, n = dpnoise.Law("flipped-huber(alpha=3,gamma=1)"), 10**6
    x = law.rvs(n)
    assert abs(np.mean(x**2) - law.var()) < 6 * np.std(x**2) / math.sqrt(n)
    for t in (0.1, 0.5, 1.0):
        p = law.sf(t)
        assert abs(np.mean(x > t) - p) < 6 * math.sqrt(p * (1 - p) / n)
    grid = 2.0 ** (math.frexp(law.std())[1] - 17)
    assert np.all(x / grid == np.rint(x / grid))


def test_threads_and_forks_do_not_repeat():
    law, seen = dpnoise.Law("gaussian(sigma=1)"), []

    def draw():
        seen.append(law.rvs(10**6, grid_exponent=-50))

    threads = [threading.Thread(target=draw) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, law.rvs(1000, grid_exponent=-50).tobytes())
        os._exit(0)
    os.waitpid(child, 0)
    seen += [np.frombuffer(os.read(read, 8000)), law.rvs(1000, grid_exponent=-50)]
    together = np.concatenate(seen)
    assert len(together) == 8 * 10**6 + 2000
    # 2^-50 steps: two equal draws among 8e6 have a probability of some 1e-2, six 1e-15, and a repeated stream has thousands.
    assert len(np.unique(together)) >= len(together) - 5


def test_what_is_refused():
    with pytest.raises(dpnoise.ParseError, match="no family 'gausian'"):
        dpnoise.Law("gausian(sigma=1)")
    with pytest.raises(dpnoise.DomainError) as refused:
        dpnoise.Law("gaussian", sigma=-1)
    assert refused.value.status == "DPN_EDOMAIN" and isinstance(refused.value, ValueError)
