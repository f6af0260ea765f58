// Command dist writes everything of a release to a folder, without a network and a container engine. The same commit
// and the same Go version produce the same bytes, except the signatures.
//
//	dist [flags] VERSION OUT
//
// SOURCE_DATE_EPOCH is the time in archives and SBOMs. By default it is the time of the commit. Run it in the root
// directory of the tree.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// everywhere are the platforms of the command line tool and of the agent.
const everywhere = "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Getenv("SOURCE_DATE_EPOCH"))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// release is what a run writes.
type release struct {
	// version is such as v0.1.0, and out is the absolute path of the folder.
	version, out string
	// image is the name of the controller's image, and key is the path of the private key. Both may be empty.
	image, key string
	platforms  []string
	skipImage  bool
	// fips selects the variant with the Go Cryptographic Module.
	fips    bool
	created time.Time
}

func run(ctx context.Context, args []string, epoch string) error {
	r, err := parse(args)
	if err != nil {
		return err
	}
	if _, err := r.command(ctx, nil, "hack/version.sh", r.version); err != nil {
		return err
	}
	if r.created, err = r.time(ctx, epoch); err != nil {
		return err
	}
	if files, err := os.ReadDir(r.out); err == nil && len(files) > 0 {
		return fmt.Errorf("%s is not empty; delete it, or choose another folder", r.out)
	}
	return r.write(ctx)
}

func parse(args []string) (r release, err error) {
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	flags.StringVar(&r.image, "image", "", "name of the controller's image in your registry")
	flags.StringVar(&r.key, "key", "", "file with the private key, in PEM, that signs the checksums")
	platforms := flags.String("platforms", everywhere, "platforms of the programs; none writes only manifests")
	flags.BoolVar(&r.skipImage, "skip-image", false, "write no image, and refer to it by its tag")
	flags.BoolVar(&r.fips, "fips", false, "write the variant with the Go Cryptographic Module "+fipsModule)
	if err := flags.Parse(args); err != nil {
		return r, err
	}
	if flags.NArg() != 2 {
		return r, errors.New("usage: dist [flags] VERSION OUT")
	}
	r.platforms = strings.Fields(*platforms)
	for _, p := range r.platforms {
		if !slices.Contains(strings.Fields(everywhere), p) {
			return r, fmt.Errorf("-platforms: %q is not supported; use some of %s", p, everywhere)
		}
	}
	r.version = flags.Arg(0)
	r.out, err = filepath.Abs(flags.Arg(1))
	return r, err
}

// time returns the time of SOURCE_DATE_EPOCH, or else of the commit.
func (r release) time(ctx context.Context, epoch string) (time.Time, error) {
	if epoch == "" {
		out, err := r.command(ctx, nil, "git", "log", "-1", "--format=%ct")
		if err != nil {
			return time.Time{}, fmt.Errorf("%w\nset SOURCE_DATE_EPOCH if this is not a git repository", err)
		}
		epoch = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil || seconds < 0 {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %q is not a number of seconds since 1970", epoch)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// write writes the parts in the order in which they need each other.
func (r release) write(ctx context.Context) error {
	steps := []func(context.Context) error{
		r.writeImage, r.writePrograms, r.writeRepositories, r.writeManifests, r.writeMonitoring, r.writePackages,
		r.writeSBOMs, r.writeChecksums,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// linux returns the architectures of the platforms with Linux.
func (r release) linux() (architectures []string) {
	for _, p := range r.platforms {
		if arch, is := strings.CutPrefix(p, "linux/"); is {
			architectures = append(architectures, arch)
		}
	}
	return architectures
}

// path returns the path of a file of the release.
func (r release) path(names ...string) string {
	return filepath.Join(append([]string{r.out}, names...)...)
}

// file writes a file of the release.
func (r release) file(content []byte, names ...string) error {
	path := r.path(names...)
	//nolint:gosec // Everyone may read a release.
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644) //nolint:gosec // Everyone may read a release.
}

// command runs a program in the root of the tree, with additional variables, and returns its output.
func (r release) command(ctx context.Context, variables []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), variables...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, &stderr)
	}
	return out, nil
}
