package webkitgtk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"github.com/elyra-go/elyra/window"
)

var _ window.Notifier = (*backend)(nil)

// busTime is how long the desktop may take to answer.
const busTime = 3 * time.Second

// desktopBus holds the C functions that speak with the desktop's other programs. GLib lets any thread call them.
type desktopBus struct {
	busGet       func(kind int32, cancel uintptr, err *uintptr) uintptr
	busStays     func(connection uintptr, exitOnClose int32)
	busCall      func(connection uintptr, name, path, iface, method string, params, replyType uintptr, flags, milliseconds int32, cancel uintptr, err *uintptr) uintptr
	variantText  func(text string) uintptr
	variantInt   func(n int32) uintptr
	variantUint  func(n uint32) uintptr
	variantArray func(elementType string, elements unsafe.Pointer, count uintptr) uintptr
	variantTuple func(elements unsafe.Pointer, count uintptr) uintptr
	variantPrint func(variant uintptr, types int32) uintptr
	variantUnref func(variant uintptr)
}

func (d *desktopBus) bind(b *binder) {
	b.function(&d.busGet, "g_bus_get_sync")
	b.function(&d.busStays, "g_dbus_connection_set_exit_on_close")
	b.function(&d.busCall, "g_dbus_connection_call_sync")
	b.function(&d.variantText, "g_variant_new_string")
	b.function(&d.variantInt, "g_variant_new_int32")
	b.function(&d.variantUint, "g_variant_new_uint32")
	b.function(&d.variantArray, "g_variant_new_array")
	b.function(&d.variantTuple, "g_variant_new_tuple")
	b.function(&d.variantPrint, "g_variant_print")
	b.function(&d.variantUnref, "g_variant_unref")
}

// Notify has the desktop show n. See window.Notifier.
func (b *backend) Notify(ctx context.Context, n window.Notification) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s := b.running.Load()
	if s == nil {
		return window.ErrNotRunning
	}
	k := s.kit
	const session = 2
	var gerror uintptr
	bus := k.busGet(session, 0, &gerror)
	if bus == 0 {
		return k.busError(gerror)
	}
	defer k.objectUnref(bus)
	k.busStays(bus, 0) // GLib would end the program together with the bus.

	// A desktop that reads the text as markup says so. One that does not know the question reads plain text.
	body := cText(n.Body)
	if can, err := k.notifications(ctx, bus, "GetCapabilities", nil); err == nil && strings.Contains(can, "'body-markup'") {
		body = asMarkup(body)
	}
	const desktopDecides = -1
	_, err := k.notifications(ctx, bus, "Notify", []uintptr{
		k.variantText(filepath.Base(os.Args[0])), k.variantUint(0), k.variantText(""),
		k.variantText(cText(n.Title)), k.variantText(body),
		k.variantArray("s", nil, 0), k.variantArray("{sv}", nil, 0), k.variantInt(desktopDecides),
	})
	return err
}

// notifications calls a method of the desktop's notifications and gives the answer as GLib prints it.
func (k *toolkit) notifications(ctx context.Context, bus uintptr, method string, params []uintptr) (string, error) {
	const name, path = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
	wait := busTime
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, max(time.Until(deadline), time.Millisecond))
	}
	var gerror uintptr
	tuple := k.variantTuple(unsafe.Pointer(unsafe.SliceData(params)), uintptr(len(params)))
	answer := k.busCall(bus, name, path, name, method, tuple, 0, 0, int32(wait.Milliseconds()), 0, &gerror)
	if answer == 0 {
		return "", k.busError(gerror)
	}
	defer k.variantUnref(answer)
	text := k.variantPrint(answer, 0)
	defer k.free(text)
	return goString(text), nil
}

func (k *toolkit) busError(gerror uintptr) error {
	if gerror == 0 {
		return errors.New("show a notification: the desktop did not say why not")
	}
	defer k.errorFree(gerror)
	return fmt.Errorf("show a notification: %s", errorText(gerror))
}

// asMarkup gives markup that shows as the plain text.
func asMarkup(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
