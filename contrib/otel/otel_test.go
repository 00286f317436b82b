package otel_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/contrib/otel"
	"github.com/elyra-go/elyra/elyratest"
)

func TestSpanOfAnAgentsCallBelongsToTheClientsTrace(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewSpanRecorder()
	tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("test")
	greet := func(_ context.Context, in struct {
		Name string `json:"name"`
	},
	) (string, error) {
		if in.Name == "nobody" {
			return "", errors.New("there is nobody")
		}
		return "Hello, " + in.Name, nil
	}
	app := elyratest.New(t, func(*elyra.Env) (*elyra.App, error) {
		return elyra.New().Use(otel.Middleware(tracer)).
			Commands(elyra.NewCommand("greet", greet, elyra.CommandOptions{Can: "greet"})).
			MCP(elyra.NewMCP().AllowAbility("greet")), nil
	})
	const request = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"},"_meta":{` +
		`"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"Claude","version":"1"}}}}` + "\n"
	var answer strings.Builder
	if err := app.Instance.ServeMCP(t.Context(), strings.NewReader(request), &answer); err != nil || !strings.Contains(answer.String(), "Hello, Ada") {
		t.Fatalf("%s, %v", answer.String(), err)
	}
	app.CallErr("greet", `{"name":"nobody"}`)

	ended := spans.Ended()
	if len(ended) != 2 {
		t.Fatalf("%d spans; want 2", len(ended))
	}
	agents, own := ended[0], ended[1]
	if agents.Name() != "greet" || agents.SpanContext().TraceID().String() != "0af7651916cd43dd8448eb211c80319c" || agents.Parent().SpanID().String() != "b7ad6b7169203331" {
		t.Errorf("the agent's span is %s in %s under %s", agents.Name(), agents.SpanContext().TraceID(), agents.Parent().SpanID())
	}
	if own.Parent().IsValid() || own.Status().Code != codes.Error {
		t.Errorf("the app's own call: parent %v, status %v", own.Parent(), own.Status())
	}
	for _, span := range ended {
		for _, a := range span.Attributes() {
			if v := a.Value.String(); strings.Contains(v, "Ada") || strings.Contains(v, "nobody") {
				t.Errorf("the attribute %s has an argument in it: %s", a.Key, v)
			}
		}
		if strings.Contains(span.Status().Description, "nobody") {
			t.Errorf("the status has an argument in it: %s", span.Status().Description)
		}
	}
}
