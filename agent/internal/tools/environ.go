package tools

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// hidden are the variables that commands do not get: the keys that the agent itself uses, its own settings, and what would
// make cd lead to other folders than its argument says.
func hidden() []string {
	return []string{
		"ELYRA_*", "CDPATH",
		"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY",
		"GOOGLE_GENERATIVE_AI_API_KEY", "AZURE_API_KEY", "AZURE_OPENAI_API_KEY", "AWS_BEARER_TOKEN_BEDROCK", "MISTRAL_API_KEY",
		"GROQ_API_KEY", "XAI_API_KEY", "DEEPSEEK_API_KEY", "CEREBRAS_API_KEY", "TOGETHER_API_KEY", "FIREWORKS_API_KEY",
		"PERPLEXITY_API_KEY", "COHERE_API_KEY", "HUGGINGFACE_API_KEY", "HF_TOKEN", "MOONSHOT_API_KEY", "ZAI_API_KEY", "ZHIPU_API_KEY",
		"MINIMAX_API_KEY", "DASHSCOPE_API_KEY", "NVIDIA_API_KEY", "DEEPINFRA_API_KEY", "AI_GATEWAY_API_KEY", "VENICE_API_KEY",
	}
}

// quiet are variables that keep programs from asking, paging and colouring.
func quiet() []string {
	return []string{
		"NO_COLOR=1", "TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true",
		"SSH_ASKPASS_REQUIRE=never", "DEBIAN_FRONTEND=noninteractive",
	}
}

// environ returns the environment of a command, with more set last.
func (s *session) environ(more ...string) []string {
	hide := append(hidden(), s.Hide...)
	env := slices.DeleteFunc(slices.Clone(s.Environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.ContainsFunc(hide, func(h string) bool { return covers(h, name) })
	})
	env = append(env, quiet()...)
	return append(env, more...)
}

// covers reports whether a name is h, or begins with it when h ends with *.
func covers(h, name string) bool {
	if runtime.GOOS == "windows" {
		h, name = strings.ToUpper(h), strings.ToUpper(name)
	}
	if start, ok := strings.CutSuffix(h, "*"); ok {
		return strings.HasPrefix(name, start)
	}
	return name == h
}

// variable returns the last value of a variable.
func variable(environ []string, name string) string {
	value := ""
	for _, v := range environ {
		if n, rest, _ := strings.Cut(v, "="); covers(name, n) {
			value = rest
		}
	}
	return value
}

// shell returns the program and the arguments that a command is appended to.
func (s *session) shell() ([]string, error) {
	if len(s.Shell) > 0 {
		return s.Shell, nil
	}
	for _, name := range []string{"bash", "sh"} {
		if path := lookIn(s.Environ, name); path != "" {
			return []string{path, "-c"}, nil
		}
	}
	return nil, errors.New("there is no bash or sh in PATH: install one (on Windows, Git brings one), or name a shell in the settings")
}

// lookIn finds a program in the PATH of an environment, "" when it is not there. Folders that are relative do not count.
func lookIn(environ []string, name string) string {
	names := []string{name}
	if runtime.GOOS == "windows" {
		names = []string{name + ".exe"}
	}
	for _, folder := range filepath.SplitList(variable(environ, "PATH")) {
		for _, n := range names {
			path := filepath.Join(folder, n)
			if info, err := os.Stat(path); filepath.IsAbs(folder) && err == nil && info.Mode().IsRegular() &&
				(runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0) {
				return path
			}
		}
	}
	return ""
}
