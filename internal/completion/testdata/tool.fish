# Completion of tool for fish. Keep it where fish looks:
#   tool completion fish >~/.config/fish/completions/tool.fish
function _tool_at
	set -l at ''
	for word in (commandline -opc)[2..-1]
		switch "$at $word"
			case ' make:table' ' make:test' ' mcp' ' mcp inspect' ' mcp install' ' completion'
				set at "$at $word"
		end
	end
	test "$at" = "$argv[1]"
end
complete -c tool -f -n '_tool_at \'\'' -a 'make:table' -d 'Write a table: its `code`, too.'
complete -c tool -f -n '_tool_at \'\'' -a 'make:test' -d 'Write a test \\ nothing else.'
complete -c tool -f -n '_tool_at \'\'' -a 'mcp' -d 'Agents.'
complete -c tool -f -n '_tool_at \'\'' -a 'completion' -d 'Print a script.'
complete -c tool -n '_tool_at \'\'' -l help -d 'Show help; don\'t run.'
complete -c tool -n '_tool_at \' make:table\'' -l help -d 'Show help; don\'t run.'
complete -c tool -n '_tool_at \' make:table\'' -l dir -r -d 'Folder.'
complete -c tool -n '_tool_at \' make:test\'' -l help -d 'Show help; don\'t run.'
complete -c tool -f -n '_tool_at \' mcp\'' -a 'inspect' -d 'Look.'
complete -c tool -f -n '_tool_at \' mcp\'' -a 'install' -d 'Connect.'
complete -c tool -n '_tool_at \' mcp\'' -l help -d 'Show help; don\'t run.'
complete -c tool -n '_tool_at \' mcp inspect\'' -l help -d 'Show help; don\'t run.'
complete -c tool -n '_tool_at \' mcp install\'' -l help -d 'Show help; don\'t run.'
complete -c tool -n '_tool_at \' mcp install\'' -l client -x -a 'claude cursor' -d 'The client.'
complete -c tool -f -n '_tool_at \' completion\'' -a 'bash zsh'
complete -c tool -n '_tool_at \' completion\'' -l help -d 'Show help; don\'t run.'
