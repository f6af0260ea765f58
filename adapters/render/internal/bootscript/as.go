package bootscript

// As defines _a, which runs a script as a user, by the numbers of user and group: what root does by name below a
// directory of the user's, the user can lead elsewhere, and what the user does himself the kernel bounds. The process
// has no terminal, whose input it could feed to root's shell, and it does not have the log open. It is ended after a
// minute, since a FIFO may stand in the place of a file, and killed if the user keeps it from ending. su takes an empty
// name for root's on some systems, so a user without a name is refused where there is no setpriv of util-linux.
const As = `_a()(umask 077
_i=--clear-groups;_u=$(getent passwd "$1"|cut -d: -f1);[ ! "$_u" ]||_i=--init-groups
if setpriv --reuid "$1" --regid "$2" $_i true 2>/dev/null;then set -- "$3" setpriv --reuid "$1" --regid "$2" $_i env -i "PATH=$PATH" sh
elif [ "$_u" ];then set -- "$3" su -s /bin/sh "$_u";else echo "the user $1 has no name">&2;exit 1;fi
_x=$1;shift;setsid timeout -k5 60 "$@" -c "$_x">` + said + ` 2>&1;set $?;head -c4096 ` + said + `;rm -f ` + said + `;exit $1)
`

// Stage is a file that root alone reads, from which a user's process gets its input; said has what it prints.
const (
	Stage = StateDir + "/stage"
	said  = StateDir + "/said"
)
