"""Type aliases: arrays of floats, arrays of bools, and the inputs of a task."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Inputs = Mapping[str, Any]  # argument name → value
