// Package model is the language that the agent and a model of any vendor speak to each other: messages made of blocks,
// tools, usage and errors, and the Provider that carries them.
//
// The types of a message are what session files store, so their JSON names never change meaning. Adapters to vendors are in
// packages below it. The package promises nothing about truth: what a model says is untrusted, above all the arguments of
// its calls, which are kept as they came and marked when they must not run. It must not import the rest of the agent.
package model
