# Runs the search for a data source of the real cloud-init, which stores the instance data, on the double of a platform:
# its DMI data, its files, and its metadata services. Nothing else of cloud-init is replaced, except for the networks
# that it sets up before it can reach a metadata service, and for the report to the host of Azure.
#
#   metadata.py PLATFORM

import contextlib
import http.server
import json
import os
import sys
import threading
import types

from cloudinit import dmi, settings, sources, stages, util  # pylint: disable=import-error
from cloudinit.net import ephemeral  # pylint: disable=import-error
from cloudinit.sources import DataSourceAzure as azure  # pylint: disable=import-error
from cloudinit.sources.helpers import digitalocean, vultr  # pylint: disable=import-error

with open(sys.argv[1], encoding="utf-8") as file:
    platform = json.load(file)


def listing(value):
    """Returns the response of services in the style of EC2: a text, or the names in a directory."""
    if not isinstance(value, dict):
        return str(value)
    if "" in value:
        return value[""]
    return "\n".join(name + "/" if isinstance(value[name], dict) else name for name in value)


def lookup(path):
    """Returns the response for a path, or None."""
    for root, value in platform.get("http", {}).items():
        rest = path.removeprefix(root)
        if rest == path and rest or rest and root != "/" and not rest.startswith("/"):
            if path != root:
                continue
        for name in filter(None, rest.split("/")):
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            return listing(value)
    return None


class Service(http.server.BaseHTTPRequestHandler):
    """All metadata services of the platform."""

    def respond(self, text):
        """Sends a text, or that there is none."""
        body = (text or "").encode()
        self.send_response(404 if text is None else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):  # pylint: disable=invalid-name
        """Sends metadata."""
        self.respond(lookup(self.path.split("?")[0]))

    def do_PUT(self):  # pylint: disable=invalid-name
        """Sends a token."""
        self.respond("token")

    def log_message(self, *_):  # pylint: disable=arguments-differ
        """Logs nothing."""


def connected(self, **_):
    """Is what Azure's data source finds after DHCP."""
    self._ephemeral_dhcp_ctx = types.SimpleNamespace(  # pylint: disable=protected-access
        lease={"interface": "lo"}, iface="lo", clean_network=lambda: None
    )
    return True


for file_name, content in platform.get("files", {}).items():
    util.write_file(file_name, content)
os.environ.update(platform.get("environment", {}))
dmi.read_dmi_data = platform.get("dmi", {}).get
for network in ephemeral.EphemeralDHCPv4, ephemeral.EphemeralIPNetwork:
    network.__enter__ = lambda self: {"fixed-address": "10.0.0.1"}
    network.__exit__ = lambda self, *_: None
ephemeral.EphemeralIPNetwork.__enter__ = lambda self: self
digitalocean.assign_ipv4_link_local = lambda *_: None
vultr.get_interface_list = lambda: ["lo"]
azure.DataSourceAzure._setup_ephemeral_networking = connected  # pylint: disable=protected-access
azure.DataSourceAzure._report_ready = lambda *_, **__: []  # pylint: disable=protected-access
azure.DataSourceAzure.validate_imds_network_metadata = lambda *_, **__: True

server = http.server.ThreadingHTTPServer(("", 80), Service)
threading.Thread(target=server.serve_forever, daemon=True).start()
util.write_file(
    "/etc/cloud/cloud.cfg.d/99-test.cfg", json.dumps({"datasource_list": [platform["source"]]})
)
for stage in [sources.DEP_FILESYSTEM], [sources.DEP_FILESYSTEM, sources.DEP_NETWORK]:
    init = stages.Init(ds_deps=stage)
    init.read_cfg()
    init.initialize()
    with contextlib.suppress(sources.DataSourceNotFoundException):
        init.fetch(existing="trust")
        init.instancify()
        break
else:
    sys.exit("no data source: " + settings.CLOUD_CONFIG)
init.setup_datasource()
init.update()
