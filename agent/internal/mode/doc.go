// Package mode is the agent without a screen: a prompt on the command line answered in text, and events as JSON lines for
// programs, in one direction or with commands in the other.
//
// It promises that standard output holds the answer or the lines and nothing else, that foreign text in them is data (JSON)
// or made visible (text), and that nobody is asked: what would need the user's consent does not run.
package mode
