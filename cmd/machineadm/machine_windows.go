package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/svc"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/adapters/record"
	system "github.com/machineadm/machineadm/adapters/system/windows"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/ports"
)

// clock is the system's.
type clock struct{}

func (clock) Now() time.Time { return time.Now() }

// open returns the machine that it runs on. What programs print goes to its log.
func open(setup nodecli.Setup) (*nodecli.Machine, error) {
	if setup.Root != "/" {
		return nil, errors.New("--root is not supported on Windows: the agent works on drive C: of this machine")
	}
	at := record.Windows()
	log := record.NewLog(filepath.Join(at.State, "machineadm.log"))
	journal := record.NewJournal(at)
	machine, err := system.New(`C:\`, system.Programs{Log: log}, journal.Originals())
	if err != nil {
		return nil, err
	}
	external := host.NewSet(runner(log), search(setup))
	source := sources{external, machine.Proxy}
	service, err := agent.New(agent.Dependencies{
		Host: machine, Detector: machine, Facts: machine, Journal: journal, Codec: codec.Codec{}, Locator: codec.Codec{},
		Clock:     clock{},
		Publisher: record.Publisher{Directories: at}, OnRedactor: log.AddRedactor, Progress: setup.Progress,
		Expanders:  plugins.Builtin(),
		Version:    buildVersion(),
		Resumption: resumption(machine),
		Plugins:    external, Source: source, Decrypter: unwrapper(nil, source, external),
		Reporters: []ports.Reporter{external},
	})
	if err != nil {
		return nil, errors.Join(err, machine.Close())
	}
	held := &lock{}
	return &nodecli.Machine{
		Service:      service,
		Status:       func() ([]byte, error) { return record.ReadText(at) },
		StatusReader: record.Codec{},
		Lock: func(ctx context.Context) error {
			if err := machine.ProtectState(ctx); err != nil {
				return err
			}
			return held.take(at.WindowsLock())
		},
		Close: func() error {
			external.Close()
			return errors.Join(machine.Close(), held.release(), log.Close())
		},
	}, nil
}

// resumption continues runs at later starts of Windows. A service starts then anyway.
func resumption(m *system.Host) ports.Resumption {
	if service() {
		return nil
	}
	return system.Resumption{Host: m}
}

// lock is a file that no other process can open while it is held.
type lock struct{ handle windows.Handle }

func (l *lock) take(path string) error {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return err
	}
	l.handle, err = windows.CreateFile(name, windows.GENERIC_WRITE, 0, nil, windows.OPEN_ALWAYS,
		windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return fmt.Errorf("another machineadm is running on this machine (%s): %w", path, err)
	}
	return nil
}

func (l *lock) release() error {
	if l.handle == 0 {
		return nil
	}
	return windows.CloseHandle(l.handle)
}

// socketFolder is where the sockets of plugins are.
func socketFolder() string { return `C:\run\machineadm\plugins` }

// console does nothing: a service of Windows has no screen.
func console(string) {}

// service reports whether the service manager started this process.
func service() bool {
	is, err := svc.IsWindowsService()
	return err == nil && is
}

// begin carries out the command line, as a service if the service manager asks for it: one that ends when the command
// has ended.
func begin(ctx context.Context, run func(context.Context) int) int {
	if !service() {
		return run(ctx)
	}
	s := &windowsService{ctx: ctx, run: run}
	if err := svc.Run("machineadm", s); err != nil {
		return nodecli.ExitFailed
	}
	return s.code
}

// windowsService is the agent as the service manager sees it.
type windowsService struct {
	ctx  context.Context
	run  func(context.Context) int
	code int
}

// Execute runs the command, and ends it when the service is to stop.
func (s *windowsService) Execute(_ []string, requests <-chan svc.ChangeRequest, states chan<- svc.Status,
) (specific bool, code uint32) {
	forwarded, ended := make(chan request), make(chan struct{})
	defer close(ended)
	go passOn(requests, forwarded, ended)
	s.code = oneShot(s.ctx, s.run, forwarded, func(at stage) {
		if at == stageRunning {
			states <- svc.Status{State: svc.Running, Accepts: svc.AcceptStop | svc.AcceptShutdown}
			return
		}
		states <- svc.Status{State: svc.StopPending, WaitHint: uint32(stopping.Milliseconds())}
	})
	return true, uint32(s.code) //nolint:gosec // An exit code is not negative.
}

// stopping is how long the service manager is to wait for the programs that the agent has started.
const stopping = 30 * time.Second

// passOn translates the service manager's requests to the service's until that has ended.
func passOn(requests <-chan svc.ChangeRequest, forwarded chan<- request, ended <-chan struct{}) {
	for {
		select {
		case r := <-requests:
			translated := requestStop
			if r.Cmd == svc.Interrogate {
				translated = requestReport
			}
			select {
			case forwarded <- translated:
			case <-ended:
				return
			}
		case <-ended:
			return
		}
	}
}

// userdata returns the paths of the files that userdata writes.
func userdata() nodecli.Userdata { return nodecli.Windows() }
