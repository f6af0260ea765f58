package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// initFlags are the flags of the command init.
type initFlags struct {
	system, infrastructure, name, cluster, version, file string
}

func initCommand(o Options) *cobra.Command {
	var i initFlags
	c := &cobra.Command{
		Use:   "init --os NAME --infrastructure KIND",
		Short: "Print commented manifests of workers to start with",
		Long: `Prints a MachineDeployment and its MachineBootstrapConfigTemplate for an operating
system and an infrastructure, with comments on the fields that most users set
next. For a kind of machine pools, it prints a MachinePool and its
MachineBootstrapConfig.

The manifests refer to a Cluster and to a template of infrastructure machines,
which you create yourself. A pair whose infrastructure provider does not deliver the
format of the operating system is an error.`,
		Example: `  machineadmctl init --os ubuntu --infrastructure AWSMachine
  machineadmctl init --os flatcar --infrastructure VSphereMachine --name workers --output-file workers.yaml`,
		Args: cobra.NoArgs,
	}
	f := c.Flags()
	f.StringVar(&i.system, "os", "", `operating system; "machineadmctl os list" lists them`)
	f.StringVar(&i.infrastructure, "infrastructure", "", "kind of the infrastructure machine, such as AWSMachine")
	f.StringVar(&i.name, "name", "workers", "name of the objects")
	f.StringVar(&i.cluster, "cluster", "demo", "name of the Cluster")
	f.StringVar(&i.version, "kubernetes-version", starterVersion, "Kubernetes version of the machines")
	f.StringVar(&i.file, "output-file", "", "file to write, which must not exist; the standard output by default")
	for _, name := range []string{"os", "infrastructure"} {
		cobra.CheckErr(c.MarkFlagRequired(name))
	}
	completeSystems(c, "os", o, &profileFiles{})
	completeFlag(c, "infrastructure", infrastructure.Kinds()...)
	for _, name := range []string{"name", "cluster", "kubernetes-version"} {
		completeFlag(c, name)
	}
	completeFiles(c, "output-file")
	c.RunE = func(*cobra.Command, []string) error { return i.run(o) }
	return c
}

func (i *initFlags) run(o Options) error {
	profile, known := osprofile.Lookup(i.system)
	if !known {
		return noSuchSystem(i.system, osprofile.Builtin())
	}
	if kinds := infrastructure.Kinds(); !slices.Contains(kinds, i.infrastructure) {
		remedy := "use one of " + alternatives(kinds)
		for _, kind := range kinds {
			if strings.EqualFold(kind, i.infrastructure+"Machine") {
				remedy = "did you mean " + kind + "?"
			}
		}
		return usageError{fmt.Errorf("--infrastructure %s: no such kind; %s", i.infrastructure,
			report.DidYouMean(i.infrastructure, kinds, remedy))}
	}
	if err := i.check(); err != nil {
		return err
	}
	text, err := i.starter(profile)
	if err != nil {
		return err
	}
	if i.file == "" {
		_, err := o.Out.Write(text)
		return err
	}
	return create(i.file, text)
}

// check checks the names and the version, which would otherwise be mistakes in the manifests.
func (i *initFlags) check() error {
	for _, f := range [][2]string{{"name", i.name}, {"cluster", i.cluster}} {
		if len(validation.IsDNS1123Subdomain(f[1])) > 0 || len(validation.IsValidLabelValue(f[1])) > 0 {
			return usageError{fmt.Errorf("--%s %s: write at most 63 lower-case letters, digits, dashes and dots", f[0], f[1])}
		}
	}
	return checkVersion(i.version)
}

// checkVersion checks the value of --kubernetes-version.
func checkVersion(v string) error {
	switch _, valid := node.ParseVersion(v); {
	case !valid:
		return usageError{fmt.Errorf("--kubernetes-version %s: write a version such as %s", v, starterVersion)}
	case !strings.HasPrefix(v, "v"):
		return usageError{fmt.Errorf("--kubernetes-version %[1]s: add a leading v: v%[1]s", v)}
	default:
		return nil
	}
}

// create writes a new file. An existing file is an error.
func create(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists and is not replaced; remove it, or choose another name", name)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
