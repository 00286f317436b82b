package hosttest

import (
	"fmt"
	"io"
	"net/http"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// Remote is a server of the modern era over HTTP that has one tool.
type Remote struct {
	// Tool is the tool's name, Text what it says.
	Tool, Text string
	// Refuse gives the status with which a request is refused before anything else, 0 to answer it. Nil refuses none. The
	// method is "" for what is no message.
	Refuse func(r *http.Request, method string) int
}

func (s Remote) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	m, broken := wire.Parse(body, wire.Limits{})
	if s.Refuse != nil {
		if status := s.Refuse(r, m.Method); status != 0 {
			w.WriteHeader(status)
			return
		}
	}
	if err != nil || broken != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	result := fmt.Sprintf(`{"resultType":"complete","content":[{"type":"text","text":%q}]}`, s.Text)
	switch m.Method {
	case mcp.MethodDiscover:
		result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
	case mcp.MethodListTools:
		result = fmt.Sprintf(`{"resultType":"complete","tools":[{"name":%q,"inputSchema":{"type":"object"}}]}`, s.Tool)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(wire.AppendResult(nil, m.ID, []byte(result))) //nolint:errcheck // The client is gone then.
}
