package migrate

// commands converts the commands.
func (s *specs) commands() {
	for _, r := range []row{
		{"bootCommands", "machine.bootCommands"},
		{"preKubeadmCommands", "machine.preCommands"},
		{"postKubeadmCommands", "machine.postCommands"},
	} {
		move(s.in.get(r.from), s.out, r.to)
	}
}

// initTests converts the tests whether a machine creates the cluster.
func (s *specs) initTests(_ field, value string) string { return value }

// factFiles adds the files with facts that commands read.
func (s *specs) factFiles() {}
