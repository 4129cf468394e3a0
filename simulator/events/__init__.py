"""Events, surfaces and scripts: the vocabulary that every other package speaks."""

from simulator.events.canonical import Json, canonical_json, content_hash
from simulator.events.script import Episode, Script, event_id
from simulator.events.surfaces import GLOBAL, Frozen, Surface

__all__ = [
    "GLOBAL",
    "Episode",
    "Frozen",
    "Json",
    "Script",
    "Surface",
    "canonical_json",
    "content_hash",
    "event_id",
]
