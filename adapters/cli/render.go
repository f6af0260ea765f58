package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// secretMode is the mode of what is written: userdata holds tokens and keys.
const secretMode = 0o600

func renderCommand(o Options) *cobra.Command {
	var in inputs
	var file, folder string
	c := &cobra.Command{
		Use:   "render -f FILE",
		Short: "Print what the controller would put into the Secret",
		Long: `Reads the manifests that one would hand to kubectl apply, among them the output of "clusterctl generate cluster", and
prints the bootstrap data of a machine, as the controller would put it into the Secret. Findings go to the standard error.

Certificates and endpoint are taken from the manifests. What they do not hold is replaced by stand-ins, which a finding
names; the token is always one. The output holds secrets if the manifests do.

With --format machineadm the machine's configuration is printed, as its agent reads it. Such a configuration is also read, in place of
manifests; it does not tell the operating system, so --os does.`,
		Example: `  machineadmctl render -f cluster.yaml --machine worker-0
  clusterctl generate cluster demo --from template.yaml | machineadmctl render -f - --all out/
  machineadmctl render -f cluster.yaml --format machineadm > machineadm_config.yaml
  machineadmctl render -f machineadm_config.yaml --os flatcar`,
		Args: cobra.NoArgs,
	}
	in.register(c, o)
	in.os.register(c)
	c.Flags().StringVarP(&file, "output", "o", "", "file to write in place of the standard output")
	c.Flags().StringVar(&folder, "all", "", "folder to write the data of every machine to")
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
			return in.renderConfiguration(c.Context(), o, data, file)
		}
		w, err := in.read(o)
		if err != nil {
			return err
		}
		made, err := in.produce(c.Context(), w, folder != "")
		if err != nil {
			return err
		}
		return finish(o, &in, w, made, file, folder)
	}
	return c
}

// finish prints the findings, and the data of the machines that have none that are errors.
func finish(o Options, in *inputs, w *world, made []produced, file, folder string) error {
	findings := all(made)
	for _, n := range w.manifests.ignored() {
		fmt.Fprintf(o.Err, "%s: %s\n", n.Severity, n.Message)
	}
	write(o.Err, findings)
	for _, p := range made {
		if p.payload.Data.IsZero() {
			continue
		}
		if err := p.save(o, file, folder); err != nil {
			return err
		}
	}
	return in.verdict(findings)
}

func (p produced) save(o Options, file, folder string) error {
	if folder != "" {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		file = filepath.Join(folder, filepath.Base(p.machine.name)+p.payload.FileExtension)
	}
	data := p.payload.Data.Reveal()
	if file == "" {
		_, err := o.Out.Write(data)
		return err
	}
	return writePrivate(file, data)
}

// writePrivate writes a file that only its owner reads. A file that is there is replaced: others may have it open, or
// its mode may let them. What is not a regular file, such as a pipe, is written to.
func writePrivate(name string, data []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, data, secretMode)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".machineadmctl-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
