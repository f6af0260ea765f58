package integration_test

import (
	"bytes"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/machineadm/machineadm/test/s3server"
)

// TestPoolsGetAnotherPlace changes the prefix of a storage: the object moves there, and the pool's userdata names it,
// although the URL before is valid for hours. The token stays.
func TestPoolsGetAnotherPlace(t *testing.T) {
	t.Parallel()
	w, server := initialized(t, "movedpool"), s3server.Start(t, false, "machines")
	s := w.bucket(server)
	name := w.pool("a", withStorage)
	c := w.published(name)
	before, token := w.data(name).Data["value"], w.token(name)
	w.Eventually(func() error {
		if err := w.get(s.Name, s); err != nil {
			return err
		}
		s.Spec.Prefix = "elsewhere"
		return w.env.Client.Update(t.Context(), s)
	}).Should(Succeed())
	w.Eventually(func() bool { return bytes.Equal(before, w.data(name).Data["value"]) }).Should(BeFalse())
	w.Expect(w.token(name)).To(Equal(token))
	w.Expect(string(w.data(name + "-stored").Data["url"])).To(ContainSubstring("/elsewhere/"))
	places := map[string]int{}
	for at := range w.objects(server) {
		place, _, _ := strings.Cut(at, "/")
		places[place]++
	}
	w.Expect(places).To(Equal(map[string]int{"boot": 1, "elsewhere": 1}))
	w.Expect(w.env.Client.Delete(t.Context(), c)).To(Succeed())
	w.gone(server)
}
