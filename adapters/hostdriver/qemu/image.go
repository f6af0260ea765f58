//go:build linux

package qemu

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// The formats of images, by the names of qemu-img.
const (
	formatRaw   = "raw"
	formatQCOW2 = "qcow2"
)

// image is an image whose digest was verified.
type image struct {
	// path is absolute.
	path, format string
	// size is the size of the disk in bytes.
	size int64
}

// digests are the digests of images. A digest is computed once for each version of a file.
type digests struct {
	lock  sync.Mutex
	known map[string]*digest
}

// digest is the digest of a file at a path. The channel is closed when it is computed.
type digest struct {
	file     os.FileInfo
	computed chan struct{}
	sum      string
	err      error
}

// openImage returns the image of the machine. If the digest of a large image cannot be computed before the context
// ends, the fault is FaultBusy and a later call returns the result.
func (d *Driver) openImage(ctx context.Context, base *place.Directory, target ports.HostTarget) (image, error) {
	if target.Machine == nil {
		return image{}, place.Fault(host.FaultImage)
	}
	name, err := place.CheckPath("spec.virtualMachine.image.path", target.Machine.Image)
	if err != nil {
		return image{}, err
	}
	f, err := base.Open(name)
	if err != nil {
		return image{}, imageFault(err)
	}
	sum, err := d.digests.of(ctx, name, f)
	if err != nil {
		return image{}, err
	}
	if sum != target.Machine.ImageSHA256 {
		return image{}, imageFault(fmt.Errorf("spec.virtualMachine.image: sha256 mismatch: got %s, want %s", sum,
			target.Machine.ImageSHA256))
	}
	i, err := inspect(base, name)
	if err != nil {
		return image{}, imageFault(err)
	}
	i.path = filepath.Join(base.Path, name)
	if size := diskBytes(target.Machine); size != 0 && size < i.size {
		return image{}, imageFault(fmt.Errorf("spec.virtualMachine.diskGiB: the image needs %d bytes; use a larger disk",
			i.size))
	}
	return i, nil
}

func imageFault(err error) error { return &ports.HostError{Fault: host.FaultImage, Err: err} }

func diskBytes(m *ports.HostMachineSettings) int64 { return int64(m.DiskGiB) << 30 }

// of returns the digest of the file, and closes the file.
func (d *digests) of(ctx context.Context, name string, f *os.File) (string, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("spec.virtualMachine.image.path: %s is not a file", name)
	}
	if err != nil {
		return "", errors.Join(imageFault(err), f.Close())
	}
	current := d.start(name, info, f)
	select {
	case <-current.computed:
	case <-ctx.Done():
		return "", &ports.HostError{Fault: host.FaultBusy, Err: fmt.Errorf("the digest of %s is being computed", name)}
	}
	if current.err != nil {
		d.forget(name, current)
		return "", current.err
	}
	return current.sum, nil
}

// start returns the digest of the file at the path. It computes the digest unless it knows that of the same version.
func (d *digests) start(name string, info os.FileInfo, f *os.File) *digest {
	d.lock.Lock()
	defer d.lock.Unlock()
	if known := d.known[name]; known != nil && sameVersion(known.file, info) {
		_ = f.Close()
		return known
	}
	created := &digest{file: info, computed: make(chan struct{})}
	if d.known == nil {
		d.known = map[string]*digest{}
	}
	d.known[name] = created
	go func() {
		defer close(created.computed)
		defer func() { _ = f.Close() }()
		hash := sha256.New()
		if _, err := io.Copy(hash, f); err != nil {
			created.err = err
		}
		created.sum = hex.EncodeToString(hash.Sum(nil))
	}()
	return created
}

func (d *digests) forget(name string, failed *digest) {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.known[name] == failed {
		delete(d.known, name)
	}
}

func sameVersion(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// The header of a qcow2 image, as in docs/interop/qcow2.txt of QEMU.
const (
	qcow2Magic       = "QFI\xfb"
	qcow2Header      = 80
	qcow2ExternalBit = 1 << 2
)

// inspect returns the format and the size of the image. An image that refers to other files is invalid: their digests
// are not verified, and they may be any files of this host.
func inspect(base *place.Directory, name string) (image, error) {
	f, err := base.Open(name)
	if err != nil {
		return image{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return image{}, err
	}
	header := make([]byte, qcow2Header)
	if _, err := io.ReadFull(f, header); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return image{}, err
	}
	if string(header[:len(qcow2Magic)]) != qcow2Magic {
		return image{format: formatRaw, size: info.Size()}, nil
	}
	version := binary.BigEndian.Uint32(header[4:])
	backing := binary.BigEndian.Uint64(header[8:])
	external := version >= 3 && binary.BigEndian.Uint64(header[72:])&qcow2ExternalBit != 0
	if backing != 0 || external {
		return image{}, errors.New("spec.virtualMachine.image: the image refers to another file; " +
			"convert it with qemu-img convert")
	}
	return image{format: formatQCOW2, size: int64(binary.BigEndian.Uint64(header[24:]))}, nil
}
