# The peers, pinned. Sourced by the scripts beside it.
INSPECTOR=2.12.0
INSPECTOR_OLD=1.0.3     # speaks the older revisions only
TYPESCRIPT_CLIENT=2.4.0 # @modelcontextprotocol/client
TYPESCRIPT_SDK=1.32.2   # @modelcontextprotocol/sdk, its predecessor
CONFORMANCE=0.2.0-alpha.12
SERVERS=2026.8.31       # @modelcontextprotocol/server-everything, -filesystem and -memory
CONTEXT7=4.1.1          # @upstash/context7-mcp, which speaks the modern era
KUBERNETES=0.0.67       # kubernetes-mcp-server
MONGODB=3.0.4           # mongodb-mcp-server
PLAYWRIGHT=0.0.83       # @playwright/mcp
MCPB=2.1.2              # @anthropic-ai/mcpb, which judges MCP bundles
NODE=22.23.5            # for the conformance suite, where the installed one is older than 22
