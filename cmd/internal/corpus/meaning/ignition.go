package meaning

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
)

// ignition is the part of Ignition's configuration, of version 2 and 3, that both providers render.
type ignition struct {
	Storage struct {
		Disks       []map[string]any `json:"disks"`
		Filesystems []map[string]any `json:"filesystems"`
		Files       []struct {
			Path        string `json:"path"`
			Mode        *int   `json:"mode"`
			User, Group struct{ Name string }
			Append      json.RawMessage `json:"append"`
			Contents    contents        `json:"contents"`
		} `json:"files"`
	} `json:"storage"`
	Systemd struct {
		Units []struct {
			Name, Contents string
			Enabled, Mask  *bool
			DropIns        []dropIn `json:"dropins"`
		} `json:"units"`
	} `json:"systemd"`
	Passwd struct {
		Users []map[string]any `json:"users"`
	} `json:"passwd"`
}

type contents struct{ Source, Compression string }

type dropIn struct{ Name, Contents string }

// Ignition returns the meaning of the kubeadm provider's Ignition configuration.
func Ignition(data []byte) (Machine, error) {
	m := New()
	var c ignition
	if err := json.Unmarshal(data, &c); err != nil {
		return m, fmt.Errorf("the kubeadm provider's output is not JSON: %w", err)
	}
	for _, f := range c.Storage.Files {
		content, err := f.Contents.content()
		if err != nil {
			return m, fmt.Errorf("%s: %w", f.Path, err)
		}
		permissions := ""
		if f.Mode != nil {
			permissions = strconv.FormatInt(int64(*f.Mode), 8)
		}
		switch f.Path {
		case "/etc/kubeadm.yml":
			err = m.AddKubeadm(content)
		case "/etc/kubeadm.sh":
			m.addScript(content)
		default:
			m.AddFile(File{
				Path: f.Path, Content: content, Mode: permissions, Owner: f.User.Name + ":" + f.Group.Name,
				Append: string(f.Append) == "true",
			})
		}
		if err != nil {
			return m, err
		}
	}
	m.addIgnitionUnits(c)
	m.addIgnitionUsers(c.Passwd.Users)
	for _, d := range c.Storage.Disks {
		m.AddTree(fmt.Sprintf("disks[%v]", d["device"]), d)
	}
	for _, f := range c.Storage.Filesystems {
		m.AddTree(fmt.Sprintf("filesystems[%v]", f["name"]), f)
	}
	return m, nil
}

func (r contents) content() (string, error) {
	if r.Source == "" {
		return "", nil
	}
	header, body, found := strings.Cut(strings.TrimPrefix(r.Source, "data:"), ",")
	if !found || !strings.HasPrefix(r.Source, "data:") {
		return "<" + r.Source + ">", nil
	}
	out, err := url.PathUnescape(body)
	if strings.HasSuffix(header, ";base64") {
		var binary []byte
		binary, err = base64.StdEncoding.DecodeString(body)
		out = string(binary)
	}
	if err != nil || r.Compression != "gzip" {
		return out, err
	}
	z, err := gzip.NewReader(strings.NewReader(out))
	if err != nil {
		return "", err
	}
	var plain bytes.Buffer
	_, err = io.Copy(&plain, io.LimitReader(z, 1<<20))
	return plain.String(), err
}

// addScript adds the commands of kubeadm.sh, one a line. The lines of the provider itself are left out.
func (m Machine) addScript(text string) {
	phase := Pre
	for line := range strings.SplitSeq(text, "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "" || trimmed == "#!/bin/bash" || trimmed == "set -e" && len(m.Commands[phase]) == 0:
		case strings.HasPrefix(trimmed, "kubeadm ") && strings.Contains(trimmed, "--config /etc/kubeadm.yml"):
			if _, rest, found := strings.Cut(trimmed, "--v "); found {
				m.set("kubeadm.verbosity", strings.Fields(rest)[0])
			}
			phase = Post
		case strings.HasPrefix(trimmed, "mkdir -p /run/cluster-api && echo success"), trimmed == "mv /etc/kubeadm.yml /tmp/":
		default:
			m.Commands[phase] = append(m.Commands[phase], line)
		}
	}
}

func (m Machine) addIgnitionUnits(c ignition) {
	for _, u := range c.Systemd.Units {
		unit := Unit{Name: u.Name, Contents: u.Contents, Enabled: u.Enabled, Mask: u.Mask != nil && *u.Mask}
		if u.Name == "kubeadm.service" {
			// The provider's own unit; drop-ins for it are the user's.
			unit.Contents, unit.Enabled = "", nil
		}
		for _, d := range u.DropIns {
			unit.DropIns = append(unit.DropIns, [2]string{d.Name, d.Contents})
		}
		m.AddUnit(unit)
	}
}

// Unit is a systemd unit.
type Unit struct {
	Name, Contents string
	Enabled        *bool
	Mask           bool
	// DropIns are names and contents.
	DropIns [][2]string
}

// AddUnit adds a unit.
func (m Machine) AddUnit(u Unit) {
	place := "units[" + u.Name + "]"
	m.set(place+".contents", u.Contents)
	if u.Enabled != nil {
		m.Values[place+".enabled"] = strconv.FormatBool(*u.Enabled)
	}
	if u.Mask {
		m.Values[place+".mask"] = "true"
	}
	for _, d := range u.DropIns {
		m.set(place+".dropIns["+d[0]+"]", d[1])
	}
}

func (m Machine) addIgnitionUsers(users []map[string]any) {
	fields := map[string]string{
		"gecos": "gecos", "homeDir": "homeDir", "shell": "shell", "passwordHash": "passwordHash",
		"primaryGroup": "primaryGroup",
	}
	for _, u := range users {
		place := fmt.Sprintf("users[%v]", u["name"])
		for field, name := range fields {
			if value, found := u[field]; found {
				m.set(place+"."+name, fmt.Sprint(value))
			}
		}
		for _, list := range []string{"groups", "sshAuthorizedKeys"} {
			values, _ := u[list].([]any)
			for i, value := range values {
				if list == "groups" {
					m.AddGroups(place, []string{fmt.Sprint(value)})
				} else {
					m.set(fmt.Sprintf("%s.sshAuthorizedKeys[%d]", place, i), strings.TrimSpace(fmt.Sprint(value)))
				}
			}
		}
	}
}
