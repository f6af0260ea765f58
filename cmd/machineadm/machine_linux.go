package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/etcd"
	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/adapters/upload"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/ports"
)

// clock is the system's.
type clock struct{}

func (clock) Now() time.Time { return time.Now() }

// logPath takes what programs print.
const logPath = "/var/log/machineadm.log"

// open returns the machine below the root. What programs print goes to its log.
func open(setup nodecli.Setup) (*nodecli.Machine, error) {
	inside := func(path string) (string, error) { return linux.Inside(setup.Root, path) }
	at, err := record.Linux("/").In(inside)
	if err != nil {
		return nil, err
	}
	logged, err := inside(logPath)
	if err != nil {
		return nil, err
	}
	log := record.NewLog(logged)
	journal := record.NewJournal(at)
	machine, err := linux.New(linux.Options{Root: setup.Root, Log: log, Originals: journal.Originals()})
	if err != nil {
		return nil, err
	}
	uploads, err := uploader(inside, at, log)
	if err != nil {
		return nil, errors.Join(err, machine.Close())
	}
	external := host.NewSet(runner(log), search(setup))
	source := sources{external, machine.Proxy}
	service, err := agent.New(agent.Dependencies{
		Host: machine, Detector: machine, Facts: linux.Facts{Host: machine}, Journal: journal,
		Codec: codec.Codec{}, Locator: codec.Codec{}, Clock: clock{},
		Publisher: record.Publisher{Directories: at}, OnRedactor: log.AddRedactor, Preflight: machine,
		Progress:  setup.Progress,
		Expanders: plugins.Builtin(), Version: buildVersion(),
		Resumption: linux.Resumption{Host: machine}, Membership: membership(setup.Root, log),
		Plugins: external, Source: source, Decrypter: unwrapper(inside, source, external),
		Reporters: append(reporters(setup.Root, external), uploads),
	})
	if err != nil {
		return nil, errors.Join(err, machine.Close())
	}
	return &nodecli.Machine{
		Service:      service,
		Status:       func() ([]byte, error) { return record.ReadText(at) },
		StatusReader: record.Codec{},
		Lock:         machine.Lock, Inspector: linux.Inspector{Host: machine},
		Close: func() error {
			uploads.Close()
			external.Close()
			return errors.Join(machine.Close(), log.Close())
		},
	}, nil
}

// begin carries out the command line. systemd needs no more of a service.
func begin(ctx context.Context, run func(context.Context) int) int { return run(ctx) }

// reporters returns the receivers of the status: plugins, and the journal of this machine if a service's output goes
// there.
func reporters(root string, external ports.Reporter) []ports.Reporter {
	if root != "/" || os.Getenv("JOURNAL_STREAM") == "" {
		return []ports.Reporter{external}
	}
	return []ports.Reporter{&linux.Journald{}, external}
}

// membership returns the machine's member of etcd. In another tree nothing runs.
func membership(root string, log io.Writer) ports.Membership {
	if root != "/" {
		return nil
	}
	return etcd.Member{Manifest: etcd.Manifest, Log: log}
}

// uploader returns the reporter to the controller's endpoint, if userdata sets its address.
func uploader(inside func(string) (string, error), at record.Directories, log io.Writer) (*upload.Reporter, error) {
	path, err := inside(delivery.ReportPath)
	if err != nil {
		return nil, err
	}
	return upload.New(upload.Options{
		Path: path, Marker: filepath.Join(at.State, record.ReportedFile), Encode: record.Codec{}.WriteStatus, Log: log,
	}), nil
}

// socketFolder is where the sockets of plugins are.
func socketFolder() string { return "/run/machineadm/plugins" }

// userdata returns the paths of the files that userdata writes.
func userdata() nodecli.Userdata { return nodecli.Linux() }
