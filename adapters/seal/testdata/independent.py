"""Opens or seals encrypted configuration as docs/encryption.md describes it, and knows nothing of machineadm's own code.

Reads {"do": "open" or "seal", "machine", "passphrase", "text" or the fields of the spec} as JSON, and writes the text or the fields.
"""

import base64
import json
import os
import struct
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC


def associated_data(spec, machine):
    fields = [
        b"machineadm.io/v1alpha1 EncryptedConfig",
        machine.encode(),
        spec["provider"].encode(),
        spec["passphraseURI"].encode(),
        spec["cipherAlgorithm"].encode(),
        spec["digestAlgorithm"].encode(),
        spec["keyDerivationAlgorithm"].encode(),
        str(int(spec["iterations"])).encode(),
        base64.b64decode(spec["salt"], validate=True),
    ]
    return b"".join(struct.pack(">I", len(f)) + f for f in fields)


def cipher(spec, passphrase):
    salt = base64.b64decode(spec["salt"], validate=True)
    derivation = PBKDF2HMAC(algorithm=SHA512(), length=32, salt=salt, iterations=int(spec["iterations"]))
    return AESGCM(derivation.derive(passphrase.encode()))


def seal(spec, text, passphrase, machine):
    iv = os.urandom(12)
    spec = dict(
        spec, salt=base64.b64encode(os.urandom(16)).decode(), iv=base64.b64encode(iv).decode(),
        cipherAlgorithm="aes-256-gcm", digestAlgorithm="sha-512", keyDerivationAlgorithm="pbkdf2",
    )
    sealed = cipher(spec, passphrase).encrypt(iv, text.encode(), associated_data(spec, machine))
    return dict(spec, ciphertext=base64.b64encode(sealed).decode())


def main():
    asked = json.load(sys.stdin)
    spec, machine, passphrase = asked["spec"], asked["machine"], asked["passphrase"]
    if asked["do"] == "seal":
        json.dump(seal(spec, asked["text"], passphrase, machine), sys.stdout)
        return
    text = cipher(spec, passphrase).decrypt(
        base64.b64decode(spec["iv"]), base64.b64decode(spec["ciphertext"]), associated_data(spec, machine),
    )
    sys.stdout.buffer.write(text)


main()
