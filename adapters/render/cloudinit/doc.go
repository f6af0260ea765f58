// Package cloudinit renders a plan as #cloud-config, the language of cloud-init.
//
// cloud-init continues when a module fails, and a failed module skips the rest of its list. So a key of the format is
// used only if it runs in the right phase and its failure can be detected; the bootstrap program, which runcmd starts
// last, detects it. The order of the keys in every version since 21.4, and their contents:
//
//	bootcmd       each boot, first: an interrupted run fails; at the first boot commands create disks, file systems,
//	              mounts and groups with a number, since disk_setup supports no sizes, fs_setup overwrites file
//	              systems that must stay, mounts comes after write_files, and groups supports no numbers
//	write_files   files of root, private ones below privateDir; the program is the last of them, so that all other
//	              files exist when it does
//	groups, users the accounts, so that one may log in though the bootstrap fails
//	write_files   with defer: files of users, and those in homes
//	runcmd        private files get to their paths; then the program: all else, in the plan's order
//
// Jinja is not used, since it would make a template of the whole document: facts come from cloud-init query.
package cloudinit
