package cli

import (
	"cmp"
	"slices"

	"github.com/elyra-go/elyra/rata/internal/bundle"
	"github.com/elyra-go/elyra/rata/internal/release"
)

// job is a file to make.
type job struct {
	kind    bundle.Kind
	targets []release.Target // more than one only in an MCP bundle
}

func (j job) String() string {
	text := string(j.kind) + " for"
	for _, target := range j.targets {
		text += " " + target.String()
	}
	return text
}

// jobs are the files that the flags ask for; without one, what the host is able to make for itself.
func (c *bundleCommand) jobs(host release.Target) ([]job, error) {
	systems := c.OS
	for _, system := range systems {
		if !slices.Contains([]string{"linux", "darwin", "windows"}, system) {
			return nil, usageError("--os %s: want linux, darwin or windows", system)
		}
	}
	if len(systems) > 0 && !c.Tar && !c.MCPB {
		return nil, usageError("--os is for --tar and --mcpb, and neither is given")
	}
	if c.Tar && slices.Contains(systems, "windows") && !c.MCPB {
		return nil, usageError("--tar is for linux and darwin: --windows makes a folder for Windows")
	}
	if len(systems) == 0 {
		systems = []string{host.OS}
	}
	archs := c.Arch
	if len(archs) == 0 {
		archs = []string{""}
	}
	var jobs []job
	for _, arch := range archs {
		var all []release.Target
		for _, system := range systems {
			all = append(all, release.Target{OS: system, Arch: cmp.Or(arch, usualArch(host, system))})
		}
		one := func(kind bundle.Kind, system string) {
			jobs = append(jobs, job{kind, []release.Target{{OS: system, Arch: cmp.Or(arch, usualArch(host, system))}}})
		}
		if c.Deb || !c.asked() && host.OS == "linux" {
			one(bundle.Deb, "linux")
		}
		if c.Tar || !c.asked() && host.OS == "linux" {
			for _, target := range all {
				if target.OS != "windows" {
					jobs = append(jobs, job{bundle.Tar, []release.Target{target}})
				}
			}
		}
		if c.App || !c.asked() && host.OS == "darwin" {
			one(bundle.MacApp, "darwin")
		}
		if c.Windows || !c.asked() && host.OS == "windows" {
			one(bundle.Windows, "windows")
		}
		if c.MCPB || !c.asked() {
			jobs = append(jobs, job{bundle.MCPB, all})
		}
	}
	return jobs, nil
}

// asked reports whether a flag names what to make.
func (c *bundleCommand) asked() bool { return c.Deb || c.Tar || c.MCPB || c.App || c.Windows }

// usualArch is what machines of a system are like, unless it is this one.
func usualArch(host release.Target, system string) string {
	if system == "darwin" && host.OS != "darwin" {
		return "arm64"
	}
	return host.Arch
}
