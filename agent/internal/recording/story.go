package main

import "time"

// modelPart is what the model says, from the folder of the repository. The test of the same story goes by it, too.
const modelPart = "agent/internal/cli/testdata/crm/story.script"

const (
	enter  = "\r"
	choice = "4. No, go on without it" // the last but one of what can be answered when a call is asked about
)

// story is what somebody does at the terminal.
var story = []step{
	{wait: "❯", hold: time.Second},
	{text: "Add Ada Lovelace of Analytical Engines, ada@engines.example", hold: 300 * time.Millisecond},
	{keys: enter, wait: choice, hold: 2500 * time.Millisecond},
	{keys: "2", wait: "is customer 325 now", hold: 2500 * time.Millisecond},
	{text: "Delete her, please.", hold: 300 * time.Millisecond},
	{keys: enter, wait: choice, hold: 2 * time.Second},
	{keys: "2", wait: "Allow this?", hold: 3 * time.Second},
	{text: "n", hold: 300 * time.Millisecond},
	{keys: enter, wait: "so she is still there", hold: 2500 * time.Millisecond},
	{text: "Delete her after all.", hold: 300 * time.Millisecond},
	{keys: enter, wait: "Allow this?", hold: 2 * time.Second},
	{text: "y", hold: 300 * time.Millisecond},
	{keys: enter, wait: "is deleted", hold: 2 * time.Second},
}
