// The app as a page's tests see it: install it instead of the window, and what the page does through @elyra/runtime
// comes here. It replaces fetch and answers as the app would, so that the page and its runtime stay as they are.

/** A command of the mocked app: gets the arguments, or the bytes, and returns the result. What it throws, the page catches. */
export type MockCommand = (args: any) => unknown;

export interface MockOptions {
  /** The id of the window. Default: "main". */
  window?: string;
  /** Commands by name. A live query opens with what its command returns. */
  commands?: Record<string, MockCommand>;
  /** What the user chooses in the dialog for opening files. Default: nothing. */
  openFile?: (options: any) => { name: string; content: string | Uint8Array }[];
  /** What the user chooses in the dialog for saving: the file's name, undefined to close it. Default: the suggested name. */
  saveFile?: (name: string, options: any) => string | undefined;
}

export interface MockApp {
  /** The calls of commands, in their order, without the live queries. */
  readonly calls: { command: string; args: unknown }[];
  /** The live queries that are open. */
  readonly queries: { command: string; args: unknown }[];
  /** The files that were saved, by name. */
  readonly saved: Map<string, Uint8Array>;
  readonly notifications: { title: string; body: string }[];
  /** Runs the live queries of a command again, and sends the page their results. */
  changed(command: string): Promise<void>;
  /** Sends a message on a channel. */
  emit(channel: string, value: unknown): void;
  /** Puts back what was there before. */
  restore(): void;
}

/** The errors that a mocked command throws to be a refusal: as the app tells of them. */
export class MockError extends Error {
  constructor(
    message: string,
    readonly detail: { kind?: string; status?: number; fields?: Record<string, string[]>; ability?: string } = {},
  ) {
    super(message);
  }
}

interface Query {
  id: number;
  stream: string;
  command: string;
  args: unknown;
}

const decode = (bytes: BufferSource | undefined): any =>
  bytes && bytes.byteLength ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
const encode = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value ?? null));

/** Installs a mocked app. Call it before the page's first call or subscription, and restore it after the test. */
export function mockApp(options: MockOptions = {}): MockApp {
  const scope = globalThis as { fetch: typeof fetch; __elyra?: unknown };
  const before = { fetch: scope.fetch, boot: scope.__elyra };
  const calls: MockApp["calls"] = [];
  const saved: MockApp["saved"] = new Map();
  const notifications: MockApp["notifications"] = [];
  const opened: Uint8Array<ArrayBuffer>[] = [];
  let queries: Query[] = [];
  let stream = "";
  let send: ((value?: unknown) => void) | undefined;

  async function run(command: string, args: unknown): Promise<unknown> {
    const found = options.commands?.[command];
    if (!found) throw new MockError(`the mocked app has no command ${command}`, { kind: "unknownCommand", status: 404 });
    return (await found(args)) ?? null;
  }

  async function push(query: Query): Promise<void> {
    const { id, command, args } = query;
    const frame = await run(command, args).then((value) => ({ value }), (error) => ({ error: describe(error).error }));
    if (queries.includes(query)) send?.({ t: "live", id, ...frame });
  }

  function openStream(name: string): Response {
    stream = name;
    queries = [];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (value) => {
          const payload = value === undefined ? new Uint8Array() : encode(value);
          const frame = new Uint8Array(4 + payload.length);
          new DataView(frame.buffer).setUint32(0, payload.length, true);
          frame.set(payload, 4);
          controller.enqueue(frame);
        };
        send();
      },
    });
    return new Response(body);
  }

  const routes: Record<string, (what: string, body: Uint8Array | undefined, query: string) => unknown> = {
    call: (command, body) => call(command, decode(body as BufferSource)),
    raw: (command, body) => call(command, body),
    live(what, body) {
      const request = decode(body as BufferSource);
      if (what === "stream") return openStream(request.stream);
      if (request.stream !== stream) throw new MockError("this stream is not open any more", { kind: "stream", status: 409 });
      if (what === "open") {
        const query = request as Query;
        queries.push(query);
        void push(query);
      } else if (what === "close") {
        queries = queries.filter((query) => query.id !== request.id);
      }
      return null;
    },
    elyra(what, body, query) {
      if (what === "open") {
        const files = options.openFile?.(decode(body as BufferSource)) ?? [];
        return files.map(({ name, content }) => {
          const bytes = typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content);
          return { id: opened.push(bytes), name, size: bytes.length };
        });
      }
      if (what === "read") return new Response(opened[decode(body as BufferSource).id - 1]);
      if (what === "notify") return void notifications.push(decode(body as BufferSource));
      const { name, ...rest } = JSON.parse(decodeURIComponent(query));
      const chosen = options.saveFile ? options.saveFile(name, rest) : name;
      if (chosen !== undefined) saved.set(chosen, Uint8Array.from(body ?? []));
      return chosen;
    },
  };

  function call(command: string, args: unknown): Promise<unknown> {
    calls.push({ command, args });
    return run(command, args);
  }

  scope.__elyra = { token: "mock", window: options.window ?? "main" };
  scope.fetch = async (input, init) => {
    const match = typeof input === "string" ? /^\/(call|raw|live|elyra)\/([^?]*)\??(.*)$/.exec(input) : null;
    if (!match) return before.fetch(input, init);
    init?.signal?.throwIfAborted();
    try {
      const [, area, what, query] = match;
      const answer = await routes[area!]!(decodeURIComponent(what!), init?.body as Uint8Array | undefined, query!);
      return answer instanceof Response ? answer : new Response(encode(answer));
    } catch (error) {
      const { status, ...body } = describe(error);
      return new Response(encode(body), { status });
    }
  };

  return {
    calls,
    saved,
    notifications,
    get queries() {
      return queries.map(({ command, args }) => ({ command, args }));
    },
    async changed(command) {
      await Promise.all(queries.filter((query) => query.command === command).map(push));
    },
    emit: (channel, value) => send?.({ t: "channel", channel, value }),
    restore() {
      scope.fetch = before.fetch;
      if (before.boot === undefined) delete scope.__elyra;
      else scope.__elyra = before.boot;
    },
  };
}

/** What the app tells of an error: as a status and an object. */
function describe(error: unknown): { status: number; error: object } {
  const { fields, ability, kind, status } = error instanceof MockError ? error.detail : {};
  const word = kind ?? (fields ? "validation" : ability !== undefined ? "notAllowed" : "command");
  const message = error instanceof Error ? error.message : String(error);
  return { status: status ?? (fields ? 422 : ability !== undefined ? 403 : 400), error: { kind: word, message, fields, ability } };
}
