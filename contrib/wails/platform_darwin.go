//go:build cgo && !ios

package wails

/*
#cgo CFLAGS: -x objective-c
#cgo LDFLAGS: -framework Cocoa -framework CoreGraphics
#include <stdbool.h>
#import <Cocoa/Cocoa.h>
#import <CoreGraphics/CoreGraphics.h>
#import <objc/runtime.h>

static bool hasScreen(void) {
	CFDictionaryRef session = CGSessionCopyCurrentDictionary();
	if (session == NULL) {
		return false;
	}
	CFRelease(session);
	return true;
}

static void stopLoop(void) {
	// When the loop has ended, Wails has AppKit abort a modal loop. That throws where there is none.
	Method abortModal = class_getInstanceMethod([NSApplication class], @selector(abortModal));
	method_setImplementation(abortModal, imp_implementationWithBlock(^(id app) {}));
	[NSApp stop:nil];
	// AppKit looks whether it is to stop after it has handled an event, so there must be one.
	NSEvent *event = [NSEvent otherEventWithType:NSEventTypeApplicationDefined
		location:NSMakePoint(0, 0) modifierFlags:0 timestamp:0 windowNumber:0 context:nil subtype:0 data1:0 data2:0];
	[NSApp postEvent:event atStart:YES];
}
*/
import "C"

import (
	"github.com/wailsapp/wails/v3/pkg/application"

	"github.com/elyra-go/elyra/window"
)

const (
	origin = "wails://localhost"
	// canStream: Wails gives WKWebView each piece as it is written.
	canStream = true
	// quitEndsLoop: when AppKit terminates a program it exits the process, and Run would never return. So it is told not to,
	// and its loop is stopped instead.
	quitEndsLoop = false
)

func available(func(string) string) error {
	if C.hasScreen() {
		return nil
	}
	return &window.Unavailable{
		Reason:   "there is no screen: nobody is logged in to this session of macOS",
		Fix:      "start it in a desktop session",
		ExitCode: window.ExitNoDisplay,
	}
}

func quit(*application.App) { application.InvokeAsync(func() { C.stopLoop() }) }
