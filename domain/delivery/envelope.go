package delivery

import "strings"

// Compression sets whether userdata is compressed.
type Compression string

// The compressions.
const (
	// CompressionAuto compresses what would not fit otherwise, where it is known to be read. It is the default.
	CompressionAuto Compression = ""
	CompressionNone Compression = "None"
	CompressionGzip Compression = "Gzip"
)

// Encoding sets how userdata is written as text.
type Encoding string

// The encodings.
const (
	EncodingNone   Encoding = ""
	EncodingBase64 Encoding = "Base64"
)

// Part is a text that travels beside the machine's own configuration.
type Part struct {
	// Name is a file name. The consumer names its copy so.
	Name string
	// ContentType selects the consumer's handler of the part.
	ContentType string
	Text        string
}

// The content types of parts. cloud-init runs a shell script last, once, and a boothook first, at every boot.
const (
	ContentShellScript = "text/x-shellscript"
	ContentBootHook    = "text/cloud-boothook"
)

// Envelope is what is laid around a payload: parts first, then compression, then an encoding. The zero Envelope is
// none.
type Envelope struct {
	// Multipart makes a MIME message of the payload and the parts. Parts make it needed.
	Multipart bool
	Parts     []Part
	Gzip      bool
	Base64    bool
}

// IsZero reports whether nothing is laid around the payload.
func (e Envelope) IsZero() bool { return !e.Multipart && len(e.Parts) == 0 && !e.Gzip && !e.Base64 }

// String returns the layers, innermost first, such as mime+gzip; empty for none.
func (e Envelope) String() string {
	var layers []string
	if e.Multipart || len(e.Parts) > 0 {
		layers = append(layers, "mime")
	}
	if e.Gzip {
		layers = append(layers, "gzip")
	}
	if e.Base64 {
		layers = append(layers, "base64")
	}
	return strings.Join(layers, "+")
}

// Options are the user's settings for the delivery of a payload.
type Options struct {
	Compression Compression
	Encoding    Encoding
	Parts       []Part
	// MaxBytes takes the place of the infrastructure's own limit; 0 does not.
	MaxBytes int64
	Mode     Mode
	// Agent sets how the agent is installed. It applies to ModeAgent only.
	Agent Agent
	// Plugins are the agent's plugins that userdata vouches for. They count with ModeAgent alone.
	Plugins []PluginPin
	// Reporting has the machine report; nil does not.
	Reporting *Reporting
	// Storage keeps what the machine fetches at its first boot, behind a stub; none keeps everything in the payload.
	Storage StorageRef
	// Location is where the storage keeps it; nil until the storage has it.
	Location *Location
	// Encryption encrypts what the agent reads; none leaves it in clear text. It counts with ModeAgent alone.
	Encryption Encryption
	// Identity names the machine among all that ever were. Encrypted configuration is bound to it.
	Identity string
	// Template is the user's own userdata around the agent's configuration; if it is nil, the format renders the agent's
	// start. It applies to ModeAgent only.
	Template *Template
	// Include has the stub of cloud-init be an #include, which checks no digest.
	Include bool
}

// Base64Len returns how long n bytes are in base64.
func Base64Len(n int) int { return (n + 2) / 3 * 4 }
