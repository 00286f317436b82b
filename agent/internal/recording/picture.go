package main

import (
	"fmt"
	"html"
	"image/color"
	"strings"
	"time"
)

// A cell's size in the picture, and the room around the terminal.
const (
	cellWidth  = 8.4
	cellHeight = 18
	margin     = 16
)

// The terminal's own colours.
var (
	ground color.Color = color.RGBA{0x16, 0x18, 0x1d, 0xff}
	ink    color.Color = color.RGBA{0xd8, 0xdc, 0xe4, 0xff}
)

// lasting is how long the last frame is shown before the story begins again.
const lasting = 5 * time.Second

// picture is the frames as an animated SVG: a film strip of one row, moved by CSS. A row that is seen in several frames is
// written once. Who wants no motion sees the last frame.
func picture(frames []frame) string {
	const width, height = columns*cellWidth + 2*margin, rows*cellHeight + 2*margin
	var strip, known, moves strings.Builder
	names := map[string]string{}
	total := lasting
	for _, f := range frames {
		total += f.shown
	}
	var at time.Duration
	for i, f := range frames {
		fmt.Fprintf(&moves, "%.3f%%{transform:translateX(%.0fpx)}", 100*at.Seconds()/total.Seconds(), -float64(i)*width)
		at += f.shown
		fmt.Fprintf(&strip, `<g transform="translate(%.0f)">`, float64(i)*width+margin)
		for y, row := range f.rows {
			text := rowText(row)
			if text == "" {
				continue
			}
			name, ok := names[text]
			if !ok {
				name = fmt.Sprintf("r%d", len(names))
				names[text] = name
				fmt.Fprintf(&known, `<g id="%s">%s</g>`, name, text)
			}
			fmt.Fprintf(&strip, `<use href="#%s" y="%d"/>`, name, margin+y*cellHeight)
		}
		strip.WriteString("</g>\n")
	}
	last := -float64(len(frames)-1) * width
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %[1]f %[2]d">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:%s;white-space:pre;dominant-baseline:central}
.b{font-weight:bold}.f{opacity:.6}.i{font-style:italic}
#film{transform:translateX(%.0[4]fpx);animation:film %.1[5]fs steps(1,end) infinite}
@keyframes film{%[6]s100%%{transform:translateX(%.0[4]fpx)}}
@media (prefers-reduced-motion:reduce){#film{animation:none}}
</style>
<defs>%[7]s</defs>
<rect width="100%%" height="100%%" rx="8" fill="%[8]s"/>
<g id="film">
%[9]s</g>
</svg>
`, width, int(height), hex(ink), last, total.Seconds(), moves.String(), known.String(), hex(ground), strip.String())
}

// rowText is a row as SVG. Each run has its own place, so that a font of another width moves nothing but itself.
func rowText(row []run) string {
	var b strings.Builder
	for _, r := range row {
		x := float64(r.column) * cellWidth
		if r.bg != nil {
			fmt.Fprintf(&b, `<rect x="%.1f" width="%.1f" height="%d" fill="%s"/>`, x, float64(r.width)*cellWidth, cellHeight, hex(r.bg))
		}
		text := strings.TrimRight(r.text, " ")
		if text == "" {
			continue
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%d"`, x, cellHeight/2)
		var classes []string
		for _, style := range []struct {
			class string
			is    bool
		}{{"b", r.bold}, {"f", r.faint}, {"i", r.italic}} {
			if style.is {
				classes = append(classes, style.class)
			}
		}
		if len(classes) > 0 {
			fmt.Fprintf(&b, ` class="%s"`, strings.Join(classes, " "))
		}
		if r.fg != nil {
			fmt.Fprintf(&b, ` style="fill:%s"`, hex(r.fg))
		}
		fmt.Fprintf(&b, ">%s</text>", html.EscapeString(text))
	}
	return b.String()
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
