package bootscript

import (
	"path"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// homes returns the directories of root that contain home directories.
func homes() []string { return []string{"/home/", "/var/home/"} }

// public returns the directories in which all users can create entries. Source: file-hierarchy(7).
func public() []string {
	return []string{"/tmp/", "/var/tmp/", "/dev/shm/", "/run/user/", "/run/lock/", "/var/lock/"}
}

// system returns directories in which only root and system packages change entries, on every system. Everywhere else
// the program checks the owners of the directories.
func system() []string { return []string{"/etc/", "/usr/", "/root/", "/boot/", "/var/log/"} }

// OwnedDirectories returns the directories of users other than root: those that the steps create, home directories and
// public directories. Each ends in a slash. Users can exchange files of root there.
func OwnedDirectories(steps []plan.Step) []string {
	dirs := append(homes(), public()...)
	for _, s := range steps {
		switch op := s.Do.(type) {
		case action.EnsureUser:
			if op.Home != "" && op.Name != "root" {
				dirs = append(dirs, path.Clean(op.Home)+"/")
			}
		case action.MakeDirectory:
			if !slices.Contains([]string{"", "0", "root"}, op.Owner.User) {
				dirs = append(dirs, op.Path+"/")
			}
		case action.Link:
			if to := target(op); Owned(dirs, to+"/") {
				dirs = append(dirs, op.Path+"/")
			}
		default: // gives no directory away
		}
	}
	return dirs
}

// target returns the absolute target of the link.
func target(l action.Link) string {
	if path.IsAbs(l.Target) {
		return path.Clean(l.Target)
	}
	return path.Join(path.Dir(l.Path), l.Target)
}

// Owned reports whether a path is below one of the directories.
func Owned(directories []string, at string) bool {
	return slices.ContainsFunc(directories, func(d string) bool { return d != "//" && strings.HasPrefix(at, d) })
}

// Exchangeable reports whether another user can exchange the path. Paths below the directories are exchangeable, but
// not home directories themselves, because their parent directory belongs to root.
func Exchangeable(directories []string, at string) bool {
	return slices.ContainsFunc(directories, func(d string) bool {
		name, below := strings.CutPrefix(at, d)
		return below && d != "//" && (!slices.Contains(homes(), d) || strings.Contains(name, "/"))
	})
}

// careful reports whether the program must enter the directories of the path one by one.
func (w *writer) careful(at string) bool { return Owned(w.options.Owned, at) || !Owned(system(), at) }

// define writes functions before the first step that uses them.
func (w *writer) define(functions ...string) {
	for _, f := range functions {
		if !slices.Contains(w.defined, f) {
			w.defined = append(w.defined, f)
			w.buf.WriteString(f)
		}
	}
}

// spot is the shell code to create a file atomically; next is the temporary file as a shell word.
type spot struct{ prepare, next, finish string }

func (w *writer) spot(at string) spot {
	if !w.careful(at) {
		next := Quote(linuxcmd.Temporary(at))
		return spot{"mkdir -p " + Quote(path.Dir(at)) + "&&", next, "&&mv -f " + next + " " + Quote(at)}
	}
	w.define(Enter())
	finish := `&&mv -fT "$_temporary" "$_entry"`
	if w.options.Target.Profile.SELinux {
		finish += `&&{ restorecon "$_entry"||:;}`
	}
	return spot{"_enter_parent " + Quote(at) + "&&", `"$_temporary"`, finish}
}

// appendBelow appends in the entered directory as its owner, who may have put a link there. It does not change the
// owner of the file. In a directory that several users can write, appending by name is not safe and fails.
func (w *writer) appendBelow(f machine.File, content string) string {
	w.define(Enter(), As())
	check := ""
	if f.Owner.User != "" {
		check = `{ [ "${_owner%:*}" = "$(id -u ` + Quote(f.Owner.User) +
			`)" ]||{ echo "the directory belongs to $_owner">&2;false;};}&&`
	}
	return "_content()" + content + "\n_enter_parent " + Quote(f.Path) + `&&if [ "${_sharer%:*}" = 0 ];then ` +
		`echo 'other users write to the directory'>&2;false;elif [ "$_sharer" ];then ` + check +
		`(umask 077&&_content>"$_temporary")&&_run_as "${_owner%:*}" "${_owner#*:}" ` + Quote(addHere(f)) +
		`<"$_temporary"&&rm -f "$_temporary";else ` + add(f, `"$_entry"`, "_content") + ";fi"
}

// addHere appends its input to the file in the working directory, as add does. It does not change the owner.
func addHere(f machine.File) string {
	f.Owner = machine.Owner{}
	return "umask 022;" + add(f, Quote("./"+path.Base(f.Path)), "cat")
}
