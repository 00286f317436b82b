package webkitgtk

import "unsafe"

// widgets holds the C functions that windows and dialogs are made of, beside the ones in library. Where the two versions of GTK
// differ, the number is the version.
type widgets struct {
	attrListNew    func() uintptr
	attrListInsert func(list, attr uintptr)
	attrListUnref  func(list uintptr)
	attrWeight     func(weight int32) uintptr

	dialogNew       func() uintptr
	dialogContent   func(dialog uintptr) uintptr
	dialogAddButton func(dialog uintptr, label string, response int32) uintptr
	dialogDefault   func(dialog uintptr, response int32)
	buttonUnderline func(button uintptr, use int32)

	labelNew        func(text string) uintptr
	labelWrap       func(label uintptr, wrap int32)
	labelWrapMode   func(label uintptr, mode int32)
	labelAlign      func(label uintptr, x float32)
	labelNarrowest  func(label uintptr, chars int32)
	labelWidth      func(label uintptr, chars int32)
	labelLines      func(label uintptr, lines int32)
	labelEllipsize  func(label uintptr, mode int32)
	labelAttributes func(label, attrs uintptr)

	scrolledNew3     func(horizontal, vertical uintptr) uintptr
	scrolledNew4     func() uintptr
	scrolledChild4   func(scrolled, child uintptr)
	scrolledPolicy   func(scrolled uintptr, horizontal, vertical int32)
	scrolledNatural  func(scrolled uintptr, propagate int32)
	scrolledWidest   func(scrolled uintptr, propagate int32)
	scrolledHighest  func(scrolled uintptr, height int32)
	scrolledOverlay  func(scrolled uintptr, overlay int32)
	boxSpacing       func(box uintptr, spacing int32)
	boxPack3         func(box, child uintptr, expand, fill int32, padding uint32)
	boxAppend4       func(box, child uintptr)
	marginStart      func(widget uintptr, margin int32)
	marginEnd        func(widget uintptr, margin int32)
	marginTop        func(widget uintptr, margin int32)
	marginBottom     func(widget uintptr, margin int32)
	widgetExpand     func(widget uintptr, expand int32)
	widgetVisible    func(widget uintptr, visible int32)
	widgetSensitive  func(widget uintptr, sensitive int32)
	widgetGrabFocus  func(widget uintptr)
	widgetController func(widget, controller uintptr)
	widgetFrames     func(widget, fn, data, destroy uintptr) uint32

	windowSize3       func(window uintptr, width, height *int32)
	windowSize4       func(window uintptr, width, height *int32)
	windowIcon3       func(window, pixbuf uintptr)
	windowMaximize    func(window uintptr)
	windowFullscreen  func(window uintptr)
	windowNormalAgain func(window uintptr)
	windowMaximized   func(window uintptr) int32
	windowIsFull4     func(window uintptr) int32
	windowStartup     func(window uintptr, id string)
	widgetWindow3     func(widget uintptr) uintptr
	gdkWindowState3   func(gdkWindow uintptr) uint32
	controlWidget     func(controller uintptr) uintptr

	pixbufLoader       func() uintptr
	pixbufLoaderWrite  func(loader uintptr, data unsafe.Pointer, size uintptr, err *uintptr) int32
	pixbufLoaderClose  func(loader uintptr, err *uintptr) int32
	pixbufLoaderPixbuf func(loader uintptr) uintptr

	windowTransient   func(window, parent uintptr)
	windowIsActive    func(window uintptr) int32
	windowFocus       func(window uintptr) uintptr
	windowFocusOnMap3 func(window uintptr, focus int32)
	windowUrgency3    func(window uintptr, urgent int32)

	// Of windows on an X server. GTK 4 has nothing of the kind for Wayland, and may be built without X.
	widgetRealize    func(widget uintptr)
	widgetSurface4   func(native uintptr) uintptr
	isA              func(object, gtype uintptr) int32
	surfaceTypeX4    func() uintptr
	surfaceUserTime4 func(surface uintptr, time uint32)
	surfaceUrgency4  func(surface uintptr, urgent int32)

	chooserNew        func(title *byte, parent uintptr, action int32, accept, cancel uintptr) uintptr
	chooserMultiple   func(chooser uintptr, multiple int32)
	chooserName       func(chooser uintptr, name string)
	chooserOverwrite3 func(chooser uintptr, confirm int32)
	chooserFilter     func(chooser, filter uintptr)
	chooserNames3     func(chooser uintptr) uintptr
	chooserFiles4     func(chooser uintptr) uintptr
	filterNew         func() uintptr
	filterName        func(filter uintptr, name string)
	filterPattern     func(filter uintptr, pattern string)
	nativeModal       func(dialog uintptr, modal int32)
	nativeShow        func(dialog uintptr)
	nativeDestroy     func(dialog uintptr)
	filePath          func(file uintptr) uintptr
	listCount         func(list uintptr) uint32
	listItem          func(list uintptr, at uint32) uintptr
	slistFree         func(list uintptr)
	free              func(memory uintptr)

	eventKeyval3  func(event uintptr, keyval *uint32) int32
	eventKeycode3 func(event uintptr, keycode *uint16) int32
	eventState3   func(event uintptr, state *uint32) int32
	keyController func() uintptr
	controlPhase  func(controller uintptr, phase int32)
}

func (w *widgets) bind(b *binder, gtk string, gtkMajor int) {
	b.open("libpango-1.0.so.0")
	b.function(&w.attrListNew, "pango_attr_list_new")
	b.function(&w.attrListInsert, "pango_attr_list_insert")
	b.function(&w.attrListUnref, "pango_attr_list_unref")
	b.function(&w.attrWeight, "pango_attr_weight_new")
	b.open(gtk)
	b.function(&w.dialogNew, "gtk_dialog_new")
	b.function(&w.dialogContent, "gtk_dialog_get_content_area")
	b.function(&w.dialogAddButton, "gtk_dialog_add_button")
	b.function(&w.dialogDefault, "gtk_dialog_set_default_response")
	b.function(&w.buttonUnderline, "gtk_button_set_use_underline")
	b.function(&w.labelNew, "gtk_label_new")
	b.function(&w.labelAlign, "gtk_label_set_xalign")
	b.function(&w.labelNarrowest, "gtk_label_set_width_chars")
	b.function(&w.labelWidth, "gtk_label_set_max_width_chars")
	b.function(&w.labelLines, "gtk_label_set_lines")
	b.function(&w.labelEllipsize, "gtk_label_set_ellipsize")
	b.function(&w.labelAttributes, "gtk_label_set_attributes")
	b.function(&w.scrolledPolicy, "gtk_scrolled_window_set_policy")
	b.function(&w.scrolledNatural, "gtk_scrolled_window_set_propagate_natural_height")
	b.function(&w.scrolledWidest, "gtk_scrolled_window_set_propagate_natural_width")
	b.function(&w.scrolledHighest, "gtk_scrolled_window_set_max_content_height")
	b.function(&w.scrolledOverlay, "gtk_scrolled_window_set_overlay_scrolling")
	b.function(&w.boxSpacing, "gtk_box_set_spacing")
	b.function(&w.marginStart, "gtk_widget_set_margin_start")
	b.function(&w.marginEnd, "gtk_widget_set_margin_end")
	b.function(&w.marginTop, "gtk_widget_set_margin_top")
	b.function(&w.marginBottom, "gtk_widget_set_margin_bottom")
	b.function(&w.widgetExpand, "gtk_widget_set_vexpand")
	b.function(&w.widgetVisible, "gtk_widget_set_visible")
	b.function(&w.widgetSensitive, "gtk_widget_set_sensitive")
	b.function(&w.widgetGrabFocus, "gtk_widget_grab_focus")
	b.function(&w.widgetFrames, "gtk_widget_add_tick_callback")
	b.function(&w.windowMaximize, "gtk_window_maximize")
	b.function(&w.windowFullscreen, "gtk_window_fullscreen")
	b.function(&w.windowNormalAgain, "gtk_window_unfullscreen")
	b.function(&w.windowMaximized, "gtk_window_is_maximized")
	b.function(&w.windowStartup, "gtk_window_set_startup_id")
	b.function(&w.windowTransient, "gtk_window_set_transient_for")
	b.function(&w.windowIsActive, "gtk_window_is_active")
	b.function(&w.windowFocus, "gtk_window_get_focus")
	w.bindChoosers(b, gtkMajor)
	if gtkMajor == 3 {
		b.function(&w.labelWrap, "gtk_label_set_line_wrap")
		b.function(&w.labelWrapMode, "gtk_label_set_line_wrap_mode")
		b.function(&w.scrolledNew3, "gtk_scrolled_window_new")
		b.function(&w.boxPack3, "gtk_box_pack_start")
		b.function(&w.windowFocusOnMap3, "gtk_window_set_focus_on_map")
		b.function(&w.windowUrgency3, "gtk_window_set_urgency_hint")
		b.function(&w.eventKeyval3, "gdk_event_get_keyval")
		b.function(&w.eventKeycode3, "gdk_event_get_keycode")
		b.function(&w.eventState3, "gdk_event_get_state")
		b.function(&w.windowSize3, "gtk_window_get_size")
		b.function(&w.windowIcon3, "gtk_window_set_icon")
		b.function(&w.widgetWindow3, "gtk_widget_get_window")
		b.function(&w.gdkWindowState3, "gdk_window_get_state")
		b.function(&w.pixbufLoader, "gdk_pixbuf_loader_new")
		b.function(&w.pixbufLoaderWrite, "gdk_pixbuf_loader_write")
		b.function(&w.pixbufLoaderClose, "gdk_pixbuf_loader_close")
		b.function(&w.pixbufLoaderPixbuf, "gdk_pixbuf_loader_get_pixbuf")
		return
	}
	b.function(&w.labelWrap, "gtk_label_set_wrap")
	b.function(&w.labelWrapMode, "gtk_label_set_wrap_mode")
	b.function(&w.scrolledNew4, "gtk_scrolled_window_new")
	b.function(&w.scrolledChild4, "gtk_scrolled_window_set_child")
	b.function(&w.boxAppend4, "gtk_box_append")
	b.function(&w.widgetController, "gtk_widget_add_controller")
	b.function(&w.keyController, "gtk_event_controller_key_new")
	b.function(&w.controlPhase, "gtk_event_controller_set_propagation_phase")
	b.function(&w.controlWidget, "gtk_event_controller_get_widget")
	b.function(&w.windowSize4, "gtk_window_get_default_size")
	b.function(&w.windowIsFull4, "gtk_window_is_fullscreen")
	b.function(&w.widgetRealize, "gtk_widget_realize")
	b.function(&w.widgetSurface4, "gtk_native_get_surface")
	b.function(&w.isA, "g_type_check_instance_is_a")
	b.optional(&w.surfaceTypeX4, "gdk_x11_surface_get_type")
	b.optional(&w.surfaceUserTime4, "gdk_x11_surface_set_user_time")
	b.optional(&w.surfaceUrgency4, "gdk_x11_surface_set_urgency_hint")
}

func (w *widgets) bindChoosers(b *binder, gtkMajor int) {
	b.function(&w.chooserNew, "gtk_file_chooser_native_new")
	b.function(&w.chooserMultiple, "gtk_file_chooser_set_select_multiple")
	b.function(&w.chooserName, "gtk_file_chooser_set_current_name")
	b.function(&w.chooserFilter, "gtk_file_chooser_add_filter")
	b.function(&w.filterNew, "gtk_file_filter_new")
	b.function(&w.filterName, "gtk_file_filter_set_name")
	b.function(&w.filterPattern, "gtk_file_filter_add_pattern")
	b.function(&w.nativeModal, "gtk_native_dialog_set_modal")
	b.function(&w.nativeShow, "gtk_native_dialog_show")
	b.function(&w.nativeDestroy, "gtk_native_dialog_destroy")
	b.function(&w.free, "g_free")
	if gtkMajor == 3 {
		b.function(&w.chooserOverwrite3, "gtk_file_chooser_set_do_overwrite_confirmation")
		b.function(&w.chooserNames3, "gtk_file_chooser_get_filenames")
		b.function(&w.slistFree, "g_slist_free")
		return
	}
	b.function(&w.chooserFiles4, "gtk_file_chooser_get_files")
	b.function(&w.filePath, "g_file_get_path")
	b.function(&w.listCount, "g_list_model_get_n_items")
	b.function(&w.listItem, "g_list_model_get_item")
}
