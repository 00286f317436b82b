import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { FakeWindow, loadRuntime } from "./window.mjs";

let app;
beforeEach(() => (app = new FakeWindow()).install());

test("call posts the arguments as bytes with the window's token", async () => {
  const { call } = await loadRuntime();
  app.answer("/call/customers_show", 200, { id: 7, name: "Ada" });
  assert.deepEqual(await call("customers_show", { id: 7 }), { id: 7, name: "Ada" });
  const [request] = app.requests;
  assert.equal(request.method, "POST");
  assert.deepEqual(request.headers, { "X-Elyra-Token": "the-token", "X-Elyra-Body": "bytes" });
  assert.ok(request.raw instanceof Uint8Array);
  assert.deepEqual(request.body, { id: 7 });
});

test("call without arguments sends no body, and a name cannot leave /call/", async () => {
  const { call } = await loadRuntime();
  await call("reports_run");
  assert.equal(app.requests[0].raw, undefined);
  await call("../live/open");
  assert.equal(app.requests[1].path, "/call/..%2Flive%2Fopen");
});

test("bytes go as they are, whatever holds them", async () => {
  const { call } = await loadRuntime();
  app.answer("/raw/photos_store", 200, { id: 3 });
  const bytes = Uint8Array.of(0, 255, 7, 9);
  for (const [args, want] of [
    [bytes, [0, 255, 7, 9]],
    [bytes.buffer, [0, 255, 7, 9]],
    [bytes.subarray(1, 3), [255, 7]],
    [new DataView(bytes.buffer, 2), [7, 9]],
    [new Uint8Array(), []],
  ]) {
    assert.deepEqual(await call("photos_store", args), { id: 3 });
    const request = app.requests.at(-1);
    assert.equal(request.path, "/raw/photos_store");
    assert.ok(request.raw instanceof Uint8Array);
    assert.deepEqual([...request.raw], want);
  }
});

test("errors arrive as classes that say what to do", async (t) => {
  const { call, CommandError, NotAllowedError, ValidationError } = await loadRuntime();
  const caught = async (status, body) => {
    app.answer("/call/c", status, body);
    return call("c").then(() => assert.fail("did not throw"), (error) => error);
  };
  await t.test("refused arguments", async () => {
    const error = await caught(422, { error: { kind: "validation", message: "check", fields: { name: ["too short"] } } });
    assert.ok(error instanceof ValidationError && error instanceof CommandError);
    assert.deepEqual(error.fields, { name: ["too short"] });
    assert.equal(error.name, "ValidationError");
  });
  await t.test("missing grant", async () => {
    const error = await caught(403, { error: { kind: "not_allowed", message: "no", ability: "customers.delete" } });
    assert.ok(error instanceof NotAllowedError);
    assert.equal(error.ability, "customers.delete");
  });
  await t.test("anything else", async () => {
    const error = await caught(500, { error: { kind: "failed", message: "disk full" } });
    assert.ok(error instanceof CommandError && !(error instanceof ValidationError) && !(error instanceof NotAllowedError));
    assert.equal(error.message, "disk full");
    assert.equal(error.kind, "failed");
  });
  await t.test("an answer that is no JSON", async () => {
    const error = await caught(502, "<html>");
    assert.equal(error.kind, "transport");
    assert.match(error.message, /502/);
  });
  await t.test("no answer", async () => {
    const error = await caught("fail");
    assert.ok(error instanceof CommandError);
    assert.match(error.message, /\/call\/c: the app did not answer/);
  });
});

test("outside a window call says so instead of sending anything", async () => {
  delete globalThis.__elyra;
  const { call } = await loadRuntime();
  await assert.rejects(call("c"), /does not run in a window/);
  assert.equal(app.requests.length, 0);
});

test("an aborted call throws the abort, not a CommandError", async () => {
  const { call, CommandError } = await loadRuntime();
  app.answer("/call/slow", "fail");
  const error = await call("slow", {}, { signal: AbortSignal.abort() }).catch((e) => e);
  assert.ok(!(error instanceof CommandError));
});
