# A part handler of cloud-init. It fetches the userdata, checks its digest and passes it to cloud-init's own handlers.
#
# cloud-init loads the handler as a module and calls handle_part once before all parts and once after them. This
# handler is registered last, so its cloud-config replaces that of earlier handlers. cloud-init creates its
# configuration at each boot, so the fetched userdata is stored for later boots.
import hashlib
import json
import os
import ssl
import time
import urllib.request as web

# Only machines have cloud-init.
# pylint: disable-next=import-error
from cloudinit import handlers, user_data, util

# The renderer assigns the parameters before this program.
# pylint: disable-next=undefined-variable
URL, HEADERS, SHA256, CA_BUNDLE = PARAMETERS

# cloud-init requires the next two names.
# pylint: disable=invalid-name
frequency = "always"
handler_version = 2
# pylint: enable=invalid-name

# cloud-init sets the modes of files after it has written them. So until this handler ends, only root can read new
# files.
UMASK = os.umask(0o77)


def list_types():
    return ["x"]


# Headers may contain credentials, which only the server at the URL may receive. For the same reason no proxy of the
# environment is used.
class NoRedirects(web.HTTPRedirectHandler):
    def redirect_request(self, *_):
        pass


# Fetches at most 8 MiB (delivery.MaxStored) and checks the digest.
def fetch(deadline):
    context = ssl.create_default_context()
    if CA_BUNDLE:
        context.load_verify_locations(cadata=CA_BUNDLE)
    opener = web.build_opener(web.ProxyHandler({}), NoRedirects, web.HTTPSHandler(context=context))
    with opener.open(web.Request(URL, None, HEADERS), None, 30) as response:
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
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise ValueError("another digest")
    return content


# Tries again for ten minutes after failed connections and the statuses 408, 429 and 5xx.
def fetch_with_retries():
    deadline = time.monotonic() + 600
    while True:
        try:
            return fetch(deadline)
        except (OSError, web.http.client.HTTPException) as error:
            status = getattr(error, "code", 500)
            if time.monotonic() + 5 > deadline or status < 500 and status not in (408, 429):
                raise
        time.sleep(5)


def load(path):
    try:
        with open(path, "rb") as file:
            content = file.read()
        if hashlib.sha256(content).hexdigest() == SHA256:
            return content
    except OSError:
        pass
    content = fetch_with_retries()
    util.write_file(path, content, 0o600)
    return content


def handle_part(cloud, content_type, _filename, _payload, run_frequency):
    if content_type != "__end__":
        return
    try:
        content = load(cloud.paths.get_ipath_cur() + "/machineadm")
        handler = handlers.cloud_config.CloudConfigPartHandler(cloud.paths)

        def run_part(_, filename, payload, headers):
            handlers.run_part(handler, cloud, filename, payload, run_frequency, headers)

        handlers.call_begin(handler, cloud, run_frequency)
        handlers.walk(user_data.UserDataProcessor(cloud.paths).process(content), run_part, None)
        handlers.call_end(handler, cloud, run_frequency)
    except Exception as error:
        os.umask(UMASK)
        record = json.dumps({"phase": "file", "step": "fetch", "exitCode": 1, "log": str(error)})
        util.write_file("/run/cluster-api/bootstrap-failure.json", record)
        raise
    os.umask(UMASK)
