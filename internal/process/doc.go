// Package process starts programs so that all they start ends with them: as a process group on Unix, as a job object on
// Windows, whose processes the system ends together with their owner.
//
// A program that leaves its group on purpose escapes on Unix. The package imports nothing of this module.
package process
