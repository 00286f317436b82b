package main

import (
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
	"github.com/elyra-go/elyra/examples/notes/notes"
)

func TestStoreAndIndex(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, build)
	var stored notes.Note
	app.CallOK("notes_store", `{"input":{"text":"Buy milk"}}`, &stored)
	if stored.ID != 1 || stored.Text != "Buy milk" {
		t.Errorf("stored %+v", stored)
	}
	var list []notes.Note
	app.CallOK("notes_index", nil, &list)
	if len(list) != 1 || list[0] != stored {
		t.Errorf("the list is %+v", list)
	}
}

func TestEmptyTextIsRefused(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, build)
	err := app.CallErr("notes_store", `{"input":{"text":""}}`)
	const want = `the arguments are not valid:
- input.text: is required and must not be empty`
	if err.Error() != want {
		t.Errorf("the error is %q; want %q", err, want)
	}
}

func TestTheWindowMayDelete(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, build)
	app.CallOK("notes_store", `{"input":{"text":"Buy milk"}}`, nil)
	if _, err := app.CallAs(elyra.Frontend{Window: "main"}, "notes_destroy", `{"id":1}`); err != nil {
		t.Error(err)
	}
	if err := app.CallErr("notes_destroy", `{"id":1}`); !strings.Contains(err.Error(), "there is no note #1") {
		t.Error(err)
	}
}

func TestTheListIsLive(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, build)
	list := app.Live("notes_index", nil)
	if r := app.MCP().Call("notes_store", `{"input":{"text":"Buy milk"}}`); r.IsError {
		t.Fatal(r.Text)
	}
	if got := list.Next(); got != `[{"id":1,"text":"Buy milk","done":false}]` {
		t.Errorf("the window shows %s", got)
	}
	list.QuietFor(50 * time.Millisecond)
}

func TestAnAgentWatchesTheList(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, build)
	agent := app.MCP()
	watching := agent.Listen("app://notes_index")
	app.CallOK("notes_store", `{"input":{"text":"Buy milk"}}`, nil)
	if uri := watching.Next(); uri != "app://notes_index" {
		t.Errorf("the agent was told of %s", uri)
	}
	if r := agent.Read("app://notes_index"); r.IsError || !strings.Contains(r.Text, "Buy milk") {
		t.Errorf("the agent reads %+v", r)
	}
}

func TestAnAgentIsAskedBeforeItDeletes(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, build)
	app.CallOK("notes_store", `{"input":{"text":"Buy milk"}}`, nil)

	if r := app.MCP(elyratest.Confirming("decline")).Call("notes_destroy", `{"id":1}`); !r.IsError {
		t.Error("it ran though the user declined")
	}
	r := app.MCP(elyratest.Named("Claude"), elyratest.Confirming("accept")).Call("notes_destroy", `{"id":1}`)
	if r.IsError {
		t.Error(r.Text)
	}
	if r.Confirmation != question {
		t.Errorf("the question is %q", r.Confirmation)
	}
	if r := app.MCP(elyratest.Confirming("accept")).Call("notes_destroy", `{"id":7}`); !strings.Contains(r.Text, "there is no note #7") || r.Confirmation != "" {
		t.Errorf("a note that does not exist: %+v", r)
	}
}

// question is what the user reads before Claude deletes the first note.
const question = `Claude wants to run notes_destroy: Delete the note "Buy milk"?

id: 1`

func TestWhatAnAgentSees(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, build)
	var names []string
	for _, tool := range app.MCP().ListTools() {
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "notes_destroy notes_index notes_store" {
		t.Errorf("the tools are %s", got)
	}
}
