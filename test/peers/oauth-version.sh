# The authorization server, pinned. Sourced by the scripts beside it.
OIDC_PROVIDER=9.13.3 # oidc-provider
