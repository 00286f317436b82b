// The panel that shows one customer or order, live: it changes while an agent works on it.
import { call, live } from "/elyra/runtime.js";
import { $, h, money, sure } from "./dom.js";
import { edit } from "./editor.js";
import { lists } from "./lists.js";

const panel = $("detail");
let stops = [];

/** Shows an item of a list until hide, or until the item is gone; `gone` is called then. */
export function show(list, id, gone) {
  hide();
  const orders = h("section", { hidden: true });
  const head = h("section");
  panel.replaceChildren(head, orders);
  panel.hidden = false;
  const index = list.index.replace("_index", "_show");
  stops.push(live(index, { id }).subscribe(({ value, error }) => {
    if (error) return gone();
    if (value) head.replaceChildren(...about(list, value, gone));
  }));
  if (list !== lists.customers) return;
  stops.push(live("orders_index", { query: { customerId: id, perPage: 100 } }).subscribe(({ value }) => {
    if (!value) return;
    orders.hidden = false;
    orders.replaceChildren(
      h("h3", {}, value.total ? `Orders (${value.total})` : "No orders yet"),
      h("ul", {}, ...value.items.map((o) => h("li", {},
        h("span", {}, o.item, h("small", {}, `${o.quantity} × ${money(o.priceCents)}`)),
        h("span", { className: "status " + o.status }, o.status)))),
      h("button", { onclick: () => edit(lists.orders, undefined, { customerId: id }) }, "New order"));
  }));
}

export function hide() {
  for (const stop of stops) stop();
  stops = [];
  panel.hidden = true;
}

function about(list, item, gone) {
  return [
    h("div", { className: "top" }, h("h2", {}, list.name(item)), h("button", { className: "quiet", ariaLabel: "Close details", onclick: gone }, "×")),
    h("dl", {}, ...list.facts.filter(([, value]) => value(item) !== "").map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value(item))))),
    h("div", { className: "actions" },
      h("button", { onclick: () => edit(list, item) }, "Edit"),
      h("button", { className: "danger", onclick: () => remove(list, item, gone) }, "Delete…")),
  ];
}

async function remove(list, item, gone) {
  if (!(await sure(`Delete ${list.name(item)}?`, list.warning(item)))) return;
  try {
    await call(list.destroy, { id: item.id });
  } catch {
    // Somebody else deleted it a moment before: it is gone either way.
  }
  gone();
}
