package cli

const executableSuffix = ".exe"
