import { channel } from "./stream.js";

/** What an AI agent does in the app, as told at the start and at the end of each of its calls. */
export interface AgentActivity {
  phase: "started" | "finished";
  /** The same for the start and the end of one call. */
  id: string | number;
  kind: string;
  tool: string;
  /** The name the client gave itself: to be shown, not to be trusted. */
  client: string;
  /** Only when finished: whether the call worked. */
  ok?: boolean;
  /** Only when finished: how long the call took, in milliseconds. */
  millis?: number;
}

/** Calls `run` when an AI agent begins or ends a call; the function that is returned stops that. */
export function onAgent(run: (activity: AgentActivity) => void): () => void {
  return channel("elyra:mcp", run);
}
