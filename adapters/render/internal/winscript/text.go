package winscript

import (
	_ "embed"
	"encoding/base64"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
)

// The programs, and the functions that they are made of.
var (
	// steps are functions of the program.
	//
	//go:embed steps.ps1
	steps string

	// checks are functions for the end of the program.
	//
	//go:embed checks.ps1
	checks string

	// setup are functions for a program that runs after the setup of Windows.
	//
	//go:embed setup.ps1
	setup string

	// agent is the function that runs the agent.
	//
	//go:embed agent.ps1
	agent string

	// once stops a bootstrap that was interrupted.
	//
	//go:embed once.ps1
	once string

	// afterwards replaces the program after the bootstrap.
	//
	//go:embed afterwards.ps1
	afterwards string

	// install are functions of the installer.
	//
	//go:embed install.ps1
	install string
)

const header = "# Created by machineadm: runs once, stops at the first failure.\n"

// prologue returns the program before the first step.
func (o Options) prologue() string {
	text := header + windowscmd.Settings() + windowscmd.Files() + script.Strip(steps) +
		windowscmd.Network() + windowscmd.Accounts() + script.Strip(checks)
	if o.Agent {
		text += script.Strip(agent)
	}
	if !o.AfterSetup {
		return text + begin()
	}
	return text + script.Strip(setup) + "Wait-Setup\n" + begin() +
		"Invoke-Step 'start' 'answer files' { Remove-AnswerFile }\n"
}

func begin() string {
	return "Initialize-State\n" + script.Strip(once) +
		`Invoke-Step 'start' 'prepare' { Write-File "$state\run.ps1" $true @('` + encode(windowscmd.Run()) + "') }\n"
}

// epilogue returns the program after the last step. An agent completes the bootstrap itself.
func (o Options) epilogue() string {
	if o.Agent {
		return ""
	}
	return "Invoke-Step 'post' 'finish' { Complete-Bootstrap '" +
		encode(windowscmd.Settings()+script.Strip(afterwards)+windowscmd.BootScripts()) + "' }\n"
}

func encode(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
