// What the values of a field look like in a list, and what a form makes of what was typed.
import { h } from "./dom.js";

// Every item has these besides the fields of its resource.
const everywhere = {
  id: { label: "Number", input: "int" },
  createdAt: { label: "Added", input: "datetime" },
  updatedAt: { label: "Changed", input: "datetime" },
};

/** The field of a resource with that name. */
export function fieldOf(resource, name) {
  return resource.fields.find((field) => field.name === name) ?? { name, label: name, ...everywhere[name] };
}

/** What one item is called in titles and questions. */
export function nameOf(resource, item) {
  return text(fieldOf(resource, resource.heading), item[resource.heading]) || `${resource.singular} #${item.id}`;
}

/** A value as text for people, "" when there is none. */
export function text({ input }, value) {
  if (value === undefined || value === null || value === "") return "";
  switch (input) {
    case "bool":
      return value ? "Yes" : "No";
    case "int":
    case "float":
      return value.toLocaleString(undefined, { maximumFractionDigits: 10 });
    case "date":
      return day(value).toLocaleDateString(undefined, { dateStyle: "medium" });
    case "datetime":
      return new Date(value).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    case "enum":
      return words(value);
    case "text":
      return value.replaceAll(/\s+/g, " ");
    default:
      return String(value);
  }
}

/** How wide a column is, as CSS; undefined is as wide as there is room. */
export const width = ({ input }) => ({ bool: "88px", int: "104px", float: "112px", decimal: "120px", date: "128px", datetime: "208px", enum: "128px" })[input];

export const isNumber = ({ input }) => ["int", "float", "decimal"].includes(input);

/** "in_progress" as "In progress". */
const words = (value) => value.charAt(0).toUpperCase() + value.slice(1).replaceAll(/[_-]/g, " ");

/** Midnight of a date, where the user is; a Date made of the text would be midnight in Greenwich. */
function day(value) {
  const [year, month, date] = value.split("-");
  return new Date(year, month - 1, date);
}

/** A moment as an input for local times takes it. */
function local(value) {
  const t = new Date(value);
  return new Date(t - t.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const types = { email: "email", url: "url", date: "date", datetime: "datetime-local" };
const keyboards = { int: "numeric", float: "decimal", decimal: "decimal" };

/** The input element for a field. */
export function element({ name, input, required, options }) {
  const id = `field-${name}`;
  switch (input) {
    case "bool":
      if (required) return h("input", { id, name, type: "checkbox", role: "switch" });
      return choice(id, name, [["", "Not set"], ["true", "Yes"], ["false", "No"]]);
    case "enum":
      return choice(id, name, [["", required ? "Choose…" : "Not set"], ...options.map((option) => [option, words(option)])]);
    case "text":
      return h("textarea", { id, name, rows: 6 });
    default:
      return h("input", { id, name, type: types[input] ?? "text", inputMode: keyboards[input] ?? "", autocomplete: "off" });
  }
}

const choice = (id, name, options) => h("select", { id, name }, ...options.map(([value, label]) => h("option", { value }, label)));

/** Puts a value into the element of a field. */
export function write({ input }, element, value) {
  if (element.type === "checkbox") element.checked = value === true;
  else if (value === undefined || value === null) element.value = "";
  else element.value = input === "datetime" ? local(value) : String(value);
}

/** What stands in an element, to tell whether somebody has changed it. A date that is typed halfway is no "". */
export function typed(element) {
  if (element.type === "checkbox") return String(element.checked);
  return element.validity.badInput ? "\0" : element.value;
}

/** The value that stands in the element of a field; undefined when it is empty. What is no value goes as it is: the app says why. */
export function read({ input }, element) {
  if (element.type === "checkbox") return element.checked;
  const value = element.value.trim();
  if (input === "string" || input === "text") return element.value;
  if (value === "") return element.validity.badInput ? "?" : undefined;
  switch (input) {
    case "bool":
      return value === "true";
    case "int":
      return /^[+-]?\d+$/.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case "float":
      return /^[-+.\de]+$/i.test(value) && Number.isFinite(Number(value)) ? Number(value) : value;
    case "datetime": {
      const moment = new Date(value);
      return Number.isNaN(moment.getTime()) ? value : moment.toISOString();
    }
    default:
      return value;
  }
}
