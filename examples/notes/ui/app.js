import { call, live, onAgent, ValidationError } from "/elyra/runtime.js";

const $ = (id) => document.getElementById(id);

// snippet:live
live("notes_index").subscribe(({ value = [], error }) => {
  $("problem").textContent = error?.message ?? "";
  $("notes").replaceChildren(...value.map((note) => {
    const item = document.createElement("li");
    item.textContent = note.text;
    return item;
  }));
});
// endsnippet

// snippet:call
$("add").onsubmit = async (event) => {
  event.preventDefault();
  try {
    await call("notes_store", { input: { text: $("text").value } });
    $("text").value = $("problem").textContent = "";
  } catch (error) {
    const wrong = error instanceof ValidationError ? error.fields["input.text"]?.join(", ") : undefined;
    $("problem").textContent = wrong ? `A note ${wrong}.` : error.message;
  }
};
// endsnippet

// snippet:agent
onAgent((activity) => {
  $("agent").textContent = activity.phase === "started"
    ? `${activity.client} is running ${activity.tool}…`
    : `${activity.client} ran ${activity.tool} in ${activity.millis} ms.`;
});
// endsnippet
