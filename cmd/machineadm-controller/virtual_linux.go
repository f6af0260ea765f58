package main

import (
	"errors"
	"path/filepath"

	"github.com/machineadm/machineadm/adapters/hostdriver/qemu"
	"github.com/machineadm/machineadm/app/hosts"
)

// driver returns the driver of virtual machines, or nil if it is disabled.
func (o *virtualOptions) driver() (hosts.Driver, error) {
	if o.directory == "" {
		return nil, nil
	}
	if !filepath.IsAbs(o.directory) {
		return nil, errors.New("--virtual-machines: use an absolute path")
	}
	return qemu.New(qemu.Config{Directory: o.directory, Bridge: o.bridge}), nil
}
