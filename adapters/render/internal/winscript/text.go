package winscript

import (
	_ "embed"
	"encoding/base64"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
)

// The programs, and the functions that they are made of.
var (
	// settings are the variables that all programs share.
	//
	//go:embed settings.ps1
	settings string

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

	// once stops a bootstrap that was interrupted.
	//
	//go:embed once.ps1
	once string

	// runScript runs one script of the user.
	//
	//go:embed run.ps1
	runScript string

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
	text := header + script.Strip(settings) + windowscmd.Files() + script.Strip(steps) +
		windowscmd.Accounts() + script.Strip(checks)
	if !o.AfterSetup {
		return text + begin()
	}
	return text + script.Strip(setup) + "Wait-Setup\n" + begin() +
		"Invoke-Step 'start' 'answer files' { Remove-AnswerFile }\n"
}

func begin() string {
	return "Initialize-State\n" + script.Strip(once) +
		`Invoke-Step 'start' 'prepare' { Write-File "$state\run.ps1" $true @('` + encode(script.Strip(runScript)) + "') }\n"
}

func epilogue() string {
	return "Invoke-Step 'post' 'finish' { Complete-Bootstrap '" +
		encode(script.Strip(settings)+script.Strip(afterwards)) + "' }\n"
}

func encode(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
