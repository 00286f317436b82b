// What each TypeScript SDK has to manage in each era; client.mjs and sdk.mjs say how it is asked to.

import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [, , peer, bin, report] = process.argv;

/** An answer of the user; null is a client that cannot ask. */
const answers = [{ action: "accept", content: {} }, { action: "decline" }, { action: "cancel" }, null];

/** How long anything may take that has to come by itself. */
const patience = 20_000;

/**
 * Runs every era, first with `crm --mcp` serving by itself and then with a running app, and ends the process.
 * @param eras names
 * @param connect async (era, {command, args, env, ask, onTools, onUpdated}) => {client, version, follow, watch,
 *   unknownResource}, where ask(params) is the user's answer to an elicitation, undefined in a client that cannot ask;
 *   follow(call, onprogress) is callTool with reports of progress; watch(uri) subscribes to a resource, so that
 *   onUpdated(uri) is called; and unknownResource is the code of the error of a read of nothing
 */
export async function run(eras, connect) {
  let broken = 0;
  for (const era of eras) {
    for (const way of ["headless", "running"]) {
      const checks = { passed: 0, failed: 0 };
      const check = (what, holds, seen) => {
        holds ? checks.passed++ : checks.failed++;
        if (!holds) console.error(`peers: ${peer}, ${era}, app ${way}: ${what}: ${JSON.stringify(seen)}`);
      };
      try {
        await drive({ era, way, connect, check });
      } catch (error) {
        checks.failed++;
        console.error(`peers: ${peer}, ${era}, app ${way}:`, error);
      }
      broken += checks.failed;
      appendFileSync(report, [peer, `${era}, app ${way}`, checks.passed, checks.failed, ""].join("\t") + "\n");
    }
  }
  process.exit(broken === 0 ? 0 : 1);
}

/** Everything that one era has to manage in one way. */
async function drive(test) {
  const version = await session(test, "crm", {}, (opened) => crm(test, opened));
  for (const answer of answers) await confirm(test, version, answer);
  await resources(test);
  if (test.way === "headless") { // the fixture is no app
    await progress(test);
    await changes(test);
  }
}

/**
 * Opens a session in a new home, gives it to work, and ends it. Work gets what connect returned, and a function that
 * opens another session in the same home.
 */
async function session({ era, way, connect }, program, options, work) {
  const home = mkdtempSync(join(tmpdir(), "peers-"));
  const env = { HOME: home, PATH: process.env.PATH };
  const opened = [];
  const open = async (options) => {
    const args = program === "crm" ? ["--mcp"] : [];
    const one = await connect(era, { command: join(bin, program), args, env, ...options });
    opened.push(one);
    return one;
  };
  let stop;
  try {
    if (program === "crm" && way === "running") stop = await start(env);
    return await work(await open(options), open);
  } finally {
    for (const { client } of opened) await client.close();
    await stop?.();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Starts the app without a window and returns what stops it. */
async function start(env) {
  const app = spawn(join(bin, "crm"), ["--headless"], { env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => app.once("exit", resolve));
  let log = "";
  const serves = new Promise((resolve) => {
    app.stderr.on("data", (text) => {
      log += text;
      if (log.includes("serving without a window")) resolve(true);
    });
  });
  const stop = async () => {
    app.kill();
    await ended;
  };
  if (await late(Promise.race([serves, ended.then(() => false)]), false)) return stop;
  await stop();
  throw new Error(`the app did not start: ${log}`);
}

/** What a promise brings, or the other value when it takes too long. */
function late(promise, other) {
  return Promise.race([promise, new Promise((resolve) => setTimeout(resolve, patience, other).unref())]);
}

const textOf = (result) => result.content.map((c) => c.text ?? "").join("");

/** The code of the protocol error that a call ends with, null when it does not. */
const codeOf = (call) => call.then(() => null, (error) => error.code);

const store = (client, email) => client.callTool({ name: "customers_store", arguments: { input: { name: "Ada Lovelace", email } } });

async function crm({ check }, { client, version }) {
  check("the server's name", client.getServerVersion()?.name, client.getServerVersion());
  const capabilities = client.getServerCapabilities();
  check("apps neither log to clients nor lack resources", capabilities.resources?.subscribe && !capabilities.logging, capabilities);
  const { tools } = await client.listTools();
  const names = tools.map((t) => t.name);
  check("tools in order", names.join() === [...names].sort().join() && names.includes("customers_store"), names);
  check("each tool is described", tools.every((t) => t.description && t.inputSchema.type === "object"), tools);
  check("hints", tools.find((t) => t.name === "customers_index").annotations.readOnlyHint === true, tools);

  const stored = await store(client, "ada@example.com");
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
async function confirm(test, version, answer) {
  const { check } = test;
  const what = `a delete that the user answers with ${answer?.action ?? "nothing"}`;
  const modern = version >= "2026-07-28";
  const questions = [];
  const ask = answer && ((params) => (questions.push(params), answer));
  await session(test, "crm", { ask }, async ({ client }) => {
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
    const asked = answer && version >= "2025-06-18" ? 1 : 0;
    check(`${what}: the question`, questions.length === asked && questions.every((q) => q.message.includes("customers_destroy")), questions);
    const shown = await client.callTool({ name: "customers_show", arguments: { id: 1 } });
    check(`${what}: what became of the customer`, Boolean(shown.isError) === gone, shown);
  });
}

/** Lists, reads and watches resources, while somebody else writes: through the same app, or as a process of its own. */
async function resources(test) {
  const { check } = test;
  const uri = "app://customers_index";
  const heard = [];
  let hear;
  const updated = new Promise((resolve) => (hear = resolve));
  const onUpdated = (uri) => (heard.push(uri), hear());
  await session(test, "crm", { onUpdated }, async ({ client, watch, unknownResource }, open) => {
    const listed = await client.listResources();
    check("resources", listed.resources.some((r) => r.uri === uri && r.mimeType === "application/json"), listed);
    const templates = await client.listResourceTemplates();
    check("templates", templates.resourceTemplates.some((t) => t.uriTemplate === "app://customers_show/{id}"), templates);
    const read = async (uri) => JSON.parse((await client.readResource({ uri })).contents[0].text);
    const one = await read("app://customers_show/1");
    check("a resource of a template", one.id === 1, one);
    const unknown = await codeOf(client.readResource({ uri: "app://no_such" }));
    check("an unknown resource", unknown === unknownResource, unknown);

    const before = await read(uri);
    await watch(uri);
    const writer = await open({});
    const stored = await store(writer.client, "told@example.com");
    check("a write while another watches", !stored.isError, stored);
    await late(updated);
    check("the change is told once", heard.join() === uri, heard);
    const after = await read(uri);
    check("what is read then is new", JSON.stringify(after) !== JSON.stringify(before) && JSON.stringify(after).includes("told@example.com"), after);
  });
}

async function progress(test) {
  await session(test, "fixture", {}, async ({ client, follow }) => {
    const seen = [];
    await follow({ name: "test_tool_with_progress", arguments: {} }, (p) => seen.push(p.progress));
    test.check("progress", seen.join() === "0,50,100", seen);
    const mixed = await client.callTool({ name: "test_multiple_content_types", arguments: {} });
    test.check("kinds of content", mixed.content.map((c) => c.type).join() === "text,image,resource", mixed);
  });
}

async function changes(test) {
  let onTools;
  const changed = new Promise((resolve) => (onTools = () => resolve("told")));
  await session(test, "fixture", { onTools }, async ({ client }) => {
    await client.callTool({ name: "test_trigger_tool_change", arguments: {} });
    const outcome = await late(changed, "nothing was heard");
    test.check("changed tools are announced", outcome === "told", outcome);
  });
}
