"""From procedures with symbolic labels and slots to one flat Program: cells for locals, ids for
decisions, ticks for work that could take very long."""
