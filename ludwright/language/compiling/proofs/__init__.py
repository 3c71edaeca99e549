"""What is proven of the code before anyone plays: that choices have options, that options show
nothing hidden, that nothing refuses once dice have fallen. `checks` says in which order."""
