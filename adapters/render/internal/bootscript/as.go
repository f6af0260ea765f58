package bootscript

// As defines _a, which runs a script with a UID and GID. Below a directory of a user, the user can redirect paths that
// root opens. The kernel limits what a process of the user can do.
//
// The process has no terminal, because it could insert input for the shell of root. It does not have the log open. A
// timeout ends it after a minute, because a file may be a FIFO, and kills it if it ignores the signal. On some systems
// su takes an empty name for root, so a user without a name is refused unless setpriv of util-linux is installed.
const As = `_a()(umask 077
_i=--clear-groups;_u=$(getent passwd "$1"|cut -d: -f1);[ ! "$_u" ]||_i=--init-groups
if setpriv --reuid "$1" --regid "$2" $_i true 2>/dev/null;then set -- "$3" setpriv --reuid "$1" --regid "$2" $_i env ` +
	`-i "PATH=$PATH" sh
elif [ "$_u" ];then set -- "$3" su -s /bin/sh "$_u";else echo "the user $1 has no name">&2;exit 1;fi
_x=$1;shift;setsid timeout -k5 60 "$@" -c "$_x">` + said + ` 2>&1;set $?;head -c4096 ` + said +
	`;rm -f ` + said + `;exit $1)
`

// Stage is a file of root that contains the input for a process of a user. The other file receives its output.
const (
	Stage = StateDir + "/stage"
	said  = StateDir + "/said"
)
