package oauth

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
)

// zone says who can reach an address. It is kept in records, so the words do not change.
type zone string

const (
	zonePublic   zone = "public"
	zonePrivate  zone = "private"  // a network of the user's: RFC 1918, RFC 6598, unique local
	zoneLoopback zone = "loopback" // this machine
	zoneNever    zone = "never"    // link-local (where clouds keep metadata), multicast, unspecified, reserved
)

// reaches reports whether a server in zone z may name an address in zone to. A server on this machine can reach the
// user's networks anyway; one in such a network cannot reach this machine.
func (z zone) reaches(to zone) bool {
	switch to {
	case zonePublic:
		return true
	case zonePrivate:
		return z == zonePrivate || z == zoneLoopback
	case zoneLoopback:
		return z == zoneLoopback
	}
	return false
}

// special lists the blocks that netip has no method for, the narrower before the wider.
func special() []struct {
	block netip.Prefix
	zone  zone
} {
	return []struct {
		block netip.Prefix
		zone  zone
	}{
		{netip.MustParsePrefix("0.0.0.0/8"), zoneNever},
		{netip.MustParsePrefix("100.64.0.0/10"), zonePrivate},
		{netip.MustParsePrefix("192.0.0.0/24"), zoneNever},
		{netip.MustParsePrefix("198.18.0.0/15"), zonePrivate},
		{netip.MustParsePrefix("240.0.0.0/4"), zoneNever},
		{netip.MustParsePrefix("fec0::/10"), zonePrivate},
		{netip.MustParsePrefix("100::/64"), zoneNever},
	}
}

// zoneOf returns the zone of an address. One that carries an IPv4 address (mapped, NAT64, 6to4) has that one's zone.
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
	for _, s := range special() {
		if s.block.Contains(ip) {
			return s.zone
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

// loopbackHost reports whether a URL's host name means this machine without asking anybody.
func loopbackHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return zoneOf(ip) == zoneLoopback
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// errZone is the error for an address that a server in zone z must not name.
func errZone(ip netip.Addr, z zone) error {
	return fmt.Errorf("the address %s is not public (the MCP server's own is %s)", ip, z)
}
