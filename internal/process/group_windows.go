package process

import (
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Group is a job object that holds a program and its descendants. The system ends them when the last handle of the
// job is closed, so they do not survive this process either.
type Group struct {
	id  uint32
	job *jobHandle
}

// jobHandle is closed once; Terminate and Kill may race with that.
type jobHandle struct {
	mu     sync.Mutex
	handle windows.Handle // zero: closed, or the job could not be made
}

// Start starts cmd in a new console group and puts it in a job. Between the two steps the process could start a
// child that stays outside; package exec offers no way to close that gap.
func Start(cmd *exec.Cmd) (Group, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
	cmd.SysProcAttr.HideWindow = true
	job, err := newJob()
	if err != nil {
		return Group{}, err
	}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return Group{}, err
	}
	g := Group{id: uint32(cmd.Process.Pid), job: &jobHandle{handle: job}}
	if err := assign(job, g.id); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		g.Release()
		return Group{}, err
	}
	return g, nil
}

// newJob makes a job whose processes end with it.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

func assign(job windows.Handle, pid uint32) error {
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(p)
	return windows.AssignProcessToJobObject(job, p)
}

// Terminate sends Ctrl+Break, which reaches console programs that share our console. Others are killed after the grace.
func (g Group) Terminate() {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, g.id)
}

// Kill ends every process of the job.
func (g Group) Kill() {
	g.job.mu.Lock()
	defer g.job.mu.Unlock()
	if g.job.handle != 0 {
		_ = windows.TerminateJobObject(g.job.handle, 1)
	}
}

// Release closes the job's handle.
func (g Group) Release() {
	g.job.mu.Lock()
	defer g.job.mu.Unlock()
	if g.job.handle != 0 {
		windows.CloseHandle(g.job.handle)
		g.job.handle = 0
	}
}

// StartSession is Start: the new console group gets no keys of ours.
func StartSession(cmd *exec.Cmd) (Group, error) { return Start(cmd) }
