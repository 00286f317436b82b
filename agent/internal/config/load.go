package config

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// untrusted is why a project's file is not read, and what to do.
const untrusted = "the project is not trusted, and this file can start programs: run \"elyra trust\" to see what and to trust it, " +
	"or start elyra with --trust-project for this run"

// Load reads all files. It always returns a Set: what could not be used is in Files and Problems.
//
// The last file that has a name decides about it, also when its entry is disabled or has a mistake: an earlier one with the
// same name is then not used instead, since it may be another server.
func Load(ctx context.Context, o Options) Set {
	var set Set
	winners := map[string]definition{}
	users := map[string]definition{} // what the user's files say, also where the project's win
	count := 0
	for _, s := range o.sources() {
		if s.scope == Project && !o.Trusted {
			set.Files = append(set.Files, s.untouched())
			continue
		}
		doc, file, problem := s.open(ctx)
		if problem != nil {
			set.Problems = append(set.Problems, *problem)
		}
		if doc != nil {
			list, problems := o.definitions(s, doc)
			file.Servers = len(list)
			set.Problems = append(set.Problems, problems...)
			if room := maxServers - count; len(list) > room {
				set.Problems = append(set.Problems, Problem{
					File: s.path, Dropped: true,
					Message: fmt.Sprintf("more than %d servers are configured: those after the first %d of this file are left out", maxServers, room),
				})
				list = list[:room]
			}
			count += len(list)
			set.Problems = append(set.Problems, twice(list)...)
			for _, d := range list {
				winners[d.name] = d
				if s.scope == User {
					users[d.name] = d
				}
			}
		}
		set.Files = append(set.Files, file)
	}
	for name, d := range winners {
		server, problems, ok := o.build(d)
		if user, shadows := users[name]; ok && shadows && d.source.scope == Project && !server.Disabled {
			other, _, fine := o.build(user)
			if server.ShadowsUser = !fine || !server.sameTarget(other); server.ShadowsUser {
				problems = append(problems, d.problem(d.at, "", "it takes the name of a server in %s for something else, "+
					"so it gets none of that one's logins and approvals", o.short(user.source.path)))
			}
		}
		set.Problems = append(set.Problems, problems...)
		if ok {
			set.Servers = append(set.Servers, server)
		}
	}
	slices.SortFunc(set.Servers, func(a, b Server) int { return cmp.Compare(a.Name, b.Name) })
	sortProblems(set.Problems, o.sources())
	return set
}

// untouched is the state of a file that must not be read.
func (s source) untouched() File {
	file := File{Path: s.path, Scope: s.scope, Format: s.format, Status: Missing}
	if s.exists() {
		file.Status, file.Reason = Skipped, untrusted
	}
	return file
}

// twice warns of names that one object of a file has twice.
func twice(list []definition) (problems []Problem) {
	seen := map[string]bool{}
	for _, d := range list {
		if seen[d.path] {
			problems = append(problems, d.problem(d.at, "", "the name is there twice: the last one counts"))
		}
		seen[d.path] = true
	}
	return problems
}

// sortProblems puts problems into the order of files and lines.
func sortProblems(problems []Problem, sources []source) {
	order := map[string]int{}
	for i, s := range sources {
		order[s.path] = i
	}
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Message, b.Message))
	})
}
