// What the two lists are: their commands, columns and filters, and the fields of their forms.
import { day, h, money } from "./dom.js";

export const statuses = ["open", "paid", "shipped", "cancelled"];
const status = (order) => h("span", { className: "status " + order.status }, order.status);

export const lists = {
  customers: {
    title: "Customers",
    one: "customer",
    index: "customers_index",
    store: "customers_store",
    update: "customers_update",
    destroy: "customers_destroy",
    searchable: true,
    name: (c) => c.name,
    columns: [
      ["Name", (c) => c.name],
      ["Email", (c) => c.email, "long"],
      ["Company", (c) => c.company, "more"],
      ["Phone", (c) => c.phone, "extra"],
      ["Orders", (c) => c.orders, "number"],
    ],
    facts: [["Email", (c) => c.email], ["Company", (c) => c.company], ["Phone", (c) => c.phone], ["Notes", (c) => c.notes], ["Customer since", (c) => day(c.createdAt)]],
    fields: [
      { name: "name", label: "Name", wide: true, autofocus: true },
      { name: "email", label: "Email", type: "email", wide: true },
      { name: "company", label: "Company" },
      { name: "phone", label: "Phone", type: "tel" },
      { name: "notes", label: "Notes", rows: 3, wide: true },
    ],
    warning: (c) => (c.orders ? `${c.orders} ${c.orders === 1 ? "order goes" : "orders go"} with it. This cannot be undone.` : "This cannot be undone."),
  },
  orders: {
    title: "Orders",
    one: "order",
    index: "orders_index",
    store: "orders_store",
    update: "orders_update",
    destroy: "orders_destroy",
    filters: statuses,
    name: (o) => o.item,
    columns: [
      ["Item", (o) => o.item],
      ["Customer", (o) => o.customer, "more"],
      ["Status", status],
      ["Ordered", (o) => day(o.createdAt), "extra"],
      ["Quantity", (o) => o.quantity, "number extra"],
      ["Price", (o) => money(o.priceCents), "number"],
    ],
    facts: [["Customer", (o) => o.customer], ["Status", status], ["Quantity", (o) => o.quantity], ["Price each", (o) => money(o.priceCents)], ["Total", (o) => money(o.quantity * o.priceCents)], ["Ordered", (o) => day(o.createdAt)]],
    fields: [
      { name: "item", label: "Item", wide: true, autofocus: true },
      { name: "customerId", label: "Customer number", type: "number" },
      { name: "quantity", label: "Quantity", type: "number", initial: 1 },
      { name: "priceCents", label: "Price each, in cents", type: "number", initial: 0 },
      { name: "status", label: "Status", options: statuses },
    ],
    warning: () => "This cannot be undone.",
  },
};
