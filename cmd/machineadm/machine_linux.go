package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/ports"
)

// clock is the system's.
type clock struct{}

func (clock) Now() time.Time { return time.Now() }

// open returns the machine below the root. What programs print goes to its log.
func open(setup nodecli.Setup) (*nodecli.Machine, error) {
	log, err := openLog(setup.Root)
	if err != nil {
		return nil, err
	}
	machine, err := linux.New(linux.Options{Root: setup.Root, Log: log, Path: []string{"/opt/bin"}})
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	at := record.Linux(setup.Root)
	external := host.NewSet(runner(log), search(setup))
	service, err := agent.New(agent.Parts{
		Host: machine, Surveyor: machine, Facts: linux.Facts{Host: machine}, Journal: record.NewJournal(at), Codec: codec.Codec{}, Clock: clock{},
		Publisher: record.Publisher{Directories: at}, Progress: setup.Progress, Expanders: plugins.Builtin(), Version: version(),
		Plugins: external, Source: external, Unwrapper: external, Reporters: []ports.Reporter{external},
	})
	if err != nil {
		return nil, errors.Join(err, machine.Close(), log.Close())
	}
	return &nodecli.Machine{
		Service: service,
		Status:  func() ([]byte, error) { return os.ReadFile(filepath.Join(at.State, record.StatusFile)) },
		Close: func() error {
			external.Close()
			return errors.Join(machine.Close(), log.Close())
		},
	}, nil
}

// socketFolder is where the sockets of plugins are.
func socketFolder() string { return "/run/machineadm/plugins" }

// openLog opens the log for adding to it. Root alone may read what programs print.
func openLog(root string) (io.WriteCloser, error) {
	path := filepath.Join(root, "/var/log/machineadm.log")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}
