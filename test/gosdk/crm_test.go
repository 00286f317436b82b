package gosdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// openCRM starts `crm --mcp` with an empty home and connects the SDK's client to it.
func openCRM(t *testing.T, version string, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	return openCRMIn(t, t.TempDir(), version, o)
}

// openCRMIn is openCRM with a home that others may use too.
func openCRMIn(t *testing.T, home, version string, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	cmd := exec.Command(crmBinary, "--mcp")
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	return connectSDK(t, &sdk.CommandTransport{Command: cmd}, version, o)
}

// connectSDK connects the SDK's client; the test's end disconnects it.
func connectSDK(t *testing.T, transport sdk.Transport, version string, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "go-sdk", Version: "1.8.0"}, o)
	session, err := client.Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("close the session: %v", err)
		}
	})
	if got := session.InitializeResult().ProtocolVersion; got != version {
		t.Errorf("the session speaks %s, want %s", got, version)
	}
	return session
}

// call calls a tool, with arguments as JSON.
func call(t *testing.T, s *sdk.ClientSession, tool, args string) *sdk.CallToolResult {
	t.Helper()
	result, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return result
}

// refused returns the protocol error of a call.
func refused(t *testing.T, s *sdk.ClientSession, tool, args string) *jsonrpc.Error {
	t.Helper()
	result, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	e, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok {
		t.Fatalf("%s was answered with %+v, %v; want a protocol error", tool, result, err)
	}
	return e
}

func TestSDKClientListsTheCRM(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		s := openCRM(t, version, nil)
		if info := s.InitializeResult().ServerInfo; info == nil || info.Name == "" || info.Version == "" {
			t.Errorf("the server calls itself %+v", info)
		}
		var names []string
		for tool, err := range s.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, tool.Name)
			if schema, ok := tool.InputSchema.(map[string]any); !ok || schema["type"] != "object" || tool.Description == "" {
				t.Errorf("%s: description %q, input schema %v", tool.Name, tool.Description, tool.InputSchema)
			}
			if has := tool.OutputSchema != nil; tool.Name == "customers_show" && has != mcp.AtLeast(version, mcp.V2025_06_18) {
				t.Errorf("%s has an output schema: %v", tool.Name, has)
			}
		}
		if !slices.IsSorted(names) || !slices.Contains(names, "customers_store") || !slices.Contains(names, "orders_index") {
			t.Errorf("tools: %v", names)
		}
	})
}

func TestSDKClientCallsTheCRM(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		s := openCRM(t, version, nil)
		stored := call(t, s, "customers_store", `{"input":{"name":"Ada Lovelace","email":"ada@example.com"}}`)
		if stored.IsError || !strings.Contains(text(stored), `"name":"Ada Lovelace"`) {
			t.Fatalf("a good call: %s", text(stored))
		}
		if structured, ok := stored.StructuredContent.(map[string]any); ok != mcp.AtLeast(version, mcp.V2025_06_18) || ok && structured["name"] != "Ada Lovelace" {
			t.Errorf("structured content: %v", stored.StructuredContent)
		}
		for args, want := range map[string]string{
			`{"input":{"name":"Bad","email":"no address"}}`:      "input.email",
			`{"input":{"nmae":"Ada","email":"ada@example.com"}}`: "input.nmae",
			`{}`: "input",
		} {
			if r := call(t, s, "customers_store", args); !r.IsError || !strings.Contains(text(r), want) {
				t.Errorf("%s: isError %v, %s; want it to name %s", args, r.IsError, text(r), want)
			}
		}
		if e := refused(t, s, "customers_explode", `{}`); e.Code != wire.CodeInvalidParams {
			t.Errorf("an unknown tool: %v", e)
		}
	})
}

func TestSDKClientConfirmsInTheCRM(t *testing.T) {
	t.Parallel()
	eachVersion(t, func(t *testing.T, version string) {
		for action, gone := range map[string]bool{"accept": true, "decline": false, "cancel": false, "": false} {
			t.Run("answer "+action, func(t *testing.T) {
				t.Parallel()
				confirmInCRM(t, version, action, gone && mcp.AtLeast(version, mcp.V2025_06_18))
			})
		}
	})
}

// confirmInCRM deletes a customer with a user who answers with that action, "" for a client that cannot ask.
func confirmInCRM(t *testing.T, version, action string, gone bool) {
	var asked atomic.Int32
	o := &sdk.ClientOptions{}
	if action != "" {
		o.ElicitationHandler = func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			asked.Add(1)
			if !strings.Contains(r.Params.Message, "customers_destroy") || !strings.Contains(r.Params.Message, "id: 1") {
				t.Errorf("the question does not say what will happen: %s", r.Params.Message)
			}
			return &sdk.ElicitResult{Action: action}, nil
		}
	}
	s := openCRM(t, version, o)
	switch canAsk := action != "" && mcp.AtLeast(version, mcp.V2025_06_18); {
	case !canAsk && mcp.Modern(version):
		if e := refused(t, s, "customers_destroy", `{"id":1}`); e.Code != mcp.CodeMissingCapability || !strings.Contains(string(e.Data), `"elicitation"`) {
			t.Errorf("a client that cannot ask is told %v, data %s", e, e.Data)
		}
	default:
		r := call(t, s, "customers_destroy", `{"id":1}`)
		if r.IsError == gone {
			t.Errorf("isError %v: %s", r.IsError, text(r))
		}
		if want := map[bool]int32{true: 1}[canAsk]; asked.Load() != want {
			t.Errorf("the user was asked %d times, want %d", asked.Load(), want)
		}
	}
	if r := call(t, s, "customers_show", fmt.Sprintf(`{"id":%d}`, 1)); r.IsError != gone {
		t.Errorf("afterwards the customer is gone: %v, want %v: %s", r.IsError, gone, text(r))
	}
}
