"""Trace in, number out: moments, measurements, calibration, satisfaction, rates.

Imports from: core; numpy.
Never imports: another room, a simulator, a file format.
Start reading at: `moments.py`, then `measurements.py` and `satisfaction.py`.
"""
