// Package otel makes an OpenTelemetry span of every call to a command of an Elyra app. Where an
// agent's client sent a W3C trace context, the span belongs to the client's trace. It is a module
// of its own: an app that does not import it links nothing of OpenTelemetry.
//
// A span carries the command's name and who called it, never the arguments. It imports only package
// elyra and the OpenTelemetry API; exporting spans is the program's business.
package otel

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/elyra-go/elyra"
)

// Middleware returns middleware that makes spans with tracer. Register it first, so that the other
// middleware runs within the span. The re-runs of live queries get none: they are many and nobody
// asked for them.
func Middleware(tracer trace.Tracer) elyra.Middleware {
	return func(next elyra.Handler) elyra.Handler {
		return func(ctx context.Context, r *elyra.Request) (any, error) {
			if r.Rerun {
				return next(ctx, r)
			}
			if r.TraceParent != "" {
				sent := propagation.MapCarrier{"traceparent": r.TraceParent, "tracestate": r.TraceState}
				ctx = propagation.TraceContext{}.Extract(ctx, sent)
			}
			ctx, span := tracer.Start(ctx, r.Name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attributes(r)...))
			defer span.End()
			result, err := next(ctx, r)
			if err != nil {
				// The error's text may repeat an argument: the span only says that there was one.
				span.SetStatus(codes.Error, "the command failed")
			}
			return result, err
		}
	}
}

// attributes say who called.
func attributes(r *elyra.Request) []attribute.KeyValue {
	switch o := r.Origin.(type) {
	case elyra.Agent:
		return []attribute.KeyValue{attribute.String("elyra.origin", "agent"), attribute.String("elyra.client", o.Client)}
	case elyra.Frontend:
		return []attribute.KeyValue{attribute.String("elyra.origin", "window"), attribute.String("elyra.window", o.Window)}
	}
	return []attribute.KeyValue{attribute.String("elyra.origin", "internal")}
}
