package page_test

import (
	"testing"

	"github.com/machineadm/machineadm/test/page"
)

func TestCommandsOfADocument(t *testing.T) {
	const text = "# Title\n```console\n$ one\noutput\n```\n## Left out\n```console\n$ two\n```\n" +
		"## More\n```sh\n$ three\n```\n```console\n$ for a in b; do\n>   echo $a\n> done\n```\n"
	if got, want := page.Commands(text, "Left out"), "one\nfor a in b; do\n  echo $a\ndone\n"; got != want {
		t.Errorf("the commands are %q, expected %q", got, want)
	}
}
