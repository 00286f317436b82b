# The peers, pinned. Sourced by the scripts beside it.
INSPECTOR=2.12.0
INSPECTOR_OLD=1.0.3     # speaks the older revisions only
TYPESCRIPT_CLIENT=2.4.0 # @modelcontextprotocol/client
TYPESCRIPT_SDK=1.32.2   # @modelcontextprotocol/sdk, its predecessor
CONFORMANCE=0.2.0-alpha.12
NODE=22.23.5 # for the conformance suite, where the installed one is older than 22
