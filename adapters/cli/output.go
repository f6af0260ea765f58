package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/internal/atomicfile"
)

// secretMode is the mode of output files: userdata contains tokens and keys.
const secretMode = 0o600

// outputFileUsage describes --output-file.
const outputFileUsage = "file to write; the standard output by default"

// output are the flags that select how and where render writes bootstrap data.
type output struct {
	format, file, directory string
	pretty                  bool
}

func (w *output) register(c *cobra.Command) {
	f := c.Flags()
	registerOutput(c, &w.format, "the data", "json", "yaml")
	f.StringVar(&w.file, "output-file", "", outputFileUsage)
	f.StringVar(&w.directory, "all", "", "directory to write the data of all machines to, one file each")
	f.BoolVar(&w.pretty, "pretty", false,
		"print the data for readers: indented, and with decoded and decompressed contents of files")
	completeFiles(c, "output-file")
	cobra.CheckErr(c.MarkFlagDirname("all"))
	c.MarkFlagsMutuallyExclusive("output-file", "all")
	c.MarkFlagsMutuallyExclusive("output", "pretty")
}

func (w *output) check() error {
	if w.directory == "" || w.format == "" && !w.pretty {
		return nil
	}
	return usageError{errors.New("--all writes files as machines read them; remove --output and --pretty")}
}

// save writes the data of a machine.
func (w *output) save(o Options, r result) error {
	data, err := w.encode(r)
	if err != nil {
		return err
	}
	name := w.file
	if w.directory != "" {
		if err := os.MkdirAll(w.directory, 0o700); err != nil {
			return err
		}
		name = filepath.Join(w.directory, filepath.Base(r.machine.Name)+r.payload.FileExtension)
	}
	if name == "" {
		out := o.data
		if w.pretty {
			out = o.Out
		}
		_, err := out.Write(data)
		return err
	}
	return writePrivate(name, data)
}

func (w *output) encode(r result) ([]byte, error) {
	data := r.payload.Data.Reveal()
	if w.pretty {
		return readable(data), nil
	}
	if w.format == "" {
		return data, nil
	}
	var text bytes.Buffer
	err := encode(&text, w.format, r.dataSecret())
	return text.Bytes(), err
}

// dataSecret returns the Secret that the controller would create, without the metadata that only the controller uses.
func (r result) dataSecret() any {
	type metadata struct {
		Name      string            `json:"name"`
		Namespace string            `json:"namespace"`
		Labels    map[string]string `json:"labels,omitempty"`
	}
	secret := struct {
		metav1.TypeMeta `json:",inline"`

		Metadata metadata          `json:"metadata"`
		Type     corev1.SecretType `json:"type"`
		Data     map[string][]byte `json:"data"`
	}{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}, Type: clusterv1.ClusterSecretType,
		Data: map[string][]byte{"value": r.payload.Data.Reveal(), "format": []byte(r.payload.SecretFormat)},
	}
	if m := r.machine; m != nil {
		secret.Metadata = metadata{Name: m.Name, Namespace: m.config.Namespace}
		if m.cluster != "" {
			secret.Metadata.Labels = map[string]string{clusterv1.ClusterNameLabel: m.cluster}
		}
	}
	return secret
}

// writePrivate writes a file that only its owner can read. It replaces an existing file, which others may have open or
// may read. It writes to a file that is not regular, such as a pipe.
func writePrivate(name string, data []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, data, secretMode)
	}
	return atomicfile.Replace(name, data, secretMode)
}
