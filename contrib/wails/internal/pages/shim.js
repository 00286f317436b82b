// What Wails' windows do not do themselves. It runs before any script of the page.
({ prefix, secret }) => {
  const send = window.fetch.bind(window);
  const ask = (path) => send(prefix + path, { method: "POST", headers: { "x-elyra-wails": secret } });

  // Links to elsewhere open in the browser, and the window stays in the app.
  const away = (address) => {
    const to = new URL(address, document.baseURI);
    return to.protocol !== location.protocol || to.host !== location.host ? to.href : null;
  };
  const lead = (address) => void ask("open?url=" + encodeURIComponent(address));
  // What the page sent before arrives before, unless it takes long to answer: Wails hands on requests in no certain order.
  const pending = new Set();
  window.close = () => {
    const late = new Promise((resolve) => setTimeout(resolve, 500));
    Promise.race([Promise.allSettled([...pending]), late]).then(() => ask("close"));
  };
  window.open = (address) => (lead(new URL(address ?? "", document.baseURI).href), null);
  window.addEventListener("click", (event) => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href);
    if (!link || event.defaultPrevented || link.protocol === "javascript:" || link.hasAttribute("download")) return;
    const address = away(link.href) ?? (link.target && link.target !== "_self" ? link.href : null);
    if (address === null) return;
    event.preventDefault();
    lead(address);
  });
  window.navigation?.addEventListener("navigate", (event) => {
    const address = /^(blob|data|javascript):/.test(event.destination.url) ? null : away(event.destination.url);
    if (address === null || !event.cancelable) return;
    event.preventDefault();
    lead(address);
  });

  // A stream that arrives as the answers to many requests.
  const joined = (response, name, signal) => {
    const body = new ReadableStream({
      start(controller) {
        signal?.addEventListener("abort", () => {
          controller.error(signal.reason);
          ask("drop/" + name);
        }, { once: true });
      },
      async pull(controller) {
        for (;;) {
          const piece = await ask("stream/" + name);
          if (piece.status === 204) continue;
          if (piece.status !== 200) return controller.close();
          return controller.enqueue(new Uint8Array(await piece.arrayBuffer()));
        }
      },
      cancel() {
        ask("drop/" + name);
      },
    });
    const headers = new Headers(response.headers);
    headers.delete("x-elyra-stream");
    return new Response(body, { status: response.status, headers });
  };

  // Web views lose the bytes of a Blob, a form or a stream on their way to the app, or crash. The app reads a body only
  // under the header below, so there such a body is turned into bytes first, and without it the body is left out.
  const plain = (body) => body == null || typeof body === "string" || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  const own = (input) => {
    const to = new URL(input instanceof Request ? input.url : input, document.baseURI);
    return to.protocol === location.protocol && to.host === location.host;
  };
  window.fetch = async (input, init) => {
    if (!own(input)) return send(input, init);
    const request = input instanceof Request ? input : null;
    const headers = new Headers(init?.headers ?? request?.headers);
    const bytes = headers.has("x-elyra-body");
    headers.set("x-elyra-fetch", "1");
    const changed = { ...init, headers };
    if (bytes && init?.body instanceof FormData) throw new TypeError("a request to the app takes bytes, not a form");
    if (!plain(init?.body)) changed.body = bytes ? await new Response(init.body).arrayBuffer() : null;
    if (bytes && init?.body == null && request?.body) changed.body = await request.clone().arrayBuffer();
    const sent = send(input, changed);
    pending.add(sent);
    const response = await sent.finally(() => pending.delete(sent));
    const name = response.headers.get("x-elyra-stream");
    return name ? joined(response, name, init?.signal ?? request?.signal) : response;
  };
};
