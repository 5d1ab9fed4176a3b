# shellcheck shell=bash
# Sourced by alerts: the mail server, with a certificate of its own and a login over STARTTLS, the
# webhook, and what both were told.

inbox() { inside /usr/bin/python3 $box/inbox.py "$1" $box "${@:2}"; }

# told STATE CAUSE… : both receivers have been told of each.
told() {
  local state=$1 cause
  shift
  for cause in "$@"; do
    pause=5 awaits "$state: $cause" 2400 inbox told "$state" "$cause"
  done
}

# Before Debian's own configuration can begin.
write_mail_server() {
  mkdir -p "$root/etc/exim4" "$root$box"
  cp tests/package/inbox.py "$root$box"
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=mail.test \
    -addext subjectAltName=DNS:mail.test -keyout "$root/etc/exim4/mail.key" \
    -out "$root/etc/exim4/mail.crt" 2>/dev/null
  chmod 644 "$root/etc/exim4/mail.key" # of this container alone
  cat >"$root/etc/exim4/exim4.conf" <<END
primary_hostname = mail.test
local_interfaces = 127.0.0.1
daemon_smtp_ports = 587
tls_advertise_hosts = *
tls_certificate = /etc/exim4/mail.crt
tls_privatekey = /etc/exim4/mail.key
auth_advertise_hosts = \${if def:tls_in_cipher{*}{}}
acl_smtp_rcpt = receive
begin acl
receive:
  accept authenticated = *
         domains = alerts.test
  deny
begin routers
all:
  driver = accept
  transport = box
begin transports
box:
  driver = appendfile
  file = $box/mail
  user = Debian-exim
  group = Debian-exim
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{\$auth2}{bridge}}{eq{\$auth3}{$password}}}}
END
}

start_receivers() {
  inside sh -c "touch $box/mail $box/posted && chown -R Debian-exim: $box"
  inside systemctl restart exim4
  inside systemd-run --quiet --unit=inbox /usr/bin/python3 $box/inbox.py serve $box 8025
  awaits "the webhook listens" 30 inside curl -s -o /dev/null http://127.0.0.1:8025/
  printf '%s\n' "${causes[@]}" >"$root$box/causes"
}
