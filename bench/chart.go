package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// chart is a picture of a part of the report: bars, or lines over a logarithmic axis.
type chart struct {
	file, title string // without .svg
	bars        []bar
	x, y        string // what the axes of lines count
	lines       []line
}

type bar struct {
	name  string
	value float64
}

type line struct {
	name   string
	points []point
}

type point struct{ x, y float64 }

// The picture's measures.
const (
	chartWidth = 720
	barHeight  = 30
	nameWidth  = 170
	plotHeight = 320
)

// colours of lines and bars; ours comes first.
func colour(i int) string {
	return []string{"#0f9d8a", "#6bc5b8", "#8a8f98", "#b0a38a", "#a08fb0"}[i%5]
}

// svg draws the chart. It reads on a light and on a dark page.
func (c chart) svg() string {
	if len(c.lines) > 0 {
		return c.plot()
	}
	var b strings.Builder
	height := 44 + barHeight*len(c.bars) + 8
	c.begin(&b, height)
	most := 0.0
	for _, v := range c.bars {
		most = max(most, v.value)
	}
	for i, v := range c.bars {
		y := 44 + i*barHeight
		width := (chartWidth - nameWidth - 110) * v.value / max(most, 1)
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`, nameWidth-8, y+15, html.EscapeString(v.name))
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%.1f" height="20" fill="%s"/>`, nameWidth, y, max(width, 1), colour(i))
		fmt.Fprintf(&b, `<text x="%.1f" y="%d">%s</text>`+"\n", nameWidth+width+6, y+15, figure(v.value))
	}
	return b.String() + "</svg>\n"
}

func (c chart) begin(b *strings.Builder, height int) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d">
<style>text{font:13px system-ui,sans-serif;fill:#333}.g{stroke:#8884;stroke-width:1}@media(prefers-color-scheme:dark){text{fill:#ccc}}</style>
<text x="8" y="22" style="font-weight:600;font-size:15px">%s</text>
`, chartWidth, height, html.EscapeString(c.title))
}

// plot draws lines; both axes are logarithmic.
func (c chart) plot() string {
	const left, right, top = 80, 16, 56
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, l := range c.lines {
		for _, p := range l.points {
			low = point{min(low.x, p.x), min(low.y, p.y)}
			high = point{max(high.x, p.x), max(high.y, p.y)}
		}
	}
	// Whole decades above and below, so that a flat line looks flat.
	low.y, high.y = math.Pow(10, math.Floor(math.Log10(low.y))), math.Pow(10, math.Ceil(math.Log10(high.y)))
	if low.y == high.y {
		high.y *= 10
	}
	at := func(p point) (x, y float64) {
		share := func(v, low, high float64) float64 {
			if low == high {
				return 0
			}
			return (math.Log10(v) - math.Log10(low)) / (math.Log10(high) - math.Log10(low))
		}
		return left + (chartWidth-left-right)*share(p.x, low.x, high.x), top + plotHeight*(1-share(p.y, low.y, high.y))
	}
	var b strings.Builder
	c.begin(&b, top+plotHeight+56)
	for v := low.y; v <= high.y*1.001; v *= 10 {
		_, y := at(point{low.x, v})
		fmt.Fprintf(&b, `<line class="g" x1="%d" x2="%d" y1="%.1f" y2="%.1[3]f"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`, left, chartWidth-right, y, left-6, y+4, figure(v))
	}
	for i, p := range c.lines[0].points {
		x, _ := at(p)
		anchor := "middle"
		if i == len(c.lines[0].points)-1 {
			anchor = "end" // nothing is drawn beyond the picture
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="%s">%s</text>`, x, top+plotHeight+18, anchor, figure(p.x))
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text><text x="8" y="42">%s</text>`+"\n", chartWidth-right, top+plotHeight+40, html.EscapeString(c.x), html.EscapeString(c.y))
	for i, l := range c.lines {
		var path strings.Builder
		for j, p := range l.points {
			x, y := at(p)
			fmt.Fprintf(&path, "%s%.1f %.1f", []string{"M", "L"}[min(j, 1)], x, y)
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`, x, y, colour(i))
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="2"/>`, path.String(), colour(i))
		fmt.Fprintf(&b, `<text x="%d" y="42" style="fill:%s">%s</text>`+"\n", 220+i*160, colour(i), html.EscapeString(l.name))
	}
	return b.String() + "</svg>\n"
}
