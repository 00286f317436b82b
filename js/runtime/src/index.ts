export { call, type CallOptions } from "./call.js";
export { live, type Live, type LiveState } from "./live.js";
export { channel } from "./stream.js";
export { onAgent, type AgentActivity } from "./agent.js";
export { CommandError, NotAllowedError, ValidationError } from "./errors.js";
export { openFile, saveFile, notify, type FileType, type OpenedFile, type OpenOptions, type SaveOptions } from "./desktop.js";
export { toast, type ToastOptions } from "./toast.js";
