package hooks

import (
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the processes of a command: those of a job, which the system ends when the job's only handle is closed.
type group struct{ job windows.Handle }

func startGroup(cmd *exec.Cmd) (group, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
	cmd.SysProcAttr.HideWindow = true
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return group{}, err
	}
	g := group{job}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		g.release()
		return group{}, err
	}
	if err := g.add(uint32(cmd.Process.Pid)); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		g.release()
		return group{}, err
	}
	return g, nil
}

func (g group) add(pid uint32) error {
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(p) //nolint:errcheck // Nothing was written through it.
	return windows.AssignProcessToJobObject(g.job, p)
}

func (g group) kill()    { _ = windows.TerminateJobObject(g.job, 1) }
func (g group) release() { _ = windows.CloseHandle(g.job) }

// shell passes the command line on as it is: cmd has rules of its own for quotes.
func shell(command string) *exec.Cmd {
	cmd := exec.Command("cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + command + `"`}
	return cmd
}
