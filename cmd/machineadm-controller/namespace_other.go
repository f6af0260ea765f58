//go:build !linux

package main

import (
	"errors"

	"github.com/machineadm/machineadm/app/hosts"
)

func runMachine([]string) (code int, requested bool) { return 0, false }

func (o *namespaceOptions) driver() (hosts.Driver, error) {
	if o.directory != "" {
		return nil, errors.New("--namespace-machines: machines in namespaces need Linux")
	}
	return nil, nil
}
