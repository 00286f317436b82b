//go:build webkit && linux

package e2e

import (
	"bytes"
	"database/sql"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/internal/webdriver"
)

// save writes a picture to the folder ELYRA_PICTURES, if that is set.
func save(t *testing.T, name string, picture []byte) {
	t.Helper()
	folder := os.Getenv("ELYRA_PICTURES")
	if folder == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(folder, name), picture, 0o644); err != nil {
		t.Error(err)
	}
}

// file is the app's database, opened by the test beside the app.
func (c *crm) file(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: "sqlite:" + filepath.Join(c.home, ".local", "share", "dev.elyra.crm", "crm.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func (c *crm) exec(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// shows waits until an element's text has want in it. What is hidden has no text.
func (c *crm) shows(t *testing.T, id, want string) {
	t.Helper()
	webdriver.Until(t, id+" to say "+want, func() bool {
		var text string
		c.Eval(`return document.getElementById("`+id+`").innerText`, &text)
		return strings.Contains(text, want)
	})
}

// TestPictures shows the windows as their user sees them: an agent at work in two of them, on a light and a dark desktop,
// without rows, and when the rows cannot be read. The pictures of the guide are made by it: scripts/window.sh pictures.
func TestPictures(t *testing.T) {
	app := openCRM(t)
	second := app.secondWindow(t)
	agent := app.agent(t, nil)
	add := func(c *crm, name, email, company string) {
		t.Helper()
		args := map[string]any{"input": map[string]any{"name": name, "email": email, "company": company, "phone": "+44 20 555 0143"}}
		if text, failed := call(t, agent, "customers_store", args); failed {
			t.Fatal(text)
		}
		c.shows(t, "rows", name)
	}
	add(app, "Grace Hopper", "grace@example.org", "Compiler Works")
	add(app, "Ada Lovelace", "ada@example.org", "Analytical Engines")
	app.shows(t, "activity", "Test agent added a customer")
	first := app.Screenshot()
	save(t, "crm.png", first)
	app.in(t, second, func() {
		app.Eval(`document.querySelector("#rows tr").click()`, nil)
		app.shows(t, "detail", "Analytical Engines")
		app.shows(t, "activity", "Test agent added a customer")
		save(t, "two-windows.png", sideBySide(t, first, app.Screenshot()))
	})

	db := app.file(t)
	app.exec(t, db, "ALTER TABLE customers RENAME TO elsewhere")
	app.shows(t, "problem", "These rows may be out of date")
	if rows := app.rows(); !strings.Contains(rows, "Ada Lovelace") {
		t.Errorf("the rows that were read before are gone: %q", rows)
	}
	save(t, "outdated.png", app.Screenshot())
	app.Eval(`location.hash = "#orders"`, nil)
	app.Eval(`location.hash = "#customers"`, nil)
	app.shows(t, "empty", "The customers could not be read")
	save(t, "error.png", app.Screenshot())
	app.exec(t, db, "ALTER TABLE elsewhere RENAME TO customers")
	app.Eval(`[...document.querySelectorAll("#empty button, #again")].find((b) => b.checkVisibility())?.click()`, nil)
	app.shows(t, "rows", "Ada Lovelace")

	app.Eval(`const search = document.getElementById("search"); search.value = "zebra"; search.dispatchEvent(new Event("input"));`, nil)
	app.shows(t, "empty", "No customer matches “zebra”")
	app.Eval(`document.querySelector("#empty button").click()`, nil)
	app.shows(t, "rows", "Ada Lovelace")
	app.exec(t, db, "DELETE FROM orders")
	app.exec(t, db, "DELETE FROM customers")
	app.shows(t, "empty", "No customers yet")
	app.Eval(`requestAnimationFrame(() => requestAnimationFrame(() => (window.framed = true)))`, nil)
	webdriver.Until(t, "two frames of a page that rests", func() bool {
		var framed bool
		app.Eval(`return !!window.framed`, &framed)
		return framed
	})
	save(t, "empty.png", app.Screenshot())
}

// TestPicturesOnADarkDesktop looks at the other half of the style sheet.
func TestPicturesOnADarkDesktop(t *testing.T) {
	app := openCRM(t, "GTK_THEME=Adwaita:dark")
	var dark bool
	app.Eval(`return matchMedia("(prefers-color-scheme: dark)").matches`, &dark)
	if !dark {
		t.Error("the page does not know that the desktop is dark")
	}
	app.Eval(`document.querySelectorAll("#rows tr")[2].click()`, nil)
	app.shows(t, "detail", "Customer since")
	app.Eval(`document.querySelectorAll("#rows tr")[2].focus()`, nil)
	save(t, "crm-dark.png", app.Screenshot())
	app.Eval(`document.getElementById("add").click(); document.querySelector("dialog form").requestSubmit();`, nil)
	webdriver.Until(t, "the form to explain itself", func() bool {
		var wrong int
		app.Eval(`return document.querySelectorAll("#fields .wrong").length`, &wrong)
		return wrong > 0
	})
	save(t, "form-dark.png", app.Screenshot())
	app.Request(http.MethodPost, "/refresh", map[string]any{})
	app.shows(t, "rows", "@example.com")
}

// sideBySide is one picture of two, on a desktop.
func sideBySide(t *testing.T, pictures ...[]byte) []byte {
	t.Helper()
	const gap = 28
	var parts []image.Image
	width, height := gap, 0
	for _, picture := range pictures {
		part, err := png.Decode(bytes.NewReader(picture))
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
		width, height = width+part.Bounds().Dx()+gap, max(height, part.Bounds().Dy())
	}
	desk := image.NewRGBA(image.Rect(0, 0, width, height+2*gap))
	draw.Draw(desk, desk.Bounds(), image.NewUniform(color.RGBA{0x8f, 0xa0, 0xb8, 0xff}), image.Point{}, draw.Src)
	x := gap
	for _, part := range parts {
		size := part.Bounds().Size()
		at := image.Rect(x, gap, x+size.X, gap+size.Y)
		draw.Draw(desk, at, part, part.Bounds().Min, draw.Src)
		x += size.X + gap
	}
	var out bytes.Buffer
	if err := png.Encode(&out, desk); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
