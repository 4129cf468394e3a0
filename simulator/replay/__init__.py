"""Re-execution: one mechanism for replay, resume, fork and time travel.

The same engine runs with two substitutions: completions and vectors come from the record, and
the sink compares instead of storing. Nothing else is special, so nothing else can differ. No
model library is imported.
"""

from simulator.replay.again import play_again, recorded_turns
from simulator.replay.changes import (
    AskInstead,
    Change,
    ChangeBudget,
    ChangeMemory,
    ChangeModel,
    Replace,
    Without,
)
from simulator.replay.fork import Fork, fork_trial
from simulator.replay.record import Diverged, RecordedSources, ReplaySink
from simulator.replay.travel import travel
from simulator.replay.whole import replay_trial

__all__ = [
    "AskInstead",
    "Change",
    "ChangeBudget",
    "ChangeMemory",
    "ChangeModel",
    "Diverged",
    "Fork",
    "RecordedSources",
    "Replace",
    "ReplaySink",
    "Without",
    "fork_trial",
    "play_again",
    "recorded_turns",
    "replay_trial",
    "travel",
]
