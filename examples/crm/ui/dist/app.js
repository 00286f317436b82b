// The CRM's page: which list is open, its rows, search, filters, pages and keys.
import { call, live, toast } from "/elyra/runtime.js";
import "./agents.js";
import { $, h, say } from "./dom.js";
import { hide, show as showDetail } from "./detail.js";
import { edit } from "./editor.js";
import { lists } from "./lists.js";

let list, page, search, filter, known, selected;
let close = () => {};

/** Opens a list from its start. */
function open(name) {
  list = lists[name] ?? lists.customers;
  [page, search, filter] = [1, "", ""];
  deselect();
  for (const a of $("side").querySelectorAll("a")) {
    lists[a.dataset.list] === list ? a.setAttribute("aria-current", "page") : a.removeAttribute("aria-current");
  }
  $("title").textContent = list.title;
  $("search").hidden = !list.searchable;
  $("search").value = "";
  $("list").querySelector("table").ariaLabel = list.title;
  $("add").textContent = `New ${list.one}`;
  $("filters").hidden = !list.filters;
  $("filters").replaceChildren(...["", ...(list.filters ?? [])].map((f) => h("button", {
    ariaPressed: String(f === ""),
    onclick: (e) => {
      for (const b of $("filters").children) b.ariaPressed = String(b === e.target);
      filter = f;
      page = 1;
      watch();
    },
  }, f || "all")));
  $("head").replaceChildren(...list.columns.map(([title, , kind]) => h("th", { scope: "col", className: kind ?? "" }, title)));
  watch();
}

/** Subscribes to the page of the list that is to be seen. */
function watch() {
  close();
  known = undefined;
  const query = { page };
  if (search) query.search = search;
  if (filter) query.status = filter;
  close = live(list.index, { query }).subscribe(render);
}

function render({ value, error, loading }) {
  $("list").ariaBusy = String(loading);
  // Rows that were read before are still there to be read; without any, the problem takes their place.
  say($("problem-text"), error && value && `These rows may be out of date: ${error.message}`);
  $("problem").hidden = $("problem-text").hidden;
  if (error && !value) return instead("problem", `The ${list.title.toLowerCase()} could not be read`, error.message, "Try again", watch);
  if (!value) return;
  const focused = document.activeElement?.closest?.("#rows tr")?.dataset.id;
  $("rows").replaceChildren(...value.items.map(row));
  known = new Set(value.items.map((item) => item.id));
  if (focused) $("rows").querySelector(`[data-id="${focused}"]`)?.focus();

  const pages = Math.max(1, Math.ceil(value.total / value.perPage));
  if (page > pages) {
    page = pages;
    return watch();
  }
  say($("total"), `${value.total.toLocaleString()} ${value.total === 1 ? list.one : list.title.toLowerCase()}${search ? " found" : ""}`);
  $("page").textContent = `${page} of ${pages}`;
  $("previous").disabled = page <= 1;
  $("next").disabled = page >= pages;
  const names = list.title.toLowerCase();
  if (value.total > 0) return instead();
  if (search) return instead("nothing", `No ${list.one} matches “${search}”`, "Try fewer or other letters.", "Show all", showAll);
  if (filter) return instead("nothing", `No ${filter} ${names}`, "There are others.", "Show all", showAll);
  instead("nothing", `No ${names} yet`, `Add the first one, or let an agent do it.`, `New ${list.one}`, () => edit(list));
}

/** Shows why there are no rows in their place, with what can be done about it; or, without arguments, the rows. */
function instead(kind, title, text, action, run) {
  for (const each of [$("list").querySelector("table"), $("turning"), $("total")]) each.hidden = !!kind;
  const empty = $("empty");
  empty.hidden = !kind;
  if (!kind) return;
  empty.className = kind;
  empty.querySelector("h2").textContent = title;
  empty.querySelector("p").textContent = text;
  const button = empty.querySelector("button");
  button.textContent = action;
  button.onclick = run;
}

const showAll = () => open(location.hash.slice(1));

function row(item) {
  const cells = list.columns.map(([, text, kind]) => h("td", { className: kind ?? "" }, text(item)));
  return h("tr", {
    tabIndex: 0,
    "data-id": item.id,
    className: known && !known.has(item.id) ? "fresh" : "",
    ariaSelected: String(item.id === selected),
    onclick: () => select(item.id),
    onkeydown: (e) => e.key === "Enter" && select(item.id),
  }, ...cells);
}

function select(id) {
  selected = id;
  mark();
  showDetail(list, id, deselect);
}

function deselect() {
  selected = undefined;
  mark();
  hide();
}

function mark() {
  for (const tr of $("rows").children) tr.ariaSelected = String(tr.dataset.id === String(selected));
}

function turn(by) {
  page += by;
  watch();
  $("list").scrollTop = 0;
}

$("again").onclick = watch;
$("window").onclick = () => call("windows_open").catch((error) => toast(error.message, { kind: "error" }));
$("add").onclick = () => edit(list);
$("previous").onclick = () => turn(-1);
$("next").onclick = () => turn(1);
$("search").oninput = (e) => {
  search = e.target.value.trim();
  page = 1;
  watch();
};

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
  if (e.key === "Escape") {
    if (document.activeElement === $("search")) $("search").blur();
    return deselect();
  }
  if (e.target.matches("input, textarea, select")) return;
  const keys = {
    "/": () => !$("search").hidden && $("search").focus(),
    n: () => edit(list),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
  };
  if (!keys[e.key]) return;
  e.preventDefault();
  keys[e.key]();
});

/** Moves the keyboard's focus to the next or the previous row. */
function move(by) {
  const rows = [...$("rows").children];
  const at = rows.indexOf(document.activeElement);
  rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
}

addEventListener("hashchange", () => open(location.hash.slice(1)));
open(location.hash.slice(1));
