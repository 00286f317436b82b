// Package cells measures, wraps and cuts styled text by the cells that it takes on a terminal.
//
// It promises that no line it returns is wider than was asked, whichever of the two ways of measuring a terminal uses: by
// grapheme, or by character, where joined emoji take more room. A cluster that does not fit into a line at all is left out.
// It expects text without control characters and must not import other packages of the agent.
package cells
