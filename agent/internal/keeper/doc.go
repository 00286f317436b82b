// Package keeper ends processes whose owner was killed.
//
// A program that is killed cannot end what it has started, and not every MCP server leaves when its input ends. So the
// program starts one more process, the keeper, and tells it over a pipe which process groups it owns. When the pipe ends,
// which the system sees to however the program ended, the keeper gives the groups a moment, asks them to terminate, and
// kills what is left. On Windows job objects do that by themselves, and no keeper is started.
//
// The keeper acts on the numbers that it was told and on nothing else. The package must not import anything of MCP.
package keeper
