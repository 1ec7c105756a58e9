"""How far a long call is: a function of yours, or a bar of tqdm where that is installed."""
import sys


def _line():
    """Without tqdm: a line on standard error, if a person may see it."""
    if not sys.stderr.isatty():
        return None, lambda: None
    return (lambda done: print(f"\r{100 * done:3.0f}%", end="", file=sys.stderr, flush=True)), lambda: print(file=sys.stderr)


def _bar():
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _line()
    bar = tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}")

    def show(done):
        if done > bar.n:
            bar.update(done - bar.n)

    return show, bar.close


def shown(progress):
    """A function that is told the share that is done, or None; and one that ends the display."""
    if progress is None or progress is False:
        return None, lambda: None
    if progress is True:
        return _bar()
    return progress, lambda: None
