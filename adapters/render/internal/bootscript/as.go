package bootscript

// As defines _a, which runs a script as a user, by the numbers of user and group: what root does by name below a
// directory of the user's, the user can lead elsewhere, and what the user does himself the kernel bounds. The process
// has no terminal, whose input it could feed to root's shell; it ends after a minute, since a FIFO may stand in the
// place of a file; and it does not have the log open. It has to stand before the scripts that use it.
const As = `_a()(umask 077
_i=--clear-groups;id -un "$1">/dev/null 2>&1&&_i=--init-groups
if command -v setpriv>/dev/null;then set -- "$3" setpriv --reuid "$1" --regid "$2" $_i env -i "PATH=$PATH" sh;else set -- "$3" su -s /bin/sh "$(id -un "$1")";fi
_x=$1;shift;setsid -w timeout 60 "$@" -c "$_x">` + said + ` 2>&1;set $?;head -c4096 ` + said + `;rm -f ` + said + `;exit $1)
`

// Stage is a file that root alone reads, from which a user's process gets its input; said has what it prints.
const (
	Stage = StateDir + "/stage"
	said  = StateDir + "/said"
)
