import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

test("the runtime is at most 4 KB compressed", () => {
  const bytes = gzipSync(readFileSync(new URL("../../../internal/bridge/runtime.js", import.meta.url)), { level: 9 }).length;
  assert.ok(bytes <= 4096, `${bytes} bytes`);
});
