"""Views that a person can query: one a kind of event, its fields as columns.

What a migration made stays as it is; a new kind, field or column is a new migration.

Text is given as text; whole numbers as integers, or as their digits where SQLite would make a
float of them (2^63 and more); everything nested as the JSON that was recorded.
"""

_NUL = r"\u0000"
_STAND_IN = "char(64976)"  # U+FDD0, a code point that Unicode promises never to assign


def _text(path: str) -> str:
    """Return SQL for a string, whole even where it holds U+0000.

    Older SQLite ends a string at U+0000, so it travels as a stand-in. `char(1)` keeps escaped
    backslashes apart from it: canonical JSON never holds a raw control character.
    """
    held = f"body -> '$.{path}'"
    spared = rf"replace(replace({held}, '\\', char(1)), '{_NUL}', {_STAND_IN})"
    whole = rf"replace(replace({spared}, char(1), '\\') ->> '$', {_STAND_IN}, char(0))"
    plain = f"body ->> '$.{path}'"
    return f"CASE instr(body, '{_NUL}') WHEN 0 THEN {plain} ELSE {whole} END"


def _number(path: str) -> str:
    """Return SQL for a whole number, exact whatever its size."""
    value = f"body ->> '$.{path}'"
    return f"CASE typeof({value}) WHEN 'real' THEN body -> '$.{path}' ELSE {value} END"


def _json(path: str) -> str:
    return f"body -> '$.{path}'"


def _flag(path: str) -> str:
    return f"body ->> '$.{path}'"


_HEAD = "SELECT trial, attempt, position, id, time, scope"

_LOGGED = """
SELECT streams.trial, streams.attempt, events.position, events.id, events.kind, events.time,
    events.scope, events.causes, events.body, events.blobs, events.hash
FROM events JOIN streams ON streams.id = events.stream
"""

_TRIALS = """
SELECT streams.trial, streams.attempt, heads.stream IS NOT NULL AS sealed, heads.head,
    (SELECT coalesce(max(position), -1) + 1 FROM events WHERE stream = streams.id) AS events,
    streams.genesis, streams.hash AS genesis_hash
FROM streams LEFT JOIN heads ON heads.stream = streams.id
"""

_MEASURED = """
SELECT streams.trial, streams.attempt, measurements.position, measurements.name,
    measurements.value
FROM measurements JOIN streams ON streams.id = measurements.stream
"""

_CAUSES = """
SELECT trial, attempt, position, logged.id, kind, json_each.value AS cause
FROM logged, json_each(logged.causes)
"""

_CONTENTS = """
SELECT trial, attempt, position, logged.id, kind, json_each.value AS blob, blobs.size
FROM logged, json_each(logged.blobs) LEFT JOIN blobs ON blobs.hash = json_each.value
"""

_BLOCK_ITEMS = f"""
SELECT trial, attempt, position, id, time, scope, place, {_text("item")} AS item,
    {_text("text")} AS text, {_number("tokens")} AS tokens, {_json("sources")} AS sources,
    {_number("rank")} AS rank, {_number("distance")} AS distance
FROM (
    SELECT trial, attempt, position, logged.id, time, scope, json_each.key AS place,
        logged.body -> ('$.items[' || json_each.key || ']') AS body
    FROM logged, json_each(logged.body, '$.items')
    WHERE kind = 'memory_read'
)
"""

_KINDS: dict[str, tuple[str, dict[str, str]]] = {
    "openings": (
        "trial_opened",
        {
            "arc": _text("arc"),
            "arm": _text("arm"),
            "seed": _number("seed"),
            "script": _text("script"),
            "options": _json("options"),
            "identities": _json("identities"),
            "oracle": _flag("oracle"),
        },
    ),
    "sessions": ("session_started", {"episode": _text("episode")}),
    "said": (
        "said",
        {
            "source": _text("source"),
            "role": _text("role"),
            "text": _text("text"),
            "tool": _text("tool"),
            "sources": _json("sources"),
        },
    ),
    "boundaries": (
        "boundary",
        {"why": _text("why"), "asked": _number("asked"), "transcript": _json("transcript")},
    ),
    "decisions": ("decision", {"request": _text("request")}),
    "blocks": (
        "memory_read",
        {
            "query": _text("query"),
            "budget": _number("budget"),
            "block": _text("block"),
            "tokens": _number("tokens"),
            "items": _json("items"),
        },
    ),
    "completions": (
        "completion",
        {
            "purpose": _text("purpose"),
            "role": _text("role"),
            "step": _number("step"),
            "max_tokens": _number("max_tokens"),
            "seed": _number("seed"),
            "instructions": _text("instructions"),
            "tools": _text("tools"),
            "examples": _text("examples"),
            "block": _text("block"),
            "context": _text("context"),
            "request": _text("request"),
            "steps": _text("steps"),
            "rendered": _text("rendered"),
            "text": _text("text"),
            "finish": _text("finish"),
            "input_tokens": _number("usage.input"),
            "cached_tokens": _number("usage.cached"),
            "output_tokens": _number("usage.output"),
            "reasoning_tokens": _number("usage.reasoning"),
            "usage": _json("usage"),
        },
    ),
    "failed_calls": (
        "call_failed",
        {
            "purpose": _text("purpose"),
            "role": _text("role"),
            "step": _number("step"),
            "asked": _text("asked"),
            "culprit": _text("culprit"),
            "fault": _text("fault"),
            "message": _text("message"),
            "detail": _text("detail"),
        },
    ),
    "embeddings": (
        "embedding",
        {
            "purpose": _text("purpose"),
            "texts": _json("texts"),
            "vectors": _json("vectors"),
            "tokens": _number("tokens"),
        },
    ),
    "tool_calls": (
        "tool_call",
        {
            "call": _text("call"),
            "tool": _text("tool"),
            "arguments": _json("arguments"),
            "coerced": _json("coerced"),
        },
    ),
    "tool_returns": (
        "tool_return",
        {"call": _text("call"), "tool": _text("tool"), "ok": _flag("ok"), "text": _text("text")},
    ),
    "world_changes": ("world_change", {"call": _text("call"), "patch": _json("patch")}),
    "memory_changes": (
        "memory_change",
        {
            "why": _text("why"),
            "written": _json("written"),
            "gone": _json("gone"),
            "held": _number("held"),
        },
    ),
    "answers": ("answer", {"decision": _text("decision"), "text": _text("text")}),
    "clarifications": ("clarification", {"decision": _text("decision"), "text": _text("text")}),
    "refusals": ("refusal", {"decision": _text("decision"), "text": _text("text")}),
    "errors": (
        "error",
        {
            "culprit": _text("culprit"),
            "fault": _text("fault"),
            "message": _text("message"),
            "decision": _text("decision"),
            "fatal": _flag("fatal"),
            "detail": _text("detail"),
        },
    ),
    "closings": ("trial_closed", {"complete": _flag("complete")}),
    "manifests": (
        "manifest",
        {
            "suite": _json("suite"),
            "arcs": _json("arcs"),
            "arms": _json("arms"),
            "identities": _json("identities"),
            "packages": _json("packages"),
        },
    ),
    "analyses": ("analysis", {"declared": _json("declared")}),
    "roots": ("root", {"root": _text("root"), "trials": _number("trials")}),
}


def _view(kind: str, fields: dict[str, str]) -> str:
    columns = ", ".join(f"{sql} AS {name}" for name, sql in fields.items())
    return f"{_HEAD}, {columns} FROM logged WHERE kind = '{kind}'"


VIEWS_1: dict[str, str] = {
    "logged": _LOGGED,
    "trials": _TRIALS,
    "measured": _MEASURED,
    "causes": _CAUSES,
    "contents": _CONTENTS,
    "block_items": _BLOCK_ITEMS,
    **{name: _view(kind, fields) for name, (kind, fields) in _KINDS.items()},
}
"""View name to its SELECT."""

_KINDS_2: dict[str, tuple[str, dict[str, str]]] = {
    "services": (
        "service",
        {
            "purpose": _text("purpose"),
            "role": _text("role"),
            "step": _number("step"),
            "model": _text("model"),
            "fingerprint": _text("fingerprint"),
            "attempts": _json("attempts"),
        },
    ),
}

VIEWS_2: dict[str, str] = {name: _view(kind, fields) for name, (kind, fields) in _KINDS_2.items()}
"""Views of what later versions record: name to SELECT."""

_LAST_TURN = "genesis {} '$.forked[#-1].{}'"


def _at_end(name: str, began: str) -> str:
    """Return SQL for a setting behind the last turning point, or as it was from the beginning."""
    arrow = "->>" if name == "arm" else "->"
    return f"coalesce({_LAST_TURN.format(arrow, name)}, {began})"


_OPENINGS_3 = {
    **_KINDS["openings"][1],
    "forked_from": _LAST_TURN.format("->>", "parent"),
    "forked_at": _LAST_TURN.format("->>", "position"),
    "arm_at_end": _at_end("arm", _text("arm")),
    "options_at_end": _at_end("options", _json("options")),
    "identities_at_end": _at_end("identities", _json("identities")),
}

VIEWS_3: dict[str, str] = {
    "openings": _view("trial_opened", _OPENINGS_3).replace(
        "FROM logged",
        "FROM logged JOIN (SELECT trial, attempt, genesis FROM streams) USING (trial, attempt)",
    )
}
"""Views of earlier migrations as they are since: name to SELECT."""

_KINDS_4: dict[str, tuple[str, dict[str, str]]] = {
    "residue_audits": (
        "residue_audit",
        {
            "why": _text("why"),
            "forgetting": _text("forgetting"),
            "sources": _json("sources"),
            "carriers": _json("carriers"),
            "residues": _json("residues"),
            "hidden": _json("hidden"),
            "removed": _json("removed"),
            "restored": _json("restored"),
            "rebuilt": _json("rebuilt"),
            "rebuilt_tokens": _number("rebuilt_tokens"),
            "lost": _json("lost"),
        },
    ),
    "boundaries": (
        "boundary",
        {
            **_KINDS["boundaries"][1],
            "tokens": _number("tokens"),
            "compact_at": _number("compact_at"),
        },
    ),
}

VIEWS_4: dict[str, str] = {name: _view(kind, fields) for name, (kind, fields) in _KINDS_4.items()}
"""A view of what is recorded since, and one of an earlier migration as it is since."""

KIND_VIEWS: dict[str, str] = {
    name: kind for name, (kind, _) in [*_KINDS.items(), *_KINDS_2.items(), *_KINDS_4.items()]
}
"""View name to the kind of event it shows."""
