package envelope

import (
	"bytes"
	"errors"
	"regexp"
)

// tags are the elements that EC2Launch looks for anywhere in userdata. Source: EC2 user guide, "How Amazon EC2 handles
// user data for Windows instances".
var tags = regexp.MustCompile(`(?i)</?(powershell|powershellArguments|script|persist|runAsLocalSystem|detach|version)>`)

// element returns the script as the element that EC2Launch runs once, with PowerShell. EC2Launch does not unescape
// text, so a script that contains one of its tags is an error.
func element(script []byte) ([]byte, error) {
	if tags.Match(script) {
		return nil, errors.New("the script contains a tag of EC2Launch")
	}
	if bytes.HasPrefix(script, []byte("#cloud-config")) {
		return nil, errors.New("the payload is cloud-config")
	}
	return append(append([]byte("<powershell>\n"), script...), "</powershell>\n"...), nil
}
