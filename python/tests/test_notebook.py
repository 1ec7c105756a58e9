"""The tutorial runs, and the notebook in the tree is the script with what came out of it."""
import importlib.machinery
import importlib.util
import json
import pathlib

HERE = pathlib.Path(__file__).parents[1] / "notebook"


def tool():
    loader = importlib.machinery.SourceFileLoader("notebook_make", str(HERE / "make"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("notebook_make", loader))
    loader.exec_module(module)
    return module


def shape(notebook):
    """What does not depend on the noise: the cells, and which kinds of output each has."""
    return [(cell["cell_type"], "".join(cell["source"]),
             [(output["output_type"], sorted(output.get("data", ()))) for output in cell.get("outputs", ())]) for cell in notebook["cells"]]


def test_the_tutorial_runs_and_is_what_is_kept():
    made = tool().notebook(HERE / "tutorial.py")
    kept = json.loads((HERE / "tutorial.ipynb").read_text())
    assert shape(made) == shape(kept), "python/notebook/make tutorial.py tutorial.ipynb makes it anew"
    pictures = [output for cell in made["cells"] for output in cell.get("outputs", ()) if "<svg" in "".join(output.get("data", {}).get("text/html", ""))]
    assert len(pictures) >= 4
    said = "".join("".join(output.get("text", "")) for cell in made["cells"] for output in cell.get("outputs", ()))
    assert "stored: True  same: True  left: 1.5" in said and "0.6 asked, 0.5 left" in said
    # The kinds of output that cells have in common are in both, and no cell failed.
    assert all(output["output_type"] != "error" for cell in kept["cells"] for output in cell.get("outputs", ()))


def test_cells():
    cells = tool().cells("# %% [markdown]\n# # A\n#\n# b\n\n# %%\nx = 1\nx\n")
    assert cells == [("markdown", "# A\n\nb"), ("code", "x = 1\nx")]
