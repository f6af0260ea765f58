package main

import "github.com/spf13/pflag"

// virtualOptions are the flags of virtual machines.
type virtualOptions struct{ directory, bridge string }

func (o *virtualOptions) addFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.directory, "virtual-machines", "",
		"Absolute path of the directory with the images of virtual machines. Without it, there are no such machines. They "+
			"need QEMU.")
	fs.StringVar(&o.bridge, "virtual-bridge", "",
		"Name of a bridge with a DHCP server for virtual machines. Without it, each virtual machine has a network of its "+
			"own, from which it reaches everything that this host reaches, also this host's loopback addresses.")
}
