# A part handler of cloud-init. It fetches the userdata, checks its digest and passes it to cloud-init's own handlers.
#
# cloud-init loads the handler as a module and calls handle_part once before all parts and once after them. This
# handler is registered last, so its cloud-config replaces that of earlier handlers. cloud-init creates its
# configuration at each boot, so the fetched userdata is stored for later boots.
#
# Module documentation is in comments, which are not part of the userdata. pylintrc therefore requires no docstrings.
import hashlib
import http.client
import json
import os
import ssl
import time
import urllib.request

# Only machines have cloud-init.
# pylint: disable-next=import-error
from cloudinit import handlers, user_data, util

# The renderer writes the parameters before the program.
# pylint: disable-next=undefined-variable
URL, HEADERS, SHA256, CA_BUNDLE = PARAMETERS

# cloud-init gives the next two names.
# pylint: disable=invalid-name
frequency = "always"
handler_version = 2
# pylint: enable=invalid-name

# cloud-init sets the modes of files after it has written them. So until this handler ends, only root can read new
# files.
UMASK = os.umask(0o077)


def list_types():
    return ["x"]


# Headers may contain credentials, which only the server at the URL may receive. No proxy of the environment is used for
# the same reason.
class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def has_expected_digest(content):
    return hashlib.sha256(content).hexdigest() == SHA256


# Fetches at most 8 MiB (delivery.MaxStored).
def fetch_once(deadline):
    context = ssl.create_default_context()
    if CA_BUNDLE:
        context.load_verify_locations(cadata=CA_BUNDLE)
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        NoRedirects,
        urllib.request.HTTPSHandler(context=context),
    )
    request = urllib.request.Request(URL, None, HEADERS)
    with opener.open(request, None, 30) as response:
        content = chunk = response.read1(65536)
        while chunk:
            if len(content) > 8 << 20:
                raise ValueError("too large")
            if time.monotonic() > deadline:
                raise ValueError("too slow")
            chunk = response.read1(65536)
            content += chunk
        if response.length:
            raise OSError("truncated")
    return content


# Retries failed connections and the statuses 408, 429 and 5xx for ten minutes.
def fetch():
    deadline = time.monotonic() + 600
    while True:
        try:
            return fetch_once(deadline)
        except (OSError, http.client.HTTPException) as error:
            status = getattr(error, "code", 500)
            if time.monotonic() + 5 > deadline or status < 500 and status not in (408, 429):
                raise
        time.sleep(5)


def load(path):
    try:
        with open(path, "rb") as file:
            content = file.read()
        if has_expected_digest(content):
            return content
    except OSError:
        pass
    content = fetch()
    if not has_expected_digest(content):
        raise ValueError("another digest")
    with open(path, "wb") as file:
        file.write(content)
    return content


def process(cloud, run_frequency):
    content = load(cloud.paths.get_ipath_cur() + "/machineadm")
    handler = handlers.cloud_config.CloudConfigPartHandler(cloud.paths)

    def run(_, filename, payload, headers):
        handlers.run_part(handler, cloud, filename, payload, run_frequency, headers)

    handlers.call_begin(handler, cloud, run_frequency)
    handlers.walk(user_data.UserDataProcessor(cloud.paths).process(content), run, None)
    handlers.call_end(handler, cloud, run_frequency)


def handle_part(cloud, content_type, _filename, _payload, run_frequency):
    if content_type != handlers.CONTENT_END:
        return
    try:
        process(cloud, run_frequency)
    except Exception as error:
        os.umask(UMASK)
        record = {"phase": "file", "step": "fetch", "exitCode": 1, "log": str(error)}
        util.write_file("/run/cluster-api/bootstrap-failure.json", json.dumps(record))
        raise
    os.umask(UMASK)
