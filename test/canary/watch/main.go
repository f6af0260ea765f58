// Command watch reads the output of `go test -json`, prints it as `go test` would, and fails if a test has failed or
// has shown a planted secret (test/canary). It also searches the output of tests that pass: the stream contains all
// that they log.
package main

import (
	"fmt"
	"os"
)

func main() {
	ok, err := watch(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "watch:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}
