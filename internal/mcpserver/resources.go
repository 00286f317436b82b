package mcpserver

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// ResourceCatalog is what a server offers to read. Its methods are called concurrently.
type ResourceCatalog interface {
	// Resources returns the resources sorted by URI, the same for every connection.
	Resources() []mcp.Resource

	// ResourceTemplates returns the templates sorted by URI, the same for every connection.
	ResourceTemplates() []mcp.ResourceTemplate

	// ReadResource returns what is under a URI, in one part or more. An error that is an
	// *UnknownResource, a *wire.Error or, for modern requests, an *InputRequired reaches the
	// client as that; any other, or a panic, as an internal error with an incident id under
	// which its cause is logged.
	ReadResource(ctx context.Context, read *Read) ([]mcp.ResourceContents, error)

	// SubscribeResource begins to watch a resource. It does not wait for anything. Its error
	// is treated like that of ReadResource.
	SubscribeResource(s *Subscription) (Watch, error)
}

// Read is one request to read a resource.
type Read struct {
	Exchange
	// URI is what the client sent, of any length and form.
	URI string
}

// Subscription is the wish to be told when a resource changes.
type Subscription struct {
	Peer
	URI string
	// Updated tells the client that the resource has changed. It never blocks. A client that
	// does not keep up is told of several changes once.
	Updated func()
}

// Watch is a resource that the catalog watches.
type Watch struct {
	// Settled is closed as soon as every later change will be told. The client waits for
	// that, though not long. Nil is settled.
	Settled <-chan struct{}
	// Stop ends it. What was about to be told may still be.
	Stop func()
}

// UnknownResource is the error by which a catalog says that there is no resource under a URI.
type UnknownResource struct {
	URI string
	// Hint is put after the sentence that says so: "; did you mean …?"
	Hint string
}

func (e *UnknownResource) Error() string {
	return fmt.Sprintf("there is no resource %q%s", clip(e.URI), e.Hint)
}

// answer is the error in the form of the peer's era.
func (e *UnknownResource) answer(peer Peer) *wire.Error {
	code := mcp.CodeLegacyResourceNotFound
	if peer.Modern() {
		code = wire.CodeInvalidParams
	}
	err := wire.Errorf(code, "%s", e.Error())
	err.Data = map[string]string{"uri": e.URI}
	return err
}

// listResources answers resources/list.
func (c *conn) listResources(r *request) *wire.Error {
	return c.list(r, "resources", func() any {
		list := c.s.o.Resources.Resources()
		if titled(r.peer) {
			return list
		}
		shown := make([]mcp.Resource, len(list))
		for i, resource := range list {
			resource.Title = ""
			shown[i] = resource
		}
		return shown
	})
}

// listTemplates answers resources/templates/list.
func (c *conn) listTemplates(r *request) *wire.Error {
	return c.list(r, "resourceTemplates", func() any {
		list := c.s.o.Resources.ResourceTemplates()
		if titled(r.peer) {
			return list
		}
		shown := make([]mcp.ResourceTemplate, len(list))
		for i, template := range list {
			template.Title = ""
			shown[i] = template
		}
		return shown
	})
}

// titled reports whether the peer's revision has titles beside names.
func titled(p Peer) bool { return mcp.AtLeast(p.Version, mcp.V2025_06_18) }

// readResource accepts a request to read.
func (c *conn) readResource(r *request) *wire.Error {
	read := &Read{}
	var err *wire.Error
	if read.URI, err = r.uri(); err != nil {
		return err
	}
	if err := read.read(r); err != nil {
		return err
	}
	return c.launch(r, func(f *flight) []byte {
		read.bind(f)
		return c.answerFor(f, asked{"resource", read.URI, func(ctx context.Context) ([]byte, error) {
			contents, err := c.s.o.Resources.ReadResource(ctx, read)
			if err != nil {
				return nil, err
			}
			return encodeContents(contents, r.peer)
		}})
	})
}

// uri returns the parameter that names a resource.
func (r *request) uri() (string, *wire.Error) {
	uri, err := r.params.text("uri")
	if err == nil && uri == "" {
		err = wire.Errorf(wire.CodeInvalidParams, "%s needs params.uri, a string", r.method)
	}
	return uri, err
}

// encodeContents encodes the members of the result of a read. What was read may change at any
// time, so nobody may keep it; who wants to know of changes subscribes.
func encodeContents(contents []mcp.ResourceContents, peer Peer) ([]byte, error) {
	if len(contents) == 0 {
		return nil, errors.New("the catalog returned a resource without contents")
	}
	list, err := json.Marshal(contents, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("encode the contents: %w", err)
	}
	members := append([]byte(`"contents":`), wire.OneLine(list)...)
	if peer.Modern() {
		members = append(members, uncached...)
	}
	return members, nil
}
