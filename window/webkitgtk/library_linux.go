package webkitgtk

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// stack is one pair of libraries that belong together.
type stack struct {
	webkit, gtk string
	gtkMajor    int
}

// stacks are the pairs that this package knows, the preferred one first.
func stacks() []stack {
	return []stack{
		{"libwebkit2gtk-4.1.so.0", "libgtk-3.so.0", 3},
		{"libwebkitgtk-6.0.so.4", "libgtk-4.so.1", 4},
	}
}

// library holds the C functions that this package calls. A uintptr is a pointer to a C object.
type library struct {
	name     string
	gtkMajor int

	widgets
	desktopBus

	signal func(number int32, handler uintptr) uintptr

	mainContextIteration func(context uintptr, mayBlock int32) int32
	idleAddFull          func(priority int32, fn, data, destroy uintptr) uint32
	setPrgname           func(name string)
	errorNewLiteral      func(domain uint32, code int32, message string) uintptr
	errorFree            func(err uintptr)
	quarkFromString      func(name string) uint32
	bytesNew             func(data unsafe.Pointer, size uintptr) uintptr
	bytesUnref           func(bytes uintptr)

	objectRef     func(object uintptr) uintptr
	objectUnref   func(object uintptr)
	objectNew     func(gtype uintptr, count uint32, names, values unsafe.Pointer) uintptr
	signalConnect func(object uintptr, name string, fn, data, destroy uintptr, flags int32) uint64
	valueInit     func(value unsafe.Pointer, gtype uintptr) uintptr
	valueSetBool  func(value unsafe.Pointer, v int32)
	valueSetObj   func(value unsafe.Pointer, object uintptr)
	valueUnset    func(value unsafe.Pointer)

	memoryInputStream func(bytes uintptr) uintptr
	unixInputStream   func(fd int32, closeFD int32) uintptr
	inputStreamRead   func(stream uintptr, buffer unsafe.Pointer, count uintptr, read *uintptr, cancel uintptr, err *uintptr) int32

	gtkInitCheck3    func(argc, argv uintptr) int32
	gtkInitCheck4    func() int32
	windowNew3       func(kind int32) uintptr
	windowNew4       func() uintptr
	containerAdd     func(container, widget uintptr)
	windowSetChild   func(window, widget uintptr)
	widgetShowAll    func(widget uintptr)
	windowPresent    func(window uintptr)
	windowSetTitle   func(window uintptr, title string)
	windowSetDefault func(window uintptr, width, height int32)
	windowDestroy    func(window uintptr)

	contextDefault       func() uintptr
	registerScheme       func(context uintptr, scheme string, fn, data, destroy uintptr)
	contextSecurity      func(context uintptr) uintptr
	schemeAsSecure       func(security uintptr, scheme string)
	setAutomationAllowed func(context uintptr, allowed int32)

	viewType             func() uintptr
	viewLoadURI          func(view uintptr, uri string)
	viewReload           func(view uintptr)
	viewSettings         func(view uintptr) uintptr
	viewEdit             func(view uintptr, command string)
	settingsExtras       func(settings uintptr, enabled int32)
	settingsWindows      func(settings uintptr, enabled int32)
	settingsAcceleration func(settings uintptr, policy int32)
	contentType          func() uintptr
	contentNew           func() uintptr
	contentAddScript     func(content, script uintptr)
	scriptNew            func(source string, frames, time int32, allow, block unsafe.Pointer) uintptr
	scriptUnref          func(script uintptr)

	requestURI     func(request uintptr) string
	requestMethod  func(request uintptr) string
	requestBody    func(request uintptr) uintptr
	requestHeaders func(request uintptr) uintptr
	requestView    func(request uintptr) uintptr
	requestFinish  func(request, response uintptr)
	requestFail    func(request, err uintptr)

	responseNew         func(stream uintptr, length int64) uintptr
	responseStatus      func(response uintptr, status uint32, reason uintptr)
	responseContentType func(response uintptr, contentType string)
	responseHeaders     func(response, headers uintptr)

	decisionIgnore  func(decision uintptr)
	decisionAction  func(decision uintptr) uintptr
	actionRequest   func(action uintptr) uintptr
	uriRequestURI   func(request uintptr) string
	headersNew      func(kind int32) uintptr
	headersAppend   func(headers uintptr, name, value string)
	headersIterInit func(iter unsafe.Pointer, headers uintptr)
	headersIterNext func(iter unsafe.Pointer, name, value *uintptr) int32
}

// load opens the first of the stacks whose WebKit is installed.
func load(choices []stack) (*library, error) {
	var missing []error
	for _, s := range choices {
		webkit, err := open(s.webkit)
		if err != nil {
			missing = append(missing, err)
			continue
		}
		lib := &library{name: s.webkit, gtkMajor: s.gtkMajor}
		if err := lib.bind(webkit, s.gtk); err != nil {
			return nil, fmt.Errorf("use %s: %w", s.webkit, err)
		}
		return lib, nil
	}
	return nil, errors.Join(missing...)
}

func open(name string) (uintptr, error) {
	return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
}

// binder looks functions up and remembers the first one that is missing.
type binder struct {
	handle uintptr
	err    error
}

func (b *binder) open(name string) {
	if b.err == nil {
		b.handle, b.err = open(name)
	}
}

func (b *binder) function(pointer any, name string) {
	if b.err != nil {
		return
	}
	symbol, err := purego.Dlsym(b.handle, name)
	if err != nil {
		b.err = fmt.Errorf("it is too old, it has no %s", name)
		return
	}
	purego.RegisterFunc(pointer, symbol)
}

// optional leaves the function nil where the library does not have it.
func (b *binder) optional(pointer any, name string) {
	if b.err != nil {
		return
	}
	if symbol, err := purego.Dlsym(b.handle, name); err == nil {
		purego.RegisterFunc(pointer, symbol)
	}
}

func (l *library) bind(webkit uintptr, gtk string) error {
	b := &binder{}
	b.open("libc.so.6")
	b.function(&l.signal, "signal")
	l.bindGLib(b)
	b.open(gtk)
	l.bindGTK(b)
	l.widgets.bind(b, gtk, l.gtkMajor)
	b.handle = webkit
	l.bindWebKit(b)
	b.open("libsoup-3.0.so.0")
	b.function(&l.headersNew, "soup_message_headers_new")
	b.function(&l.headersAppend, "soup_message_headers_append")
	b.function(&l.headersIterInit, "soup_message_headers_iter_init")
	b.function(&l.headersIterNext, "soup_message_headers_iter_next")
	return b.err
}

func (l *library) bindGLib(b *binder) {
	b.open("libglib-2.0.so.0")
	b.function(&l.mainContextIteration, "g_main_context_iteration")
	b.function(&l.idleAddFull, "g_idle_add_full")
	b.function(&l.setPrgname, "g_set_prgname")
	b.function(&l.errorNewLiteral, "g_error_new_literal")
	b.function(&l.errorFree, "g_error_free")
	b.function(&l.quarkFromString, "g_quark_from_string")
	b.function(&l.bytesNew, "g_bytes_new")
	b.function(&l.bytesUnref, "g_bytes_unref")
	b.open("libgobject-2.0.so.0")
	b.function(&l.objectRef, "g_object_ref")
	b.function(&l.objectUnref, "g_object_unref")
	b.function(&l.objectNew, "g_object_new_with_properties")
	b.function(&l.signalConnect, "g_signal_connect_data")
	b.function(&l.valueInit, "g_value_init")
	b.function(&l.valueSetBool, "g_value_set_boolean")
	b.function(&l.valueSetObj, "g_value_set_object")
	b.function(&l.valueUnset, "g_value_unset")
	b.open("libgio-2.0.so.0")
	b.function(&l.memoryInputStream, "g_memory_input_stream_new_from_bytes")
	b.function(&l.unixInputStream, "g_unix_input_stream_new")
	b.function(&l.inputStreamRead, "g_input_stream_read_all")
	l.desktopBus.bind(b)
}

func (l *library) bindGTK(b *binder) {
	if l.gtkMajor == 3 {
		b.function(&l.gtkInitCheck3, "gtk_init_check")
		b.function(&l.windowNew3, "gtk_window_new")
		b.function(&l.containerAdd, "gtk_container_add")
		b.function(&l.widgetShowAll, "gtk_widget_show_all")
		b.function(&l.windowDestroy, "gtk_widget_destroy")
	} else {
		b.function(&l.gtkInitCheck4, "gtk_init_check")
		b.function(&l.windowNew4, "gtk_window_new")
		b.function(&l.windowSetChild, "gtk_window_set_child")
		b.function(&l.windowDestroy, "gtk_window_destroy")
	}
	b.function(&l.windowPresent, "gtk_window_present")
	b.function(&l.windowSetTitle, "gtk_window_set_title")
	b.function(&l.windowSetDefault, "gtk_window_set_default_size")
}

func (l *library) bindWebKit(b *binder) {
	b.function(&l.contextDefault, "webkit_web_context_get_default")
	b.function(&l.registerScheme, "webkit_web_context_register_uri_scheme")
	b.function(&l.contextSecurity, "webkit_web_context_get_security_manager")
	b.function(&l.schemeAsSecure, "webkit_security_manager_register_uri_scheme_as_secure")
	b.function(&l.setAutomationAllowed, "webkit_web_context_set_automation_allowed")
	b.function(&l.viewType, "webkit_web_view_get_type")
	b.function(&l.viewLoadURI, "webkit_web_view_load_uri")
	b.function(&l.viewReload, "webkit_web_view_reload")
	b.function(&l.viewSettings, "webkit_web_view_get_settings")
	b.function(&l.viewEdit, "webkit_web_view_execute_editing_command")
	b.function(&l.settingsExtras, "webkit_settings_set_enable_developer_extras")
	b.function(&l.settingsWindows, "webkit_settings_set_javascript_can_open_windows_automatically")
	b.function(&l.settingsAcceleration, "webkit_settings_set_hardware_acceleration_policy")
	b.function(&l.contentType, "webkit_user_content_manager_get_type")
	b.function(&l.contentNew, "webkit_user_content_manager_new")
	b.function(&l.contentAddScript, "webkit_user_content_manager_add_script")
	b.function(&l.scriptNew, "webkit_user_script_new")
	b.function(&l.scriptUnref, "webkit_user_script_unref")
	b.function(&l.requestURI, "webkit_uri_scheme_request_get_uri")
	b.function(&l.requestMethod, "webkit_uri_scheme_request_get_http_method")
	b.function(&l.requestBody, "webkit_uri_scheme_request_get_http_body")
	b.function(&l.requestHeaders, "webkit_uri_scheme_request_get_http_headers")
	b.function(&l.requestView, "webkit_uri_scheme_request_get_web_view")
	b.function(&l.requestFinish, "webkit_uri_scheme_request_finish_with_response")
	b.function(&l.requestFail, "webkit_uri_scheme_request_finish_error")
	b.function(&l.responseNew, "webkit_uri_scheme_response_new")
	b.function(&l.responseStatus, "webkit_uri_scheme_response_set_status")
	b.function(&l.responseContentType, "webkit_uri_scheme_response_set_content_type")
	b.function(&l.responseHeaders, "webkit_uri_scheme_response_set_http_headers")
	b.function(&l.decisionIgnore, "webkit_policy_decision_ignore")
	b.function(&l.decisionAction, "webkit_navigation_policy_decision_get_navigation_action")
	b.function(&l.actionRequest, "webkit_navigation_action_get_request")
	b.function(&l.uriRequestURI, "webkit_uri_request_get_uri")
}
