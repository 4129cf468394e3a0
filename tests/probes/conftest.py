"""Strategies of this folder are importable from its tests (`--import-mode=importlib`)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
