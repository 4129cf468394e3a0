"""Hand-made items for the audit's tests."""

from probes.audit import Item


def make(
    prompt: str = "When do we meet?",
    required: tuple[str, ...] = ("Thursday",),
    forbidden: tuple[str, ...] = ("Friday",),
    id: str = "i1",
    group: str = "days",
    cluster: str = "c1",
) -> Item:
    return Item(id, group, cluster, prompt, required, forbidden)
