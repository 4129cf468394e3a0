"""The families of the context track, by name."""

from probes.context.families.access_audit import ACCESS_AUDIT
from probes.context.families.board_report import BOARD_REPORT
from probes.context.families.budget_revision import BUDGET_REVISION
from probes.context.families.contract_redline import CONTRACT_REDLINE
from probes.context.families.customer_escalation import CUSTOMER_ESCALATION
from probes.context.families.hiring_packet import HIRING_PACKET
from probes.context.families.incident_review import INCIDENT_REVIEW
from probes.context.families.vendor_renewal import VENDOR_RENEWAL
from probes.context.family import Family

BY_NAME: dict[str, Family] = {
    family.name: family
    for family in (
        VENDOR_RENEWAL,
        INCIDENT_REVIEW,
        HIRING_PACKET,
        CONTRACT_REDLINE,
        BOARD_REPORT,
        CUSTOMER_ESCALATION,
        BUDGET_REVISION,
        ACCESS_AUDIT,
    )
}
