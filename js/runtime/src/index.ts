export { call, type CallOptions } from "./call.js";
export { live, type Live, type LiveState } from "./live.js";
export { channel } from "./stream.js";
export { onAgent, type AgentActivity } from "./agent.js";
export { CommandError, NotAllowedError, ValidationError } from "./errors.js";
