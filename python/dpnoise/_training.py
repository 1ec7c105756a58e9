"""Private training: steps on Poisson samples, or on batches of a fixed size."""
import numpy as np

from ._calibrate import _OBJECTIVES
from ._call import UnsupportedError, Watch, call, encoded, ffi, lib, workspace
from ._law import Law, law_of
from ._privacy import _RELATIONS, Divergence, Epsilon, _delta, _interval, _options, choice


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

    def renyi(self, order):
        """The Renyi divergence of all steps at an order, or a list of them."""
        orders = np.atleast_1d(np.asarray(order, dtype=np.float64))
        steps, _keep = self._steps()
        out = ffi.new("dpn_divergence[]", len(orders))
        call(lib.dpn_renyi_sampling, out, steps, len(self._laws), ffi.from_buffer("double[]", orders), len(orders))
        found = [_interval(Divergence, out[i]) for i in range(len(orders))]
        return found if np.ndim(order) else found[0]

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


def _training(q, steps, sensitivity, shape, relation, present, batch, population):
    training = ffi.new("dpn_training *", lib.dpn_training_init())
    training.sensitivity, training.present = sensitivity, present or 0.0
    if np.ndim(shape):
        training.shape_min, training.shape_max = shape
    else:
        training.shape = shape or 0.0
    training.rate, training.steps = q, steps
    training.batch, training.population = batch or 0, population or 0
    training.relation = choice(_RELATIONS, "replace" if batch else relation, "relation")
    return training


def noise_for(epsilon, delta, q=1.0, steps=1, *, family="gaussian", sensitivity=1.0, shape=None, objective="mse", relation="add-remove",
              present=None, batch=None, population=None, progress=None):
    """The least noise for which all steps together are (epsilon, delta)-private: sigma, or for another family the law.

    Each step sees a Poisson sample of rate q, or a batch of `batch` of `population` records, of which one is replaced. Under
    relation="replace" `present` is how far one person moves the answer by leaving, beside the sensitivity to being replaced.
    The shape of a family that has one is searched, in a range (low, high) if that is given, unless it is one number.

    >>> noise_for(2, 1e-6, 0.01, 1000)
    1.029...
    >>> noise_for(1, 1e-6, 0.05, 50, family="discrete-osgt").family
    'discrete-osgt'
    """
    training = _training(q, steps, sensitivity, shape, relation, present, batch, population)
    training.objective = choice(_OBJECTIVES, objective, "objective")
    watch = Watch(progress)
    watch.put(training)
    law, certified = ffi.new("dpn_law *"), ffi.new("dpn_delta *")
    watch.call(lib.dpn_calibrate_training, law, certified, encoded(family), epsilon, delta, training, workspace())
    found = Law._of(law[0])
    return found.parameters["sigma"] if family == "gaussian" else found


def training_delta(law, epsilon, q=1.0, steps=1, *, sensitivity=1.0, relation="add-remove", present=None, batch=None, population=None):
    """delta at an epsilon of steps with a law; arguments as for `noise_for`."""
    out = ffi.new("dpn_delta *")
    call(lib.dpn_training_delta, out, ffi.NULL, law_of(law)._c, epsilon,
         _training(q, steps, sensitivity, None, relation, present, batch, population), workspace())
    return _delta(out)


def steps_for(law, epsilon, delta, q=1.0, *, sensitivity=1.0, relation="add-remove", present=None, batch=None, population=None):
    """The most steps with a law that are (epsilon, delta)-private together.

    >>> steps_for("gaussian(sigma=1)", 2, 1e-6, 0.01) > 500
    True
    """
    out = ffi.new("uint64_t *")
    call(lib.dpn_training_steps, out, law_of(law)._c, epsilon, delta,
         _training(q, 1, sensitivity, None, relation, present, batch, population), workspace())
    return out[0]


def rate_for(law, epsilon, delta, steps=1, *, sensitivity=1.0, relation="add-remove", present=None):
    """The largest rate of Poisson samples with which so many steps are (epsilon, delta)-private; UnsupportedError if not even 1e-15 is certified."""
    out = ffi.new("double *")
    call(lib.dpn_training_rate, out, law_of(law)._c, epsilon, delta,
         _training(1.0, steps, sensitivity, None, relation, present, None, None), workspace())
    if out[0] == 0:
        raise UnsupportedError("this noise is too little for the guarantee: not even a rate of 1e-15 is certified")
    return out[0]


def batch_for(law, epsilon, delta, steps, population, *, sensitivity=1.0):
    """The largest batch of a fixed size with which so many steps are (epsilon, delta)-private."""
    out = ffi.new("uint64_t *")
    call(lib.dpn_training_batch, out, law_of(law)._c, epsilon, delta,
         _training(1.0, steps, sensitivity, None, "replace", None, 1, population), workspace())
    return out[0]


def _restored(state):
    run = Accountant()
    run.load_state_dict(state)
    return run
