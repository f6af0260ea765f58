package windows

// component is the part of a component of an answer file that machineadm writes.
type component struct {
	// Name is the value of the component's attribute name.
	Name string
	// Elements are in the order of their parent.
	Elements []element
	// Source is the reference for the elements.
	Source string
}

// element is an element below a component.
type element struct {
	// Path leads from the component to the element.
	Path string
	// Pass is a pass in which the reference allows the element.
	Pass string
	// Item reports whether the element is an entry of a list, which has the attribute wcm:action="add".
	Item bool
	// Holds reports whether the element has elements instead of text.
	Holds bool
	// Max is the maximum number of characters of the text; 0 if the reference gives none.
	Max int
	// Values are the permitted texts; an empty list permits any.
	Values []string
}

// The passes of the setup of Windows in which machineadm writes elements.
const (
	specialize = "specialize"
	oobeSystem = "oobeSystem"
)

// components returns the components that machineadm writes.
func components() []component {
	return []component{shellSetup(), international(), unattendedJoin(), deployment()}
}

func boolean() []string { return []string{"true", "false"} }

func shellSetup() component {
	return component{
		Name: "Microsoft-Windows-Shell-Setup",
		Elements: []element{
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
			{
				Path: "UserAccounts/LocalAccounts/LocalAccount/Group", Pass: oobeSystem,
				Values: []string{"Administrators", "Users"},
			},
			{Path: "UserAccounts/LocalAccounts/LocalAccount/Name", Pass: oobeSystem, Max: 20},
		},
		Source: "learn.microsoft.com: Unattended Windows Setup Reference, Microsoft-Windows-Shell-Setup (ComputerName, " +
			"TimeZone, OOBE, UserAccounts)",
	}
}

func international() component {
	return component{
		Name: "Microsoft-Windows-International-Core",
		Elements: []element{
			{Path: "InputLocale", Pass: oobeSystem},
			{Path: "SystemLocale", Pass: oobeSystem},
			{Path: "UILanguage", Pass: oobeSystem},
			{Path: "UserLocale", Pass: oobeSystem},
		},
		Source: "learn.microsoft.com: Unattended Windows Setup Reference, Microsoft-Windows-International-Core (passes " +
			"specialize and oobeSystem)",
	}
}

func unattendedJoin() component {
	return component{
		Name: "Microsoft-Windows-UnattendedJoin",
		Elements: []element{
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

func deployment() component {
	return component{
		Name: "Microsoft-Windows-Deployment",
		Elements: []element{
			{Path: "RunSynchronous", Pass: specialize, Holds: true},
			{Path: "RunSynchronous/RunSynchronousCommand", Pass: specialize, Holds: true, Item: true},
			{Path: "RunSynchronous/RunSynchronousCommand/Description", Pass: specialize, Max: 259},
			{Path: "RunSynchronous/RunSynchronousCommand/Order", Pass: specialize},
			{Path: "RunSynchronous/RunSynchronousCommand/Path", Pass: specialize, Max: 259},
			{
				Path: "RunSynchronous/RunSynchronousCommand/WillReboot", Pass: specialize,
				Values: []string{"Always", "OnRequest", "Never"},
			},
		},
		Source: "learn.microsoft.com: Unattended Windows Setup Reference, Microsoft-Windows-Deployment (RunSynchronous: " +
			"runs as SYSTEM in specialize)",
	}
}
