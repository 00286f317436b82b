package live_test

import "errors"

const fullEnv = "ELYRA_TEST_FULL_DISK"

func onAFullDisk(string) error { return errors.New("this system does not limit the size of files") }
