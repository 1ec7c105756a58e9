"""The types that the package ships are those of what it has: every public name, every method, every argument with its default."""
import ast
import importlib.resources
import inspect
import pathlib
import types

import dpnoise

STUB = pathlib.Path(dpnoise.__file__).with_name("__init__.pyi")


def arguments(node):
    """[(name, kind, has a default), ...] of a function in the stub."""
    of = node.args
    plain = [*of.posonlyargs, *of.args]
    found = [(one.arg, "plain", i >= len(plain) - len(of.defaults)) for i, one in enumerate(plain)]
    found += [(one.arg, "named", default is not None) for one, default in zip(of.kwonlyargs, of.kw_defaults)]
    return found + [(one.arg, kind, False) for one, kind in ((of.vararg, "*"), (of.kwarg, "**")) if one]


def runtime_arguments(function):
    kinds = {"POSITIONAL_OR_KEYWORD": "plain", "KEYWORD_ONLY": "named", "VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}
    found = [(one.name, kinds[one.kind.name], one.default is not one.empty) for one in inspect.signature(function).parameters.values()]
    return sorted(found, key=lambda one: (one[1] in "**", one[1] == "*"))


def public():
    found = {name: getattr(dpnoise, name) for name in dir(dpnoise) if not name.startswith("_")}
    return {name: value for name, value in found.items() if not isinstance(value, types.ModuleType)}


def test_every_name_is_there():
    tree = ast.parse(STUB.read_text())
    told = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert told == set(public()) and (STUB.parent / "py.typed").exists()


def test_functions_and_methods_have_their_arguments():
    tree, compared = ast.parse(STUB.read_text()), 0
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            assert sorted(arguments(node)) == sorted(runtime_arguments(getattr(dpnoise, node.name))), node.name
            assert node.returns is not None and all(one.annotation for one in [*node.args.args, *node.args.kwonlyargs])
            compared += 1
        if not isinstance(node, ast.ClassDef):
            continue
        kind = getattr(dpnoise, node.name)
        told = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
        has = {name: value for base in kind.__mro__ if base.__module__.startswith("dpnoise") for name, value in vars(base).items()
               if not name.startswith("_") and (callable(value) or isinstance(value, (property, classmethod, staticmethod)))}
        fields = set(getattr(kind, "_fields", ()))
        assert set(has) - fields <= set(told) | {"status"}, node.name
        for name, method in told.items():
            value = inspect.getattr_static(kind, name)
            value = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
            if inspect.isfunction(value) and value.__module__.startswith("dpnoise"):
                assert sorted(arguments(method)) == sorted(runtime_arguments(value)), f"{node.name}.{name}"
                compared += 1
    assert compared > 120


def test_defaults_are_the_same():
    tree = ast.parse(STUB.read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            real = inspect.signature(getattr(dpnoise, node.name)).parameters
            for one, default in [*zip(node.args.kwonlyargs, node.args.kw_defaults), *zip(node.args.args[::-1], node.args.defaults[::-1])]:
                if isinstance(default, ast.Constant) and default.value is not ...:
                    assert real[one.arg].default == default.value, f"{node.name}: {one.arg}"


def test_the_marker_is_installed():
    assert (importlib.resources.files("dpnoise") / "py.typed").is_file()
