package migrate

import (
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// users converts spec.users. Only the groups are written in another way.
func (s *specs) users() {
	users := s.in.get("users")
	for _, u := range users.items() {
		if u.node.Kind != yaml.MappingNode {
			u.add(u, Decision, "a text replaces a whole user; make sure that it has the form of spec.machine.users")
			extend(s.out, "machine.users", u.take())
			continue
		}
		out := mapping()
		out.HeadComment = u.node.HeadComment
		for _, name := range []string{
			"name", "gecos", "homeDir", "inactive", "shell", "passwd", "primaryGroup", "lockPassword", "sudo",
			"sshAuthorizedKeys",
		} {
			move(u.get(name), out, name)
		}
		if secret := u.get("passwdFrom", "secret"); secret.exists() {
			s.secret(secret, out, "passwdFrom.secret")
		}
		s.groups(u.get("groups"), out)
		extend(s.out, "machine.users", out)
	}
	copyComments(users.key, s.out, "machine.users")
	s.opaque(s.in, "machine", "users")
}

func (s *specs) groups(in field, out *node) {
	var groups []string
	for g := range strings.SplitSeq(in.takeText(), ",") {
		if g = strings.TrimSpace(g); g != "" {
			groups = append(groups, g)
		}
	}
	if len(groups) > 0 {
		put(out, "groups", texts(groups))
	}
}

// timeSync converts spec.ntp. With enabled: false, the kubeadm provider changes no time daemon, but still passes the
// servers to cloud-init, which then configures them (bootstrap/kubeadm/pkg/cloudinit/ntp.go of Cluster API 1.14).
func (s *specs) timeSync(in field) {
	enabled := in.get("enabled")
	switch {
	case enabled.is("false") && in.get("servers").exists():
		enabled.report(Decision, "spec.machine.timeSync disables all time daemons; cloud-init uses the servers nonetheless; "+
			"remove enabled, or the servers")
		move(enabled, s.out, "machine.timeSync.enabled")
	case enabled.is("false"):
		enabled.report(Note, "spec.machine.timeSync disables the time daemon of the image; remove it to keep the daemon")
		move(enabled, s.out, "machine.timeSync.enabled")
	case enabled.exists() && !in.get("servers").exists():
		enabled.report(Note, "the time daemon of the image runs with its own servers; set spec.machine.timeSync.servers")
	default:
		enabled.take()
	}
	move(in.get("servers").unused(), s.out, "machine.timeSync.servers")
	copyComments(in.key, s.out, "machine.timeSync")
}

// secondsOf returns the seconds of a duration.
func secondsOf(s string) (int64, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is not a duration that can be converted", s)
	}
	return int64(d / time.Second), nil
}

// splitPath splits a path with dots.
func splitPath(path string) []string { return strings.Split(path, ".") }
