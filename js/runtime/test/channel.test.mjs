import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { FakeWindow, frame, loadRuntime, recorder } from "./window.mjs";

let app;
beforeEach(() => (app = new FakeWindow()).install());

test("a channel's messages reach its listeners only, until they stop", async () => {
  const { channel } = await loadRuntime();
  const orders = recorder();
  const other = recorder();
  const stop = channel("orders", orders);
  channel("other", other);
  const { writer } = await app.stream();
  await writer.write(frame());
  await writer.write(frame({ t: "channel", channel: "orders", value: { id: 1 } }));
  await orders.until(1);
  stop();
  await writer.write(frame({ t: "channel", channel: "orders", value: { id: 2 } }));
  await writer.write(frame({ t: "channel", channel: "other", value: 3 }));
  await other.until(1);
  assert.deepEqual(orders.seen, [{ id: 1 }]);
  assert.deepEqual(other.seen, [3]);
  assert.equal(app.streams.length, 1, "one stream for the page");
});

test("onAgent hears what agents do", async () => {
  const { onAgent } = await loadRuntime();
  const seen = recorder();
  onAgent(seen);
  const { writer } = await app.stream();
  const started = { phase: "started", id: 1, kind: "tool", tool: "customers_store", client: "Claude" };
  await writer.write(frame());
  await writer.write(frame({ t: "channel", channel: "elyra:mcp", value: started }));
  assert.deepEqual(await seen.until(1), started);
});

test("a listener that throws stops neither the others nor the stream", async () => {
  const { channel } = await loadRuntime();
  channel("c", () => {
    throw new Error("mine");
  });
  const seen = recorder();
  channel("c", seen);
  const { writer } = await app.stream();
  await writer.write(frame());
  await writer.write(frame({ t: "channel", channel: "c", value: 1 }));
  await writer.write(frame({ t: "channel", channel: "c", value: 2 }));
  await seen.until(2);
  assert.deepEqual(seen.seen, [1, 2]);
  assert.deepEqual(app.errors.map((e) => e.message), ["mine", "mine"]);
});
