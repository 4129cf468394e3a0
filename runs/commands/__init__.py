"""What the commands do, a module each; imported when a command is called."""
