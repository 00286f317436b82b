// The list of one resource: search, order, pages, and what stands there instead of rows.
import { live } from "/elyra/runtime.js";
import { $, h, say } from "./dom.js";
import * as form from "./form.js";
import { fieldOf, isNumber, text, width } from "./values.js";

const perPage = 25;

let resource, query, items, stop, anew;

// When items changed before the user's eyes, in milliseconds, by their numbers.
const changed = new Map();
const news = 3400; // milliseconds for which such a row stands out, as the style sheet has it

/** Shows a resource's list from its start. */
export function show(aResource) {
  resource = aResource;
  items = undefined;
  const { title, singular, search, columns } = resource;
  $("title").textContent = title;
  $("table").ariaLabel = title;
  $("new").textContent = `New ${singular}`;
  $("search").hidden = !search;
  $("search").value = "";
  $("search").placeholder = `Search ${title.toLowerCase()}`;
  $("search").ariaLabel = $("search").placeholder;
  $("total").textContent = "";
  $("rows").replaceChildren();
  const fields = columns.map((name) => fieldOf(resource, name));
  $("widths").replaceChildren(...fields.map((field, i) => h("col", { className: kind(field, i), style: width(field) ? `width: ${width(field)}` : "" })));
  query = { page: 1, perPage };
  head();
  watch();
}

/** What a column is for the style sheet: narrow windows leave out the later ones. */
const kind = (field, i) => (isNumber(field) ? "number " : "") + (i > 3 ? "fifth" : i > 1 ? "third" : "");

function head() {
  $("head").replaceChildren(...resource.columns.map((name, i) => {
    const field = fieldOf(resource, name);
    const cell = h("th", { scope: "col", className: kind(field, i) });
    if (!resource.sort?.includes(name)) {
      cell.append(field.label);
      return cell;
    }
    const by = query.sort === name;
    cell.ariaSort = by ? (query.descending ? "descending" : "ascending") : "none";
    cell.append(h("button", { type: "button", onclick: () => order(name) }, field.label, h("span", { "aria-hidden": "true" }, by ? (query.descending ? "↓" : "↑") : "")));
    return cell;
  }));
}

/** Up, down, and back to the list's own order. */
function order(name) {
  const { sort, descending, ...rest } = query;
  query = { ...rest, page: 1 };
  if (sort !== name) query.sort = name;
  else if (!descending) Object.assign(query, { sort, descending: true });
  head();
  watch();
  $("head").children[resource.columns.indexOf(name)].firstChild.focus();
}

/** Follows the page that is to be seen. */
function watch() {
  stop?.();
  anew = true;
  stop = live(`${resource.name}_index`, { query: { ...query } }).subscribe(render);
}

function render({ value, error, loading }) {
  $("scroll").ariaBusy = String(loading);
  const things = resource.title.toLowerCase();
  // Rows that were read before can still be read; without any, the reason takes their place.
  say($("stale").firstElementChild, error && items ? `These ${things} may be out of date: ${error.message}` : "");
  $("stale").hidden = !(error && items);
  if (error && !items) return instead(`The ${things} could not be read`, error.message, "Try again", watch);
  if (!value) return;
  const pages = Math.max(1, Math.ceil(value.total / value.perPage));
  if (query.page > pages) {
    query.page = pages;
    return watch();
  }
  rows(value.items);
  $("total").textContent = `${value.total.toLocaleString()} ${value.total === 1 ? resource.singular : things}${query.search ? " found" : ""}`;
  $("pages").hidden = pages < 2;
  $("page").textContent = `Page ${query.page} of ${pages}`;
  $("previous").disabled = query.page <= 1;
  $("next").disabled = query.page >= pages;
  if (value.total > 0) instead();
  else if (query.search) instead(`Nothing matches “${query.search}”`, "Try fewer or other letters.", "Show all", () => search(""));
  else instead(`No ${things} yet`, "Add the first one, or ask an agent to.", `New ${resource.singular}`, () => form.open(resource));
}

/** Shows why there are no rows, and what to do about it; without arguments the rows. */
function instead(title, why, action, run) {
  $("table").hidden = title !== undefined;
  $("instead").hidden = title === undefined;
  if (title === undefined) return;
  $("total").textContent = "";
  $("pages").hidden = true;
  const [heading, reason, button] = $("instead").querySelectorAll("h2, p, button");
  heading.textContent = title;
  reason.textContent = why;
  button.textContent = action;
  button.onclick = run;
}

function rows(now) {
  // On a page that was just turned to nothing is news.
  if (anew) changed.clear();
  const before = anew ? undefined : new Map(items?.map((item) => [item.id, JSON.stringify(item)]));
  const focused = document.activeElement?.closest("#rows tr")?.dataset.id;
  for (const item of before ? now : []) if (before.get(item.id) !== JSON.stringify(item)) changed.set(item.id, performance.now());
  $("rows").replaceChildren(...now.map(row));
  items = now;
  anew = false;
  const tr = $("rows").querySelector(`[data-id="${focused}"]`) ?? $("rows").firstElementChild;
  if (tr) tr.tabIndex = 0;
  if (focused) tr?.focus();
  mark();
}

function row(item) {
  const age = performance.now() - changed.get(item.id), fresh = age < news;
  return h("tr", {
    tabIndex: -1,
    "data-id": item.id,
    className: fresh ? "fresh" : "",
    style: fresh ? `--age: ${-age}ms` : "",
    onclick: () => open(item.id),
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault(); // else the key goes on into the form, and submits it
      open(item.id);
    },
  }, ...resource.columns.map((name, i) => {
    const field = fieldOf(resource, name);
    const shown = text(field, item[name]);
    return h("td", { className: kind(field, i), title: shown.length > 40 ? shown : "" }, field.input === "enum" && shown ? h("span", { className: "tag" }, shown) : shown);
  }));
}

const open = (id) => form.open(resource, items.find((item) => item.id === id));

/** Marks the row of the item that the form shows. */
export function mark() {
  for (const tr of $("rows").children) tr.ariaSelected = String(tr.dataset.id === String(form.shown()));
}

/** Gives the keyboard to the row of an item, or to the list. */
export function focus(id) {
  ($("rows").querySelector(`[data-id="${id}"]`) ?? $("scroll")).focus();
}

/** Moves the keyboard's focus to the next or the previous row. */
export function move(by) {
  const all = [...$("rows").children], at = all.indexOf(document.activeElement);
  const to = all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)];
  for (const tr of all) tr.tabIndex = tr === to ? 0 : -1;
  to?.focus();
}

/** Asks whether to delete the item whose row has the keyboard. */
export function remove() {
  const id = document.activeElement?.closest("#rows tr")?.dataset.id;
  const item = items?.find((each) => String(each.id) === id);
  if (item) form.remove(resource, item);
}

function search(words) {
  $("search").value = words;
  const { search: _, ...rest } = query;
  query = words ? { ...rest, page: 1, search: words } : { ...rest, page: 1 };
  watch();
}

function turn(by) {
  query.page += by;
  watch();
  $("scroll").scrollTop = 0;
}

let typing;
$("search").oninput = () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    if ($("search").value.trim() !== (query.search ?? "")) search($("search").value.trim());
  }, 120);
};
$("previous").onclick = () => turn(-1);
$("next").onclick = () => turn(1);
$("stale").querySelector("button").onclick = watch;
