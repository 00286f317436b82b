import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { FakeWindow, loadRuntime } from "./window.mjs";

let app;
beforeEach(() => (app = new FakeWindow()).install());

test("openFile gives the files that the user chose, read when they are asked for", async () => {
  const { openFile } = await loadRuntime();
  app.answer("/elyra/open", 200, [{ id: 4, name: "größe.csv", size: 5 }]);
  const types = [{ name: "Tables", patterns: ["*.csv"] }];
  const [file] = await openFile({ title: "Import", types, multiple: true });
  assert.deepEqual(app.requests[0].body, { title: "Import", types, multiple: true });
  assert.equal(file.name, "größe.csv");
  assert.equal(app.requests.length, 1, "nothing is read before it is asked for");
  app.answer("/elyra/read", 200, "ü;b\n");
  assert.equal(await file.text(), "ü;b\n");
  assert.deepEqual([...(await file.bytes())], [195, 188, 59, 98, 10]);
  assert.deepEqual(app.requests[1].body, { id: 4 });
});

test("a file that does not come whole is an error", async () => {
  const { openFile, CommandError } = await loadRuntime();
  app.answer("/elyra/open", 200, [{ id: 1, name: "a.bin", size: 3 }]);
  app.answer("/elyra/read", 200, "ab");
  const [file] = await openFile();
  const error = await file.bytes().catch((e) => e);
  assert.ok(error instanceof CommandError);
  assert.match(error.message, /a\.bin has changed/);
});

test("openFile gives nothing when the user closes the dialog", async () => {
  const { openFile } = await loadRuntime();
  app.answer("/elyra/open", 200, []);
  assert.deepEqual(await openFile(), []);
  assert.deepEqual(app.requests[0].body, {});
});

test("saveFile sends the content as bytes and the rest in the query", async () => {
  const { saveFile } = await loadRuntime();
  app.answer("/elyra/save", 200, JSON.stringify("b.csv"));
  const types = [{ name: "100 % & more?", patterns: ["*.csv"] }];
  for (const content of ["ü", Uint8Array.of(195, 188), Uint8Array.of(1, 195, 188).subarray(1)]) {
    assert.equal(await saveFile("übersicht.csv", content, { types }), "b.csv");
    const request = app.requests.at(-1);
    assert.deepEqual(JSON.parse(decodeURIComponent(request.query)), { types, name: "übersicht.csv" });
    assert.deepEqual([...request.raw], [195, 188]);
  }
  app.answer("/elyra/save", 200, "null");
  assert.equal(await saveFile("a", ""), undefined);
  app.answer("/elyra/save", "fail");
  await assert.rejects(saveFile("a", ""), { message: "/elyra/save: the app did not answer" });
});

test("notify sends text, and an app without notifications says so", async () => {
  const { notify, CommandError } = await loadRuntime();
  app.answer("/elyra/notify", 200, "null");
  await notify("Done", "All 9");
  await notify("Done");
  assert.deepEqual(app.requests.map((r) => r.body), [{ title: "Done", body: "All 9" }, { title: "Done", body: "" }]);
  app.answer("/elyra/notify", 501, { error: { kind: "unsupported", message: "none" } });
  const error = await notify("x").catch((e) => e);
  assert.ok(error instanceof CommandError);
  assert.equal(error.kind, "unsupported");
});
