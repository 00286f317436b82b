package workspace

import "github.com/elyra-go/elyra/agent/internal/model"

// apis are the names of protocols in settings.
var apis = map[string]model.API{
	"anthropic": model.APIAnthropic, "openai-responses": model.APIOpenAI, "openai-chat": model.APIChat,
}

// Overrides are what the user's settings say of the vendors of models.
func (w *Workspace) Overrides() model.Overrides {
	all := model.Overrides{}
	for name, p := range w.Settings.Providers {
		v := model.VendorOverride{API: apis[p.API], BaseURL: p.BaseURL, KeyVariable: p.APIKeyEnv, Models: map[string]model.ModelOverride{}}
		for _, m := range p.Models {
			o := model.ModelOverride{Name: m.Name, Context: m.Context, MaxOutput: m.MaxOutput}
			if m.Reasoning {
				o.Reasoning = &m.Reasoning
			}
			if m.Images {
				o.Images = &m.Images
			}
			if m.Price != (model.Price{}) {
				o.Price = &m.Price
			}
			v.Models[m.ID] = o
		}
		all[name] = v
	}
	return all
}
