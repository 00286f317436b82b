// Small tools for building elements; no framework is needed for two lists and a form.

export const $ = (id) => document.getElementById(id);

/** Makes an element: properties, then children. Text is always text, never markup. */
export function h(name, props = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (key in e && key !== "list") e[key] = value;
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.filter((c) => c !== undefined && c !== false));
  return e;
}

/** Shows text in an element, or hides it when there is none. */
export function say(e, text) {
  e.hidden = !text;
  e.textContent = text ?? "";
}

export const money = (cents) => (cents / 100).toLocaleString(undefined, { minimumFractionDigits: 2 });
export const day = (time) => new Date(time).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });

/** Asks whether something may be deleted. Keeping it is the answer to everything but the button. */
export function sure(title, text) {
  const dialog = $("sure");
  $("sure-title").textContent = title;
  dialog.querySelector("p").textContent = text;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}
