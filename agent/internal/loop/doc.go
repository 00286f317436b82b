// Package loop is the agent's work on a prompt: it asks the model, runs the tools that the model calls, and asks again
// until the model has nothing more to do.
//
// It promises that each call gets exactly one result, in the order of the calls; that a call which was cut off, whose
// arguments are no object or which nobody allowed never runs; that what the user says while it works is taken in between
// two requests; that every message is stored before the next step depends on it, also the part of one that was cancelled or
// failed; that the beginning of all requests of a session is the same bytes; and that a model which goes round in circles
// is stopped.
//
// How a model is reached, what tools do, who allows them, where messages are stored and how it all looks is decided
// outside. The package may import internal/model and must not import those who decide.
package loop
