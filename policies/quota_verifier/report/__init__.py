"""What people and machines read: text, tables, timelines, JSON."""
