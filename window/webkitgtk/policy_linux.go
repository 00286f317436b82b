package webkitgtk

import "strings"

// The kinds of decision that WebKit asks for.
const (
	policyNavigation = 0
	policyNewWindow  = 1
)

// own says whether a window may show this address: the app's pages, and the documents that they make themselves.
func own(address string) bool {
	return strings.HasPrefix(address, homeURL) || address == "about:blank" || address == "about:srcdoc"
}

// decide answers WebKit's "decide-policy". The result 1 means that the decision was made here.
func (s *session) decide(decision uintptr, kind int32) int32 {
	if kind != policyNavigation && kind != policyNewWindow {
		return 0
	}
	k := s.kit
	address := k.uriRequestURI(k.actionRequest(k.decisionAction(decision)))
	if kind == policyNavigation && own(address) {
		return 0
	}
	k.decisionIgnore(decision)
	s.leadAway(address)
	return 1
}

// leadAway is what becomes of an address that the window itself does not show.
func (s *session) leadAway(address string) {
	if !forBrowser(address) {
		s.log.Warn("a page led to an address that is not opened", "address", address)
		return
	}
	if err := s.openURL(address); err != nil {
		s.log.Warn("a page's link was not opened", "reason", err)
	}
}
