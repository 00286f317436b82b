import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { FakeWindow, frame, loadRuntime, recorder } from "./window.mjs";

let app;
beforeEach(() => (app = new FakeWindow()).install());

test("the first subscriber opens the query, the last one closes it", async () => {
  const { live } = await loadRuntime();
  const store = live("customers_index", { page: 2 });
  assert.equal(app.requests.length, 0, "nothing is opened before somebody watches");

  const first = recorder();
  const stopFirst = store.subscribe(first);
  assert.deepEqual(first.seen, [{ value: undefined, error: undefined, loading: true }]);
  const stream = await app.stream();
  await stream.writer.write(frame());
  const opened = await app.request("/live/open");
  assert.equal(opened.body.stream, stream.name);
  assert.equal(opened.body.command, "customers_index");
  assert.deepEqual(opened.body.args, { page: 2 });

  await stream.writer.write(frame({ t: "live", id: opened.body.id, value: ["Ada"] }));
  assert.deepEqual(await first.until(2), { value: ["Ada"], error: undefined, loading: false });

  const second = recorder();
  const stopSecond = store.subscribe(second);
  assert.deepEqual(second.seen, [{ value: ["Ada"], error: undefined, loading: false }]);
  stopFirst();
  stopFirst();
  assert.equal(app.requests.filter((r) => r.path === "/live/close").length, 0);
  stopSecond();
  const closed = await app.request("/live/close");
  assert.deepEqual(closed.body, { stream: stream.name, id: opened.body.id });
});

test("one function may subscribe twice", async () => {
  const { live } = await loadRuntime();
  const store = live("c");
  const run = recorder();
  store.subscribe(run)();
  store.subscribe(run);
  assert.equal(run.seen.length, 2);
});

test("an error keeps the last value, and the next value clears it", async () => {
  const { live, ValidationError } = await loadRuntime();
  const seen = recorder();
  live("c").subscribe(seen);
  const { writer } = await app.stream();
  await writer.write(frame());
  const { id } = (await app.request("/live/open")).body;
  await writer.write(frame({ t: "live", id, value: 1 }));
  await writer.write(frame({ t: "live", id, error: { kind: "validation", message: "no", fields: { q: ["long"] } } }));
  await writer.write(frame({ t: "live", id, value: null }));
  await seen.until(4);
  assert.equal(seen.seen[2].value, 1);
  assert.ok(seen.seen[2].error instanceof ValidationError);
  assert.deepEqual(seen.seen[3], { value: null, error: undefined, loading: false });
});

test("a query that cannot be opened says why", async () => {
  const { live, NotAllowedError } = await loadRuntime();
  app.answer("/live/open", 403, { error: { kind: "not_allowed", message: "no", ability: "a.b" } });
  const seen = recorder();
  live("c").subscribe(seen);
  await (await app.stream()).writer.write(frame());
  const state = await seen.until(2);
  assert.ok(state.error instanceof NotAllowedError);
  assert.equal(state.loading, false);
});

test("a lost stream is opened again and every query with it", async () => {
  const { live } = await loadRuntime();
  const seen = recorder();
  const stop = live("a").subscribe(seen);
  live("b").subscribe(() => {});
  const first = await app.stream(0);
  await first.writer.write(frame());
  await app.request("/live/open", 1);
  await first.writer.close();

  const second = await app.stream(1);
  assert.notEqual(second.name, first.name);
  await second.writer.write(frame());
  const again = [await app.request("/live/open", 2), await app.request("/live/open", 3)];
  assert.deepEqual(again.map((r) => [r.body.command, r.body.stream]), [["a", second.name], ["b", second.name]]);
  await second.writer.write(frame({ t: "live", id: again[0].body.id, value: "new" }));
  assert.deepEqual(await seen.until(2), { value: "new", error: undefined, loading: false });
  stop();
});

test("frames may arrive in any pieces", async () => {
  const { live } = await loadRuntime();
  const seen = recorder();
  live("c").subscribe(seen);
  const { writer } = await app.stream();
  await writer.write(frame());
  const { id } = (await app.request("/live/open")).body;
  const long = "ü".repeat(5000);
  const bytes = [...frame({ t: "live", id, value: long }), ...frame(), ...frame({ t: "live", id, value: 2 })];
  for (let at = 0; at < bytes.length; at += 7) await writer.write(Uint8Array.from(bytes.slice(at, at + 7)));
  await seen.until(3);
  assert.deepEqual(seen.seen.map((s) => s.value), [undefined, long, 2]);
});

test("what was read is acknowledged, so that a page that stalls is noticed", async () => {
  const { channel } = await loadRuntime();
  const stop = channel("big", () => {});
  const { writer, name } = await app.stream();
  const big = frame({ t: "channel", channel: "big", value: "x".repeat(300 << 10) });
  await writer.write(frame());
  await writer.write(big);
  const ack = await app.request("/live/ack");
  assert.deepEqual(ack.body, { stream: name, bytes: 4 + big.length });
  stop();
});

test("a close waits for its open, also when both come at once", async () => {
  const { live } = await loadRuntime();
  const { writer } = await (live("a").subscribe(() => {}), app.stream());
  await writer.write(frame());
  await app.request("/live/open");
  live("b").subscribe(() => {})();
  const closed = await app.request("/live/close");
  const order = app.requests.map((r) => r.path).filter((p) => p !== "/live/stream");
  assert.deepEqual(order, ["/live/open", "/live/open", "/live/close"]);
  assert.equal(closed.body.id, app.requests.filter((r) => r.path === "/live/open")[1].body.id);
});
