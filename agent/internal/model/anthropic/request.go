package anthropic

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/adapter"
)

// unknownOutput is the limit for a model of which none is known; the API asks for one.
const unknownOutput = 8192

// params makes the body of a request. System, tools and the beginning of the messages are the same bytes from request to
// request; the marks of what to cache are no part of what is compared for the cache.
func (p *provider) params(r model.Request) sdk.MessageNewParams {
	most := limit(r)
	params := sdk.MessageNewParams{Model: sdk.Model(r.Model.ID), MaxTokens: most, Tools: tools(r)}
	if r.System != "" {
		params.System = []sdk.TextBlockParam{{Text: r.System, CacheControl: sdk.NewCacheControlEphemeralParam()}}
	}
	params.Messages = p.messages(r)
	think(&params, r, most)
	return params
}

// limit is what the model may answer: as much as it can, but not so much that half of its context is kept free for it.
func limit(r model.Request) int64 {
	if r.MaxOutput > 0 {
		return r.MaxOutput
	}
	most := cmp.Or(r.Model.MaxOutput, unknownOutput)
	if r.Model.Context > 0 {
		most = min(most, max(r.Model.Context/4, 1))
	}
	return most
}

func tools(r model.Request) []sdk.ToolUnionParam {
	var params []sdk.ToolUnionParam
	last, deferred := -1, false
	for i, t := range r.Tools {
		tool := &sdk.ToolParam{
			Name:        t.Name,
			InputSchema: param.Override[sdk.ToolInputSchemaParam](jsontext.Value(t.InputSchema)),
		}
		if t.Description != "" {
			tool.Description = sdk.String(t.Description)
		}
		if t.Deferred && r.Model.ToolSearch {
			tool.DeferLoading, deferred = sdk.Bool(true), true
		} else {
			last = i
		}
		params = append(params, sdk.ToolUnionParam{OfTool: tool})
	}
	// What is deferred is no part of the prefix and takes no mark. The search goes last, so that the vendor counts our tools
	// as we do.
	if deferred {
		search := &sdk.ToolSearchToolBm25_20251119Param{
			Type:         sdk.ToolSearchToolBm25_20251119TypeToolSearchToolBm25_20251119,
			CacheControl: sdk.NewCacheControlEphemeralParam(),
		}
		return append(params, sdk.ToolUnionParam{OfToolSearchToolBm25_20251119: search})
	}
	if last >= 0 {
		params[last].OfTool.CacheControl = sdk.NewCacheControlEphemeralParam()
	}
	return params
}

// cachedMessages is how many of the user's last messages are marked, besides system and tools: the vendor takes four marks.
const cachedMessages = 2

func (p *provider) messages(r model.Request) []sdk.MessageParam {
	var params []sdk.MessageParam
	for _, m := range r.Messages {
		var content []sdk.ContentBlockParamUnion
		for _, b := range adapter.Sendable(r, m, func(t *model.Thinking) bool { return t.Provider == p.options.Vendor && isKnown(t) }) {
			content = append(content, block(r, b))
		}
		switch {
		case len(content) == 0:
		case m.Role == model.Assistant:
			params = append(params, sdk.NewAssistantMessage(content...))
		default:
			params = append(params, sdk.NewUserMessage(content...))
		}
	}
	marked := 0
	for i := len(params) - 1; i >= 0 && marked < cachedMessages; i-- {
		if params[i].OfUser != nil {
			blocks := params[i].OfUser.Content
			*blocks[len(blocks)-1].GetCacheControl() = sdk.NewCacheControlEphemeralParam()
			marked++
		}
	}
	return params
}

// isKnown reports whether the vendor will know a thought again.
func isKnown(t *model.Thinking) bool { return t.Signature != "" || isBlock(t.Redacted) }

func isBlock(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' && jsontext.Value(raw).IsValid() }

func block(r model.Request, b model.Block) sdk.ContentBlockParamUnion {
	switch {
	case b.Thinking != nil && isBlock(b.Thinking.Redacted):
		return param.Override[sdk.ContentBlockParamUnion](jsontext.Value(b.Thinking.Redacted))
	case b.Thinking != nil:
		return sdk.NewThinkingBlock(b.Thinking.Signature, b.Thinking.Text)
	case b.Image != nil:
		return sdk.NewImageBlockBase64(b.Image.MIMEType, base64.StdEncoding.EncodeToString(b.Image.Data))
	case b.Call != nil:
		return sdk.NewToolUseBlock(adapter.ID(b.Call.ID), jsontext.Value(b.Call.Sendable()), adapter.CallName(b.Call.Name))
	case b.Result != nil:
		return sdk.ContentBlockParamUnion{OfToolResult: result(r, b.Result)}
	}
	return sdk.NewTextBlock(b.Text)
}

func result(r model.Request, result *model.Result) *sdk.ToolResultBlockParam {
	param := &sdk.ToolResultBlockParam{ToolUseID: adapter.ID(result.CallID)}
	if result.IsError {
		param.IsError = sdk.Bool(true)
	}
	for _, b := range adapter.ResultContent(r, result) {
		content := sdk.ToolResultBlockParamContentUnion{OfText: &sdk.TextBlockParam{Text: b.Text}}
		if b.Image != nil {
			content = sdk.ToolResultBlockParamContentUnion{
				OfImage: sdk.NewImageBlockBase64(b.Image.MIMEType, base64.StdEncoding.EncodeToString(b.Image.Data)).OfImage,
			}
		}
		param.Content = append(param.Content, content)
	}
	return param
}

// block returns the block as it goes back to the vendor: as it came, with the input that was streamed for it.
func (o *opaque) block() []byte {
	if o.input.Len() == 0 {
		return []byte(o.raw)
	}
	var members map[string]jsontext.Value
	if json.Unmarshal([]byte(o.raw), &members) != nil || !jsontext.Value(o.input.String()).IsValid() {
		return nil
	}
	members["input"] = jsontext.Value(o.input.String())
	raw, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return nil
	}
	return raw
}

// think sets how much the model is to think. Newer models are told an effort and decide themselves; older ones are given a
// budget of tokens.
func think(params *sdk.MessageNewParams, r model.Request, most int64) {
	effort := sdk.OutputConfigEffort(r.Model.Effort(r.Level))
	off := r.Level == model.LevelOff || r.Level == ""
	switch {
	case !r.Model.Reasoning:
	case isAdaptive(r.Model) && !off, alwaysThinks(r.Model):
		params.Thinking.OfAdaptive = &sdk.ThinkingConfigAdaptiveParam{Display: sdk.ThinkingConfigAdaptiveDisplaySummarized}
		params.OutputConfig.Effort = effort
	case isAdaptive(r.Model) && !strings.Contains(r.Model.ID, "-4-"):
		// Before the fifth generation saying nothing is off; from then on it has to be said.
		disabled := sdk.NewThinkingConfigDisabledParam()
		params.Thinking.OfDisabled = &disabled
	case off, isAdaptive(r.Model), beginsWithoutThought(r):
	default:
		budget := min(budgets(r.Level), most-minBudget)
		if budget >= minBudget {
			params.Thinking = sdk.ThinkingConfigParamOfEnabled(budget)
		}
	}
}

const minBudget = 1024

func budgets(l model.Level) int64 {
	switch l {
	case model.LevelMinimal:
		return minBudget
	case model.LevelLow:
		return 4096
	case model.LevelMedium:
		return 10_240
	case model.LevelHigh:
		return 20_480
	}
	return 31_999
}

func isAdaptive(s model.Spec) bool {
	return slices.Contains(s.Efforts, "max") || slices.Contains(s.Efforts, "xhigh") || alwaysThinks(s)
}

// alwaysThinks knows the models that refuse to be told not to.
func alwaysThinks(s model.Spec) bool {
	return strings.Contains(s.ID, "claude-mythos") || strings.Contains(s.ID, "claude-fable")
}

// beginsWithoutThought reports whether the turn that goes on has calls of a message without thinking, as after a change of
// model. Models with a budget refuse to think in the middle of such a turn.
func beginsWithoutThought(r model.Request) bool {
	last := len(r.Messages) - 1
	if last < 1 || !slices.ContainsFunc(r.Messages[last].Content, func(b model.Block) bool { return b.Result != nil }) {
		return false
	}
	before := r.Messages[last-1]
	return len(before.Content) == 0 || before.Content[0].Thinking == nil || before.Content[0].Thinking.Provider != r.Model.Provider
}
