// Command machineadm-remote-configuration-provider-s3 is a plugin of the agent: it fetches machine configuration from buckets, with the
// identity of the instance or with what stands in /etc/machineadm/s3.env.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/adapters/source/s3"
)

// settings is a file of environment variables that root alone reads.
const settings = "/etc/machineadm/s3.env"

func main() {
	text, err := os.ReadFile(settings)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	sdk.Serve(sdk.Plugin{Name: s3.Provider, Version: version(), Source: s3.Source{Settings: s3.ReadSettings(string(text))}})
}

// version returns the module's version, as the build recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}
