# Completion of tool for bash. Read it from ~/.bashrc:
#   source <(tool completion bash)
_tool() {
	local line=${COMP_LINE:0:COMP_POINT} at= previous= current= list= word
	local -a words
	read -ra words <<<"$line"
	if [[ $line != *[[:space:]] ]]; then
		current=${words[${#words[@]} - 1]}
		unset "words[${#words[@]} - 1]"
	fi
	for word in "${words[@]:1}"; do
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
	' mcp install --client') list='claude cursor' ;;
	*)
		case $at in
		'') if [[ $current == -* ]]; then list='--help'; else list='make:table make:test mcp completion'; fi ;;
		' make:table') if [[ $current == -* ]]; then list='--help --dir'; else list=''; fi ;;
		' make:test') if [[ $current == -* ]]; then list='--help'; else list=''; fi ;;
		' mcp') if [[ $current == -* ]]; then list='--help'; else list='inspect install'; fi ;;
		' mcp inspect') if [[ $current == -* ]]; then list='--help'; else list=''; fi ;;
		' mcp install') if [[ $current == -* ]]; then list='--help --client'; else list=''; fi ;;
		' completion') if [[ $current == -* ]]; then list='--help'; else list='bash zsh'; fi ;;
		esac
		;;
	esac
	local IFS=$' \t\n'
	COMPREPLY=($(compgen -W "$list" -- "$current"))
	# For bash a colon may begin a new word: then only what follows it is to be replaced.
	if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
		COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
	fi
}
complete -o default -F _tool tool
