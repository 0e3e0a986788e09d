"""What perm's simulation costs beside LIBERO's own: `make bench`.

Both do the same work in turns, and wherever both simulate or draw, the results are compared to the
last bit before a ratio is told. What counts is CPU time: other processes on the machine stretch the
clock, and both sides alike.

Start reading at: comparison.py, then stepping.py.
"""
