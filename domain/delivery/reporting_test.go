package delivery_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestReportingCheck(t *testing.T) {
	const pem = "-----BEGIN CERTIFICATE-----\n"
	cases := map[string]struct {
		reason string
		given  delivery.Reporting
		wrong  string
	}{
		"nothing": {reason: "the controller's own endpoint"},
		"all":     {reason: "one of the user's", given: delivery.Reporting{Endpoint: "https://a:1/b", Authorities: pem}},
		"clear": {
			reason: "credentials travel encrypted", given: delivery.Reporting{Endpoint: "http://a"},
			wrong: "r.url",
		},
		"query": {reason: "the path goes behind it", given: delivery.Reporting{Endpoint: "https://a?b"}, wrong: "r.url"},
		"user": {
			reason: "credentials have a field of their own", given: delivery.Reporting{Endpoint: "https://u@a"},
			wrong: "r.url",
		},
		"two lines": {
			reason: "the file has a line for it", given: delivery.Reporting{Endpoint: "https://a\nb"},
			wrong: "r.url",
		},
		"no PEM": {
			reason: "no server would be trusted", given: delivery.Reporting{Authorities: "x"},
			wrong: "r.certificateAuthorities",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			found := c.given.Check("r")
			if (c.wrong == "") != (len(found) == 0) || c.wrong != "" && string(found[0].Path) != c.wrong {
				t.Errorf("%s: %v", c.reason, found)
			}
		})
	}
}

func TestReportingFile(t *testing.T) {
	r := delivery.Reporting{
		Endpoint: "https://a/", Data: "n/m", Credential: secret.FromString("shown"),
		Authorities: "PEM",
	}
	if got := string(r.File().Reveal()); got != "https://a/reports/n/m\nshown\nPEM\n" {
		t.Errorf("%q", got)
	}
}
