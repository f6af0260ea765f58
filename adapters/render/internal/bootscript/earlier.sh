# shellcheck shell=sh
# Removes the state of an earlier installation of the system, if its file system was kept: the markers in it would end
# this bootstrap. _here is a marker on the root file system, which an installation replaces. The state of a prepared
# image contains no such marker and stays. record.sh or the starter precedes it. The paths contain no spaces.
# shellcheck disable=SC2086,SC2115,SC2154
[ -e $_here ] || {
  if [ -e $_state/done ] || [ -e $_state/started ]; then
    rm -rf $_state/*
  fi && : >$_here && sync $_here
} || _fail $?
