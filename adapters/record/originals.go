package record

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/machineadm/machineadm/adapters/internal/atomicfile"
)

const (
	// maxOriginals limits the copies of all originals together, in bytes.
	maxOriginals = 8 << 30
	// incomplete is the name of a copy until it is complete.
	incomplete = ".new"
	// copied is how many bytes are copied before the context is checked again.
	copied = 4 << 20
)

// Originals is a directory of copies of files, which only root can read. It implements ports.Originals.
type Originals struct {
	dir   string
	mutex sync.Mutex
	// root is the directory to which this process saved copies. A step may mount another file system over its path.
	root *os.Root
}

// Save stores a copy under its SHA-256. It fails if the copies together would exceed 8 GiB.
func (o *Originals) Save(ctx context.Context, content io.Reader) (string, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if err := o.open(); err != nil {
		return "", err
	}
	used, err := o.used()
	if err != nil {
		return "", err
	}
	return o.save(ctx, content, maxOriginals-used)
}

// open creates the directory, unless this process has done so.
func (o *Originals) open() error {
	if o.root != nil {
		return nil
	}
	err := errors.Join(restrict(filepath.Dir(o.dir)), restrict(o.dir))
	if err == nil {
		o.root, err = os.OpenRoot(o.dir)
	}
	return err
}

// used returns the size of all copies, in bytes.
func (o *Originals) used() (int64, error) {
	entries, err := fs.ReadDir(o.root.FS(), ".")
	if err != nil {
		return 0, err
	}
	var sum int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return 0, err
		}
		if e.Name() != incomplete {
			sum += info.Size()
		}
	}
	return sum, nil
}

func (o *Originals) save(ctx context.Context, content io.Reader, limit int64) (digest string, err error) {
	err = atomicfile.Write(o.root, incomplete, private, func(f io.Writer) (string, error) {
		sum := sha256.New()
		err := copyAll(ctx, io.MultiWriter(f, sum), content, limit)
		digest = hex.EncodeToString(sum.Sum(nil))
		return digest, err
	})
	return digest, err
}

// copyAll copies until the end of the source, or until the context ends.
func copyAll(ctx context.Context, to io.Writer, from io.Reader, limit int64) error {
	for all := int64(0); ctx.Err() == nil; {
		n, err := io.CopyN(to, from, copied)
		if all += n; all > limit {
			return fmt.Errorf("the originals of the files that are replaced exceed %d bytes; "+
				"remove large files that are not needed", int64(maxOriginals))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// Open returns the copy with the SHA-256. The last read fails if the digest of the content differs.
func (o *Originals) Open(_ context.Context, digest string) (io.ReadCloser, error) {
	f, err := os.OpenInRoot(o.dir, digest)
	if err != nil {
		return nil, err
	}
	return &verified{file: f, sum: sha256.New(), want: digest}, nil
}

// verified is a copy whose digest is checked at its end.
type verified struct {
	file *os.File
	sum  hash.Hash
	want string
}

// Read implements io.Reader. It fails at the end of the file if the digest differs.
func (v *verified) Read(p []byte) (int, error) {
	n, err := v.file.Read(p)
	_, _ = v.sum.Write(p[:n])
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	if got := hex.EncodeToString(v.sum.Sum(nil)); got != v.want {
		return n, fmt.Errorf("%s: sha256 mismatch: got %s, want %s", v.file.Name(), got, v.want)
	}
	return n, io.EOF
}

// Close closes the file.
func (v *verified) Close() error { return v.file.Close() }

// move copies to the directory what this process saved before another file system was mounted over its path.
func (o *Originals) move(ctx context.Context) error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.root == nil {
		return nil
	}
	held, err := o.root.Stat(".")
	if err != nil {
		return err
	}
	if now, err := os.Stat(o.dir); err == nil && os.SameFile(held, now) {
		return nil
	}
	before := o.root
	o.root = nil
	return errors.Join(o.copyFrom(ctx, before), before.Close())
}

func (o *Originals) copyFrom(ctx context.Context, before *os.Root) error {
	if err := o.open(); err != nil {
		return err
	}
	entries, err := fs.ReadDir(before.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		f, err := before.Open(e.Name())
		if err != nil {
			return err
		}
		_, err = o.save(ctx, f, maxOriginals)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// clear removes the directory.
func (o *Originals) clear() error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	var closed error
	if o.root != nil {
		closed = o.root.Close()
		o.root = nil
	}
	return errors.Join(closed, os.RemoveAll(o.dir))
}
