// The page: which resource is shown, and what the keys do.
import resources from "./resources.js";
import "./agents.js";
import { $, h } from "./dom.js";
import * as form from "./form.js";
import * as list from "./list.js";

/** The resource that the address names, else the first. */
const named = (hash) => resources.find(({ name }) => "#" + name === hash) ?? resources[0];

let shown;

function go() {
  const resource = named(location.hash);
  if (resource === shown) return;
  shown = resource;
  for (const link of $("places").querySelectorAll("a")) {
    if (link.hash === "#" + resource.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  list.show(resource);
}

addEventListener("hashchange", async () => {
  if (named(location.hash) === shown) return;
  if (await form.leave()) go();
  else history.replaceState(null, "", "#" + shown.name);
});

$("places").append(...resources.map(({ name, title }) => h("li", {}, h("a", { href: "#" + name }, title))));
if (resources.length) go();
else $("title").textContent = "No resource yet: rata make:resource adds one";

$("new").onclick = () => form.open(shown);

const keys = {
  "/": () => $("search").hidden || $("search").select(),
  n: () => form.open(shown),
  ArrowDown: () => list.move(1),
  ArrowUp: () => list.move(-1),
  Delete: () => list.remove(),
};

addEventListener("keydown", (event) => {
  if (!shown || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    if (document.activeElement === $("search") && $("search").value) return; // it is emptied first
    event.preventDefault();
    if ($("panel").hidden) return $("search").blur();
    return void form.leave();
  }
  const one = event.ctrlKey || event.metaKey;
  if (one && (event.key === "s" || event.key === "Enter") && !$("panel").hidden) {
    event.preventDefault();
    return $("form").requestSubmit();
  }
  const run = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (one || event.altKey || event.target.matches("input, textarea, select") || !run) return;
  event.preventDefault();
  run();
});
