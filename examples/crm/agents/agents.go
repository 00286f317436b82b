// Package agents holds the commands behind the window's switch for AI agents.
package agents

import (
	"context"

	"github.com/elyra-go/elyra"
)

//go:generate go run github.com/elyra-go/elyra/rata generate

// Paused reports whether agents are paused.
//
//elyra:command can=agents.pause live
func Paused(ctx context.Context) (bool, error) { return elyra.AgentsPaused(ctx), nil }

// Pause refuses every further call of an agent, or lets them go on.
//
//elyra:command can=agents.pause idempotent
func Pause(ctx context.Context, paused bool) error { return elyra.PauseAgents(ctx, paused) }
