//go:build unix

package cli

const executableSuffix = ""
