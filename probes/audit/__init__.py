"""The audit: what phrase lists do to right answers, measured on StateBench or any other set.

No model is called. Texts whose right verdict is known are constructed from the ground truth and
scored by the scorers under test.
"""

from probes.audit.items import Item, from_jsonl, from_timelines, read_map
from probes.audit.report import audit_items, audit_statebench

__all__ = [
    "Item",
    "audit_items",
    "audit_statebench",
    "from_jsonl",
    "from_timelines",
    "read_map",
]
