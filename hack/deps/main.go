// Command deps checks the modules that the shipped programs link against policy.yaml, writes their licences, and runs
// govulncheck.
//
//	deps check                            reports each violation of the policy
//	deps licenses FILE                    writes the licences and notices of the linked modules
//	deps sbom VERSION DIRECTORY PROGRAM...  writes an SBOM of each program (SPDX), with the time SOURCE_DATE_EPOCH
//	deps vulncheck [flags] [PACKAGE...]   reports known vulnerabilities in functions that the packages call
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "deps:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "check":
		return check(ctx)
	case len(args) == 2 && args[0] == "licenses":
		return writeLicenses(ctx, args[1])
	case len(args) >= 4 && args[0] == "sbom":
		return writeSBOMs(ctx, os.Getenv("SOURCE_DATE_EPOCH"), args[1], args[2], args[3:])
	case len(args) >= 1 && args[0] == "vulncheck":
		return runVulncheck(ctx, args[1:], out)
	}
	return errors.New("usage: deps check | deps licenses FILE | deps sbom VERSION DIRECTORY PROGRAM... | " +
		"deps vulncheck [-db URL] [-fallback DIRECTORY] [-max-age DURATION] [-optional] [PACKAGE...]")
}

// check holds the tree in the working directory to the policy.
func check(ctx context.Context) error {
	p, err := readPolicy(policyFile)
	if err != nil {
		return err
	}
	modules, err := linkedModules(ctx)
	if err != nil {
		return err
	}
	tree, err := checkTree(ctx, ".")
	if err != nil {
		return err
	}
	if all := append(p.violations(modules), tree...); len(all) > 0 {
		return errors.New(strings.Join(all, "\n"))
	}
	return nil
}

func runVulncheck(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("vulncheck", flag.ContinueOnError)
	db := fs.String("db", publicDatabase, "vulnerability database: an https or file URL")
	fallback := fs.String("fallback", os.Getenv("VULNDB"),
		"directory with a copy of the database, which is used if -db cannot be used; the default is $VULNDB")
	age := fs.Duration("max-age", maxAge, "how long ago the database may have been modified")
	optional := fs.Bool("optional", false, "succeed with a message if there is no database")
	if err := fs.Parse(args); err != nil {
		return err
	}
	packages := fs.Args()
	if len(packages) == 0 {
		packages = []string{programs}
	}
	source, err := openDatabase(ctx, *db, *fallback, *age)
	if err != nil {
		fmt.Fprintln(out, "vulncheck: NOT CHECKED:", err)
		if *optional {
			return nil
		}
		return err
	}
	fmt.Fprintf(out, "vulncheck: %s\n", source)
	return vulncheck(ctx, source.url, packages, out)
}
