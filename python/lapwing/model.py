"""Models: learn from rows, predict probabilities, say how sure they are."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from lapwing import _core, rules
from lapwing.arguments import (
    level_number,
    number,
    number_or_array,
    one_of,
    path_text,
    seed_number,
    whole_number,
)
from lapwing.data import Batch, labels_of, row_weights, rows_of, weights_of
from lapwing.files import ROWS, learn_files, read
from lapwing.head import Head, field_numbers, memory_number, resolve
from lapwing.named import (
    Encoded,
    encode_dicts,
    encode_table,
    frozen_batches,
    is_dicts,
    new_encoder,
    table_labels,
)
from lapwing.panel import SHARE, Judged, Member, checked, from_description, judged
from lapwing.pieces import Piece
from lapwing.tables import arrow_table, is_table, parts
from lapwing.weights import Weights

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from lapwing._core import Model as CoreModel
    from lapwing.data import RowArrays
    from lapwing.files import Learned

LINKS = ("logit", "probit")
LARGEST_SIZE = 2**32


class OnlineModel(ABC):
    """What every model does; `Model` and `DenseModel` differ in the beliefs they keep."""

    _core: _core.Model
    _dtype: np.dtype[Any]
    _fixed_size: int | None
    _turn: Lock
    """Held while what a model is made of changes, or is written."""
    rule: rules.Rule
    link: str

    @classmethod
    @abstractmethod
    def _holds(cls, kind: str) -> bool:
        """Whether beliefs of this kind, in the words of model files, are those of the class."""

    def learn(self, X: Any, y: Any, sample_weight: Any = None) -> NDArray[np.float64]:
        """Predict P(y=1) of every row, each before learning it, and learn them all.

        `y` is in {0, 1}, {-1, 1} or bool. A `sample_weight` raises a row's likelihood to a power:
        a row of weight 2 counts twice, a row of weight 0 is only predicted. A call that fails
        leaves the model as it was.
        """
        return self._learn_batch(self._rows(X), labels_of(y), weights_of(sample_weight))

    def predict(self, X: Any) -> NDArray[np.float64]:
        """P(y=1) of every row, averaged over what is not known about the weights."""
        return self._each(X, self._core.predict)

    def predict_logit(self, X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean and the variance of every row's total weight, the argument of the link."""
        return self._each_pair(X, self._core.predict_logit)

    def interval(
        self, X: Any, level: float = 0.9
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The bounds between which P(y=1) of every row lies with this probability."""
        self._need_variance("interval")
        level = level_number(level)
        return self._each_pair(X, lambda rows: self._core.interval(rows, level))

    def sample(self, X: Any, seed: int) -> NDArray[np.float64]:
        """P(y=1) of every row under one draw of the weights (a Thompson draw).

        The draw belongs to the seed: all rows, in this call and in others, see the same weights.
        """
        self._need_variance("sample")
        seed = seed_number(seed)
        return self._each(X, lambda rows: self._core.sample(rows, seed))

    @property
    def mean(self) -> NDArray[np.floating[Any]]:
        """The mean of every feature's weight."""
        return self._core.beliefs()[0]

    @property
    def variance(self) -> NDArray[np.floating[Any]]:
        """The variance of every feature's weight."""
        self._need_variance("variance")
        return self._core.beliefs()[1]

    @property
    def size(self) -> int:
        """The number of features the model speaks of."""
        return self._core.size

    @property
    def rows_learned(self) -> int:
        """How many rows were learned; those of weight zero were not."""
        return self._core.rows_learned

    @property
    def dtype(self) -> str:
        """The precision the beliefs are kept in."""
        return str(self._dtype.name)

    def weights(self) -> Weights:
        """What was learned about each feature, as a table. Features nobody has seen are left out.

        They are told by their names if the model keeps them (``names=True``), and otherwise by
        their numbers.
        """
        return Weights.of(self._core, has_variance=self.rule.keeps_variance)

    def export(self, path: str | os.PathLike[str]) -> None:
        """Write the table of `weights`, as CSV or Parquet by how the name ends."""
        self.weights().write(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file, which `lapwing.load` reads and with which learning goes on exactly.

        It is a safetensors file: arrays and a description, nothing that can execute. It replaces
        the old file as a whole: whenever that is interrupted, the old one or the new one is there.
        """
        with self._turn:
            self._core.save(path_text(path), self._notes())

    def __getstate__(self) -> bytes:
        with self._turn:
            return self._core.to_bytes(self._notes())

    def __setstate__(self, content: bytes) -> None:
        # The oldest protocols of pickle make objects without calling __new__.
        self._turn = Lock()
        core, description = _core.Model.from_bytes(content)
        self._restore(core, json.loads(description))

    def _notes(self) -> dict[str, str]:
        """What Python keeps with a model, as model files hold it."""
        return {}

    def _restore(self, core: CoreModel, description: dict[str, Any]) -> None:
        """Become the model of a file, whatever the object was."""
        kind = description["beliefs"]["kind"]
        if not self._holds(kind):
            raise ValueError(
                f"these are the beliefs of another class ({kind}), not of a {type(self).__name__}"
            )
        self._core = core
        self._turn = Lock()
        self._dtype = np.dtype(description["dtype"])
        self.rule = rules.from_description(description["settings"]["rule"])
        self.link = description["settings"]["link"]
        self._fixed_size = None if description["beliefs"].get("grows") else core.size

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(rule={self.rule}, link={self.link!r}, dtype={self.dtype!r}, "
            f"size={self.size}, rows_learned={self.rows_learned})"
        )

    def _learn_batch(
        self,
        batch: Batch,
        labels: NDArray[np.int8],
        weights: NDArray[np.float64] | None,
        new_names: list[tuple[int, str]] | None = None,
    ) -> NDArray[np.float64]:
        rows = batch.arrays(self._dtype)
        return self._core.learn(rows, batch.columns, labels, weights, new_names)

    def _each(
        self, X: Any, answer: Callable[[RowArrays], NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        """One answer for every row of X, whatever kind of rows and however many batches it is."""
        answers = [answer(batch.arrays(self._dtype)) for batch in self._batches(X)]
        return answers[0] if len(answers) == 1 else np.concatenate([np.zeros(0), *answers])

    def _each_pair(
        self, X: Any, answer: Callable[[RowArrays], tuple[NDArray[np.float64], NDArray[np.float64]]]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        answers = [answer(batch.arrays(self._dtype)) for batch in self._batches(X)]
        first, second = zip((np.zeros(0), np.zeros(0)), *answers, strict=True)
        return np.concatenate(first), np.concatenate(second)

    def _batches(self, X: Any) -> Iterator[Batch]:
        """Rows that are not learned."""
        yield self._rows(X)

    def _rows(self, X: Any) -> Batch:
        batch = rows_of(X)
        if self._fixed_size is not None and batch.columns > self._fixed_size:
            raise ValueError(
                f"X has {batch.columns} columns; this model has size {self._fixed_size}"
            )
        return batch

    def _need_variance(self, what: str) -> None:
        if not self.rule.keeps_variance:
            raise ValueError(f"{what} needs a variance, and {self.rule} keeps none")


class Model(OnlineModel):
    """Online Bayesian regression with a mean and a variance for every feature.

    Parameters
    ----------
    rule : how a row moves the beliefs: a name or an object of `lapwing.rules`.
    link : ``"logit"`` or ``"probit"``.
    prior_mean, prior_variance : the belief about a feature nobody has seen; numbers, or arrays
        with one entry for every feature.
    size : the number of features; without it the model grows with the columns of `X`.
    dtype : the precision beliefs are kept in, ``"float32"`` (8 bytes a feature) or ``"float64"``.
    seed : for rules that sample (`lapwing.rules.VB`).
    memory : how many of its touches a feature remembers: with every row that has it, its belief
        goes a little back to the prior. All by default; streams that drift want a thousand or so.
    head : gains and a bias on top of the features, ``"scale"``, ``"fields"`` or a `lapwing.Head`.
    fields : for ``head="fields"``, the field of every numbered feature, as an array of whole
        numbers. Named features know theirs.
    bits : named features (of dicts, frames, text) live in a table of ``2**bits`` by their hash.
    crosses : pairs or triples of fields whose features are also taken together, as in
        ``[("user", "item")]``.
    names : whether the names of features are kept.

    >>> import lapwing
    >>> X, y, _ = lapwing.synthetic.RandomStream(seed=1).draw(20_000)
    >>> model = lapwing.Model()
    >>> p = model.learn(X, y)
    >>> print(f"log loss {lapwing.log_loss(y, p):.4f}")
    log loss 0.3226
    >>> low, high = model.interval(X[:1], 0.9)
    >>> print(f"{low[0]:.3f} to {high[0]:.3f}")
    0.997 to 0.999

    Named features need no numbers: dicts say which features are on, frames have a field for every
    column (`docs/columns.md` says what becomes of a cell).

    >>> rows = [{"user": "anna", "price": 0.5}, {"user": "ben", "price": 2.0}] * 50
    >>> model = lapwing.Model()
    >>> p = model.learn(rows, [1, 0] * 50)
    >>> print("%.3f, %.3f" % tuple(model.predict([{"user": "anna"}, {"price": 2.0}])))
    0.961, 0.199
    """

    _single_rows: _core.SingleRows | None

    def __init__(
        self,
        rule: str | rules.Rule = "approx",
        *,
        link: Literal["logit", "probit"] = "logit",
        prior_mean: ArrayLike = 0.0,
        prior_variance: ArrayLike = 1.0,
        size: int | None = None,
        dtype: DTypeLike = "float32",
        seed: int = 0,
        memory: float | None = None,
        head: str | Head | None = None,
        fields: ArrayLike | None = None,
        bits: int = 22,
        crosses: Sequence[Sequence[str]] = (),
        names: bool = False,
    ) -> None:
        self.rule = rules.resolve(rule)
        self.link = one_of("link", link, LINKS)
        self._dtype = precision(dtype)
        self._encoder = new_encoder(bits, crosses, names)
        self._turn = Lock()
        self._single_rows = None
        self._fixed_size = None if size is None else whole_number("size", size, 0, LARGEST_SIZE)
        self.memory = memory_number("memory", memory)
        self.head = resolve(head)
        self._members: tuple[Member, ...] = ()
        core_head = None if self.head is None else self.head.core()
        if np.ndim(prior_mean) == 0 and np.ndim(prior_variance) == 0:
            self._core = _core.Model.numbered(
                self.rule.core(),
                self.link,
                number("prior_mean", prior_mean),
                number("prior_variance", prior_variance),
                self._fixed_size,
                self._dtype.name,
                seed_number(seed),
                self._encoder.keeps_names,
                self.memory,
                core_head,
                field_numbers(fields),
            )
        else:
            means, variances = priors(prior_mean, prior_variance, self._fixed_size)
            self._fixed_size = len(means)
            self._core = _core.Model.with_priors(
                self.rule.core(),
                self.link,
                means,
                variances,
                self._dtype.name,
                seed_number(seed),
                self.memory,
                core_head,
                field_numbers(fields),
            )

    @classmethod
    def _holds(cls, kind: str) -> bool:
        return kind in ("table", "panel")

    @property
    def members(self) -> tuple[Judged, ...]:
        """Of a panel, its members: how far each is believed, its loss, and both over time."""
        return judged(self._members, self._core)

    def _notes(self) -> dict[str, str]:
        return {"encoder": self._encoder.to_json()}

    def _restore(self, core: CoreModel, description: dict[str, Any]) -> None:
        super()._restore(core, description)
        settings = description["settings"]
        self.memory = settings.get("memory")
        head = settings.get("head")
        self.head = None if head is None else Head(**head)
        kind = description["beliefs"]
        self._members = from_description(kind["panel"]) if kind["kind"] == "panel" else ()
        self._encoder = _core.Encoder.from_json(description["notes"].get("encoder", ""))
        self._single_rows = None

    def learn(self, X: Any, y: Any = None, sample_weight: Any = None) -> NDArray[np.float64]:
        """Predict P(y=1) of every row, each before learning it, and learn them all.

        `y` is in {0, 1}, {-1, 1} or bool; where `X` is a data frame it may be the name of a column,
        or a comparison such as ``"delay > 15"``. Rows whose label is missing are only predicted. A
        `sample_weight` raises a row's likelihood to a power: a row of weight 2 counts twice, a row
        of weight 0 is only predicted. A `lapwing.read` piece has its labels and weights in it. A
        call that fails leaves the model as it was.
        """
        with self._turn:
            if isinstance(X, Piece):
                return self._learn_piece(X, y, sample_weight)
            if is_table(X):
                return self._learn_table(X, y, sample_weight)
            labels, weights = labels_of(y), weights_of(sample_weight)
            if is_dicts(X):
                encoded = encode_dicts(X, self._encoder.in_use(), self.dtype)
                return self._learn_encoded(encoded, labels, weights)
            return self._learn_batch(self._rows(X), labels, weights)

    def learn_files(
        self,
        paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        format: str = "auto",  # noqa: A002
        label: str | None = None,
        columns: Sequence[str] | None = None,
        ignore: Sequence[str] | None = None,
        categories: Sequence[str] | None = None,
        skip_bad_rows: bool = False,
        rows: int = ROWS,
        on_piece: Callable[[Piece, NDArray[np.float64]], object] | None = None,
    ) -> Learned:
        """Predict and learn all rows of files, which need not fit into memory.

        `lapwing.read` has the parameters. `on_piece` is called with every piece and its predictions
        after it was learned. If reading fails, the rows before are learned.
        """
        pieces = read(
            paths,
            model=self,
            format=format,
            label=label,
            columns=columns,
            ignore=ignore,
            categories=categories,
            skip_bad_rows=skip_bad_rows,
            rows=rows,
        )
        return learn_files(self, pieces, on_piece)

    def _learn_one(self, row: Mapping[Any, Any], label: bool, weight: float) -> float:
        """What `learn` does with one dict, without the arrays around it."""
        if not self._encoder.is_in_use:
            return float(self.learn([row], [label], [weight])[0])
        with self._turn:
            return self._one_by_one().learn(row, 1 if label else -1, weight)

    def _predict_one(self, row: Mapping[Any, Any]) -> float:
        if not self._encoder.is_in_use:
            return float(self.predict([row])[0])
        return self._one_by_one().predict(row)

    def _one_by_one(self) -> _core.SingleRows:
        if self._single_rows is None:
            self._single_rows = _core.SingleRows(self._core, self._encoder)
        return self._single_rows

    def _learn_table(self, X: Any, y: Any, sample_weight: Any) -> NDArray[np.float64]:
        table, encoder = arrow_table(X), self._encoder.in_use()
        if isinstance(y, str):
            label, labels = table_labels(table, y)
            encoder = encoder.with_label(label.text)
        else:
            labels = labels_of(y)
        weights = row_weights(table.num_rows, labels, weights_of(sample_weight))
        names = encoder.features_among(table.column_names, learns=True)
        predictions = []
        for first, part in parts(table):
            here = slice(first, first + part.num_rows)
            encoded = encode_table(part, names, encoder, self.dtype, weights[here] > 0)
            answers = np.where(labels[here] > 0, 1, -1).astype(np.int8)
            predictions.append(self._learn_encoded(encoded, answers, weights[here]))
            encoder = self._encoder
        return np.concatenate([np.zeros(0), *predictions])

    def _learn_piece(self, piece: Piece, y: Any, sample_weight: Any) -> NDArray[np.float64]:
        if y is not None or sample_weight is not None:
            raise ValueError(
                "a piece has its labels and weights in it: leave y and sample_weight out"
            )
        if piece.after is None:
            batch = self._piece_rows(piece)
            return self._learn_batch(batch, piece.answers, piece.weights)
        encoded = Encoded(self._piece_rows(piece), piece.after, piece.new_names)
        return self._learn_encoded(encoded, piece.answers, piece.weights)

    def _piece_rows(self, piece: Piece) -> Batch:
        """The rows of a piece, if they were read for this model as it is."""
        named = piece.after is not None
        if piece.batch.values.dtype != self._dtype or (
            named and piece.before.in_use() != self._encoder.in_use()
        ):
            raise ValueError(
                "this piece was read for a model of another dtype, with other names, or with "
                "columns that had shown something else: read with model=, and learn the pieces in "
                "order"
            )
        return self._rows(piece.batch)

    def _learn_encoded(
        self, encoded: Encoded, labels: NDArray[np.int8], weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        """Columns move on only with rows that have been learned."""
        predictions = self._learn_batch(
            self._checked(encoded.batch), labels, weights, encoded.new_names
        )
        self._encoder = encoded.encoder
        return predictions

    def _learn_batch(
        self,
        batch: Batch,
        labels: NDArray[np.int8],
        weights: NDArray[np.float64] | None,
        new_names: list[tuple[int, str]] | None = None,
    ) -> NDArray[np.float64]:
        predictions = super()._learn_batch(batch, labels, weights, new_names)
        if batch.named and not self._encoder.is_in_use:
            self._encoder = self._encoder.in_use()
        return predictions

    def _batches(self, X: Any) -> Iterator[Batch]:
        if isinstance(X, Piece):
            yield self._piece_rows(X)
        elif is_table(X):
            yield from map(self._checked, frozen_batches(X, self._encoder, self.dtype))
        elif is_dicts(X):
            yield self._checked(encode_dicts(X, self._encoder, self.dtype).batch)
        else:
            yield self._rows(X)

    def _checked(self, batch: Batch) -> Batch:
        """A model's features are either named or numbered."""
        kinds = "a model's features are either named (dicts, frames, text) or numbered (matrices)"
        if not batch.named:
            if self._encoder.is_in_use and len(batch) > 0:
                raise ValueError(
                    f"X has numbered features, and this model learned named ones; {kinds}"
                )
        elif self._fixed_size is not None:
            raise ValueError(
                "X has named features, and this model has a size for numbered ones: leave size "
                "out; bits= is for names"
            )
        elif self._core.size > 0 and not self._encoder.is_in_use:
            raise ValueError(f"X has named features, and this model learned numbered ones; {kinds}")
        elif batch.columns != 2**self._encoder.bits:
            raise ValueError(
                f"the names of X were put into {batch.columns} places, and this model has bits="
                f"{self._encoder.bits}; they must be the same"
            )
        return batch

    def _rows(self, X: Any) -> Batch:
        return self._checked(super()._rows(X))


class Panel(Model):
    """Several learners of the same rows, whose predictions are mixed by what they foretold.

    Over T rows the mixture loses at most ``log(len(members)) - T log(1 - share)`` more than its
    best member, whichever that turns out to be. The second part is the price of the share: 100 in
    a million rows at 1e-4, for being able to follow a stream whose best member changes.
    `Model.members` tells how they stand.

    Parameters
    ----------
    members : up to eight of `lapwing.Member`, which differ in prior, memory and head.
    rule : a joint rule, by which all of them learn: ``"moments"``, ``"dimgauss"`` or ``"adf"``.
    share : of the trust, what is given to all members alike after every row, so that one that was
        bad for long can come back.
    link, size, dtype, seed, fields, bits, crosses, names : as for `Model`.

    >>> import lapwing
    >>> from lapwing import Member
    >>> X, y, _ = lapwing.synthetic.RandomStream(seed=1).draw(20_000)
    >>> panel = lapwing.Panel([Member(0.01), Member(1.0), Member(100.0)])
    >>> p = panel.learn(X, y)
    >>> [f"{judged.loss:.4f}" for judged in panel.members], f"{lapwing.log_loss(y, p):.4f}"
    (['0.4613', '0.3224', '0.9189'], '0.3225')
    """

    def __init__(
        self,
        members: Sequence[Member],
        rule: str | rules.Rule = "moments",
        *,
        link: Literal["logit", "probit"] = "logit",
        share: float = SHARE,
        size: int | None = None,
        dtype: DTypeLike = "float32",
        seed: int = 0,
        fields: ArrayLike | None = None,
        bits: int = 22,
        crosses: Sequence[Sequence[str]] = (),
        names: bool = False,
    ) -> None:
        self.rule = rules.resolve(rule)
        self.link = one_of("link", link, LINKS)
        self._dtype = precision(dtype)
        self._encoder = new_encoder(bits, crosses, names)
        self._turn = Lock()
        self._single_rows = None
        self._fixed_size = None if size is None else whole_number("size", size, 0, LARGEST_SIZE)
        self.memory, self.head = None, None
        self._members = checked(members)
        self._core = _core.Model.panel(
            self.rule.core(),
            self.link,
            [member.core() for member in self._members],
            number("share", share),
            self._fixed_size,
            self._dtype.name,
            seed_number(seed),
            self._encoder.keeps_names,
            field_numbers(fields),
        )


def precision(dtype: DTypeLike) -> np.dtype[Any]:
    try:
        found = np.dtype(dtype)
    except TypeError:
        found = None
    if found not in (np.float32, np.float64):
        raise ValueError(f'dtype is {dtype!r}; it must be "float32" or "float64"')
    return found


def priors(
    mean: ArrayLike, variance: ArrayLike, size: int | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A mean and a variance for each of `size` features, or of as many as the arrays have."""
    means, variances = (
        number_or_array("prior_mean", mean),
        number_or_array("prior_variance", variance),
    )
    given = {len(array) for array in (means, variances) if array.ndim == 1}
    given |= set() if size is None else {size}
    if len(given) > 1:
        found = " and ".join(str(length) for length in sorted(given))
        raise ValueError(f"prior arrays and size disagree on the number of features: {found}")
    shape = (given.pop(),)
    return (
        np.ascontiguousarray(np.broadcast_to(means, shape)),
        np.ascontiguousarray(np.broadcast_to(variances, shape)),
    )
