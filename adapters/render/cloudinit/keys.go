package cloudinit

import "slices"

// topLevelKeys returns the top-level keys of a cloud-config. Source: schema-cloud-config-v1.json of cloud-init 22.4.2
// and 25.1.4, combined.
func topLevelKeys() []string {
	return []string{
		"allow_public_ssh_keys", "ansible", "apk_repos", "apt", "apt_pipelining", "apt_reboot_if_required", "apt_update",
		"apt_upgrade", "authkey_hash", "autoinstall", "bootcmd", "byobu_by_default", "ca-certs", "ca_certs", "chef",
		"chpasswd", "cloud_config_modules", "cloud_final_modules", "cloud_init_modules", "create_hostname_file",
		"device_aliases", "disable_ec2_metadata", "disable_root", "disable_root_opts", "disk_setup", "drivers", "fan",
		"final_message", "fqdn", "fs_setup", "groups", "growpart", "grub-dpkg", "grub_dpkg", "hostname", "keyboard",
		"landscape", "launch-index", "locale", "locale_configfile", "lxd", "manage_etc_hosts", "manage_resolv_conf",
		"mcollective", "merge_how", "merge_type", "migrate", "mount_default_fields", "mounts", "no_ssh_fingerprints",
		"ntp", "output", "package_reboot_if_required", "package_update", "package_upgrade", "packages", "password",
		"phone_home", "power_state", "prefer_fqdn_over_hostname", "preserve_hostname", "puppet", "random_seed",
		"reporting", "resize_rootfs", "resolv_conf", "rh_subscription", "rsyslog", "runcmd", "salt_minion", "snap",
		"spacewalk", "ssh", "ssh_authorized_keys", "ssh_deletekeys", "ssh_fp_console_blacklist", "ssh_genkeytypes",
		"ssh_import_id", "ssh_key_console_blacklist", "ssh_keys", "ssh_publish_hostkeys", "ssh_pwauth",
		"ssh_quiet_keygen", "swap", "system_info", "timezone", "ubuntu_advantage", "ubuntu_pro", "updates", "user",
		"users", "vendor_data", "version", "wireguard", "write_files", "yum_repo_dir", "yum_repos", "zypper",
	}
}

// moduleKeys returns the keys that select the modules of cloud-init; a snippet with them could disable the bootstrap.
// Source: /etc/cloud/cloud.cfg and cloud-init's documentation, "Base configuration".
func moduleKeys() []string {
	return []string{"cloud_init_modules", "cloud_config_modules", "cloud_final_modules"}
}

// listKeys returns the keys for which the renderer writes a list, to which items of a snippet are appended. runcmd and
// bootcmd are always written.
func listKeys() []string { return []string{"bootcmd", "groups", "runcmd", "users", "write_files"} }

func isListKey(key string) bool { return slices.Contains(listKeys(), key) }
