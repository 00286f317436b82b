# The peers, pinned. Sourced by the scripts beside it.
INSPECTOR=2.12.0
