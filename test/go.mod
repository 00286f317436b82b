module github.com/elyra-go/elyra/test

go 1.26.0

require (
	github.com/elyra-go/elyra v0.0.0
	github.com/go-json-experiment/json v1.27.2
)

require golang.org/x/sys v0.50.0 // indirect

replace github.com/elyra-go/elyra => ../
