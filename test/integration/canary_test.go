package integration_test

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/canary"
)

// planted is the secret that the tests plant.
const planted = canary.Mark

func secretKey(name string) v1alpha1.KeyReference {
	return v1alpha1.KeyReference{Name: name, Key: "text"}
}

// TestNoSecretIsSeen plants secrets in valid and in refused objects, and searches all output of the manager for them
// and for the secrets that it creates.
func TestNoSecretIsSeen(t *testing.T) {
	t.Parallel()
	w := initialized(t, "canary")
	for name, text := range map[string]string{
		"plain": planted, "broken-yaml": "write_files: [" + planted, "no-hash": planted + ":", "no-base64": "%" + planted,
	} {
		w.create(
			&corev1.Secret{
				ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: name},
				StringData: map[string]string{"text": text},
			},
		)
	}
	source := func(name string) *v1alpha1.ContentSource {
		key := secretKey(name)
		return &v1alpha1.ContentSource{Secret: &key}
	}
	good := w.boot("good", false, func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.Machine.Files = []v1alpha1.FileSpec{{Path: "/etc/good", ContentFrom: source("plain")}}
	})
	bad := []string{
		w.boot("snippet", false, func(c *v1alpha1.MachineBootstrapConfig) {
			c.Spec.FormatOptions = &v1alpha1.FormatOptionsSpec{
				Snippets: []v1alpha1.Snippet{{TextFrom: source("broken-yaml"), Strict: true}},
			}
		}),
		w.boot("hash", false, func(c *v1alpha1.MachineBootstrapConfig) {
			c.Spec.Machine.Users = []v1alpha1.UserSpec{
				{Name: "a", PasswdFrom: &v1alpha1.SecretSource{Secret: secretKey("no-hash")}},
			}
		}),
		w.boot("encoding", false, func(c *v1alpha1.MachineBootstrapConfig) {
			c.Spec.Machine.Files = []v1alpha1.FileSpec{
				{Path: "/etc/bad", Encoding: v1alpha1.EncodingBase64, ContentFrom: source("no-base64")},
			}
		}),
	}
	w.published(good)
	w.Expect(
		string(w.data(good).Data["value"]),
	).To(
		Or(ContainSubstring(planted), ContainSubstring(base64.StdEncoding.EncodeToString([]byte(planted)))),
	)
	for _, name := range bad {
		w.Eventually(func() string { return w.reason(name) }).Should(Equal("InvalidSpec"), name)
	}
	w.Eventually(func() string { return w.spoken()["an event"] }).Should(ContainSubstring("InvalidSpec"))
	w.silent(t)
}

// spoken returns the manager's output about the test's namespace, by its place; log and metrics are those of all
// namespaces.
func (w *world) spoken() map[string]string {
	log, err := os.ReadFile(w.env.provider.Log)
	w.Expect(err).NotTo(HaveOccurred())
	message := map[string]string{"the log": string(log), "a metric": w.metrics()}
	for place, list := range searched() {
		w.Expect(w.env.Client.List(w.t.Context(), list, client.InNamespace(w.name))).To(Succeed())
		text, err := yaml.Marshal(list)
		w.Expect(err).NotTo(HaveOccurred())
		message[place] = string(text)
	}
	w.Expect(message["a metric"]).To(ContainSubstring("machineadm_payload_bytes"))
	return message
}

// searched returns a list for each kind of object that the manager writes or affects. Of Secrets it is the metadata.
func searched() map[string]client.ObjectList {
	secrets := &metav1.PartialObjectMetadataList{}
	secrets.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("SecretList"))
	all := map[string]client.ObjectList{
		"a Secret's metadata": secrets, "an event": &eventsv1.EventList{}, "a ConfigMap": &corev1.ConfigMapList{},
		"a config": &v1alpha1.MachineBootstrapConfigList{}, "a machine": &clusterv1.MachineList{},
		"a pool": &clusterv1.MachinePoolList{}, "a set": &clusterv1.MachineSetList{}, "a cluster": &clusterv1.ClusterList{},
		"a bucket": &v1alpha1.S3BootstrapStorageList{}, "a storage": &v1alpha1.EndpointBootstrapStorageList{},
	}
	for _, p := range v1alpha1.Plugins() {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.PluginKind(p) + "List"))
		all[v1alpha1.PluginKind(p)] = list
	}
	return all
}

// TestPlantedSecretsAreFound plants the mark in an object of some kinds, and holds that the search finds each of them.
func TestPlantedSecretsAreFound(t *testing.T) {
	t.Parallel()
	w := initialized(t, "planted")
	w.published(w.boot("good", false))
	meta := metav1.ObjectMeta{Namespace: w.name, Name: "planted", Annotations: map[string]string{"a": planted}}
	for place, o := range map[string]client.Object{
		"an event": &eventsv1.Event{
			ObjectMeta: meta, EventTime: metav1.NowMicro(), Type: "Normal", Reason: "a", Action: "a",
			ReportingController: "a.b/c", ReportingInstance: "a", Regarding: corev1.ObjectReference{Namespace: w.name},
		},
		"a ConfigMap": &corev1.ConfigMap{ObjectMeta: meta}, "a Secret's metadata": &corev1.Secret{ObjectMeta: meta},
		"TimeSyncConfig": &v1alpha1.TimeSyncConfig{
			ObjectMeta: meta, Spec: v1alpha1.TimeSyncConfigSpec{Servers: []string{"ntp.example"}},
		},
	} {
		w.create(o)
		found, err := canary.For()
		w.Expect(err).NotTo(HaveOccurred())
		w.Expect(found.In(w.spoken()[place])).NotTo(BeEmpty(), place)
		w.Expect(w.env.Client.Delete(t.Context(), o)).To(Succeed())
	}
}

func (w *world) metrics() string {
	request, err := http.NewRequestWithContext(
		context.WithoutCancel(w.t.Context()),
		http.MethodGet,
		"http://"+w.env.provider.Diagnostics+"/metrics",
		nil,
	)
	w.Expect(err).NotTo(HaveOccurred())
	response, err := http.DefaultClient.Do(request)
	w.Expect(err).NotTo(HaveOccurred())
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	w.Expect(err).NotTo(HaveOccurred())
	return string(text)
}
