package instructions

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"
)

const (
	maxSkills      = 200
	maxDescription = 1024 // characters
	maxNames       = 1000 // entries of a folder
)

// Skill is a folder with SKILL.md, which the model reads when it needs it.
type Skill struct {
	Name, Description string
	Path              string // of SKILL.md
	Project           bool   // a project's files define it
	Hidden            bool   // only the user calls it; the model is not told
}

// place is a folder in which skills or templates are.
type place struct {
	area
	path    string
	project bool
}

// places lists the user's folders of a name and, if that is trusted, the project's. The first that has a name wins, so that
// no project takes a name of the user's.
func (o Options) places(name string) []place {
	var list []place
	if o.UserHome != "" {
		user := newArea(o.UserHome, o.AgentHome, o.UserHome)
		list = append(list,
			place{user, filepath.Join(o.AgentHome, name), false},
			place{user, filepath.Join(o.UserHome, ".claude", name), false},
		)
	}
	if o.Project == "" || !o.Trusted {
		return list
	}
	project := newArea("", o.Project)
	return append(list,
		place{project, filepath.Join(o.Project, ".elyra", name), true},
		place{project, filepath.Join(o.Project, ".claude", name), true},
	)
}

// Skills finds skills, by their places and then by name. Notes say what cannot be used.
func Skills(o Options) (skills []Skill, notes []string) {
	taken := map[string]string{}
	for _, p := range o.places("skills") {
		found, problems := skillsIn(p)
		notes = append(notes, problems...)
		for _, s := range found {
			if first := taken[s.Name]; first != "" {
				if first != s.Path {
					notes = append(notes, fmt.Sprintf("%s is not used: %s has the name %q", s.Path, first, s.Name))
				}
				continue
			}
			if len(skills) == maxSkills {
				return skills, append(notes, fmt.Sprintf("%s and those after it are not used: there may be %d skills", s.Path, maxSkills))
			}
			taken[s.Name] = s.Path
			skills = append(skills, s)
		}
	}
	return skills, notes
}

func skillsIn(p place) (skills []Skill, notes []string) {
	names, err := p.names(p.path, maxNames)
	if err != nil {
		return nil, []string{fmt.Sprintf("%s is not used: %v", p.path, err)}
	}
	for _, name := range names {
		path := filepath.Join(p.path, name, "SKILL.md")
		_, text, err := p.read(path, maxFile)
		if strings.HasPrefix(name, ".") || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		s := Skill{Path: path, Project: p.project}
		if err == nil {
			err = s.take(name, text)
		}
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s is not used: %v", path, err))
			continue
		}
		skills = append(skills, s)
	}
	return skills, notes
}

// take reads what SKILL.md says of the skill.
func (s *Skill) take(folder, text string) error {
	head, _ := front(text)
	s.Name, s.Description = head["name"], strings.Join(strings.Fields(head["description"]), " ")
	s.Hidden = head["disable-model-invocation"] == "true"
	if s.Name == "" {
		s.Name = folder
	}
	switch {
	case !plainName(s.Name):
		return fmt.Errorf("%.80q is no name: write small letters, digits and -, at most 64", s.Name)
	case s.Description == "":
		return errors.New("it has no description: begin it with --- and the lines name: and description:, and end that with ---")
	}
	if utf8.RuneCountInString(s.Description) > maxDescription {
		s.Description = string([]rune(s.Description)[:maxDescription-1]) + "…"
	}
	return nil
}

// plainName reports whether a name is one that a skill or template can have.
func plainName(name string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}
