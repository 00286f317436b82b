// The current TypeScript client as a host of the agent: client.mjs PEER ELYRA PROJECT HOME REPORT ERA [slow]

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { run } from "./scenario.mjs";

const eras = {
  "pinned to 2026-07-28": { mode: { pin: "2026-07-28" }, want: "2026-07-28" },
  auto: { mode: "auto", want: "2026-07-28" }, // starts the command twice: for the probe and for the session
  legacy: { mode: "legacy", want: "2025-11-25" },
};
const era = process.argv[7];
const { mode, want } = eras[era];

await run(era, async (server) => {
  const client = new Client({ name: "typescript-client", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  const version = client.getNegotiatedProtocolVersion();
  if (version !== want) throw new Error(`it negotiated ${version}, want ${want}`);
  return { client, version, follow: (call, options) => client.callTool(call, options) };
});
