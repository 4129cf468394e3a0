"""The API key: read from the environment, sent to the endpoint, shown nowhere."""

import json
import os
from urllib.parse import urlsplit

from simulator.events.errors import InputError
from simulator.models.openai.options import OpenAIOptions

SHOWN = "[API key]"
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_SHORTEST = 8  # a shorter word cannot be told from any other


class Secret:
    """A key that redacts itself; it has no `repr` that shows it."""

    def __init__(self, key: str) -> None:
        self._key = key

    def reveal(self) -> str:
        """Return the key, for the request's header alone; ``""`` where none is sent."""
        return self._key

    def redact(self, content: bytes) -> bytes:
        """Return JSON of the endpoint's without the key, however that is escaped in it.

        Raises:
            ValueError: when the content is no JSON.
            RecursionError: when it is nested too deeply to be read.
        """
        if len(self._key) < _SHORTEST:
            return content
        text = json.dumps(json.loads(content))
        return text.replace(json.dumps(self._key)[1:-1], SHOWN).encode()


def read_secret(options: OpenAIOptions) -> Secret:
    """Return the key that the options name; an endpoint on this machine may do without.

    Raises:
        InputError: when the variable is not set, or holds what no header can carry.
    """
    name = options.api_key_env
    key = os.environ.get(name, "") if name else ""
    if not all("!" <= character <= "~" for character in key):
        raise InputError(
            f"the key in {name} holds white space or characters that no header can carry",
            field="api_key_env",
        )
    if name and not key and urlsplit(options.base_url).hostname not in _HERE:
        raise InputError(
            f"the environment variable {name} is not set; put the endpoint's key there, or set "
            'api_key_env = "" for an endpoint that takes none',
            field="api_key_env",
        )
    return Secret(key)
