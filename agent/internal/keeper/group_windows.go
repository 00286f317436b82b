package keeper

import "os/exec"

// supported: on Windows the job object of each process ends it together with its owner.
const supported = false

func detach(*exec.Cmd) {}
func alive(int) bool   { return false }
func terminate(int)    {}
func kill(int)         {}
