import math
import os
import signal
import threading
import time

import numpy as np
import pytest

import dpnoise
from dpnoise import Sensitivity


def gaussian_delta(mu, epsilon):
    """Balle and Wang 2018, by the error function."""
    def q(x):
        return math.erfc(x / math.sqrt(2)) / 2

    return q(epsilon / mu - mu / 2) - math.exp(epsilon) * q(epsilon / mu + mu / 2)


def test_profile_by_its_formula():
    for sigma, epsilon in ((1, 1), (3, 0.2), (0.5, 4)):
        found = dpnoise.profile(f"gaussian(sigma={sigma})", epsilon=epsilon)
        assert found.lower <= gaussian_delta(1 / sigma, epsilon) * (1 + 1e-9) and found.lower <= found.upper
        assert found.upper == pytest.approx(gaussian_delta(1 / sigma, epsilon), rel=1e-9) and float(found) == found.upper
    assert dpnoise.profile("laplace(scale=2)", delta=0).upper == pytest.approx(0.5, rel=1e-15)


def test_profile_as_in_the_shell(shell):
    told = shell("profile", "osgt(m=3,sigma=6.3)", "--linf", 1, "--dim", 20, "--epsilon", 1)
    found = dpnoise.profile("osgt(m=3,sigma=6.3)", Sensitivity(dim=20, linf=1), epsilon=1)
    assert (found.upper, found.lower) == (told["delta"], told["delta_lower"])
    told = shell("profile", "--law", "gaussian(sigma=9)", "--sensitivity", 1, "--law", "laplace(scale=4)", "--sensitivity",
                 0.5, "--delta", 1e-6)
    found = dpnoise.profile(["gaussian(sigma=9)", "laplace(scale=4)"], [1, 0.5], delta=1e-6)
    assert found.upper == pytest.approx(told["epsilon"], rel=1e-9)


def test_compositions():
    many = dpnoise.compose([("gaussian(sigma=10)", 1, 100)], epsilon=1)
    assert many.lower <= gaussian_delta(1, 1) * (1 + 1e-9) and many.upper >= gaussian_delta(1, 1) * (1 - 1e-12)
    assert dpnoise.compose([("pure(epsilon=0.25)", 50)], delta=0.01).upper == pytest.approx(4.9415, abs=1e-4)
    mixed = dpnoise.compose([(dpnoise.Law("laplace(scale=1)"), 1), (dpnoise.Guarantee("pure(epsilon=1)"), 2)], delta=0)
    assert mixed.upper == pytest.approx(3, rel=1e-12)


def test_parts_count_as_often_as_is_said():
    thirty = dpnoise.compose([("pure(epsilon=0.1)", 30)], delta=0)
    assert thirty.upper == pytest.approx(3, rel=1e-9)
    assert dpnoise.compose([("pure(epsilon=0.1)", 10), ("laplace(scale=10)", 1, 20)], delta=0).upper == pytest.approx(3, rel=1e-9)
    assert dpnoise.compose([("laplace(scale=10)", 2)], delta=0).upper == pytest.approx(0.2, rel=1e-9)
    for wrong in (("pure(epsilon=0.1)", 1, 30), ("laplace(scale=10)", 1, 1, 30)):
        with pytest.raises(TypeError, match="its times"):
            dpnoise.compose([wrong], delta=0)
    for wrong in (("pure(epsilon=0.1)", 29.9), ("laplace(scale=10)", 1, 29.9)):
        with pytest.raises(ValueError, match="whole number"):
            dpnoise.compose([wrong], delta=0)


def test_renyi_and_conversions(shell):
    assert dpnoise.renyi("gaussian(sigma=2)", order=[2, 8])[1].upper == pytest.approx(1.0, rel=1e-12)
    told = shell("convert", "zcdp(rho=0.1)", "--delta", 1e-6)
    assert dpnoise.convert("zcdp(rho=0.1)", delta=1e-6).epsilon == told["epsilon"]
    assert str(dpnoise.convert("pure(epsilon=1)", "replace")) == "pure(epsilon=2)"
    assert dpnoise.convert("gdp(mu=1)", epsilon=1).delta == pytest.approx(gaussian_delta(1, 1), rel=1e-9)
    with pytest.raises(dpnoise.ParseError, match="no notion"):
        dpnoise.convert("pure(epsilon=1)", "magic")


def test_groups_come_first_whatever_is_asked(shell):
    # Gaussian noise is known in every notion: mu grows with the group, rho and the divergences with its square.
    one = "gdp(mu=0.5)"
    assert dpnoise.convert(one, group=3).mu == 1.5
    assert dpnoise.convert(one, "gdp", group=3).mu == 1.5
    assert dpnoise.convert(one, "replace", group=3).mu == 3
    assert dpnoise.convert(one, "zcdp", group=3).rho == pytest.approx(1.125, rel=1e-12)
    assert dpnoise.convert(one, order=2, group=3).divergence == pytest.approx(2.25, rel=1e-12)
    assert dpnoise.convert(one, epsilon=1, group=3).delta == pytest.approx(gaussian_delta(1.5, 1), rel=1e-9)
    several = [one, "approximate(epsilon=1,delta=1e-6)"]
    told = shell("convert", *several, "--group", 2, "--delta", "1e-3")
    assert dpnoise.convert(several, delta=1e-3, group=2).epsilon == told["epsilon"]
    for asked in ({"epsilon": 1, "delta": 0.1}, {"epsilon": 1, "order": 2}, {"delta": 0.1, "to": "zcdp"}, {"to": "gdp", "order": 2},
                  {"to": "add-remove", "group": 2}):
        with pytest.raises(TypeError):
            dpnoise.convert(one, **asked)
    with pytest.raises(TypeError, match="several"):
        dpnoise.convert(several, "zcdp")


def test_calibration_as_in_the_shell(shell):
    told = shell("calibrate", "osgt", "--epsilon", 1, "--delta", 1e-8, "--linf", 1, "--dim", 20)
    plan = dpnoise.calibrate("osgt", 1, 1e-8, Sensitivity(dim=20, linf=1))
    assert plan.mse == told["mse"] and plan.delta.upper <= 1e-8 and str(plan.law) == told["law"]
    again = dpnoise.Plan(plan.to_json())
    assert again.noise == plan.noise and np.array_equal(again.variance, plan.variance)
    assert dpnoise.profile(plan, epsilon=1).upper <= 1e-8
    ranked = dpnoise.compare(1, 1e-6)
    rows = shell("compare", "--epsilon", 1, "--delta", 1e-6, "--sensitivity", 1)["rows"]
    assert [(p.family, p.mse) for p in ranked] == [(r["family"], r["mse"]) for r in rows if r.get("mse") is not None]
    assert "k-norm" in ranked.left_out and ranked[0].family in str(ranked) and "<svg" in ranked._repr_html_()


def test_histograms_and_relations():
    assert Sensitivity.histogram(10).max_changed == 1 and Sensitivity.histogram(10, relation="replace").max_changed == 2
    with pytest.raises(dpnoise.ParseError, match="no relation"):
        Sensitivity(linf=1, relation="neighbours")
    with pytest.raises(ValueError):
        Sensitivity(dim=3, bound=[1, 2])


def test_training():
    run = dpnoise.Accountant()
    for _ in range(4):
        run.step(noise_multiplier=1.0, sample_rate=0.01, n=250)
    found = run.epsilon(1e-6)
    # The truth is 2.12451: an accountant of the field says 2.1346, by Renyi divergences it is 2.4367.
    assert found.lower <= 2.12452 and found.upper == pytest.approx(2.12451, abs=1e-5)
    assert run.history == [(1.0, 0.01, 1000)] and len(run) == 1000 and run.get_epsilon(1e-6) == found.upper
    again = dpnoise.Accountant()
    again.load_state_dict(run.state_dict())
    assert again.epsilon(1e-6) == found
    sigma = dpnoise.noise_for(2, 1e-6, 0.01, 1000)
    tried = dpnoise.Accountant()
    tried.step(sigma, 0.01, 1000)
    assert tried.delta(2).upper <= 1e-6
    tried.step(sigma, 0.01, 20)
    assert tried.delta(2).lower > 1e-6
    with pytest.raises(TypeError):
        run.step(q=0.1)


def test_noise_for_a_training_has_its_shape_searched():
    """No shape of a list has less variance; a range is kept; what the progress is told rises; and it can be interrupted."""
    told = []
    best = dpnoise.noise_for(0.5, 1e-5, 0.2, 4, family="flipped-huber", progress=told.append)
    assert told == sorted(told) and 0 < told[-1] <= 1
    assert dpnoise.training_delta(best, 0.5, 0.2, 4).upper <= 1e-5
    tried = [dpnoise.noise_for(0.5, 1e-5, 0.2, 4, family="flipped-huber", shape=shape).var() for shape in (0.5, 1, 2, 3)]
    assert best.var() <= min(tried) * 1.002
    near = dpnoise.noise_for(0.5, 1e-5, 0.2, 4, family="flipped-huber", shape=(2.5, 3))
    assert 2.5 * (1 - 1e-12) <= near.parameters["alpha"] / near.parameters["gamma"] <= 3 * (1 + 1e-12)

    def stop(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dpnoise.noise_for(0.5, 1e-5, 0.2, 4, family="flipped-huber", progress=stop)


def test_another_run_of_the_field():
    """q 0.04, sigma 1.5, 2250 steps, delta 1e-5: an accountant of the field says 6.7774, from above."""
    run = dpnoise.Accountant()
    run.step(1.5, 0.04, 2250)
    found = run.epsilon(1e-5)
    assert found.upper - found.lower < 1e-4 and 6.5 < found.upper < 6.7774


def test_opacus_interface():
    """What its engine does with an accountant: steps by a hook of the optimizer, its history, its state."""
    class Optimizer:
        noise_multiplier, accumulated_iterations = 1.1, 2

    run = dpnoise.Accountant()
    hook = run.get_optimizer_hook_fn(sample_rate=0.01)
    for _ in range(5):
        hook(Optimizer)
    assert run.history == [(1.1, 0.02, 5)] and len(run) == 5 and dpnoise.Accountant.mechanism() == "exact"
    state = {"other": 1}
    assert run.state_dict(state) is state and state["mechanism"] == "exact"
    with pytest.raises(ValueError, match="another accountant"):
        run.load_state_dict({"history": [], "mechanism": "rdp"})


def test_bars(monkeypatch):
    """progress=True is a bar of tqdm where that is installed."""
    import sys
    import types

    shown = []

    class Bar:
        def __init__(self, total, **_):
            self.n = 0.0
            shown.append(("total", total))

        def update(self, more):
            self.n += more
            shown.append(("at", self.n))

        def close(self):
            shown.append(("closed", self.n))

    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    auto = types.ModuleType("tqdm.auto")
    auto.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm.auto", auto)
    dpnoise.audit("laplace(scale=1)", samples=200_000, progress=True)
    assert shown[0] == ("total", 1.0) and shown[-1][0] == "closed" and any(0 < n < 1 for what, n in shown if what == "at")
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # not installed
    dpnoise.audit("laplace(scale=1)", samples=1000, progress=True)


def test_added_noise():
    noisy = dpnoise.add(["1204", "0.5"], 1, sensitivity=[1, 0.5])
    assert np.all(noisy.low < noisy.value) and noisy.value.shape == (2,)
    # Six and a half half-widths: 40 scales of Laplace noise, of probability below 1e-8.
    assert abs(noisy.value[0] - 1204) < 6.5 * noisy.half_width[0]
    with pytest.raises(dpnoise.DomainError):
        dpnoise.add(0.5, 1, whole=True)
    with pytest.raises(ValueError):
        dpnoise.add([1, 2, 3], 1, sensitivity=Sensitivity(dim=2, linf=1))


def test_interrupts_end_a_search():
    """Ctrl-C raises KeyboardInterrupt out of a long call, long before that would end."""
    seen = []

    def progress(done):
        seen.append(done)
        if len(seen) == 1:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        dpnoise.compare(0.3, 1e-8, [1, 0.9, 0.8, 0.7, 0.6, 0.5], progress=progress)
    assert seen and seen[-1] < 1


def test_other_threads_run_meanwhile(tmp_path):
    """The interpreter is free while the library waits or computes: else opening a pipe that another thread writes to would never end."""
    from dpnoise._source import Table

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    thread = threading.Thread(target=lambda: pipe.write_text("a,b\n1,2\n"))
    thread.start()
    with pytest.raises(ValueError, match="a pipe has no place"):
        Table(pipe)
    thread.join()


def test_names_that_are_nearly_right():
    for wrong, right in (("gausian", "gaussian"), ("k_norm", "k-norm"), ("flipped-hubert", "flipped-huber")):
        with pytest.raises(dpnoise.ParseError, match=f"there is no family '{wrong}'; did you mean '{right}'"):
            dpnoise.calibrate(wrong, 1, 1e-6)
    with pytest.raises(dpnoise.ParseError, match="there is no family 'xyz': .*gaussian.*random-box"):
        dpnoise.calibrate("xyz", 1)
    with pytest.raises(dpnoise.ParseError, match="there is no objective 'msee'; did you mean 'mse'"):
        dpnoise.calibrate("laplace", 1, objective="msee")
