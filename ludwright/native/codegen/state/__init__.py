"""What lies in memory: cells, values and pieces of a state; beside it facts, events, ticks."""
