// Package talos renders a plan as Talos Linux machine configuration: a v1alpha1 document and, since Talos 1.12, further
// documents for settings that have moved out of it.
//
// Talos has no shell, no users and no packages. Its configuration determines everything, so almost every document is
// native: it is rendered, or is an error finding that names a replacement. No step runs a command.
//
// Talos's own library generates the base of the configuration for the requested version contract. It receives all
// secrets of the cluster, so it generates none. The renderer also reports mistakes that the library's validation
// accepts and Talos refuses at boot: files outside of /var, wrong operations and permissions of files, empty
// certificates, and reserved arguments.
//
// Talos rewrites the files of its configuration at every boot. Its operation "append" would add the text again each
// time. Therefore the renderer concatenates the content and uses the operation "create".
package talos
