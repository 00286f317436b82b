package bundle

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
)

// The sizes of an icon that is taken, in pixels.
const (
	minIcon = 128
	maxIcon = 1024
)

// icon is a square PNG file.
type icon struct {
	size int
	png  []byte
}

// decodeIcon reads a square PNG file. Its size is known before its pixels are read.
func decodeIcon(file []byte) (image.Image, error) {
	config, err := png.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return nil, errors.New("it is no PNG file")
	}
	if config.Width != config.Height || config.Width < minIcon || config.Width > maxIcon {
		return nil, fmt.Errorf("it has %d × %d pixels: want a square of %d to %d", config.Width, config.Height, minIcon, maxIcon)
	}
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	return picture, nil
}

// icons are the app's icon in these sizes, without those that are larger than its file.
func (a *App) icons(sizes ...int) ([]icon, error) {
	var source image.Image
	if a.Icon != nil {
		var err error
		if source, err = decodeIcon(a.Icon); err != nil {
			return nil, fmt.Errorf("the icon: %w", err)
		}
	}
	var list []icon
	for _, size := range sizes {
		var picture image.Image
		switch {
		case source == nil:
			picture = drawn(a.ID, size)
		case source.Bounds().Dx() < size:
			continue
		default:
			picture = shrunk(source, size)
		}
		var b bytes.Buffer
		if err := png.Encode(&b, picture); err != nil {
			return nil, fmt.Errorf("the icon: %w", err)
		}
		list = append(list, icon{size, b.Bytes()})
	}
	return list, nil
}

// shrunk makes a square picture smaller: each pixel is the mean of what it covers.
func shrunk(source image.Image, size int) image.Image {
	from := source.Bounds().Dx()
	if from == size {
		return source
	}
	straight := image.NewRGBA(image.Rect(0, 0, from, from)) // colours times opacity, whose mean is right
	draw.Draw(straight, straight.Bounds(), source, source.Bounds().Min, draw.Src)
	target := image.NewRGBA(image.Rect(0, 0, size, size))
	scale := float64(from) / float64(size)
	for y := range size {
		for x := range size {
			target.SetRGBA(x, y, mean(straight, float64(x)*scale, float64(y)*scale, scale))
		}
	}
	return target
}

// mean is the mean colour of a square of a picture, whose edges may lie within pixels.
func mean(p *image.RGBA, left, top, side float64) color.RGBA {
	var sum [4]float64
	for y := int(top); float64(y) < top+side && y < p.Rect.Dy(); y++ {
		height := min(float64(y+1), top+side) - max(float64(y), top)
		for x := int(left); float64(x) < left+side && x < p.Rect.Dx(); x++ {
			area := height * (min(float64(x+1), left+side) - max(float64(x), left))
			c := p.RGBAAt(x, y)
			for i, part := range [4]uint8{c.R, c.G, c.B, c.A} {
				sum[i] += area * float64(part)
			}
		}
	}
	part := func(i int) uint8 { return uint8(math.Round(sum[i] / (side * side))) }
	return color.RGBA{part(0), part(1), part(2), part(3)}
}

// drawn is the icon of an app that has none: a round square with a pattern of five by five dots that
// mirrors itself. Colour and pattern follow from the id, so that apps differ.
func drawn(id string, size int) image.Image {
	hash := sha256.Sum256([]byte(id))
	hue := float64(hash[0]) / 256
	dots := pattern(hash)
	samples := 4 // a side of each pixel; large pictures do with fewer
	if size >= 256 {
		samples = 2
	}
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	for py := range size {
		for px := range size {
			var inside, lit float64
			for s := range samples * samples {
				x := (float64(px) + (float64(s%samples)+0.5)/float64(samples)) / float64(size)
				y := (float64(py) + (float64(s/samples)+0.5)/float64(samples)) / float64(size)
				if !inRoundSquare(x, y) {
					continue
				}
				inside++
				if onDot(dots, x, y) {
					lit++
				}
			}
			if inside == 0 {
				continue
			}
			shade := 1 - 0.35*float64(py)/float64(size) // darker towards the bottom
			r, g, b := tint(hue, shade)
			white := lit / inside
			blend := func(c float64) uint8 { return uint8(math.Round(255 * (c + (1-c)*white))) }
			picture.SetNRGBA(px, py, color.NRGBA{blend(r), blend(g), blend(b), uint8(math.Round(255 * inside / float64(samples*samples)))})
		}
	}
	return picture
}

// pattern is which of the dots are there: the centre always, the others by the bits of a hash.
func pattern(hash [32]byte) (dots [5][5]bool) {
	for row := range 5 {
		for column := range 3 {
			there := hash[1+row*3+column]%5 < 3 || row == 2 && column == 2
			dots[row][column], dots[row][4-column] = there, there
		}
	}
	return dots
}

// inRoundSquare reports whether a point is on the icon, whose corners are round. Sides are 1.
func inRoundSquare(x, y float64) bool {
	const edge, radius = 0.04, 0.2
	dx := max(edge+radius-x, x-(1-edge-radius), 0)
	dy := max(edge+radius-y, y-(1-edge-radius), 0)
	return dx*dx+dy*dy <= radius*radius
}

func onDot(dots [5][5]bool, x, y float64) bool {
	const first, step, radius = 0.26, 0.12, 0.047
	column, row := int(math.Round((x-first)/step)), int(math.Round((y-first)/step))
	if row < 0 || row > 4 || column < 0 || column > 4 || !dots[row][column] {
		return false
	}
	dx, dy := x-first-step*float64(column), y-first-step*float64(row)
	return dx*dx+dy*dy <= radius*radius
}

// tint is a colour of a hue from 0 to 1, dark enough for white upon it.
func tint(hue, shade float64) (r, g, b float64) {
	part := func(offset float64) float64 {
		k := math.Mod(offset+hue*12, 12)
		const light, strength = 0.46, 0.28
		return shade * (light - strength*max(-1, min(k-3, 9-k, 1)))
	}
	return part(0), part(8), part(4)
}
