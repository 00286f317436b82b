package result

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

// MaxImageBytes is the size of the largest image that providers take.
const MaxImageBytes = 3840 << 10

// Limits bounds the text of a result.
type Limits struct {
	Bytes int // 0 means 50 KB
	Lines int // 0 means 2000
}

// Options says how a result is shown.
type Options struct {
	Limits Limits

	// Folder is where the whole text is kept when it is over the limits; it is made with mode 0700 when it is missing. With
	// "" the middle of such a text is lost, and the text says so.
	Folder string

	MaxImages     int // 0 means 10; more are only named
	MaxImageBytes int // of one image; 0 means 3.75 MB, which is what providers take

	// OutputSchema is what the tool promised about its structured content; nil is not checked.
	OutputSchema jsontext.Value
}

// Image is a picture that model providers take: PNG, JPEG, GIF or WebP, at most 8000 pixels high and wide.
type Image struct {
	MIMEType string // as the bytes say, whatever the server said
	Data     []byte
}

// Rendered is a result as it is shown. Its text is the server's: the caller marks it as data.
type Rendered struct {
	Text     string // never empty
	Images   []Image
	Overflow string // the path of the file with the whole text, "" when Text is the whole
	IsError  bool   // Text says what went wrong.

	// Warning is ours, not the server's: that the structured content is not what the tool promised. It is no failure.
	Warning string
}

// Render shows a result. The Rendered can be used also when there is an error: then the whole text could not be kept.
func Render(r *mcp.CallToolResult, o Options) (Rendered, error) {
	w := writer{o: o.withDefaults()}
	for _, block := range r.Content {
		w.block(block)
	}
	if text := structured(r.StructuredContent, w.texts); text != "" {
		w.line(text)
	}
	out := Rendered{Images: w.images, IsError: r.IsError, Warning: mismatch(r, o.OutputSchema)}
	text := w.out.String()
	if strings.TrimSpace(text) == "" {
		text = "[the tool returned nothing]"
		if r.IsError {
			text = "[the tool failed without saying why]"
		}
	}
	var err error
	out.Text, out.Overflow, err = Fit(text, w.o.Limits, o.Folder)
	return out, err
}

func (l Limits) withDefaults() Limits {
	return Limits{standard(l.Bytes, 50<<10), standard(l.Lines, 2000)}
}

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.withDefaults()
	o.MaxImages = standard(o.MaxImages, 10)
	o.MaxImageBytes = standard(o.MaxImageBytes, MaxImageBytes)
	return o
}

func standard(value, other int) int {
	if value <= 0 {
		return other
	}
	return value
}

// writer collects the text of a result, one block after the other.
type writer struct {
	o      Options
	out    strings.Builder
	texts  []string // the texts among the blocks, as they came
	images []Image
}

// line adds a text that begins on a line of its own.
func (w *writer) line(text string) {
	if w.out.Len() > 0 && !strings.HasSuffix(w.out.String(), "\n") {
		w.out.WriteByte('\n')
	}
	w.out.WriteString(text)
}

func (w *writer) block(c mcp.Content) {
	switch c.Type {
	case mcp.ContentText:
		w.texts = append(w.texts, c.Text)
		w.line(Clean(c.Text))
	case mcp.ContentImage:
		w.image("", c.MIMEType, c.Data)
	case mcp.ContentAudio:
		w.line(fmt.Sprintf("[audio: %s; it cannot be played here]", details(c.MIMEType, len(c.Data))))
	case mcp.ContentLink:
		w.link(c)
	case mcp.ContentEmbedded:
		w.resource(c.Resource)
	default:
		w.line(fmt.Sprintf("[content of the type %q cannot be shown]", OneLine(c.Type, 80)))
	}
}

// image adds a picture; of says where it is from.
func (w *writer) image(of, declared string, data []byte) {
	kind, pixels, why := Inspect(data)
	switch {
	case why != "":
	case len(data) > w.o.MaxImageBytes:
		why = "it is larger than " + Size(w.o.MaxImageBytes)
	case len(w.images) >= w.o.MaxImages:
		why = fmt.Sprintf("there are more than %d", w.o.MaxImages)
	}
	if why != "" {
		w.line(fmt.Sprintf("[image%s left out: %s; %s]", of, details(declared, len(data)), why))
		return
	}
	w.images = append(w.images, Image{kind, data})
	w.line(fmt.Sprintf("[image %d%s: %s, %s]", len(w.images), of, details(kind, len(data)), pixels))
}

func (w *writer) link(c mcp.Content) {
	text := fmt.Sprintf("[resource link: %s <%s>", OneLine(c.Name, 256), OneLine(c.URI, 2048))
	if c.Title != "" && c.Title != c.Name {
		text += ", " + OneLine(c.Title, 256)
	}
	if c.MIMEType != "" || c.Size > 0 {
		text += ", " + details(c.MIMEType, int(c.Size))
	}
	if c.Description != "" {
		text += ": " + OneLine(c.Description, 500)
	}
	w.line(text + "]")
}

func (w *writer) resource(r *mcp.ResourceContents) {
	switch {
	case r == nil:
		w.line("[a resource without content]")
	case r.Blob == nil:
		w.texts = append(w.texts, r.Text)
		head := "[resource <" + OneLine(r.URI, 2048) + ">"
		if r.MIMEType != "" {
			head += ", " + OneLine(r.MIMEType, 80)
		}
		w.line(head + "]\n" + Clean(r.Text))
	case strings.HasPrefix(r.MIMEType, "image/"):
		w.image(" of the resource <"+OneLine(r.URI, 2048)+">", r.MIMEType, r.Blob)
	default:
		w.line(fmt.Sprintf("[resource <%s>: %s; it is no text]", OneLine(r.URI, 2048), details(r.MIMEType, len(r.Blob))))
	}
}

// details says of what type something is and how large.
func details(kind string, bytes int) string {
	kind = OneLine(kind, 80)
	if kind == "" {
		kind = "unknown type"
	}
	if bytes <= 0 {
		return kind
	}
	return kind + ", " + Size(bytes)
}

// Size writes a number of bytes for people.
func Size(bytes int) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
	case bytes >= 1<<10:
		return fmt.Sprintf("%d KB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// OneLine cleans a short text of somebody else's that goes into a line of ours.
func OneLine(s string, most int) string {
	if len(s) > 4*most {
		s = s[:CutAt(s, 4*most)]
	}
	s = strings.Join(strings.Fields(Clean(s)), " ")
	if len(s) <= most {
		return s
	}
	return s[:CutAt(s, most)] + "…"
}
