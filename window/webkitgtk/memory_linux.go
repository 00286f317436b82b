package webkitgtk

import (
	"runtime"
	"unsafe"
)

// The C structures below live in Go memory for the length of one call. Their layout is the same on every 64-bit Linux.

// gvalue is a GValue: a type and two words of data.
type gvalue [3]uint64

// gtypeBoolean is GLib's fundamental type number for booleans.
const gtypeBoolean = 5 << 2

// headerIter is a SoupMessageHeadersIter: three words that are libsoup's own.
type headerIter [3]uintptr

// goString copies a C string. A nil pointer is "".
func goString(pointer uintptr) string {
	if pointer == 0 {
		return ""
	}
	start := *(*unsafe.Pointer)(unsafe.Pointer(&pointer))
	length := 0
	for *(*byte)(unsafe.Add(start, length)) != 0 {
		length++
	}
	return string(unsafe.Slice((*byte)(start), length))
}

// errorText gives the message of a GError, which stays the caller's.
func errorText(gerror uintptr) string {
	if gerror == 0 {
		return ""
	}
	type gError struct {
		domain  uint32
		code    int32
		message uintptr
	}
	pointer := *(*unsafe.Pointer)(unsafe.Pointer(&gerror))
	return goString((*gError)(pointer).message)
}

// cStrings gives an array of C strings that ends with a nil pointer. keep must be called after C is done with it.
func cStrings(list ...string) (array unsafe.Pointer, keep func()) {
	pointers := make([]*byte, len(list)+1)
	for i, s := range list {
		bytes := append([]byte(s), 0)
		pointers[i] = &bytes[0]
	}
	return unsafe.Pointer(&pointers[0]), func() { runtime.KeepAlive(pointers) }
}

// listNode reads a node of a GSList.
func listNode(pointer uintptr) (data, next uintptr) {
	type gSList struct{ data, next uintptr }
	node := (*gSList)(*(*unsafe.Pointer)(unsafe.Pointer(&pointer)))
	return node.data, node.next
}
