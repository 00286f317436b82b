#compdef tool
# Completion of tool for zsh. Read it from ~/.zshrc, after compinit:
#   source <(tool completion zsh)
_tool() {
	local at= previous= word
	local -a commands flags
	for word in ${words[2,CURRENT-1]}; do
		case "$at $word" in
		' make:table') at=' make:table' ;;
		' make:test') at=' make:test' ;;
		' mcp') at=' mcp' ;;
		' mcp inspect') at=' mcp inspect' ;;
		' mcp install') at=' mcp install' ;;
		' completion') at=' completion' ;;
		esac
		previous=$word
	done
	case "$at $previous" in
	' mcp install --client') compadd -- claude cursor; return ;;
	esac
	case $at in
	'')
		flags=(
			'--help:Show help; don'\''t run.'
		)
		commands=(
			'make\:table:Write a table: its `code`, too.'
			'make\:test:Write a test \ nothing else.'
			'mcp:Agents.'
			'completion:Print a script.'
		)
		;;
	' make:table')
		flags=(
			'--help:Show help; don'\''t run.'
			'--dir:Folder.'
		)
		commands=(
		)
		;;
	' make:test')
		flags=(
			'--help:Show help; don'\''t run.'
		)
		commands=(
		)
		;;
	' mcp')
		flags=(
			'--help:Show help; don'\''t run.'
		)
		commands=(
			'inspect:Look.'
			'install:Connect.'
		)
		;;
	' mcp inspect')
		flags=(
			'--help:Show help; don'\''t run.'
		)
		commands=(
		)
		;;
	' mcp install')
		flags=(
			'--help:Show help; don'\''t run.'
			'--client:The client.'
		)
		commands=(
		)
		;;
	' completion')
		flags=(
			'--help:Show help; don'\''t run.'
		)
		commands=(
			'bash'
			'zsh'
		)
		;;
	esac
	if [[ $PREFIX == -* ]]; then
		_describe flag flags
	elif (($#commands)); then
		_describe command commands
	else
		_files
	fi
}
if [[ $funcstack[1] == _tool ]]; then _tool; else compdef _tool tool; fi
