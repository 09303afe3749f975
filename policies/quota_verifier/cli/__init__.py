"""The `quota-shares` command, one thin file a subcommand."""
