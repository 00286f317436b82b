// What each TypeScript SDK has to manage in each era; client.mjs and sdk.mjs say how it is asked to.

import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [, , peer, bin, report] = process.argv;

/** An answer of the user; null is a client that cannot ask. */
const answers = [{ action: "accept", content: {} }, { action: "decline" }, { action: "cancel" }, null];

/**
 * Runs every era and ends the process.
 * @param eras names
 * @param connect async (era, {command, args, env, answer, onTools}) => {client, version, follow}, where
 *   follow(call, onprogress) is callTool with reports of progress
 */
export async function run(eras, connect) {
  let broken = 0;
  for (const era of eras) {
    const checks = { passed: 0, failed: 0 };
    const check = (what, holds, seen) => {
      holds ? checks.passed++ : checks.failed++;
      if (!holds) console.error(`peers: ${peer}, ${era}: ${what}: ${JSON.stringify(seen)}`);
    };
    try {
      await drive(era, connect, check);
    } catch (error) {
      checks.failed++;
      console.error(`peers: ${peer}, ${era}:`, error);
    }
    broken += checks.failed;
    appendFileSync(report, [peer, era, checks.passed, checks.failed, ""].join("\t") + "\n");
  }
  process.exit(broken === 0 ? 0 : 1);
}

/** Opens a session in a new home, gives it to work, and ends it. */
async function session(connect, era, program, options, work) {
  const home = mkdtempSync(join(tmpdir(), "peers-"));
  const args = program === "crm" ? ["--mcp"] : [];
  const opened = await connect(era, { command: join(bin, program), args, env: { HOME: home, PATH: process.env.PATH }, ...options });
  try {
    return await work(opened.client, opened);
  } finally {
    await opened.client.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const textOf = (result) => result.content.map((c) => c.text ?? "").join("");

/** The code of the protocol error that a call ends with, null when it does not. */
const codeOf = (call) => call.then(() => null, (error) => error.code);

async function drive(era, connect, check) {
  const version = await session(connect, era, "crm", { answer: null }, (client, { version }) => crm(client, version, check));
  for (const answer of answers) {
    await session(connect, era, "crm", { answer }, (client) => confirm(client, version, answer, check));
  }
  await progress(era, connect, check);
  await changes(era, connect, check);
}

async function crm(client, version, check) {
  check("the server's name", client.getServerVersion()?.name, client.getServerVersion());
  const { tools } = await client.listTools();
  const names = tools.map((t) => t.name);
  check("tools in order", names.join() === [...names].sort().join() && names.includes("customers_store"), names);
  check("each tool is described", tools.every((t) => t.description && t.inputSchema.type === "object"), tools);
  check("hints", tools.find((t) => t.name === "customers_index").annotations.readOnlyHint === true, tools);

  const stored = await client.callTool({ name: "customers_store", arguments: { input: { name: "Ada Lovelace", email: "ada@example.com" } } });
  check("a good call", !stored.isError && JSON.parse(textOf(stored)).name === "Ada Lovelace", stored);
  const structured = version >= "2025-06-18";
  check("its structured content", (stored.structuredContent?.name === "Ada Lovelace") === structured, stored);
  const found = await client.callTool({ name: "customers_index", arguments: { query: { search: "ada@example.com" } } });
  check("what was stored is there", JSON.parse(textOf(found)).items.length === 1, found);

  const bad = await client.callTool({ name: "customers_store", arguments: { input: { name: "Bad", email: "no address" } } });
  check("a bad value", bad.isError && textOf(bad).includes("input.email"), bad);
  const misspelt = await client.callTool({ name: "customers_store", arguments: { input: { nmae: "Ada", email: "x@example.com" } } });
  check("a misspelt name", misspelt.isError && textOf(misspelt).includes("input.nmae"), misspelt);
  const unknown = await codeOf(client.callTool({ name: "customers_explode", arguments: {} }));
  check("an unknown tool", unknown === -32602, unknown);
  return version;
}

/** Deletes a customer, with a user who gives that answer. */
async function confirm(client, version, answer, check) {
  const what = `a delete that the user answers with ${answer?.action ?? "nothing"}`;
  const modern = version >= "2026-07-28";
  const deleted = client.callTool({ name: "customers_destroy", arguments: { id: 1 } });
  let gone = false;
  if (answer === null && modern) {
    const code = await codeOf(deleted);
    check(what, code === -32021, code);
  } else {
    gone = answer?.action === "accept" && version >= "2025-06-18";
    const result = await deleted;
    check(what, Boolean(result.isError) !== gone, result);
  }
  const shown = await client.callTool({ name: "customers_show", arguments: { id: 1 } });
  check(`${what}: what became of the customer`, Boolean(shown.isError) === gone, shown);
}

async function progress(era, connect, check) {
  await session(connect, era, "fixture", { answer: null }, async (client, { follow }) => {
    const seen = [];
    await follow({ name: "test_tool_with_progress", arguments: {} }, (p) => seen.push(p.progress));
    check("progress", seen.join() === "0,50,100", seen);
    const mixed = await client.callTool({ name: "test_multiple_content_types", arguments: {} });
    check("kinds of content", mixed.content.map((c) => c.type).join() === "text,image,resource", mixed);
  });
}

async function changes(era, connect, check) {
  let heard;
  const changed = new Promise((resolve) => (heard = resolve));
  await session(connect, era, "fixture", { answer: null, onTools: heard }, async (client) => {
    await client.callTool({ name: "test_trigger_tool_change", arguments: {} });
    const late = new Promise((resolve) => setTimeout(resolve, 20_000, "late").unref());
    check("changed tools are announced", (await Promise.race([changed, late])) !== "late", "nothing was heard");
  });
}
