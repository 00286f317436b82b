package result

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

func picture(t testing.TB, width, height int, encode func(*bytes.Buffer, image.Image) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asPNG(b *bytes.Buffer, m image.Image) error  { return png.Encode(b, m) }
func asJPEG(b *bytes.Buffer, m image.Image) error { return jpeg.Encode(b, m, nil) }
func asGIF(b *bytes.Buffer, m image.Image) error  { return gif.Encode(b, m, nil) }

func TestRender_blocks(t *testing.T) {
	t.Parallel()
	small := picture(t, 2, 3, asPNG)
	text := mcp.Text
	for name, c := range map[string]struct {
		result mcp.CallToolResult
		want   string
	}{
		"nothing":                 {mcp.CallToolResult{}, "[the tool returned nothing]"},
		"only white space":        {mcp.CallToolResult{Content: []mcp.Content{text(" \n")}}, "[the tool returned nothing]"},
		"an error without a word": {mcp.CallToolResult{IsError: true}, "[the tool failed without saying why]"},
		"texts":                   {mcp.CallToolResult{Content: []mcp.Content{text("a\n"), text("b"), text("c")}}, "a\nb\nc"},
		"cleaned":                 {mcp.CallToolResult{Content: []mcp.Content{text("\x1b[31ma\x00\xff")}}, "a␀\ufffd"},
		"image":                   {mcp.CallToolResult{Content: []mcp.Content{{Type: "image", MIMEType: "image/jpeg", Data: small}}}, "[image 1: image/png, 74 bytes, 2×3 pixels]"},
		"no image":                {mcp.CallToolResult{Content: []mcp.Content{{Type: "image", MIMEType: "image/svg+xml", Data: []byte("<svg/>")}}}, "[image left out: image/svg+xml, 6 bytes; its bytes are no PNG, JPEG, GIF or WebP]"},
		"empty image":             {mcp.CallToolResult{Content: []mcp.Content{{Type: "image"}}}, "[image left out: unknown type; it is empty]"},
		"audio":                   {mcp.CallToolResult{Content: []mcp.Content{{Type: "audio", MIMEType: "audio/wav", Data: make([]byte, 3000)}}}, "[audio: audio/wav, 2 KB; it cannot be played here]"},
		"link":                    {mcp.CallToolResult{Content: []mcp.Content{{Type: "resource_link", Name: "log", URI: "file:///a\nb", MIMEType: "text/plain", Size: 5 << 20, Title: "The log", Description: "All\x1b[1m of it"}}}, "[resource link: log <file:///a b>, The log, text/plain, 5.0 MB: All of it]"},
		"embedded text":           {mcp.CallToolResult{Content: []mcp.Content{{Type: "resource", Resource: &mcp.ResourceContents{URI: "a:b", MIMEType: "text/x", Text: "x\ny"}}}}, "[resource <a:b>, text/x]\nx\ny"},
		"embedded bytes":          {mcp.CallToolResult{Content: []mcp.Content{{Type: "resource", Resource: &mcp.ResourceContents{URI: "a:b", Blob: []byte{1}}}}}, "[resource <a:b>: unknown type, 1 bytes; it is no text]"},
		"embedded image":          {mcp.CallToolResult{Content: []mcp.Content{{Type: "resource", Resource: &mcp.ResourceContents{URI: "a:b", MIMEType: "image/png", Blob: small}}}}, "[image 1 of the resource <a:b>: image/png, 74 bytes, 2×3 pixels]"},
		"embedded nothing":        {mcp.CallToolResult{Content: []mcp.Content{{Type: "resource"}}}, "[a resource without content]"},
		"unknown type":            {mcp.CallToolResult{Content: []mcp.Content{{Type: "video\n"}}}, `[content of the type "video" cannot be shown]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Render(&c.result, Options{})
			if err != nil || got.Text != c.want {
				t.Errorf("got %q, %v, want %q", got.Text, err, c.want)
			}
			if got.IsError != c.result.IsError || got.Overflow != "" || got.Warning != "" {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestRender_noTextIsDroppedWhenStructuredContentIsPresent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		texts      []string
		structured string
		want       string
	}{
		"only structured":       {nil, `{"a": 1}`, `{"a":1}`},
		"null":                  {[]string{"a"}, `null`, "a"},
		"both":                  {[]string{"in words"}, `{"a":1}`, "in words\n{\"a\":1}"},
		"the same JSON":         {[]string{"{\n  \"b\": 2.0, \"a\": 1}"}, `{"a":1,"b":2}`, "{\n  \"b\": 2.0, \"a\": 1}"},
		"the same beside words": {[]string{"words", `{"a":1}`}, `{"a":1}`, "words\n{\"a\":1}"},
		"wrapped string":        {[]string{"in words"}, `{"result":"in words\n"}`, "in words"},
		"wrapped JSON":          {[]string{`[1,2]`}, `{"result":[1,2]}`, "[1,2]"},
		"a text per element":    {[]string{"a", `{"b":1}`}, `{"result":["a",{"b":1}]}`, "a\n{\"b\":1}"},
		"one element more":      {[]string{"a"}, `{"result":["a","b"]}`, "a\n{\"result\":[\"a\",\"b\"]}"},
		"a text among others":   {[]string{"b"}, `{"a":1,"x":"b"}`, "b\n{\"a\":1,\"x\":\"b\"}"},
		"not JSON":              {[]string{"a"}, "{\x1b[1m", "a\n{"},
		"escapes in JSON":       {nil, `{"a":"\u001b[31m\u0000"}`, `{"a":"\u001b[31m\u0000"}`},
		"duplicate names":       {nil, `{"a":1,"a":2}`, `{"a":1,"a":2}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mcp.CallToolResult{StructuredContent: jsontext.Value(c.structured)}
			for _, text := range c.texts {
				r.Content = append(r.Content, mcp.Text(text))
			}
			if got, err := Render(&r, Options{}); err != nil || got.Text != c.want {
				t.Errorf("got %q, %v, want %q", got.Text, err, c.want)
			}
		})
	}
	t.Run("large ones have lines", func(t *testing.T) {
		t.Parallel()
		r := mcp.CallToolResult{StructuredContent: jsontext.Value(`[` + strings.Repeat(`{"a":1},`, 1000) + `{}]`)}
		if got, err := Render(&r, Options{}); err != nil || strings.Count(got.Text, "\n") < 1000 {
			t.Errorf("%d lines, %v", strings.Count(got.Text, "\n"), err)
		}
	})
}

func TestRender_images(t *testing.T) {
	t.Parallel()
	webp := func(chunk string, rest ...byte) []byte {
		return append([]byte("RIFF\x24\x00\x00\x00WEBP"+chunk+"\x0a\x00\x00\x00"), rest...)
	}
	for name, c := range map[string]struct {
		data []byte
		want string // its type, or why it is left out
	}{
		"png":           {picture(t, 1, 1, asPNG), "image/png"},
		"jpeg":          {picture(t, 1, 1, asJPEG), "image/jpeg"},
		"gif":           {picture(t, 1, 1, asGIF), "image/gif"},
		"webp extended": {webp("VP8X", 0, 0, 0, 0, 99, 0, 0, 49, 0, 0), "image/webp"},
		"webp lossless": {webp("VP8L", 0x2f, 1, 0, 0, 0, 0, 0, 0, 0, 0), "image/webp"},
		"webp lossy":    {webp("VP8 ", 0, 0, 0, 0x9d, 0x01, 0x2a, 5, 0, 6, 0), "image/webp"},
		"webp damaged":  {webp("VP9 ", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), "it is damaged"},
		"png damaged":   {[]byte("\x89PNG\r\n\x1a\nxxxx"), "it is damaged"},
		"webp huge":     {webp("VP8X", 0, 0, 0, 0, 255, 255, 0, 49, 0, 0), "it has 65536×50 pixels"},
		"png too wide":  {picture(t, 8001, 1, asPNG), "it has 8001×1 pixels, more than 8000"},
		"png too high":  {picture(t, 1, 8001, asPNG), "it has 1×8001 pixels, more than 8000"},
		"webp torn":     {webp("VP8X"), "its bytes are no PNG"},
		"html":          {[]byte("<html>not an image at all</html>"), "its bytes are no PNG"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mcp.CallToolResult{Content: []mcp.Content{{Type: "image", MIMEType: "image/png", Data: c.data}}}
			got, err := Render(&r, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got.Text, c.want) {
				t.Errorf("got %q, want %q", got.Text, c.want)
			}
			if shown := strings.HasPrefix(c.want, "image/"); shown != (len(got.Images) == 1) || shown && got.Images[0].MIMEType != c.want {
				t.Errorf("got %d images", len(got.Images))
			}
		})
	}
	t.Run("bounds", func(t *testing.T) {
		t.Parallel()
		block := mcp.Content{Type: "image", Data: picture(t, 1, 1, asPNG)}
		r := mcp.CallToolResult{Content: []mcp.Content{block, block, block}}
		got, err := Render(&r, Options{MaxImages: 2})
		if err != nil || len(got.Images) != 2 || !strings.Contains(got.Text, "there are more than 2") {
			t.Errorf("%d images, %q, %v", len(got.Images), got.Text, err)
		}
		got, err = Render(&r, Options{MaxImageBytes: 10})
		if err != nil || len(got.Images) != 0 || !strings.Contains(got.Text, "larger than 10 bytes") {
			t.Errorf("%d images, %q, %v", len(got.Images), got.Text, err)
		}
	})
}

func FuzzRender(f *testing.F) {
	f.Add("text", "a\x1b[31m\nb", `{"a":1}`, `{"type":"object"}`, 100, 3, false)
	f.Add("image", "\x89PNG\r\n\x1a\n", ``, ``, 1000, 10, true)
	f.Add("resource", "👨\u200d👩\n漢字\n\n", `[1,2,3]`, `{"$ref":"#"}`, 700, 2, false)
	f.Add("text", strings.Repeat("line\n", 300), `{"a":{"b":[]}}`, `{"properties":{"a":{"required":["c"]}}}`, 800, 50, false)
	f.Fuzz(func(t *testing.T, kind, text, structured, schema string, size, lines int, isError bool) {
		size, lines = 600+abs(size)%5000, 2+abs(lines)%100
		c := mcp.Content{Type: kind, Text: text, Data: []byte(text), Name: text, URI: text, MIMEType: kind, Resource: &mcp.ResourceContents{Text: text, URI: kind}}
		r := mcp.CallToolResult{Content: []mcp.Content{c, mcp.Text(text)}, StructuredContent: jsontext.Value(structured), IsError: isError}
		folder := t.TempDir()
		got, err := Render(&r, Options{Limits: Limits{size, lines}, Folder: folder, OutputSchema: jsontext.Value(schema)})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Text) > size+1 || CountLines(got.Text) > lines || got.Text == "" {
			t.Errorf("%d bytes of %d, %d lines of %d:\n%s", len(got.Text), size, CountLines(got.Text), lines, got.Text)
		}
		if Clean(got.Text) != got.Text {
			t.Errorf("not clean: %q", got.Text)
		}
		if got.Overflow != "" {
			cutsAreWhole(t, got, size)
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}
