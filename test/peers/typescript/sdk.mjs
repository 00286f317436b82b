// The TypeScript SDK before it was split, which much of what is installed uses, in each revision that it speaks.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { run } from "./scenario.mjs";

/** A transport that asks for an older revision than the SDK would, as its older releases did. */
class OlderTransport extends StdioClientTransport {
  constructor(server, version) {
    super(server);
    this.version = version;
  }

  send(message) {
    if (message.method === "initialize") message.params.protocolVersion = this.version;
    return super.send(message);
  }
}

await run(["2025-11-25", "2025-06-18", "2025-03-26"], async (version, { command, args, env, ask, onTools, onUpdated }) => {
  const client = new Client(
    { name: "typescript-sdk", version: "1" },
    {
      capabilities: ask ? { elicitation: {} } : {},
      ...(onTools && { listChanged: { tools: { autoRefresh: false, onChanged: () => onTools() } } }),
    },
  );
  if (ask) client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ask(params));
  if (onUpdated) client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => onUpdated(params.uri));
  const transport = new OlderTransport({ command, args, env, stderr: "ignore" }, version);
  let negotiated;
  transport.setProtocolVersion = (v) => (negotiated = v);
  await client.connect(transport);
  if (negotiated !== version) throw new Error(`it negotiated ${negotiated}, want ${version}`);
  return {
    client,
    version,
    watch: (uri) => client.subscribeResource({ uri }),
    unknownResource: -32002,
    follow: (call, onprogress) => client.callTool(call, undefined, { onprogress }),
  };
});
