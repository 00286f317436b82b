// Package home owns the folder in which the agent keeps its files, ~/.elyra/agent unless ELYRA_HOME names another.
//
// It promises that a file is only ever seen whole, with its old content or its new one, also when the process that wrote
// it was killed; that what it makes is for the user alone (folders 0700, files 0600; on Windows an access list that says
// the same); that it makes nothing before the first write; and that it neither reads from nor writes to a folder that
// belongs to another user or that others may write to, because whoever writes there decides what the agent starts.
//
// It knows nothing of what the files hold, and must not import another package of the agent.
package home
