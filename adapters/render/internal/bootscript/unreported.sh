# shellcheck shell=sh
# Replaces report.sh if the machine does not report.
_upload() { :; }
