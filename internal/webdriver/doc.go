// Package webdriver has tests use an app's window as a person does: it starts the app under WebKitWebDriver and
// clicks, types, reads and takes pictures in its page.
//
// It owns the few commands of the WebDriver protocol that the tests need, and the lives of the driver and the app. It
// promises that both have ended when the test has. A test needs a screen and the driver, so it has the build tag
// webkit. Only tests import this package, and it must not import package elyra.
package webdriver
