package cloudinit

import (
	"bytes"
	"encoding/json"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

var _ ports.Pointing = Renderer{}

// Point returns a part handler that fetches the real userdata, checks its digest and has cloud-init's own handlers read
// it. Of what cloud-init documents, only a part handler is run early enough to bring a cloud-config along, and it needs
// no program of the image's but the Python that cloud-init itself runs in. With Include it is an #include, which checks
// nothing.
func (Renderer) Point(l delivery.Location, t osprofile.Target, at report.Path) (delivery.Payload,
	report.Report, error,
) {
	if t.Delivery.Include {
		return include(l, at.Field("fetch"))
	}
	headers := map[string]string{}
	for _, h := range l.Headers {
		headers[h.Name] = string(h.Value.Reveal())
	}
	var text bytes.Buffer
	text.WriteString("#part-handler\nu,h,s,c=")
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	// In JSON it is a literal of Python, too: all of it is printable ASCII, checked before.
	err := encoder.Encode([]any{string(l.URL.Reveal()), headers, l.SHA256, string(l.CABundle)})
	text.WriteString(handler)
	return delivery.Payload{Format: delivery.FormatCloudInit, Data: secret.New(text.Bytes()), FileExtension: ".py"}, nil,
		err
}

// include is cloud-init's own way.
func include(l delivery.Location, at report.Path) (delivery.Payload, report.Report, error) {
	if len(l.Headers) > 0 || len(l.CABundle) > 0 {
		return delivery.Payload{}, report.Report{report.Errorf(at,
			"#include sends no headers and trusts no CA but those of the image").
			To("use Verified")}, nil
	}
	text := "#include\n" + string(l.URL.Reveal()) + "\n"
	return delivery.Payload{Format: delivery.FormatCloudInit, Data: secret.FromString(text), FileExtension: ".txt"},
		report.Report{report.Warningf(at, "#include checks no digest: whoever can write what is stored has the machine").
			To("use Verified")}, nil
}

// handler is what cloud-init runs. What it fetched is kept for later boots, at which cloud-init makes its configuration
// anew. It ends last of all handlers, since it is registered last; so its cloud-config stays. From when it is loaded
// until it ends all files are created for root alone: cloud-init, which writes the configuration down, too, would set
// their mode afterwards.
//
// Connections, also those that break off, and what answers 408, 429 or 5xx, are tried for ten minutes; anything else is
// final. Redirects are not followed, since the headers may be credentials, and a proxy that the environment names is
// not asked, since it would see them. What is fetched is 8 MiB at most (delivery.MaxStored). The names are short since
// userdata is. cloud-init has its own handlers loaded by then.
const handler = `import hashlib,json,ssl,urllib.request as R
from time import monotonic as t,sleep
from cloudinit import handlers as H,user_data,util
M=util.os.umask
o=M(63)
frequency="always"
O=OSError
handler_version=2
list_types=lambda:"x"
ok=lambda b:hashlib.sha256(b).hexdigest()==s
class N(R.HTTPRedirectHandler):redirect_request=lambda*a:None
def once(e):
 x=ssl.create_default_context()
 if c:x.load_verify_locations(cadata=c)
 b=b""
 p=1
 with R.build_opener(R.ProxyHandler({}),N,R.HTTPSHandler(context=x)).open(R.Request(u,None,h),None,30)as r:
  while p:
   p=r.read1(65536)
   b+=p
   assert len(b)<=8<<20,"too large"
   assert t()<=e,"too slow"
  if r.length:raise O("truncated")
 return b
def load(p):
 try:
  b=open(p,"rb").read()
  if ok(b):return b
 except O:0
 e=t()+600
 while 1:
  try:b=once(e);break
  except(O,R.http.client.HTTPException)as x:
   k=getattr(x,"code",500)
   if t()+5>e or k<500and k-408and k-429:raise
  sleep(5)
 if not ok(b):raise ValueError("another digest")
 open(p,"wb").write(b)
 return b
def handle_part(d,y,n,p,g):
 if y[2]!="e":return
 q=d.paths
 try:
  b=load(q.get_ipath_cur()+"/machineadm")
  m=H.cloud_config.CloudConfigPartHandler(q)
  H.call_begin(m,d,g)
  H.walk(user_data.UserDataProcessor(q).process(b),lambda _,n,y,k:H.run_part(m,d,n,y,g,k),0)
  H.call_end(m,d,g)
 except Exception as e:
  M(o)
  util.write_file("` + bootscript.FailureRecord + `",json.dumps(dict(phase="file",step="fetch",exitCode=1,log=str(e))))
  raise
 M(o)
`
