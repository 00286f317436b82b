import { toError, type CommandError, type ErrorBody } from "./errors.js";
import { post } from "./transport.js";

type Frame =
  | { t: "live"; id: number; value?: unknown; error?: ErrorBody }
  | { t: "channel"; channel: string; value: unknown };

/** A live query that wants the results that arrive under its id. */
export interface Watcher {
  command: string;
  args: object | undefined;
  value(value: unknown): void;
  error(error: CommandError): void;
  /** Settled once the app has answered the newest request to open it. Set by this file. */
  opened?: Promise<void>;
}

/** The app waits when this page has not read so many bytes; it is told after each quarter of that. */
const ackEvery = 256 << 10;

const watchers = new Map<number, Watcher>();
const listeners = new Map<string, Set<(value: never) => void>>();
let lastId = 0;
let running = false;
/** The name of the open stream, "" while there is none. Requests about an earlier stream are refused by the app. */
let current = "";

/** Opens a live query; the function that is returned ends it. */
export function watch(watcher: Watcher): () => void {
  const id = ++lastId;
  watchers.set(id, watcher);
  start();
  if (current) open(watcher, id);
  return () => {
    watchers.delete(id);
    // Two requests may overtake each other: a close that arrived before its open would close nothing.
    void watcher.opened?.then(async () => {
      if (current) await post("/live/close", { stream: current, id }).catch(ignore);
    });
  };
}

/**
 * Calls `run` with each message of a channel; the function that is returned stops that.
 * A message sent while no page listens is not kept.
 */
export function channel<T = unknown>(name: string, run: (value: T) => void): () => void {
  const runs = listeners.get(name) ?? new Set();
  listeners.set(name, runs.add(run));
  start();
  return () => void runs.delete(run);
}

function open(watcher: Watcher, id: number): void {
  const stream = current;
  const { command, args } = watcher;
  watcher.opened = post("/live/open", { stream, id, command, args }).then(ignore, (error: CommandError) => {
    // Of a lost stream there is nothing to say: the next stream opens this query again.
    if (stream === current && watchers.get(id) === watcher) watcher.error(error);
  });
}

function start(): void {
  if (running) return;
  running = true;
  void run();
}

/** Keeps one stream open for the life of the page. */
async function run(): Promise<void> {
  for (let wait = 100; ; wait = Math.min(wait * 2, 5000)) {
    try {
      await read(() => (wait = 50));
    } catch {
      // The app is busy or closing; a new stream is asked for below.
    }
    current = "";
    await new Promise((resume) => setTimeout(resume, wait));
  }
}

async function read(opened: () => void): Promise<void> {
  const stream = crypto.randomUUID();
  const reader = (await post("/live/stream", { stream })).body!.getReader();
  const split = splitter((payload) => {
    if (payload.length) return deliver(JSON.parse(new TextDecoder().decode(payload)) as Frame);
    if (current === stream) return;
    // The empty frame: the app is listening under this stream's name.
    current = stream;
    opened();
    watchers.forEach(open);
  });
  let unacknowledged = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if ((unacknowledged += value.length) >= ackEvery) {
      post("/live/ack", { stream, bytes: unacknowledged }).catch(ignore);
      unacknowledged = 0;
    }
    split(value);
  }
}

/** Joins chunks and passes on each frame in them, once it is whole: four bytes of length, then so many bytes. */
function splitter(frame: (payload: Uint8Array) => void): (chunk: Uint8Array) => void {
  let buffer = new Uint8Array(4096);
  let length = 0;
  return (chunk) => {
    if (length + chunk.length > buffer.length) {
      // Twice the room each time, so that a long frame of many chunks is not copied for every one of them.
      const larger = new Uint8Array(2 * (length + chunk.length));
      larger.set(buffer.subarray(0, length));
      buffer = larger;
    }
    buffer.set(chunk, length);
    length += chunk.length;
    const view = new DataView(buffer.buffer);
    let at = 0;
    while (at + 4 <= length) {
      const end = at + 4 + view.getUint32(at, true);
      if (end > length) break;
      frame(buffer.subarray(at + 4, end));
      at = end;
    }
    buffer.copyWithin(0, at, length);
    length -= at;
  };
}

function deliver(frame: Frame): void {
  if (frame.t === "channel") {
    // A copy, so that a listener may stop itself or others. One that throws must not end the stream.
    for (const run of [...(listeners.get(frame.channel) ?? [])]) guard(() => run(frame.value as never));
    return;
  }
  const watcher = watchers.get(frame.id);
  if (watcher) guard(() => (frame.error ? watcher.error(toError(frame.error)) : watcher.value(frame.value)));
}

function guard(run: () => void): void {
  try {
    run();
  } catch (error) {
    reportError(error);
  }
}

function ignore(): void {}
