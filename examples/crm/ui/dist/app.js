// The CRM's page: two live lists, a form, and a line that says what an agent is doing.
import { call, live, onAgent, ValidationError } from "/elyra/runtime.js";

const $ = (id) => document.getElementById(id);
const money = (cents) => (cents / 100).toLocaleString(undefined, { minimumFractionDigits: 2 });
const day = (time) => new Date(time).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });

const lists = {
  customers: {
    command: "customers_index",
    empty: "No customer matches.",
    columns: [["Name", (c) => c.name], ["Email", (c) => c.email], ["Company", (c) => c.company], ["Phone", (c) => c.phone], ["Orders", (c) => c.orders, "number"]],
  },
  orders: {
    command: "orders_index",
    empty: "There are no orders yet.",
    columns: [["Item", (o) => o.item], ["Customer", (o) => o.customer], ["Quantity", (o) => o.quantity, "number"], ["Price", (o) => money(o.priceCents), "number"], ["Status", (o) => o.status], ["Ordered", (o) => day(o.createdAt)]],
  },
};

let list = "customers", page = 1, search = "", close = () => {}, known = null, editing = null;

function open() {
  close();
  known = null;
  const { command, columns } = lists[list];
  $("head").replaceChildren(...columns.map(([title, , kind]) => element("th", title, kind)));
  const query = list === "customers" ? { page, search } : { page };
  close = live(command, { query }).subscribe(show);
}

function show({ value, error }) {
  $("problem").hidden = !error;
  if (error) $("problem").textContent = error.message;
  if (!value) return;
  const { columns, empty } = lists[list];
  $("rows").replaceChildren(...value.items.map((item) => {
    const row = document.createElement("tr");
    row.append(...columns.map(([, text, kind]) => element("td", text(item), kind)));
    row.dataset.id = item.id;
    if (known && !known.has(item.id)) row.classList.add("fresh");
    if (list === "customers") {
      row.classList.add("open");
      row.tabIndex = 0;
      row.onclick = () => edit(item);
      row.onkeydown = (e) => e.key === "Enter" && edit(item);
    }
    return row;
  }));
  known = new Set(value.items.map((item) => item.id));
  $("empty").hidden = value.items.length > 0;
  $("empty").textContent = empty;
  const pages = Math.max(1, Math.ceil(value.total / value.perPage));
  $("total").textContent = `${value.total.toLocaleString()} ${list}`;
  $("page").textContent = `${page} of ${pages}`;
  $("previous").disabled = page <= 1;
  $("next").disabled = page >= pages;
}

function element(name, text, kind) {
  const e = document.createElement(name);
  e.textContent = text ?? "";
  if (kind) e.className = kind;
  return e;
}

const form = $("editor").querySelector("form");

function edit(customer) {
  editing = customer;
  $("editor-title").textContent = customer ? customer.name : "New customer";
  for (const field of form.elements) if (field.name) field.value = customer?.[field.name] ?? "";
  $("remove").hidden = !customer;
  explain({});
  $("editor").showModal();
}

function explain(fields, message = "") {
  for (const small of form.querySelectorAll("small")) {
    small.textContent = (fields["input." + small.dataset.for] ?? []).join(", ");
    small.parentElement.classList.toggle("wrong", small.textContent !== "");
  }
  $("form-problem").hidden = !message;
  $("form-problem").textContent = message;
}

form.onsubmit = async (event) => {
  event.preventDefault();
  const input = Object.fromEntries(new FormData(form));
  try {
    await (editing ? call("customers_update", { id: editing.id, input }) : call("customers_store", { input }));
    $("editor").close();
  } catch (error) {
    error instanceof ValidationError ? explain(error.fields) : explain({}, error.message);
  }
};
$("cancel").onclick = () => $("editor").close();
$("remove").onclick = async () => {
  if (!confirm(`Delete ${editing.name} and all of their orders?`)) return;
  try {
    await call("customers_destroy", { id: editing.id });
    $("editor").close();
  } catch (error) {
    explain({}, error.message);
  }
};

$("add").onclick = () => edit(null);
$("previous").onclick = () => { page--; open(); };
$("next").onclick = () => { page++; open(); };
$("search").oninput = (e) => { search = e.target.value; page = 1; open(); };
for (const tab of document.querySelectorAll("[role=tab]")) {
  tab.onclick = () => {
    list = tab.dataset.list;
    page = 1;
    for (const t of document.querySelectorAll("[role=tab]")) t.setAttribute("aria-selected", String(t === tab));
    $("search").hidden = $("add").hidden = list !== "customers";
    open();
  };
}

const doing = { store: "is adding to", update: "is changing", destroy: "is deleting from", index: "is reading", show: "is reading" };
let fade = 0;
onAgent((a) => {
  const [subject, verb] = a.tool.split(/_(?=[^_]+$)/);
  const strip = $("activity");
  strip.hidden = false;
  strip.textContent = a.phase === "started" ? `${a.client} ${doing[verb] ?? "is using"} ${subject}…`
    : `${a.client} ${a.ok ? "used" : "was refused"} ${a.tool} (${a.millis} ms)`;
  clearTimeout(fade);
  if (a.phase === "finished") fade = setTimeout(() => { strip.hidden = true; }, 6000);
});

open();
