package integration_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// reporting has a config's machine report.
func reporting(c *v1alpha1.MachineBootstrapConfig) {
	c.Spec.Reporting = &v1alpha1.ReportingSpec{}
}

// credential returns the credential in the userdata of a machine.
func (w *world) credential(name string) string {
	w.t.Helper()
	userdata := string(w.data(name).Data["value"])
	found := regexp.MustCompile(`/reports/` + w.name + `/` + name + `\s+([A-Za-z0-9_-]{43})\s`).
		FindStringSubmatch(userdata)
	w.Expect(found).To(HaveLen(2), userdata)
	return found[1]
}

// send reports as a machine does and returns the code of the answer.
func (w *world) send(e *controlplane.MachineEndpoint, name, credential, body string) int {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, e.URL+"/reports/"+w.name+"/"+name,
		strings.NewReader(body))
	w.Expect(err).NotTo(HaveOccurred())
	request.Header.Set("Authorization", "Bearer "+credential)
	answer, err := e.Client.Do(request)
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(answer.Body.Close()).To(Succeed())
	return answer.StatusCode
}

const (
	reportHead   = `{"apiVersion":"machineadm.io/v1alpha1","kind":"BootstrapStatus",`
	reportFailed = reportHead + `"state":"Failed","started":"2026-11-21T10:00:00Z",` +
		`"failure":{"phase":"join","step":"spec.node","action":"run kubeadm join","exitCode":1,` +
		`"cause":"the token abcdef.` + "0123456789abcdef" + ` is gone\u001b[31m","log":"first\nlast"}}`
	reportSucceeded = reportHead + `"state":"Succeeded","started":"2026-11-21T11:00:00Z"}`
	reportedCause   = "phase join: run kubeadm join (spec.node): exit code 1: the token [redacted] is gone[31m"
)

// reached waits until the condition of the machine's config has the reason.
func (w *world) reached(name, condition, reason string) *metav1.Condition {
	w.t.Helper()
	c := &v1alpha1.MachineBootstrapConfig{}
	w.Eventually(func(g Gomega) {
		g.Expect(w.get(name, c)).To(Succeed())
		g.Expect(conditions.GetReason(c, condition)).To(Equal(reason), "%+v", c.Status.Conditions)
	}).Should(Succeed())
	return conditions.Get(c, condition)
}

func TestAFailureIsReportedBack(t *testing.T) {
	t.Parallel()
	e, err := controlplane.NewMachineEndpoint(t.TempDir())
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	manage(t, e.Flags...)() // The metrics of its manager count this machine alone.
	w := initialized(t, "reports")
	name := w.boot("a", false, reporting)
	w.published(name)
	w.reached(name, "BootstrapSucceeded", "WaitingForReport")
	shown := w.credential(name)
	w.Expect(w.send(e, name, shown, reportFailed)).To(Equal(http.StatusNoContent))
	w.Expect(w.reached(name, "BootstrapSucceeded", "JoinFailed").Message).To(Equal(reportedCause))
	c := w.published(name)
	w.Expect(conditions.IsTrue(c, "DataSecretAvailable")).To(BeTrue())
	w.Expect(c.Status.Bootstrap.Failure.Log).To(Equal("first\nlast"))
	w.Expect(c.Status.Ready).To(BeTrue(), "contract v1beta1: the data is there")
	m := &clusterv1.Machine{}
	w.Eventually(func(g Gomega) {
		g.Expect(w.get(name, m)).To(Succeed())
		g.Expect(conditions.GetReason(m, clusterv1.MachineBootstrapConfigReadyCondition)).To(Equal("JoinFailed"))
		g.Expect(conditions.GetMessage(m, clusterv1.MachineBootstrapConfigReadyCondition)).
			To(ContainSubstring("the token [redacted] is gone"))
	}).Should(Succeed())
	w.Eventually(func() []string { return w.notes(name) }).Should(ContainElement("JoinFailed: " + reportedCause))
	w.Expect(w.metrics()).To(ContainSubstring(`machineadm_bootstraps_total{cause="JoinFailed",outcome="failed"} 1`))
	w.Expect(w.send(e, name, shown, reportSucceeded)).To(Equal(http.StatusNoContent))
	w.reached(name, "BootstrapSucceeded", "Succeeded")
	w.reached(name, "Ready", "Ready")
	w.Expect(w.data(name).Annotations).NotTo(HaveKey(capi.CredentialAnnotation), "a move takes no credential along")
	before := w.published(name)
	w.Expect(before.Status.Bootstrap.Failure).To(BeNil(), "a newer report replaces the earlier one")
	w.Expect(w.send(e, name, shown, reportFailed)).To(Equal(http.StatusUnauthorized), "a credential expires with success")
	w.Expect(w.published(name).Status.Bootstrap).To(Equal(before.Status.Bootstrap))
}

func (w *world) notes(name string) []string {
	var list eventsv1.EventList
	w.Expect(w.env.Client.List(w.t.Context(), &list, client.InNamespace(w.name))).To(Succeed())
	var notes []string
	for _, event := range list.Items {
		if event.Regarding.Name == name {
			notes = append(notes, event.Note)
		}
	}
	return notes
}

func TestReportsThatAreRefused(t *testing.T) {
	t.Parallel()
	e := shared().endpoint
	w := common(t, "abuse")
	one, two := w.boot("one", false, reporting), w.boot("two", false, reporting)
	mute := w.boot("mute", false)
	for _, name := range []string{one, two, mute} {
		w.published(name)
	}
	shown := w.credential(one)
	for reason, try := range map[string]struct {
		name, credential, body string
		want                   int
	}{
		"a wrong credential":           {one, canary.Mark, reportFailed, http.StatusUnauthorized},
		"another machine's credential": {two, shown, reportFailed, http.StatusUnauthorized},
		"a machine that is not there":  {"none", shown, reportFailed, http.StatusUnauthorized},
		"a machine that was not asked": {mute, shown, reportFailed, http.StatusUnauthorized},
		"33 KiB": {
			one, shown, reportHead + `"version":"` + strings.Repeat("x", 33<<10) + `"}`, http.StatusRequestEntityTooLarge,
		},
		"something else than a report": {one, shown, canary.Mark, http.StatusBadRequest},
		"an unknown field": {
			one, shown, reportHead + `"state":"Succeeded","` + canary.Mark + `":1}`,
			http.StatusBadRequest,
		},
		"a failure that does not exist": {
			one, shown, reportHead + `"state":"Failed","failure":{"phase":"` + canary.Mark + `"}}`, http.StatusBadRequest,
		},
	} {
		w.Expect(w.send(e, try.name, try.credential, try.body)).To(Equal(try.want), reason)
	}
	for _, name := range []string{one, two} {
		w.Expect(w.published(name).Status.Bootstrap).To(BeNil(), name)
	}
	codes := map[int]int{}
	for range 40 {
		codes[w.send(e, one, shown, reportFailed)]++
	}
	w.Expect(codes[http.StatusNoContent]).To(BeNumerically(">", 0))
	w.Expect(codes[http.StatusTooManyRequests]).To(BeNumerically(">", 0), "%v", codes)
	w.Expect(w.send(e, two, w.credential(two), reportSucceeded)).To(Equal(http.StatusNoContent),
		"one machine's flood is not another's")
	w.reached(one, "BootstrapSucceeded", "JoinFailed")
	for place, text := range w.spoken() {
		for _, secret := range []string{shown, w.credential(two), canary.Mark} {
			w.Expect(strings.Contains(text, secret)).To(BeFalse(), "%s shows a secret", place)
		}
	}
}

func TestSilentMachineIsNoticed(t *testing.T) {
	t.Parallel()
	w := common(t, "silent")
	name := w.boot("a", false, func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.Reporting = &v1alpha1.ReportingSpec{DeadlineSeconds: ptr.To[int32](2)}
	})
	w.Expect(w.reached(name, "Ready", "DeadlineExceeded").Message).To(ContainSubstring("has not joined within 2s"))
	w.join(name)
	w.reached(name, "BootstrapSucceeded", "NodeJoined")
	w.reached(name, "Ready", "Ready")
}

func TestAFailedMachineIsReplaced(t *testing.T) {
	t.Parallel()
	e := shared().endpoint
	w := initialized(t, "remedy")
	w.create(controlplane.HealthCheck(w.name, w.name))
	w.workers("md", 1, reporting)
	failed := w.machinesOf("md", 1)[0]
	w.Expect(w.send(e, failed.Name, w.credential(failed.Name), reportFailed)).To(Equal(http.StatusNoContent))
	w.Eventually(func() bool { return apierrors.IsNotFound(w.get(failed.Name, &clusterv1.Machine{})) }).Should(BeTrue())
	w.Eventually(func(g Gomega) {
		for _, m := range w.machinesOf("md", 1) {
			g.Expect(m.Name).NotTo(Equal(failed.Name))
		}
	}).Should(Succeed())
	w.Eventually(func() bool { return apierrors.IsNotFound(w.get(failed.Name, &corev1.Secret{})) }).Should(BeTrue())
}

// TestAReplicaThatDoesNotLeadTakesReports sends a report to a manager that does not lead; the leader evaluates it.
func TestAReplicaThatDoesNotLeadTakesReports(t *testing.T) {
	t.Parallel()
	e, err := controlplane.NewMachineEndpoint(t.TempDir())
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	leader := manage(t, "--leader-elect", "--machine-endpoint-url="+e.URL)()
	w := initialized(t, "standby")
	name := w.boot("a", false, reporting)
	w.published(name)
	standby, err := w.env.StartProvider(w.env.ctx, w.env.program, append(e.Flags, "--leader-elect")...)
	w.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { w.Expect(standby.Stop()).To(Succeed()) })
	w.Eventually(func() int {
		return w.send(e, name, w.credential(name), reportFailed)
	}).Should(Equal(http.StatusNoContent))
	w.reached(name, "BootstrapSucceeded", "JoinFailed")
	w.Expect(w.reconciles(leader)).To(BeTrue())
}

// TestTheEndpointIsAStorage serves a machine's configuration from the manager itself: the userdata is a stub, and
// clients with its signed URL get the object until the machine is deleted.
func TestTheEndpointIsAStorage(t *testing.T) {
	t.Parallel()
	e := shared().endpoint
	w := initialized(t, "served")
	w.create(&v1alpha1.EndpointBootstrapStorage{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "here"}})
	name := w.boot("a", false, servedHere)
	w.published(name)
	request := w.data(name + "-stored")
	address := string(request.Data["url"])
	w.Expect(address).To(HavePrefix(e.URL + "/stored/" + w.name + "/" + request.Name + "/"))
	w.Expect(w.fetch(e, address)).To(Equal(string(request.Data["value"])))
	w.Expect(w.fetch(e, address[:strings.Index(address, "?")])).To(Equal("403 Forbidden"))
	w.Expect(w.fetch(e, strings.Replace(address, "expires=", "expires=1", 1))).To(Equal("403 Forbidden"))
	log, err := os.ReadFile(w.env.provider.Log)
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(string(log)).To(ContainSubstring("Serving a stored object"))
	w.Expect(string(log)).NotTo(ContainSubstring(address[strings.Index(address, "signature="):]))
	w.Expect(w.env.Client.Delete(t.Context(), &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{
		Namespace: w.name,
		Name:      name,
	}})).To(Succeed())
	w.Eventually(func() string { return w.fetch(e, address) }).Should(Equal("404 Not Found"))
	w.Eventually(func(g Gomega) {
		var left corev1.SecretList
		g.Expect(w.env.Client.List(t.Context(), &left, client.InNamespace(w.name))).To(Succeed())
		for _, s := range left.Items {
			g.Expect(s.Type).NotTo(Equal(request.Type))
			g.Expect(string(s.Type)).NotTo(Equal("bootstrap.machineadm.io/stored"))
		}
	}).Should(Succeed())
}

// TestStorageWithoutAnEndpointIsReported checks that a manager without an endpoint reports the missing flag.
func TestStorageWithoutAnEndpointIsReported(t *testing.T) {
	t.Parallel()
	manage(t)()
	w := initialized(t, "unserved")
	w.create(&v1alpha1.EndpointBootstrapStorage{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "here"}})
	name := w.boot("a", false, servedHere)
	w.stalled(name, "StorageRefused", "start it with --machine-endpoint-url")
}

// servedHere has the endpoint's storage keep what the machine fetches.
func servedHere(c *v1alpha1.MachineBootstrapConfig) {
	c.Spec.StorageRef = &v1alpha1.StorageReference{
		APIGroup: v1alpha1.Group,
		Kind:     v1alpha1.EndpointStorageKind, Name: "here",
	}
}

// fetch returns what is there, or why not.
func (w *world) fetch(e *controlplane.MachineEndpoint, address string) string {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, address, nil)
	w.Expect(err).NotTo(HaveOccurred())
	answer, err := e.Client.Do(request)
	w.Expect(err).NotTo(HaveOccurred())
	text, err := io.ReadAll(answer.Body)
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(answer.Body.Close()).To(Succeed())
	if answer.StatusCode != http.StatusOK {
		return answer.Status
	}
	return string(text)
}

// TestStatusAtATerminal asks the cluster why a machine did not become a node.
func TestStatusAtATerminal(t *testing.T) {
	t.Parallel()
	w := common(t, "terminal")
	name := w.boot("a", false)
	c := w.published(name)
	before := c.DeepCopy()
	c.Status.Bootstrap = &v1alpha1.BootstrapStatus{
		State: "Failed", ReportTime: metav1.Now(), Failure: &v1alpha1.BootstrapFailure{
			Phase: "join",
			Cause: "the token is gone",
		},
	}
	w.Expect(w.env.Client.Status().Patch(t.Context(), c, client.MergeFrom(before))).To(Succeed())
	dir := t.TempDir()
	program, err := programs.Build(t.Context(), "machineadmctl")
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(w.env.WriteKubeconfig(dir + "/kubeconfig")).To(Succeed())
	status := func(args ...string) string {
		all := append([]string{"status", "--kubeconfig", dir + "/kubeconfig", "-n", w.name}, args...)
		out, err := exec.CommandContext(t.Context(), program, all...).CombinedOutput()
		w.Expect(err).NotTo(HaveOccurred(), string(out))
		return string(out)
	}
	w.Expect(status(name)).To(And(ContainSubstring("Machine    "), ContainSubstring(name+" "+version),
		ContainSubstring("the token is gone")))
	w.Expect(status()).To(MatchRegexp(w.name + `-cp0 +True +- +joined as node `))
}
