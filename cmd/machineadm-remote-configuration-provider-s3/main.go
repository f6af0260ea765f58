// Command machineadm-remote-configuration-provider-s3 is a plugin of the agent. It fetches machine configuration from
// S3 buckets, with the role of the instance or with the credentials in /etc/machineadm/s3.env.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/adapters/source/s3"
	"github.com/machineadm/machineadm/cmd/internal/settings"
)

// environment is a file with environment variables, which only root can read.
const environment = "/etc/machineadm/s3.env"

func main() {
	given, err := read(environment)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	settings.Serve(sdk.Plugin{Name: s3.Provider, Source: s3.Source{Settings: given}})
}

// read reads the settings. It refuses a file that others than its owner can read, because it contains a key.
func read(path string) (s3.Settings, error) {
	text, err := settings.Secret(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s3.Settings{}, err
	}
	return s3.ReadSettings(string(text.Reveal())), nil
}
