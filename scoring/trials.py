"""Scores one trial: its decisions, judged, with what led to them put aside."""

import hashlib
from collections.abc import Sequence

from scoring.arguments import type_faults
from scoring.causes import Cause, causes
from scoring.context.seen import Seen, contexts, counted
from scoring.costs import spending
from scoring.decisions import DecisionRecord, decisions
from scoring.metrics import Observed, Played
from scoring.outcomes import acting
from scoring.pricing import Pricing
from scoring.reads import ranked_reads
from scoring.risks.judged import Risked, risked
from scoring.run import Trial
from scoring.scorers import CLAUSE, Scorer
from scoring.shown import shown
from scoring.verdicts import Verdict, judge_all
from scoring.write_recall import Planted, planted
from simulator.events import canonical_json
from simulator.events.faults import Culprit
from simulator.events.tokens import count_tokens

LOCAL_MODELS = frozenset({"llama-cpp"})
HOSTED_MODELS = frozenset({"openai"})


def score_trial(run: str, trial: Trial, priced: Pricing, scorer: Scorer = CLAUSE) -> Played:
    """Score one trial."""
    records = decisions(trial)
    judged = judge_all(trial, records, scorer)
    first = {verdict.record.id: verdict.probe.id for verdict in reversed(judged)}
    why = causes(trial, records, judged, scorer)
    facts = planted(trial, judged)
    seen = contexts(run, trial, judged, scorer)
    return Played(
        run=run,
        arm=trial.arm,
        arc=trial.arc,
        seed=trial.seed,
        evidence=evidence(trial),
        episodes=sum(event.kind == "session_started" for event in trial.events),
        spent=spending(trial, priced),
        observed=tuple(
            _observe(
                trial,
                verdict,
                first[verdict.record.id] == verdict.probe.id,
                why.get(verdict.probe.id),
                facts.get(verdict.probe.id, ()),
                scorer,
                seen.get(verdict.probe.id),
                risked(trial, verdict, records, scorer),
            )
            for verdict in counted(trial, judged)
        ),
        signature=_signature(records),
        key=trial.key.hash,
        errors_elsewhere=sum(
            event.kind == "error" and event.body["decision"] is None for event in trial.events
        ),
        generation_seed=trial.key.generation_seed,
        reads=ranked_reads(trial.events),
        levels=_levels(trial) if seen else trial.key.factors,
        counterpart=None if trial.key.counterpart is None else trial.key.counterpart.kind,
        latency=sum(
            trial.events[each.last].time - trial.events[each.first].time
            for each in records
            if each.first >= 0
        ),
    )


def _levels(trial: Trial) -> dict[str, str | int]:
    """Return the levels of an arc's factors; of compactions the script itself says how many."""
    cuts = sum(event.kind == "compaction" for e in trial.script.episodes for event in e.events)
    return {"compactions": cuts, **trial.key.factors}


def evidence(trial: Trial) -> str:
    """Return what a trial is evidence about: see `docs/scoring.md`, Evidence."""
    if trial.opened["oracle"]:
        return "oracle"
    if trial.opened["identities"].get("agent_model", {}).get("scripted"):
        return "scripted"
    model = trial.opened["options"]["model"]
    if model in LOCAL_MODELS:
        return "local model"
    return "hosted model" if model in HOSTED_MODELS else "other model"


def _observe(
    trial: Trial,
    verdict: Verdict,
    counts_calls: bool,
    cause: Cause | None,
    facts: tuple[Planted, ...],
    scorer: Scorer,
    context: Seen | None,
    of_risk: Risked | None,
) -> Observed:
    record, probe = verdict.record, verdict.probe
    needed = [each for each in verdict.gold if not each.in_context]
    in_block = [each for each in needed if each.in_block]
    # The risk track has rates of its own: its decisions count in no rate of dependent ones.
    dependent = probe.dependent and probe.risk is None
    tested = dependent and verdict.skipped is None
    return Observed(
        arc=trial.arc,
        probe=probe.id,
        seed=trial.seed,
        kind=probe.kind,
        domain=probe.domain or trial.key.domain,
        cluster=probe.cluster or trial.key.cluster,
        dependent=dependent,
        skipped=verdict.skipped,
        why=verdict.why,
        success=verdict.success,
        errored=verdict.errored,
        memory_values=len(in_block),
        used_values=sum(each.used for each in in_block),
        memory_only=bool(in_block) and len(in_block) == len(needed),
        stale=bool(verdict.stale_used),
        block_tokens=record.block_tokens if record.read else None,
        mentions=verdict.mentions,
        answer_tokens=None if record.errored else count_tokens(record.text),
        faults=type_faults(record.environment, record.calls if counts_calls else ()),
        cause=cause,
        culprit=_culprit(record),
        acting=acting(verdict, trial.key, scorer) if tested else None,
        shown=shown(verdict, trial.key) if tested else None,
        clean=trial.key.clean,
        planted=facts,
        history=probe.history,
        context=context,
        risked=of_risk,
    )


def _culprit(record: DecisionRecord) -> Culprit | None:
    if not record.errored:
        return None
    # A trial that just stopped was stopped by nobody that it knows of.
    return record.error.culprit if record.error is not None else "harness"


def _signature(records: Sequence[DecisionRecord]) -> str:
    digest = hashlib.sha256()
    for record in records:
        calls = [[call.tool, call.arguments, call.ok] for call in record.calls]
        fault = record.error and [record.error.culprit, record.error.fault]
        shown = [record.id, record.block, calls, record.outcome, record.text, fault]
        digest.update(canonical_json(shown).encode())
    return digest.hexdigest()
