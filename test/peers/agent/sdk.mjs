// The TypeScript SDK before it was split as a host of the agent: sdk.mjs PEER ELYRA PROJECT HOME REPORT VERSION [slow]

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { run } from "./scenario.mjs";

const version = process.argv[7];

/** A transport that asks for an older revision than the SDK would, as its older releases did. */
class OlderTransport extends StdioClientTransport {
  send(message) {
    if (message.method === "initialize") message.params.protocolVersion = version;
    return super.send(message);
  }
}

await run(version, async (server) => {
  const client = new Client({ name: "typescript-sdk", version: "1" });
  const transport = new OlderTransport({ ...server, stderr: "ignore" });
  let negotiated;
  transport.setProtocolVersion = (v) => (negotiated = v);
  await client.connect(transport);
  if (negotiated !== version) throw new Error(`it negotiated ${negotiated}, want ${version}`);
  return { client, version, follow: (call, options) => client.callTool(call, undefined, options) };
});
