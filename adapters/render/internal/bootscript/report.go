package bootscript

import (
	"github.com/machineadm/machineadm/domain/delivery"
)

// Reported stands once the agent has told how the bootstrap ended, so that the program does not tell it again with
// fewer words.
const Reported = StateDir + "/reported"

// uploadHead begins the function _u, which tries once to say how the bootstrap ended: its first argument is the state,
// its second more fields. What it needs comes from the file of the report, and the credential reaches curl by a pipe
// and wget by a file in a directory of root's, since arguments are seen by all. It takes ten seconds at most, and comes
// after the record or the sentinel. No client follows a redirect, uses a proxy or reads a configuration of the user's,
// any of which could send the credential to another host. curl follows redirects only with -L. BusyBox's wget, which
// knows none of these options, fails before it connects, and so does Wget2, which does not know --no-glob: Wget2 1.99
// follows redirects in spite of --max-redirect=0.
const uploadHead = `_u(){
[ -e $_d/reported ]||(umask 077;read -r a;read -r b
printf '{"apiVersion":"machineadm.io/v1alpha1","kind":"BootstrapStatus","state":"%s"%s}' $1 "$2">$_d/report
if command -v curl>/dev/null;then printf 'header = "Authorization: Bearer %s"\n' "$b"|curl -qfsSm10 --noproxy \* -K-`

// uploadMiddle and uploadTail go around the option that names the authorities.
const (
	uploadMiddle = ` -H Content-Type:\ application/json --data-binary @$_d/report "$a"
else printf 'header = Authorization: Bearer %s\n' "$b">$_d/wgetrc
timeout 10 wget --config=$_d/wgetrc --no-proxy --no-glob --max-redirect=0 -qO- -t1`
	uploadTail = ` --header=Content-Type:\ application/json --post-file=$_d/report "$a";fi)<` + delivery.ReportPath + `
rm -f $_d/report $_d/wgetrc
}
`
)

// failureUpload says what went wrong as the record has it, and successUpload that all went well; with that the
// credential goes.
const (
	failureUpload = `_u Failed ",\"failure\":$(cat $_d/failure.json)"
`
	successUpload = "_u Succeeded;rm -f " + delivery.ReportPath + "\n"
)

// reports reports whether the machine sends reports.
func (w *writer) reports() bool { return w.options.Reporting != nil }

// prologue writes what comes before the first step. A machine that reports has the file that says how before anything
// can fail.
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

// reportFile writes the file of the report.
func (w *writer) reportFile() string {
	text := string(w.options.Reporting.File().Reveal())
	return "mkdir -p /etc/machineadm;(umask 077&&rm -f " + delivery.ReportPath + "&&" +
		printLiteral([]byte(text)) + ">" + delivery.ReportPath + ")\n"
}
