"""Private training: steps on Poisson samples."""
from ._call import call, encoded, ffi, lib, workspace
from ._law import Law, law_of
from ._privacy import Epsilon, _delta, _interval, _options


class Accountant:
    """Counts the steps of a training run and says what they guarantee together, exactly, under add/remove of one person.

    >>> run = Accountant()
    >>> run.step(sigma=1.0, q=0.01, n=1000)
    >>> run.epsilon(1e-6).upper
    2.1245...

    It has the interface of Opacus's accountants too: step(noise_multiplier=..., sample_rate=...), get_epsilon(delta), history,
    state_dict, and get_optimizer_hook_fn.
    """

    def __init__(self):
        self.history = []  # (noise multiplier, sample rate, steps)
        self._laws = []

    def step(self, sigma=None, q=None, n=1, *, noise_multiplier=None, sample_rate=None, law=None, sensitivity=1.0):
        """n steps with Gaussian noise of sigma times the sensitivity, or of a law, on samples of rate q."""
        sigma = noise_multiplier if sigma is None else sigma
        q = sample_rate if q is None else q
        if q is None or (sigma is None) == (law is None):
            raise TypeError("a step has a rate q, and a sigma or a law")
        if law is None:
            law, sensitivity, entry = law_of(f"gaussian(sigma={float(sigma)!r})"), 1.0, float(sigma)
        else:
            law = entry = law_of(law)
        loss = ffi.new("dpn_loss *")
        call(lib.dpn_loss_law, loss, law._c, sensitivity)
        if not 0 <= q <= 1 or int(n) != n or n < 0:
            raise ValueError("a rate lies between 0 and 1, and the number of steps is whole")
        key = (law, float(sensitivity), float(q))
        if self._laws and self._laws[-1][0] == key:
            times = self._laws[-1][2] + int(n)
            self._laws[-1] = (key, loss, times)
            self.history[-1] = (entry, float(q), times)
        else:
            self._laws.append((key, loss, int(n)))
            self.history.append((entry, float(q), int(n)))

    def _steps(self):
        parts = [ffi.new("dpn_part *", {"loss": loss[0], "times": 1}) for _, loss, _ in self._laws]
        steps = ffi.new("dpn_step[]", [{"part": part, "parts": 1, "rate": key[2], "times": times}
                                       for part, (key, _, times) in zip(parts, self._laws)])
        return steps, parts

    def epsilon(self, delta, *, accuracy=None):
        """The least epsilon with this delta, as an interval."""
        steps, _keep = self._steps()
        out = ffi.new("dpn_epsilon *")
        call(lib.dpn_sampling_epsilon, out, workspace(), steps, len(self._laws), delta, _options(accuracy))
        return _interval(Epsilon, out)

    def delta(self, epsilon, *, accuracy=None):
        """delta at this epsilon, as an interval."""
        steps, _keep = self._steps()
        out = ffi.new("dpn_delta *")
        call(lib.dpn_sampling_delta, out, workspace(), steps, len(self._laws), epsilon, _options(accuracy))
        return _delta(out)

    # ---- as Opacus has it ----

    def get_epsilon(self, delta, **ignored):
        return self.epsilon(delta).upper

    def __len__(self):
        return sum(times for _, _, times in self._laws)

    @classmethod
    def mechanism(cls):
        return "exact"

    def get_optimizer_hook_fn(self, sample_rate):
        def hook(optimizer):
            accumulated = getattr(optimizer, "accumulated_iterations", 1)
            self.step(noise_multiplier=optimizer.noise_multiplier, sample_rate=sample_rate * accumulated)

        return hook

    def state_dict(self, destination=None):
        destination = {} if destination is None else destination
        destination["history"] = [(str(key[0]), key[1], key[2], times) for key, _, times in self._laws]
        destination["mechanism"] = self.mechanism()
        return destination

    def __reduce__(self):
        return _restored, (self.state_dict(),)

    def load_state_dict(self, state_dict):
        if state_dict.get("mechanism") != self.mechanism():
            raise ValueError("the state is that of another accountant")
        fresh = Accountant()
        for law, sensitivity, q, times in state_dict["history"]:
            law = law_of(law)
            if law.family == "gaussian" and sensitivity == 1:
                fresh.step(law.parameters["sigma"], q, times)
            else:
                fresh.step(q=q, n=times, law=law, sensitivity=sensitivity)
        self.history, self._laws = fresh.history, fresh._laws


def noise_for(epsilon, delta, q, steps, *, family="gaussian", sensitivity=1.0, shape=None):
    """The least noise for which all steps together are (epsilon, delta)-private: sigma, or for another family the law.

    >>> noise_for(2, 1e-6, 0.01, 1000)
    1.029...
    """
    training = ffi.new("dpn_training *", lib.dpn_training_init())
    training.sensitivity, training.rate, training.steps, training.shape = sensitivity, q, steps, shape or 0.0
    law, certified = ffi.new("dpn_law *"), ffi.new("dpn_delta *")
    call(lib.dpn_calibrate_training, law, certified, encoded(family), epsilon, delta, training, workspace())
    found = Law._of(law[0])
    return found.parameters["sigma"] if family == "gaussian" else found


def _restored(state):
    run = Accountant()
    run.load_state_dict(state)
    return run
