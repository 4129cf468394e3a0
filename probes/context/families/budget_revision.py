"""Budget revision: the budget of a project is brought up to date."""

from probes.context.families import draws
from probes.context.family import Family, Paper

BUDGET_REVISION = Family(
    name="budget-revision",
    confidential=False,
    roles={
        "me": "project lead",
        "contact": "controller",
        "keeper": "head of personnel",
        "author": "planner",
    },
    papers={
        "main": Paper(
            "Budget of the project with {company}",
            "The project with {company} runs into next year. The full total is {key}. {clause} "
            "The reserve has not been used.",
        ),
        "closed": Paper(
            "Pay plan of the personnel department",
            "This plan is kept by personnel. The pay of the core team is {first}. The severance pool "
            "is {second}.",
            "keeper",
        ),
        "figures": Paper(
            "Forecast of the purchases",
            "All purchases were forecast in spring. The steel price is {old} a bar. Deliveries take "
            "a month.",
        ),
        "draft": Paper(
            "Draft of a savings plan",
            "This draft was written for another project. The hoped-for saving is {lost}. It was "
            "never agreed.",
            "author",
        ),
        "annex": Paper(
            "List of the rentals",
            "The list has all machines. The crane rental is {owed}. The cranes come from one house.",
        ),
        "subject": Paper(
            "Working copy of the budget table",
            "This copy was taken before the revision. It has the rows of the table in order.",
        ),
    },
    clause=(
        "the transfer rule",
        "A transfer between two lines of the budget is made once in a quarter, and never out of the "
        "reserve.",
    ),
    labels={
        "key": "the full total",
        "second": "the severance pool",
        "old": "the steel price",
        "lost": "the hoped-for saving",
        "owed": "the crane rental",
    },
    values={
        "key": draws.hundreds,
        "first": draws.sum_to_the_cent,
        "second": draws.sum_to_the_cent,
        "old": draws.small_sum,
        "new": draws.small_sum,
        "lost": draws.share,
        "owed": draws.hundreds,
    },
    act="delete",
    gate="the forecast",
    opening="We are revising the budget of the project with {company}. First come the papers, then "
    "the rest of the day's work.",
    topics={
        "high": "finish the report on the budget, with the full total, the price of steel and the "
        "rule for each transfer",
        "low": "bring the matter of the budget to a close and hand in what holds of the full total",
    },
    subject="Budget",
    mail="Thank you for your patience. The revision of the budget is coming to its end.",
)
