package page_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/test/page"
)

func TestWriteReplacesOneSection(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	other := page.Begin("b") + "\nkept\n" + page.End("b") + "\nend\n"
	if err := os.WriteFile(path, []byte("# a\n"+page.Begin("a")+"\nold\n"+page.End("a")+"\n"+other), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := page.Write(path, "a", "new\n"); err != nil {
		t.Fatal(err)
	}
	want := "# a\n" + page.Begin("a") + "\nnew\n" + page.End("a") + "\n" + other
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	if err := page.Write(path, "c", ""); err == nil {
		t.Error("a section that is not in the document was written")
	}
}
