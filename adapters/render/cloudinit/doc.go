// Package cloudinit renders a plan as #cloud-config, the language of cloud-init.
//
// cloud-init continues when a module fails, and a failed module skips the rest of its list. So the renderer uses a key
// only if it runs in the right phase and if its failure can be detected. The bootstrap program, which runcmd starts
// last, detects these failures. The keys in the order in which every version runs them:
//
//	bootcmd       at every boot, first: reports an interrupted run. At the first boot it creates disks, file systems,
//	              mounts and groups with a GID by commands: disk_setup does not support sizes, fs_setup overwrites
//	              existing file systems, mounts runs after write_files, and groups does not support GIDs
//	write_files   files of root, private ones below privateDir; the program is last, so it exists only if all others do
//	groups, users the accounts, so that users can log in even if the bootstrap fails
//	runcmd        copies private files to their paths, then runs the program: all other steps, in the plan's order
//
// Jinja is not used, because it would make the whole document a template. Facts come from cloud-init query.
package cloudinit
