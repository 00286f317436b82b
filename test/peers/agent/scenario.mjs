// What each TypeScript SDK has to manage with `elyra --mode mcp`, in each era; client.mjs and sdk.mjs say how.

import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const [, , peer, elyra, project, home, report, , only] = process.argv;

/** How long anything may take that has to come by itself. */
const patience = 20_000;

const model = "anthropic/claude-sonnet-4-5";

/** What a server of the project is given: a host passes on little. */
const server = (args) => {
  const env = { HOME: home, PATH: process.env.PATH };
  for (const name of ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY"]) env[name] = process.env[name];
  return { command: elyra, args: ["--mode", "mcp", ...args], cwd: project, env };
};

/**
 * Runs one era, or with slow as the last argument what takes long, and ends the process.
 * @param era name
 * @param connect async ({command, args, cwd, env}) => {client, version, follow}, where follow(call, options) is callTool with
 *   the SDK's options of a request
 */
export async function run(era, connect) {
  const checks = { passed: 0, failed: 0 };
  const check = (what, holds, seen) => {
    holds ? checks.passed++ : checks.failed++;
    if (!holds) console.error(`peers: ${peer}, ${era}: ${what}: ${JSON.stringify(seen)}`);
  };
  const timings = {};
  const opened = [];
  const open = async (...args) => {
    const one = await connect(server(args));
    opened.push(one.client);
    return one;
  };
  try {
    const session = { check, timings, open, ...(await open()) };
    for (const step of only === "slow" ? [slow] : [offers, tasks, two, cancel, readOnly]) await step(session);
  } catch (error) {
    checks.failed++;
    console.error(`peers: ${peer}, ${era}:`, error);
  }
  for (const client of opened) await client.close();
  const note = Object.entries(timings).map(([what, ms]) => `${what} ${Math.round(ms)} ms`).join(", ");
  appendFileSync(report, [peer, only === "slow" ? `${era}, slow` : era, checks.passed, checks.failed, note].join("\t") + "\n");
  process.exit(checks.failed === 0 ? 0 : 1);
}

const textOf = (result) => result.content.map((c) => c.text ?? "").join("");

/** Waits for what a host is too impatient for: reports of progress let it wait on, and without them it gives up. */
async function slow({ check, timings, follow }) {
  const task = (task) => ({ name: "elyra_task", arguments: { task, model } });
  const at = [];
  let last = performance.now();
  const onprogress = () => {
    at.push(since(last));
    last = performance.now();
  };
  const answered = await follow(task("take your time"), { onprogress, timeout: 7_000, resetTimeoutOnProgress: true });
  check("it waits on", textOf(answered).includes("At last."), answered);
  check("progress at least every ten seconds", at[0] < 1000 && Math.max(...at) < 10_000, at);
  timings["longest without progress"] = Math.max(...at);
  const began = performance.now();
  const failed = await follow(task("too slow"), { timeout: 1_000 }).then(() => false, () => true);
  check("it gives up", failed && since(began) < 3000, since(began));
  const next = await follow(task("quick"));
  check("the next one works", textOf(next).includes("At once."), next);
}

const since = (began) => performance.now() - began;

/** Waits until something is so. */
async function until(what, so) {
  for (const end = Date.now() + patience; !so(); ) {
    if (Date.now() > end) throw new Error(`it did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Holds tools, decisions, resources and what is refused. */
async function offers({ check, client, version, follow }) {
  check("who it is", client.getServerVersion()?.name === "elyra", client.getServerVersion());
  const { tools } = await client.listTools();
  const [decisions, review, task] = tools;
  check("three tools", tools.map((t) => t.name).join() === "elyra_decisions,elyra_review,elyra_task", tools);
  check("those that read say so", decisions.annotations.readOnlyHint && review.annotations.readOnlyHint, tools);
  check("the one that edits says so", task.annotations.readOnlyHint === false && task.annotations.destructiveHint, task);
  check("both modes", task.inputSchema.properties.mode.enum.join() === "read-only,edit", task);
  if (version >= "2025-06-18") check("output schemas", tools.every((t) => t.outputSchema?.type === "object"), tools);

  const listed = await follow({ name: "elyra_decisions", arguments: {} });
  check("the decision", textOf(listed).includes("Use Go (2024-02-03 accepted)"), listed);
  const { resources } = await client.listResources();
  const uri = "elyra://decisions/docs/adr/0001-go.md";
  check("its resource", resources.some((r) => r.uri === uri && r.mimeType === "text/markdown"), resources);
  const read = await client.readResource({ uri });
  check("the whole of it", read.contents[0].text.includes("It is plain."), read);
  const { resourceTemplates } = await client.listResourceTemplates();
  check("templates", resourceTemplates.some((t) => t.uriTemplate === "elyra://tasks/{session}"), resourceTemplates);

  const stranger = await follow({ name: "elyra_task", arguments: { task: "x", model: "anthropic/claude-nonsense-9" } });
  check("an unknown model", stranger.isError && textOf(stranger).includes("there is none of this name"), stranger);
  const nothing = await follow({ name: "elyra_task", arguments: {} });
  check("no task", nothing.isError && textOf(nothing).includes("say what to do"), nothing);
}

/** Has tasks done and changes reviewed. The SDK itself holds structured content against the output schema. */
async function tasks({ check, timings, client, version, follow }) {
  const structured = version >= "2025-06-18";
  const seen = [];
  const began = performance.now();
  const onprogress = (p) => seen.push({ ...p, at: since(began) });
  const read = await follow({ name: "elyra_task", arguments: { task: "what does the note say", model } }, { onprogress });
  check("an answer", !read.isError && textOf(read).includes("It says hello."), read);
  check("progress within a second", seen[0]?.at < 1000, seen);
  timings["progress after"] = seen[0]?.at;
  check("progress grows", seen.every((p, i) => i === 0 || p.progress > seen[i - 1].progress), seen);
  if (version >= "2025-03-26") check("what it does", seen.some((p) => p.message === "read note.txt"), seen);
  check("data, where there is such a thing", Boolean(read.structuredContent) === structured, read);
  if (structured) {
    const { answer, mode, cost, session, transcript } = read.structuredContent;
    check("the data", answer === "It says hello." && mode === "read-only" && cost > 0 && session !== "", read);
    const told = await client.readResource({ uri: transcript });
    check("the transcript", told.contents[0].text.includes("## Call of read"), told);
  }

  const made = await follow({ name: "elyra_task", arguments: { task: "make a file", mode: "edit", model } }, { onprogress });
  check("what changed", !made.isError && /made\.txt \(created\)\n- ran\.txt \(created\)/.test(textOf(made)), made);
  for (const name of ["made.txt", "ran.txt"]) {
    check(`${name} is there`, existsSync(join(project, name)), name);
    rmSync(join(project, name), { force: true });
  }

  const reviewed = await follow({ name: "elyra_review", arguments: {} }, { onprogress });
  check("a review", !reviewed.isError && textOf(reviewed).includes("bug.go:1: it panics."), reviewed);
  check("by another vendor", textOf(reviewed).includes("Reviewed by openai/"), reviewed);
}

/** Calls twice at once. */
async function two({ check, timings, follow }) {
  const seen = { first: [], second: [] };
  const call = (which) => follow({ name: "elyra_task", arguments: { task: `the ${which} of two`, model } }, { onprogress: (p) => seen[which].push(p.message) });
  const first = call("first");
  await until("the first begins", () => seen.first.length > 1);
  const began = performance.now();
  const second = call("second");
  await until("the second is told its place", () => seen.second.length > 0);
  timings["place told after"] = since(began);
  check("its place", /1 is before this one/.test(seen.second[0]) && since(began) < 1000, seen);
  const [one, other] = [await first, await second];
  check("both are answered", textOf(one).includes("First.") && textOf(other).includes("Second."), [one, other]);
}

const alive = (pid) => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

/** Cancels a task whose command has children and does not want to end. */
async function cancel({ check, timings, follow }) {
  const files = ["child.pid", "shell.pid"].map((name) => join(project, name));
  for (const file of files) rmSync(file, { force: true });
  const giveUp = new AbortController();
  const call = follow({ name: "elyra_task", arguments: { task: "be stubborn", mode: "edit", model } }, { signal: giveUp.signal, onprogress: () => {} });
  const failed = call.then(() => false, () => true);
  const pid = (file) => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
  await until("the command runs", () => files.every((file) => pid(file) > 0));
  const pids = files.map(pid);
  check("they run", pids.every(alive), pids);
  const began = performance.now();
  giveUp.abort();
  check("the call fails", await failed, null);
  await until("the processes end", () => !pids.some(alive));
  timings["cancel to all gone"] = since(began);
  check("within two seconds", since(began) < 2000, since(began));
  for (const file of files) rmSync(file, { force: true });
  const next = await follow({ name: "elyra_task", arguments: { task: "and after that", model } });
  check("the next one works", textOf(next).includes("Free again."), next);
}

/** Is given no mode that edits. */
async function readOnly({ check, open }) {
  const { client, follow } = await open("--read-only");
  const { tools } = await client.listTools();
  const task = tools.find((t) => t.name === "elyra_task");
  check("read-only: one mode", task.inputSchema.properties.mode.enum.join() === "read-only" && task.annotations.readOnlyHint, task);
  check("read-only: not a word of the other", !JSON.stringify(tools).includes('\\"edit\\"') && !/edit mode/.test(JSON.stringify(tools)), tools);
  const edit = await follow({ name: "elyra_task", arguments: { task: "x", mode: "edit" } });
  check("read-only: an edit is refused", edit.isError && textOf(edit).includes("--read-only"), edit);
}
