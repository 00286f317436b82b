// Package zone says who can reach an address: everybody, a network of the user's, or this machine alone.
//
// It promises that an address which carries another one (mapped, NAT64, 6to4) is judged by that one, and that what has no
// business in a URL is [Never]. It asks no network, and must import nothing of the module.
package zone

import (
	"encoding/binary"
	"net/netip"
	"strings"
)

// Zone is who can reach an address. It is kept in files, so the words do not change.
type Zone string

const (
	Public   Zone = "public"
	Private  Zone = "private"  // a network of the user's: RFC 1918, RFC 6598, unique local
	Loopback Zone = "loopback" // this machine
	Never    Zone = "never"    // link-local (where clouds keep the keys of machines), multicast, unspecified, reserved
)

// Reaches reports whether a server in zone z may name an address in zone to. A server on this machine can reach the
// user's networks anyway; one in such a network cannot reach this machine.
func (z Zone) Reaches(to Zone) bool {
	switch to {
	case Public:
		return true
	case Private:
		return z == Private || z == Loopback
	case Loopback:
		return z == Loopback
	}
	return false
}

// Of returns the zone of an address. One that carries an IPv4 address has that one's.
func Of(ip netip.Addr) Zone {
	ip = carried(ip.Unmap().WithZone(""))
	switch {
	case !ip.IsValid(), ip.IsUnspecified(), ip.IsMulticast(), ip.IsLinkLocalUnicast():
		return Never
	case ip.IsLoopback():
		return Loopback
	case ip.IsPrivate():
		return Private
	}
	for block, z := range map[string]Zone{ // those that netip has no method for; they do not overlap
		"0.0.0.0/8": Never, "192.0.0.0/24": Never, "240.0.0.0/4": Never, "100::/64": Never, "::/96": Never,
		"64:ff9b:1::/48": Private, "100.64.0.0/10": Private, "198.18.0.0/15": Private, "fec0::/10": Private,
	} {
		if netip.MustParsePrefix(block).Contains(ip) {
			return z
		}
	}
	return Public
}

// carried returns the IPv4 address inside of a NAT64 or 6to4 address, and any other as it is.
func carried(ip netip.Addr) netip.Addr {
	if !ip.Is6() {
		return ip
	}
	b := ip.As16()
	switch {
	case netip.MustParsePrefix("64:ff9b::/96").Contains(ip):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case binary.BigEndian.Uint16(b[:2]) == 0x2002:
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return ip
}

// OfHost is the zone that the name of a host shows by itself. Other names are public until their address is known.
func OfHost(host string) Zone {
	if ip, err := netip.ParseAddr(host); err == nil {
		return Of(ip)
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return Loopback
	}
	return Public
}
