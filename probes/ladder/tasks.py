"""What can be asked of the support desk: its writing tools and where they leave their mark."""

from dataclasses import dataclass
from typing import Literal

Subject = Literal["order", "customer"]


@dataclass(frozen=True)
class Task:
    """One writing tool.

    Attributes:
        tool: Its name.
        subject: What it is done to; the tool's `<subject>_id` names it.
        marks: Each further parameter, and the JSON Pointer (with `{id}`) where its value stands
            afterwards.
    """

    tool: str
    subject: Subject
    marks: dict[str, str]

    def arguments(self, name: str, values: dict[str, str]) -> dict[str, str]:
        """Return the arguments of a call about the subject `name`."""
        return {f"{self.subject}_id": name} | values


ONE_FACT = (
    Task("issue_refund", "order", {"amount": "/refunds/{id}"}),
    Task("redirect_order", "order", {"address": "/orders/{id}/address"}),
    Task("schedule_callback", "customer", {"phone": "/callbacks/{id}"}),
)
TWO_FACTS = (
    Task(
        "authorise_return",
        "order",
        {"return_code": "/returns/{id}/code", "amount": "/returns/{id}/amount"},
    ),
    Task(
        "send_replacement",
        "order",
        {"address": "/replacements/{id}/address", "phone": "/replacements/{id}/phone"},
    ),
)
