// Command plugin is every plugin of the tests: what it does is the end of its file's name, since it sees no
// environment.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

func main() {
	mode := regexp.MustCompile(`^machineadm-(plugin-encryption-provider|remote-configuration-provider|[a-z-]*-plugin)-`).
		ReplaceAllString(filepath.Base(os.Args[0]), "")
	switch mode {
	case "crash":
		fmt.Fprintln(os.Stderr, "no libwidget.so")
		os.Exit(3)
	case "hang":
		select {}
	case "junk":
		fmt.Println("\x1b[31mhello\x00, world" + strings.Repeat("!", 5000))
		select {}
	case "stranger":
		fmt.Println("1|99|unix|/nowhere|grpc")
		select {}
	case "netrpc":
		fmt.Println("1|1|unix|/nowhere|netrpc")
		select {}
	case "deaf":
		listen()
	case "clinging":
		cling()
	}
	p := sdk.Plugin{Name: mode, Version: "1.2.3", Expander: expander{mode}}
	switch mode {
	case "liar":
		p.Name = "honest"
	case "shelf":
		p.Expander, p.Source = nil, source{}
	case "keyring":
		p.Expander, p.Passphrases, p.DataKeys = nil, keyring{}, keyring{}
	case "board":
		p.Expander, p.Reporter = nil, board{}
	case "mute":
		p.Expander, p.Reporter = nil, mute{}
	}
	sdk.Serve(p)
}

// listen prints an address, and never answers.
func listen() {
	path := filepath.Join(os.Getenv("PLUGIN_UNIX_SOCKET_DIR"), "deaf")
	l, err := net.Listen("unix", path)
	if err != nil {
		os.Exit(4)
	}
	defer l.Close()
	fmt.Printf("1|1|unix|%s|grpc\n", path)
	select {}
}

// cling starts a child that holds the output, and does not end when it is asked to.
func cling() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	child := exec.Command("sleep", "1000")
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		os.Exit(4)
	}
}

type expander struct{ mode string }

func (x expander) Describe() ports.Capability {
	return ports.Capability{
		Name: x.mode, Kinds: []document.Kind{"Widget"}, Reads: []document.Kind{machine.KindProxy}, Before: []string{"plain"},
		After: []string{"trust"},
	}
}

func (x expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	switch x.mode {
	case "crash-expand":
		os.Exit(3)
	case "hang-expand":
		select {}
	case "fail-expand":
		return nil, nil, errors.New("out of widgets")
	case "relative":
		return []action.Action{{Do: action.WriteFile{File: machine.File{Path: "etc/widget"}}}}, nil, nil
	case "probe":
		text := strings.Join(append(os.Environ(), os.Args...), "\n")
		return []action.Action{{Do: action.WriteFile{File: machine.File{Path: "/etc/probe", Content: document.Text(text)}}}},
			nil, nil
	}
	return widget(e)
}

func widget(e ports.Expansion) ([]action.Action, report.Report, error) {
	o, ok := e.Document.Value.(document.Opaque)
	if !ok {
		return nil, nil, fmt.Errorf("a %T is no widget", e.Document.Value)
	}
	var d struct {
		Spec struct{ Colour string }
	}
	if err := yaml.Unmarshal(o.Body, &d); err != nil {
		return nil, nil, err
	}
	if d.Spec.Colour == "" {
		return nil, report.Report{report.Errorf(e.Document.Source.Path.Field("colour"), "is required").To("write a colour")},
			nil
	}
	text := fmt.Sprintf("%s on %s, %d proxies\n", d.Spec.Colour, e.Target.Profile.ID, len(e.Others))
	return []action.Action{
		{Do: action.WriteFile{File: machine.File{Path: "/etc/widget", Content: document.Text(text)}}},
		{Phase: document.PhaseUnit, Do: action.EnsureUnit{
			Unit:      machine.Unit{Name: "widget.service"},
			RestartOn: []document.Kind{"Widget"},
		}},
		{Do: action.RunCommand{
			Name: "wind it up", Script: "widget \xff\n", When: document.PhasePost, Undo: "unwidget",
			Renew: "look",
		}},
	}, report.Report{report.Warningf(e.Document.Source.Path, "widgets are old")}, nil
}

type source struct{}

func (source) Fetch(_ context.Context, c indirect.RemoteConfig) ([]byte, error) {
	if !strings.HasPrefix(c.URI, "shelf://") {
		return nil, fmt.Errorf("no such shelf: %s", c.URI)
	}
	return []byte("---\n# " + c.Provider + "\n"), nil
}

type keyring struct{}

func (k keyring) Passphrase(_ context.Context, ref indirect.PassphraseRef) (secret.Value, error) {
	return secret.New([]byte(ref.Provider + "\x00" + ref.URI + ref.Machine)), k.problem(ref.URI)
}

func (k keyring) NewPassphrase(_ context.Context, key indirect.KeyName, machine string) (secret.Value, string, error) {
	return secret.FromString("new" + machine), indirect.KeyURI{Wrapped: []byte("new"), Key: key.Key}.String(),
		k.problem(key.Key)
}

func (keyring) problem(what string) error {
	switch what {
	case "away":
		return fmt.Errorf("%w: no service listens", ports.ErrKeysUnavailable)
	case "locked":
		return fmt.Errorf("%w: it is locked", ports.ErrKeyRefused)
	default:
		return nil
	}
}

type board struct{}

func (board) ReportStatus(_ context.Context, status []byte) error {
	return os.WriteFile(os.Args[0]+".posted", status, 0o600)
}

type mute struct{}

func (mute) ReportStatus(context.Context, []byte) error {
	fmt.Fprintln(os.Stderr, "asked how it goes")
	select {}
}
