"""The `llama-cpp` back end: a GGUF in a child process, held to a grammar."""
