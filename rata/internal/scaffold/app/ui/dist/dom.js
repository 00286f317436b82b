// Elements, and the one question that the app asks.

export const $ = (id) => document.getElementById(id);

/** Makes an element from properties, or attributes where there is no such property, and children. Text stays text. */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Puts text into an element; without text the element is hidden. */
export function say(element, text = "") {
  element.textContent = text;
  element.hidden = text === "";
}

/** Asks whether to do something that cannot be undone. Every answer but the button for it is no. */
export function ask({ title, text, yes, no }) {
  const dialog = $("question");
  $("question-title").textContent = title;
  $("question-text").textContent = text;
  $("question-yes").textContent = yes;
  $("question-no").textContent = no;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answer) => dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true }));
}
