package webkitgtk

import "path/filepath"

// neverAccelerate is WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER, whose number the two APIs do not share.
func (l *library) neverAccelerate() int32 {
	if l.gtkMajor == 3 {
		return 2
	}
	return 1
}

// drawPlainly has a view draw itself where the machine has no graphics processor. WebKit would otherwise have OpenGL
// emulated by the processor, and a changed row would be on the screen two to four times later.
func (k *toolkit) drawPlainly(view uintptr) {
	if found, err := filepath.Glob("/dev/dri/renderD*"); err == nil && len(found) == 0 {
		k.settingsAcceleration(k.viewSettings(view), k.neverAccelerate())
	}
}
