package core

import (
	"errors"
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/vendor"
)

// preferred are the vendors whose model is taken when none is named, in this order, and after them any other with a key.
var preferred = []string{"anthropic", "openai", "gemini", "openrouter"}

// choose finds the model to begin with and the provider for it.
func (c *Core) choose() (model.Provider, error) {
	s := c.Workspace.Settings.Settings
	c.level = s.Thinking
	if c.o.Level != "" {
		c.level = c.o.Level
	}
	name := c.o.Model
	if name == "" {
		name = s.Model
	}
	if name == "" {
		var err error
		if name, err = c.best(); err != nil {
			return nil, err
		}
	}
	provider, spec, err := c.provider(name)
	c.spec = spec
	return provider, err
}

// errNoKey is why there is no model to talk to.
var errNoKey = errors.New("no model can be used, because there is no key: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or run: elyra auth set anthropic")

// best is the large model of the first vendor that there is a key for.
func (c *Core) best() (string, error) {
	vendors := c.Catalog.Vendors()
	try := func(v model.Vendor) string {
		key, from, err := c.Workspace.Keys.Find(v.ID, v.KeyVariable)
		if err != nil || from == "" || key.Reveal() == "" || v.API == "" || v.Large == "" {
			return ""
		}
		return v.ID + "/" + v.Large
	}
	for _, id := range preferred {
		for _, v := range vendors {
			if v.ID == id && try(v) != "" {
				return try(v), nil
			}
		}
	}
	for _, v := range vendors {
		if name := try(v); name != "" {
			return name, nil
		}
	}
	return "", errNoKey
}

// provider makes the provider of a model.
func (c *Core) provider(name string) (model.Provider, model.Spec, error) {
	spec, err := c.Catalog.Find(name)
	if err != nil {
		return nil, spec, err
	}
	v, err := c.Catalog.Vendor(spec.Provider)
	if err != nil {
		return nil, spec, err
	}
	key, _, err := c.Workspace.Keys.Find(v.ID, v.KeyVariable)
	if err != nil {
		return nil, spec, err
	}
	p, err := vendor.NewProvider(c.Catalog, v.ID, vendor.Config{Key: key.Reveal(), HTTP: c.o.HTTP, BaseURL: c.baseURL(v.ID)})
	if err != nil {
		return nil, spec, err
	}
	return model.Retry(p, model.RetryOptions{}), spec, nil
}

// baseURL is what the usual environment variables say of a vendor's address, "" for nothing.
func (c *Core) baseURL(vendor string) string {
	name := map[string]string{"anthropic": "ANTHROPIC_BASE_URL", "openai": "OPENAI_BASE_URL"}[vendor]
	for _, v := range c.o.Environ {
		if key, value, _ := strings.Cut(v, "="); key == name && name != "" {
			return value
		}
	}
	return ""
}

// SetModel changes the model for the next request, and stores that. A level of "" stays.
func (c *Core) SetModel(name string, level model.Level) (model.Spec, error) {
	provider, spec, err := c.provider(name)
	if err != nil {
		return spec, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if level == "" {
		level = c.level
	}
	if c.Session != nil {
		if err := c.Session.SetModel(spec.String(), level); err != nil {
			return spec, fmt.Errorf("store the model of the session: %w", err)
		}
	}
	c.spec, c.level = spec, level
	c.Agent.SetModel(provider, spec, level)
	return spec, nil
}

// Model is the model of the next request and how much it is to think.
func (c *Core) Model() (model.Spec, model.Level) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spec, c.level
}
