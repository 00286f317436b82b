// Package instructions owns what a model is told before a person says anything: the system prompt, the files in which people
// tell agents about a project (AGENTS.md, CLAUDE.md), skills, and the templates of prompts.
//
// It promises that a system prompt is the same bytes when it is made of the same things, and holds no time of day; that
// all that is read is bounded, and what was left out is said; and that a project's files, links and imports lead to nothing
// outside of the project, those of the user to nothing outside of the user's folders.
//
// AGENTS.md and CLAUDE.md of a project are read before the project is trusted: they are text for the model, as the rest of
// the project's files is, and whatever a model does because of them is asked about as always. Skills and templates of a
// project take names that the user calls and may bring scripts, so they need trust.
//
// The package imports home and must not import what talks to models or runs tools.
package instructions
