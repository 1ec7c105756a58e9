"""Against their definitions, and the shell."""
import numpy as np
import pytest

import dpnoise


def test_inequality(shell):
    rng = np.random.default_rng(5)
    for count in (1, 2, 7):
        a = rng.uniform(0, 3, count)
        found = dpnoise.inequality(a)
        assert found.gini == pytest.approx(np.abs(a[:, None] - a).sum() / (2 * count * a.sum()), abs=1e-14)
        assert found.gain == pytest.approx(count * (a**2).sum() / a.sum() ** 2, rel=1e-14)
    told = shell("calibrate", "--sensitivities", ",".join(map(repr, a.tolist())), "--inequality")
    assert (told["gini"], told["gain"]) == pytest.approx(found, rel=1e-15)
    for wrong in ([], [0, 0], [1, -1], [1, float("nan")]):
        with pytest.raises(dpnoise.DomainError):
            dpnoise.inequality(wrong)
    with pytest.raises(ValueError, match="list of numbers"):
        dpnoise.inequality([[1, 2]])


def test_majorises(shell):
    rng, seen = np.random.default_rng(6), set()
    for _ in range(40):
        a, b = rng.uniform(0, 1, (2, 3))
        sums = [np.cumsum(np.sort(one**2 / (one**2).sum())[::-1]) for one in (a, b)]
        both = dpnoise.majorises(a, b), dpnoise.majorises(b, a)
        assert both == ((sums[0] >= sums[1] - 1e-12).all(), (sums[1] >= sums[0] - 1e-12).all())
        seen.add(both)
    assert seen == {(True, False), (False, True), (False, False)}
    assert dpnoise.majorises([1, 2], [2, 1]) and dpnoise.majorises([2, 1], [1, 2])
    told = shell("calibrate", "--sensitivities", "1,2,3", "--inequality", "--majorises", "1,1,1")
    assert told["majorises"] == "first" and dpnoise.majorises([1, 2, 3], [1, 1, 1])
    with pytest.raises(ValueError, match="differ in length"):
        dpnoise.majorises([1, 2], [1])
