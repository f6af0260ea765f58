package egress

import "regexp"

// awsRegionPattern matches names of AWS regions. A region becomes part of a host name, so it must not match a name such
// as "s3": kms.s3.amazonaws.com would be a bucket that anyone can own.
var awsRegionPattern = regexp.MustCompile(`^` + awsRegion + `$`)

const awsRegion = `[a-z]{2,4}(?:-[a-z]+){1,2}-[0-9]{1,2}`

// awsHostPattern matches the hosts of S3 in all AWS partitions, without a bucket
// (https://docs.aws.amazon.com/general/latest/gr/s3.html, and the partitions of AWS's SDK for Go).
var awsHostPattern = regexp.MustCompile(
	`^(?:s3|s3-fips|s3\.dualstack|s3-fips\.dualstack)(?:[.-]` + awsRegion + `)?` +
		`\.(?:amazonaws\.com|amazonaws\.com\.cn|amazonaws\.eu|c2s\.ic\.gov|sc2s\.sgov\.gov|cloud\.adc-e\.uk|` +
		`csp\.hci\.ic\.gov)$`)

// IsAWSRegion reports whether the text has the form of an AWS region, such as eu-central-1.
func IsAWSRegion(text string) bool { return awsRegionPattern.MatchString(text) }

// isAWS reports whether the host, in lower case, is an endpoint of AWS's S3.
func isAWS(host string) bool { return awsHostPattern.MatchString(host) }
