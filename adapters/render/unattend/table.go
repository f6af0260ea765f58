package unattend

// Component is what is known of a component of an answer file: all that this package ever writes of it.
type Component struct {
	// Name is the component's, in the attribute of that name.
	Name string
	// Elements are in the order in which those of one parent stand.
	Elements []Element
	// Source is where the facts were found.
	Source string
}

// Element is an element below a component.
type Element struct {
	// Path leads from the component to it.
	Path string
	// Pass is the one in which it is written; the reference allows it there.
	Pass string
	// Item says that it is an element of a list, which carries wcm:action="add".
	Item bool
	// Holds says that it has elements and no text.
	Holds bool
	// Max is how many characters its text may have; 0 is unknown.
	Max int
	// Values are those that its text may have; none means any.
	Values []string
}

// The passes that are written: specialize gives the image its identity, and is followed by a reboot; oobeSystem comes
// last.
const (
	specialize = "specialize"
	oobeSystem = "oobeSystem"
)

// maxCommand is how long the path of a RunSynchronousCommand may be.
const maxCommand = 259

// Table returns the components, with all elements and attributes that are ever written.
func Table() []Component {
	return []Component{shellSetup(), international(), unattendedJoin(), deployment()}
}

func boolean() []string { return []string{"true", "false"} }

func shellSetup() Component {
	return Component{
		Name: "Microsoft-Windows-Shell-Setup",
		Elements: []Element{
			{Path: "ComputerName", Pass: specialize, Max: 15},
			{Path: "TimeZone", Pass: specialize, Max: 256},
			{Path: "OOBE", Pass: oobeSystem, Holds: true},
			{Path: "OOBE/HideEULAPage", Pass: oobeSystem, Values: boolean()},
			{Path: "OOBE/HideLocalAccountScreen", Pass: oobeSystem, Values: boolean()},
			{Path: "OOBE/ProtectYourPC", Pass: oobeSystem, Values: []string{"1", "2", "3"}},
			{Path: "UserAccounts", Pass: oobeSystem, Holds: true},
			{Path: "UserAccounts/AdministratorPassword", Pass: oobeSystem, Holds: true},
			{Path: "UserAccounts/AdministratorPassword/Value", Pass: oobeSystem},
			{Path: "UserAccounts/AdministratorPassword/PlainText", Pass: oobeSystem, Values: boolean()},
			{Path: "UserAccounts/LocalAccounts", Pass: oobeSystem, Holds: true},
			{Path: "UserAccounts/LocalAccounts/LocalAccount", Pass: oobeSystem, Holds: true, Item: true},
			{Path: "UserAccounts/LocalAccounts/LocalAccount/Password", Pass: oobeSystem, Holds: true},
			{Path: "UserAccounts/LocalAccounts/LocalAccount/Password/Value", Pass: oobeSystem},
			{Path: "UserAccounts/LocalAccounts/LocalAccount/Password/PlainText", Pass: oobeSystem, Values: boolean()},
			{Path: "UserAccounts/LocalAccounts/LocalAccount/DisplayName", Pass: oobeSystem, Max: 256},
			{Path: "UserAccounts/LocalAccounts/LocalAccount/Group", Pass: oobeSystem, Values: []string{administrators, "Users"}},
			{Path: "UserAccounts/LocalAccounts/LocalAccount/Name", Pass: oobeSystem, Max: 20},
		},
		Source: "learn.microsoft.com: Unattended Windows Setup Reference, Microsoft-Windows-Shell-Setup (ComputerName, " +
			"TimeZone, OOBE, UserAccounts)",
	}
}

func international() Component {
	return Component{
		Name: "Microsoft-Windows-International-Core",
		Elements: []Element{
			{Path: "InputLocale", Pass: oobeSystem},
			{Path: "SystemLocale", Pass: oobeSystem},
			{Path: "UILanguage", Pass: oobeSystem},
			{Path: "UserLocale", Pass: oobeSystem},
		},
		Source: "learn.microsoft.com: Unattended Windows Setup Reference, Microsoft-Windows-International-Core (passes " +
			"specialize and oobeSystem)",
	}
}

func unattendedJoin() Component {
	return Component{
		Name: "Microsoft-Windows-UnattendedJoin",
		Elements: []Element{
			{Path: "Identification", Pass: specialize, Holds: true},
			{Path: "Identification/Credentials", Pass: specialize, Holds: true},
			{Path: "Identification/Credentials/Domain", Pass: specialize},
			{Path: "Identification/Credentials/Password", Pass: specialize},
			{Path: "Identification/Credentials/Username", Pass: specialize},
			{Path: "Identification/JoinDomain", Pass: specialize},
			{Path: "Identification/MachineObjectOU", Pass: specialize},
			{Path: "Identification/Provisioning", Pass: specialize, Holds: true},
			{Path: "Identification/Provisioning/AccountData", Pass: specialize},
		},
		Source: "learn.microsoft.com: Unattended Windows Setup Reference, Microsoft-Windows-UnattendedJoin " +
			"(Identification; no string is empty)",
	}
}

func deployment() Component {
	return Component{
		Name: "Microsoft-Windows-Deployment",
		Elements: []Element{
			{Path: "RunSynchronous", Pass: specialize, Holds: true},
			{Path: "RunSynchronous/RunSynchronousCommand", Pass: specialize, Holds: true, Item: true},
			{Path: "RunSynchronous/RunSynchronousCommand/Description", Pass: specialize, Max: 259},
			{Path: "RunSynchronous/RunSynchronousCommand/Order", Pass: specialize},
			{Path: "RunSynchronous/RunSynchronousCommand/Path", Pass: specialize, Max: maxCommand},
			{
				Path: "RunSynchronous/RunSynchronousCommand/WillReboot", Pass: specialize,
				Values: []string{"Always", "OnRequest", "Never"},
			},
		},
		Source: "learn.microsoft.com: Unattended Windows Setup Reference, Microsoft-Windows-Deployment (RunSynchronous: " +
			"runs as SYSTEM in specialize)",
	}
}
