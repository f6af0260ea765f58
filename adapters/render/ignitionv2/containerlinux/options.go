package containerlinux

import (
	"encoding/json"
	"strings"
)

// release is the part of a version on which options depend.
type release struct{ major, minor uint64 }

func (r release) before(other release) bool {
	return r.major < other.major || r.major == other.major && r.minor < other.minor
}

// kind is the type of an option.
type kind string

const (
	word    kind = "string"
	number  kind = "integer"
	boolean kind = "boolean"
)

// option is one that a program has from one release to another.
type option struct {
	kind        kind
	since, last release
}

// program is one whose options are the keys of a section.
type program struct {
	// key is the section's, image the variable with the version, start the command line, and text a key that is no option.
	key, image, start, text string
	// standard is the release of a section without one.
	oldest, standard, newest release
	// majors are the newest releases of earlier major versions.
	majors  []release
	options map[string][]option
}

func (p program) newestOf(major uint64) release {
	for _, r := range p.majors {
		if r.major == major {
			return r
		}
	}
	return p.newest
}

// option returns the option that a key is in the release.
func (p program) option(key string, r release) (option, bool) {
	for _, o := range p.options[key] {
		if !r.before(o.since) && !o.last.before(r) {
			return o, true
		}
	}
	return option{}, false
}

// add adds options that the program has from one release to another.
func (p program) add(k kind, since, last release, keys string) {
	for key := range strings.FieldsSeq(keys) {
		p.options[key] = append(p.options[key], option{kind: k, since: since, last: last})
	}
}

// etcd returns the program of the section etcd. Source: the flags of etcd 2.3 to 3.5, op-guide/configuration.
func etcd() program {
	v23, v30, v31, v32 := release{2, 3}, release{3, 0}, release{3, 1}, release{3, 2}
	v33, v34, v35 := release{3, 3}, release{3, 4}, release{3, 5}
	p := program{
		key: "etcd", image: "ETCD_IMAGE_TAG", start: "/usr/lib/coreos/etcd-wrapper $ETCD_OPTS", oldest: v23,
		standard: v35, newest: v35,
		majors: []release{v23}, options: map[string][]option{},
	}
	p.add(word, v23, v35, `advertise_client_urls cert_file cors data_dir discovery discovery_fallback discovery_proxy
		discovery_srv initial_advertise_peer_urls initial_cluster initial_cluster_state initial_cluster_token key_file
		listen_client_urls listen_peer_urls name peer_cert_file peer_key_file peer_trusted_ca_file
		proxy trusted_ca_file wal_dir`)
	p.add(number, v23, v35, `election_timeout heartbeat_interval max_snapshots max_wals proxy_dial_timeout
		proxy_failure_wait proxy_read_timeout proxy_refresh_interval proxy_write_timeout snapshot_count`)
	p.add(boolean, v23, v35, `client_cert_auth enable_pprof force_new_cluster peer_client_cert_auth strict_reconfig_check`)
	p.add(word, v23, v34, `log_package_levels`)
	p.add(boolean, v23, v34, `debug`)
	p.add(word, v23, v33, `ca_file peer_ca_file`)
	p.add(boolean, v30, v35, `auto_tls peer_auto_tls`)
	p.add(number, v30, v32, `auto_compaction_retention`)
	p.add(word, v31, v35, `metrics`)
	p.add(word, v31, v33, `log_output`)
	p.add(word, v32, v35, `auth_token`)
	p.add(boolean, v32, v35, `enable_v2`)
	p.add(word, v33, v35, `auto_compaction_mode auto_compaction_retention client_crl_file experimental_corrupt_check_time
		experimental_enable_v2v3 grpc_keepalive_interval grpc_keepalive_min_time grpc_keepalive_timeout listen_metrics_urls
		peer_cert_allowed_cn peer_crl_file`)
	p.add(number, v33, v35, `max_request_bytes max_txn_ops quota_backend_bytes`)
	p.add(boolean, v33, v35, `experimental_initial_corrupt_check`)
	p.add(word, v34, v35, `backend_batch_interval cipher_suites client_cert_allowed_hostname discovery_srv_name
		experimental_warning_apply_duration experimental_watch_progress_notify_interval host_whitelist log_level log_outputs
		logger peer_cert_allowed_hostname`)
	p.add(number, v34, v35, `auth_token_ttl backend_batch_limit bcrypt_cost experimental_compaction_batch_limit`)
	p.add(boolean, v34, v35, `experimental_enable_lease_checkpoint initial_election_tick_advance pre_vote`)
	p.add(word, v34, v34, `experimental_backend_bbolt_freelist_type`)
	p.add(word, v35, v35, `backend_bbolt_freelist_type experimental_distributed_tracing_address
		experimental_distributed_tracing_instance_id experimental_distributed_tracing_service_name log_rotation_config_json
		v2_deprecation`)
	p.add(number, v35, v35, `self_signed_cert_validity`)
	p.add(boolean, v35, v35, `enable_log_rotation experimental_enable_distributed_tracing
		experimental_txn_mode_write_with_shared_buffer socket_reuse_address socket_reuse_port unsafe_no_fsync`)
	return p
}

// flannel returns the program of the section flannel. Source: the flags of flannel 0.5 to 0.7,
// Documentation/configuration.md.
func flannel() program {
	v05, v06, v07 := release{0, 5}, release{0, 6}, release{0, 7}
	p := program{
		key: "flannel", image: "FLANNEL_IMAGE_TAG", start: "/usr/lib/coreos/flannel-wrapper $FLANNEL_OPTS",
		text:   "network_config",
		oldest: v05, standard: v06, newest: v07, options: map[string][]option{},
	}
	p.add(word, v05, v07,
		`etcd_endpoints etcd_cafile etcd_certfile etcd_keyfile etcd_prefix ip_masq subnet_file public_ip interface`)
	p.add(word, v06, v07, `etcd_username etcd_password`)
	p.add(boolean, v07, v07, `kube_subnet_mgr`)
	return p
}

// isObject reports whether the text is a JSON object.
func isObject(text string) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &object) == nil
}
