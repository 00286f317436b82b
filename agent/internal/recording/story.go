package main

import "time"

const enter = "\r"

// story is what somebody does at the terminal.
var story = []step{
	{wait: "❯", hold: time.Second},
	{text: "Add Ada Lovelace of Analytical Engines to the CRM, ada@engines.example"},
	{keys: enter, wait: "4. No, go on without it", hold: 2500 * time.Millisecond},
	{keys: "2", wait: "is in the CRM now", hold: 2500 * time.Millisecond},
	{text: "Oh, she is a supplier. Delete her again, please."},
	{keys: enter, wait: "4. No, go on without it", hold: 2 * time.Second},
	{keys: "1", wait: "Allow this?", hold: 3 * time.Second},
	{text: "y"},
	{keys: enter, wait: "deleted", hold: 2500 * time.Millisecond},
	{text: "/mcp"},
	{keys: enter, wait: "crm", hold: 2 * time.Second},
}

// modelPart is what the model says.
const modelPart = `
-- reply --
text "I'll look for a tool that can do that.\n"
call c1 mcp_search {"query": "add a customer"}
-- reply --
call c2 mcp_call {"server": "crm", "tool": "customers_store", "arguments": {"input": {"name": "Ada Lovelace", "email": "ada@engines.example", "company": "Analytical Engines"}}}
-- reply --
text "Ada Lovelace is in the CRM now.\n"
-- reply --
call c3 mcp_call {"server": "crm", "tool": "customers_destroy", "arguments": {"id": 325}}
-- reply --
text "She is deleted.\n"
`
