// The strip at the bottom: what AI agents do in the app, and the switch that pauses them.
import { call, live, onAgent, toast } from "/elyra/runtime.js";
import resources from "./resources.js";
import { $ } from "./dom.js";

const resting = 8000; // milliseconds for which the last call stays to be read

/** What a tool does, in the present and in the past. */
function words(tool) {
  const at = tool.lastIndexOf("_"), resource = resources.find(({ name }) => name === tool.slice(0, at));
  const things = resource?.title.toLowerCase(), thing = resource && `${/^[aeiou]/.test(resource.singular) ? "an" : "a"} ${resource.singular}`;
  const known = {
    index: [`is reading ${things}`, `read ${things}`],
    show: [`is reading ${thing}`, `read ${thing}`],
    store: [`is adding ${thing}`, `added ${thing}`],
    update: [`is changing ${thing}`, `changed ${thing}`],
    destroy: [`wants to delete ${thing}`, `deleted ${thing}`],
  };
  return (resource && known[tool.slice(at + 1)]) ?? [`is using ${tool}`, `used ${tool}`];
}

let paused = false, rest;

function show(text, state = "") {
  if (paused) [text, state] = ["Agents are paused: their calls are refused.", "paused"];
  $("activity").textContent = text;
  $("agents").className = state;
}

const idle = () => show("No agent is at work.");

onAgent(({ phase, client, tool, ok, millis }) => {
  clearTimeout(rest);
  const [doing, done] = words(tool);
  if (phase === "started") return show(`${client} ${doing}…`, "busy");
  show(ok ? `${client} ${done} · ${millis || "<1"} ms` : `${client} could not use ${tool}`, ok ? "busy" : "failed");
  rest = setTimeout(idle, resting);
});

live("agents_paused").subscribe(({ value }) => {
  paused = value === true;
  $("pause").checked = paused;
  idle();
});

$("pause").onchange = async () => {
  try {
    await call("agents_pause", { paused: $("pause").checked });
  } catch (error) {
    $("pause").checked = paused;
    toast(error.message, { kind: "error" });
  }
};
