package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/atomicfile"
)

// secretMode is the mode of output files: userdata contains tokens and keys.
const secretMode = 0o600

func renderCommand(o Options) *cobra.Command {
	var in inputs
	var output, directory string
	c := &cobra.Command{
		Use:   "render -f FILE",
		Short: "Print the bootstrap data of a machine",
		Long: `Reads manifests, such as the output of "clusterctl generate cluster", and prints
the bootstrap data of a machine as the controller would store it in the Secret.
Findings are printed to the standard error.

Certificates and the endpoint are read from the manifests. Placeholders replace
those that are missing, and always the token; findings name them. The output
contains the secrets of the manifests.

--format machineadm prints the machine configuration that the agent reads. The
command also reads such a configuration in place of manifests; --os selects the
operating system then.`,
		Example: `  machineadmctl render -f cluster.yaml --machine worker-0
  clusterctl generate cluster demo --from template.yaml | machineadmctl render -f - --all out/
  machineadmctl render -f cluster.yaml --format machineadm > machineadm_config.yaml
  machineadmctl render -f machineadm_config.yaml --os flatcar`,
		Args: cobra.NoArgs,
	}
	in.register(c, o)
	in.target.register(c)
	c.Flags().StringVarP(&output, "output", "o", "", "file to write; the standard output by default")
	c.Flags().StringVar(&directory, "all", "", "directory to write the data of all machines to, one file each")
	c.MarkFlagsMutuallyExclusive("output", "all")
	c.MarkFlagsMutuallyExclusive("machine", "all")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := in.checkFormat(o); err != nil {
			return err
		}
		data, err := in.configuration(o)
		if err != nil {
			return err
		}
		if data != nil {
			return in.renderConfiguration(c.Context(), o, data, output)
		}
		p, err := in.read(c.Context(), o)
		if err != nil {
			return err
		}
		results, err := in.produce(c.Context(), p, directory != "")
		if err != nil {
			return err
		}
		return p.finish(results, output, directory)
	}
	return c
}

// finish prints the findings, and the data of the machines without errors.
func (p *producer) finish(results []result, output, directory string) error {
	findings := locateAll(results)
	for _, f := range p.manifests.unused() {
		fmt.Fprintf(p.options.Err, "%s: %s\n", f.Severity, f.Message)
	}
	printFindings(p.options.Err, findings)
	for _, r := range results {
		if r.payload.Data.IsZero() {
			continue
		}
		if err := r.save(p.options, output, directory); err != nil {
			return err
		}
	}
	return p.inputs.exitError(findings)
}

func (r result) save(o Options, output, directory string) error {
	if directory != "" {
		if err := os.MkdirAll(directory, 0o700); err != nil {
			return err
		}
		output = filepath.Join(directory, filepath.Base(r.machine.Name)+r.payload.FileExtension)
	}
	data := r.payload.Data.Reveal()
	if output == "" {
		_, err := o.Out.Write(data)
		return err
	}
	return writePrivate(output, data)
}

// writePrivate writes a file that only its owner can read. It replaces an existing file, which others may have open or
// may read. It writes to a file that is not regular, such as a pipe.
func writePrivate(name string, data []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, data, secretMode)
	}
	return atomicfile.Replace(name, data, secretMode)
}
