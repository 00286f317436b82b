package webkitgtk

import (
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/elyra-go/elyra/window"
)

// schemeRequest is called by WebKit, on GTK's thread, for each request to the app's scheme. Everything about the
// request is read here, because WebKit's objects may be touched on this thread only.
func (k *toolkit) schemeRequest(request, _ uintptr) {
	s := k.session
	if s == nil {
		gone := k.errorNewLiteral(k.quarkFromString("elyra"), 0, "the app shows no windows")
		k.requestFail(request, gone)
		k.errorFree(gone)
		return
	}
	k.objectRef(request)
	w := &response{kit: k, request: request}
	r, err := s.read(request)
	if err != nil {
		s.log.Warn("a page's request was not understood", "reason", err)
		w.Respond(400, nil, nil)
		return
	}
	s.serving++
	go func() {
		s.host.Serve(r, w)
		w.Respond(500, nil, nil) // Does nothing if the host has answered.
		k.post(func() { s.serving-- })
	}()
}

func (s *session) read(request uintptr) (*window.Request, error) {
	k := s.kit
	u, err := url.Parse(k.requestURI(request))
	if err != nil {
		return nil, err
	}
	if u.Scheme+"://"+u.Host != origin {
		return nil, fmt.Errorf("%s is not below %s", u, origin)
	}
	header := k.readHeader(k.requestHeaders(request))
	markForeign(header)
	r := &window.Request{
		Method: k.requestMethod(request),
		Path:   u.Path,
		Query:  u.RawQuery,
		Origin: origin,
		Header: header.Get,
	}
	if r.Path == "" {
		r.Path = "/"
	}
	if p := s.panes[k.requestView(request)]; p != nil {
		r.Window = p.id
	}
	if header.Get(window.BodyHeader) == window.BodyBytes {
		if r.Body, err = k.readBody(request); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// markForeign adds the Origin header that WebKit leaves out of requests to a scheme like ours, when the Referer shows that
// a foreign page made the request. One that hides its Referer cannot set headers either, since the scheme is not
// registered for cross-origin requests: it cannot have a window's token.
func markForeign(header textproto.MIMEHeader) {
	referer := header.Get("Referer")
	if header.Get("Origin") == "" && referer != "" && !strings.HasPrefix(referer, homeURL) {
		header.Set("Origin", "null")
	}
}

func (k *toolkit) readHeader(headers uintptr) textproto.MIMEHeader {
	header := textproto.MIMEHeader{}
	if headers == 0 {
		return header
	}
	var iter headerIter
	var name, value uintptr
	k.headersIterInit(unsafe.Pointer(&iter), headers)
	for k.headersIterNext(unsafe.Pointer(&iter), &name, &value) != 0 {
		header.Add(goString(name), goString(value))
	}
	return header
}

// readBody reads at most one byte more than a body may have. The bytes are in memory already, so this does not wait.
func (k *toolkit) readBody(request uintptr) ([]byte, error) {
	stream := k.requestBody(request)
	if stream == 0 {
		return nil, nil
	}
	defer k.objectUnref(stream)
	body := []byte{}
	chunk := make([]byte, 64<<10)
	for len(body) <= window.MaxBody {
		room := chunk[:min(len(chunk), window.MaxBody+1-len(body))]
		var read, gerror uintptr
		ok := k.inputStreamRead(stream, unsafe.Pointer(&room[0]), uintptr(len(room)), &read, 0, &gerror)
		body = append(body, room[:read]...)
		if ok == 0 {
			text := errorText(gerror)
			k.errorFree(gerror)
			return nil, errors.New("read a request's body: " + text)
		}
		if int(read) < len(room) {
			break
		}
	}
	return body, nil
}

// response answers one request of WebKit's. It holds a reference to it until then.
type response struct {
	kit     *toolkit
	request uintptr
	done    atomic.Bool
}

func (w *response) Respond(status int, header map[string]string, body []byte) {
	if w.done.Swap(true) {
		return
	}
	k := w.kit
	bytes := k.bytesNew(unsafe.Pointer(unsafe.SliceData(body)), uintptr(len(body))) // a copy
	k.post(func() {
		stream := k.memoryInputStream(bytes)
		k.bytesUnref(bytes)
		w.finish(status, header, stream, int64(len(body)))
	})
}

// Stream answers with one end of a pipe. What is in flight is bounded by the pipe, 64 KiB, so a writer waits for the page.
func (w *response) Stream(header map[string]string) (io.WriteCloser, error) {
	if w.done.Swap(true) {
		return nil, errors.New("stream a response: the request has been answered")
	}
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
		w.done.Store(false)
		return nil, fmt.Errorf("stream a response: %w", err)
	}
	// Only a non-blocking file can be closed under a Write that waits.
	if err := syscall.SetNonblock(ends[1], true); err != nil {
		_ = syscall.Close(ends[0])
		_ = syscall.Close(ends[1])
		w.done.Store(false)
		return nil, fmt.Errorf("stream a response: %w", err)
	}
	w.kit.post(func() {
		const unknownLength = -1
		w.finish(200, header, w.kit.unixInputStream(int32(ends[0]), 1), unknownLength)
	})
	return os.NewFile(uintptr(ends[1]), "response"), nil
}

// finish runs on GTK's thread and takes over the stream.
func (w *response) finish(status int, header map[string]string, stream uintptr, length int64) {
	k := w.kit
	answer := k.responseNew(stream, length)
	k.responseStatus(answer, uint32(status), 0)
	const responseHeaders = 1
	headers := k.headersNew(responseHeaders)
	for name, value := range header {
		if textproto.CanonicalMIMEHeaderKey(name) == "Content-Type" {
			k.responseContentType(answer, value) // for WebKit itself; the page reads the header
		}
		k.headersAppend(headers, name, value)
	}
	k.responseHeaders(answer, headers) // takes the headers over
	k.requestFinish(w.request, answer)
	k.objectUnref(answer)
	k.objectUnref(stream)
	k.objectUnref(w.request)
}
