package machine

import (
	"regexp"
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// KernelArguments changes the command line with which the boot loader starts the kernel. The machine reboots once if
// the running kernel has other arguments.
type KernelArguments struct {
	// ShouldExist are arguments that the command line must contain, such as mitigations=off.
	ShouldExist []string `json:"shouldExist,omitempty"`
	// ShouldNotExist are arguments that the command line must not contain.
	ShouldNotExist []string `json:"shouldNotExist,omitempty"`
}

// Kind returns KindKernelArguments.
func (KernelArguments) Kind() document.Kind { return KindKernelArguments }

// maxKernelArgument is the limit for one argument. COMMAND_LINE_SIZE, the limit for all, is 2048 on amd64 and arm64.
const maxKernelArgument = 1024

// kernelArgument matches an argument without the characters that the configuration of a boot loader interprets: spaces,
// quotes, backslashes and dollar signs.
var kernelArgument = regexp.MustCompile(`^[A-Za-z0-9_][!#%&(-\[\]^_a-z{|}~]*$`)

// Check returns error findings for texts that are not one argument, and for arguments that are in both lists.
func (a KernelArguments) Check(p report.Path) report.Report {
	r := checkKernelArguments(p.Field("shouldExist"), a.ShouldExist)
	at := p.Field("shouldNotExist")
	for i, argument := range a.ShouldNotExist {
		if slices.Contains(a.ShouldExist, argument) {
			r = append(r, report.Errorf(at.Index(i), "%q is also in shouldExist", report.Cut(argument, report.MaxLine)).
				To("remove one of them"))
		}
	}
	return append(r, checkKernelArguments(at, a.ShouldNotExist)...)
}

func checkKernelArguments(p report.Path, arguments []string) report.Report {
	var r report.Report
	for i, argument := range arguments {
		switch {
		case len(argument) > maxKernelArgument:
			r = append(r, report.Errorf(p.Index(i), "the argument has %d bytes; at most %d are allowed", len(argument),
				maxKernelArgument).To("shorten it"))
		case !kernelArgument.MatchString(argument):
			r = append(r, report.Errorf(p.Index(i), "%q is not one kernel argument", argument).
				To("write NAME or NAME=VALUE without spaces, quotes, backslashes and dollar signs, one argument an element"))
		}
	}
	return r
}
