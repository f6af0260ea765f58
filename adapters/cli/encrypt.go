package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// encryption holds the flags of encrypt, decrypt and inspect.
type encryption struct {
	file, output, format, machine, passphraseFile string
	settings                                      delivery.Encryption
	identity                                      bool
}

func (e *encryption) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&e.file, "filename", "f", "", "file or URL with the configuration, or - for the standard input")
	completeFiles(c, "filename")
	cobra.CheckErr(c.MarkFlagRequired("filename"))
}

func (e *encryption) registerSecrets(c *cobra.Command) {
	c.Flags().StringVar(&e.output, "output-file", "", outputFileUsage)
	defer completeFiles(c, "output-file", "passphrase-file")
	c.Flags().StringVar(&e.machine, "machine", "", "name of the machine in its MachineIdentity, such as default/worker-0")
	c.Flags().StringVar(&e.passphraseFile, "passphrase-file", "",
		"file with the passphrase, for the providers file and remote")
}

func (e *encryption) read(ctx context.Context, o Options) ([]byte, error) {
	in, err := readSource(ctx, e.file, o.In)
	return in.data, err
}

func (e *encryption) write(o Options, data []byte) error {
	if e.output != "" {
		return writePrivate(e.output, data)
	}
	_, err := o.data.Write(data)
	return err
}

func (e *encryption) passphrase() (secret.Value, error) {
	if e.passphraseFile == "" {
		return secret.Value{}, nil
	}
	content, err := os.ReadFile(e.passphraseFile)
	return secret.New(indirect.Passphrase(content)), err
}

func encryptCommand(o Options) *cobra.Command {
	var e encryption
	c := &cobra.Command{
		Use: "encrypt -f FILE --machine NAME --provider PROVIDER", Short: "Encrypt a machine configuration for one machine",
		Long: `Reads a machine configuration and prints it as a document of kind
EncryptedConfig. Only the agent of the machine with this name can decrypt it.
--identity prints the MachineIdentity of the machine first, as in userdata.`,
		Example: `  machineadmctl encrypt -f machineadm_config.yaml --machine default/worker-0 --provider file \
    --passphrase-file passphrase --passphrase-uri file:///etc/machineadm/passphrase
  machineadmctl encrypt -f machineadm_config.yaml --machine default/worker-0 --provider aws-kms --key arn:aws:kms:…`,
		Args: cobra.NoArgs,
	}
	e.register(c)
	e.registerSecrets(c)
	f := c.Flags()
	f.StringVar(&e.settings.Provider, "provider", "",
		"file, remote, or the name of a plugin, such as aws-kms, kms-v2 or pkcs11")
	f.StringVar(&e.settings.Key, "key", "", "key of the key management service, for plugins")
	f.StringVar(&e.settings.PassphraseURI, "passphrase-uri", "",
		"URI from which the machine reads the passphrase, for the providers file and remote")
	f.IntVar(&e.settings.Iterations, "iterations", indirect.RecommendedIterations, "iterations of the key derivation")
	f.BoolVar(&e.identity, "identity", false, "print the MachineIdentity first")
	cobra.CheckErr(c.MarkFlagRequired("machine"))
	cobra.CheckErr(c.MarkFlagRequired("provider"))
	c.RunE = func(c *cobra.Command, _ []string) error { return e.encrypt(c, o) }
	return c
}

func (e *encryption) encrypt(c *cobra.Command, o Options) error {
	var err error
	if e.settings.Passphrase, err = e.passphrase(); err != nil {
		return err
	}
	identity := indirect.MachineIdentity{Machine: e.machine, Encryption: e.settings.KeyName()}
	text, err := e.read(c.Context(), o)
	if err != nil {
		return err
	}
	_, found := o.Codec.Decode(c.Context(), text)
	if found = append(append(found, e.settings.Check("")...), identity.Check("")...); found.HasErrors() {
		printReport(o.Err, found)
		return errFindings
	}
	sealed, err := o.Encrypter.Encrypt(c.Context(), secret.New(text), e.machine, e.settings)
	if err != nil {
		return err
	}
	docs := []document.Document{{Value: sealed}}
	if e.identity {
		docs = []document.Document{{Value: identity}, {Value: sealed}}
	}
	out, err := o.Codec.Encode(docs)
	if err != nil {
		return err
	}
	return e.write(o, out)
}

func printReport(w io.Writer, findings report.Report) {
	shown, left := findings.Shown()
	for _, f := range shown {
		fmt.Fprintln(w, f)
	}
	if left > 0 {
		fmt.Fprintln(w, omitted(left))
	}
}

func decryptCommand(o Options) *cobra.Command {
	var e encryption
	c := &cobra.Command{
		Use: "decrypt -f FILE", Short: "Decrypt a machine configuration, as the agent does",
		Long: `Decrypts the documents of kind EncryptedConfig in a machine configuration and
prints their contents as one configuration of at most 16 MiB. The machine is
that of --machine, or of the MachineIdentity in the configuration. The output
contains secrets.`,
		Example: `  machineadmctl decrypt -f encrypted.yaml --passphrase-file passphrase
  machineadmctl decrypt -f encrypted.yaml --machine default/worker-0 --output-file plain.yaml`,
		Args: cobra.NoArgs,
	}
	e.register(c)
	e.registerSecrets(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return e.decrypt(c, o) }
	return c
}

// documents returns the encrypted documents of the file. It sets the machine to that of the MachineIdentity, unless
// --machine is set.
func (e *encryption) documents(ctx context.Context, o Options) ([]indirect.EncryptedConfig, error) {
	text, err := e.read(ctx, o)
	if err != nil {
		return nil, err
	}
	docs, found := o.Codec.Decode(ctx, text)
	for _, d := range docs {
		found = append(found, d.Check()...)
		if identity, ok := d.Value.(indirect.MachineIdentity); ok && e.machine == "" {
			e.machine = identity.Machine
		}
	}
	encrypted := document.Select[indirect.EncryptedConfig](docs)
	if found.HasErrors() {
		printReport(o.Err, found)
		return nil, errFindings
	}
	if len(encrypted) == 0 {
		return nil, errors.New("the configuration contains no EncryptedConfig")
	}
	return encrypted, nil
}

func (e *encryption) decrypt(c *cobra.Command, o Options) error {
	encrypted, err := e.documents(c.Context(), o)
	if err != nil {
		return err
	}
	if e.machine == "" {
		return usageError{errors.New("--machine is required: the configuration contains no MachineIdentity")}
	}
	phrase, err := e.passphrase()
	if err != nil {
		return err
	}
	var out []byte
	for _, d := range encrypted {
		text, err := o.Decrypter(phrase).Decrypt(c.Context(), d, e.machine)
		if err == nil {
			text, err = indirect.Uncompressed(text, int(budget.Default().Content)-len(out))
		}
		if err == nil {
			out, err = appendDocuments(c.Context(), out, text, o)
		}
		if err != nil {
			return err
		}
	}
	return e.write(o, out)
}

// appendDocuments appends the documents of text to those of a configuration. A single text is not changed.
func appendDocuments(ctx context.Context, before, text []byte, o Options) ([]byte, error) {
	if len(before) == 0 {
		return text, nil
	}
	if !bytes.HasSuffix(before, []byte("\n")) {
		var err error
		if before, err = withNewline(ctx, before, o); err != nil {
			return nil, err
		}
	}
	separator := "---\n"
	if bytes.HasPrefix(text, []byte("%")) {
		// A directive precedes the start of its document (YAML 1.2.2, section 9.2).
		separator = "...\n"
	}
	return append(append(before, separator...), text...), nil
}

// withNewline returns the configuration with a final newline. It encodes the documents again, because an appended
// newline would become part of a last value that is a block.
func withNewline(ctx context.Context, text []byte, o Options) ([]byte, error) {
	docs, found := o.Codec.Decode(ctx, text)
	if found.HasErrors() {
		return append(text, '\n'), nil
	}
	return o.Codec.Encode(docs)
}

func inspectCommand(o Options) *cobra.Command {
	var e encryption
	c := &cobra.Command{
		Use: "inspect -f FILE", Short: "Print how a machine configuration is encrypted, without decrypting it",
		Example: `  machineadmctl inspect -f encrypted.yaml
  machineadmctl inspect -f encrypted.yaml -o json`,
		Args: cobra.NoArgs,
	}
	e.register(c)
	registerOutput(c, &e.format, "text", "json", "yaml")
	c.RunE = func(c *cobra.Command, _ []string) error { return e.inspect(c.Context(), o) }
	return c
}

// inspected is an encrypted document in the output of inspect.
type inspected struct {
	Machine         string `json:"machine,omitempty"`
	Provider        string `json:"provider"`
	Key             string `json:"key"`
	Cipher          string `json:"cipher"`
	KeyDerivation   string `json:"keyDerivation"`
	Digest          string `json:"digest"`
	Iterations      int    `json:"iterations"`
	SaltBytes       int    `json:"saltBytes"`
	CiphertextBytes int    `json:"ciphertextBytes"`
}

func (e *encryption) inspect(ctx context.Context, o Options) error {
	encrypted, err := e.documents(ctx, o)
	if err != nil {
		return err
	}
	list := make([]inspected, len(encrypted))
	for i, c := range encrypted {
		list[i] = inspected{
			e.machine, c.Provider, indirect.KeyOf(c.PassphraseURI), c.CipherAlgorithm,
			c.KeyDerivationAlgorithm, c.DigestAlgorithm, c.Iterations, len(c.Salt),
			len(c.Ciphertext) - indirect.TagBytes,
		}
	}
	if e.format != "" {
		return encode(o.Out, e.format, list)
	}
	t := terminal.NewTable(o.Out, 0, 2)
	if e.machine != "" {
		t.Row("machine", e.machine)
	}
	for _, d := range list {
		t.Row("provider", d.Provider)
		t.Row("key", d.Key)
		t.Row("cipher", d.Cipher)
		t.Row("derivation", fmt.Sprintf("%s, %s, %d iterations, %d bytes of salt", d.KeyDerivation, d.Digest, d.Iterations,
			d.SaltBytes))
		t.Row("ciphertext", fmt.Sprintf("%d bytes", d.CiphertextBytes))
	}
	return t.Flush()
}
