//go:build webkit && linux

package webkitgtk

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/elyra-go/elyra/window"
)

func TestPageOpensAndSavesFiles(t *testing.T) {
	c := newCounter()
	runApp(t, c, Options{}, `
		const files = await openFile({ title: "Import", multiple: true });
		const [file] = files;
		const content = await file.bytes();
		await report(files.length, file.name, file.size, content.length, content.at(-1), await call("store", content));
		const saved = await saveFile("übersicht.bin", content.subarray(1), { title: "Export", types: [{ name: "All", patterns: ["*"] }] });
		await report(saved);
		await report((await openFile({ title: "Nothing" })).length);`, window.Options{})
	content := bytes.Repeat([]byte{0, 1, 2, 254, 255}, 1<<20)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "große daten.bin"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	u := screenUser{}
	u.Chooses(t, "Import", filepath.Join(dir, "große daten.bin"))
	expect(t, c, `[1,"große daten.bin",5242880,5242880,255,"5242880 bytes, the last 0102feff"]`)
	u.Chooses(t, "Export", filepath.Join(dir, "out.bin"))
	expect(t, c, `["out.bin"]`)
	if got, err := os.ReadFile(filepath.Join(dir, "out.bin")); err != nil || !bytes.Equal(got, content[1:]) {
		t.Errorf("the saved file has %d bytes, %v", len(got), err)
	}
	u.Chooses(t, "Nothing", "")
	expect(t, c, `[0]`)
}

func TestToast(t *testing.T) {
	c := newCounter()
	runApp(t, c, Options{}, `
		const dialog = document.createElement("dialog");
		document.body.append(dialog);
		dialog.showModal();
		const shown = () => [...document.querySelectorAll(".elyra-toast")].map((each) => each.role + " " + each.textContent);
		const close = toast("Saved <b>it</b>", { timeout: 0 });
		toast("Failed", { kind: "error", timeout: 0 });
		await report(...shown());
		const at = document.querySelector(".elyra-toast").getBoundingClientRect();
		// Above a modal dialog, which makes the rest of the page unreachable for clicks, but not the top layer.
		await report(at.width > 50, at.bottom <= innerHeight && at.top > innerHeight / 2, getComputedStyle(document.querySelector(".elyra-toast")).color);
		close();
		document.querySelector(".elyra-toast").click();
		await report(...shown(), document.querySelector(".elyra-toasts").matches(":popover-open"));
		document.body.innerHTML = "";
		toast("After a new body", { timeout: 30 });
		await report(...shown());
		setTimeout(() => report(...shown(), "gone"), 500);`, window.Options{Width: 400, Height: 300})
	expect(t, c, `["status Saved <b>it</b>","alert Failed"]`)
	expect(t, c, `[true,true,"rgb(255, 255, 255)"]`)
	expect(t, c, `[false]`)
	expect(t, c, `["status After a new body"]`)
	expect(t, c, `["gone"]`)
}
