package bootscript

import (
	"path"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// enter defines _e, which makes a directory and those above it, and enters it: a directory that is entered stays the
// same one, whatever becomes of its name. As long as the directories belong to root, and nobody else writes to them,
// links are followed. Below the first other one no link is: what was entered must then be called as it was asked for.
// Directories that are made there belong to its owner, who is in _o; one that is not empty was exchanged in between,
// and stays.
const enter = `_e(){ _o=;cd /;set -f;IFS=/
for _c in $1;do [ "$_c" ]||continue
_n=$(pwd -P);_m=;mkdir "./$_c" 2>/dev/null&&_m=1
cd -P "./$_c"||return 1
[ ! "$_o" ]||{ [ "$(pwd -P)" = "$_n/$_c" ]||{ echo "$1: a link in a directory of $_o">&2;return 1;}
[ ! "$_m" ]||[ "$(stat -c %u .)$(ls -A .)" != 0 ]||chown "$_o" .||return 1;}
[ "$_o" ]||case "$(stat -c '%u %A' .)" in '0 '?????-??-*);;*)_o=$(stat -c %u:%g .);;esac
done;unset IFS;set +f;}
`

// OwnedDirectories returns the directories that the steps give to users other than root, with a slash at the end:
// there another user can exchange what root works on. Home directories are among them.
func OwnedDirectories(steps []plan.Step) []string {
	dirs := []string{"/home/"}
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
		default: // gives no directory away
		}
	}
	return dirs
}

// Owned reports whether a path is below one of the directories.
func Owned(directories []string, at string) bool {
	return slices.ContainsFunc(directories, func(d string) bool { return d != "//" && strings.HasPrefix(at, d) })
}

// spot is where a file is made before it takes its place: beside it, or where root alone writes if another user can
// exchange what is beside it.
type spot struct{ prepare, next, finish string }

func (w *writer) spot(at string) spot {
	dir, next := Quote(path.Dir(at)), at+temporary
	if !Owned(w.options.Owned, at) {
		return spot{"mkdir -p " + dir + "&&", next, "&&mv -f " + Quote(next) + " " + Quote(at)}
	}
	finish := "&&_e " + dir + "&&mv -fT " + Stage + " " + Quote("./"+path.Base(at))
	if w.options.Target.Profile.SELinux {
		finish += "&&{ restorecon " + Quote("./"+path.Base(at)) + "||:;}"
	}
	return spot{enter + "rm -f " + Stage + "&&", Stage, finish}
}

// appendOwned appends as the owner of the directory, who may have put a link there. It gives the file to nobody else.
func appendOwned(f machine.File, content string) string {
	check := ""
	if f.Owner.User != "" {
		check = `{ [ "${_o%:*}" = "$(id -u ` + Quote(f.Owner.User) + `)" ]||{ echo "the directory belongs to $_o">&2;false;};}&&`
	}
	return As + enter + "rm -f " + Stage + "&&(umask 077&&" + content + ">" + Stage + ")&&_e " + Quote(path.Dir(f.Path)) +
		`&&if [ "$_o" ];then ` + check + `_a "${_o%:*}" "${_o#*:}" ` + Quote(addHere(f, machine.Owner{})) + "<" + Stage +
		";else (" + addHere(f, f.Owner) + ")<" + Stage + ";fi&&rm -f " + Stage
}

// addHere appends the input to the file in the current directory, by the rules of add.
func addHere(f machine.File, o machine.Owner) string {
	f.Owner = o
	return "umask 022;" + add(f, Quote("./"+path.Base(f.Path)), "cat")
}
