package mcpclient

import (
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// processGroup is a job object that holds a server and its descendants. The system ends them when the last handle of the
// job is closed, so they do not survive this process either.
type processGroup struct {
	id  uint32
	job *jobHandle
}

// jobHandle is closed once; terminate and kill may race with that.
type jobHandle struct {
	mu     sync.Mutex
	handle windows.Handle // zero: closed, or the job could not be made
}

// startInGroup starts cmd in a new console group and puts it in a job. Between the two steps the process could start a
// child that stays outside; package exec offers no way to close that gap.
func startInGroup(cmd *exec.Cmd) (processGroup, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
	cmd.SysProcAttr.HideWindow = true
	job, err := newJob()
	if err != nil {
		return processGroup{}, err
	}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return processGroup{}, err
	}
	g := processGroup{id: uint32(cmd.Process.Pid), job: &jobHandle{handle: job}}
	if err := assign(job, g.id); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		g.release()
		return processGroup{}, err
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

// terminate sends Ctrl+Break, which reaches console programs that share our console. Others are killed after the grace.
func (g processGroup) terminate() {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, g.id)
}

// kill ends every process of the job.
func (g processGroup) kill() {
	g.job.mu.Lock()
	defer g.job.mu.Unlock()
	if g.job.handle != 0 {
		_ = windows.TerminateJobObject(g.job.handle, 1)
	}
}

// release closes the job's handle.
func (g processGroup) release() {
	g.job.mu.Lock()
	defer g.job.mu.Unlock()
	if g.job.handle != 0 {
		windows.CloseHandle(g.job.handle)
		g.job.handle = 0
	}
}
