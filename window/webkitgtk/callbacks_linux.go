package webkitgtk

import "github.com/ebitengine/purego"

// callbacks are Go functions as C calls them. C keeps these for ever and Go can make only some thousand, so each is made
// once per process. What happens is passed on to the Run in progress.
type callbacks struct {
	onDrain, onDestroy, onClose, onPolicy, onCreate, onTerminated, onLoadFailed, onAutomation, onAutomationView uintptr

	// Of windows. Where there is a number, the GTK of that major version calls it.
	onSize, onKey3, onKey4, onChosen uintptr

	// Of questions.
	onResponse, onActive, onFrame, onDelete3, onPress3, onRelease3, onClose4, onPress4, onRelease4 uintptr
}

// makeCallbacks makes what C calls. Signals arrive with the object first and the connection's data, unused here, last.
func (k *toolkit) makeCallbacks() {
	k.onDrain = purego.NewCallback(k.drain)
	k.makeGeometryCallbacks()
	k.makeKeyCallbacks()
	k.makeChooserCallbacks()
	k.makeQuestionCallbacks()
	k.onDestroy = purego.NewCallback(func(gtkWindow, _ uintptr) {
		if k.session != nil {
			k.session.destroyed(gtkWindow)
		}
	})
	k.onClose = purego.NewCallback(func(view, _ uintptr) {
		if s := k.session; s != nil {
			k.post(func() { s.closeView(view) }) // not while WebKit is still using the view
		}
	})
	k.onPolicy = purego.NewCallback(func(view, decision uintptr, kind int32, _ uintptr) int32 {
		if k.session == nil {
			return 0
		}
		return k.session.decide(decision, kind)
	})
	k.onCreate = purego.NewCallback(func(view, action, _ uintptr) uintptr {
		if k.session != nil {
			k.session.leadAway(k.uriRequestURI(k.actionRequest(action)))
		}
		return 0
	})
	k.onTerminated = purego.NewCallback(func(view uintptr, reason int32, _ uintptr) {
		if k.session != nil {
			k.session.terminated(view, reason)
		}
	})
	k.onLoadFailed = purego.NewCallback(func(view uintptr, event int32, uri, gerror, _ uintptr) int32 {
		if k.session != nil {
			k.session.loadFailed(view, goString(uri), errorText(gerror))
		}
		return 0
	})
	k.onAutomation = purego.NewCallback(func(_, automation, _ uintptr) {
		k.signalConnect(automation, "create-web-view", k.onAutomationView, 0, 0, 0)
	})
	k.onAutomationView = purego.NewCallback(func(_, _ uintptr) uintptr {
		if k.session == nil {
			return 0
		}
		return k.session.firstView()
	})
}
