"""The cast of one arc: what it turns on, everything that is shown from the start, and its values.

Names and what is shown from the start come first, what a right decision needs last: whatever values
are drawn, everything else of the arc stays as it is.
"""

from dataclasses import dataclass
from random import Random

from probes.ladder.domain import Task, Thread
from probes.ladder.phrasing import say
from probes.ladder.values import Pool
from probes.risks.domain import Act, Setting, Topic
from probes.risks.phrasing import ASKED_BESIDE, BESIDE, QUESTION, STATE, TEMPTATION, Frames
from probes.risks.story import Story, Told, said
from scoring.keys import Tier
from scoring.risks.kinds import NUMBERS, Risk, Subtype
from simulator.events import Json
from simulator.events.seeds import stream

_ASIDES = 6


@dataclass(frozen=True)
class Recipe:
    """What one arc is like.

    Attributes:
        setting: The domain.
        risk: What it tests.
        subtype: What the risk is divided into, or None.
        tier: Difficulty.
        seed: Generation seed.
        number: Number of the arc within its risk, from 0.
    """

    setting: Setting
    risk: Risk
    subtype: Subtype | None
    tier: Tier
    seed: int
    number: int

    @property
    def name(self) -> str:
        """The name of the arc; the first part is the number of the risk, such as `r2`."""
        return f"{NUMBERS[self.risk].lower()}-{self.tier}-{self.seed}-{self.number + 1:03d}"

    @property
    def origin(self) -> str:
        """What its key says of where it comes from."""
        return f"risks seed={self.seed}"

    @property
    def level(self) -> int:
        """0, 1 or 2: easy, medium or hard."""
        return ("easy", "medium", "hard").index(self.tier)


class Cast:
    """Who and what one arc is about.

    Attributes:
        recipe: What the arc is like.
        story: Where it is told.
        topic: The fact that the decision turns on.
        subject: Id of what it is about.
        other: Another thing of the same kind.
        act: What a constraint forbids.
        asked: What asks for that act, with all its values.
        forbids: The arguments of that act.
        alternative: What is to be done in its place; None where that is an answer.
        beside: Id of what the alternative is about.
        world: The initial world.
    """

    def __init__(self, recipe: Recipe, variation: int) -> None:
        self.recipe = recipe
        self._domain = recipe.setting.domain
        self._words = self.stream("phrasing")
        self._pool = Pool(recipe.name, recipe.seed, self._domain.draws, variation)
        self.story = Story(self._domain.chatter, self.stream("talk"), self.stream("times"))
        order = self.stream("order")
        self.topic = order.choice(recipe.setting.topics(spoken=self.spoken))
        self.subject, self.other = self._name(self.topic.subject), self._name(self.topic.subject)
        self._choose_acts(order)
        self._asides = [self._aside(order) for _ in range(_ASIDES)]
        threads = [*self._threads(), *(thread for thread, _ in self._asides)]
        self.world: Json = self._domain.world(threads, self._pool, self.stream("world"))

    def stream(self, purpose: str) -> Random:
        """Return the random stream of one purpose of this arc."""
        return stream(self.recipe.name, self.recipe.seed, purpose)

    @property
    def spoken(self) -> bool:
        """Whether the decision is an answer in words: in every fourth arc, and where no task fits."""
        # Shifted each round, since subtypes take turns by four too.
        number = self.recipe.number
        return (number + number // 4) % 4 == 3 or not self._domain.tasks

    @property
    def fact(self) -> str:
        """What the fact is called."""
        return self.fact_of(self.subject)

    def fact_of(self, subject: str) -> str:
        """Return what the same fact of another thing is called."""
        return self.topic.fact.format(id=subject)

    def who(self, subject: str) -> str:
        """Return what a thing is called: `order O-1042`."""
        return f"{self.topic.subject} {subject}"

    def gold(self) -> str:
        """Draw a value of the fact that a decision needs, or must not use."""
        return self._pool.gold(self.topic.attribute)

    def instead(self) -> str:
        """Draw the value that the alternative needs."""
        if self.alternative is None:
            return self._pool.gold("code")
        (attribute,) = self.alternative.task.marks
        return self._pool.gold(attribute)

    def say(self, frames: Frames, **parts: str) -> str:
        """Return a sentence about the fact, unless the parts name another one."""
        return say(frames, self._words, **({"fact": self.fact} | parts))

    def request(self, extra: str = "") -> str:
        """Return the request that the decision turns on, without any of its values."""
        if self.spoken:
            return f"{self.say(QUESTION)}{extra}"
        return f"{say(TEMPTATION, self._words, do=self._clause())}{extra}"

    def request_beside(self, other: str) -> str:
        """Return the request with somebody else named in it."""
        who = self.who(other)
        if self.spoken:
            return self.say(ASKED_BESIDE, who=who)
        return self.say(BESIDE, do=self._clause(), who=who)

    def _clause(self) -> str:
        assert self.topic.task is not None
        clause = self._words.choice(self._domain.probe_clauses[self.topic.task.tool])
        return clause.format(id=self.subject)

    def unrelated(self, sessions: int, *, talk: int = 8) -> None:
        """Tell sessions that have nothing to do with the decision; each states a fact nobody needs."""
        for _ in range(sessions):
            _, told = self._asides.pop(0)
            self.story.session([told], talk=talk)

    def _aside(self, order: Random) -> tuple[Thread, Told]:
        topic = order.choice(self.recipe.setting.topics(spoken=not self._domain.tasks))
        subject, value = self._name(topic.subject), self._pool.other(topic.attribute)
        text = say(STATE, self._words, fact=topic.fact.format(id=subject), value=value)
        return _thread(topic, subject), said(f"aside {subject}", text)

    def _name(self, kind: str) -> str:
        return self._pool.name(f"{kind}_id")

    def _choose_acts(self, order: Random) -> None:
        acts = self.recipe.setting.forbidden()
        self.act: Act = order.choice(acts)
        others = [each for each in acts if each.task.tool != self.act.task.tool]
        self.alternative: Act | None = order.choice(others) if self._domain.tasks else None
        self._acted_on = self._name(self.act.task.subject)
        self.beside = self._acted_on
        if self.alternative is not None and self.alternative.task.subject != self.act.task.subject:
            self.beside = self._name(self.alternative.task.subject)
        marks = self.act.task.marks if self._domain.tasks else {}
        values = {name: self._pool.other(name) for name in marks}
        self.asked = self.act.ask.format(id=self._acted_on, **values)
        self.forbids = self.act.task.arguments(self._acted_on, {})

    @property
    def forbidden_act(self) -> str:
        """What the constraint forbids, without values."""
        return self.act.do.format(id=self._acted_on)

    def _threads(self) -> list[Thread]:
        made = [_thread(self.topic, self.subject), _thread(self.topic, self.other)]
        made.append(Thread(self.act.task, self._acted_on))
        if self.alternative is not None and self.beside != self._acted_on:
            made.append(Thread(self.alternative.task, self.beside))
        return made


def _thread(topic: Topic, subject: str) -> Thread:
    return Thread(topic.task or Task("", topic.subject, {}), subject)
