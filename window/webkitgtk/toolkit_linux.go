package webkitgtk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/ebitengine/purego"

	"github.com/elyra-go/elyra/window"
)

const (
	scheme  = "elyra"
	origin  = scheme + "://app"
	homeURL = origin + "/"
)

// toolkit is the process's GTK: the libraries, the functions that C calls back, and the way onto GTK's thread.
type toolkit struct {
	*library
	callbacks
	thread int // the OS thread that GTK belongs to

	// session is the Run in progress, nil between two. Only GTK's thread uses it.
	session *session
	// automated says that WebKitWebDriver was let in, which holds until the process ends.
	automated bool

	mu     sync.Mutex
	posted []func()
}

// process is the one toolkit of this process. It is a variable of the package because GTK itself is one: it can be
// initialised once, on one thread, and its callbacks cannot be given back.
var process struct {
	sync.Mutex
	kit *toolkit
}

// enter gives the process's toolkit to s until leave, loading it first if need be.
func enter(s *session, choices []stack) (*toolkit, error) {
	process.Lock()
	defer process.Unlock()
	if process.kit == nil {
		kit, err := start(choices, s.getenv)
		if err != nil {
			return nil, err
		}
		process.kit = kit
	}
	kit := process.kit
	if kit.thread != syscall.Gettid() {
		return nil, errors.New("run windows: an earlier Run was on another OS thread; call it from the same goroutine, locked to its thread")
	}
	if kit.session != nil {
		return nil, errors.New("run windows: another Run has not returned yet")
	}
	kit.session = s
	return kit, nil
}

func (k *toolkit) leave() { k.session = nil }

func start(choices []stack, getenv func(string) string) (*toolkit, error) {
	display := getenv("WAYLAND_DISPLAY") + getenv("DISPLAY")
	if display == "" {
		return nil, &window.Unavailable{
			Reason:   "there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set",
			Fix:      "start it in a desktop session, or set DISPLAY to the screen to use",
			ExitCode: window.ExitNoDisplay,
		}
	}
	lib, err := load(choices)
	if err != nil {
		return nil, &window.Unavailable{
			Reason:   fmt.Sprintf("the WebKitGTK library cannot be used: %v", err),
			Fix:      "on Debian or Ubuntu: " + AptLine,
			ExitCode: window.ExitNoLibrary,
		}
	}
	// Go's runtime handles every signal. JavaScriptCore stops its threads with SIGUSR1 and complains when
	// it finds a handler there, so the signal is put back to how a C program would have it.
	const sigDefault = 0
	lib.signal(int32(syscall.SIGUSR1), sigDefault)
	lib.setPrgname(filepath.Base(os.Args[0]))
	if !lib.initGTK() {
		return nil, &window.Unavailable{
			Reason:   fmt.Sprintf("the screen %q cannot be opened", display),
			Fix:      "check DISPLAY and WAYLAND_DISPLAY, and that this user may use that screen",
			ExitCode: window.ExitNoDisplay,
		}
	}
	kit := &toolkit{library: lib, thread: syscall.Gettid()}
	kit.makeCallbacks()
	context := lib.contextDefault()
	lib.registerScheme(context, scheme, purego.NewCallback(kit.schemeRequest), 0, 0)
	lib.schemeAsSecure(lib.contextSecurity(context), scheme)
	return kit, nil
}

func (l *library) initGTK() bool {
	if l.gtkMajor == 3 {
		return l.gtkInitCheck3(0, 0) != 0
	}
	return l.gtkInitCheck4() != 0
}

func (k *toolkit) allowAutomation() {
	if k.automated {
		return
	}
	k.automated = true
	context := k.contextDefault()
	k.setAutomationAllowed(context, 1)
	k.signalConnect(context, "automation-started", k.onAutomation, 0, 0, 0)
}

// post runs fn on GTK's thread, soon. It may be called from any goroutine and does not wait.
func (k *toolkit) post(fn func()) {
	k.mu.Lock()
	k.posted = append(k.posted, fn)
	first := len(k.posted) == 1
	k.mu.Unlock()
	if first {
		const priorityDefault = 0
		k.idleAddFull(priorityDefault, k.onDrain, 0, 0)
	}
}

// drain runs what was posted. Its result tells GLib that it is not to be called again until the next post.
func (k *toolkit) drain(uintptr) int32 {
	k.mu.Lock()
	posted := k.posted
	k.posted = nil
	k.mu.Unlock()
	for _, fn := range posted {
		fn()
	}
	return 0
}

// iterate waits for the next thing to happen on GTK's thread and handles it.
func (k *toolkit) iterate() { k.mainContextIteration(0, 1) }
