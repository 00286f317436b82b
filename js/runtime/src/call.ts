import { post } from "./transport.js";

export interface CallOptions {
  /** Stops waiting for the answer. The command itself may still finish. */
  signal?: AbortSignal;
}

/**
 * Runs a command and returns its result.
 * Throws ValidationError, NotAllowedError or another CommandError.
 */
export async function call<T = unknown>(command: string, args?: object, options?: CallOptions): Promise<T> {
  const response = await post("/call/" + encodeURIComponent(command), args, options?.signal);
  return (await response.json()) as T;
}
