# Runs the stages of a boot: the command line of cloud-init, each stage in a process of its own. The processes are forks
# of one that has loaded cloud-init, which takes longer than most stages.

import os
import sys

from cloudinit.cmd import main  # pylint: disable=import-error

for stage in "init --local", "init", "modules --mode=config", "modules --mode=final":
    if os.fork() == 0:
        sys.exit(main.main(["cloud-init", *stage.split()]))
    os.wait()
