"""Vendor renewal: a contract is about to renew, and its price is to be recommended."""

from probes.context.families import draws
from probes.context.family import Family, Paper

VENDOR_RENEWAL = Family(
    name="vendor-renewal",
    confidential=False,
    roles={
        "me": "buyer",
        "contact": "sales at {company}",
        "keeper": "head of finance",
        "author": "buyer of the other branch",
    },
    papers={
        "main": Paper(
            "Contract with {company}",
            "{company} scans our incoming mail under this contract. The yearly fee is {key}. "
            "{clause} Invoices are due at the end of each month.",
        ),
        "closed": Paper(
            "Price list of the finance department",
            "This list is kept by finance. Finance pays {company} {first} a year for the archive. "
            "The renewal ceiling is {second}.",
            "keeper",
        ),
        "figures": Paper(
            "Usage report of the branches",
            "All branches used the service through the year. The unit price came to {old}. "
            "The mail rooms were content.",
        ),
        "draft": Paper(
            "Draft of a new contract",
            "This draft was written after the last talk. The planned rebate is {lost}. The rest "
            "stays as it was.",
            "author",
        ),
        "annex": Paper(
            "Log of the help desk",
            "The help desk answered all branches. The support cost was {owed} over the year. Most "
            "questions were about lost letters.",
        ),
    },
    clause=(
        "the notice clause",
        "This contract renews for another year unless either party gives written notice by "
        "30 September.",
    ),
    labels={
        "key": "the yearly fee",
        "second": "the renewal ceiling",
        "old": "the unit price",
        "lost": "the planned rebate",
        "owed": "the support cost",
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
    act="send",
    gate="the shortlist",
    opening="We are preparing the renewal with {company}. First come the papers, then the rest of "
    "the day's work.",
    topics={
        "high": "finish the report on the renewal, with the yearly fee, the price and the notice "
        "period",
        "low": "bring the matter with {company} to a close and hand in what holds of the yearly fee",
    },
    subject="Renewal",
    mail="Thank you for your patience. We would like to talk about the coming year.",
)
