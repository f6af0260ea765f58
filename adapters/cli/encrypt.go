package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// encryption holds the flags of encrypting and decrypting.
type encryption struct {
	file, output, machine, passphraseFile string
	with                                  delivery.Encryption
	identity                              bool
}

func (e *encryption) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&e.file, "filename", "f", "", "file with the configuration, - for the standard input")
	f.StringVarP(&e.output, "output", "o", "", "file to write in place of the standard output")
	cobra.CheckErr(c.MarkFlagRequired("filename"))
}

func (e *encryption) registerSecrets(c *cobra.Command) {
	c.Flags().StringVar(&e.machine, "machine", "", "the machine's name, as its MachineIdentity has it")
	c.Flags().StringVar(&e.passphraseFile, "passphrase-file", "",
		"file with the passphrase, for the providers file and remote")
}

func (e *encryption) read(o Options) ([]byte, error) {
	if e.file == "-" {
		return io.ReadAll(o.In)
	}
	return os.ReadFile(e.file)
}

func (e *encryption) write(o Options, data []byte) error {
	if e.output != "" {
		return writePrivate(e.output, data)
	}
	_, err := o.Out.Write(data)
	return err
}

func (e *encryption) passphrase() (secret.Value, error) {
	if e.passphraseFile == "" {
		return secret.Value{}, nil
	}
	held, err := os.ReadFile(e.passphraseFile)
	return secret.New(indirect.Passphrase(held)), err
}

func encryptCommand(o Options) *cobra.Command {
	var e encryption
	c := &cobra.Command{
		Use: "encrypt -f FILE --machine NAME --provider PROVIDER", Short: "Encrypt a machine configuration for one machine",
		Long: `Reads a machine configuration and prints it as a document of the kind EncryptedConfig, which the agent of the machine of that name
decrypts and no other. With --identity the machine's MachineIdentity goes before it, as userdata has it.`,
		Example: `  machineadmctl encrypt -f machineadm_config.yaml --machine default/worker-0 --provider file \
    --passphrase-file passphrase --passphrase-uri file:///etc/machineadm/passphrase
  machineadmctl encrypt -f machineadm_config.yaml --machine default/worker-0 --provider aws-kms --key arn:aws:kms:…`,
		Args: cobra.NoArgs,
	}
	e.register(c)
	e.registerSecrets(c)
	f := c.Flags()
	f.StringVar(&e.with.Provider, "provider", "", "file, remote, or one with a plugin, such as aws-kms, kms-v2 or pkcs11")
	f.StringVar(&e.with.Key, "key", "", "name of the key, for providers with a key management service")
	f.StringVar(&e.with.PassphraseURI, "passphrase-uri", "",
		"where the machine finds the passphrase, for the providers file and remote")
	f.IntVar(&e.with.Iterations, "iterations", indirect.RecommendedIterations, "rounds of key derivation")
	f.BoolVar(&e.identity, "identity", false, "print the machine's identity before it")
	cobra.CheckErr(c.MarkFlagRequired("machine"))
	cobra.CheckErr(c.MarkFlagRequired("provider"))
	c.RunE = func(c *cobra.Command, _ []string) error { return e.encrypt(c, o) }
	return c
}

func (e *encryption) encrypt(c *cobra.Command, o Options) error {
	var err error
	if e.with.Passphrase, err = e.passphrase(); err != nil {
		return err
	}
	identity := indirect.MachineIdentity{Machine: e.machine, Encryption: e.with.KeyName()}
	text, err := e.read(o)
	if err != nil {
		return err
	}
	_, found := o.Codec.Decode(c.Context(), text)
	if found = append(append(found, e.with.Check("")...), identity.Check("")...); found.HasErrors() {
		writeFindings(o.Err, found)
		return errFindings
	}
	sealed, err := o.Encrypter.Encrypt(c.Context(), secret.New(text), e.machine, e.with)
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

func writeFindings(w io.Writer, findings report.Report) {
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
		Use: "decrypt -f FILE", Short: "Decrypt a machine configuration, as the agent of its machine would",
		Long: `Prints what the documents of the kind EncryptedConfig in a machine configuration stand for. The machine is that of the configuration's
MachineIdentity, or of --machine. What several of them stand for is printed as documents of one configuration, of 16 MiB at most, as the agent
reads them. The output holds secrets.`,
		Args: cobra.NoArgs,
	}
	e.register(c)
	e.registerSecrets(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return e.decrypt(c, o) }
	return c
}

// documents returns the encrypted documents of the file, and the machine that they are for.
func (e *encryption) documents(ctx context.Context, o Options) ([]indirect.EncryptedConfig, error) {
	text, err := e.read(o)
	if err != nil {
		return nil, err
	}
	docs, found := o.Codec.Decode(ctx, text)
	for _, d := range docs {
		found = append(found, d.Check()...)
		if identity, is := d.Value.(indirect.MachineIdentity); is && e.machine == "" {
			e.machine = identity.Machine
		}
	}
	encrypted := document.Select[indirect.EncryptedConfig](docs)
	if found.HasErrors() {
		writeFindings(o.Err, found)
		return nil, errFindings
	}
	if len(encrypted) == 0 {
		return nil, errors.New("there is no EncryptedConfig in it")
	}
	return encrypted, nil
}

func (e *encryption) decrypt(c *cobra.Command, o Options) error {
	encrypted, err := e.documents(c.Context(), o)
	if err != nil {
		return err
	}
	if e.machine == "" {
		return usageError{errors.New("--machine is required: there is no MachineIdentity in it")}
	}
	phrase, err := e.passphrase()
	if err != nil {
		return err
	}
	var out []byte
	for _, d := range encrypted {
		text, err := o.Decrypter(phrase).Unwrap(c.Context(), d, e.machine)
		if err == nil {
			text, err = indirect.Uncompressed(text, int(budget.Default().Content)-len(out))
		}
		if err == nil {
			out, err = follow(c.Context(), out, text, o)
		}
		if err != nil {
			return err
		}
	}
	return e.write(o, out)
}

// follow returns the configuration and after it the text, whose documents are others. One text alone is as it was.
func follow(ctx context.Context, before, text []byte, o Options) ([]byte, error) {
	if len(before) == 0 {
		return text, nil
	}
	if !bytes.HasSuffix(before, []byte("\n")) {
		var err error
		if before, err = ended(ctx, before, o); err != nil {
			return nil, err
		}
	}
	separator := "---\n"
	if bytes.HasPrefix(text, []byte("%")) {
		// A directive stands before the beginning of its document (YAML 1.2.2, section 9.2).
		separator = "...\n"
	}
	return append(append(before, separator...), text...), nil
}

// ended returns the configuration with a line end. It is written anew, since a line end would belong to a last value
// that is a block.
func ended(ctx context.Context, text []byte, o Options) ([]byte, error) {
	docs, found := o.Codec.Decode(ctx, text)
	if found.HasErrors() {
		return append(text, '\n'), nil
	}
	return o.Codec.Encode(docs)
}

func inspectCommand(o Options) *cobra.Command {
	var e encryption
	c := &cobra.Command{
		Use: "inspect -f FILE", Short: "Tell how a machine configuration is encrypted, without decrypting it",
		Args: cobra.NoArgs,
	}
	e.register(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return e.inspect(c.Context(), o) }
	return c
}

func (e *encryption) inspect(ctx context.Context, o Options) error {
	encrypted, err := e.documents(ctx, o)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(o.Out, 0, 0, 2, ' ', 0)
	if e.machine != "" {
		fmt.Fprintf(w, "machine\t%s\n", e.machine)
	}
	for _, c := range encrypted {
		fmt.Fprintf(w, "provider\t%s\nkey\t%s\ncipher\t%s\nderivation\t%s, %s, %d rounds, a salt of %d "+
			"bytes\nciphertext\t%d bytes\n",
			c.Provider, indirect.KeyOf(c.PassphraseURI), c.CipherAlgorithm, c.KeyDerivationAlgorithm, c.DigestAlgorithm,
			c.Iterations, len(c.Salt),
			len(c.Ciphertext)-indirect.TagBytes)
	}
	return w.Flush()
}

// Decrypter returns what decrypts with the passphrase, or if it is empty with what the documents' providers have.
type Decrypter func(passphrase secret.Value) ports.Unwrapper
