package tools

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tools/webpage"
)

// way is how an answer is shown.
type way int

const (
	refused way = iota
	asPage
	asText
	asImage
	unknown // its bytes tell
)

// handling says how answers of a type are shown.
func handling(media string) way {
	kind, sub, _ := strings.Cut(media, "/")
	switch {
	case media == "" || media == "application/octet-stream" || media == "binary/octet-stream":
		return unknown
	case media == "text/html" || media == "application/xhtml+xml":
		return asPage
	case kind == "text", strings.HasSuffix(sub, "+json"), strings.HasSuffix(sub, "+xml"), strings.HasSuffix(sub, "+yaml"):
		return asText
	case kind == "image":
		return asImage
	}
	if kind != "application" {
		return refused
	}
	switch strings.TrimPrefix(sub, "x-") {
	case "json", "ndjson", "jsonlines", "json5", "xml", "yaml", "toml", "javascript", "ecmascript", "typescript", "sql", "graphql",
		"sh", "shellscript", "httpd-php", "tex", "latex", "perl", "python", "ruby", "www-form-urlencoded", "pem-file", "subrip":
		return asText
	}
	return refused
}

func notShown(media string, size int64) error {
	text := "of unknown size"
	if size >= 0 {
		text = result.Size(int(size))
	}
	return fmt.Errorf("it is no text or image that can be shown: %s, %s", result.OneLine(media, 80), text)
}

// output shows an answer.
func (t fetchTool) output(got answer) (Output, error) {
	how := handling(got.media)
	if how == unknown {
		got.kind = http.DetectContentType(got.body)
		got.media, _, _ = mime.ParseMediaType(got.kind)
		if how = handling(got.media); got.media == "text/plain" || got.media == "text/html" {
			got.kind = "" // the charset in it is a guess
		}
	}
	switch how {
	case asPage, asText:
		return t.text(got, how == asPage)
	case asImage:
		kind, pixels, why := result.Inspect(got.body)
		out, err := picture(got.body, len(got.body), kind, pixels, why)
		if err == nil && got.status >= 300 {
			out.IsError, out.Text = true, failure(got.status)+out.Text
		}
		return out, err
	}
	return Output{}, notShown(got.media, int64(len(got.body)))
}

// text shows a text, marked as one that somebody else wrote.
func (t fetchTool) text(got answer, isPage bool) (Output, error) {
	text, err := decoded(got.body, got.kind, isPage)
	if err != nil {
		return Output{}, fmt.Errorf("%w: %s, %s", err, result.OneLine(got.media, 80), result.Size(len(got.body)))
	}
	empty := "[it is empty]"
	if isPage {
		p, err := webpage.Read(strings.NewReader(text), got.url)
		if err != nil {
			return Output{}, fmt.Errorf("read the page: %w", err)
		}
		if text = p.Text; p.Title != "" {
			text = "title: " + p.Title + "\n\n" + text
		}
		if p.Cut {
			text += "\n[the page goes on: it is too long]"
		}
		empty = "[the page has no text: it is likely made by JavaScript, which does not run here]"
	}
	if text = result.Clean(text); strings.TrimSpace(text) == "" {
		text = empty
	}
	lines := result.CountLines(text)
	shown, overflow := t.fit(text)
	out := Output{Text: pageData(shownURL(got.url), shown), Overflow: overflow, Details: Details{Lines: lines}}
	if got.status >= 300 {
		out.IsError, out.Text = true, failure(got.status)+out.Text
	}
	return out, nil
}

func failure(status int) string {
	return strings.TrimSpace(fmt.Sprintf("fetch: the server answered with status %d %s", status, http.StatusText(status))) + "\n"
}

// forgedPage finds, in a text that somebody else wrote, what looks like the marks around it.
var forgedPage = regexp.MustCompile(`(?i)<(\s*/\s*page\b|\s*page\s+url\s*=)`)

// pageData marks a text as data. What would end the mark inside, or begin another, is taken apart.
func pageData(address, text string) string {
	text = forgedPage.ReplaceAllString(text, `<\$1`)
	return `<page url="` + address + "\">\n" + strings.TrimRight(text, "\n") + "\n</page>"
}

// decoded returns a text in UTF-8: as a byte order mark, the server or a page itself says, else UTF-8 if it is that, else
// Windows-1252.
func decoded(body []byte, kind string, isPage bool) (string, error) {
	head := body
	if !isPage {
		head = body[:min(len(body), 3)] // what a text says about a charset is not about itself
	}
	encoding, name, certain := charset.DetermineEncoding(head, kind)
	guessed := name == "windows-1252" && !certain
	if name != "utf-8" && !(guessed && utf8.Valid(body)) {
		var err error
		if body, err = encoding.NewDecoder().Bytes(body); err != nil {
			return "", fmt.Errorf("it is not in the charset %s, as it says", name)
		}
	}
	if isBinary(body) {
		return "", errors.New("it is no text")
	}
	return strings.TrimPrefix(string(body), bom), nil
}
