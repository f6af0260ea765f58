package osprofile

import (
	"strconv"

	"github.com/machineadm/machineadm/domain/report"
)

// releaseShape describes the numbers of the releases of a distribution.
type releaseShape struct {
	// least and most are the range of the first number.
	least, most int
	// parts is the least number of parts.
	parts int
	// example is a release.
	example string
}

// releaseShapes returns the shapes for the distributions whose numbers could be mistaken for those of another one. The
// ranges have room for later releases.
//
// Sources: distro-info-data, ubuntu.csv and debian.csv; flatcar.org/releases; the streams of Fedora CoreOS;
// VERSION_ID in os-release(5) of the others.
func releaseShapes() map[string]releaseShape {
	enterprise := releaseShape{least: 6, most: 99, parts: 1, example: "9"}
	return map[string]releaseShape{
		"almalinux":     enterprise,
		"bottlerocket":  {least: 1, most: 99, parts: 2, example: "1.50.0"},
		"centos":        enterprise,
		"debian":        {least: 8, most: 99, parts: 1, example: "12"},
		"fedora":        {least: 25, most: 199, parts: 1, example: "42"},
		"fedora-coreos": {least: 25, most: 199, parts: 1, example: "42"},
		"flatcar":       {least: 2000, most: 99999, parts: 1, example: "4230.2.0"},
		"ol":            enterprise,
		"photon":        {least: 1, most: 99, parts: 1, example: "5.0"},
		"rhel":          enterprise,
		"rocky":         enterprise,
		"sles":          {least: 11, most: 99, parts: 1, example: "15.6"},
		"ubuntu":        {least: 14, most: 99, parts: 2, example: "24.04"},
	}
}

// checkShape returns a finding for a number that no release of the distribution has. Text that does not begin with a
// digit, such as a codename or a channel, passes.
func (p Profile) checkShape(version string, at report.Path) report.Report {
	shape, known := releaseShapes()[p.ID]
	if !known || version == "" || version[0] < '0' || version[0] > '9' {
		return nil
	}
	numbers := parts(version)
	first, err := strconv.Atoi(numbers[0])
	if len(numbers) >= shape.parts && (err != nil || first >= shape.least && first <= shape.most) {
		return nil
	}
	return report.Report{report.Errorf(at, "%q is not a release of %s%s", report.Cut(version, report.MaxLine), p.Name,
		p.releaseOf(numbers)).To("write it as %s", shape.example)}
}

// releaseOf returns the distribution whose releases have such a number, if it is clear which one is meant.
func (p Profile) releaseOf(numbers []string) string {
	switch first, _ := strconv.Atoi(numbers[0]); {
	case p.ID != "flatcar" && first >= releaseShapes()["flatcar"].least:
		return ", but has the form of one of Flatcar"
	case p.ID != "ubuntu" && len(numbers) > 1 && first >= 14 && (numbers[1] == "04" || numbers[1] == "10"):
		return ", but has the form of one of Ubuntu"
	default:
		return ""
	}
}
