package devpage

import (
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/elyra-go/elyra/window"
)

// largest is how much of an answer is passed on.
const largest = 64 << 20

// passed are the headers of a page's request that say what kind of file it wants.
var passed = []string{"Accept", "Sec-Fetch-Dest"}

// forward answers with what the development server says.
func (d *Developer) forward(r *window.Request, w window.ResponseWriter) {
	address := *d.server
	address.Path, address.RawQuery = r.Path, r.Query
	request, err := http.NewRequest(http.MethodGet, address.String(), nil)
	if err != nil {
		d.fail(w, err)
		return
	}
	for _, name := range passed {
		if value := r.Header(name); value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := d.client.Do(request)
	if err != nil {
		d.fail(w, err)
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, largest+1))
	if err == nil && len(body) > largest {
		err = fmt.Errorf("%s is larger than %d MiB", r.Path, largest>>20)
	}
	if err != nil {
		d.fail(w, err)
		return
	}
	status := response.StatusCode
	if status == http.StatusMovedPermanently || status == http.StatusFound || status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect {
		target, err := url.Parse(response.Header.Get("Location"))
		if err == nil {
			err = fmt.Errorf("it leads to %s: its base has to be /", target.Path)
		}
		d.fail(w, err)
		return
	}
	w.Respond(status, header(response.Header.Get("Content-Type"), d.policy), body)
}

func (d *Developer) fail(w window.ResponseWriter, err error) {
	w.Respond(502, header("text/plain; charset=utf-8", d.policy), fmt.Appendf(nil, "the frontend's development server: %v", err))
}
