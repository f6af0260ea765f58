package migrate

import (
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// users converts spec.users. The groups are written in another way, and the default of lockPassword is another one.
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
		s.lockPassword(u, out)
		extend(s.out, "machine.users", out)
	}
	copyComments(users.key, s.out, "machine.users")
	s.opaque(s.in, "machine", "users")
}

// lockPassword sets lockPassword as cloud-init interprets a user with a password: it locks the password unless
// lock_passwd is false, and the kubeadm provider writes lock_passwd only if the field is set. Ignition has no such
// field. The patch of a single field of a user stays one field, because the template has the rest of the user.
func (s *specs) lockPassword(u field, out *node) {
	password := u.get("passwd")
	if password.text() == "" {
		password = u.get("passwdFrom")
	}
	lock := u.get("lockPassword")
	set := lock.exists() && lock.node.Tag != "!!null"
	if set || !password.exists() || password.node.Tag == "!!null" || s.in.get("format").is("ignition") {
		return
	}
	const locked = "cloud-init locks the password unless lockPassword is false"
	switch {
	case !s.partial:
		u.add(password, Note, locked+"; set it to false to log in with the password")
	case u.get("name").exists():
		u.add(password, Decision, locked+", and Ignition does not; lockPassword is true now, remove it for Ignition")
	default:
		u.add(password, Decision, locked+", and Ignition does not; set lockPassword of the user")
		return
	}
	put(out, "lockPassword", yes())
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
