// Package walk goes through the files of a project and leaves out what its ignore files name.
//
// It promises the order of names, an end (links are not followed, what is visited is bounded), and what Git's ignore files
// mean: nested ones, negated ones, those above the folder in the same repository, .git/info/exclude, and .ignore files. It
// reads nothing but folders and ignore files, and must not import another package of the agent.
package walk
