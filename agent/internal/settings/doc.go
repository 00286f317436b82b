// Package settings owns what the user and a project have set: settings.json in the agent's folder, .elyra/settings.json in a
// project, and auth.json, which holds keys.
//
// It promises that one mistake costs one setting and never a file, and that each is told with file, line and column; that
// a project sets nothing before it is trusted, and never where requests and keys go, who may do what without a question, or
// whether commands run in a sandbox; that a change leaves comments and all other bytes; that keys stand in auth.json alone,
// which only the user can read, and in no message, log or problem.
//
// A key in the environment wins over the one in auth.json, so that one run can use another key.
//
// The package imports home, jsonc, model and leaves of the root module, and must not import what acts on settings.
package settings
