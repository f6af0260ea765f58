// Package stock boots near-stock images of Flatcar and Fedora CoreOS, which have no Kubernetes, with the driver
// qemu. Real Ignition fetches the system extension of docs/install.md, real systemd-sysext merges it into the read-only
// /usr, and the machines join a real cluster. IMAGE=path selects a real image. docs/evidence/stock.md states what this
// proves.
package stock
