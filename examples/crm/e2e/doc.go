// Package e2e tests the CRM as its user has it: the real window, driven by WebKitWebDriver, while a real MCP client works
// in it through the real shim. Everything in it is a test; see e2e_test.go for what it needs.
package e2e
