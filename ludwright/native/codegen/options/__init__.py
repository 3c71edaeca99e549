"""What can be answered at a choice, as native code: all options, or one at random."""
