package action

// All returns an empty operation of every type, in the order of their declaration. Code and tests that must cover every
// operation iterate over it, so that a new operation fails there until it is handled.
func All() []Operation {
	return []Operation{
		WriteFile{},
		MakeDirectory{},
		Link{},
		FetchFile{},
		EnsureGroup{},
		EnsureUser{},
		EnsureUnit{},
		PartitionDisk{},
		MakeFilesystem{},
		MountFilesystem{},
		EnableSwap{},
		InstallPackages{},
		ConfigureHost{},
		JoinDomain{},
		RunCommand{},
	}
}
