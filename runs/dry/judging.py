"""What a suite's judge would be asked about the answers of a dry run."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from runs.dry.backends import DryBackends, hears_no_seed, judge_taken
from runs.plan import Plan, TrialPlan
from scoring.costs import JUDGING, Charge, priced_call
from scoring.judge.question import Question, questions
from scoring.metrics import Played
from scoring.pricing import JUDGE, Pricing
from scoring.repeats import count_once
from scoring.run import Trial
from scoring.trials import score_trial
from simulator.events.faults import Fault
from simulator.models.port import CompletionRequest
from simulator.models.rendering import render_plain


class DryJudge:
    """Collects the questions about trials and asks them once all are played.

    Args:
        plan: A plan that has a judge.
        backends: Where its answers come from.
        priced: What they cost.
    """

    def __init__(self, plan: Plan, backends: DryBackends, priced: Pricing) -> None:
        assert plan.judge is not None and plan.suite.judge is not None
        self._answer = backends.judge(plan.judge)
        self._tokens = plan.suite.judge.verdict_tokens
        self._paid = priced.charged(plan.judge.name, judge_taken(plan.judge))
        self._hosted = priced.as_if(JUDGE)
        self._priced = priced
        self._questions: dict[_Course, list[Question]] = {}
        self._played: list[Played] = []

    def hear(self, plan: TrialPlan, trial: Trial) -> None:
        """Take the questions about a trial that was played."""
        self._questions[_course(plan)] = list(questions(trial))
        if not hears_no_seed(plan.arm):
            self._played.append(score_trial("dry", trial, self._priced))

    def ask(self, trials: Sequence[TrialPlan]) -> Mapping[str, list[Charge]]:
        """Return trial to what judging it uses.

        Repeats of scripted arms are judged once, as in a run. A real model is taken not to repeat
        itself under another seed.
        """
        counted = {(each.arc, each.arm, each.seed) for each in count_once(self._played)[0]}
        made: dict[str, list[Charge]] = defaultdict(list)
        for trial in trials:
            if hears_no_seed(trial.arm) or (trial.arc, trial.arm.id, trial.seed) in counted:
                made[trial.id] = self._ask(trial, self._questions[_course(trial)])
        return made

    def _ask(self, trial: TrialPlan, asked: Sequence[Question]) -> list[Charge]:
        made, previous = [], ""
        for question in asked:
            rendered = render_plain(question.prompt)
            request = CompletionRequest(
                question.prompt, rendered, previous, self._tokens, question.seed
            )
            previous = rendered
            try:
                usage = self._answer(request).usage
            except Fault:
                continue  # what the judge could not be asked is an error and no charge
            tokens = (usage.input, usage.cached, usage.output)
            spent = priced_call(tokens, tokens, self._paid, self._hosted)
            episode = question.decision.partition("/")[0]
            made.append(Charge(trial.arm.id, trial.arc, trial.seed, episode, JUDGING, spent))
        return made


_Course = tuple[str, str, int | None]


def _course(trial: TrialPlan) -> _Course:
    """Return what decides the course of a trial: arc, arm and, where anybody hears it, seed."""
    return trial.arc, trial.arm.id, None if hears_no_seed(trial.arm) else trial.seed
