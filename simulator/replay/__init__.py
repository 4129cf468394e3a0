"""Re-execution: one mechanism for replay, resume, fork and time travel.

The same engine runs with two substitutions: completions and vectors come from the record, and
the sink compares instead of storing. Nothing else is special, so nothing else can differ. No
model library is imported.
"""

from simulator.replay.record import Diverged, RecordedSources, ReplaySink
from simulator.replay.travel import travel
from simulator.replay.whole import replay_trial

__all__ = ["Diverged", "RecordedSources", "ReplaySink", "replay_trial", "travel"]
