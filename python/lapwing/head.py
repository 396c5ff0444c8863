"""A small regression on top of the features'."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from lapwing import _core
from lapwing.arguments import number, one_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMS = ("scale", "fields")


@dataclass(frozen=True)
class Head:
    """Gains of fields, and a bias, learned with their full covariance.

    A row's total weight is ``bias + sum over fields of gain * score``, where a field's score is
    what its features add up to. Beliefs about features that have no covariances learn slowly what
    is common to all of them; the gains learn it at once. `Model.mean` and `Model.weights` are those
    of the features, before the gains.

    Parameters
    ----------
    form : ``"scale"`` has one gain for all features; ``"fields"`` one for every field (a column, a
        namespace, a key), the 64th of which is shared by all that come later.
    scale_variance, bias_variance : gains are N(1, scale_variance) at first, the bias
        N(0, bias_variance).
    memory : how many rows are remembered; all by default.
    """

    form: Literal["scale", "fields"] = "scale"
    scale_variance: float = 0.2
    bias_variance: float = 1.0
    memory: float | None = None

    def __post_init__(self) -> None:
        one_of("head", self.form, FORMS)
        number("scale_variance", self.scale_variance)
        number("bias_variance", self.bias_variance)
        memory_number("the head's memory", self.memory)

    def core(self) -> _core.Head:
        return _core.Head(self.form, self.scale_variance, self.bias_variance, self.memory)


def resolve(head: Any) -> Head | None:
    """The head that a name or a `Head` stands for."""
    if head is None or isinstance(head, Head):
        return head
    if isinstance(head, str):
        return Head(one_of("head", head, FORMS))  # type: ignore[arg-type]
    raise TypeError(f'head is {head!r}; it must be None, "scale", "fields" or a lapwing.Head')


def memory_number(name: str, memory: Any) -> float | None:
    """A number of touches or rows; None, or infinity, remembers all."""
    if memory is None:
        return None
    memory = number(name, memory)
    return None if memory == np.inf else memory


def field_numbers(fields: Any) -> NDArray[np.uint32]:
    """The field of each numbered feature."""
    if fields is None:
        return np.zeros(0, dtype=np.uint32)
    array = np.asarray(fields)
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array.size and array.min() < 0):
        raise ValueError("fields must be an array of whole numbers, one for every feature")
    if array.size and array.max() > np.iinfo(np.uint32).max:
        raise ValueError(f"a field is {array.max()}; the largest possible is {2**32 - 1}")
    return array.astype(np.uint32)
