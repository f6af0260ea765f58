package machine

import (
	"regexp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/domain/report"
)

// MinorPlaceholder is replaced in the URL of a package repository by the minor version of Kubernetes, such as v1.36.
const MinorPlaceholder = "{minor}"

// PackageRepository adds a repository of packages. Packages are installed from it only if SigningKey has signed them:
// on systems with apt the index of the repository, and elsewhere each package. Repositories are added before packages
// are installed.
type PackageRepository struct {
	// Name is the name of the repository's files. A repository of the image with the same name is replaced.
	Name string `json:"name"`
	// URL is http, https or file. {minor} is replaced by the minor version of Kubernetes, such as v1.36.
	URL string `json:"url"`
	// Suite is the suite of a repository of Debian packages, such as trixie. Default: /, for a repository without suites.
	Suite string `json:"suite,omitempty"`
	// Components are the components of the suite, such as main. They are required with a suite that does not end in a
	// slash.
	Components []string `json:"components,omitempty"`
	// SigningKey is the public key of the repository: OpenPGP, armored.
	SigningKey string `json:"signingKey"`
}

// Kind returns KindPackageRepository.
func (PackageRepository) Kind() document.Kind { return KindPackageRepository }

var (
	// repositoryName matches names that every package manager reads as the name of a file and of a section.
	repositoryName = pattern.Of(63, `^[a-z0-9][a-z0-9_-]*$`)
	// repositoryURL matches the characters of URLs, and the variables of package managers, such as $basearch.
	repositoryURL = regexp.MustCompile(`^[][A-Za-z0-9._~:/%+@$()-]+$`)
	// suitePattern also matches components.
	suitePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`)
)

// Check returns error findings for values that could change the meaning of a repository's file, and for a missing key.
func (c PackageRepository) Check(p report.Path) report.Report {
	var r report.Report
	if !repositoryName.MatchString(c.Name) {
		r = append(r, report.Errorf(p.Field("name"), "%q is not the name of a repository", c.Name).
			To("use at most 63 lower-case letters, digits, dashes and underscores"))
	}
	r = append(r, checkRepositoryURL(p.Field("url"), c.URL)...)
	r = append(r, c.checkSuite(p)...)
	return append(r, checkSigningKey(p.Field("signingKey"), c.SigningKey)...)
}

func checkRepositoryURL(p report.Path, raw string) report.Report {
	plain := strings.ReplaceAll(raw, MinorPlaceholder, "v1.0")
	if r := checkFetchURL(p, plain); r.HasErrors() {
		return r
	}
	if !repositoryURL.MatchString(plain) {
		return report.Report{report.Errorf(p, "the URL contains characters that the files of package managers reserve").
			To("escape them with %%, and use no placeholder other than %s", MinorPlaceholder)}
	}
	return nil
}

func (c PackageRepository) checkSuite(p report.Path) report.Report {
	var r report.Report
	flat := c.Suite == "" || strings.HasSuffix(c.Suite, "/")
	if !slices.Contains([]string{"", "/", "./"}, c.Suite) && !isSuite(c.Suite) {
		r = append(r, report.Errorf(p.Field("suite"), "%q is not the name of a suite", c.Suite).
			To("use one name, as in trixie"))
	}
	for i, name := range c.Components {
		if !isSuite(name) {
			r = append(r, report.Errorf(p.Field("components").Index(i), "%q is not the name of a component", name).
				To("use one name in each element, as in main"))
		}
	}
	switch {
	case flat && len(c.Components) > 0:
		r = append(r, report.Errorf(p.Field("components"), "components have no effect without a suite").
			To("set suite, or remove components"))
	case !flat && len(c.Components) == 0:
		r = append(r, report.Errorf(p.Field("components"), "the suite %q has no components", c.Suite).
			To("add components, as in main, or end the suite in a slash if the repository has none"))
	}
	return r
}

func isSuite(s string) bool { return suitePattern.MatchString(s) && !strings.Contains(s, "..") }
