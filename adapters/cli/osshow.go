package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// printProfile prints a profile as a page, or as json or yaml in the form of --os-profile.
func printProfile(o Options, p osprofile.Profile, format string) error {
	if format == "" {
		return printPage(o.Out, p)
	}
	write := convert.OSProfileJSON
	if format == "yaml" {
		write = func(p osprofile.Profile) ([]byte, error) {
			text, err := convert.OSProfileYAML(p)
			if err != nil {
				return nil, err
			}
			return terminal.YAML(text)
		}
	}
	text, err := write(p)
	if err != nil {
		return err
	}
	_, err = o.Out.Write(text)
	return err
}

// printPage prints the facts of the profile that are set.
func printPage(w io.Writer, p osprofile.Profile) error {
	t := terminal.NewTable(w, 0, 3)
	t.Heading(fmt.Sprintf("%s (%s)", p.Name, p.ID))
	t.Heading("")
	for _, f := range facts(p) {
		if f[1] != "" {
			t.Row(f[0], f[1])
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	t = terminal.NewTable(w, 2, 3)
	fmt.Fprint(w, "\nFormats\n")
	for _, s := range p.Formats {
		t.Row(s.Format, orDash(versions(s)), orDash(s.Source))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nSources\n")
	for _, s := range p.Sources {
		t.Heading(s)
	}
	return t.Flush()
}

// facts returns the names and values of a page in its order.
func facts(p osprofile.Profile) [][2]string {
	all := [][2]string{
		{"Family", string(p.Family)},
		{"Butane variant", p.ButaneVariant},
		{"Commands run by", string(p.Shell)},
		{"Read-only", strings.Join(p.ReadOnly, ", ")},
		{"Writable below", strings.Join(p.Writable, ", ")},
		{"No programs start in", strings.Join(p.NoExec, ", ")},
		{"Downloaded programs", p.BinDir},
		{"Packages", string(p.PackageManager)},
		{"Time", timeDaemons(p)},
		{"Container runtime", string(p.ContainerRuntime)},
		{"Package of containerd", runtimePackages(p.RuntimePackages)},
		{"containerd's configuration", containerd(p.ContainerdConfig)},
		{"Kubernetes by", string(p.Provision)},
		{"Extension images for", architectures(p.SysextArch)},
		{"Updaters", strings.Join(p.Updaters, ", ")},
		{"Trusted certificates", trust(p.Trust)},
	}
	if m := p.Metadata; m != nil {
		all = append(all, [2]string{"Facts of a machine", fmt.Sprintf("%s… in %s, by %s", m.Prefix, m.File, m.Unit)})
	}
	if p.SELinux {
		all = append(all, [2]string{"SELinux", "yes"})
	}
	return append(all, [2]string{"kubelet's environment", p.KubeletEnvironment}, [2]string{"Group for sudo", p.SudoGroup})
}

func timeDaemons(p osprofile.Profile) string {
	names := make([]string, len(p.TimeDaemons))
	for i, daemon := range p.TimeDaemons {
		names[i] = string(daemon)
	}
	return strings.Join(names, ", ")
}

func runtimePackages(list []osprofile.RuntimePackage) string {
	var parts []string
	for _, p := range list {
		part := p.Name
		if p.Version != "" {
			part += " " + p.Version
		}
		if p.Since != "" {
			part = p.Since + ": " + part
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func containerd(list []osprofile.RuntimeVersion) string {
	var parts []string
	for _, v := range list {
		part := "version " + strconv.Itoa(v.Version)
		if v.Since != "" {
			part = v.Since + ": " + part
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func architectures(m map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, name+" as "+m[name])
	}
	return strings.Join(parts, ", ")
}

func trust(t osprofile.Trust) string {
	if t == (osprofile.Trust{}) {
		return ""
	}
	return fmt.Sprintf("%s/*%s, then %s", t.Directory, t.Extension, t.Command)
}
