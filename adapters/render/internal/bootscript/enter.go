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

// Enter defines _e, which makes a directory and those above it, and enters it: a directory that is entered stays the
// same one, whatever becomes of its name. As long as the directories belong to root, and nobody else writes to them,
// links are followed. Below the first other one no link is: what was entered must then be called as it was asked for.
// Directories that are made there belong to its owner, who is in _o; one that is not empty was exchanged in between,
// and stays. _g is empty if nobody but root changes entries of the directory that was entered, so that root may use
// their names there: in one of root's, also below a public one. _t is where a file is completed: beside its place, or
// else where root alone writes.
//
// _p enters the directory of a path, and _b is the entry in it. _r enters a directory and fails if _o is set, for what
// programs do by name.
const Enter = `_e(){ _o=;cd /;set -f;IFS=/
for _c in $1;do [ "$_c" ]||continue
_n=$(pwd -P);_m=;mkdir "./$_c" 2>/dev/null&&_m=1
cd -P "./$_c"||return 1
[ ! "$_o" ]||{ [ "$(pwd -P)" = "${_n%/}/$_c" ]||{ echo "$1: a link in a directory of $_o">&2;return 1;}
[ ! "$_m" ]||[ "${_o%:*}" = 0 ]||[ "$(stat -c %u .)$(ls -A .)" != 0 ]||chown "$_o" .||return 1;}
[ "$_o" ]||case "$(stat -c '%u %A' .)" in '0 '?????-??-*);;*)_o=$(stat -c %u:%g .);;esac
done;unset IFS;set +f;_g=$_o;case "$_o $(stat -c '%u %A' .)" in 0:*' 0 '?????-??-*)_g=;;esac
_t=./.machineadm-new;[ ! "$_g" ]||_t=` + Stage + `;rm -f "$_t";}
_p(){ _e "${1%/*}"&&_b=./${1##*/};}
_r(){ _e "$1"&&{ [ ! "$_o" ]||{ echo "$1: other users own or write a directory of the path">&2;return 1;};};}
`

// homes returns the directories of root's that hold the home directories of users.
func homes() []string { return []string{"/home/", "/var/home/"} }

// public returns the directories in which every user may make entries.
// Source: file-hierarchy(7).
func public() []string {
	return []string{"/tmp/", "/var/tmp/", "/dev/shm/", "/run/user/", "/run/lock/", "/var/lock/"}
}

// system returns directories below which only root, and what the system's own packages trust, changes entries on every
// system. Everywhere else the program looks at the owners of the directories.
func system() []string { return []string{"/etc/", "/usr/", "/root/", "/boot/", "/var/log/"} }

// OwnedDirectories returns the directories that the steps give to users other than root, with a slash at the end:
// there another user can exchange what root works on. Home directories are among them, and public directories.
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

// target returns where the link leads.
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

// Exchangeable reports whether another user can exchange what has the name: a path below one of the directories, but
// not the home directories themselves, which are entries of a directory of root's.
func Exchangeable(directories []string, at string) bool {
	return slices.ContainsFunc(directories, func(d string) bool {
		name, below := strings.CutPrefix(at, d)
		return below && d != "//" && (!slices.Contains(homes(), d) || strings.Contains(name, "/"))
	})
}

// careful reports whether the program enters the directories of a path one by one.
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

// spot is where a file is made before it takes its place; next is a word of the shell.
type spot struct{ prepare, next, finish string }

func (w *writer) spot(at string) spot {
	if !w.careful(at) {
		next := Quote(linuxcmd.Temporary(at))
		return spot{"mkdir -p " + Quote(path.Dir(at)) + "&&", next, "&&mv -f " + next + " " + Quote(at)}
	}
	w.define(Enter)
	finish := `&&mv -fT "$_t" "$_b"`
	if w.options.Target.Profile.SELinux {
		finish += `&&{ restorecon "$_b"||:;}`
	}
	return spot{"_p " + Quote(at) + "&&", `"$_t"`, finish}
}

// appendBelow appends in the directory that is entered: as its owner, who may have put a link there. The file is given
// to nobody else. Where several users write nobody can do it safely by name.
func (w *writer) appendBelow(f machine.File, content string) string {
	w.define(Enter, As)
	check := ""
	if f.Owner.User != "" {
		check = `{ [ "${_o%:*}" = "$(id -u ` + Quote(f.Owner.User) +
			`)" ]||{ echo "the directory belongs to $_o">&2;false;};}&&`
	}
	return "_k()" + content + "\n_p " + Quote(f.Path) +
		`&&if [ "${_g%:*}" = 0 ];then echo 'other users write to the directory'>&2;false;elif [ "$_g" ];then ` + check +
		`(umask 077&&_k>"$_t")&&_a "${_o%:*}" "${_o#*:}" ` + Quote(addHere(f)) + `<"$_t"&&rm -f "$_t";else ` + add(f,
		`"$_b"`, "_k") + ";fi"
}

// addHere appends the input to the file in the current directory, by the rules of add, and changes no owner.
func addHere(f machine.File) string {
	f.Owner = machine.Owner{}
	return "umask 022;" + add(f, Quote("./"+path.Base(f.Path)), "cat")
}
