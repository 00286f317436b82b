import type { CommandError } from "./errors.js";
import { watch } from "./stream.js";

/** What a live query knows at the moment. */
export interface LiveState<T> {
  /** The newest result, undefined before the first. Kept while an error is shown. */
  value: T | undefined;
  /** Why the last run failed, undefined when it did not. */
  error: CommandError | undefined;
  /** True until the first result or error since somebody began to watch. */
  loading: boolean;
}

/** A store in Svelte's sense: `$store` works, and so does `subscribe` without a framework. */
export interface Live<T> {
  subscribe(run: (state: LiveState<T>) => void): () => void;
}

/**
 * A live command as a store: its result now, and again whenever what it read has changed.
 * The first subscriber opens it in the app and the last one closes it.
 */
export function live<T = unknown>(command: string, args?: object): Live<T> {
  const runs = new Set<{ run: (state: LiveState<T>) => void }>();
  let state: LiveState<T> = { value: undefined, error: undefined, loading: true };
  let stop: (() => void) | undefined;

  const set = (next: LiveState<T>): void => {
    state = next;
    for (const each of [...runs]) if (runs.has(each)) each.run(state);
  };

  return {
    subscribe(run) {
      // An object for each subscription: one function may subscribe twice.
      const each = { run };
      if (!stop) state = { ...state, loading: true };
      runs.add(each);
      run(state);
      stop ??= watch({
        command,
        args,
        value: (value) => set({ value: value as T, error: undefined, loading: false }),
        error: (error) => set({ value: state.value, error, loading: false }),
      });
      return () => {
        if (!runs.delete(each) || runs.size) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}
