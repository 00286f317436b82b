//go:build webkit && linux

package scaffold

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/webdriver"
	"github.com/elyra-go/elyra/rata/internal/change"
	"github.com/elyra-go/elyra/rata/internal/scaffold/resource"
)

// shop is an app that was made here, open in a window, with a home folder of the test's own.
type shop struct {
	*webdriver.Browser
	t            *testing.T
	binary, home string
}

// buildShop makes an app with a second resource that has fields of all kinds.
func buildShop(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	elyra, err := Checkout("../../..")
	if err != nil {
		t.Fatal(err)
	}
	set := change.New(dir)
	if err := (App{Name: "shop", ID: "dev.example.shop", Module: "shop", Elyra: elyra}).Add(set); err != nil {
		t.Fatal(err)
	}
	apply(t, set)
	products, err := resource.Parse("product", "", strings.Fields(`name:string:unique price:decimal stock:int size:enum(small,very_large)
		active:bool weight:float? checked:bool? released:date? due:datetime? contact:email? site:url? code:uuid? about:text?`))
	if err != nil {
		t.Fatal(err)
	}
	app, err := resource.Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	set = change.New(dir)
	if err := app.Add(set, products); err != nil {
		t.Fatal(err)
	}
	apply(t, set)
	for _, args := range [][]string{{"mod", "tidy"}, {"build", "-o", "app", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOSUMDB=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args, err, out)
		}
	}
	return filepath.Join(dir, "app")
}

func apply(t *testing.T, set *change.Set) {
	t.Helper()
	if _, err := set.Apply(false); err != nil {
		t.Fatal(err)
	}
}

// open opens an app's window, with variables beside those of a desktop session.
func open(t *testing.T, binary string, variables ...string) *shop {
	t.Helper()
	s := &shop{t: t, binary: binary, home: t.TempDir()}
	runtimeDir := t.TempDir()
	if err := os.Chmod(runtimeDir, 0o700); err != nil {
		t.Fatal(err)
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "HOME=") || strings.HasPrefix(v, "XDG_") || strings.HasPrefix(v, "DATABASE_URL=")
	})
	env = append(env, "HOME="+s.home, "XDG_RUNTIME_DIR="+runtimeDir)
	s.Browser = webdriver.Open(t, binary, append(env, variables...))
	s.shows("#instead", "No notes yet")
	return s
}

// agent connects an MCP client that agrees to everything.
func (s *shop) agent() *mcpclient.Client {
	s.t.Helper()
	shim := mcpclient.Command(func() *exec.Cmd {
		cmd := exec.Command(s.binary, "--mcp")
		cmd.Env = []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH")}
		return cmd
	}, mcpclient.CommandOptions{})
	agree := func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
		return mcp.ElicitResult{Action: "accept"}, nil
	}
	client, err := mcpclient.Connect(s.t.Context(), shim, mcpclient.Options{Info: mcp.Implementation{Name: "Test agent", Version: "1"}, Elicit: agree})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { client.Close() })
	return client
}

// call calls a tool and reports whether it worked.
func (s *shop) call(c *mcpclient.Client, tool string, args any) bool {
	s.t.Helper()
	r, err := c.CallTool(s.t.Context(), tool, args, mcpclient.CallOptions{})
	if err != nil {
		s.t.Fatalf("%s: %v", tool, err)
	}
	return !r.IsError
}

// is waits until an expression is true in the page.
func (s *shop) is(what, expression string) {
	s.t.Helper()
	webdriver.Until(s.t, what, func() bool {
		var ok bool
		s.Eval("return !!("+expression+")", &ok)
		return ok
	})
}

// shows waits until the text of an element has want in it. What is hidden has no text.
func (s *shop) shows(selector, want string) {
	s.t.Helper()
	webdriver.Until(s.t, selector+" to say "+want, func() bool {
		var text string
		s.Eval(`return document.querySelector("`+selector+`")?.innerText ?? ""`, &text)
		return strings.Contains(text, want)
	})
}

// picture leaves a picture of the window in the folder ELYRA_PICTURES, if that is set.
func (s *shop) picture(name string) {
	s.t.Helper()
	if folder := os.Getenv("ELYRA_PICTURES"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, name), s.Screenshot(), 0o644); err != nil {
			s.t.Error(err)
		}
	}
}

// put types text into a field of the form in the place of what is there.
func (s *shop) put(field, text string) {
	s.t.Helper()
	s.Eval(`document.getElementById("field-`+field+`").value = ""`, nil)
	if text != "" {
		s.Type("#field-"+field, text)
	}
}

// firstRow clicks the first row of the list, or gives it the keyboard.
func (s *shop) firstRow(what string) {
	s.t.Helper()
	s.is("a row", `document.querySelector("#rows tr")?.`+what+`() === undefined`)
}

const (
	formIsOpen   = `!document.getElementById("panel").hidden`
	formIsClosed = `document.getElementById("panel").hidden`
	questionOpen = `document.querySelector("dialog[open]")`
)

// TestTheWindowOfANewApp uses it as a person does, while an agent works in it.
func TestTheWindowOfANewApp(t *testing.T) {
	binary := buildShop(t)
	t.Run("a person", func(t *testing.T) { aPerson(open(t, binary)) })
	t.Run("an agent", func(t *testing.T) { anAgent(open(t, binary)) })
	t.Run("all kinds of fields", func(t *testing.T) { allKinds(open(t, binary)) })
	t.Run("a dark desktop", func(t *testing.T) {
		s := open(t, binary, "GTK_THEME=Adwaita:dark")
		s.is("the page to be dark", `matchMedia("(prefers-color-scheme: dark)").matches`)
		s.picture("new-dark.png")
	})
}

func aPerson(s *shop) {
	s.Press("n")
	s.is("the form", formIsOpen)
	s.Press(webdriver.Enter)
	s.shows("#problem-title", "Title is required")
	s.is("the keyboard to be in the wrong field", `document.activeElement.id === "field-title" && document.activeElement.ariaInvalid === "true"`)
	s.Type("#field-title", "Buy milk")
	s.Press(webdriver.Enter)
	s.shows("#rows", "Buy milk")
	s.is("the form to close", formIsClosed)
	s.shows("#total", "1 note")

	// What was typed is given up only when the user says so.
	s.Press(webdriver.Down, webdriver.Enter)
	s.is("the form of the row", formIsOpen)
	s.put("title", "Buy bread")
	s.Press(webdriver.Escape)
	s.is("the question", questionOpen)
	s.Press(webdriver.Escape)
	s.is("the question to be answered with no", "!"+questionOpen+" && "+formIsOpen)
	s.Click("#save")
	s.shows("#rows", "Buy bread")
	s.is("the form to close", formIsClosed)

	s.Click("#search")
	s.Type("#search", "zebra")
	s.shows("#instead", "Nothing matches “zebra”")
	s.Click("#instead button")
	s.shows("#rows", "Buy bread")

	s.firstRow("focus")
	s.Press(webdriver.Delete)
	s.shows("#question", "Delete “Buy bread”?")
	s.Press(webdriver.Enter)
	s.is("the answer no", "!"+questionOpen)
	s.shows("#rows", "Buy bread")
	s.firstRow("focus")
	s.Press(webdriver.Delete)
	s.is("the question", questionOpen)
	s.Click("#question-yes")
	s.shows("#instead", "No notes yet")
}

func anAgent(s *shop) {
	agent := s.agent()
	for _, title := range []string{"Water the plants", "Call Ada", "Buy milk"} {
		if !s.call(agent, "notes_store", map[string]any{"input": map[string]any{"title": title}}) {
			s.t.Errorf("%s is not stored", title)
		}
	}
	s.shows("#rows", "Buy milk")
	s.shows("#activity", "Test agent added a note")
	s.firstRow("click")
	s.is("the form", formIsOpen)
	s.is("what the agent added to stand out", `document.querySelectorAll("#rows tr.fresh").length > 1`)
	s.picture("new.png")

	// What is open is deleted: it is said, and the form stays.
	if !s.call(agent, "notes_destroy", map[string]any{"id": 3}) {
		s.t.Error("the note is not deleted")
	}
	s.shows("#form-problem", "This note can no longer be read")
	s.shows("#activity", "Test agent deleted a note")
	s.Click("#close")
	s.Click("#pause")
	s.shows("#activity", "Agents are paused")
	if s.call(agent, "notes_index", map[string]any{}) {
		s.t.Error("a paused agent reads")
	}
	s.Request(http.MethodPost, "/refresh", map[string]any{})
	s.shows("#activity", "Agents are paused")
	s.Click("#pause")
	s.shows("#activity", "No agent is at work")
}

func allKinds(s *shop) {
	s.Eval(`location.hash = "#products"`, nil)
	s.shows("#title", "Products")
	s.Press("n")
	s.is("the form", formIsOpen)
	s.Click("#save")
	s.shows("#problem-price", "Price is required")
	s.put("name", "Lamp")
	s.put("price", "12,50")
	s.put("stock", "forty")
	s.Eval(`document.getElementById("field-size").value = "very_large"`, nil)
	s.Click("#field-active")
	s.Click("#save")
	s.shows("#problem-price", "decimal number")
	s.shows("#problem-stock", "Stock must be an integer")
	s.picture("new-form.png")
	for field, text := range map[string]string{
		"price": "12.5", "stock": "40", "weight": "1.5", "contact": "ada@example.org", "site": "https://example.org/", "about": "Warm light.\nTwo sizes.",
	} {
		s.put(field, text)
	}
	s.Eval(`document.getElementById("field-released").value = "2026-12-24"; document.getElementById("field-due").value = "2026-12-24T18:30"`, nil)
	s.Click("#save")
	s.shows("#rows", "12.50")
	s.shows("#rows", "Very large")

	value := func(field, want string) {
		s.t.Helper()
		s.is(field+" to be "+want, `document.getElementById("field-`+field+`").value === "`+want+`"`)
	}
	s.firstRow("click")
	s.is("the form", formIsOpen)
	value("price", "12.50")
	value("released", "2026-12-24")
	value("due", "2026-12-24T18:30")
	s.is("active to be on", `document.getElementById("field-active").checked`)
	for _, field := range []string{"price", "weight", "released", "due", "contact", "about"} {
		s.put(field, "")
	}
	s.Click("#save")
	s.shows("#problem-price", "Price is required")
	s.put("price", "7")
	s.Click("#save")
	s.shows("#rows", "7.00")
	s.is("the form to close", formIsClosed)
	s.firstRow("click")
	s.is("the form", formIsOpen)
	for _, field := range []string{"weight", "released", "due", "contact", "about"} {
		value(field, "")
	}
	value("site", "https://example.org/")
	s.Press(webdriver.Escape)
	s.is("the form to close without a question", formIsClosed)
	s.Eval(`[...document.querySelectorAll("th button")].find((b) => b.textContent === "Price").click()`, nil)
	s.is("the order", `document.querySelector("th[aria-sort=ascending]")?.textContent.startsWith("Price")`)
}
