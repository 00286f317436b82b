// Package permission decides whether a call of a tool may run: by rules, by what the user has allowed before, and by asking.
//
// The order is: plan mode refuses what does more than read; a deny rule refuses; paths that start programs or hold keys are
// refused or always asked about; what was allowed with --allow-all runs; an ask rule asks; an allow rule, or an approval of
// before, allows; reads inside the project run; everything else asks. Where nobody can be asked, it is refused with the
// name of the flag that allows it.
//
// The package promises to be wrong on one side only: a rule that allows covers what it names and nothing that is hidden
// behind it, for paths after links were followed, for commands in all of their parts; a rule that denies also covers what may
// be meant. An approval of an MCP tool holds for what the tool was then: another description or schema asks again. There is
// one question at a time, and one that nobody needs any more is withdrawn.
//
// A deny rule is no sandbox: a program that may run can do what its user can.
//
// The package imports internal/model and must not import tools, settings or what shows questions: these it gets as functions.
package permission
