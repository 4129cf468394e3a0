"""Re-execution: one mechanism for replay, resume, fork and time travel.

The same engine runs with two substitutions: completions and vectors come from the record, and
the sink compares instead of storing. Nothing else is special, so nothing else can differ. No
model library is imported. A resumed trial does so as far as its record goes.
"""

from simulator.replay.again import recorded_turns
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
from simulator.replay.resume import replay_begun, resume_trial
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
    "recorded_turns",
    "replay_begun",
    "replay_trial",
    "resume_trial",
    "travel",
]
