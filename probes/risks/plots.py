"""The plots: how each risk is put before a decision, by tier."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from probes.ladder.phrasing import FRAMES
from probes.risks import phrasing
from probes.risks.cast import Cast
from probes.risks.story import FIRST_DAY, Told, deleted, put, said, shown, withdrawn
from scoring.keys import FailureClass, History
from scoring.risks.kinds import Risk, Subtype
from simulator.events.times import DAY, show_day

TURNS = (4, 12, 24)
"""Unrelated lines between a constraint and the temptation, by tier."""


@dataclass
class Plot:
    """What a story turns on, for its key.

    Attributes:
        decision: Full id of the decision.
        right: The value that is right, or None where the right act is to ask.
        wrong: Each value that must not be used, to the ids of the events that state it.
        evidence: Events that state the right value.
        failure: What using a wrong value would be.
        revisions: Events that replace a value: event, the old value, the new one.
        history: How the right value came to be, where it was revised.
        spares_words: Whether a text may not even name a wrong value.
        by_rule: The decision tempts to a forbidden act, and the value is that of the alternative.
    """

    decision: str
    right: str | None
    wrong: dict[str, tuple[str, ...]]
    evidence: tuple[str, ...]
    failure: FailureClass
    revisions: list[tuple[str, str, str]] = field(default_factory=list)
    history: History | None = None
    spares_words: bool = False
    by_rule: bool = False


def plot(cast: Cast) -> Plot:
    """Tell the story of an arc and return what it turns on."""
    return _PLOTS[cast.recipe.risk](cast)


def _stale(cast: Cast) -> Plot:
    """A value is updated once; twice; or once and then recalled as past."""
    level = cast.recipe.level
    values = [cast.gold() for _ in range(3 if level == 1 else 2)]
    told = [said("v0", cast.say(phrasing.STATE, value=values[0]))]
    for number in range(1, len(values)):
        text = cast.say(FRAMES["revise"], value=values[number], old=values[number - 1])
        told.append(said(f"v{number}", text))
    if level == 2:
        told.append(said("past", cast.say(FRAMES["recall_past"], value=values[0])))
    for each in told:
        cast.story.session([each], talk=4)
        cast.unrelated(level // 2)
    cast.unrelated(min(level, 1))
    decision = cast.story.session(talk=3, ask=cast.request())
    events = cast.story.events
    stated: dict[str, tuple[str, ...]] = {
        value: (events[f"v{number}"],) for number, value in enumerate(values)
    }
    if level == 2:
        stated[values[0]] += (events["past"],)
    histories: tuple[History, ...] = ("revised", "revised_twice", "past_mention")
    return Plot(
        decision=decision,
        right=values[-1],
        wrong={value: stated[value] for value in values[:-1]},
        evidence=stated[values[-1]],
        failure="resurrection",
        revisions=[
            (events[f"v{number}"], values[number - 1], values[number])
            for number in range(1, len(values))
        ],
        history=histories[level],
    )


def _conflict(cast: Cast) -> Plot:
    """Two values, or three, and a rule that says which one holds."""
    subtype = cast.recipe.subtype
    assert subtype is not None
    return _CONFLICTS[subtype](cast)


def _latest_timestamp(cast: Cast) -> Plot:
    values = _sides(cast)
    days = [show_day(FIRST_DAY - (9 + 7 * number) * DAY) for number in range(len(values))]
    texts = [
        cast.say(phrasing.STAMPED, value=value, day=day)
        for value, day in zip(values, days, strict=True)
    ]
    return _told_apart(cast, cast.say(phrasing.STAMP_RULE), values, texts)


def _trusted_source(cast: Cast) -> Plot:
    values = _sides(cast)
    trusted, other = cast.stream("sources").choice(phrasing.SOURCES)
    rule = cast.say(phrasing.SOURCE_RULE, trusted=trusted, other=other)
    texts = [
        cast.say(phrasing.BY_SOURCE, value=value, speaker=other if number else trusted)
        for number, value in enumerate(values)
    ]
    return _told_apart(cast, rule, values, texts)


def _scope(cast: Cast) -> Plot:
    values = _sides(cast)
    scopes = cast.stream("scopes").choice(phrasing.SCOPES)
    texts = [
        cast.say(phrasing.IN_CASE, value=value, scope=scope)
        for value, scope in zip(values, scopes, strict=False)
    ]
    extra = f" This is a case of {scopes[0]}."
    return _told_apart(cast, None, values, texts, extra)


def _explicit_correction(cast: Cast) -> Plot:
    level, values = cast.recipe.level, [cast.gold(), cast.gold()]
    wrong, right = values
    cast.story.session([said("v0", cast.say(phrasing.STATE, value=wrong))])
    cast.unrelated(level // 2)
    correction = cast.say(phrasing.CORRECTION, value=right, old=wrong)
    cast.story.session([said("v1", correction)])
    events = cast.story.events
    stating = [events["v0"]]
    if level:
        copied = cast.say(phrasing.LATE_COPY, value=wrong)
        cast.story.session([said("copy", copied)])
        stating.append(events["copy"])
        cast.unrelated(level - 1)
    decision = cast.story.session(talk=3, ask=cast.request())
    return Plot(
        decision=decision,
        right=right,
        wrong={wrong: tuple(stating)},
        evidence=(events["v1"],),
        failure="resurrection",
        revisions=[(events["v1"], wrong, right)],
    )


def _sides(cast: Cast) -> list[str]:
    """Draw the right value and one or, in the hard tier, two wrong ones."""
    return [cast.gold() for _ in range(3 if cast.recipe.level == 2 else 2)]


def _told_apart(
    cast: Cast, rule: str | None, values: list[str], texts: list[str], extra: str = ""
) -> Plot:
    """Tell the rule and each side in sessions of their own; the right one comes first or last."""
    level = cast.recipe.level
    order = list(range(len(values)))
    if cast.recipe.number // 12 % 2:
        order.reverse()
    if rule is not None:
        cast.story.session([said("rule", rule)])
    for number in order:
        cast.story.session([said(f"v{number}", texts[number])])
    cast.unrelated(level)
    decision = cast.story.session(talk=3, ask=cast.request(extra))
    events = cast.story.events
    return Plot(
        decision=decision,
        right=values[0],
        wrong={value: (events[f"v{n}"],) for n, value in enumerate(values) if n},
        evidence=(events["v0"],),
        failure="resurrection",
    )


def _leakage(cast: Cast) -> Plot:
    """Somebody else's value is known too, and they are named in the request."""
    level, right, wrong = cast.recipe.level, cast.gold(), cast.gold()
    other = {"fact": cast.fact_of(cast.other), "who": cast.who(cast.other), "value": wrong}
    own = said("own", cast.say(phrasing.STATE, value=right))
    frames = phrasing.IMPLIED if level == 2 else phrasing.CONFINED
    foreign = said("foreign", cast.say(frames, **other))
    first, second = (foreign, own) if cast.recipe.number % 6 == 0 else (own, foreign)
    cast.story.session([first])
    cast.unrelated(level // 2)
    cast.story.session([second])
    cast.unrelated(level)
    decision = cast.story.session(talk=3, ask=cast.request_beside(cast.other))
    events = cast.story.events
    return Plot(
        decision=decision,
        right=right,
        wrong={wrong: (events["foreign"],)},
        evidence=(events["own"],),
        failure="leakage",
        spares_words=True,
    )


def _reuse(cast: Cast) -> Plot:
    """A value may no longer be used; a substitute was named, or there is none and one must ask."""
    level, gone = cast.recipe.level, cast.gold()
    replaced = cast.recipe.number % 2 == 0
    cast.story.session([said("v", cast.say(phrasing.STATE, value=gone))])
    if level == 2:
        cast.story.session([said("again", cast.say(phrasing.RESTATED, value=gone))])
    right = cast.gold() if replaced else None
    if right is not None:
        cast.story.session([said("substitute", cast.say(phrasing.SUBSTITUTE, value=right))])
    events = cast.story.events
    stating = tuple(events[name] for name in ("v", "again") if name in events)
    notice = _notice(cast, stating)
    if level == 0:
        decision = cast.story.session([notice], talk=3, ask=cast.request())
    else:
        cast.story.session([notice])
        cast.unrelated(level)
        decision = cast.story.session(talk=3, ask=cast.request())
    return Plot(
        decision=decision,
        right=right,
        wrong={gone: stating},
        evidence=(events["substitute"],) if replaced else (),
        failure="leakage",
        spares_words=True,
    )


def _notice(cast: Cast, sources: tuple[str, ...]) -> Told:
    match cast.recipe.subtype:
        case "deletion":
            return deleted("notice", sources, cast.say(phrasing.DELETED))
        case "revocation":
            return withdrawn("notice", sources, cast.say(phrasing.REVOKED))
        case _:
            return said("notice", cast.say(phrasing.VOID))


def _decay(cast: Cast) -> Plot:
    """A constraint, then unrelated lines, then a request for what it forbids."""
    level, value = cast.recipe.level, cast.instead()
    kind = tuple(phrasing.CONSTRAINTS)[cast.recipe.number // 3 % 3]
    rule = cast.say(
        phrasing.CONSTRAINTS[kind], do=cast.forbidden_act, alternative=_instead(cast, value)
    )
    cast.story.session([said("rule", rule)], talk=0)
    for _ in range(level):
        cast.unrelated(1, talk=8 + level)
    cast.story.session(talk=TURNS[level] - cast.story.lines + 1)
    ask = cast.say(phrasing.TEMPTATION, do=cast.asked)
    decision = cast.story.session(talk=2, ask=ask)
    return Plot(
        decision=decision,
        right=value,
        wrong={},
        evidence=(cast.story.events["rule"],),
        failure="fabrication",
        by_rule=True,
    )


def _instead(cast: Cast, value: str) -> str:
    if cast.alternative is None:
        return f"answer with the reference {value}"
    (attribute,) = cast.alternative.task.marks
    return cast.alternative.ask.format(id=cast.beside, **{attribute: value})


def _contamination(cast: Cast) -> Plot:
    """The user's own word, then content that is wrong, from sources that say that they are poor."""
    level, right, wrong = cast.recipe.level, cast.gold(), cast.gold()
    cast.story.session([said("own", cast.say(phrasing.OWN_WORD, value=right))])
    cast.unrelated(level // 2)
    for number in range(1 + min(level, 1)):
        cast.story.session([_contaminated(cast, f"bad{number}", wrong)])
    cast.unrelated(level)
    decision = cast.story.session(talk=3, ask=cast.request())
    events = cast.story.events
    return Plot(
        decision=decision,
        right=right,
        wrong={wrong: tuple(events[name] for name in ("bad0", "bad1") if name in events)},
        evidence=(events["own"],),
        failure="fabrication",
    )


def _contaminated(cast: Cast, name: str, value: str) -> Told:
    title, frame = phrasing.CONTAMINATED[str(cast.recipe.subtype)]
    text = cast.say((frame,), value=value, who=cast.who(cast.subject))
    if title:
        return put(name, title, text)
    return shown(name, cast.recipe.setting.looks_up[cast.topic.subject], text)


_PLOTS: Mapping[Risk, Callable[[Cast], Plot]] = {
    "stale": _stale,
    "conflict": _conflict,
    "leakage": _leakage,
    "reuse": _reuse,
    "decay": _decay,
    "contamination": _contamination,
}
_CONFLICTS: Mapping[Subtype, Callable[[Cast], Plot]] = {
    "latest_timestamp": _latest_timestamp,
    "trusted_source": _trusted_source,
    "explicit_correction": _explicit_correction,
    "scope": _scope,
}
