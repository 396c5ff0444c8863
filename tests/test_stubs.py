"""The stubs of the compiled module say what is there, name for name."""

import ast
import inspect
from pathlib import Path

import lapwing
from lapwing import _core

STUBS = ast.parse((Path(lapwing.__file__).parent / "_core.pyi").read_text())


def public(names):
    return {name for name in names if not name.startswith("_")}


def parameters(function):
    """Of a stub, without self and cls."""
    names = [argument.arg for argument in function.args.args]
    return [name for name in names if name not in ("self", "cls")]


def test_the_same_classes_and_functions():
    stubbed = {n.name for n in STUBS.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    assert stubbed == public(vars(_core))


def test_functions_have_the_same_parameters():
    for node in STUBS.body:
        if isinstance(node, ast.FunctionDef):
            signature = inspect.signature(getattr(_core, node.name))
            assert parameters(node) == list(signature.parameters), node.name


def test_the_same_members_with_the_same_parameters():
    for node in STUBS.body:
        if not isinstance(node, ast.ClassDef):
            continue
        real = getattr(_core, node.name)
        members = {f.name: f for f in node.body if isinstance(f, ast.FunctionDef)}
        assert public(members) == public(vars(real)), node.name
        for name, stub in members.items():
            made = inspect.getattr_static(real, name)
            if inspect.isgetsetdescriptor(made):
                assert [d.id for d in stub.decorator_list] == ["property"], name
                continue
            target = real if name == "__new__" else getattr(real, name)
            signature = [p for p in inspect.signature(target).parameters if p != "self"]
            assert parameters(stub) == signature, f"{node.name}.{name}"
