#!/bin/sh
# The root file system below the application: what node needs of Debian, and nothing that builds, installs or opens a shell.
#   scripts/image/root.sh <folder>
set -eu
root=$1
packages="libc6 gcc-12-base libgcc-s1 libstdc++6"

downloads=$(mktemp -d)
trap 'rm -rf "$downloads"' EXIT
# Root of apt would give its place to a user of its own, who may not write here.
(cd "$downloads" && apt-get -o APT::Sandbox::User=root download -qq $packages)

mkdir -p "$root/tmp" "$root/etc" "$root/proc" "$root/dev" "$root/var/lib/dpkg/status.d"
for file in "$downloads"/*.deb; do
  dpkg-deb -x "$file" "$root"
  # Scanners of images look for packages there. Each has its licence in usr/share/doc.
  dpkg-deb -f "$file" >"$root/var/lib/dpkg/status.d/$(dpkg-deb -f "$file" Package)"
done

# Conversions between encodings, which node brings itself, and programs and documents of the packages. Licences stay.
rm -rf "$root"/usr/lib/*/gconv "$root/usr/share/lintian" "$root/usr/share/gcc" "$root/usr/share/gdb" "$root/sbin" "$root/usr/sbin" "$root/usr/bin"
find "$root/usr/share/doc" -type f ! -name copyright -delete
find "$root" -type d -empty ! -path "$root/tmp" ! -path "$root/proc" ! -path "$root/dev" -delete

chmod 1777 "$root/tmp"
echo 'root:x:0:0:root:/:/none
roster:x:10001:10001:roster:/:/none' >"$root/etc/passwd"
echo 'root:x:0:
roster:x:10001:' >"$root/etc/group"
# Names in /etc/hosts first.
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
