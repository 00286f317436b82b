// The page of the backend suite: carries out one order after the other.
const bytes = { "X-Elyra-Body": "bytes" };
const post = (path, body) => fetch(path, { method: "POST", headers: bytes, body: new TextEncoder().encode(body) });
const base64 = (array) => btoa(array.reduce((text, byte) => text + String.fromCharCode(byte), ""));
const unbase64 = (text) => Uint8Array.from(atob(text ?? ""), (char) => char.charCodeAt(0));
const word = String(window.__suite);

async function answer(response) {
  const body = new Uint8Array(await response.arrayBuffer());
  return {
    status: response.status,
    header: Object.fromEntries(response.headers),
    body: base64(body.subarray(0, 4096)),
    text: String(body.length),
  };
}

// A frame that is no page of the app, since its origin is opaque, asks the app in both ways that a page has.
function foreign(order) {
  return new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.srcdoc = `<script>
      const say = (status) => parent.postMessage({ status, text: String(window.__suite) }, "*");
      const attempt = (mode) => fetch(${JSON.stringify(new URL(order.url, location).href)}, { method: "POST", headers: { "X-Probe": mode }, mode });
      attempt("no-cors").catch(() => 0).then(() => attempt("cors")).then((r) => say(r.status), () => say(-1));
    <\/script>`;
    addEventListener("message", (event) => resolve(event.data), { once: true });
    document.body.append(frame);
  });
}

const does = {
  word: async () => ({ text: word }),
  fetch: async (order) => {
    const body = order.size ? new Uint8Array(order.size).fill(7) : order.body ? unbase64(order.body) : undefined;
    return answer(await fetch(order.url, { method: order.method ?? "GET", headers: order.header, body }));
  },
  blob: async (order) => answer(await fetch(order.url, { method: "POST", headers: order.header, body: new Blob([unbase64(order.body)]) })),
  form: async (order) => {
    const body = new FormData();
    body.append("file", new Blob(["x"]), "x.txt");
    return answer(await fetch(order.url, { method: "POST", headers: order.header, body }));
  },
  stream: async (order) => {
    const reader = (await fetch(order.url, { method: "POST", headers: bytes })).body.getReader();
    (async () => {
      for (;;) {
        const { done, value } = await reader.read();
        await post("/chunk", done ? "the end" : new TextDecoder().decode(value));
        if (done) return;
      }
    })();
    return {};
  },
  ignore: async (order) => ((window.__ignored = await fetch(order.url, { method: "POST", headers: bytes })), {}),
  begin: async (order) => (fetch(order.url, { method: "POST" }).catch(() => {}), {}),
  flood: async (order) => {
    const all = Array.from({ length: order.size }, () => fetch(order.url, { method: "POST" }).then((r) => r.arrayBuffer().then(() => r.status === 203)));
    return { text: String((await Promise.all(all)).filter(Boolean).length) };
  },
  reload: async () => {
    await post("/result", "{}");
    location.reload();
    return new Promise(() => {});
  },
  foreign,
  confirm: async () => (setTimeout(() => (window.confirm("the page's own"), window.alert("again")), 0), {}),
  close: async () => (setTimeout(() => window.close(), 0), {}),
};

for (;;) {
  const response = await fetch("/next", { method: "POST" });
  if (!response.ok) break;
  const order = await response.json();
  const result = await does[order.op](order).catch((error) => ({ error: String(error) }));
  await post("/result", JSON.stringify(result));
}
