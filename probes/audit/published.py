"""The published figures, to be set beside ours: StateBench's own audit, August 2026."""

from simulator.events import Json

PUBLISHED: dict[str, Json] = {
    "source": "A conformance test for stateful AI systems (StateBench), audit of August 2026",
    "timelines": 1410,
    "queries": 1680,
    "forbidden_phrases": 4163,
    "inadmissible": {
        "total": 444,
        "by_track": {"hallucination_resistance": 340, "supersession": 69},
    },
    "constructed": {
        "queries": 400,
        "plain": {"legacy": 0.045, "corrected": 0.035},
        "rejecting": {"legacy": 1.0, "corrected": 0.0},
        "by_track": {
            "hallucination_resistance": {"plain": {"legacy": 0.667}},
            "supersession_detection": {"plain": {"legacy": 0.067}},
            "scope_leak": {"plain": {"legacy": 0.067}},
            "authority_hierarchy": {"plain": {"legacy": 0.067}},
            "supersession": {"plain": {"legacy": 0.045}},
            "scope_permission": {"plain": {"legacy": 0.038}},
        },
    },
    "filler": {
        "10": {"legacy": 0.0, "corrected": 0.0},
        "20": {"legacy": 0.003, "corrected": 0.0},
        "40": {"legacy": 0.0, "corrected": 0.0},
        "80": {"legacy": 0.003, "corrected": 0.0},
        "160": {"legacy": 0.007, "corrected": 0.0},
        "319": {"legacy": 0.003, "corrected": 0.0},
    },
    "decisions": {"yes_no": 20, "of": 251},
}
"""Of all four files of release v1.0, where ours are of three; `decisions` of the test file. The
constructed table is over 400 queries drawn from the release."""
