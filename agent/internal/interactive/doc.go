// Package interactive is the agent at a terminal: it joins a core, which works, to the interface, which shows and asks, and
// gives the user the commands behind a slash.
//
// It decides how questions and results of the one look in the other and nothing more.
package interactive
