package containerlinux

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/blang/semver/v4"
	"github.com/flatcar/ignition/config/v2_3/types"
	"go.yaml.in/yaml/v3"
)

// services translates the settings of programs, which are drop-ins of their units.
func (t *translation) services(in config, root *yaml.Node) {
	if in.Docker != nil {
		t.service("docker.service", "20-clct-docker.conf", "[Service]\nEnvironment=\"DOCKER_OPTS="+
			strings.Join(in.Docker.Flags, " ")+`"`)
	}
	if in.Etcd != nil {
		p := etcd()
		args := t.options(p, in.Etcd, root)
		t.service("etcd-member.service", "20-clct-etcd-member.conf", t.dropin(p, in.Etcd, args, child(root, "etcd")))
	}
	if in.Flannel != nil {
		t.flannel(in.Flannel, root)
	}
}

func (t *translation) service(name, dropin, contents string) {
	t.ours++
	t.out.Systemd.Units = append(t.out.Systemd.Units, types.Unit{
		Name: name, Enable: true, Dropins: []types.SystemdDropin{{Name: dropin, Contents: contents}},
	})
}

// options returns the arguments for the options of a program, in the order of their names.
func (t *translation) options(p program, given map[string]scalar, root *yaml.Node) []string {
	at := child(root, p.key)
	release, ok := t.release(p, given, child(at, "version"))
	if !ok {
		return nil
	}
	var args []string
	for _, key := range slices.Sorted(maps.Keys(given)) {
		n := given[key].Node
		o, known := p.option(key, release)
		switch {
		case key == "version" || key == p.text || known && (n == nil || n.Tag == "!!null"):
		case !known:
			t.warn(keyOf(resolved(at), key), "unknown key: %s", key)
		default:
			if text, fits := o.argument(n); fits {
				args = append(args, "--"+flag(key)+"="+text)
				continue
			}
			t.refuse(n, "%s is not of the type %s", key, o.kind)
		}
	}
	return args
}

// flag returns the flag of an option.
func flag(key string) string {
	if key == "interface" {
		return "iface"
	}
	return strings.ReplaceAll(key, "_", "-")
}

// release returns the version whose options count: the newest that is known for one that is newer.
func (t *translation) release(p program, given map[string]scalar, at *yaml.Node) (release, bool) {
	text, is := given["version"]
	if !is || text.Node == nil || text.Tag == "!!null" {
		return p.standard, true
	}
	v, err := semver.Parse(text.Value)
	r := release{v.Major, v.Minor}
	switch {
	case err != nil:
		t.refuse(at, "version is not a version such as 3.5.0")
	case r.before(p.oldest):
		t.refuse(at, "the version is older than %d.%d, which is the oldest that is known", p.oldest.major, p.oldest.minor)
	case p.newest.major < r.major:
		t.refuse(at, "the version is newer than %d.%d, which is the newest that is known", p.newest.major, p.newest.minor)
	default:
		if newest := p.newestOf(r.major); newest.before(r) {
			t.warn(at, "the version is newer than %d.%d, whose options are the newest that are known",
				newest.major, newest.minor)
			r = newest
		}
		return r, true
	}
	return release{}, false
}

// argument returns the option as an argument, and whether it is of the option's type.
func (o option) argument(n *yaml.Node) (string, bool) {
	switch o.kind {
	case number:
		var v int
		err := n.Decode(&v)
		return strconv.Itoa(v), err == nil
	case boolean:
		var v bool
		err := n.Decode(&v)
		return strconv.FormatBool(v), err == nil
	case word:
	}
	var v string
	err := n.Decode(&v)
	return strconv.Quote(v), err == nil
}

// placeholder is a fact of the machine in an argument.
var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// dropin returns the drop-in that starts the program with the arguments, in which facts are variables of the metadata
// service.
func (t *translation) dropin(p program, given map[string]scalar, args []string, at *yaml.Node) string {
	head := ""
	var service []string
	if strings.ContainsAny(strings.Join(args, ""), "{}") {
		head = "[Unit]\nRequires=coreos-metadata.service\nAfter=coreos-metadata.service\n\n"
		service = []string{"EnvironmentFile=/run/metadata/coreos"}
		for i := range args {
			args[i] = placeholder.ReplaceAllStringFunc(args[i], func(found string) string {
				switch name := strings.Trim(found, "{}"); name {
				case "HOSTNAME", "PRIVATE_IPV4", "PUBLIC_IPV4", "PRIVATE_IPV6", "PUBLIC_IPV6":
					return "${COREOS_CUSTOM_" + name + "}"
				default:
					t.refuse(at, "an option has braces around something else than HOSTNAME, PRIVATE_IPV4, PUBLIC_IPV4, "+
						"PRIVATE_IPV6 and PUBLIC_IPV6")
					return ""
				}
			})
		}
	}
	if v, is := given["version"]; is && v.Node != nil && v.Tag != "!!null" {
		service = append(service, `Environment="`+p.image+"=v"+v.Value+`"`)
	}
	start := append([]string{p.start}, args...)
	service = append(service, "ExecStart=", "ExecStart="+strings.Join(start, " \\\n  "))
	return head + "[Service]\n" + strings.Join(service, "\n")
}

// flannel translates flannel's settings. Its network is written to etcd before it starts.
func (t *translation) flannel(given map[string]scalar, root *yaml.Node) {
	p, at := flannel(), child(root, "flannel")
	args := t.options(p, given, root)
	contents := t.dropin(p, given, args, at)
	network := ""
	if n := given[p.text]; n.Node != nil {
		network = n.Value
	}
	if network == "" {
		t.service("flanneld.service", "20-clct-flannel.conf", contents)
		return
	}
	if !isObject(network) {
		t.refuse(child(at, p.text), "%s is not a JSON object", p.text)
	}
	if slices.Contains(args, "--kube-subnet-mgr=true") {
		t.refuse(child(at, p.text), "%s cannot be used with kube_subnet_mgr; remove one of them", p.text)
	}
	contents += "\nExecStartPre=/usr/bin/etcdctl"
	for _, o := range [][2]string{
		{"etcd_endpoints", "endpoints"},
		{"etcd_cafile", "ca-file"},
		{"etcd_certfile", "cert-file"},
		{"etcd_keyfile", "key-file"},
	} {
		if n := given[o[0]]; n.Node != nil && n.Tag != "!!null" {
			contents += fmt.Sprintf(" --%s=%q", o[1], n.Value)
		}
	}
	t.service("flanneld.service", "20-clct-flannel.conf",
		contents+fmt.Sprintf(" set /coreos.com/network/config %q", network))
}

// update writes the file of update_engine and locksmith.
func (t *translation) update(in config, root *yaml.Node) {
	text := ""
	if u := in.Update; u != nil {
		at := child(root, "update")
		known := slices.Contains([]string{"stable", "beta", "alpha"}, strings.ToLower(u.Group))
		if !known && u.Server == "" {
			t.warn(at, "the group is not stable, beta or alpha, and there is no server of its own")
		}
		if _, err := url.Parse(u.Server); err != nil {
			t.refuse(child(at, "server"), "server is not a URL")
		}
		if u.Group != "" {
			text = "GROUP=" + strings.ToLower(u.Group)
		}
		for _, s := range [][2]string{
			{"SERVER", u.Server},
			{"PCR_POLICY_SERVER", u.PCRPolicyServer},
			{"DOWNLOAD_USER", u.DownloadUser},
			{"DOWNLOAD_PASSWORD", u.DownloadPassword},
			{"MACHINE_ALIAS", u.MachineAlias},
		} {
			if s[1] != "" {
				text += "\n" + s[0] + "=" + s[1]
			}
		}
	}
	if in.Locksmith != nil {
		text += t.locksmith(*in.Locksmith, child(root, "locksmith"))
	}
	if text == "" {
		return
	}
	t.out.Storage.Files = append(t.out.Storage.Files, types.File{
		Node:          types.Node{Filesystem: rootFilesystem, Path: "/etc/coreos/update.conf"},
		FileEmbedded1: types.FileEmbedded1{Mode: pointer(fileMode), Contents: types.FileContents{Source: dataURL(text)}},
	})
}

func (t *translation) locksmith(l locksmith, at *yaml.Node) string {
	t.checkWindow(l, at)
	if s := text(l.RebootStrategy); s != "" && !slices.Contains([]string{"reboot", "etcd-lock", "off"},
		strings.ToLower(s)) {
		t.refuse(child(at, "reboot_strategy"), "reboot_strategy is not one of reboot, etcd-lock and off")
	}
	var lines strings.Builder
	for _, s := range []struct {
		name  string
		value *string
	}{
		{"REBOOT_STRATEGY", l.RebootStrategy},
		{"LOCKSMITHD_REBOOT_WINDOW_START", l.WindowStart},
		{"LOCKSMITHD_REBOOT_WINDOW_LENGTH", l.WindowLength},
		{"LOCKSMITHD_GROUP", l.Group},
		{"LOCKSMITHD_ENDPOINT", l.EtcdEndpoints},
		{"LOCKSMITHD_ETCD_CAFILE", l.EtcdCAFile},
		{"LOCKSMITHD_ETCD_CERTFILE", l.EtcdCertFile},
		{"LOCKSMITHD_ETCD_KEYFILE", l.EtcdKeyFile},
	} {
		if s.value != nil {
			fmt.Fprintf(&lines, "\n%s=%q", s.name, *s.value)
		}
	}
	return lines.String()
}

// checkWindow holds the window for reboots to its form: a day of the week, which may be left out, a time, and a length.
func (t *translation) checkWindow(l locksmith, at *yaml.Node) {
	start, length := text(l.WindowStart), text(l.WindowLength)
	if (start == "") != (length == "") {
		t.refuse(at, "window_start and window_length belong together; give both")
	}
	if start != "" {
		clock := start
		if words := strings.Fields(start); len(words) > 1 {
			clock = words[1]
			if !slices.Contains([]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}, strings.ToLower(words[0])) {
				t.refuse(child(at, "window_start"), "window_start begins with something else than a day; use one such as Sun")
			}
		}
		if _, err := time.Parse("15:04", clock); err != nil {
			t.refuse(child(at, "window_start"), "window_start has no time; use one such as 04:30")
		}
	}
	if _, err := time.ParseDuration(length); length != "" && err != nil {
		t.refuse(child(at, "window_length"), "window_length is not a duration; use one such as 1h30m")
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
