// Package session owns the files in which conversations are kept: one file of JSON lines for each session, in a folder for
// each working directory below sessions/ of the agent's folder.
//
// The first line is a header, every other one an entry with an id and the id of its parent, so that a file is a tree and
// going back to an earlier point costs one line. Files are only ever appended to. A line is written at once and is on the
// disk when a method returns; a file does not exist before the first entry.
//
// The package promises that a session opens again after a crash at any byte: a last line that was cut off is taken away and
// kept in a file beside it, a damaged line is passed over and stays where it is, what hung on it hangs on the last good line
// before it, and all of that is said. It promises that what the model is given again is well formed: each call has exactly
// one result, after it. Only one process writes to a session; another may read it, and fork it.
//
// What tools have changed is marked in a session, and the content before is kept beside, by hash, for the user alone, until
// its sessions are gone or were not used for 30 days; a cleaning removes it then. A child agent's session names that of the
// agent it worked for, is in no list of the user's own, and goes with it.
//
// It imports internal/home and internal/model and must not import what runs conversations.
package session
