export interface ToastOptions {
  /** "error" is announced at once and stays longer. */
  kind?: "info" | "error";
  /** How long it stays, in milliseconds: 4000, or 8000 for an error. 0 is until it is clicked or closed. */
  timeout?: number;
}

// :where() has no specificity, so an app's own rules for .elyra-toasts and .elyra-toast win.
const style = `:where(.elyra-toasts){position:fixed;inset:auto 0 1.5rem;margin:0 auto;padding:0;border:0;background:none;overflow:visible;
width:fit-content;height:fit-content;max-width:min(90vw,32rem);display:flex;flex-direction:column;gap:.5rem;z-index:2147483647}
:where(.elyra-toast){padding:.65rem 1rem;border-radius:.5rem;background:#23262d;color:#fff;font:.9rem/1.4 system-ui,sans-serif;
box-shadow:0 .25rem 1rem #0004;cursor:pointer;overflow-wrap:anywhere;white-space:pre-line}
:where(.elyra-toast[role=alert]){background:#a3242c}`;

let place: HTMLElement | undefined;

/** Shows a short message at the bottom of the page; the function that is returned closes it. A click closes it, too. */
export function toast(message: string, { kind = "info", timeout = kind === "error" ? 8000 : 4000 }: ToastOptions = {}): () => void {
  if (!place) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets.push(sheet);
    place = document.createElement("div");
    place.className = "elyra-toasts";
    place.popover = "manual";
  }
  // A page may have replaced its whole body. Shown anew, it is above a dialog that was opened since.
  if (!place.isConnected) document.body.append(place);
  if (place.matches(":popover-open")) place.hidePopover();
  place.showPopover();

  const item = document.createElement("div");
  item.className = "elyra-toast";
  item.role = kind === "error" ? "alert" : "status";
  item.textContent = message;
  const close = (): void => {
    item.remove();
    if (!place!.childElementCount && place!.isConnected) place!.hidePopover();
  };
  item.onclick = close;
  place.append(item);
  if (timeout) setTimeout(close, timeout);
  return close;
}
