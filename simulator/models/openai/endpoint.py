"""One request to an endpoint through the official client, without its own retries."""

import importlib.util
from typing import Any

from simulator.events import Json
from simulator.events.errors import InputError
from simulator.models.openai.answers import HttpAnswer, decode
from simulator.models.openai.options import OpenAIOptions
from simulator.models.openai.secret import read_secret

_NO_KEY = "none"  # the client insists on one; an endpoint that takes none ignores it


def require_client() -> None:
    """Check that the client is installed.

    Raises:
        InputError: when it is not, with what installs it.
    """
    if importlib.util.find_spec("openai") is None:
        raise InputError("the openai client is not installed: pip install 'memtrial[openai]'")


class Endpoint:
    """An endpoint and the key for it. The client is made with the first request.

    Raises:
        InputError: when the client is not installed, or the key is missing or malformed.
    """

    def __init__(self, options: OpenAIOptions) -> None:
        require_client()
        self._options = options
        self._secret = read_secret(options)
        self._client: Any = None

    def ask(self, fields: dict[str, Json]) -> HttpAnswer:
        """Make one request and return its answer, whatever that is."""
        # Imported here because it takes half a second, and most commands make no request.
        import openai

        if self._client is None:
            self._client = openai.OpenAI(
                api_key=self._secret.reveal() or _NO_KEY,
                base_url=self._options.base_url,
                timeout=self._options.timeout_s,
                max_retries=0,
            )
        try:
            response = self._client.chat.completions.with_raw_response.create(**fields)
        except openai.APIStatusError as error:
            return self._decode(error.response)
        except openai.APITimeoutError:
            return HttpAnswer(None, problem=f"no answer within {self._options.timeout_s:g} s")
        except openai.APIConnectionError as error:
            # Only its kind: the text may hold the address of a proxy and its password.
            kind = type(error.__cause__ or error).__name__
            return HttpAnswer(None, problem=f"the connection failed ({kind})")
        return self._decode(response.http_response)

    def _decode(self, response: Any) -> HttpAnswer:
        status, headers = response.status_code, response.headers
        return decode(status, headers, response.content, self._secret.redact)

    def close(self) -> None:
        """Close connections; a later request opens new ones."""
        if self._client is not None:
            self._client.close()
            self._client = None
