package main

import "github.com/spf13/pflag"

// virtualOptions are the flags of virtual machines.
type virtualOptions struct{ directory, bridge string }

func (o *virtualOptions) addFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.directory, "virtual-machines", "",
		"Absolute path of the directory with the images of virtual machines. If it is empty, there are no virtual "+
			"machines. They require QEMU.")
	fs.StringVar(&o.bridge, "virtual-bridge", "",
		"Name of a bridge with a DHCP server for virtual machines. If it is empty, each virtual machine has a separate "+
			"network, from which it can connect to all addresses that this host reaches, including its loopback addresses.")
}
