package elyra

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/wire"
)

const (
	// maxQuestionArguments is how many bytes of arguments a question shows.
	maxQuestionArguments = 2048
	// maxDescription is how many characters of ConfirmOptions.Describe's answer a question shows.
	maxDescription = 500
)

// question is what the user reads: who asks, for which tool, what it would do, and the decoded
// arguments. What comes from the client or from data cannot hide in it or look like another line.
func (c *toolCatalog) question(ctx context.Context, a *ask) (string, error) {
	does := a.tool.summary()
	if does != "" {
		does += "."
	}
	if a.tool.confirm.Describe != nil {
		var err error
		if does, err = c.instance.describeCall(ctx, a); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s wants to run %s: %s\n", a.origin.Client, a.tool.name, visible(does, maxDescription))
	writeArguments(&b, a.prepared.args)
	return b.String(), nil
}

// describeCall has the app say what the call would do, under the deadline of a call.
func (in *Instance) describeCall(ctx context.Context, a *ask) (text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, agentTimeout)
	defer cancel()
	r := &Request{Name: a.tool.name, Args: a.prepared.args, Origin: a.origin}
	ctx = context.WithValue(ctx, callKey{}, &call{instance: in, command: a.tool.command, request: r})
	err = recovered(func() (err error) {
		text, err = a.tool.confirm.Describe(ctx, r)
		return err
	})
	if err != nil {
		return "", in.hide(a.tool.name, err)
	}
	return text, nil
}

// writeArguments shows canonical arguments one a line, as a person reads them.
func writeArguments(b *strings.Builder, args []byte) {
	var lines strings.Builder
	wire.Members(args, func(name []byte, value jsontext.Value) bool {
		fmt.Fprintf(&lines, "\n%s: ", name)
		text := string(value)
		if value.Kind() == '"' {
			if unquoted, err := jsontext.AppendUnquote(nil, value); err == nil {
				text = string(unquoted)
			}
		}
		for _, r := range text {
			writeVisible(&lines, r)
		}
		return true
	})
	s := lines.String()
	if len(s) > maxQuestionArguments {
		cut := strings.ToValidUTF8(s[:maxQuestionArguments], "")
		s = fmt.Sprintf("%s…\n(%d more bytes are not shown)", cut, len(s)-len(cut))
	}
	b.WriteString(s)
}
