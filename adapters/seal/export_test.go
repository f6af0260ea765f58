package seal

// The parts for the published vectors.
var (
	Derive   = derive
	AEAD     = aead
	OpenWith = openWith
)
