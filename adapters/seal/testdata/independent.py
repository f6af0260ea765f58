"""Encrypts or decrypts configuration by docs/encryption.md, independently of machineadm's own code.

Reads {"do": "open" or "seal", "machine", "passphrase", "text", "spec"} as JSON. Writes the text, or the spec as JSON.
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
    nonce = os.urandom(12)
    spec = dict(
        spec, salt=base64.b64encode(os.urandom(16)).decode(), iv=base64.b64encode(nonce).decode(),
        cipherAlgorithm="aes-256-gcm", digestAlgorithm="sha-512", keyDerivationAlgorithm="pbkdf2",
    )
    sealed = cipher(spec, passphrase).encrypt(nonce, text.encode(), associated_data(spec, machine))
    return dict(spec, ciphertext=base64.b64encode(sealed).decode())


def main():
    request = json.load(sys.stdin)
    spec, machine, passphrase = request["spec"], request["machine"], request["passphrase"]
    if request["do"] == "seal":
        json.dump(seal(spec, request["text"], passphrase, machine), sys.stdout)
        return
    text = cipher(spec, passphrase).decrypt(
        base64.b64decode(spec["iv"]), base64.b64decode(spec["ciphertext"]), associated_data(spec, machine),
    )
    sys.stdout.buffer.write(text)


main()
