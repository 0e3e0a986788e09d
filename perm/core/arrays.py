"""Names of the array types in signatures."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
ImageArray = NDArray[np.uint8]
AnyArray = NDArray[Any]
