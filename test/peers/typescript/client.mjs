// The current TypeScript client, in the modern era alone, with a probe, and in the legacy era.

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { run } from "./scenario.mjs";

const eras = {
  "pinned to 2026-07-28": { mode: { pin: "2026-07-28" }, want: "2026-07-28" },
  auto: { mode: "auto", want: "2026-07-28" }, // starts the command twice: for the probe and for the session
  legacy: { mode: "legacy", want: "2025-11-25" },
};

await run(Object.keys(eras), async (era, { command, args, env, ask, onTools, onUpdated }) => {
  const { mode, want } = eras[era];
  const client = new Client(
    { name: "typescript-client", version: "1" },
    {
      versionNegotiation: { mode },
      capabilities: ask ? { elicitation: { form: {} } } : {},
      ...(onTools && { listChanged: { tools: { autoRefresh: false, onChanged: () => onTools() } } }),
    },
  );
  if (ask) client.setRequestHandler("elicitation/create", async ({ params }) => ask(params));
  if (onUpdated) client.setNotificationHandler("notifications/resources/updated", ({ params }) => onUpdated(params.uri));
  await client.connect(new StdioClientTransport({ command, args, env, stderr: "ignore" }));
  const version = client.getNegotiatedProtocolVersion();
  if (version !== want) throw new Error(`it negotiated ${version}, want ${want}`);
  const watch = async (uri) => {
    if (version < "2026-07-28") return client.subscribeResource({ uri });
    const { honoredFilter } = await client.listen({ resourceSubscriptions: [uri] });
    if (honoredFilter.resourceSubscriptions?.join() !== uri) throw new Error(`not honoured: ${JSON.stringify(honoredFilter)}`);
  };
  return {
    client,
    version,
    watch,
    unknownResource: -32602, // whichever of both codes the server's revision has, this client makes it the newer
    follow: (call, onprogress) => client.callTool(call, { onprogress }),
  };
});
