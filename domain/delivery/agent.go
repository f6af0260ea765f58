package delivery

// Mode says who brings the configuration about.
type Mode string

// The modes.
const (
	// ModeNative says the whole configuration in the format's own words. It is the default.
	ModeNative Mode = ""
	// ModeAgent hands most of it to the agent machineadm on the machine, as one file.
	ModeAgent Mode = "Agent"
)

// Where the agent and its configuration stand on a machine.
const (
	AgentPath         = "/usr/bin/machineadm"
	ConfigurationPath = "/etc/machineadm/machineadm_config.yaml"
	// ResumeUnit goes on, at later boots, with what an earlier boot began, and tells how it ended. The agent lays it down as soon as it
	// begins.
	ResumeUnit     = "machineadm-resume.service"
	ResumeUnitPath = "/etc/systemd/system/" + ResumeUnit
)

// Agent says how the agent comes onto the machine.
type Agent struct {
	// Path is where the agent stands. Empty is AgentPath, or for one that is fetched the profile's directory of programs.
	Path string
	// Fetch says where it is fetched from; nil if the image has it.
	Fetch *AgentFetch
	// Endpoint has the controller's endpoint serve it. Who knows the endpoint sets Fetch.
	Endpoint bool
}

// AgentFetch is a program to fetch.
type AgentFetch struct {
	// URL is http, https or file. {version} and {arch} in it stand for Version and for the machine's architecture.
	URL string
	// Version is the agent's, such as v0.1.0; empty if the URL does not ask for it.
	Version string
	// SHA256 is the digest of the program in lower-case hexadecimal.
	SHA256 string
	// Authorities are certificates in PEM that vouch for who serves it, and for nothing else; empty leaves that to those that the
	// machine trusts.
	Authorities string
}
