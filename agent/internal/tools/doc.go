// Package tools owns what the agent does on this machine at a model's wish: read, write and edit files, search them, list
// folders, run commands, and get web pages.
//
// It promises that a tool does what its arguments say or says why not, in words that the model can act on; that what comes
// back is clean, bounded and whole in a file when it was cut; that a file is never half written, and never overwritten when
// it is not what the model has read; that no tool hangs on a pipe or a device; that a command's processes end with it; and
// that a web page comes from the host that was asked about, and from this machine or a private network only when the user
// has allowed that very host. Before a tool runs, its Paths say which files it will touch, links resolved, so that permission
// can decide; the tool then refuses when a path has come to lead elsewhere.
//
// It decides nothing about permission and must not import permission, settings or loop. Subpackages: edits finds what an
// edit quotes, walk goes through a project's files, shell judges commands, webpage makes text
// of web pages.
package tools
