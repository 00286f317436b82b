// The window of a question: it takes no input until it has been seen for a while, so that what a person was typing or
// clicking answers nothing.
(() => {
  const guardTime = 700;
  const say = (what) => void fetch(what, { method: "POST" });
  const buttons = { refuse: document.getElementById("refuse"), accept: document.getElementById("accept") };
  const all = Object.values(buttons);
  let guarded = true;
  let guards = 0;
  let answered = false;
  let pressed = new Map(); // by key: how often it was pressed since it was last released
  let armed = null; // the button on which the pointer went down

  const answer = (what) => {
    if (guarded || answered) return;
    answered = true;
    say(what);
  };

  // Called before a frame is painted; in the one after that there was something to be seen.
  const guard = () => {
    const current = ++guards;
    guarded = true;
    armed = null;
    for (const button of all) button.disabled = true;
    say("deaf");
    if (document.visibilityState !== "visible") return;
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
      if (guards !== current) return;
      guarded = false;
      for (const button of all) button.disabled = false;
      buttons.refuse.focus();
      say("ready");
    }, guardTime)));
  };
  addEventListener("focus", guard);
  addEventListener("blur", () => pressed.clear()); // their releases go to another window
  document.addEventListener("visibilitychange", guard);
  guard();

  for (const [what, button] of Object.entries(buttons)) {
    button.addEventListener("pointerdown", () => { armed = guarded ? null : button; });
    // A key makes a click of its own, without a pointer: keys are taken below.
    button.addEventListener("click", (event) => {
      if (armed === button && event.detail > 0) answer(what);
      armed = null;
    });
  }

  // A key answers when it is let go, if it was pressed once since the last time and outside of the guard: one that is held
  // down repeats its press, also one that was held since before the window came up.
  const moves = new Set(["Tab", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]);
  addEventListener("keydown", (event) => {
    if (!guarded && moves.has(event.key)) return;
    event.preventDefault();
    pressed.set(event.code, guarded || event.repeat ? 2 : (pressed.get(event.code) ?? 0) + 1);
  }, true);
  addEventListener("keyup", (event) => {
    if (moves.has(event.key)) return;
    event.preventDefault();
    const once = pressed.get(event.code) === 1;
    pressed.delete(event.code);
    if (!once || guarded) return;
    const onAccept = document.activeElement === buttons.accept;
    if (event.key === "Escape") answer("refuse");
    else if (event.key === "Enter") answer(onAccept ? "accept" : "refuse");
    else if (event.key === " " && all.includes(document.activeElement)) answer(onAccept ? "accept" : "refuse");
  }, true);
  addEventListener("contextmenu", (event) => event.preventDefault());
})();
