"""AWS's side: the Batch API as an emulator serves it, as calls that make a queue, and as live queues read it."""
