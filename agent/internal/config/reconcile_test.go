package config

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestReconcile(t *testing.T) {
	t.Parallel()
	local := func(name, command string) Server { return Server{Name: name, Transport: Stdio, Command: command} }
	with := func(s Server, change func(*Server)) Server { change(&s); return s }
	a := local("a", "c")
	off := with(a, func(s *Server) { s.Disabled = true })
	tests := []struct {
		name     string
		old, new []Server
		want     string // start stop restart keep
	}{
		{"nothing", nil, nil, "   "},
		{"new", nil, []Server{a}, "a   "},
		{"gone", []Server{a}, nil, " a  "},
		{"the same", []Server{a}, []Server{a}, "   a"},
		{"another command", []Server{a}, []Server{local("a", "d")}, "  a "},
		{"another value in the environment", []Server{a}, []Server{with(a, func(s *Server) { s.Env = map[string]string{"K": "v"} })}, "  a "},
		{"another file", []Server{a}, []Server{with(a, func(s *Server) { s.File, s.Line, s.Scope = "x", 9, Project })}, "   a"},
		{"another timeout", []Server{a}, []Server{with(a, func(s *Server) { s.Timeout, s.DirectTools = time.Hour, true })}, "   a"},
		{"shadows now", []Server{a}, []Server{with(a, func(s *Server) { s.ShadowsUser = true })}, "  a "},
		{"switched off", []Server{a}, []Server{off}, " a  "},
		{"switched on", []Server{off}, []Server{a}, "a   "},
		{"off all the time", []Server{off}, []Server{off}, "   "},
		{"many", []Server{local("a", "1"), local("c", "1"), local("d", "1"), local("f", "1")}, []Server{
			local("b", "1"), local("c", "1"), local("d", "2"), local("e", "1"),
		}, "be af d c"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := Reconcile(test.old, test.new)
			var lists []string
			for _, list := range [][]Server{p.Start, p.Stop, p.Restart, p.Keep} {
				var names strings.Builder
				for _, s := range list {
					names.WriteString(s.Name)
				}
				lists = append(lists, names.String())
			}
			if got := strings.Join(lists, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	t.Run("what is kept is the new one", func(t *testing.T) {
		t.Parallel()
		p := Reconcile([]Server{a}, []Server{with(a, func(s *Server) { s.Timeout = time.Hour })})
		if len(p.Keep) != 1 || p.Keep[0].Timeout != time.Hour {
			t.Errorf("%+v", p)
		}
	})
}

func TestKey(t *testing.T) {
	t.Parallel()
	base := Server{Name: "n", Transport: Stdio, Command: "c", Args: []string{"a", "b"}, Env: map[string]string{"K": "v"}}
	same := []func(*Server){
		func(s *Server) { s.Env = map[string]string{"K": "another secret"} },
		func(s *Server) { s.Name, s.File, s.Timeout = "m", "f", 5 },
	}
	for i, change := range same {
		s := base
		if change(&s); s.Key() != base.Key() {
			t.Errorf("change %d gives another key", i)
		}
	}
	keys := []string{base.Key()}
	for i, change := range []func(*Server){
		func(s *Server) { s.Transport = HTTP },
		func(s *Server) { s.Command = "d" },
		func(s *Server) { s.Args = []string{"ab"} },
		func(s *Server) { s.Args = []string{"a", "b", "K"}; s.Env = nil },
		func(s *Server) { s.Cwd = "/" },
		func(s *Server) { s.Env = map[string]string{"L": "v"} },
		func(s *Server) { s.Env = nil; s.Headers = map[string]string{"K": "v"} },
	} {
		s := base
		change(&s)
		if slices.Contains(keys, s.Key()) {
			t.Errorf("change %d gives a key that was there", i)
		}
		keys = append(keys, s.Key())
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	parent := []string{
		"PATH=/bin", "HOME=/h", "USER=u", "SHELL=/bin/sh", "LANG=de", "LC_ALL=C", "TERM=xterm", "TMPDIR=/t", "XDG_RUNTIME_DIR=/r",
		"https_proxy=p", "HTTPS_PROXY=p", "NO_PROXY=n", "SSL_CERT_FILE=f", "NODE_EXTRA_CA_CERTS=c",
		"OPENAI_API_KEY=secret", "AWS_SECRET_ACCESS_KEY=secret", "LD_PRELOAD=x", "ELYRA_HOME=x", "Path=C:\\", "SystemRoot=C:\\W",
		"broken", "=C:=C:\\x", "LC_TIME=() { :; }",
	}
	tests := []struct {
		name, goos string
		extra      map[string]string
		want       []string
	}{
		{"Linux", "linux", nil, []string{
			"HOME=/h", "HTTPS_PROXY=p", "LANG=de", "LC_ALL=C", "NODE_EXTRA_CA_CERTS=c", "NO_PROXY=n", "PATH=/bin", "SHELL=/bin/sh",
			"SSL_CERT_FILE=f", "TERM=xterm", "TMPDIR=/t", "USER=u", "XDG_RUNTIME_DIR=/r", "https_proxy=p",
		}},
		{"what is configured wins", "linux", map[string]string{"PATH": "/x", "OPENAI_API_KEY": "mine"}, []string{
			"HOME=/h", "HTTPS_PROXY=p", "LANG=de", "LC_ALL=C", "NODE_EXTRA_CA_CERTS=c", "NO_PROXY=n", "OPENAI_API_KEY=mine", "PATH=/x",
			"SHELL=/bin/sh", "SSL_CERT_FILE=f", "TERM=xterm", "TMPDIR=/t", "USER=u", "XDG_RUNTIME_DIR=/r", "https_proxy=p",
		}},
		{"Windows", "windows", map[string]string{"PATH": "D:\\"}, []string{
			"HOME=/h", "HTTPS_PROXY=p", "LANG=de", "LC_ALL=C", "NODE_EXTRA_CA_CERTS=c", "NO_PROXY=n", "PATH=D:\\", "SHELL=/bin/sh",
			"SSL_CERT_FILE=f", "SystemRoot=C:\\W", "TERM=xterm", "TMPDIR=/t", "USER=u", "XDG_RUNTIME_DIR=/r",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Environment(parent, test.goos, test.extra); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
	t.Run("all that Windows needs", func(t *testing.T) {
		t.Parallel()
		for _, name := range []string{"SYSTEMROOT", "AppData", "LocalAppData", "PathExt", "Temp", "UserProfile", "ComSpec"} {
			if got := Environment([]string{name + "=x"}, "windows", nil); len(got) != 1 {
				t.Errorf("%s is not passed on", name)
			}
			if got := Environment([]string{name + "=x"}, "linux", nil); len(got) != 0 {
				t.Errorf("%s is passed on where it is not needed", name)
			}
		}
	})
}
