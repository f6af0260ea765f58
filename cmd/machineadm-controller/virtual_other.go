//go:build !linux

package main

import (
	"errors"

	"github.com/machineadm/machineadm/app/hosts"
)

func (o *virtualOptions) driver() (hosts.Driver, error) {
	if o.directory != "" {
		return nil, errors.New("--virtual-machines: virtual machines need Linux")
	}
	return nil, nil
}
