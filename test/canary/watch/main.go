// Command watch reads what `go test -json` says, prints it as `go test` would, and fails if a test has failed or has
// shown a planted secret (test/canary). Tests that pass are searched as well: all that they log is in that stream.
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
