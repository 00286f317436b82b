package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

func TestC1_EachModernRequestCarriesItsMetadata(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	check := func(m message) {
		if ids[string(m.ID)] || !wire.ValidID(m.ID) {
			t.Errorf("id %s is invalid or was used before", m.ID)
		}
		ids[string(m.ID)] = true
		var p struct {
			Meta struct {
				Version string             `json:"io.modelcontextprotocol/protocolVersion"`
				Info    mcp.Implementation `json:"io.modelcontextprotocol/clientInfo"`
				Caps    map[string]any     `json:"io.modelcontextprotocol/clientCapabilities"`
				Own     string             `json:"com.example/own"`
			} `json:"_meta"`
		}
		if err := unmarshal(m.Params, &p); err != nil {
			t.Error(err)
		}
		if p.Meta.Version != mcp.V2026_07_28 || p.Meta.Info.Name != "tester" || p.Meta.Info.Version != "7" || p.Meta.Caps == nil {
			t.Errorf("%s has the metadata %+v", m.Method, p.Meta)
		}
		if m.Method == "resources/read" && (p.Meta.Own != "kept" || string(paramsOf(t, m)["uri"]) != `"x:y"`) {
			t.Errorf("the caller's own params are not kept: %s", m.line)
		}
	}
	c := connect(t, scripted(t, func(f *fake) {
		m := f.expect(mcp.MethodDiscover)
		check(m)
		f.result(m, discovered)
		m = f.expect(mcp.MethodListTools)
		check(m)
		f.result(m, `{"resultType":"complete","tools":[]}`)
		m = f.expect(mcp.MethodCallTool)
		check(m)
		f.result(m, `{"resultType":"complete","content":[]}`)
		m = f.expect("resources/read")
		check(m)
		f.result(m, `{"resultType":"complete","contents":[]}`)
		f.end()
	}), Options{Info: mcp.Implementation{Name: "tester", Version: "7"}})
	if _, err := c.ListTools(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := c.CallTool(t.Context(), "x", nil, CallOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := c.Request(t.Context(), "resources/read", map[string]any{"uri": "x:y", "_meta": map[string]any{"com.example/own": "kept"}}); err != nil {
		t.Error(err)
	}
	if c.Version() != mcp.V2026_07_28 || c.Server().Name != "fake" || c.Instructions() != "be kind" {
		t.Errorf("client knows %q %+v %q", c.Version(), c.Server(), c.Instructions())
	}
}

func TestC1_ALegacyConnectionOpensWithInitialize(t *testing.T) {
	t.Parallel()
	c := connect(t, scripted(t, func(f *fake) {
		f.refuse(f.expect(mcp.MethodDiscover), wire.CodeMethodNotFound, "unknown", "")
		m := f.initialize(mcp.V2025_06_18)
		var p mcp.InitializeParams
		if err := unmarshal(m.Params, &p); err != nil {
			t.Error(err)
		}
		if p.ProtocolVersion != mcp.V2025_11_25 || p.ClientInfo.Name != "elyra" || !p.Capabilities.ElicitsForm() {
			t.Errorf("initialize says %+v", p)
		}
		m = f.expect(mcp.MethodListTools)
		if strings.Contains(m.line, "io.modelcontextprotocol/") {
			t.Errorf("a legacy request carries modern metadata: %s", m.line)
		}
		f.result(m, `{"tools":[]}`)
		f.end()
	}), Options{Elicit: accept})
	if _, err := c.ListTools(t.Context()); err != nil {
		t.Error(err)
	}
	if c.Version() != mcp.V2025_06_18 || c.Server().Name != "old" || c.Instructions() != "hi" {
		t.Errorf("client knows %q %+v %q", c.Version(), c.Server(), c.Instructions())
	}
}

// accept is a user who agrees to everything.
func accept(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
	return mcp.ElicitResult{Action: mcp.ElicitAccept}, nil
}

func TestC3_AnUnsupportedVersionIsChosenFromTheSupported(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		supported string
		version   string   // what is spoken then, "" for an error
		mentions  []string // of the error
	}{
		"an older one that both speak": {`["2027-01-01","2025-06-18","2025-03-26"]`, mcp.V2025_06_18, nil},
		"nothing in common":            {`["2027-01-01"]`, "", []string{"2027-01-01", mcp.V2026_07_28}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := Connect(t.Context(), scripted(t, func(f *fake) {
				f.refuse(f.expect(mcp.MethodDiscover), mcp.CodeUnsupportedVersion, "Unsupported protocol version",
					`{"requested":"2026-07-28","supported":`+tt.supported+`}`)
				if tt.version != "" {
					m := f.initialize(tt.version)
					if got := string(paramsOf(t, m)["protocolVersion"]); got != `"`+tt.version+`"` {
						t.Errorf("initialize asked for %s", got)
					}
				}
				f.end()
			}), Options{})
			if tt.version == "" {
				mention(t, err, tt.mentions...)
				if !errors.Is(err, ErrUnsupportedVersion) {
					t.Errorf("%v is no ErrUnsupportedVersion", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if c.Version() != tt.version {
				t.Errorf("version %q", c.Version())
			}
		})
	}
}

func TestC3_AVersionThatIsRefusedAndOfferedIsAskedForOnceMore(t *testing.T) {
	t.Parallel()
	refuse := func(f *fake) {
		f.refuse(f.expect(mcp.MethodDiscover), mcp.CodeUnsupportedVersion, "Unsupported protocol version",
			`{"requested":"2026-07-28","supported":["2026-07-28"]}`)
	}
	c, err := Connect(t.Context(), scripted(t, func(f *fake) {
		refuse(f)
		f.openModern()
		f.end()
	}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Version() != mcp.V2026_07_28 {
		t.Errorf("version %q", c.Version())
	}
	_, err = Connect(t.Context(), scripted(t, func(f *fake) {
		refuse(f)
		refuse(f)
		f.end()
	}), Options{})
	if mention(t, err, "does not speak 2026-07-28"); !errors.Is(err, ErrUnsupportedVersion) {
		t.Errorf("%v is no ErrUnsupportedVersion", err)
	}
}

func TestC3_ADiscoverResultWithoutACommonVersionIsAnError(t *testing.T) {
	t.Parallel()
	_, err := Connect(t.Context(), scripted(t, func(f *fake) {
		f.result(f.expect(mcp.MethodDiscover), `{"resultType":"complete","supportedVersions":["2031-01-01"],"capabilities":{}}`)
		f.end()
	}), Options{})
	mention(t, err, "2031-01-01")
}

func TestC8_AnyOtherAnswerToTheProbeMeansLegacy(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"method not found":        `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`,
		"invalid params":          `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no"}}`,
		"a code of its own":       `{"jsonrpc":"2.0","id":%s,"error":{"code":12,"message":"not initialized"}}`,
		"a modern code, no list":  `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"?"}}`,
		"an error without an id":  `{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}`,
		"an error for a null id":  `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`,
		"an empty result":         `{"jsonrpc":"2.0","id":%s,"result":{}}`,
		"a null result":           `{"jsonrpc":"2.0","id":%s,"result":null}`,
		"versions of wrong type":  `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":7}}`,
		"a malformed error":       `{"jsonrpc":"2.0","id":%s,"error":"no"}`,
		"noise before the answer": "starting…\n\n{\"level\":\"info\",\"id\":1}\n" + `{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"no"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connect(t, scripted(t, func(f *fake) {
				m := f.expect(mcp.MethodDiscover)
				f.send("%s", strings.ReplaceAll(answer, "%s", string(m.ID)))
				f.initialize(mcp.V2025_11_25)
				f.end()
			}), Options{})
			if c.Version() != mcp.V2025_11_25 {
				t.Errorf("version %q", c.Version())
			}
		})
	}
}

func TestC9_AModernRefusalStaysModern(t *testing.T) {
	t.Parallel()
	_, err := Connect(t.Context(), scripted(t, func(f *fake) {
		f.refuse(f.expect(mcp.MethodDiscover), mcp.CodeMissingCapability, "needs elicitation", `{"requiredCapabilities":{"elicitation":{}}}`)
		f.end() // No initialize.
	}), Options{})
	mention(t, err, "needs elicitation")
}

func TestC9_SilenceIsFollowedByInitialize(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script  func(f *fake)
		version string
		took    time.Duration
	}{
		"a legacy server that ignores unknown methods": {func(f *fake) {
			f.expect(mcp.MethodDiscover)
			f.initialize(mcp.V2025_11_25)
		}, mcp.V2025_11_25, 5 * time.Second},
		"a slow legacy server": {func(f *fake) {
			time.Sleep(11 * time.Second)
			f.openLegacy(mcp.V2025_11_25)
		}, mcp.V2025_11_25, 11 * time.Second},
		"a slow server of the modern era alone": {func(f *fake) {
			time.Sleep(11 * time.Second)
			f.openModern()
			f.refuse(f.expect(mcp.MethodInitialize), wire.CodeMethodNotFound, "only 2026-07-28", "")
		}, mcp.V2026_07_28, 11 * time.Second},
		"a modern server that refuses initialize first": {func(f *fake) {
			probe := f.expect(mcp.MethodDiscover)
			f.refuse(f.expect(mcp.MethodInitialize), wire.CodeMethodNotFound, "only 2026-07-28", "")
			time.Sleep(time.Second)
			f.result(probe, discovered)
		}, mcp.V2026_07_28, 6 * time.Second},
		"a slow server of both eras: initialize may have fixed its era": {func(f *fake) {
			time.Sleep(11 * time.Second)
			f.openModern()
			f.initialize(mcp.V2025_11_25)
		}, mcp.V2025_11_25, 11 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				c := connect(t, scripted(t, func(f *fake) {
					tt.script(f)
					f.end()
				}), Options{})
				if c.Version() != tt.version || time.Since(start) != tt.took {
					t.Errorf("version %q after %v", c.Version(), time.Since(start))
				}
			})
		})
	}
}

func TestC9_AServerThatEndsOnTheProbeIsOpenedAgainAsLegacy(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]func(f *fake){
		"without a word":  func(f *fake) { f.expect(mcp.MethodDiscover) },
		"after an error":  func(f *fake) { f.refuse(f.expect(mcp.MethodDiscover), -32600, "expected initialize", "") },
		"before reading":  func(*fake) {},
		"after a timeout": func(f *fake) { f.expect(mcp.MethodDiscover); f.expect(mcp.MethodInitialize) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := connect(t, scripted(t, first, func(f *fake) {
					f.initialize(mcp.V2025_11_25)
					f.end()
				}), Options{})
				if c.Version() != mcp.V2025_11_25 {
					t.Errorf("version %q", c.Version())
				}
			})
		})
	}
}

func TestC9_TheTransportKnowsHowAConnectionStarts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		era     string
		scripts []func(f *fake)
		want    []bool
	}{
		"probe":           {"", []func(f *fake){(*fake).openModern}, []bool{false}},
		"probe, reopened": {"", []func(f *fake){func(*fake) {}, func(f *fake) { f.initialize(mcp.V2025_11_25) }}, []bool{false, true}},
		"fixed modern":    {mcp.V2026_07_28, []func(f *fake){(*fake).openModern}, []bool{false}},
		"fixed legacy":    {mcp.V2025_06_18, []func(f *fake){func(f *fake) { f.initialize(mcp.V2025_06_18) }}, []bool{true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []bool
			inner := scripted(t, tt.scripts...)
			connect(t, transportFunc(func(ctx context.Context, legacy bool) (Conn, error) {
				got = append(got, legacy)
				return inner.Open(ctx, legacy)
			}), Options{Era: tt.era})
			if !slices.Equal(got, tt.want) {
				t.Errorf("opened with %v, want %v", got, tt.want)
			}
		})
	}
}

func TestC9_AServerThatAlwaysEndsIsOpenedTwiceAtMost(t *testing.T) {
	t.Parallel()
	_, err := Connect(t.Context(), scripted(t, func(*fake) {}, func(*fake) {}), Options{})
	if !errors.Is(err, ErrDisconnected) {
		t.Errorf("error %v", err)
	}
}

func TestC10_AFixedEraNeedsNoProbe(t *testing.T) {
	t.Parallel()
	for _, version := range []string{mcp.V2025_11_25, mcp.V2025_06_18, mcp.V2025_03_26, v2024_11_05} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			c := connect(t, scripted(t, func(f *fake) {
				m := f.initialize(version)
				if got := string(paramsOf(t, m)["protocolVersion"]); got != fmt.Sprintf("%q", version) {
					t.Errorf("initialize asked for %s", got)
				}
				f.end()
			}), Options{Era: version})
			if c.Version() != version {
				t.Errorf("version %q", c.Version())
			}
		})
	}
}

func TestC10_AFixedEraThatTheServerDoesNotSpeakIsAnError(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		era    string
		script func(f *fake)
	}{
		"modern refused":         {mcp.V2026_07_28, func(f *fake) { f.refuse(f.expect(mcp.MethodDiscover), -32601, "no", "") }},
		"modern not offered":     {mcp.V2026_07_28, func(f *fake) { f.result(f.expect(mcp.MethodDiscover), `{"supportedVersions":["2025-11-25"]}`) }},
		"legacy answered higher": {mcp.V2025_06_18, func(f *fake) { f.result(f.expect(mcp.MethodInitialize), `{"protocolVersion":"2025-11-25"}`) }},
		"legacy refused":         {mcp.V2025_06_18, func(f *fake) { f.refuse(f.expect(mcp.MethodInitialize), -32602, "no", "") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Connect(t.Context(), scripted(t, func(f *fake) {
				tt.script(f)
				f.end()
			}), Options{Era: tt.era})
			if !errors.Is(err, ErrUnsupportedVersion) {
				t.Errorf("error %v", err)
			}
			mention(t, err, tt.era)
		})
	}
	_, err := Connect(t.Context(), scripted(t), Options{Era: "1999-01-01"})
	mention(t, err, "1999-01-01", mcp.V2026_07_28)
}

func TestC10_InitializeFollowsAnOfferOfOlderVersions(t *testing.T) {
	t.Parallel()
	c := connect(t, scripted(t, func(f *fake) {
		f.refuse(f.expect(mcp.MethodDiscover), -32601, "no", "")
		f.refuse(f.expect(mcp.MethodInitialize), -32602, "Unsupported protocol version", `{"supported":["2024-11-05"],"requested":"2025-11-25"}`)
		f.initialize(v2024_11_05)
		f.end()
	}), Options{})
	if c.Version() != v2024_11_05 {
		t.Errorf("version %q", c.Version())
	}
}

func TestC10_AnUnknownAnswerToInitializeIsAnError(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"a version from the future": `{"protocolVersion":"2031-01-01"}`,
		"the modern version":        `{"protocolVersion":"2026-07-28"}`,
		"no version":                `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Connect(t.Context(), scripted(t, func(f *fake) {
				f.refuse(f.expect(mcp.MethodDiscover), -32601, "no discover here", "")
				f.result(f.expect(mcp.MethodInitialize), answer)
				f.end()
			}), Options{})
			mention(t, err, "initialize", "no discover here")
		})
	}
}

func TestC4_ConnectingEndsWithItsContextAndItsTimeout(t *testing.T) {
	t.Parallel()
	silent := func(f *fake) {
		for {
			m, ok := f.next()
			if !ok {
				return
			}
			if m.Method == mcp.NotifyCancelled {
				t.Errorf("neither the probe nor initialize may be cancelled: %s", m.line)
			}
		}
	}
	t.Run("context", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			if _, err := Connect(ctx, scripted(t, silent), Options{}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
		})
	})
	t.Run("timeout", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			_, err := Connect(t.Context(), scripted(t, silent), Options{})
			if !errors.Is(err, ErrTimeout) || time.Since(start) != 70*time.Second {
				t.Errorf("error %v after %v", err, time.Since(start))
			}
		})
	})
}
