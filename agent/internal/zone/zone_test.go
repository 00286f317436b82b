package zone

import (
	"net/netip"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		zone      Zone
		addresses string
	}{
		{Public, "8.8.8.8 2606:4700::1111 100.128.0.1 172.32.0.1 64:ff9b::808:808 192.0.1.1"},
		{Private, "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 198.18.0.1 fd00::1 fec0::1 64:ff9b:1::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1::1"},
		{Loopback, "127.0.0.1 127.255.255.255 ::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::"},
		{Never, "0.0.0.0 0.1.2.3 :: ::7f00:1 169.254.169.254 fe80::1 fe80::1%eth0 224.0.0.1 ff02::1 255.255.255.255 240.0.0.1 192.0.0.8 64:ff9b::a9fe:a9fe"},
	} {
		for _, a := range strings.Fields(test.addresses) {
			if got := Of(netip.MustParseAddr(a)); got != test.zone {
				t.Errorf("%s is %s, want %s", a, got, test.zone)
			}
		}
	}
	if got := Of(netip.Addr{}); got != Never {
		t.Errorf("no address is %s", got)
	}
}

func TestReaches(t *testing.T) {
	t.Parallel()
	allowed := map[Zone]string{Public: "public", Private: "public private", Loopback: "public private loopback", Never: "public", "": "public"}
	for from, to := range allowed {
		for _, z := range []Zone{Public, Private, Loopback, Never, ""} {
			if got, want := from.Reaches(z), z != "" && strings.Contains(to, string(z)); got != want {
				t.Errorf("%q reaches %q: %v", from, z, got)
			}
		}
	}
}

func TestOfHost(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]Zone{
		"localhost": Loopback, "LocalHost.": Loopback, "a.localhost": Loopback, "127.0.0.1": Loopback, "::1": Loopback, "10.0.0.1": Private,
		"169.254.169.254": Never, "example.com": Public, "notlocalhost": Public, "": Public,
	} {
		if got := OfHost(host); got != want {
			t.Errorf("%q is %s, want %s", host, got, want)
		}
	}
}
