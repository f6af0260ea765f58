package seal_test

import (
	"encoding/hex"
	"testing"

	"github.com/machineadm/machineadm/adapters/seal"
)

// TestPBKDF2Vectors holds the derivation against vectors with the inputs of RFC 6070 for HMAC-SHA-512.
func TestPBKDF2Vectors(t *testing.T) {
	cases := map[string]struct {
		reason, passphrase, salt, want string
		iterations                     int
	}{
		"1": {
			"one round", "password", "salt",
			"867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252c02d470a285a0501bad999bfe943c08f050235d7d68b1da5" +
				"5e63f73b60a57fce", 1,
		},
		"2": {
			"rounds are combined", "password", "salt",
			"e1d9c16aa681708a45f5c7c4e215ceb66e011a2e9f0040713f18aefdb866d53cf76cab2868a39b9f7840edce4fef5a82be67335c77a6068e" +
				"04112754f27ccf4e", 2,
		},
		"4096": {
			"many", "password", "salt",
			"d197b1b33db0143e018b12f3d1d1479e6cdebdcc97c5c0f87f6902e072f457b5143f30602641b3d55cd335988cb36b84376060ecd532e039" +
				"b742a239434af2d5", 4096,
		},
		"long": {
			"longer inputs", "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt",
			"8c0511f4c6e597c6ac6315d8f0362e225f3c501495ba23b868c005174dc4ee71115b59f9e60cd9532fa33e0f75aefe30225c583a186cd82b" +
				"d4daea9724a3d3b8", 4096,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := seal.Derive([]byte(c.passphrase), []byte(c.salt), c.iterations, 64)
			if hex.EncodeToString(got) != c.want || err != nil {
				t.Errorf("%s: got %x, %v", c.reason, got, err)
			}
		})
	}
}

// TestGCMVectors holds the cipher against test cases 13, 14 and 16 of "The Galois/Counter Mode of Operation" by McGrew
// and Viega, to which NIST's own vectors go back. What is opened is the vector, the ciphertext and the tag, in this
// order.
func TestGCMVectors(t *testing.T) {
	const zeros = "00000000000000000000000000000000"
	cases := map[string]struct{ key, iv, aad, text, ciphertext, tag string }{
		"13": {key: zeros + zeros, iv: zeros[:24], tag: "530f8afbc74536b9a963b4f1c4cb738b"},
		"14": {
			key: zeros + zeros, iv: zeros[:24], text: zeros, ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
			tag: "d0d1c8a799996bf0265b98b5d48ab919",
		},
		"16": {
			key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", iv: "cafebabefacedbaddecaf888",
			aad: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
			text: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16a" +
				"edf5aa0de657ba637b39",
			ciphertext: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f6" +
				"1e6393ba7a0abcc9f662",
			tag: "76fc6ece0f4e1768cddf8853bb2d551b",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			aead, err := seal.AEAD(bytesOf(t, c.key))
			if err != nil {
				t.Fatal(err)
			}
			text, err := aead.Open(nil, nil, bytesOf(t, c.iv+c.ciphertext+c.tag), bytesOf(t, c.aad))
			if hex.EncodeToString(text) != c.text || err != nil {
				t.Errorf("got %x, %v", text, err)
			}
			if _, err := aead.Open(nil, nil, bytesOf(t, c.iv+c.ciphertext+c.tag), bytesOf(t, c.aad+"00")); err == nil {
				t.Error("other associated data are taken")
			}
		})
	}
}

func bytesOf(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
