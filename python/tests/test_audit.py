import os
import signal
import time

import pytest

import dpnoise


def test_honest_noise_passes_and_other_noise_does_not():
    honest = dpnoise.audit("laplace(scale=1)", samples=20_000)
    assert honest and honest.at.epsilon == pytest.approx(1) and honest.at.epsilon_lower <= 1 and len(honest.points) == 17
    caught = dpnoise.audit("laplace(scale=0.4)", epsilon=1, samples=20_000)
    assert not caught and caught.at.epsilon_lower > 1
    plan = dpnoise.calibrate("k-norm", 1, 0, [1, 2])
    assert dpnoise.audit(plan, samples=10_000).passed
    several = dpnoise.audit(["gaussian(sigma=2)", "laplace(scale=3)"], [1, 1], delta=1e-4, samples=10_000)
    assert several and several.confidence == 0.999


def test_as_in_the_shell(shell):
    told = shell("audit", "laplace(scale=1)", "--sensitivity", 1, "--samples", 10000)
    found = dpnoise.audit("laplace(scale=1)", samples=10000)
    assert (found.samples, found.pairs, found.events) == (told["samples"], told["pairs"], told["events"])
    assert found.at.epsilon == told["epsilon_claimed"]


def test_releases_and_fits():
    assert dpnoise.audit_release(count=True, sum="x:0:1", epsilon="1", samples=1000)
    assert not dpnoise.audit_release(count=True, epsilon="5", epsilon_claimed=1, samples=2000)
    assert dpnoise.audit_fit("linear", target="y:0:1", features="x:0:1", epsilon=1, samples=1000, method="moments")


def test_an_audit_can_be_interrupted():
    def progress(done):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)

    began = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        dpnoise.audit("gaussian(sigma=1)", samples=10**10, progress=progress)
    assert time.process_time() - began < 30  # the whole would take hours
