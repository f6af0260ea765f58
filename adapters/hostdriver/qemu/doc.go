// Package qemu creates virtual machines with QEMU on this host. They are emulated unless the user chooses KVM. Each has
// a layer over an image whose digest was verified, and gets its bootstrap data from a seed image or from the firmware.
//
// The driver has no daemon: QEMU outlives the controller. The driver finds it by its QMP socket, and the kernel names
// the process at the other end. QEMU starts without running the machine. The machine runs once it is recorded as
// started, so that a controller that is killed in between starts nothing twice.
//
// Stock images contain no agent of the driver. Therefore the seed contains report.sh, which writes the state of the
// bootstrap to a small disk that only this program uses. The driver reads it on the host, also when the machine does
// not run, and trusts nothing in it.
//
// Package place describes the directory of a machine. Its directory ID also contains:
//
//	ID/disk          the layer over the image
//	ID/seed.iso      the seed image, until QEMU has opened it
//	ID/config.ign    the Ignition configuration, until QEMU has read it
//	ID/report        the disk to which the machine reports
//	ID/console       the output of the machine's serial console
//	ID/log           the output of QEMU
//	ID/qmp           the socket to control QEMU
package qemu
