import { bytesOf, post } from "./transport.js";

export interface CallOptions {
  /** Stops waiting for the answer. The command itself may still finish. */
  signal?: AbortSignal;
}

/**
 * Runs a command and returns its result. The arguments go by name; a command that takes bytes gets an ArrayBuffer or a
 * view of one, of at most 16 MiB, as it is.
 * Throws ValidationError, NotAllowedError or another CommandError.
 */
export async function call<T = unknown>(command: string, args?: object, options?: CallOptions): Promise<T> {
  const area = bytesOf(args) ? "/raw/" : "/call/";
  const response = await post(area + encodeURIComponent(command), args, options?.signal);
  return (await response.json()) as T;
}
