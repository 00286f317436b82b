// Package catalog owns what MCP servers say they have: reading their lists page by page, deciding which tools can be
// used, keeping the lists in a file between runs, the names under which tools are exposed to a model, and the form of a
// schema that model providers accept.
//
// It promises that no server's list can fail, block or grow the whole: each tool is judged on its own and a bad one is
// quarantined with its reason, everything is bounded, and the same lists always give the same bytes, whatever order they
// came in. All text in a [Listing] is the server's own claim and is handed on as such.
//
// It starts no server and asks none by itself: pages come from a [Pager], the cache's file from [Files], the time from a
// clock. It must not import the packages host, config, oauth and search.
package catalog
