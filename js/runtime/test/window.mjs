// A fake window for the tests: answers fetch as the app would and lets a test write frames to the page.
import { randomUUID } from "node:crypto";

/** Loads a fresh copy of the runtime that the Go program embeds, as a page would after a reload. */
export async function loadRuntime() {
  return import(`../../../internal/bridge/runtime.js?${randomUUID()}`);
}

export class FakeWindow {
  token = "the-token";
  requests = [];
  answers = new Map();
  streams = [];
  errors = [];
  #waiting = [];

  install() {
    globalThis.__elyra = { token: this.token, window: "main" };
    globalThis.fetch = (path, init) => this.#fetch(path, init);
    globalThis.reportError = (error) => this.errors.push(error);
  }

  /** The answer to a path from now on: [status, body]. */
  answer(path, status, body) {
    this.answers.set(path, [status, body]);
  }

  async #fetch(url, init) {
    const [path, query] = url.split("?");
    const bytes = path.startsWith("/raw/") || path === "/elyra/save";
    const body = bytes || init.body === undefined ? undefined : JSON.parse(new TextDecoder().decode(init.body));
    const request = { path, query, body, method: init.method, headers: init.headers, raw: init.body };
    this.requests.push(request);
    this.#waiting = this.#waiting.filter((check) => !check());
    if (path === "/live/stream") {
      const { readable, writable } = new TransformStream();
      const stream = { name: body.stream, writer: writable.getWriter() };
      this.streams.push(stream);
      this.#waiting = this.#waiting.filter((check) => !check());
      return new Response(readable);
    }
    const answer = this.answers.get(path);
    if (answer instanceof Array && answer[0] === "fail") throw new TypeError("network");
    const [status, value] = answer ?? [200, {}];
    return new Response(typeof value === "string" ? value : JSON.stringify(value), { status });
  }

  /** Resolves once `find` gives something for what was requested so far. */
  until(find) {
    return new Promise((resolve) => {
      const check = () => {
        const found = find();
        if (found !== undefined) resolve(found);
        return found !== undefined;
      };
      if (!check()) this.#waiting.push(check);
    });
  }

  stream(nth = 0) {
    return this.until(() => this.streams[nth]);
  }

  /** The nth request to a path, once it was made. */
  request(path, nth = 0) {
    return this.until(() => this.requests.filter((request) => request.path === path)[nth]);
  }
}

/** One frame: four bytes of length, little endian, and the JSON. */
export function frame(value) {
  const payload = value === undefined ? new Uint8Array(0) : new TextEncoder().encode(JSON.stringify(value));
  const bytes = new Uint8Array(4 + payload.length);
  new DataView(bytes.buffer).setUint32(0, payload.length, true);
  bytes.set(payload, 4);
  return bytes;
}

/** A subscriber that remembers what it was given and can be waited for. */
export function recorder() {
  const seen = [];
  let wake = () => {};
  const run = (value) => {
    seen.push(value);
    wake();
  };
  run.seen = seen;
  run.until = async (count) => {
    while (seen.length < count) await new Promise((resolve) => (wake = resolve));
    return seen[count - 1];
  };
  return run;
}
