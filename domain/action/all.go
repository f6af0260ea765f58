package action

// All returns an empty operation of every type there is, in the order of their declaration. What has to know of every
// operation goes through them, so that a new one fails there until somebody says what becomes of it.
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
