from typing import Any, final

import numpy as np
from numpy.typing import NDArray

_RowArrays = tuple[
    NDArray[np.int64],
    NDArray[np.uint32],
    NDArray[np.floating[Any]],
    NDArray[np.uint32] | None,
    bool,
]
_Bins = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
_NamedArrays = tuple[
    NDArray[np.int64],
    NDArray[np.uint32],
    NDArray[np.floating[Any]],
    NDArray[np.uint32],
    list[tuple[int, str]],
]
_Column = tuple[
    NDArray[Any] | None,
    NDArray[np.bool_] | None,
    tuple[NDArray[np.int64], NDArray[np.uint8]] | None,
]

_Progress = tuple[int, int | None, int, int, str | None]

@final
class Head:
    def __new__(
        cls, form: str, scale_variance: float, bias_variance: float, memory: float | None
    ) -> Head: ...

@final
class Member:
    def __new__(
        cls,
        prior_mean: float,
        prior_variance: float,
        memory: float | None,
        head: Head | None,
    ) -> Member: ...

@final
class Encoder:
    def __new__(cls, bits: int, crosses: list[list[str]], keeps_names: bool) -> Encoder: ...
    @staticmethod
    def from_json(json: str) -> Encoder: ...
    def to_json(self) -> str: ...
    @property
    def bits(self) -> int: ...
    @property
    def crosses(self) -> list[list[str]]: ...
    @property
    def keeps_names(self) -> bool: ...
    @property
    def is_in_use(self) -> bool: ...
    @property
    def label(self) -> str | None: ...
    def find_label(self, wanted: str | None, columns: list[str], learns: bool) -> Label | None: ...
    def features_among(self, columns: list[str], learns: bool) -> list[str]: ...
    def with_choice(self, only: list[str] | None, all_but: list[str]) -> Encoder: ...
    def in_use(self) -> Encoder: ...
    def with_label(self, label: str) -> Encoder: ...
    def with_categories(self, columns: list[str]) -> Encoder: ...
    def is_category(self, column: str) -> bool: ...
    def table(
        self,
        columns: list[tuple[str, _Column]],
        rows: int,
        learned: NDArray[np.bool_] | None,
        dtype: str,
    ) -> tuple[_NamedArrays, Encoder]: ...
    def dicts(self, rows: list[Any], dtype: str) -> _NamedArrays: ...

@final
class Label:
    def __new__(cls, wanted: str | None, columns: list[str]) -> Label: ...
    @property
    def column(self) -> str: ...
    @property
    def text(self) -> str: ...
    def read(self, column: _Column, first_row: int) -> NDArray[np.int8]: ...

def replace(path: str, content: bytes) -> None: ...

@final
class Reader:
    def __new__(
        cls,
        paths: list[str],
        format_name: str | None,
        encoder: Encoder,
        label: str | None,
        rows: int,
        cuts: tuple[int, int],
        learns: bool,
        skip_bad_rows: bool,
        dtype: str,
    ) -> Reader: ...
    def next(
        self,
    ) -> (
        tuple[_NamedArrays, NDArray[np.int8], NDArray[np.float64], Encoder | None, _Progress] | None
    ): ...

@final
class SingleRows:
    def __new__(cls, model: Model, encoder: Encoder) -> SingleRows: ...
    def learn(self, row: Any, label: int, weight: float) -> float: ...
    def predict(self, row: Any) -> float: ...

@final
class Rule:
    @staticmethod
    def gauss(variance: str) -> Rule: ...
    @staticmethod
    def approx(variance: str) -> Rule: ...
    @staticmethod
    def dim_gauss(mean: str) -> Rule: ...
    @staticmethod
    def adf() -> Rule: ...
    @staticmethod
    def moments() -> Rule: ...
    @staticmethod
    def vb(samples: int, mean: str, tolerance: float, iterations: int) -> Rule: ...
    @staticmethod
    def two_point() -> Rule: ...
    @staticmethod
    def least_squares() -> Rule: ...
    @staticmethod
    def ada_grad(learning_rate: float, epsilon: float) -> Rule: ...

@final
class Metrics:
    def __new__(cls) -> Metrics: ...
    def add(
        self,
        predictions: NDArray[np.float64],
        labels: NDArray[np.int8],
        weights: NDArray[np.float64] | None,
    ) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def weight(self) -> float: ...
    @property
    def total_loss(self) -> float: ...
    @property
    def log_loss(self) -> float: ...
    @property
    def base_rate(self) -> float: ...
    @property
    def mean_prediction(self) -> float: ...
    @property
    def constant_loss(self) -> float: ...
    @property
    def auc(self) -> float: ...
    def reliability(self, groups: int) -> _Bins: ...
    def histogram(self, steps: int) -> _Bins: ...

@final
class Model:
    @staticmethod
    def numbered(
        rule: Rule,
        link_name: str,
        prior_mean: float,
        prior_variance: float,
        size: int | None,
        dtype: str,
        seed: int,
        keeps_names: bool,
        memory: float | None,
        head: Head | None,
        fields: NDArray[np.uint32],
    ) -> Model: ...
    @staticmethod
    def with_priors(
        rule: Rule,
        link_name: str,
        prior_mean: NDArray[np.float64],
        prior_variance: NDArray[np.float64],
        dtype: str,
        seed: int,
        memory: float | None,
        head: Head | None,
        fields: NDArray[np.uint32],
    ) -> Model: ...
    @staticmethod
    def panel(
        rule: Rule,
        link_name: str,
        members: list[Member],
        share: float,
        size: int | None,
        dtype: str,
        seed: int,
        keeps_names: bool,
        fields: NDArray[np.uint32],
    ) -> Model: ...
    def trust(
        self,
    ) -> tuple[list[float], list[float], list[tuple[int, list[float], list[float]]]] | None: ...
    @staticmethod
    def dense(
        rule: Rule,
        link_name: str,
        prior_mean: NDArray[np.float64],
        prior_variance: NDArray[np.float64],
        batch: int | None,
        dtype: str,
    ) -> Model: ...
    def learn(
        self,
        rows: _RowArrays,
        columns: int,
        labels: NDArray[np.int8],
        weights: NDArray[np.float64] | None,
        new_names: list[tuple[int, str]] | None = None,
    ) -> NDArray[np.float64]: ...
    def predict(self, rows: _RowArrays) -> NDArray[np.float64]: ...
    def predict_logit(
        self, rows: _RowArrays
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def interval(
        self, rows: _RowArrays, level: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def sample(self, rows: _RowArrays, seed: int) -> NDArray[np.float64]: ...
    def beliefs(self) -> tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]]: ...
    def covariance(self) -> NDArray[np.float64] | None: ...
    def touched(
        self,
    ) -> tuple[NDArray[np.uint32], NDArray[np.floating[Any]], NDArray[np.floating[Any]]]: ...
    def named(self, features: NDArray[np.uint32]) -> tuple[list[str | None], list[int]] | None: ...
    def save(self, path: str, notes: dict[str, str]) -> None: ...
    def to_bytes(self, notes: dict[str, str]) -> bytes: ...
    @staticmethod
    def load(path: str) -> tuple[Model, str]: ...
    @staticmethod
    def from_bytes(content: bytes) -> tuple[Model, str]: ...
    @property
    def keeps_names(self) -> bool: ...
    @property
    def size(self) -> int: ...
    @property
    def rows_learned(self) -> int: ...

@final
class Stream:
    @staticmethod
    def independent(
        features: int,
        active: float,
        uniform_values: bool,
        deviations: NDArray[np.float64],
        uniform_weights: bool,
        link_name: str,
        seed: int,
    ) -> Stream: ...
    @staticmethod
    def categories(
        sizes: NDArray[np.uint32],
        per_row: int,
        tail: str,
        tail_parameter: float,
        deviations: NDArray[np.float64],
        uniform_weights: bool,
        link_name: str,
        seed: int,
    ) -> Stream: ...
    @staticmethod
    def criteo(
        most_values: int,
        deviations: NDArray[np.float64],
        uniform_weights: bool,
        link_name: str,
        seed: int,
    ) -> Stream: ...
    def again(self) -> Stream: ...
    @property
    def features(self) -> int: ...
    @property
    def weights(self) -> NDArray[np.float64]: ...
    def draw(
        self, rows: int
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.uint32],
        NDArray[np.float32],
        NDArray[np.int8],
        NDArray[np.float64],
    ]: ...
    def text(self, rows: int, format_name: str) -> bytes: ...
