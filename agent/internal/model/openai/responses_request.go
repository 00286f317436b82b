package openai

import (
	"encoding/base64"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/adapter"
)

// responseParams makes the body of a request. Nothing is stored with the vendor: what it thought comes back encrypted and
// goes with the next request.
func responseParams(r model.Request) responses.ResponseNewParams {
	found := find(r)
	params := responses.ResponseNewParams{
		Model: r.Model.ID,
		Store: param.NewOpt(false),
		Tools: responseTools(r, found),
		Input: responses.ResponseNewParamsInputUnion{OfInputItemList: responseItems(r, found)},
	}
	if r.System != "" {
		params.Instructions = param.NewOpt(r.System)
	}
	if r.MaxOutput > 0 {
		params.MaxOutputTokens = param.NewOpt(r.MaxOutput)
	}
	if r.Session != "" {
		params.PromptCacheKey = param.NewOpt(adapter.ID(r.Session))
	}
	if r.Model.Reasoning {
		params.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
		params.Reasoning.Summary = shared.ReasoningSummaryAuto
		params.Reasoning.Effort = shared.ReasoningEffort(r.Model.Effort(r.Level))
	}
	return params
}

func responseTools(r model.Request, found findings) []responses.ToolUnionParam {
	var params []responses.ToolUnionParam
	searched := false
	for _, t := range r.Tools {
		function := struct {
			Type         string         `json:"type"`
			Name         string         `json:"name"`
			Description  string         `json:"description,omitempty"`
			Parameters   jsontext.Value `json:"parameters"`
			Strict       bool           `json:"strict"`
			DeferLoading bool           `json:"defer_loading,omitempty"`
		}{Type: "function", Name: t.Name, Description: t.Description, Parameters: t.InputSchema}
		function.DeferLoading = t.Deferred && r.Model.ToolSearch && !found.bare[t.Name]
		searched = searched || function.DeferLoading
		tool := param.Override[responses.FunctionToolParam](function)
		params = append(params, responses.ToolUnionParam{OfFunction: &tool})
	}
	if searched { // It goes last, so that the vendor counts our tools as we do.
		params = append(params, responses.ToolUnionParam{OfToolSearch: &responses.ToolSearchToolParam{}})
	}
	return params
}

func responseItems(r model.Request, found findings) responses.ResponseInputParam {
	items := responses.ResponseInputParam{}
	for _, m := range r.Messages {
		blocks := adapter.Sendable(r, m, func(t *model.Thinking) bool { return own(r, m, t) && isItem(t.Redacted) })
		var said responses.ResponseInputMessageContentListParam // by the user, until something else comes
		flush := func() {
			if len(said) > 0 {
				items = append(items, responses.ResponseInputItemParamOfMessage(said, responses.EasyInputMessageRoleUser))
				said = nil
			}
		}
		for _, b := range blocks {
			if b.Image != nil {
				said = append(said, inputImage(b.Image))
				continue
			}
			if m.Role == model.User && b.Result == nil {
				said = append(said, responses.ResponseInputContentParamOfInputText(b.Text))
				continue
			}
			flush()
			items = append(items, responseItem(r, b, found))
		}
		flush()
	}
	return items
}

// isItem reports whether a thought is an item of this API.
func isItem(raw []byte) bool {
	return strings.HasPrefix(string(raw), "{") && jsontext.Value(raw).IsValid()
}

// responseItem makes an item of a block that is no part of what a user says.
func responseItem(r model.Request, b model.Block, found findings) responses.ResponseInputItemUnionParam {
	switch {
	case b.Thinking != nil:
		// What the vendor searched for goes back like its thoughts: as it came.
		thought := param.Override[responses.ResponseReasoningItemParam](jsontext.Value(b.Thinking.Redacted))
		return responses.ResponseInputItemUnionParam{OfReasoning: &thought}
	case b.Call != nil:
		call := responses.ResponseInputItemParamOfFunctionCall(
			string(b.Call.Sendable()), adapter.ID(b.Call.ID), adapter.CallName(b.Call.Name))
		if found.namespaced[b.Call] {
			call.OfFunctionCall.Namespace = param.NewOpt(b.Call.Namespace)
		}
		return call
	case b.Result != nil:
		output := &responses.ResponseInputItemFunctionCallOutputParam{
			CallID: param.NewOpt(adapter.ID(b.Result.CallID)), Output: responseOutput(r, b.Result),
		}
		return responses.ResponseInputItemUnionParam{OfFunctionCallOutput: output}
	}
	return responses.ResponseInputItemParamOfMessage(b.Text, responses.EasyInputMessageRoleAssistant)
}

// responseOutput is a text when it can be one: all of these servers take that.
func responseOutput(r model.Request, result *model.Result) (output responses.ResponseInputItemFunctionCallOutputOutputUnionParam) {
	content := adapter.ResultContent(r, result)
	if text, ok := onlyText(content, result.IsError); ok {
		output.OfString = param.NewOpt(text)
		return output
	}
	if result.IsError {
		content = append([]model.Block{model.Text("error:")}, content...)
	}
	for _, b := range content {
		item := responses.ResponseFunctionCallOutputItemUnionParam{OfInputText: &responses.ResponseInputTextContentParam{Text: b.Text}}
		if b.Image != nil {
			image := &responses.ResponseInputImageContentParam{ImageURL: param.NewOpt(dataURL(b.Image))}
			item = responses.ResponseFunctionCallOutputItemUnionParam{OfInputImage: image}
		}
		output.OfResponseFunctionCallOutputItemArray = append(output.OfResponseFunctionCallOutputItemArray, item)
	}
	return output
}

// onlyText joins the texts of a result and reports whether there was nothing else. That it is an error has to be said,
// since the vendor has no field for it.
func onlyText(content []model.Block, isError bool) (string, bool) {
	var texts []string
	all := true
	for _, b := range content {
		if b.Image != nil {
			all = false
			continue
		}
		texts = append(texts, b.Text)
	}
	text := strings.Join(texts, "\n")
	if isError {
		text = "error: " + text
	}
	return text, all
}

func inputImage(i *model.Image) responses.ResponseInputContentUnionParam {
	return responses.ResponseInputContentUnionParam{OfInputImage: &responses.ResponseInputImageParam{
		ImageURL: param.NewOpt(dataURL(i)), Detail: responses.ResponseInputImageDetailAuto,
	}}
}

func dataURL(i *model.Image) string {
	return "data:" + i.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
}
