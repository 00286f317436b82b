module github.com/elyra-go/elyra/rata

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/elyra-go/elyra v0.0.0
	github.com/rogpeppe/go-internal v1.16.0
)

replace github.com/elyra-go/elyra => ../
