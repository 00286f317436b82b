// The form for a customer or an order. What the app refuses is shown beside the field it is about.
import { call, ValidationError } from "/elyra/runtime.js";
import { $, h, say } from "./dom.js";

const dialog = $("editor"), form = dialog.querySelector("form");
let list, item;

/** Opens the form for an item of a list, or for a new one. `preset` fills in fields of a new one. */
export function edit(aList, anItem, preset = {}) {
  [list, item] = [aList, anItem];
  $("editor-title").textContent = item ? list.name(item) : `New ${list.one}`;
  $("fields").replaceChildren(...list.fields.map((f) => field(f, item?.[f.name] ?? preset[f.name] ?? f.initial ?? "")));
  explain({});
  dialog.showModal();
}

function field({ name, label, type, rows, options, wide, autofocus }, value) {
  const control = options ? h("select", { name }, ...options.map((o) => h("option", { value: o }, o)))
    : rows ? h("textarea", { name, rows }) : h("input", { name, type: type ?? "text", autocomplete: "off" });
  control.value = value === "" && options ? options[0] : value;
  control.autofocus = autofocus ?? false;
  control.setAttribute("aria-describedby", `about-${name}`);
  return h("label", { className: wide ? "wide" : "" }, label, control, h("small", { id: `about-${name}`, "data-for": name }));
}

function explain(fields, message) {
  const rest = { ...fields };
  for (const small of $("fields").querySelectorAll("small")) {
    const path = "input." + small.dataset.for;
    small.textContent = (fields[path] ?? []).join(", ");
    delete rest[path];
    const control = small.previousElementSibling;
    small.parentElement.classList.toggle("wrong", small.textContent !== "");
    control.setAttribute("aria-invalid", String(small.textContent !== ""));
  }
  const others = Object.entries(rest).map(([path, messages]) => `${path}: ${messages.join(", ")}`);
  say($("form-problem"), message ?? others.join("; "));
  form.querySelector(".wrong :is(input, textarea, select)")?.focus();
}

form.onsubmit = async (event) => {
  event.preventDefault();
  const input = {};
  for (const { name, type } of list.fields) {
    const value = form.elements[name].value;
    if (type !== "number") input[name] = value;
    else if (value !== "") input[name] = Number(value);
  }
  try {
    await (item ? call(list.update, { id: item.id, input }) : call(list.store, { input }));
    dialog.close();
  } catch (error) {
    error instanceof ValidationError ? explain(error.fields) : explain({}, error.message);
  }
};
$("cancel").onclick = () => dialog.close();
