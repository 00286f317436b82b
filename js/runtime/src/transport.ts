import { CommandError, toError, type ErrorBody } from "./errors.js";

/** What the app puts into every page before the page's first script runs. */
interface Boot {
  token: string;
  window: string;
}

/**
 * Sends one request to the app and returns the response, or throws what the app said was wrong.
 * The body goes as bytes, never as a Blob or a form: a web view hands the app bytes only.
 */
export async function post(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const boot = (globalThis as { __elyra?: Boot }).__elyra;
  if (!boot) throw new CommandError("this page does not run in a window of an Elyra app", "transport");
  const init: RequestInit = {
    method: "POST",
    headers: { "X-Elyra-Token": boot.token, "X-Elyra-Body": "bytes" },
  };
  if (body !== undefined) init.body = bytesOf(body) ?? new TextEncoder().encode(JSON.stringify(body));
  if (signal) init.signal = signal;
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    // Without the query: a file's options are of no use in a message.
    throw new CommandError(`${path.split("?")[0]}: the app did not answer`, "transport");
  }
  if (response.ok) return response;
  const answer = (await response.json().catch(() => undefined)) as { error?: ErrorBody } | undefined;
  throw toError(answer?.error, response.status);
}

/** The bytes of a buffer or of a view of one, undefined for anything else. */
export function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  return undefined;
}
