"""The domains that have a ladder, by the name of their environment."""

from probes.ladder.domain import Domain
from probes.ladder.domains.assistant import ASSISTANT
from probes.ladder.domains.itops import ITOPS
from probes.ladder.domains.support import SUPPORT

DOMAINS: dict[str, Domain] = {domain.environment: domain for domain in (SUPPORT, ITOPS, ASSISTANT)}
