package wire

import (
	"context"
	"errors"
	"fmt"

	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

func (w Wire) action(a action.Action) (*pluginv1.Action, error) {
	m := &pluginv1.Action{Phase: phaseName(a.Phase)}
	if value, is := valueOf(a.Do); is {
		d, err := w.Document(document.Document{Value: value})
		m.Operation = &pluginv1.Action_Document{Document: d}
		switch o := a.Do.(type) {
		case action.EnsureUnit:
			for _, k := range o.RestartOn {
				m.RestartOn = append(m.RestartOn, string(k))
			}
		case action.InstallPackages:
			m.Refresh = o.Refresh
		default: // has only its document
		}
		return m, err
	}
	switch o := a.Do.(type) {
	case action.MakeDirectory:
		m.Operation = &pluginv1.Action_MakeDirectory{MakeDirectory: &pluginv1.MakeDirectory{
			Path: o.Path, Mode: uint32(o.Mode), User: o.Owner.User, Group: o.Owner.Group,
		}}
	case action.Link:
		m.Operation = &pluginv1.Action_Link{Link: &pluginv1.Link{Path: o.Path, Target: o.Target}}
	case action.FetchFile:
		m.Operation = &pluginv1.Action_FetchFile{FetchFile: &pluginv1.FetchFile{
			Path: o.Path, Url: o.URL, Sha256: o.SHA256, Sha512: o.SHA512, Mode: uint32(o.Mode),
		}}
	case action.RunCommand:
		m.Operation = &pluginv1.Action_RunCommand{RunCommand: &pluginv1.RunCommand{
			Name: o.Name, Script: []byte(o.Script), When: phaseName(o.When), Undo: []byte(o.Undo), Renew: []byte(o.Renew),
		}}
	default:
		return nil, errors.New("the protocol has no message for it")
	}
	return m, nil
}

// valueOf returns the document that the operation carries out, if it is one.
func valueOf(op action.Operation) (document.Value, bool) {
	switch o := op.(type) {
	case action.WriteFile:
		return o.File, true
	case action.EnsureGroup:
		return o.Group, true
	case action.EnsureUser:
		return o.User, true
	case action.EnsureUnit:
		return o.Unit, true
	case action.PartitionDisk:
		return o.Disk, true
	case action.MakeFilesystem:
		return o.Filesystem, true
	case action.MountFilesystem:
		return o.Mount, true
	case action.EnableSwap:
		return o.Swap, true
	case action.InstallPackages:
		return o.PackagesConfig, true
	case action.ConfigureHost:
		return o.HostConfig, true
	case action.JoinDomain:
		return o.DomainJoin, true
	default:
		return nil, false
	}
}

func (w Wire) fromAction(ctx context.Context, m *pluginv1.Action) (action.Action, error) {
	phase, err := phaseNamed(m.GetPhase())
	if err != nil {
		return action.Action{}, err
	}
	op, err := w.operation(ctx, m)
	return action.Action{Phase: phase, Do: op}, err
}

func (w Wire) operation(ctx context.Context, m *pluginv1.Action) (action.Operation, error) {
	switch o := m.GetOperation().(type) {
	case *pluginv1.Action_Document:
		return w.carriedOut(ctx, m)
	case *pluginv1.Action_MakeDirectory:
		d := o.MakeDirectory
		owner := machine.Owner{User: d.GetUser(), Group: d.GetGroup()}
		return checked("directory", action.MakeDirectory{Path: d.GetPath(), Mode: machine.Mode(d.GetMode()), Owner: owner})
	case *pluginv1.Action_Link:
		return checked("link", action.Link{Path: o.Link.GetPath(), Target: o.Link.GetTarget()})
	case *pluginv1.Action_FetchFile:
		f := o.FetchFile
		return checked("file to fetch", action.FetchFile{
			Path: f.GetPath(), URL: f.GetUrl(), SHA256: f.GetSha256(), SHA512: f.GetSha512(), Mode: machine.Mode(f.GetMode()),
		})
	case *pluginv1.Action_RunCommand:
		c := o.RunCommand
		when, err := phaseNamed(c.GetWhen())
		if err != nil {
			return nil, err
		}
		return checked("command", action.RunCommand{
			Name: c.GetName(), Script: string(c.GetScript()), When: when, Undo: string(c.GetUndo()), Renew: string(c.GetRenew()),
		})
	default:
		return nil, errors.New("there is no operation in it that this program knows")
	}
}

// checked returns the operation if it is one that a machine can carry out.
func checked(what string, op action.Operation) (action.Operation, error) {
	if found := op.Check(""); found.HasErrors() {
		return nil, fmt.Errorf("the %s in it: %s", what, found.Sorted()[0])
	}
	return op, nil
}

// carriedOut returns the operation that carries out the document of an action.
func (w Wire) carriedOut(ctx context.Context, m *pluginv1.Action) (action.Operation, error) {
	d, err := w.FromDocument(ctx, m.GetDocument())
	if err != nil {
		return nil, err
	}
	if found := d.Check(); found.HasErrors() {
		return nil, fmt.Errorf("the %s in it: %s", d.Kind(), found.Sorted()[0])
	}
	switch v := d.Value.(type) {
	case machine.File:
		return action.WriteFile{File: v}, nil
	case machine.Group:
		return action.EnsureGroup{Group: v}, nil
	case machine.User:
		return action.EnsureUser{User: v}, nil
	case machine.Unit:
		u := action.EnsureUnit{Unit: v}
		for _, k := range m.GetRestartOn() {
			u.RestartOn = append(u.RestartOn, document.Kind(k))
		}
		return u, nil
	case machine.Disk:
		return action.PartitionDisk{Disk: v}, nil
	case machine.Filesystem:
		return action.MakeFilesystem{Filesystem: v}, nil
	case machine.Mount:
		return action.MountFilesystem{Mount: v}, nil
	case machine.Swap:
		return action.EnableSwap{Swap: v}, nil
	case machine.PackagesConfig:
		return action.InstallPackages{PackagesConfig: v, Refresh: m.GetRefresh()}, nil
	case machine.HostConfig:
		return action.ConfigureHost{HostConfig: v}, nil
	case machine.DomainJoin:
		return action.JoinDomain{DomainJoin: v}, nil
	default:
		return nil, fmt.Errorf("a %s is no operation", d.Kind())
	}
}
