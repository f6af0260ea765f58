package delivery

import "strings"

// Compression sets whether userdata is compressed.
type Compression string

// The compressions.
const (
	// CompressionAuto compresses userdata that exceeds the size limit, if the consumer is known to decompress it. It is
	// the default.
	CompressionAuto Compression = ""
	CompressionNone Compression = "None"
	CompressionGzip Compression = "Gzip"
)

// Encoding sets how userdata is encoded as text.
type Encoding string

// The encodings.
const (
	EncodingNone   Encoding = ""
	EncodingBase64 Encoding = "Base64"
	// EncodingEC2Launch writes a PowerShell script that EC2Launch runs, instead of cloudbase-init, into the element that
	// EC2Launch looks for. Source: EC2 user guide, "How Amazon EC2 handles user data for Windows instances".
	EncodingEC2Launch Encoding = "EC2Launch"
)

// Part is an additional part of a MIME message, beside the machine's configuration.
type Part struct {
	// Name is the file name of the part, which the consumer uses for its copy.
	Name string
	// ContentType selects the consumer's handler of the part.
	ContentType string
	Text        string
}

// The content types of parts. cloud-init runs a shell script once, at the end of the first boot, and a boothook early
// at every boot.
const (
	ContentShellScript = "text/x-shellscript"
	ContentBootHook    = "text/cloud-boothook"
)

// Envelope contains the layers around a payload, innermost first: a MIME message, gzip, base64. The zero Envelope means
// no layer.
type Envelope struct {
	// Multipart wraps the payload and Parts in a MIME message. It is implied by Parts.
	Multipart bool
	Parts     []Part
	Gzip      bool
	Base64    bool
	// EC2Launch is the element powershell around a script. It excludes all other layers.
	EC2Launch bool
}

// IsZero reports whether the envelope has no layer.
func (e Envelope) IsZero() bool {
	return !e.Multipart && len(e.Parts) == 0 && !e.Gzip && !e.Base64 && !e.EC2Launch
}

// String returns the names of the layers, innermost first, such as mime+gzip, or empty without layers.
func (e Envelope) String() string {
	var layers []string
	if e.Multipart || len(e.Parts) > 0 {
		layers = append(layers, "mime")
	}
	if e.EC2Launch {
		layers = append(layers, "powershell")
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
	// MaxBytes replaces the size limit of the infrastructure; 0 does not.
	MaxBytes int64
	Mode     Mode
	// Agent sets how the agent is installed. It applies to ModeAgent only.
	Agent Agent
	// Plugins contains the digests of agent plugins. It applies to ModeAgent only.
	Plugins []PluginPin
	// Reporting configures the machine to report its bootstrap; nil means that it does not report.
	Reporting *Reporting
	// Storage names the storage for the configuration. The payload is then a stub that fetches it. If Storage is zero,
	// the payload contains the whole configuration.
	Storage StorageRef
	// Location is the location of the stored configuration; nil until the storage contains it.
	Location *Location
	// Encryption configures the encryption of the agent's configuration. It applies to ModeAgent only. Default: no
	// encryption.
	Encryption Encryption
	// Identity identifies the machine uniquely, also among machines that no longer exist. Encrypted configuration is
	// bound to it.
	Identity string
	// Template is userdata of the user with a placeholder for the agent's configuration. If it is nil, the renderer
	// creates the userdata. It applies to ModeAgent only.
	Template *Template
	// Metadata is added to the data Secret.
	Metadata Metadata
	// Include makes the stub of cloud-init an #include, which does not verify a digest.
	Include bool
}

// Base64Len returns the length of n bytes in base64 with padding.
func Base64Len(n int) int { return (n + 2) / 3 * 4 }
