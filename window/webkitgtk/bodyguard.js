// WebKitGTK crashes when the app asks for the bytes of a request body that is a Blob, a form or a stream. The app asks only
// under the header below, so here such a body is turned into bytes before it is sent under that header.
(() => {
  const header = "x-elyra-body";
  const send = window.fetch.bind(window);
  const plain = (body) => body == null || typeof body === "string" || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  window.fetch = async (input, init) => {
    const request = input instanceof Request;
    const headers = new Headers(init?.headers ?? (request ? input.headers : undefined));
    if (!headers.has(header)) return send(input, init);
    if (init?.body instanceof FormData) throw new TypeError("a request to the app takes bytes, not a form");
    if (init?.body != null) {
      if (plain(init.body)) return send(input, init);
      return send(input, { ...init, headers, body: await new Response(init.body).arrayBuffer() });
    }
    if (!request || !input.body) return send(input, init);
    return send(input, { ...init, headers, body: await input.clone().arrayBuffer() });
  };
  const set = XMLHttpRequest.prototype.setRequestHeader;
  XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
    if (String(name).toLowerCase() !== header) set.call(this, name, value);
  };
})();
