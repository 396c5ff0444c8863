"""Figure sigmoid_normal (Appendix A): the logistic distribution beside the normal of variance 8/pi.

No stream is learned: three panels of curves, drawn from their table.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from scipy.stats import norm

from lapwing.reference.likelihood import LOGIT

if TYPE_CHECKING:
    from pathlib import Path

mpl.use("agg")
import matplotlib.pyplot as plt

DEVIATION = np.sqrt(8 / np.pi)
REACH = 10.0
POINTS = 801
