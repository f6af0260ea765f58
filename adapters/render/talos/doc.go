// Package talos renders a plan as Talos Linux machine configuration: one v1alpha1 document and, since Talos 1.12,
// documents of their own for what has moved out of it.
//
// Talos has no shell, no users and no packages. Its configuration determines everything, so nearly every document
// is native: it is rendered, or refused by a finding with a replacement. No step runs a command.
//
// The base of the configuration is what Talos's own generator makes of the cluster's secrets for the version contract
// asked for; the generator is given all secrets, so that it draws none. What the library's validation lets pass and
// Talos refuses at boot is found here: files outside of /var, operations and permissions of files, empty certificates,
// arguments that Talos keeps for itself.
//
// Talos rewrites the files of its configuration at every boot. Its operation "append" would add the text once more
// each time, after a line feed; so a file that is appended to is put together here and created.
package talos
