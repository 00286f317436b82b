package tools

import (
	"encoding/binary"
	"net/netip"
	"strings"
)

// zone says who can reach an address.
type zone int

const (
	zonePublic   zone = iota
	zonePrivate       // a network of the user's
	zoneLoopback      // this machine
	zoneNever         // link-local (where clouds keep the keys of machines), multicast, unspecified, reserved
)

// zoneOf returns the zone of an address. One that carries an IPv4 address (mapped, NAT64, 6to4) has that one's.
func zoneOf(ip netip.Addr) zone {
	ip = carried(ip.Unmap().WithZone(""))
	switch {
	case !ip.IsValid(), ip.IsUnspecified(), ip.IsMulticast(), ip.IsLinkLocalUnicast():
		return zoneNever
	case ip.IsLoopback():
		return zoneLoopback
	case ip.IsPrivate():
		return zonePrivate
	}
	for block, z := range map[string]zone{ // those that netip has no method for; they do not overlap
		"0.0.0.0/8": zoneNever, "192.0.0.0/24": zoneNever, "240.0.0.0/4": zoneNever, "100::/64": zoneNever, "::/96": zoneNever,
		"64:ff9b:1::/48": zonePrivate, "100.64.0.0/10": zonePrivate, "198.18.0.0/15": zonePrivate, "fec0::/10": zonePrivate,
	} {
		if netip.MustParsePrefix(block).Contains(ip) {
			return z
		}
	}
	return zonePublic
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

// zoneOfHost is the zone that the name of a host shows by itself. Other names are public until their address is known.
func zoneOfHost(host string) zone {
	if ip, err := netip.ParseAddr(host); err == nil {
		return zoneOf(ip)
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return zoneLoopback
	}
	return zonePublic
}
