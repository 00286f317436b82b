// The strip at the bottom: what an agent is doing right now, and the switch that pauses agents.
import { call, live, onAgent } from "/elyra/runtime.js";
import { $ } from "./dom.js";

const doing = {
  store: (thing) => `is adding ${thing}…`, update: (thing) => `is changing ${thing}…`, destroy: (thing) => `wants to delete ${thing}…`,
  index: (thing, things) => `is reading ${things}…`, show: (thing) => `is reading ${thing}…`,
};
const done = {
  store: (thing) => `added ${thing}`, update: (thing) => `changed ${thing}`, destroy: (thing) => `deleted ${thing}`,
  index: (thing, things) => `read ${things}`, show: (thing) => `read ${thing}`,
};

/** Says what a call of a tool does, in words. */
function words(verbs, tool) {
  const at = tool.lastIndexOf("_");
  const things = tool.slice(0, at), thing = (/^[aeiou]/.test(things) ? "an " : "a ") + things.replace(/s$/, "");
  return verbs[tool.slice(at + 1)]?.(thing, things);
}

let quiet = 0;

function show(text, state) {
  if (paused) return;
  $("activity").textContent = text;
  $("agents").className = state;
}

onAgent((a) => {
  clearTimeout(quiet);
  if (a.phase === "started") return show(`${a.client} ${words(doing, a.tool) ?? `is using ${a.tool}…`}`, "busy");
  const what = a.ok ? words(done, a.tool) ?? `used ${a.tool}` : `was refused ${a.tool}`;
  show(`${a.client} ${what} (${a.millis || "<1"} ms)`, a.ok ? "busy" : "failed");
  quiet = setTimeout(() => show("No agent is at work.", ""), 8000);
});

let paused = false;
live("agents_paused").subscribe(({ value }) => {
  paused = value === true;
  $("pause").checked = paused;
  if (!paused) return show("No agent is at work.", "");
  $("activity").textContent = "Agents are paused: their calls are refused.";
  $("agents").className = "paused";
});
$("pause").onchange = (e) => call("agents_pause", { paused: e.target.checked });
