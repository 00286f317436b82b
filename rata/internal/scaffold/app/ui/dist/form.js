// The panel with one item: a form that follows what others change, and says beside each field what is wrong with it.
import { call, live, toast, ValidationError } from "/elyra/runtime.js";
import { $, ask, h, say } from "./dom.js";
import * as list from "./list.js";
import { element, fieldOf, nameOf, read, text, typed, write } from "./values.js";

let resource, item, controls = [], stop;

/** The number of the item that is shown, undefined when there is none or it is new. */
export const shown = () => ($("panel").hidden ? undefined : item?.id);

/** Shows an item, or the form for a new one. What was typed before is given up only if the user says so. */
export async function open(aResource, anItem) {
  if (!$("panel").hidden && resource === aResource && item?.id === anItem?.id) return focusFirst();
  if (!(await leave())) return;
  [resource, item] = [aResource, anItem];
  controls = resource.fields.map((field) => ({ field, element: element(field), value: item ? item[field.name] : field.initial }));
  $("fields").replaceChildren(...controls.map(labelled));
  controls.forEach(fill);
  $("delete").hidden = !item;
  title();
  explain({});
  $("panel").hidden = false;
  $("fields").scrollTop = 0;
  list.mark();
  focusFirst();
  if (item) stop = live(`${resource.name}_show`, { id: item.id }).subscribe(follow);
}

/** Closes the panel, unless something was typed that the user wants to keep. */
export async function leave() {
  if ($("panel").hidden) return true;
  if (controls.some(touched)) {
    const question = { title: "Discard what you have typed?", text: "It has not been saved.", yes: "Discard", no: "Keep editing" };
    if (!(await ask(question))) return false;
  }
  close();
  return true;
}

function close() {
  stop?.();
  stop = undefined;
  const id = shown();
  const hadFocus = $("panel").contains(document.activeElement) || document.activeElement === document.body;
  $("panel").hidden = true;
  list.mark();
  if (hadFocus) list.focus(id);
}

function title() {
  $("panel-title").textContent = item ? nameOf(resource, item) : `New ${resource.singular}`;
  const facts = item ? ["createdAt", "updatedAt"].filter((name) => item[name]) : [];
  $("facts").replaceChildren(...facts.map((name) => {
    const field = fieldOf(resource, name);
    return h("div", {}, h("dt", {}, field.label), h("dd", {}, text(field, item[name])));
  }));
}

/** Puts what is known into a control, and remembers how that reads. */
function fill(control) {
  write(control.field, control.element, control.value);
  control.filled = typed(control.element);
}

const touched = (control) => typed(control.element) !== control.filled;

/** Somebody else changed the item: what the user has not touched follows. */
function follow({ value, error }) {
  // An item that is gone is said so; what was typed stays to be copied.
  say($("form-problem"), error && `This ${resource.singular} can no longer be read: ${error.message}`);
  if (!value || error) return;
  item = value;
  title();
  for (const control of controls) {
    const now = value[control.field.name];
    if (touched(control) || now === control.value) continue;
    control.value = now;
    fill(control);
    control.element.parentElement.classList.remove("fresh");
    void control.element.offsetWidth; // the animation begins anew
    control.element.parentElement.classList.add("fresh");
  }
}

function labelled(control) {
  const { field, element } = control;
  control.problem = h("small", { id: `problem-${field.name}`, className: "problem" });
  element.setAttribute("aria-describedby", control.problem.id);
  element.ariaRequired = String(!!field.required);
  element.oninput = () => explainOne(control);
  const label = h("label", { htmlFor: element.id }, field.label);
  if (!field.required) label.append(h("span", {}, "optional"));
  const hint = field.hint ? [h("small", { className: "hint" }, field.hint)] : [];
  return h("div", { className: element.type === "checkbox" ? "field check" : "field" }, label, element, ...hint, control.problem);
}

function explainOne(control, messages = []) {
  // That a number which cannot be read is a string says nothing to somebody who has typed it.
  const said = messages.map((message) => message.replace(/, got string$/, ""));
  control.problem.textContent = said.map((message) => `${control.field.label} ${message}.`).join(" ");
  control.element.ariaInvalid = String(messages.length > 0);
}

/** Shows messages beside their fields, and those without one above all. */
function explain(fields, message) {
  const rest = { ...fields };
  for (const control of controls) {
    const path = `input.${control.field.name}`;
    explainOne(control, rest[path]);
    delete rest[path];
  }
  const others = Object.entries(rest).map(([path, messages]) => `${path} ${messages.join(", ")}`);
  say($("form-problem"), message ?? others.join("; "));
  controls.find((control) => control.element.ariaInvalid === "true")?.element.focus();
}

function focusFirst() {
  const first = controls[0]?.element;
  first?.focus();
  if (item && first?.select) first.select();
}

/** What the form says of an item: all of a new one, else what was touched. What is missing is said beside its field. */
function said() {
  const input = {}, clear = [], missing = {};
  for (const control of controls) {
    if (item && !touched(control)) continue;
    const { name, required } = control.field;
    const value = read(control.field, control.element);
    if (value !== undefined) input[name] = value;
    else if (item && required) missing[`input.${name}`] = ["is required"];
    else if (item) clear.push(name);
  }
  if (clear.length && resource.clears) input.clear = clear;
  return { input, missing };
}

$("form").onsubmit = async (event) => {
  event.preventDefault();
  const { input, missing } = said();
  if (Object.keys(missing).length) return explain(missing);
  $("save").disabled = true;
  try {
    if (!item) await call(`${resource.name}_store`, { input });
    else if (Object.keys(input).length) await call(`${resource.name}_update`, { id: item.id, input });
    close();
  } catch (error) {
    if (error instanceof ValidationError) explain(error.fields);
    else explain({}, error.message);
  } finally {
    $("save").disabled = false;
  }
};

/** Deletes an item, if the user says so. */
export async function remove(aResource, anItem) {
  const question = { title: `Delete “${nameOf(aResource, anItem)}”?`, text: "This cannot be undone.", yes: "Delete", no: "Keep" };
  if (!(await ask(question))) return;
  if (shown() === anItem.id) close();
  try {
    await call(`${aResource.name}_destroy`, { id: anItem.id });
  } catch (error) {
    toast(error.message, { kind: "error" });
  }
}

$("delete").onclick = () => remove(resource, item);
$("close").onclick = () => leave();
$("cancel").onclick = () => leave();
