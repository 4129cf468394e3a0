"""The `openai` back end: any endpoint that speaks the chat completions protocol."""
