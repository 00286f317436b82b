module github.com/elyra-go/elyra/examples

go 1.26.0

require github.com/elyra-go/elyra v0.0.0

replace github.com/elyra-go/elyra => ../
