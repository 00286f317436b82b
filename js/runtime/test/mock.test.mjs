import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { mockApp, MockError } from "../dist/mock.js";
import { loadRuntime, recorder } from "./window.mjs";

let app;
afterEach(() => app?.restore());

test("calls reach the mocked commands, and their errors the page", async () => {
  app = mockApp({
    commands: {
      add: ({ a, b }) => a + b,
      store: async (bytes) => bytes.length,
      silent: () => {},
      refuse: () => {
        throw new MockError("check", { fields: { name: ["too short"] } });
      },
      forbid: () => {
        throw new MockError("no", { ability: "a.b" });
      },
      fail: () => {
        throw new Error("disk full");
      },
    },
  });
  const { call, CommandError, NotAllowedError, ValidationError } = await loadRuntime();
  assert.equal(await call("add", { a: 1, b: 2 }), 3);
  assert.equal(await call("store", Uint8Array.of(1, 2, 3)), 3);
  assert.equal(await call("silent"), null);
  assert.deepEqual(app.calls.map((c) => c.command), ["add", "store", "silent"]);
  const caught = (name) => call(name).then(assert.fail, (error) => error);
  const refused = await caught("refuse");
  assert.ok(refused instanceof ValidationError);
  assert.deepEqual(refused.fields, { name: ["too short"] });
  assert.equal((await caught("forbid")).ability, "a.b");
  assert.ok((await caught("forbid")) instanceof NotAllowedError);
  assert.equal((await caught("fail")).message, "disk full");
  const unknown = await caught("missing");
  assert.ok(unknown instanceof CommandError);
  assert.equal(unknown.kind, "unknownCommand");
});

test("live queries and channels get what the test says", async () => {
  let rows = ["Ada"];
  app = mockApp({ commands: { index: ({ q }) => rows.map((name) => q + name), broken: () => Promise.reject(new Error("no")) } });
  const { live, channel } = await loadRuntime();
  const seen = recorder();
  const stop = live("index", { q: "-" }).subscribe(seen);
  assert.deepEqual((await seen.until(2)).value, ["-Ada"]);
  assert.deepEqual(app.queries, [{ command: "index", args: { q: "-" } }]);
  rows = ["Ada", "Grace"];
  await app.changed("index");
  assert.deepEqual((await seen.until(3)).value, ["-Ada", "-Grace"]);

  const failed = recorder();
  live("broken").subscribe(failed);
  assert.equal((await failed.until(2)).error.message, "no");

  const messages = recorder();
  channel("orders", messages);
  app.emit("orders", { id: 1 });
  assert.deepEqual(await messages.until(1), { id: 1 });
  stop();
  while (app.queries.some((query) => query.command === "index")) await new Promise(setImmediate);
  assert.deepEqual(app.calls, [], "live queries are no calls");
});

test("files and notifications stay in the test", async () => {
  app = mockApp({
    openFile: ({ multiple }) => (multiple ? [{ name: "a.txt", content: "ä" }, { name: "b.bin", content: Uint8Array.of(7) }] : []),
    saveFile: (name) => (name === "no" ? undefined : "renamed " + name),
  });
  const { openFile, saveFile, notify } = await loadRuntime();
  assert.deepEqual(await openFile(), []);
  const [a, b] = await openFile({ multiple: true });
  assert.equal(await a.text(), "ä");
  assert.deepEqual([...(await b.bytes())], [7]);
  assert.equal(await saveFile("x.csv", "1;2"), "renamed x.csv");
  assert.equal(await saveFile("no", "1;2"), undefined);
  assert.deepEqual([...app.saved.keys()], ["renamed x.csv"]);
  await notify("Done", "9");
  assert.deepEqual(app.notifications, [{ title: "Done", body: "9" }]);
});

test("other requests go where they went, and restore puts everything back", async () => {
  const original = globalThis.fetch;
  const asked = [];
  globalThis.fetch = async (input) => (asked.push(input), new Response("ok"));
  const before = globalThis.fetch;
  app = mockApp();
  await fetch("https://example.com/call/x");
  await fetch("/data.json");
  assert.deepEqual(asked, ["https://example.com/call/x", "/data.json"]);
  app.restore();
  assert.equal(globalThis.fetch, before);
  globalThis.fetch = original;
});
