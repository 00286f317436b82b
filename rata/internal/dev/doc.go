// Package dev owns `rata dev`: what is built again and started again while somebody works on an app.
//
// It promises that the app that runs stays until a new one is built, that many files saved at once make one
// build, and that nothing it started is left when it returns. What the app prints goes where it is
// told. It must not import package elyra, parse command lines or know how an app is generated or
// built: it is given functions for that.
package dev
