"""Models from files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lapwing import _core
from lapwing.arguments import path_text
from lapwing.dense import DenseModel
from lapwing.model import Model

if TYPE_CHECKING:
    import os


def load(path: str | os.PathLike[str]) -> Model | DenseModel:
    """The model that was saved: it predicts the same, and goes on learning bit for bit.

    Loading executes nothing of the file, and refuses one that is damaged.

    >>> import lapwing, tempfile, pathlib
    >>> X, y, _ = lapwing.synthetic.RandomStream(seed=1).draw(20_000)
    >>> model = lapwing.Model()
    >>> p = model.learn(X[:10_000], y[:10_000])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "clicks.lapwing")
    ...     model.save(path)
    ...     model = lapwing.load(path)
    >>> p = model.learn(X[10_000:], y[10_000:])
    >>> print(f"log loss {lapwing.log_loss(y[10_000:], p):.4f}")
    log loss 0.3089
    """
    return load_described(path)[0]


def load_described(path: str | os.PathLike[str]) -> tuple[Model | DenseModel, dict[str, Any]]:
    """The model, and the description that the file has."""
    core, text = _core.Model.load(path_text(path))
    description = json.loads(text)
    is_dense = DenseModel._holds(description["beliefs"]["kind"])
    face: type[Model | DenseModel] = DenseModel if is_dense else Model
    model = face.__new__(face)
    try:
        model._restore(core, description)
    except ValueError as error:
        raise ValueError(f"{path_text(path)}: {error}") from None
    return model, description
