// Package hooks runs the commands that a user, or a trusted project, has set for events of a session. A command gets the
// event as JSON and may block what is about to happen or rewrite it.
//
// It promises that a command runs in a process group of its own, which has ended when Run returns; that its time and its
// output are bounded; that a command which fails, hangs or writes nonsense is told and changes nothing; and that no hook can
// allow what the user would be asked about: it can only forbid, rewrite before the question, and add to what the model hears.
//
// The JSON is that of Claude Code's hooks where it has a meaning here, so that its commands work: exit code 2 blocks with
// what stands on stderr; stdout may hold a JSON object with decision, reason, continue, hookSpecificOutput.
//
// It imports settings and home, and must not import what runs the session.
package hooks
