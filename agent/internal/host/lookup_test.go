package host

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// having is a system with these programs; it counts what was looked for.
func having(goos string, environ []string, programs ...string) (l lookup, asked *[]string) {
	asked = new([]string)
	return lookup{goos: goos, environ: environ, check: func(path string) error {
		*asked = append(*asked, path)
		if slices.Contains(programs, path) {
			return nil
		}
		return fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}}, asked
}

func TestWhereProgramsAreFound(t *testing.T) {
	t.Parallel()
	windows := []string{`Path=C:\tools;"C:\Program Files\nodejs";.;tools;D:\x\`, "PATHEXT=.COM;.EXE;.BAT;.CMD;;PY"}
	for _, tt := range []struct {
		name, goos string
		environ    []string
		command    string
		programs   []string
		want       string // "": not found
	}{
		{"in PATH", "linux", []string{"PATH=/usr/bin:/bin"}, "npx", []string{"/bin/npx"}, "/bin/npx"},
		{"the first in PATH", "linux", []string{"PATH=/usr/bin:/bin"}, "npx", []string{"/bin/npx", "/usr/bin/npx"}, "/usr/bin/npx"},
		{"of a version manager", "linux", []string{"PATH=/usr/bin:/bin"}, "npx", []string{"/home/u/.nvm/versions/node/v22.1.0/bin/npx"}, ""},
		{"of the project by PATH", "linux", []string{"PATH=bin::./x"}, "npx", []string{"bin/npx", "npx", "./x/npx", "/p/npx", "/p/bin/npx"}, ""},
		{"absolute", "linux", nil, "/opt/x", []string{"/opt/x"}, "/opt/x"},
		{"relative to the folder", "linux", nil, "bin/x", []string{"/p/bin/x"}, "/p/bin/x"},
		{"above the folder", "linux", nil, "../x", []string{"/x"}, "/x"},
		{"no PATH", "linux", nil, "npx", []string{"npx", "/npx"}, ""},

		{"a shim", "windows", windows, "npx", []string{`C:\Program Files\nodejs\npx`, `C:\Program Files\nodejs\npx.cmd`}, `C:\Program Files\nodejs\npx.cmd`},
		{"a program before a shim", "windows", windows, "uv", []string{`C:\tools\uv.cmd`, `C:\tools\uv.exe`}, `C:\tools\uv.exe`},
		{"with its extension", "windows", windows, "npx.cmd", []string{`C:\tools\npx.cmd`}, `C:\tools\npx.cmd`},
		{"with a point in its name", "windows", windows, "tool.v2", []string{`D:\x\tool.v2.exe`}, `D:\x\tool.v2.exe`},
		{"by a path", "windows", windows, `C:\Users\u\npx`, []string{`C:\Users\u\npx.cmd`}, `C:\Users\u\npx.cmd`},
		{"by slashes", "windows", windows, `C:/Users/u/npx`, []string{`C:/Users/u/npx.cmd`}, `C:/Users/u/npx.cmd`},
		{"relative", "windows", windows, `.\run`, []string{`C:\p\run.bat`}, `C:\p\run.bat`},
		{"on a share", "windows", windows, `\\host\share\x.exe`, []string{`\\host\share\x.exe`}, `\\host\share\x.exe`},
		{"an extension without its point", "windows", windows, "server", []string{`C:\tools\server.py`}, `C:\tools\server.py`},
		{"no PATHEXT", "windows", []string{`PATH=C:\tools`}, "npx", []string{`C:\tools\npx.cmd`}, `C:\tools\npx.cmd`},
		{"of the project by PATH, on Windows", "windows", windows, "npx", []string{`.\npx.cmd`, `npx.cmd`, `tools\npx.cmd`, `C:\p\npx.cmd`}, ""},
		{"relative to a drive", "windows", windows, `C:npx`, []string{`C:npx.cmd`}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, asked := having(tt.goos, tt.environ, tt.programs...)
			cwd := "/p"
			if tt.goos == "windows" {
				cwd = `C:\p`
			}
			got, err := l.find(tt.command, cwd)
			if got != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("found %q, %v, want %q; asked for %q", got, err, tt.want, *asked)
			}
		})
	}
}

func TestAMissingProgramPrintsThePATH(t *testing.T) {
	t.Parallel()
	l, _ := having("darwin", []string{"PATH=/usr/bin:/bin:/usr/sbin:/sbin"})
	_, err := l.find("npx", "/p")
	if err == nil || !strings.Contains(err.Error(), `no program "npx" in PATH=/usr/bin:/bin:/usr/sbin:/sbin;`) || !strings.Contains(err.Error(), "absolute path") {
		t.Errorf("error %v", err)
	}
	if _, err := l.find("/opt/npx", "/p"); err == nil || !strings.Contains(err.Error(), "/opt/npx: file does not exist") {
		t.Errorf("error %v", err)
	}
}

func TestArgumentsOfBatchFiles(t *testing.T) {
	t.Parallel()
	const begin = `cmd.exe /d /e:on /v:off /s /c ""C:\Program Files\nodejs\npx.cmd"`
	for _, tt := range []struct {
		name string
		args []string
		want string // after begin
	}{
		{"none", nil, `"`},
		{"plain", []string{"-y", "server"}, ` "-y" "server""`},
		{"an address", []string{"https://h/mcp?a=1&b=2"}, ` "https://h/mcp?a=1&b=2""`},
		{"what cmd.exe acts upon", []string{`a|b<c>d^e(f)!g!`}, ` "a|b<c>d^e(f)!g!""`},
		{"empty and blank", []string{"", " a b "}, ` "" " a b ""`},
		{"quotes", []string{`say "hi" & calc`}, ` "say ""hi"" & calc""`},
		{"JSON", []string{`{"a":"\"b"}`}, ` "{""a"":""\\""b""}""`},
		{"a folder", []string{`C:\x\`, `C:\y`}, ` "C:\x\\" "C:\y""`},
		{"a variable", []string{`100%PATH%`}, ` "100%%cd:~,%PATH%%cd:~,%""`},
		{"other scripts", []string{"日本 é"}, ` "日本 é""`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := batchLine(`C:\Program Files\nodejs\npx.cmd`, tt.args)
			if want := begin + tt.want; got != want || err != nil {
				t.Errorf("got  %s, %v\nwant %s", got, err, want)
			}
		})
	}
	for name, args := range map[string][]string{
		"a line break": {"a\nb"}, "a return": {"a\rb"}, "a NUL": {"a\x00b"}, "too long": {strings.Repeat("x", maxBatchLine)},
	} {
		if got, err := batchLine(`C:\npx.cmd`, args); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, program := range []string{`C:\100%\x.cmd`, `C:\a"b.cmd`} {
		if got, err := batchLine(program, nil); err == nil {
			t.Errorf("%s: %s", program, got)
		}
	}
	if !isBatch(`C:\NPX.CMD`) || !isBatch("x.bat") || isBatch(`C:\node.exe`) {
		t.Error("what is a batch file")
	}
}
