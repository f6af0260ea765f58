package bootscript

import (
	"github.com/machineadm/machineadm/domain/delivery"
)

// Reported exists once the agent has reported the result of the bootstrap. Then the program does not replace it with a
// less detailed report.
const Reported = StateDir + "/reported"

// uploadHead begins the function _u, which tries once to report the result of the bootstrap. Its arguments are the
// state and additional JSON fields. It reads URL and credential from the report file. curl gets the credential through
// a pipe and wget in a file of root, because all users can read arguments. The upload takes at most ten seconds and
// follows the record or the sentinel.
//
// The clients follow no redirects, use no proxy and read no user configuration, because each could send the credential
// to another host. curl follows redirects only with -L. BusyBox wget does not support these options and fails before it
// connects. Wget2 does not support --no-glob and fails, too: Wget2 1.99 follows redirects despite --max-redirect=0.
const uploadHead = `_u(){
[ -e $_d/reported ]||(umask 077;read -r a;read -r b
printf '{"apiVersion":"machineadm.io/v1alpha1","kind":"BootstrapStatus","state":"%s"%s}' $1 "$2">$_d/report
if command -v curl>/dev/null;then printf 'header = "Authorization: Bearer %s"\n' "$b"|curl -qfsSm10 --noproxy \* -K-`

// uploadMiddle and uploadTail surround the option for the certificate authorities.
const (
	uploadMiddle = ` -H Content-Type:\ application/json --data-binary @$_d/report "$a"
else printf 'header = Authorization: Bearer %s\n' "$b">$_d/wgetrc
timeout 10 wget --config=$_d/wgetrc --no-proxy --no-glob --max-redirect=0 -qO- -t1`
	uploadTail = ` --header=Content-Type:\ application/json --post-file=$_d/report "$a";fi)<` + delivery.ReportPath + `
rm -f $_d/report $_d/wgetrc
}
`
)

// failureUpload reports the failure record. successUpload reports success and removes the credential.
const (
	failureUpload = `_u Failed ",\"failure\":$(cat $_d/failure.json)"
`
	successUpload = "_u Succeeded;rm -f " + delivery.ReportPath + "\n"
)

func (w *writer) reports() bool { return w.options.Reporting != nil }

// prologue writes the code before the first step. The report file is written before anything else can fail.
func (w *writer) prologue() {
	upload, function, file := "", "", ""
	if w.reports() {
		upload, function, file = failureUpload, w.upload(), w.reportFile()
	}
	stopped, done, once := "", prologueDone, prologueOnce
	if w.options.Agent {
		stopped, done, once = agentStopped, agentDone, agentOnce
	}
	for _, part := range []string{
		prologueHead, stopped, prologueRecord, upload, prologueSteps, function, prologueBegin,
		done, file, once,
	} {
		w.buf.WriteString(part)
	}
}

func (w *writer) upload() string {
	if w.options.Reporting.Authorities == "" {
		return uploadHead + uploadMiddle + uploadTail
	}
	return uploadHead + " --cacert " + delivery.ReportPath + uploadMiddle + " --ca-certificate=" +
		delivery.ReportPath + uploadTail
}

// reportFile returns the code that writes the report file.
func (w *writer) reportFile() string {
	text := string(w.options.Reporting.File().Reveal())
	return "mkdir -p /etc/machineadm;(umask 077&&rm -f " + delivery.ReportPath + "&&" +
		printLiteral([]byte(text)) + ">" + delivery.ReportPath + ")\n"
}
