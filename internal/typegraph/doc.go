// Package typegraph turns Go types and their doc comments into one graph, and
// answers four questions from it: which JSON Schema describes the type, which
// TypeScript does, does an untrusted JSON text fit the type, and what is the one
// canonical spelling of that text.
//
// Names, embedding and options follow github.com/go-json-experiment/json
// (the rules of JSON version 2): names are matched exactly, nil slices encode as
// [] and nil maps as {}, `embed` (and Go embedding) flattens a struct.
//
// What an argument may leave out: a pointer, a field with `omitempty` or
// `omitzero` in its json or validate tag, and a value struct whose fields may
// all be left out. A field with validate:"required" may not be left out, and
// everything else has to be given, so that absence never turns silently into
// zero. null stands for "left out" and is accepted only where the Go value is a
// pointer or holds any JSON.
//
// What a result always contains: every field without `omitempty` or `omitzero`
// that is not reached through an embedded pointer.
//
// The schema of a result carries no rules of validate tags, because nothing checks
// results against them and a result has to fit its schema.
//
// Some types are refused when they are added, with the path and the reason, so
// that Canonical and Decode cannot fail later because of a Go type:
// functions, channels, complex numbers, unsafe pointers, interfaces other than
// any, maps whose keys are neither strings nor integers, sql.Null types,
// time.Duration (JSON version 2 gives it no form: say seconds as int64, or use a
// named type with MarshalText), types with only one direction of a pair of
// marshal methods, and types that marshal themselves without a [Schemer].
//
// The package must not import package elyra, the protocol packages or
// internal/validate; it reads validate tags but never runs them.
package typegraph
