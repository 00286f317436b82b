package result

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
)

// maxPixels is how wide and high an image may be for model providers.
const maxPixels = 8000

// Inspect reads from an image's own bytes what type it has and how large it is, or says why it cannot be shown. What the
// server says about it does not count: a provider that is told a wrong type refuses the whole request.
func Inspect(data []byte) (kind, pixels, why string) {
	var c image.Config
	var err error
	r := bytes.NewReader(data)
	switch {
	case len(data) == 0:
		return "", "", "it is empty"
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		kind = "image/png"
		c, err = png.DecodeConfig(r)
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		kind = "image/jpeg"
		c, err = jpeg.DecodeConfig(r)
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		kind = "image/gif"
		c, err = gif.DecodeConfig(r)
	case len(data) >= 30 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		kind = "image/webp"
		c.Width, c.Height = webpSize(data)
	default:
		return "", "", "its bytes are no PNG, JPEG, GIF or WebP"
	}
	switch {
	case err != nil || c.Width <= 0 || c.Height <= 0:
		return "", "", "it is damaged"
	case c.Width > maxPixels || c.Height > maxPixels:
		return "", "", fmt.Sprintf("it has %d×%d pixels, more than %d", c.Width, c.Height, maxPixels)
	}
	return kind, fmt.Sprintf("%d×%d pixels", c.Width, c.Height), ""
}

// webpSize reads the size from the first chunk, which is of one of three kinds; 0 when it is none of them. Data has at
// least 30 bytes.
func webpSize(data []byte) (width, height int) {
	u24 := func(at int) int { return int(data[at]) | int(data[at+1])<<8 | int(data[at+2])<<16 }
	switch string(data[12:16]) {
	case "VP8X":
		return u24(24) + 1, u24(27) + 1
	case "VP8L":
		if data[20] == 0x2f {
			bits := binary.LittleEndian.Uint32(data[21:25])
			return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1
		}
	case "VP8 ":
		if u24(23) == 0x2a019d {
			return int(binary.LittleEndian.Uint16(data[26:])) & 0x3fff, int(binary.LittleEndian.Uint16(data[28:])) & 0x3fff
		}
	}
	return 0, 0
}
